"""Perspective: where things are for a figure, from its nose and their places."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from provise.synth.item import LEVELS, Item, Level, generator
from provise.synth.tasks.perspective import MAKER
from tests.synth.answering import MANY, made, scores
from tests.synth.fronts import LABELS, facing, label


def check(item: Item) -> None:
    actors = item.facts["stage"].actors
    asked = [actor for actor in actors[1:] if f"the {actor.name}" in item.question]
    assert len(asked) == 1, "the words fit one thing alone"
    assert [actor.noun for actor in actors].count(actors[0].noun) == 1
    found, off = label(facing(actors[0]), np.subtract(asked[0].at, actors[0].at))
    assert item.choices["ABCD".index(item.answer)] == found
    assert off <= 12
    assert len(set(item.choices)) == 4
    assert set(item.choices) <= set(LABELS)


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_follows_from_the_figure_s_front(level: Level) -> None:
    for item in made("perspective", 6, 4, level):
        check(item)


@pytest.mark.parametrize("level", LEVELS)
def test_letters_and_directions_are_even(level: Level) -> None:
    wanted = MAKER.answers(40, generator(0, "perspective", 0), level)
    directions, letters = zip(*wanted, strict=True)
    assert set(Counter(directions).values()) == {5}
    assert set(Counter(letters).values()) == {10}


def test_right_answers_score_and_wrong_ones_do_not(tmp_path: Path) -> None:
    items = made("perspective", 6, 4)
    assert scores("perspective", items, tmp_path / "right", right=True) == [(1.0, "")] * 6
    assert scores("perspective", items, tmp_path / "wrong", right=False) == [(0.0, "")] * 6


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_many_answers_in_many_styles(tmp_path: Path, level: Level) -> None:
    items = made("perspective", MANY, 5, level)
    for item in items:
        check(item)
    assert scores("perspective", items, tmp_path / "right", right=True, styled=True) == [(1.0, "")] * MANY
    assert scores("perspective", items, tmp_path / "wrong", right=False, styled=True) == [(0.0, "")] * MANY
