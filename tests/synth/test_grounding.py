"""Grounding: the words are understood again, from places and sizes alone, and fit one thing."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from provise.synth.item import LEVELS, Item, Level, generator
from provise.synth.refer import WAYS
from provise.synth.stage import Stage
from provise.synth.tasks.grounding import MAKER
from provise.truth import load_truth
from tests.synth.answering import MANY, made, samples, scores
from tests.synth.marching import first_met


def meant(item: Item) -> list[int]:
    """Return the things that the question's words fit."""
    words = re.fullmatch(r"(?:Point to|Mark|Where is) the (.+)[.?]", item.question)
    assert words
    stage: Stage = item.facts["stage"]
    actors = stage.actors
    forms = (
        (r"(.+) farthest to the (left|right)", _side),
        (r"(.+) (closest to|farthest from) the camera", _depth),
        (r"(largest|smallest) (.+)", _size),
        (r"(.+) standing closest to the (.+)", _nearness),
        (r"(.+) to the (left|right) of the (.+)", _neighbour),
    )
    for pattern, rule in forms:
        found = re.fullmatch(pattern, words[1])
        if found:
            return rule(stage, *found.groups())
    return [i for i, actor in enumerate(actors) if actor.name == words[1]]


def _of(stage: Stage, noun: str) -> list[int]:
    return [i for i, actor in enumerate(stage.actors) if actor.noun == noun]


def _column(stage: Stage, i: int) -> float:
    corners = np.concatenate([part.corners for part in stage.actors[i].thing.parts])
    return float(stage.room.camera.project(corners)[:, 0].mean())


def _side(stage: Stage, noun: str, side: str) -> list[int]:
    return [(min if side == "left" else max)(_of(stage, noun), key=lambda i: _column(stage, i))]


def _depth(stage: Stage, noun: str, way: str) -> list[int]:
    def away(i: int) -> float:
        return float(np.linalg.norm(np.subtract((*stage.actors[i].at, 0.3), stage.room.camera.eye)))

    return [(min if way == "closest to" else max)(_of(stage, noun), key=away)]


def _size(stage: Stage, way: str, noun: str) -> list[int]:
    return [(max if way == "largest" else min)(_of(stage, noun), key=lambda i: stage.actors[i].tall)]


def _named(stage: Stage, name: str) -> int:
    places = [i for i, actor in enumerate(stage.actors) if actor.name == name]
    assert len(places) == 1, "the thing that another is told by is one alone"
    return places[0]


def _nearness(stage: Stage, noun: str, name: str) -> list[int]:
    at = stage.actors[_named(stage, name)].at
    return [min(_of(stage, noun), key=lambda i: float(np.hypot(*np.subtract(stage.actors[i].at, at))))]


def _neighbour(stage: Stage, noun: str, side: str, name: str) -> list[int]:
    x = _column(stage, _named(stage, name))
    return [i for i in _of(stage, noun) if (_column(stage, i) < x) == (side == "left")]


@pytest.mark.parametrize("level", LEVELS)
def test_the_words_fit_the_meant_thing_alone(level: Level) -> None:
    for item in made("grounding", 6, 2, level):
        assert meant(item) == [item.facts["target"]], item.question
        assert len(_of(item.facts["stage"], item.facts["stage"].actors[item.facts["target"]].noun)) > 1


def test_the_mask_is_where_rays_meet_the_thing() -> None:
    rng = np.random.default_rng(0)
    for item in made("grounding", 6, 2)[:3]:
        stage = item.facts["stage"]
        things = [*stage.room.shell, *(actor.thing for actor in stage.actors)]
        own = len(stage.room.shell) + item.facts["target"]
        mask = item.mask.astype(np.uint8)
        core, near = cv2.erode(mask, np.ones((5, 5))), cv2.dilate(mask, np.ones((5, 5)))
        ring = cv2.dilate(near, np.ones((31, 31))) - near
        for area, inside in ((core, True), (ring, False)):
            places = np.argwhere(area)
            for row, column in places[rng.integers(len(places), size=6)]:
                owner = first_met(stage.room.camera, things, column + 0.5, row + 0.5)[0]
                assert (owner == own) == inside


def test_the_written_outline_is_the_mask_s(tmp_path: Path) -> None:
    items = made("grounding", 6, 2)
    for item, sample in zip(items, samples(items, "grounding", tmp_path / "rows"), strict=True):
        truth = load_truth(sample, "point_in_mask").value
        assert (truth == item.mask).all()
        outline = (np.array(json.loads(item.answer)) * (640, 480)).astype(np.int32)
        filled = cv2.fillPoly(np.zeros((480, 640), np.uint8), [outline], 1).astype(bool)
        assert (filled & item.mask).sum() >= 0.9 * filled.sum() or filled.sum() > item.mask.sum()


def test_ways_are_even_and_no_place_is_right_often() -> None:
    counts = Counter(MAKER.answers(42, generator(0, "grounding", 0), "medium"))
    assert set(counts) == set(WAYS)
    assert set(counts.values()) == {7}
    masks = np.stack([item.mask for item in made("grounding", 6, 2)])
    assert masks.mean(axis=(1, 2)).max() < 0.1


def test_right_answers_score_and_wrong_ones_do_not(tmp_path: Path) -> None:
    items = made("grounding", 6, 2)
    assert scores("grounding", items, tmp_path / "right", right=True) == [(1.0, "")] * 6
    assert scores("grounding", items, tmp_path / "wrong", right=False) == [(0.0, "")] * 6


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_many_answers_in_many_styles(tmp_path: Path, level: Level) -> None:
    items = made("grounding", MANY, 5, level)
    for item in items:
        assert meant(item) == [item.facts["target"]], item.question
    assert scores("grounding", items, tmp_path / "right", right=True, styled=True) == [(1.0, "")] * MANY
    assert scores("grounding", items, tmp_path / "wrong", right=False, styled=True) == [(0.0, "")] * MANY


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_no_place_is_right_often(level: Level) -> None:
    masks = np.stack([item.mask for item in made("grounding", 40, 5, level)])
    assert masks.mean(axis=0).max() <= 0.25
