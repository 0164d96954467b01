"""The best constant answer of each kind of truth: found by hand, and by the metric itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from provise.analysis.constant import (
    CANDIDATES,
    best_constant,
    constant_boxes,
    constant_paths,
    constant_points,
    pixels,
)
from provise.metrics import score_prediction
from provise.truth import Truth


def found(truths: list[Truth], metric: str = "exact", **settings: Any) -> tuple[float, str]:
    best = best_constant(truths, metric, settings)
    assert best is not None
    assert best.n == len(truths)
    return best.score, best.answer


def test_of_labels_it_is_the_most_frequent_truth() -> None:
    assert found([Truth("integer", n) for n in (2, 7, 7, 3, 7)]) == (0.6, "7")
    assert found([Truth("boolean", b) for b in (True, False, False, False)]) == (0.75, "false")
    assert found([Truth("direction", d) for d in ("back", "front", "front-left", "front")]) == (0.5, "front")
    assert found([Truth("choice", c, ("A", "B")) for c in "ABB"]) == (pytest.approx(2 / 3), "B")


def test_equal_answers_are_named_in_the_order_of_the_alphabet() -> None:
    assert found([Truth("choice", c, ("w", "x", "y", "z")) for c in "DCBA"]) == (0.25, "A")


def test_an_option_s_text_counts_where_options_change_places() -> None:
    truths = [
        Truth("choice", "A", ("left", "right")), Truth("choice", "B", ("right", "left")),
        Truth("choice", "A", ("left", "right")), Truth("choice", "A", ("right", "left")),
    ]  # fmt: skip
    # “left” is right three times, and so is A: a letter goes first.
    assert found(truths) == (0.75, "A")
    assert found(truths[:2]) == (1.0, "“left”")


def test_of_holes_each_is_tried_and_a_neighbour_counts() -> None:
    truths = [Truth("endpoint", {"index": i, "count": 5}) for i in (1, 3, 5)]
    # Hole 2 is beside 1 and 3: .6 + .6 + 0; hole 3 is right once and beside none; hole 4 is as good as hole 2.
    assert found(truths, "endpoint_score") == (pytest.approx(0.4), "hole 2")
    few = [Truth("endpoint", {"index": 4, "count": 4}), Truth("endpoint", {"index": 1, "count": 3})]
    assert found(few, "endpoint_score") == (0.5, "hole 1")


def test_of_numbers_every_true_one_is_tried() -> None:
    lengths = [Truth("measurement", cm) for cm in (10.0, 15.0, 100.0)]
    assert found(lengths, "measurement_ratio", limit=2) == (pytest.approx(2 / 3), "10 cm")
    assert found([Truth("number", n) for n in (0.0, 30.0, 31.0)], "angle_error") == (pytest.approx(2 / 3), "30")


def test_a_region_is_scored_as_the_metric_scores_it() -> None:
    draw = np.random.default_rng(3)
    masks = []
    for size in ((60, 80), (33, 21)):
        mask = np.zeros(size, bool)
        y, x = draw.integers(0, size[0] // 2), draw.integers(0, size[1] // 2)
        mask[y : y + size[0] // 3, x : x + size[1] // 3] = True
        masks.append(Truth("mask", mask))
    for metric in ("mask_precision", "mask_iou"):
        means = []
        for i in range(CANDIDATES):
            scores = []
            for truth in masks:
                height, width = truth.value.shape
                x0, y0, x1, y1 = pixels(constant_boxes(), (width, height))[i]
                drawn = np.zeros_like(truth.value)
                drawn[y0:y1, x0:x1] = True
                assert drawn.any()
                scores.append(score_prediction(metric, drawn, truth).value)
            means.append(float(np.mean(scores)))
        assert found(masks, metric)[0] == pytest.approx(max(means))


def test_a_place_is_looked_up_in_every_mask() -> None:
    left, right = np.zeros((40, 40), bool), np.zeros((40, 40), bool)
    left[:, :30], right[:, 28:] = True, True
    inside = [Truth("mask", left), Truth("mask", right)]
    assert found(inside, "point_in_mask")[0] == 1.0, "some of 200 places lie in the common stripe"
    apart = [Truth("mask", ~right), Truth("mask", right)]
    assert found(apart, "point_in_mask")[0] == 0.5
    nothing = np.zeros((400, 400), bool)
    nothing[0, 0] = True
    assert found([Truth("mask", nothing)], "point_in_mask") == (0.0, "")


def test_paths_points_and_boxes_are_tried_as_drawn() -> None:
    path = np.array(constant_paths()[17])
    score, answer = found([Truth("path", path), Truth("path", path[::-1])], "dfd_success", threshold=0.001)
    assert score == 0.5
    assert answer == f"path ({path[0][0]:.2f}, {path[0][1]:.2f}) to ({path[-1][0]:.2f}, {path[-1][1]:.2f})"
    point = constant_points()[5]
    assert found([Truth("point", tuple(point))], "point_distance", within=0.0)[0] == 1.0
    assert found([Truth("box", tuple(constant_boxes()[9]))], "box_iou")[0] == pytest.approx(1.0)


def test_a_path_is_as_right_as_the_metric_finds_it() -> None:
    truths = [
        Truth("path", np.array(path)) for path in ([[0.2, 0.7], [0.4, 0.3], [0.9, 0.2]], [[0.1, 0.1], [0.5, 0.8]])
    ]
    means = [
        np.mean([score_prediction("dfd_success", path, truth).value for truth in truths]) for path in constant_paths()
    ]
    assert found(truths, "dfd_success")[0] == max(means) > 0


def test_what_is_tried_is_the_same_each_time_and_lies_in_the_frame() -> None:
    for drawn in (constant_points, constant_boxes, constant_paths):
        first, second = np.array(drawn()), np.array(drawn())
        assert (first == second).all()
        assert len(first) == CANDIDATES
        assert first.min() >= 0
        assert first.max() <= 1
    whole = pixels(constant_boxes(), (5, 4))
    assert (whole[:, :2] < whole[:, 2:]).all()
    assert (whole[:, 2:] <= [5, 4]).all()


def test_no_truth_has_no_answer() -> None:
    assert best_constant([], "exact") is None
