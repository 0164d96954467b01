"""How much the runner adds to a slow system's own time, and to a sample.

A system that sleeps and hands a finished answer over is run against a benchmark of small pictures. The ideal is the longer of
two times: that in which so many answers can come at that concurrency, and that which the readers need for them, read here one
after another before, over the cores. Answers in words need next to no reading, so their line is the runner's own.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.mini import make_mini

import provise
from provise.benchmark import Benchmark, open_benchmark
from provise.protocol.route import open_route
from provise.runs.journal import Answered, Journal
from provise.runs.pool import Job, read_job
from provise.scoring import Response
from provise.systems import Answer, Request, System

__all__ = ["CONCURRENCY", "JOURNAL_BAR_MS", "RUN_BAR", "SAMPLES", "SECONDS", "Ran", "journal", "running"]

RUN_BAR = 1.25
"""Most that a run takes, against the ideal."""

JOURNAL_BAR_MS = 3.0
"""Most milliseconds that the journal adds to a sample."""

SAMPLES, CONCURRENCY, SECONDS = 470, 32, 0.2
"""The size of SpatialGen-Bench, requests in flight, seconds an answer takes."""


class Sleeper(System):
    """Hands finished answers over, each after a while."""

    kind = "sleeper"

    def __init__(self, answers: dict[str, Answer], interface: str) -> None:
        super().__init__("", {"interface": interface})
        self.answers, self.interface = answers, interface

    def answer(self, request: Request) -> Answer:
        time.sleep(SECONDS)
        return self.answers[request.sample.id]


@dataclass(frozen=True)
class Ran:
    """Seconds of one run, and of its ideal: that of the answers, and that of the readers."""

    label: str
    seconds: float
    answering: float
    reading: float

    @property
    def ratio(self) -> float:
        """The run's seconds over the ideal's."""
        return self.seconds / max(self.answering, self.reading)


def running(repeats: int = 2) -> list[Ran]:
    """Run words and drawn pictures, and return the best of a few repeats of each."""
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        opened = _benchmark(scratch / "mini")
        drawn = provise.run(opened, "draughtsman", scratch / "drawn", evidence=False)
        files = {row.id: next((scratch / "drawn/responses").glob(f"{row.response}.*")) for row in drawn.rows}
        words = {sample.id: Answer(text=sample.answer or "I cannot tell.") for sample in opened.samples}
        pictures = {name: Answer(image=file.read_bytes()) for name, file in files.items()}
        handed = {
            "words": (words, "text", {name: Response(text=answer.text) for name, answer in words.items()}),
            "pictures of 160x120": (pictures, "image", {name: Response(image=file) for name, file in files.items()}),
        }
        found = []
        for label, (answers, interface, responses) in handed.items():
            read = _reading(opened, responses, scratch / f"evidence-{interface}") / (os.cpu_count() or 1)
            times = []
            for turn in range(repeats):
                began = time.perf_counter()
                out = scratch / f"{interface}-{turn}"
                done = provise.run(opened, Sleeper(answers, interface), out, concurrency=CONCURRENCY)
                times.append(time.perf_counter() - began)
                if len(done.rows) != SAMPLES or done.incomplete:
                    raise SystemExit(f"{label}: {len(done.incomplete)} of {len(done.rows)} rows have no outcome")
            found.append(Ran(label, min(times), -(-SAMPLES // CONCURRENCY) * SECONDS, read))
    return found


def _benchmark(folder: Path) -> Benchmark:
    make_mini(folder, -(-SAMPLES // 7))
    rows = (folder / "rows.jsonl").read_text().splitlines()[:SAMPLES]
    (folder / "rows.jsonl").write_text("\n".join(rows) + "\n")
    return open_benchmark(folder)


def _reading(opened: Benchmark, responses: dict[str, Response], evidence: Path) -> float:
    """Return the seconds that reading, scoring and drawing the evidence take, one answer after another."""
    evidence.mkdir()
    route = open_route(opened.route)
    jobs = [Job(sample, responses[sample.id], route.protocol(sample.task), evidence) for sample in opened.samples]
    read_job(jobs[0])
    return sum(read_job(job)[1] for job in jobs)


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
