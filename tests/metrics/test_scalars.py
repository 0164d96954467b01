"""Endpoint, lengths, relative accuracy, angles and boxes against their definitions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.errors import InputError
from provise.metrics import (
    angle_error,
    box_iou,
    endpoint_score,
    mean_relative_accuracy,
    measurement_ratio,
    score_prediction,
    to_centimetres,
)
from provise.truth import Truth

LENGTH = st.floats(1e-6, 1e6)


@pytest.mark.parametrize("holes", range(1, 13))
def test_endpoint_is_equation_3_for_every_pair(holes):
    for truth in range(1, holes + 1):
        for index in range(-1, holes + 3):
            expected = 0.0
            if 1 <= index <= holes:
                expected = {0: 1.0, 1: max(0.0, 0.8 - 1 / holes)}.get(abs(index - truth), 0.0)
            assert endpoint_score(index, truth, holes) == expected
            assert endpoint_score(index, truth, holes, count=holes + 1) == 0.0


def test_seven_holes_as_in_the_benchmark():
    truth = Truth("endpoint", {"index": 4, "count": 7})
    right = score_prediction("endpoint_score", {"index": 4, "count": 7}, truth)
    assert (right.value, right.correct) == (1.0, True)
    near = score_prediction("endpoint_score", {"index": 5, "count": 7}, truth)
    assert near.value == pytest.approx(0.6571, abs=1e-4)
    assert not near.correct
    assert score_prediction("endpoint_score", {"index": 4, "count": 6}, truth).details["reason"] == "other_count"
    assert score_prediction("endpoint_score", {"index": 0, "count": 7}, truth).details["reason"] == "no_such_hole"
    assert score_prediction("endpoint_score", {"index": 4.5, "count": 7}, truth).value == 0.0
    assert score_prediction("endpoint_score", 4, truth).value == 1.0  # words name a hole and count none
    with pytest.raises(InputError, match="endpoint"):
        score_prediction("endpoint_score", True, truth)


def test_units_meet_in_centimetres():
    lengths = {
        (3.5, "m"): 350,
        (5, "km"): 500000,
        (0.5, "in"): 1.27,
        (1200, "mm"): 120,
        (1, "Feet."): 30.48,
        (2, "cm"): 2,
    }
    for (value, unit), expected in lengths.items():
        assert to_centimetres(value, unit) == pytest.approx(expected)
    assert to_centimetres(3, "metres") == to_centimetres(3, "meters") == 300
    assert to_centimetres(10, "inches") == to_centimetres(10, '"') == 25.4
    with pytest.raises(InputError, match="parsec"):
        to_centimetres(1, "parsec")


@given(LENGTH, LENGTH)
def test_ratio_success_is_symmetric_and_binary(a, b):
    assert measurement_ratio(a, b) == measurement_ratio(b, a) == float(max(a / b, b / a) < 2)
    assert measurement_ratio(a, a) == 1.0


@pytest.mark.parametrize("bad", [0, -1, -math.inf, math.inf, math.nan])
def test_a_length_that_is_none_scores_0(bad):
    assert measurement_ratio(bad, 10) == measurement_ratio(10, bad) == 0.0
    score = score_prediction("measurement_ratio", {"value": bad, "unit": "m"}, Truth("measurement", 10.0))
    assert (score.value, score.correct) == (0.0, False)


def test_twice_and_half_are_no_success():
    truth = Truth("measurement", 100.0)
    values = {199.9: 1.0, 200: 0.0, 50: 0.0, 50.1: 1.0}
    for value, expected in values.items():
        assert score_prediction("measurement_ratio", {"value": value, "unit": "cm"}, truth).value == expected
    assert score_prediction("measurement_ratio", {"value": 1, "unit": "m"}, truth).details["ratio"] == 1.0
    odd = score_prediction("measurement_ratio", {"value": 1, "unit": "parsec"}, truth)
    assert (odd.value, odd.details["reason"]) == (0.0, "no_length")


@given(st.integers(-400, 400), st.integers(-200, 200).filter(bool))
def test_relative_accuracy_is_its_definition_in_exact_numbers(prediction, truth):
    error = abs(Fraction(prediction - truth, 1)) / abs(truth)
    expected = sum(error < 1 - Fraction(theta, 100) for theta in range(50, 100, 5)) / 10
    assert mean_relative_accuracy(prediction, truth) == expected
    assert mean_relative_accuracy(prediction / 10, truth / 10) == expected


@given(st.floats(0.1, 100), st.floats(0, 2), st.floats(0, 2))
def test_relative_accuracy_falls_with_the_error(truth, one, two):
    near, far = sorted((one, two))
    assert mean_relative_accuracy(truth * (1 + near), truth) >= mean_relative_accuracy(truth * (1 + far), truth)


def test_relative_accuracy_of_what_is_no_number():
    assert (
        mean_relative_accuracy(math.nan, 1) == mean_relative_accuracy(1, 0) == mean_relative_accuracy(1, math.inf) == 0
    )
    assert score_prediction("mean_relative_accuracy", 8, Truth("number", 10.0)).value == 0.6
    length = score_prediction("mean_relative_accuracy", {"value": 1, "unit": "m"}, Truth("measurement", 100.0))
    assert length.value == 1.0


@given(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4), st.integers(-3, 3))
def test_angles_wrap(a, b, turns):
    error = angle_error(a, b)
    vectors = [np.exp(1j * np.radians(angle)) for angle in (a, b)]
    assert 0 <= error <= 180
    assert error == angle_error(b, a) == pytest.approx(angle_error(a + 360 * turns, b), abs=1e-6)
    assert math.cos(math.radians(error)) == pytest.approx((vectors[0] * vectors[1].conjugate()).real, abs=1e-9)


def test_angles_by_hand():
    assert [angle_error(a, b) for a, b in ((350, 10), (10, 350), (180, -180), (0, 180), (90, -90))] == [
        20,
        20,
        0,
        180,
        180,
    ]
    assert angle_error(math.nan, 0) == 180
    assert score_prediction("angle_error", 22, Truth("number", 0.0)).value == 1.0
    assert score_prediction("angle_error", 23, Truth("number", 0.0)).value == 0.0


SPAN = st.lists(st.integers(0, 12), min_size=2, max_size=2, unique=True).map(sorted)
BOX = st.tuples(SPAN, SPAN).map(lambda spans: (spans[0][0], spans[1][0], spans[0][1], spans[1][1]))


@given(BOX, BOX)
def test_box_iou_counts_the_cells_of_a_grid(a, b):
    cells = np.zeros((2, 12, 12), bool)
    for layer, (x0, y0, x1, y1) in zip(cells, (a, b), strict=True):
        layer[y0:y1, x0:x1] = True
    expected = np.count_nonzero(cells[0] & cells[1]) / np.count_nonzero(cells[0] | cells[1])
    assert box_iou(a, b) == box_iou(b, a) == pytest.approx(expected, abs=1e-12)


def test_box_iou_agrees_with_shapely():
    shapely = pytest.importorskip("shapely")
    rng = np.random.default_rng(1)
    for _ in range(40):
        corners = np.sort(rng.random((2, 2, 2)), axis=1)
        a, b = (shapely.box(*box.ravel()) for box in corners)
        expected = a.intersection(b).area / a.union(b).area
        assert box_iou(corners[0].ravel(), corners[1].ravel()) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("bad", [(0, 0, 0, 1), (0.5, 0, 0.1, 1), (math.nan, 0, 1, 1), (0, 0, math.inf, 1)])
def test_a_box_that_is_none_scores_0(bad):
    assert box_iou(bad, (0, 0, 1, 1)) == box_iou((0, 0, 1, 1), bad) == box_iou(bad, bad) == 0.0
    assert score_prediction("box_iou", list(bad), Truth("box", (0.0, 0.0, 1.0, 1.0))).value == 0.0
