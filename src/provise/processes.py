"""Worker processes that are safe to start from anywhere in a program."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

__all__ = ["FORKS", "process_pool"]

FORKS = sys.platform == "linux"
"""Whether workers are copies of this process. Elsewhere each one imports the main program anew, so that a program without
``if __name__ == "__main__"`` would be run again by every worker."""

ALONE = 0.5
"""Seconds between two looks for the parent."""


def _begin(parent: int, start: Callable[[], None] | None) -> None:
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if start is not None:
        start()


def _end_with(parent: int) -> None:
    """End this process soon after its parent: one that was killed tells nobody, and its workers would wait for ever."""
    while os.getppid() == parent:
        time.sleep(ALONE)
    os._exit(1)


@contextmanager
def process_pool(workers: int, start: Callable[[], None] | None = None) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of processes, which end with this one however it ends.

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
        with ProcessPoolExecutor(workers, context, _begin, (os.getpid(), start)) as pool:
            yield pool
    finally:
        cv2.setNumThreads(threads)
