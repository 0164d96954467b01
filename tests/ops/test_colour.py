"""Colour ranges: one reader's pixels, hue that wraps, overlaps that are decided."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from provise.ops.colour import COLOURS, Colour, colour_mask, novel_marks
from provise.ops.sheet import Sheet
from tests.drawing import flat


def hsv(rgb: tuple[int, int, int]) -> np.ndarray:
    return cv2.cvtColor(flat(rgb, (4, 4)), cv2.COLOR_RGB2HSV)


@pytest.mark.parametrize("name", list(COLOURS))
def test_a_pure_colour_is_in_its_own_range_alone(name: str) -> None:
    found = [other for other in COLOURS if colour_mask(hsv(COLOURS[name].rgb), other).all()]
    assert found == [name]


@pytest.mark.parametrize("rgb", [(255, 0, 0), (255, 0, 40), (255, 40, 0)])
def test_red_on_both_sides_of_hue_zero(rgb: tuple[int, int, int]) -> None:
    assert colour_mask(hsv(rgb), "red").all()


@pytest.mark.parametrize("hue", [(100, 260), (0, 180), (90, 255), (-4, 10), (300, 359)])
def test_hue_is_never_above_179(hue: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="0-179"):
        Colour((0, 0, 255), (hue,), 80, 80)


def test_a_red_cell_is_not_blue() -> None:
    assert not colour_mask(hsv((255, 0, 0)), "blue").any()
    assert not colour_mask(hsv((0, 0, 255)), "red").any()


def test_no_hue_belongs_to_two_colours() -> None:
    ramp = np.stack([np.arange(180), np.full(180, 255), np.full(180, 255)], axis=1).astype(np.uint8)[None]
    total = sum((colour_mask(ramp, name) > 0).astype(int) for name in COLOURS)
    assert total.max() == 1


def test_a_mark_of_one_pixel_is_a_mark() -> None:
    source = np.full((48, 64, 3), 128, np.uint8)
    answer = source.copy()
    answer[20, 30] = (255, 0, 255)
    found = novel_marks(Sheet(answer, source, edited=True), "magenta", 36)
    assert np.argwhere(found).tolist() == [[20, 30]]
