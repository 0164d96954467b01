"""The point marker: its centre to the pixel, or a refusal."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.reading import read
from tests.drawing import CYAN, disc, flat, jpeg, photo


@settings(max_examples=30, deadline=None)
@given(st.integers(20, 619), st.integers(20, 459), st.integers(4, 18))
def test_the_centre_is_read_to_a_pixel(x: int, y: int, r: int) -> None:
    source = photo(1)
    answer = source.copy()
    disc(answer, x, y, r, CYAN)
    px, py = read("point_marker", answer, source=source).prediction
    assert abs(px * 640 - 0.5 - x) <= 1
    assert abs(py * 480 - 0.5 - y) <= 1


def test_a_dot_on_a_wall_of_nearly_its_colour() -> None:
    wall = flat((70, 175, 190))
    answer = wall.copy()
    disc(answer, 211, 333, 9, CYAN)
    x, y = read("point_marker", jpeg(answer, 90), source=wall).prediction
    assert abs(x * 640 - 211.5) <= 1
    assert abs(y * 480 - 333.5) <= 1


def test_the_whole_frame_in_the_marks_colour() -> None:
    assert read("point_marker", flat(CYAN), source=photo(1)).reason == "blank"
    half = photo(1)
    half[:300] = CYAN
    assert read("point_marker", half, source=photo(1)).reason == "diffuse_mark"


@pytest.mark.parametrize("second", [6, 9, 12])
def test_two_prominent_marks_name_no_point(second: int) -> None:
    source = photo(2)
    answer = source.copy()
    disc(answer, 100, 100, 10, CYAN)
    disc(answer, 400, 300, second, CYAN)
    assert read("point_marker", answer, source=source).reason == "multiple_marks"


def test_a_speck_beside_the_mark_is_ignored() -> None:
    source = photo(2)
    answer = source.copy()
    disc(answer, 100, 100, 12, CYAN)
    disc(answer, 400, 300, 3, CYAN)
    found = read("point_marker", answer, source=source).prediction
    assert found == pytest.approx([100.5 / 640, 100.5 / 480], abs=0.003)


def test_a_stroke_is_no_point() -> None:
    source = photo(3)
    answer = source.copy()
    answer[200:208, 100:500] = CYAN
    assert read("point_marker", answer, source=source).reason == "diffuse_mark"


def test_too_small_a_mark() -> None:
    source = photo(3)
    answer = source.copy()
    answer[200:204, 100:104] = CYAN
    assert read("point_marker", answer, source=source).reason == "too_small"


def test_a_small_dot_beside_the_scenes_own_teal_keeps_its_centre() -> None:
    source = photo(1)
    source[:, :320] = (62, 122, 116)
    for x in range(314, 330, 3):
        answer = source.copy()
        disc(answer, x, 200, 5, CYAN)
        px, py = read("point_marker", answer, source=source).prediction
        assert abs(px * 640 - 0.5 - x) <= 0.6, x
        assert abs(py * 480 - 0.5 - 200) <= 0.6, x


def pin(image: np.ndarray, tip: tuple[int, int], radius: int, towards: float, form: str) -> None:
    """Draw a mark on a tail that ends at the tip: a drop, a drop with a hole, or a disc on a needle."""
    turn = np.array([np.sin(towards), -np.cos(towards)])
    side = np.array([turn[1], -turn[0]])
    length = 2.2 * radius
    head = np.asarray(tip) + length * turn
    across = radius * np.sqrt(1 - (radius / length) ** 2)
    foot = head - radius * radius / length * turn
    if form == "needle":
        ends = (tuple(int(v) for v in np.rint(head)), tip)
        cv2.line(image, *ends, CYAN, max(2, radius // 5))
    else:
        corners = np.rint([foot + across * side, foot - across * side, tip]).astype(np.int32)
        cv2.fillPoly(image, [corners], CYAN, cv2.LINE_AA)
    disc(image, float(head[0]), float(head[1]), radius, CYAN)
    if form == "holed":
        disc(image, float(head[0]), float(head[1]), 0.4 * radius, (255, 255, 255))


@pytest.mark.parametrize("form", ["drop", "holed", "needle"])
@pytest.mark.parametrize("towards", [0.0, 0.6, 3.1])
@pytest.mark.parametrize("radius", [9, 16, 28])
def test_a_pin_may_mean_its_tip(radius: int, towards: float, form: str) -> None:
    source = photo(4)
    answer = source.copy()
    pin(answer, (320, 240), radius, towards, form)
    for made in (answer, jpeg(answer, 75), cv2.resize(answer, (960, 720))):
        assert read("point_marker", made, source=source).reason == "pointed_mark"


@pytest.mark.parametrize("form", ["square", "star", "ellipse", "triangle", "cut", "corner"])
def test_marks_that_reach_out_all_round_are_no_pins(form: str) -> None:
    source = photo(4)
    answer = source.copy()
    centre = {"cut": (634, 240), "corner": (632, 472)}.get(form, (300, 200))
    if form == "square":
        answer[180:220, 280:320] = CYAN
    if form == "ellipse":
        cv2.ellipse(answer, centre, (26, 14), 30, 0, 360, CYAN, -1, cv2.LINE_AA)
    if form in ("star", "triangle"):
        n = 10 if form == "star" else 3
        angles = 0.2 + np.arange(n) * 2 * np.pi / n
        radius = np.where(np.arange(n) % 2, 16, 27) if form == "star" else np.full(n, 24)
        corners = np.stack([300 + radius * np.cos(angles), 200 + radius * np.sin(angles)], axis=1)
        cv2.fillPoly(answer, [np.rint(corners).astype(np.int32)], CYAN, cv2.LINE_AA)
    if form in ("cut", "corner"):
        disc(answer, *centre, 20, CYAN)
    found = read("point_marker", answer, source=source).prediction
    assert found == pytest.approx([centre[0] / 640, centre[1] / 480], abs=0.02)
