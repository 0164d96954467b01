"""Walking and turning: the text is read and walked in complex numbers; the views are held to each other by rays."""

from __future__ import annotations

import cmath
import math
import re

import numpy as np
import pytest

from provise.encoders.descriptor import describe
from provise.image import encode_png
from provise.scoring import Response, score_response
from provise.synth.camera import Camera
from provise.synth.item import Item, Level
from provise.synth.render import look
from provise.synth.tasks.navigation import APART
from tests.synth.answering import MANY
from tests.synth.rounds import ROUTE, made

CIRCLE = {"an eighth of a circle": 45, "a quarter of a circle": 90, "three eighths of a circle": 135}


def walked(item: Item) -> tuple[complex, complex]:
    """Do what the question says: where one gets, and the unit vector one looks along; x is real, y imaginary."""
    facts = item.facts
    place = complex(facts["pose"].x, facts["pose"].y)
    look_along = cmath.exp(1j * math.radians(90 - facts["pose"].heading))
    landmark = complex(*facts["landmark"])
    told = re.search(r"\. You (.+?)\. Which of the four", item.question)[1]
    for step in re.split(r", then (?=turn|walk|step)", told):
        if found := re.fullmatch(r"turn (\d+) degrees to the (left|right)", step):
            look_along *= cmath.exp((1j if found[2] == "left" else -1j) * math.radians(int(found[1])))
        elif step == "turn right round, by 180 degrees":
            look_along = -look_along
        elif found := re.fullmatch(r"walk ([\d.]+) metres straight ahead", step):
            place += float(found[1]) * look_along
        elif found := re.fullmatch(r"step ([\d.]+) metres sideways to the (left|right) without turning", step):
            place += float(found[1]) * look_along * (1j if found[2] == "left" else -1j)
        else:
            half = re.fullmatch(r"walk half way round the \w+, to its other side, and look at it from there", step)
            found = re.fullmatch(
                r"walk (.+) round the \w+, setting off to your (left|right), and look at it again", step
            )
            assert half or found, step
            away = place - landmark
            turn = 180 if half else CIRCLE[found[1]]
            # Setting off to the right with the landmark ahead, it stays on one's left: anticlockwise.
            sign = -1 if found and found[2] == "left" else 1
            place = landmark + away * cmath.exp(1j * math.radians(sign * turn))
            look_along = (landmark - place) / abs(landmark - place)
    return place, look_along


def check(item: Item) -> None:
    place, ahead = walked(item)
    fits = []
    for camera in item.facts["cameras"][1:]:
        along = complex(*np.subtract(camera.target, camera.eye)[:2])
        fits.append(abs(complex(*camera.eye[:2]) - place) < 1e-6 and abs(along / abs(along) - ahead) < 1e-6)
    assert fits.count(True) == 1
    assert "ABCD"[fits.index(True)] == item.answer, item.question


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_the_text_leads_to_one_of_the_cameras(level: Level) -> None:
    for item in made("navigation", 3, level=level):
        check(item)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_many_texts_lead_to_their_cameras(level: Level) -> None:
    for item in made("navigation", MANY, seed=2, level=level):
        check(item)


def things_in(camera: Camera, item: Item) -> set[str]:
    things = item.facts["things"]
    small = Camera(camera.eye, camera.target, (120, 90), camera.view)
    names, counts = np.unique(look(small, things).thing, return_counts=True)
    return {
        things[i].name
        for i, n in zip(names, counts, strict=True)
        if i >= 0 and n > 60 and not things[i].name.startswith("_")
    }


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_the_view_can_be_told_from_what_is_seen_now(level: Level) -> None:
    """It shows again something that is in sight; or it is the one that shows nothing of it."""
    for item in made("navigation", 3, level=level):
        now, *views = (things_in(camera, item) for camera in item.facts["cameras"])
        shared = [bool(now & view) for view in views]
        at = "ABCD".index(item.answer)
        assert shared[at] or shared.count(False) == 1


def test_candidates_differ_for_the_descriptor_and_from_the_current_view() -> None:
    for item in made("navigation", 4):
        rows = np.stack([describe(picture) for picture in item.pictures])
        alike = rows @ rows.T
        assert alike[~np.eye(5, dtype=bool)].max() <= APART


def test_the_current_view_handed_back_is_not_right(tmp_path) -> None:
    from provise.benchmark.open import open_benchmark
    from provise.synth.build import write_items

    items = made("navigation", 4)
    write_items((("navigation", i, item) for i, item in enumerate(items)), tmp_path / "b")
    for sample, item in zip(open_benchmark(tmp_path / "b").samples, items, strict=True):
        row, _ = score_response(sample, Response(image=encode_png(item.pictures[0])), ROUTE.protocol("navigation"))
        assert (row.score, row.reason) == (0.0, "source_returned")
