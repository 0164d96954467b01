"""Worker processes that are safe to start from anywhere in a program."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

__all__ = ["FORKS", "process_pool"]

FORKS = sys.platform == "linux"
"""Whether workers are copies of this process. Elsewhere each one imports the main program anew, so that a program without
``if __name__ == "__main__"`` would be run again by every worker."""


@contextmanager
def process_pool(workers: int, start: Callable[[], None] | None = None) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of processes.

    Forked where that is sound, also where Python's own choice is another. OpenCV's threads are ended before: a process that
    is forked beside them waits for ever for threads it does not have.

    Parameters
    ----------
    workers : int
        Processes, at least 1.
    start : callable, optional
        Called in each one first.
    """
    import cv2

    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    context = multiprocessing.get_context("fork") if FORKS else None
    try:
        with ProcessPoolExecutor(workers, context, start) as pool:
            yield pool
    finally:
        cv2.setNumThreads(threads)
