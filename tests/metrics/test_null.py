"""The floor under a task's score: what an answer without a look at the picture is worth by the metric itself."""

import numpy as np
import pytest

from provise.metrics import METRICS, null_score, score_prediction
from provise.truth import Truth

TARGET = np.zeros((20, 30), bool)
TARGET[5:15, 12:18] = True


@pytest.mark.parametrize(
    ("metric", "truth", "expected"),
    [
        ("dfd_success", Truth("path", np.array([[0.6, 0.2], [0.7, 0.35], [0.8, 0.2]])), 1.0),
        ("dfd_success", Truth("path", np.array([[0.1, 0.2], [0.7, 0.35]])), 0.0),
        ("dfd_success", Truth("path", np.array([[-0.02, 0.2], [0.1, 0.3]])), 1.0),
        ("point_in_mask", Truth("mask", TARGET), 1.0),
        ("point_in_mask", Truth("mask", ~TARGET), 0.0),
        ("mask_precision", Truth("mask", TARGET), 0.1),
        ("mask_iou", Truth("mask", ~TARGET), 0.9),
        ("point_distance", Truth("point", (0.52, 0.5)), 1.0),
        ("box_iou", Truth("box", (0.0, 0.0, 0.5, 0.5)), 0.25),
        ("exact", Truth("choice", "C", ("a", "b", "c", "d", "e")), 0.2),
        ("exact", Truth("boolean", False), 0.5),
        ("exact", Truth("direction", "back-left"), 0.125),
        ("exact", Truth("integer", 4), None),
        ("exact", Truth("choice", "B"), None),
        ("endpoint_score", Truth("endpoint", {"index": 3, "count": 5}), (1 + 2 * 0.6) / 5),
        ("endpoint_score", Truth("endpoint", {"index": 5, "count": 5}), (1 + 0.6) / 5),
        ("measurement_ratio", Truth("measurement", 30.0), None),
    ],
)
def test_the_blind_answer_of_each_metric(metric, truth, expected):
    found = null_score(metric, truth)
    assert found is expected if expected is None else found == pytest.approx(expected)


def test_every_metric_says_whether_it_has_one():
    truths = {
        "label": Truth("integer", 3), "mask": Truth("mask", TARGET), "path": Truth("path", np.array([[0.1, 0.1], [0.2, 0.1]])),
        "point": Truth("point", (0.1, 0.1)), "box": Truth("box", (0.1, 0.1, 0.2, 0.2)), "number": Truth("number", 90.0),
        "endpoint": Truth("endpoint", {"index": 1, "count": 2}), "measurement": Truth("measurement", 9.0),
        "quantity": Truth("measurement", 9.0),
    }  # fmt: skip
    for name, metric in METRICS.items():
        found = null_score(name, truths[metric.truth])
        assert found is None or 0 <= found <= 1


def test_the_setting_of_a_metric_holds_for_the_blind_answer_too():
    truth = Truth("path", np.array([[0.3, 0.3], [0.4, 0.3]]))
    assert null_score("dfd_success", truth, {"threshold": 0.09}) == 0.0
    assert null_score("dfd_success", truth, {"threshold": 0.11}) == 1.0
    assert score_prediction("dfd_success", [[0.3, 0.3]], truth, {"threshold": 0.11}).value == 1.0
