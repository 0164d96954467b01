"""A small benchmark with drawn answers to it, some of them wrong, one refused, and what `provise score` makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import provise
from provise.benchmark import Benchmark, open_benchmark
from tests.mini import make_mini


@dataclass(frozen=True)
class Scored:
    """A benchmark, its answers by sample, and the summary that the command line would write."""

    benchmark: Benchmark
    answers: dict[str, Path]
    summary: dict[str, Any]
    lines: list[dict[str, Any]]

    def rows(self, *tasks: str) -> list[dict[str, Any]]:
        return [sample.to_row() for sample in self.benchmark.samples if not tasks or sample.task in tasks]

    def pictures(self, *tasks: str) -> list[Path]:
        return [self.answers[row["id"]] for row in self.rows(*tasks)]


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    root = tmp_path_factory.mktemp("mini")
    opened = open_benchmark(make_mini(root / "benchmark", 4))
    drawn = provise.run(opened, "draughtsman?accuracy=.6&seed=3", root / "drawn", evidence=False, jobs=1)
    answers = {row.id: next((root / "drawn/responses").glob(f"{row.response}.*")) for row in drawn.rows}
    # One answer is the question's own picture: the reader refuses it.
    handed_back = opened.samples[0]
    answers[handed_back.id] = opened.media(handed_back)
    lines = [{"id": name, "image": str(path)} for name, path in answers.items()]
    import json

    (root / "responses.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    responses = provise.open_responses(root / "responses.jsonl", [sample.id for sample in opened.samples])
    run = provise.score(opened.samples, responses, provise.open_route(opened.route), jobs=1)
    return Scored(opened, answers, run.summary, [row.to_dict() for row in run.rows])
