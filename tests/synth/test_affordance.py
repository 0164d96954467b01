"""Parts to hold: the mask is held to rays that walk until they are inside a solid."""

from __future__ import annotations

import numpy as np
import pytest

from provise.synth.item import Item, Level
from provise.synth.tasks.affordance import LEAST
from tests.synth.marching import first_met, inside, ray_of
from tests.synth.rounds import best_mask, made


def on_the_part(item: Item, column: int, row: int) -> bool:
    """Whether the ray of a pixel first gets into a solid of the part, found by walking."""
    camera, things = item.facts["camera"], item.facts["things"]
    owner, far = first_met(camera, things, column + 0.5, row + 0.5)
    if owner < 0 or things[owner].name != item.facts["thing"]:
        return False
    point = np.asarray(camera.eye) + (far + 0.004) * ray_of(camera, column + 0.5, row + 0.5)
    return any(part.name == item.facts["part"] and bool(inside(part, point)) for part in things[owner].parts)


def check(item: Item, rng: np.random.Generator, n: int) -> None:
    rows, columns = np.nonzero(item.mask)
    assert len(rows) >= LEAST
    assert 0 < rows.min() <= rows.max() < 479
    assert 0 < columns.min() <= columns.max() < 639
    rights = [on_the_part(item, int(columns[i]), int(rows[i])) for i in rng.integers(len(rows), size=n)]
    assert np.mean(rights) >= 0.85, (item.question, np.mean(rights))
    # Round about it, off its edge by two pixels.
    near = [
        (c + dc, r + dr) for c, r in zip(columns, rows, strict=True) for dc, dr in ((9, 0), (-9, 0), (0, 9), (0, -9))
    ]
    beside = [
        (c, r)
        for c, r in near
        if not item.mask[max(0, r - 2) : r + 3, max(0, c - 2) : c + 3].any() and 0 <= c < 640 and 0 <= r < 480
    ]
    wrongs = [on_the_part(item, *(int(v) for v in beside[i])) for i in rng.integers(len(beside), size=n)]
    assert not any(wrongs), item.question


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_rays_of_the_mask_get_into_the_part_and_others_do_not(level: Level) -> None:
    rng = np.random.default_rng(0)
    for item in made("affordance", 2, level=level):
        check(item, rng, 10)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_rays_of_many_masks(level: Level) -> None:
    rng = np.random.default_rng(1)
    for item in made("affordance", 24, seed=6, level=level):
        check(item, rng, 20)


def test_one_thing_alone_fits_the_name() -> None:
    for item in made("affordance", 4, level="hard"):
        assert [thing.name for thing in item.facts["things"]].count(item.facts["thing"]) == 1
        assert f"the {item.facts['thing']}" in item.question


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_no_constant_mask_is_worth_much(level: Level) -> None:
    assert best_mask(made("affordance", 40, level=level)) <= 0.25
