"""Other processes that work for this one: one core each, quiet on Ctrl-C, gone when this one is gone."""

from __future__ import annotations

import multiprocessing
import os
import signal
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

LOOKS = 0.5
"""Seconds between two looks of a worker at whether its parent still lives."""


def _begin(parent: int, start: Callable[[], object] | None) -> None:
    """Get a worker ready: one core, and Ctrl-C is the parent's to handle."""
    import cv2

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    cv2.setNumThreads(1)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    if start:
        start()


def _follow(parent: int) -> None:
    """End with the parent: one that was killed tells nobody, and its workers would wait for work for ever."""
    while os.getppid() == parent:
        time.sleep(LOOKS)
    os._exit(1)


@contextmanager
def process_pool(processes: int, start: Callable[[], object] | None = None) -> Iterator[ProcessPoolExecutor]:
    """Give processes that work; what they have not begun is dropped where the block is left by an exception.

    Parameters
    ----------
    processes : int
        How many, at least 1.
    start : callable, optional
        Is called in each of them before its first work.
    """
    import cv2

    # Forked where that is sound, also where Python's own choice is another. OpenCV's threads are ended before: a process
    # that is forked beside them waits for ever for threads it does not have.
    context = multiprocessing.get_context("fork") if FORKS else None
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        with ProcessPoolExecutor(processes, context, _begin, (os.getpid(), start)) as pool:
            try:
                yield pool
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        cv2.setNumThreads(threads)
