"""A drawn placement: it fits unless a collision lies across its edge."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.errors import Refusal
from provise.ops.placement import PlacementParams, placement
from provise.ops.registry import View

Bytes = npt.NDArray[np.uint8]


def box(x0: int, y0: int, x1: int, y1: int, mask: Bytes | None = None) -> Bytes:
    mask = np.zeros((480, 640), np.uint8) if mask is None else mask
    mask[y0:y1, x0:x1] = 255
    return mask


def reading(thing: Bytes, red: Bytes | None = None, faint: Bytes | None = None) -> bool:
    collisions = np.zeros_like(thing) if red is None else red
    seen = collisions if faint is None else faint
    return placement(
        View(frame=(640, 480)),
        PlacementParams(),
        thing=cv2.subtract(thing, cv2.bitwise_or(collisions, seen)),
        collisions=collisions,
        faint=seen,
    )


def refused(thing: Bytes, red: Bytes | None = None) -> str:
    with pytest.raises(Refusal) as caught:
        reading(thing, red)
    return caught.value.code


def test_red_that_hardly_differs_from_the_scene_leaves_the_answer_open() -> None:
    with pytest.raises(Refusal) as caught:
        reading(THING, faint=box(390, 200, 412, 222))
    assert caught.value.code == "ambiguous_collision"
    assert reading(THING, faint=box(500, 20, 520, 40)), "far from the thing it is the scene's own"
    assert not reading(THING, box(390, 200, 412, 222), faint=box(190, 200, 212, 222)), "one clear collision is enough"


THING = box(200, 150, 400, 300)


def test_a_thing_without_collision_fits() -> None:
    assert reading(THING) is True


@pytest.mark.parametrize(
    "red", [(385, 200, 415, 240), (190, 140, 215, 165), (280, 290, 330, 312), (398, 190, 430, 250)]
)
def test_a_collision_across_the_edge_does_not_fit(red: tuple[int, int, int, int]) -> None:
    assert reading(THING, box(*red)) is False


def test_a_thin_line_across_the_edge_is_a_collision_and_a_rim_along_it_is_not() -> None:
    assert reading(THING, box(385, 220, 415, 223)) is False
    assert reading(THING, box(400, 150, 403, 300)) is True


@pytest.mark.parametrize("red", [(500, 200, 540, 240), (270, 200, 310, 240)])
def test_red_beside_or_inside_the_thing_is_no_collision_of_its_edge(red: tuple[int, int, int, int]) -> None:
    assert reading(THING, box(*red)) is True


def test_a_collision_that_cuts_the_thing_apart_leaves_one_thing() -> None:
    assert reading(THING, box(290, 130, 310, 320)) is False


def test_specks_of_red_are_not_collisions() -> None:
    assert reading(THING, box(399, 200, 402, 203)) is True


def test_what_is_no_thing_is_refused() -> None:
    assert refused(np.zeros((480, 640), np.uint8)) == "no_mark"
    assert refused(box(100, 100, 108, 108)) == "too_small"
    assert refused(box(0, 0, 640, 450)) == "diffuse_mark"
    assert refused(box(450, 150, 600, 300, THING.copy())) == "multiple_marks"


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 439), st.integers(0, 329), st.integers(60, 200), st.integers(60, 150))
def test_any_red_disc_on_a_corner_is_a_collision(x: int, y: int, w: int, h: int) -> None:
    thing = box(x, y, x + w, y + h)
    red = np.zeros_like(thing)
    if x + w < 625:
        cv2.circle(red, (x + w, y + h // 2), 10, 255, -1)
        assert reading(thing, red) is False
    assert reading(thing) is True


def test_a_hair_of_the_scenes_own_red_is_no_collision_but_leaves_a_doubt() -> None:
    thing = box(200, 150, 320, 300)
    hair = np.zeros_like(thing)
    cv2.line(hair, (150, 200), (260, 230), 255, 1)
    assert refused(thing, hair) == "ambiguous_collision"
    line = np.zeros_like(thing)
    cv2.line(line, (150, 200), (260, 230), 255, 5)
    assert reading(thing, line) is False


def drawn(kind: str, x: int = 400, y: int = 225, across: int = 60, width: int = 7) -> Bytes:
    """A red sign: a ring, an arrow, a cross or a tick."""
    mask = np.zeros((480, 640), np.uint8)
    r = across // 2
    if kind == "ring":
        cv2.circle(mask, (x, y), r, 255, width)
    if kind == "arrow":
        cv2.arrowedLine(mask, (x + 2 * r, y - r), (x - r // 2, y), 255, width, cv2.LINE_8, 0, 0.35)
    if kind == "cross":
        cv2.line(mask, (x - r, y - r), (x + r, y + r), 255, width)
        cv2.line(mask, (x - r, y + r), (x + r, y - r), 255, width)
    if kind == "tick":
        cv2.polylines(mask, [np.array([[x - r, y], [x - r // 3, y + r], [x + r, y - r]])], False, 255, width)
    return mask


@pytest.mark.parametrize("across", [44, 70, 110])
@pytest.mark.parametrize("kind", ["ring", "arrow", "cross", "tick"])
def test_a_sign_in_red_is_no_collision(kind: str, across: int) -> None:
    assert refused(THING, drawn(kind, across=across)) == "ambiguous_collision"
    inside = drawn(kind, 310, 225, across=min(across, 70))
    assert refused(THING, inside) == "ambiguous_collision"
    # A patch beside it says the same, and where.
    patch = box(280, 138, 306, 164)
    assert reading(THING, cv2.bitwise_or(patch, drawn(kind, across=across))) is False


def test_a_red_outline_all_round_the_thing_is_no_collision() -> None:
    red = np.zeros((480, 640), np.uint8)
    cv2.rectangle(red, (196, 146), (404, 304), 255, 6)
    assert refused(THING, red) == "ambiguous_collision"


@pytest.mark.parametrize("width", [4, 10, 24])
def test_an_outline_of_the_thing_is_no_thing(width: int) -> None:
    hollow = np.zeros((480, 640), np.uint8)
    cv2.ellipse(hollow, (300, 220), (110, 80), 20, 0, 360, 255, width)
    assert refused(hollow) == "outline"
    assert refused(hollow, box(390, 220, 420, 250)) == "outline"
    holed = THING.copy()
    holed[200:230, 280:320] = 0
    assert reading(holed) is True
