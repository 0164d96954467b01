"""The point marker: its centre to the pixel, or a refusal."""

from __future__ import annotations

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
