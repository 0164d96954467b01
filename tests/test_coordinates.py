"""The coordinate convention: nothing is clamped, the last pixel holds 1, and a pixel's centre falls into it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.coordinates import centre_of, pixel_of, valid_point


@given(st.integers(1, 20_000), st.data())
def test_the_centre_of_a_pixel_falls_into_it(n: int, data: st.DataObject) -> None:
    i = data.draw(st.integers(0, n - 1))
    assert pixel_of(centre_of(i, n), n) == i


@given(st.floats(0, 1), st.integers(1, 10_000))
def test_a_valid_coordinate_has_a_pixel(x: float, n: int) -> None:
    pixel = pixel_of(x, n)
    assert 0 <= pixel < n
    assert x == 1 or pixel == math.floor(x * n)


def test_the_far_edge_belongs_to_the_last_pixel() -> None:
    mask = np.zeros((4, 6), bool)
    mask[3, 5] = True
    assert mask[pixel_of(1.0, 4), pixel_of(1.0, 6)]


def test_y_grows_downwards_from_the_top_left() -> None:
    mask = np.zeros((10, 20), bool)
    mask[1, 14] = True
    assert mask[pixel_of(0.15, 10), pixel_of(0.725, 20)]


@pytest.mark.parametrize("x", [-1e-9, 1 + 1e-9, 500, math.nan, math.inf, -math.inf])
def test_a_coordinate_outside_is_an_error_and_never_clamped(x: float) -> None:
    assert not valid_point([x, 0.5])
    assert not valid_point((0.5, x))
    with pytest.raises(ValueError, match="outside"):
        pixel_of(x, 10)


@pytest.mark.parametrize("n", [0, -3])
def test_a_frame_without_pixels_is_an_error(n: int) -> None:
    with pytest.raises(ValueError, match="number of pixels"):
        pixel_of(0.5, n)


@pytest.mark.parametrize(
    "point",
    [None, 3, "ab", "0.5,0.5", [0.1], [0.1, 0.2, 0.3], [True, False], ["0.1", "0.2"], [None, 0.1], {}, [[0.1], [0.2]],
     [1j, 0.0], [10**400, 0.5]],
)  # fmt: skip
def test_what_is_no_pair_of_numbers_is_no_point(point: object) -> None:
    assert not valid_point(point)


@given(st.tuples(st.floats(0, 1), st.floats(0, 1)), st.sampled_from([tuple, list, np.array]))
def test_a_pair_in_range_is_a_point_in_any_container(pair: tuple[float, float], make: object) -> None:
    assert valid_point(make(pair))  # type: ignore[operator]
