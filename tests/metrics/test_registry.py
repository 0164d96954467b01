"""The table of metrics and the call that scoring uses."""

import math

import numpy as np
import pytest

from provise.errors import InputError
from provise.metrics import METRICS, exact, get_metric, score_prediction
from provise.truth import Truth

TRUTHS = {
    "label": Truth("choice", "B", ("left", "right")),
    "mask": Truth("mask", np.eye(4, dtype=bool)),
    "path": Truth("path", np.array([[0.1, 0.1], [0.5, 0.5]])),
    "point": Truth("point", (0.5, 0.5)),
    "box": Truth("box", (0.1, 0.1, 0.5, 0.5)),
    "endpoint": Truth("endpoint", {"index": 2, "count": 5}),
    "measurement": Truth("measurement", 120.0),
    "number": Truth("number", 45.0),
    "quantity": Truth("number", 45.0),
}


@pytest.mark.parametrize("name", METRICS)
def test_no_prediction_scores_0_by_every_metric(name):
    score = score_prediction(name, None, TRUTHS[METRICS[name].truth])
    assert (score.value, score.correct, score.details) == (0.0, False, {"reason": "no_prediction"})


@pytest.mark.parametrize("name", [name for name in METRICS if name != "exact"])
@pytest.mark.parametrize("odd", ["words", {"a": 1}, [[[1]]], True, np.ones(3)])
def test_another_form_is_a_wrong_call_with_the_right_form_named(name, odd):
    with pytest.raises(InputError, match="this metric takes"):
        score_prediction(name, odd, TRUTHS[METRICS[name].truth])


def test_right_answers_score_1_and_are_correct():
    right = {
        "mask_precision": np.eye(4, dtype=bool), "mask_iou": np.eye(4, dtype=bool), "point_in_mask": [0.1, 0.1],
        "endpoint_score": {"index": 2, "count": 5}, "dfd_success": [[0.1, 0.1], [0.5, 0.5]],
        "measurement_ratio": {"value": 1.2, "unit": "m"}, "point_distance": [0.5, 0.5],
        "box_iou": [0.1, 0.1, 0.5, 0.5], "angle_error": 405, "mean_relative_accuracy": 45,
    }  # fmt: skip
    assert set(right) == set(METRICS) - {"exact"}
    for name, prediction in right.items():
        score = score_prediction(name, prediction, TRUTHS[METRICS[name].truth])
        assert (score.value, score.correct) == (1.0, True), name


def test_settings_are_checked_by_name_and_range():
    metric = get_metric("dfd_success")
    assert metric.resolve()["threshold"] == 0.4
    with pytest.raises(InputError, match="tau"):
        metric.resolve({"tau": 0.2})
    for bad in (0, -1, 7, math.nan, "0.4", True, None):
        with pytest.raises(InputError, match="threshold"):
            metric.resolve({"threshold": bad})
    with pytest.raises(InputError, match="mask_precision"):
        get_metric("precision")


def test_every_default_lies_in_its_own_range():
    for name, metric in METRICS.items():
        assert metric.name == name
        assert metric.resolve({key: setting.default for key, setting in metric.settings.items()}) == metric.resolve()


def test_correctness_follows_the_attribution_rule_and_can_be_moved():
    band = np.zeros((1, 10), bool)
    band[0, :5] = True
    prediction = np.ones((1, 10), bool)
    assert score_prediction("mask_precision", prediction, Truth("mask", band)).correct
    assert not score_prediction("mask_precision", prediction, Truth("mask", band), {"correct_at": 0.6}).correct
    assert not score_prediction("mask_iou", prediction, Truth("mask", band)).correct


def test_exact_meets_every_spelling_of_one_answer():
    pytest.importorskip("provise.labels")
    assert exact("A", "(A)", "choice", ("cat", "dog"))
    assert not exact("A", "B", "choice", ("cat", "dog"))
    assert exact("front-left", "H. front left", "direction", ())
    assert exact(10, "10", "integer", ())
    assert exact(True, "true", "boolean", ())
    assert exact("back", "B", "choice", ("right", "back", "front", "left"))
    assert exact(None, "B", "choice", ("cat", "dog")) is False
    score = score_prediction("exact", "B", TRUTHS["label"])
    assert (score.value, score.correct) == (1.0, True)
