"""Orientation: which way things face, from where their noses, lamps and backs are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from provise.synth.item import LEVELS, Item, Level, generator
from provise.synth.tasks.orientation import MAKER
from tests.synth.answering import MANY, made, scores
from tests.synth.fronts import LABELS, facing, label


def check(item: Item) -> None:
    stage = item.facts["stage"]
    target = stage.actors[0]
    assert target.noun in item.question
    named = [actor for actor in stage.actors if actor.name in item.question or f"the {actor.noun}" in item.question]
    assert named == [target], "the words fit one thing alone"
    # The viewer, who looks at the thing, has what comes towards him in front.
    sight = np.subtract(stage.room.camera.eye[:2], target.at)
    for towards in (sight / np.linalg.norm(sight), np.array([0.0, -1.0])):
        right = np.array([-towards[1], towards[0]])
        assert right[0] > 0, "to the viewer's right"
        way = facing(target)
        angle = np.degrees(np.arctan2(way @ right, way @ towards)) % 360
        assert LABELS[round(angle / 45) % 8] == item.answer
        assert abs(angle - 45 * round(angle / 45)) <= 15


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_follows_from_the_front(level: Level) -> None:
    for item in made("orientation", 8, 2, level):
        check(item)


def test_the_front_of_the_picture_is_where_the_thing_looks() -> None:
    """A thing that faces to the right has its front further right in the picture than its middle."""
    for item in made("orientation", 8, 2):
        if item.answer in ("left", "right"):
            stage = item.facts["stage"]
            target = stage.actors[0]
            way = facing(target)
            ends = stage.room.camera.project([(*target.at, 0.3), (target.at[0] + way[0], target.at[1] + way[1], 0.3)])
            assert (ends[1, 0] > ends[0, 0]) == (item.answer == "right")


@pytest.mark.parametrize("level", LEVELS)
def test_directions_are_even(level: Level) -> None:
    assert set(Counter(MAKER.answers(40, generator(0, "orientation", 0), level)).values()) == {5}


def test_a_direction_is_told_apart_from_its_neighbour() -> None:
    assert label(np.array([0.0, 1.0]), np.array([1.0, 1.0])) == ("front-right", 0.0)


def test_right_answers_score_and_wrong_ones_do_not(tmp_path: Path) -> None:
    items = made("orientation", 8, 2)
    assert scores("orientation", items, tmp_path / "right", right=True) == [(1.0, "")] * 8
    assert scores("orientation", items, tmp_path / "wrong", right=False) == [(0.0, "")] * 8


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_many_answers_in_many_styles(tmp_path: Path, level: Level) -> None:
    items = made("orientation", MANY, 5, level)
    for item in items:
        check(item)
    assert scores("orientation", items, tmp_path / "right", right=True, styled=True) == [(1.0, "")] * MANY
    assert scores("orientation", items, tmp_path / "wrong", right=False, styled=True) == [(0.0, "")] * MANY
