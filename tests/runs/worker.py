"""A run in a process of its own, that a test may kill: ``python worker.py BENCHMARK OUT LOG [SECONDS]``."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import provise
from provise.systems import Answer, Request
from provise.systems.draughtsman import Draughtsman


class Slow(Draughtsman):
    """Draws as the draughtsman does, takes its time, and writes each call down before it begins."""

    kind = "slow"
    log = ""
    seconds = 0.02

    def answer(self, request: Request) -> Answer:
        with open(self.log, "ab", buffering=0) as file:
            file.write(f"{os.getpid()} {request.sample.id}\n".encode())
        time.sleep(self.seconds)
        return super().answer(request)


def main() -> None:
    benchmark, out, Slow.log, *more = sys.argv[1:]
    Slow.seconds = float(more[0]) if more else 0.02
    provise.run(Path(benchmark), Slow("", {"accuracy": 0.6, "seed": 1}), out, concurrency=3, jobs=2)


if __name__ == "__main__":
    main()
