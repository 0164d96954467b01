"""Boxes in tags of their own, percentages that say so, bulleted coordinates, fields beside an answer, and "right" as an idiom."""

import time

import pytest

from provise.answers import CoordinateSystem, read_text
from provise.metrics.quantities import to_centimetres

MILLE = CoordinateSystem("per_mille")


def outcome(text, kind, system=None):
    answer = read_text(text, kind, coordinates=system)
    return answer.reason if answer.prediction is None else answer.prediction


@pytest.mark.parametrize(
    ("text", "kind", "system", "expected"),
    [
        ("<box>(100,300),(300,500)</box>", "points", MILLE, [[0.2, 0.4]]),
        ("<|box_start|>(100,300),(300,500)<|box_end|>", "points", MILLE, [[0.2, 0.4]]),
        ("<bbox>[100, 300, 300, 500]</bbox>", "point", MILLE, [0.2, 0.4]),
        ("<bbox>100 300 300 500</bbox>", "point", CoordinateSystem("per_mille", "yx"), [0.4, 0.2]),
        ("<box>(100,300),(300,500)</box>", "path", MILLE, "no_path"),
        ("<|box_start|>(100,300),(300,500)<|box_end|><|box_start|>(0,0),(20,40)<|box_end|>", "points", MILLE, [[0.2, 0.4], [0.01, 0.02]]),
        ('{"bounding_box": [100, 300, 300, 500]}', "point", MILLE, [0.2, 0.4]),
        ("(20%, 75%)", "point", None, [0.2, 0.75]), ("x = 20 %, y = 75 %", "point", None, [0.2, 0.75]),
        ("[(0%, 5%), (100%, 95%)]", "path", None, [[0, 0.05], [1, 0.95]]), ("(0.2%, 0.75%)", "point", None, "no_answer"),
        ("(120%, 75%)", "point", None, "out_of_range"), ("(0.2, 75%)", "point", None, "malformed"),
        ("* x: 0.2\n* y: 0.75", "point", None, [0.2, 0.75]), ("- x ≈ 0.2\n- y ≈ 0.75", "point", None, [0.2, 0.75]),
    ],
)  # fmt: skip
def test_coordinates(text, kind, system, expected):
    assert outcome(text, kind, system) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("That's right.", "no_answer"), ("You are right: back-left.", "back-left"), ("The ball is right behind her.", "back"),
        ("The ball is right in front of her.", "front"), ("I can do that right away.", "no_answer"), ("right-behind", "back-right"),
        ("On the right next to the door", "right"), ("it's right", "right"), ("That is right of the door", "right"),
    ],
)  # fmt: skip
def test_a_right_that_is_no_side(text, expected):
    assert outcome(text, "direction") == expected


def test_an_answer_and_its_unit_in_two_fields():
    found = outcome('{"reason": "as wide as a door", "answer": 0.9, "unit": "meters"}', "measurement")
    assert to_centimetres(found["value"], found["unit"]) == 90
    assert outcome('{"answer": 0.9}', "measurement") == "missing_unit"


@pytest.mark.parametrize("unit", ["9", "<box>9", "9 % ", "<box>(1,2),(", "* x: 1\n"])
def test_long_texts_take_no_time(unit):
    started = time.perf_counter()
    outcome(unit * (40_000 // len(unit)), "points")
    assert time.perf_counter() - started < 5
