"""Depth: the nearer of two places, by a walk along their rays."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from provise.benchmark.circles import find_marked_points
from provise.errors import Refusal
from provise.synth.item import LEVELS, Item, Level, generator
from provise.synth.tasks.depth import LEAST_RATIO, MAKER
from tests.synth.answering import MANY, made, scores
from tests.synth.marching import first_met


def distances(item: Item) -> tuple[float, float]:
    stage = item.facts["stage"]
    things = [*stage.room.shell, *(actor.thing for actor in stage.actors)]
    a, b = (
        first_met(stage.room.camera, things, 640 * x, 480 * y)[1] for x, y in item.metadata["coordinates"]
    )  # fmt: skip
    return a, b


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_the_place_whose_ray_is_the_shorter(level: Level) -> None:
    for item in made("depth", 5, 1, level):
        a, b = distances(item)
        assert item.answer == ("A" if a < b else "B")
        assert max(a, b) / min(a, b) >= LEAST_RATIO - 0.005


def test_any_place_within_a_circle_gives_the_same_answer() -> None:
    for item in made("depth", 5, 1, "hard"):
        depth = item.facts["stage"].fine().seen.depth
        rings = []
        for x, y in item.metadata["coordinates"]:
            column, row = int(640 * x), int(480 * y)
            rings.append(depth[row - 5 : row + 6, column - 5 : column + 6])
        nearer, other = rings if item.answer == "A" else rings[::-1]
        assert nearer.max() < other.min()


def test_the_circles_are_found_where_the_row_says() -> None:
    found = 0
    items = [*made("depth", 5, 1), *made("depth", 5, 1, "easy")]
    for item in items:
        try:
            points = find_marked_points(item.pictures[0])
        except Refusal:
            continue
        found += 1
        assert np.abs(np.array(points) - item.metadata["coordinates"]).max() < 0.01
    assert found >= 8


@pytest.mark.parametrize("level", LEVELS)
def test_neither_the_lower_place_nor_the_one_on_a_thing_is_always_the_nearer(level: Level) -> None:
    wanted = MAKER.answers(42, generator(0, "depth", 0), level)
    assert set(Counter(letter for letter, _ in wanted).values()) == {21}
    assert Counter(on for _, (_, on) in wanted) == {"near": 12, "far": 12, "both": 18}
    assert sum(lower for _, (lower, _) in wanted) == 24
    for item, (letter, (lower, on)) in zip(
        made("depth", 7, 1, level), MAKER.answers(7, generator(1, "depth", 0), level), strict=True
    ):
        near, far = item.metadata["coordinates"][:: 1 if letter == "A" else -1]
        assert item.answer == letter
        assert (near[1] > far[1]) == lower
        seen, shell = item.facts["stage"].seen, len(item.facts["stage"].room.shell)
        h, w = seen.thing.shape
        held = [bool(seen.thing[int(y * h), int(x * w)] >= shell) for x, y in (near, far)]
        assert held == [on != "far", on != "near"]


def test_right_answers_score_and_wrong_ones_do_not(tmp_path: Path) -> None:
    items = made("depth", 5, 1)
    assert scores("depth", items, tmp_path / "right", right=True) == [(1.0, "")] * 5
    assert scores("depth", items, tmp_path / "wrong", right=False) == [(0.0, "")] * 5


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_many_answers_in_many_styles(tmp_path: Path, level: Level) -> None:
    items = made("depth", MANY, 5, level)
    for item in items:
        a, b = distances(item)
        assert item.answer == ("A" if a < b else "B")
    assert scores("depth", items, tmp_path / "right", right=True, styled=True) == [(1.0, "")] * MANY
    assert scores("depth", items, tmp_path / "wrong", right=False, styled=True) == [(0.0, "")] * MANY
