"""Right is what the certificate says it is, at both sides of each limit."""

from __future__ import annotations

import numpy as np
import pytest

from provise.conformance.judge import judge
from provise.draw import Drawing
from provise.reading import Reading

CANVAS = np.zeros((300, 600, 3), np.uint8)


@pytest.mark.parametrize(
    ("drawn", "read", "verdict"),
    [
        (5, 5, "right"),
        (5, 4, "wrong"),
        (1, True, "wrong"),
        (True, True, "right"),
        ("A", "B", "wrong"),
        ({"index": 2, "count": 7}, {"index": 2, "count": 7}, "right"),
        ({"index": 2, "count": 7}, {"index": 2, "count": 6}, "wrong"),
        # 1 % of the longer side of 600 is 6 pixels: .01 in x, .02 in y.
        ([0.5, 0.5], [0.5095, 0.5], "right"),
        ([0.5, 0.5], [0.511, 0.5], "wrong"),
        ([0.5, 0.5], [0.5, 0.519], "right"),
        ([0.5, 0.5], [0.5, 0.521], "wrong"),
        ([[0.0, 0.5], [1.0, 0.5]], [[0.0, 0.529], [1.0, 0.529]], "right"),
        ([[0.0, 0.5], [1.0, 0.5]], [[0.0, 0.531], [1.0, 0.531]], "wrong"),
        ([[0.0, 0.5], [1.0, 0.5]], [[1.0, 0.5], [0.0, 0.5]], "wrong"),
    ],
)
def test_verdicts(drawn: object, read: object, verdict: str) -> None:
    assert judge(Reading("ok", read), Drawing(CANVAS, drawn))[0] == verdict


@pytest.mark.parametrize(("width", "verdict"), [(100, "right"), (86, "right"), (84, "wrong"), (0, "wrong")])
def test_a_mask_is_judged_by_what_it_shares_with_the_drawn_one(width: int, verdict: str) -> None:
    drawn, read = np.zeros((300, 600), bool), np.zeros((300, 600), bool)
    drawn[:, 100:200], read[:, 100 : 100 + width] = True, True
    assert judge(Reading("ok", {}, region=read), Drawing(CANVAS, "mask", drawn))[0] == verdict


@pytest.mark.parametrize("status", ["noncompliant", "parser_failure", "generation_failure", "data_error"])
def test_whatever_holds_no_prediction_is_refused(status: str) -> None:
    assert judge(Reading(status), Drawing(CANVAS, 5))[0] == "refused"
    assert judge(Reading(status), Drawing(CANVAS, None))[0] == "refused"


def test_a_prediction_read_from_an_invalid_drawing_is_wrong() -> None:
    assert judge(Reading("ok", 5), Drawing(CANVAS, None))[0] == "wrong"
