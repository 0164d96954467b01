"""Whether a thing fits: measured in the picture, by rays, along one row and one column of pixels."""

from __future__ import annotations

import numpy as np
import pytest

from provise.synth.item import Item, Level, generator
from provise.synth.render import look
from provise.synth.tasks import MAKERS
from provise.synth.tasks.feasibility import _FLAT
from tests.synth.rounds import made


def measured(item: Item) -> tuple[float, float, float, float]:
    """Width and height of the thing, and of the room for it, in pixels as the camera sees them."""
    facts = item.facts
    camera, things = facts["camera"], facts["things"]
    seen = look(camera, things)
    alone = look(camera, [t for t in things if t.name == facts["thing"]])
    # Of a piece with a flat front that front alone: its side, seen aslant, is no width.
    flat = facts["thing"].split(" ", 1)[1] in _FLAT
    plane = camera.project([(0, facts["depth"], 0.5)])[0, 2]
    rows, columns = np.nonzero(alone.mask(0) & (alone.depth < plane + 0.12) if flat else alone.mask(0))
    x0, z0, x1, z1 = facts["hole"]
    high = min(z1, z0 + 0.9)
    (cx, cy, depth), (_, floor, _) = camera.project(
        [((x0 + x1) / 2, facts["depth"], (z0 + high) / 2), ((x0 + x1) / 2, facts["depth"], z0)]
    )
    # Open is what lies clearly behind the plane of the opening.
    open_ = seen.depth > depth + 0.05
    row, column = open_[int(cy)], open_[:, int(cx)]
    assert row[int(cx)]
    left = int(cx) - int(np.argmin(row[int(cx) :: -1]))
    right = int(cx) + int(np.argmin(row[int(cx) :]))
    top = int(cy) - int(np.argmin(column[int(cy) :: -1])) if z1 < 5 else -10_000
    return float(np.ptp(columns) + 1), float(np.ptp(rows) + 1), float(right - left - 1), float(floor - top)


def check(item: Item) -> None:
    wide, high, free, up = measured(item)
    # Seen from a little above, a thing looks higher than it is by the depth of its top.
    slack = 0.03 if item.answer == "true" else -0.03
    fits_across, fits_above = wide * (1 + slack) <= free, high * (0.97 + slack) <= up
    assert (fits_across and fits_above) == (item.answer == "true"), (item.question, wide, free, high, up)


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_what_the_picture_measures_is_the_answer(level: Level) -> None:
    for item in made("feasibility", 6, level=level):
        check(item)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_what_many_pictures_measure_are_their_answers(level: Level) -> None:
    for item in made("feasibility", 60, seed=8, level=level):
        check(item)


def test_half_fit_in_each_kind_of_scene() -> None:
    wanted = MAKERS["feasibility"].answers(48, generator(0, "feasibility", 0), "medium")
    for kind in range(3):
        assert sum(fits for fits, of in wanted if of == kind) == sum(of == kind for _, of in wanted) / 2


def test_the_wording_does_not_tell_the_answer() -> None:
    items = made("feasibility", 12, seed=1)
    by_answer = {
        answer: {i.question.split(maxsplit=4)[-1] for i in items if i.answer == answer} for answer in ("true", "false")
    }
    tails = {answer: {q.split(",", 1)[-1] for q in questions} for answer, questions in by_answer.items()}
    assert tails["true"] == tails["false"]
