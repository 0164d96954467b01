"""What holds of all made questions: even answers, no two alike, the same bytes again, nothing given away."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from provise.synth.build import make_items
from provise.synth.item import LEVELS, Item, Level, generator
from provise.synth.likeness import NEAR, apart, signature
from provise.synth.tasks import MAKERS
from tests.synth.answering import made

MINE = ("counting", "depth", "orientation", "size", "relationship", "perspective", "grounding")
CONSTANT = tuple(task for task in MINE if task != "grounding")


def label(task: str, wanted: Any) -> Any:
    """Return the part of a wanted answer that is scored."""
    return (
        wanted[0]
        if task in ("counting", "depth", "size", "relationship")
        else wanted[1]
        if task == "perspective"
        else wanted
    )


@pytest.mark.parametrize("task", CONSTANT)
@pytest.mark.parametrize("level", LEVELS)
def test_the_best_constant_answer_is_no_better_than_chance(task: str, level: Level) -> None:
    for seed in range(5):
        wanted = [label(task, w) for w in MAKERS[task].answers(40, generator(seed, task, 0), level)]
        counts = Counter(wanted)
        assert max(counts.values()) / 40 <= 1 / len(counts) + 0.05


@pytest.mark.parametrize("task", MINE)
def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_picture(task: str) -> None:
    first, again, other = (next(iter(make_items(1, seed=seed, level="easy", tasks=[task])))[2] for seed in (8, 8, 9))
    assert first.question == again.question
    assert first.pictures[0].tobytes() == again.pictures[0].tobytes()
    assert apart(signature(first.pictures[0]), signature(other.pictures[0])) > NEAR


def _plain(item: Item) -> None:
    assert item.pictures[0].shape == (480, 640, 3)
    assert item.pictures[0].dtype == np.uint8
    assert item.question[0].isupper()
    assert item.question[-1] in ".?"
    assert "  " not in item.question


@pytest.mark.slow
@pytest.mark.parametrize("task", MINE)
def test_forty_questions_are_all_different_and_their_marks_do_not_drown(task: str) -> None:
    items = made(task, 40, 5)
    marks = [signature(item.pictures[0]) for item in items]
    assert min(apart(a, b) for a, b in combinations(marks, 2)) > NEAR
    for item in items:
        _plain(item)
        picture = item.pictures[0].astype(np.int16)
        chroma = picture.max(axis=2) - picture.min(axis=2)
        # Colours as pure as a mark's are those of the two red circles of a depth question, and no others.
        assert (chroma > 170).mean() < 0.004


@pytest.mark.slow
@pytest.mark.parametrize("task", CONSTANT)
def test_the_wording_does_not_tell_the_answer(task: str) -> None:
    """Of the forms of a question none goes with one answer much more often than chance would."""
    items = made(task, 40, 5)
    forms: dict[str, Counter[str]] = {}
    for item in items:
        forms.setdefault(" ".join(item.question.split()[:2]), Counter())[item.answer] += 1
    options = len({item.answer for item in items})
    # Binomial: with n questions of one form, over 4 deviations above chance would be a leak.
    for counts in forms.values():
        n, p = counts.total(), 1 / options
        assert max(counts.values()) <= n * p + 4 * np.sqrt(n * p * (1 - p)) + 1


@pytest.mark.slow
def test_two_processes_make_what_one_makes() -> None:
    tasks = ["orientation", "grounding"]
    one, two = (
        [(task, place, item.question, item.pictures[0].tobytes()) for task, place, item in items]
        for items in (make_items(2, seed=3, tasks=tasks, workers=n) for n in (1, 2))
    )
    assert one == two
