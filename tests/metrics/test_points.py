"""Which pixel a point falls in, points against masks, and the words' side of affordance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.errors import InputError
from provise.metrics import mask_precision, point_distance, point_in_mask, points_precision, score_prediction
from provise.truth import Truth

INSIDE = st.floats(0, 1)
BAD = (math.nan, math.inf, -math.inf)


def mask_of(width, height, seed=0):
    return np.random.default_rng(seed).random((height, width)) < 0.5


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_the_centre_of_every_pixel_falls_in_it(width, height, data):
    column, row = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    mask = np.zeros((height, width), bool)
    mask[row, column] = True
    centre = ((column + 0.5) / width, (row + 0.5) / height)
    assert point_in_mask(centre, mask) == 1.0
    assert point_in_mask(centre, ~mask) == 0.0


@pytest.mark.parametrize("size", [(1, 1), (5, 3), (640, 480)])
def test_exactly_one_is_the_last_pixel(size):
    mask = np.zeros(size[::-1], bool)
    mask[-1, -1] = True
    assert point_in_mask((1.0, 1.0), mask) == 1.0
    assert point_in_mask((0.0, 0.0), mask) == float(size == (1, 1))


@pytest.mark.parametrize("bad", [*BAD, -1e-9, 1.0000001, 10.0, -0.5])
def test_outside_or_not_finite_is_a_miss_and_never_clamped(bad):
    everything = np.ones((6, 8), bool)
    truth = Truth("mask", everything)
    for point in ([bad, 0.5], [0.5, bad]):
        assert point_in_mask(point, everything) == 0.0
        score = score_prediction("point_in_mask", point, truth)
        assert (score.value, score.correct) == (0.0, False)
        assert score.details["reason"] == ("outside" if math.isfinite(bad) else "non_finite")
        assert points_precision([point], everything) == 0.0


def test_axes_are_x_then_y_from_the_top_left():
    mask = np.zeros((10, 20), bool)
    mask[2, 15] = True
    assert point_in_mask((15.5 / 20, 2.5 / 10), mask) == 1.0
    assert point_in_mask((2.5 / 10, 15.5 / 20), mask) == 0.0


def brute_precision(points, mask):
    height, width = mask.shape
    seen = set()
    for x, y in points:
        column, row = math.floor(x * width), math.floor(y * height)
        seen.add((width - 1 if x == 1 else column, height - 1 if y == 1 else row))
    hits = sum(0 <= c < width and 0 <= r < height and bool(mask[r, c]) for c, r in seen)
    return hits / len(seen) if seen else 0.0


@given(st.lists(st.tuples(st.floats(-0.5, 1.5), st.floats(-0.5, 1.5)), max_size=30), st.integers(0, 5))
def test_points_precision_is_the_share_of_distinct_places(points, seed):
    mask = mask_of(7, 5, seed)
    # the brute force knows x = 1 as an edge of the frame only where the whole point is inside it
    points = [p for p in points if all(0 <= v <= 1 for v in p) or 1.0 not in p]
    assert points_precision(points, mask) == pytest.approx(brute_precision(points, mask), abs=1e-12)


@given(st.lists(st.tuples(INSIDE, INSIDE), min_size=1, max_size=30))
def test_points_inside_score_as_the_mask_they_rasterise_to(points):
    mask = mask_of(9, 11)
    drawn = np.zeros_like(mask)
    for x, y in points:
        drawn[min(int(y * 11), 10), min(int(x * 9), 8)] = True
    assert points_precision(points, mask) == mask_precision(drawn, mask)
    by_name = score_prediction("mask_precision", [list(point) for point in points], Truth("mask", mask))
    assert by_name.value == points_precision(points, mask)
    assert by_name.details["support"] == np.count_nonzero(drawn)


def test_repeating_a_right_point_does_not_pay():
    mask = np.zeros((10, 10), bool)
    mask[5, 5] = True
    assert points_precision([[0.55, 0.55]] * 9 + [[0.1, 0.1]], mask) == 0.5


def test_words_without_points_score_0():
    score = score_prediction("mask_precision", [], Truth("mask", np.ones((3, 3), bool)))
    assert (score.value, score.details["reason"]) == (0.0, "no_points")


def test_several_points_are_no_point():
    with pytest.raises(InputError, match="point"):
        score_prediction("point_in_mask", [[0.1, 0.1], [0.5, 0.5]], Truth("mask", np.ones((3, 3), bool)))
    assert score_prediction("point_in_mask", [[0.1, 0.1]], Truth("mask", np.ones((3, 3), bool))).value == 1.0


@given(st.lists(INSIDE, min_size=6, max_size=6))
def test_distance_is_a_metric(values):
    a, b, c = values[:2], values[2:4], values[4:]
    assert point_distance(a, a) == 0
    assert point_distance(a, b) == point_distance(b, a) == pytest.approx(np.linalg.norm(np.subtract(a, b)))
    assert point_distance(a, c) <= point_distance(a, b) + point_distance(b, c) + 1e-12


def test_distance_counts_as_right_up_to_its_setting():
    truth = Truth("point", (0.5, 0.5))
    assert score_prediction("point_distance", [0.5, 0.625], truth, {"within": 0.125}).value == 1.0
    assert score_prediction("point_distance", [0.5, 0.626], truth, {"within": 0.125}).value == 0.0
    assert score_prediction("point_distance", [math.nan, 0.5], truth).value == 0.0
    assert point_distance((math.nan, 0), (0, 0)) == math.inf
