"""Measure how much the runner adds to a slow system's own time, and to a sample, and print it.

    python bench/runner.py [--samples 470] [--concurrency 32] [--seconds 0.2]

A system that sleeps and hands a small answer over is run against a benchmark of small pictures. The ideal is the time in which
that many answers can come at that concurrency. Exit code 1: a bar is missed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.mini import make_mini

import provise
from provise.benchmark import open_benchmark
from provise.runs.journal import Answered, Journal
from provise.systems import Answer, Request, System

RUN_BAR = 1.25
JOURNAL_BAR_MS = 3.0


class Sleeper(System):
    """Hands right answers over, drawn beforehand, each after a while."""

    kind = "sleeper"

    def __init__(self, seconds: float, answers: dict[str, bytes]) -> None:
        super().__init__("", {"seconds": seconds})
        self.seconds, self.answers = seconds, answers

    def answer(self, request: Request) -> Answer:
        time.sleep(self.seconds)
        return Answer(image=self.answers[request.sample.id])


def whole(samples: int, concurrency: int, seconds: float) -> float:
    """Return the seconds of a run over the seconds of an ideal one."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = make_mini(Path(scratch) / "mini", -(-samples // 7))
        rows = (folder / "rows.jsonl").read_text().splitlines()[:samples]
        (folder / "rows.jsonl").write_text("\n".join(rows) + "\n")
        drawn = provise.run(folder, "draughtsman", Path(scratch) / "drawn", evidence=False)
        answers = {
            row.id: next((Path(scratch) / "drawn/responses").glob(f"{row.response}.*")).read_bytes()
            for row in drawn.rows
        }
        opened = open_benchmark(folder)
        start = time.perf_counter()
        provise.run(opened, Sleeper(seconds, answers), Path(scratch) / "run", concurrency=concurrency)
        taken = time.perf_counter() - start
    ideal = -(-samples // concurrency) * seconds
    print(f"{samples} answers of {seconds:g} s, {concurrency} at a time: {taken:.2f} s, ideal {ideal:.2f} s")
    return taken / ideal


def journal(n: int = 400) -> float:
    """Return the milliseconds that committing one sample's answer and row takes, the median."""
    row = {"id": "x" * 20, "message": "m" * 200, "details": {"evidence": "evidence/x.jpg", "numbers": list(range(20))}}
    with tempfile.TemporaryDirectory() as scratch:
        kept = Journal(Path(scratch) / "journal.sqlite")
        times = []
        for i in range(n):
            start = time.perf_counter()
            kept.add_answer(Answered(f"{i:064d}", f"sample-{i}", "r" * 64, "responses/" + "r" * 64 + ".png"))
            kept.add_reading(f"{i:064d}", f"sample-{i}", row, 0.05)
            times.append(time.perf_counter() - start)
        kept.close()
    return 1000 * statistics.median(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--samples", type=int, default=470)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=0.2)
    given = parser.parse_args()
    ratio, cost = whole(given.samples, given.concurrency, given.seconds), journal()
    print(f"run against ideal {ratio:.2f} (bar {RUN_BAR}); journal {cost:.2f} ms a sample (bar {JOURNAL_BAR_MS:g})")
    return int(ratio > RUN_BAR or cost > JOURNAL_BAR_MS)


if __name__ == "__main__":
    sys.exit(main())
