"""Two bars: the longer one decides, and what is no bar is refused."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.errors import Refusal
from provise.ops.measure import BarParams, bar_extent, bar_lengths
from provise.ops.registry import View

Bytes = npt.NDArray[np.uint8]


def empty() -> Bytes:
    return np.zeros((480, 640), np.uint8)


def bar(x: float, y: float, length: float, angle: float = 0, width: int = 8, mask: Bytes | None = None) -> Bytes:
    mask = empty() if mask is None else mask
    dx, dy = length / 2 * math.cos(angle), length / 2 * math.sin(angle)
    nx, ny = -width / 2 * math.sin(angle), width / 2 * math.cos(angle)
    corners = [
        (x - dx - nx, y - dy - ny),
        (x + dx - nx, y + dy - ny),
        (x + dx + nx, y + dy + ny),
        (x - dx + nx, y - dy + ny),
    ]
    cv2.fillPoly(mask, [np.round(np.asarray(corners) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return mask


def reading(magenta: Bytes, cyan: Bytes) -> str:
    return bar_lengths(View(frame=(640, 480)), BarParams(), magenta=magenta, cyan=cyan)


def refused(magenta: Bytes, cyan: Bytes) -> str:
    with pytest.raises(Refusal) as caught:
        reading(magenta, cyan)
    return caught.value.code


def test_the_longer_bar_decides_whatever_its_direction() -> None:
    assert reading(bar(200, 200, 150), bar(450, 200, 100, 1.57)) == "A"
    assert reading(bar(200, 200, 100, 0.6), bar(450, 250, 150, -0.9)) == "B"


def test_nearly_equal_bars_decide_nothing() -> None:
    assert refused(bar(200, 200, 150), bar(450, 200, 148)) == "near_equal"
    assert reading(bar(200, 200, 150), bar(450, 200, 135)) == "A"


def test_a_missing_bar_is_refused() -> None:
    assert refused(empty(), bar(450, 200, 100)) == "missing_bar"
    assert refused(bar(450, 200, 100), empty()) == "missing_bar"
    speck = empty()
    speck[50:54, 50:54] = 255
    assert refused(bar(450, 200, 100), speck) == "missing_bar"


def test_a_blob_is_no_bar() -> None:
    blob = empty()
    cv2.circle(blob, (200, 200), 40, 255, -1)
    assert refused(blob, bar(450, 200, 100)) == "not_a_bar"


def test_two_bars_of_one_colour_are_refused() -> None:
    assert refused(bar(200, 300, 90, mask=bar(200, 200, 100)), bar(450, 200, 100)) == "multiple_bars"
    assert refused(bar(120, 200, 60, 1.57, mask=bar(200, 200, 100)), bar(450, 200, 150)) == "multiple_bars"


def test_a_bar_crossed_by_the_other_one_is_one_bar() -> None:
    cyan = bar(300, 240, 120, 1.57)
    magenta = bar(300, 240, 220)
    magenta[cyan > 0] = 0
    assert reading(magenta, cyan) == "A"


def test_caps_do_not_make_a_bar_broad() -> None:
    magenta = bar(200, 200, 150)
    for x in (127, 273):
        bar(x, 200, 40, 1.57, 5, magenta)
    assert reading(magenta, bar(450, 200, 100)) == "A"


@settings(max_examples=40, deadline=None)
@given(st.integers(30, 200), st.floats(0, 3.14), st.integers(4, 12))
def test_the_extent_is_the_drawn_length(length: int, angle: float, width: int) -> None:
    if length < 3 * width:
        return
    found, _, _ = bar_extent(bar(320, 240, length, angle, width))
    assert abs(found - length) <= 1.5 + width * 0.25


def test_a_number_at_a_bars_end_does_not_lengthen_it() -> None:
    cyan = bar(225, 300, 250)
    cv2.putText(cyan, "250 px", (360, 309), cv2.FONT_HERSHEY_SIMPLEX, 0.8, 255, 2)
    assert refused(bar(240, 100, 280), cyan) == "multiple_bars"


def test_outlines_and_arcs_are_no_bars_but_ticks_and_brackets_are() -> None:
    other = bar(560, 400, 100)
    arc, frame, bracket = empty(), empty(), empty()
    cv2.ellipse(arc, (250, 250), (150, 150), 0, 180, 360, 255, 8)
    cv2.rectangle(frame, (100, 100), (400, 300), 255, 6)
    cv2.polylines(bracket, [np.array([[100, 130], [100, 100], [400, 100], [400, 130]])], False, 255, 8)
    assert refused(arc, other) == refused(frame, other) == "not_a_bar"
    assert reading(bracket, other) == "A"


def test_a_dashed_bar_is_as_long_as_its_dashes_together() -> None:
    dashes = empty()
    for at in range(100, 420, 40):
        cv2.line(dashes, (at, 100), (at + 24, 100), 255, 8)
    assert reading(dashes, bar(500, 300, 270, 1.57)) == "A"
