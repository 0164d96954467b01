"""What holds of the questions of several tasks: they read back right, are even, pass the check, and are the same again."""

from __future__ import annotations

from pathlib import Path

import pytest

from provise.benchmark.check import check_benchmark
from provise.synth.build import write_items
from provise.synth.item import Level, generator
from provise.synth.likeness import NEAR, apart, signature
from provise.synth.tasks import MAKERS
from tests.synth.answering import MANY
from tests.synth.rounds import best_constant, made, scored

TASKS = ("mental_modeling", "multihop", "prediction", "feasibility", "affordance", "navigation", "trajectory")
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")


def check_reading(task: str, n: int, folder: Path, *, seed: int, level: Level) -> None:
    """Right answers score 1 and wrong ones 0; beside the middle one of three holes there are neighbours alone."""
    items = made(task, n, seed=seed, level=level)
    styled = task != "affordance"  # a soft edge paints a pixel beside the part: nearly right
    for row in scored(task, items, folder / "right", right=True, styled=styled):
        assert (row.score, row.outcome) == (1.0, "correct"), (row.id, row.reason, row.prediction, row.truth)
    for row, item in zip(scored(task, items, folder / "wrong", right=False, styled=styled), items, strict=True):
        middle = task == "prediction" and item.metadata["holes"] == 3 and item.answer == "2"
        assert row.score == 0 or middle, (row.id, row.prediction, row.truth)


@pytest.mark.parametrize("task", TASKS)
def test_right_answers_read_right_and_wrong_ones_wrong(task: str, tmp_path: Path) -> None:
    check_reading(task, 4, tmp_path, seed=0, level="medium")


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("task", TASKS)
def test_many_answers_read_as_drawn(task: str, level: Level, tmp_path: Path) -> None:
    check_reading(task, MANY, tmp_path, seed=1, level=level)


@pytest.mark.parametrize("task", TASKS)
def test_rows_pass_the_check(task: str, tmp_path: Path) -> None:
    write_items(((task, i, item) for i, item in enumerate(made(task, 4))), tmp_path / "b")
    report = check_benchmark(tmp_path / "b")
    assert report.ok
    assert not [finding for finding in report.findings if finding.id and finding.code != "empty_answer"], (
        report.findings
    )


@pytest.mark.parametrize("task", ["mental_modeling", "multihop", "navigation", "feasibility"])
@pytest.mark.parametrize("level", LEVELS)
def test_answers_are_even(task: str, level: Level) -> None:
    wanted = [
        want[0] if isinstance(want, tuple) else want for want in MAKERS[task].answers(40, generator(3, task, 0), level)
    ]
    assert best_constant(wanted) <= 1 / (2 if task == "feasibility" else 4) + 0.05


@pytest.mark.parametrize("task", TASKS)
def test_the_same_seed_gives_the_same_question(task: str) -> None:
    one, two = (made(task, 2, seed=5)[1] for _ in range(2))
    assert (one.question, one.answer, one.choices) == (two.question, two.answer, two.choices)
    assert [p.tobytes() for p in one.pictures] == [p.tobytes() for p in two.pictures]


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_no_two_are_nearly_the_same(task: str) -> None:
    marks = [signature(item.pictures[0]) for item in made(task, 40, seed=3)]
    assert min(apart(a, b) for i, a in enumerate(marks) for b in marks[:i]) > NEAR
