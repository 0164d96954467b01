"""Answers beside what they are compared with, denied with, or listed among."""

import pytest

from provise.answers import read_text

FOUR = ("A", "B", "C", "D")
DESKS = ("the desk", "the shelf", "the stove")
EIGHT = ("front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left")


def outcome(text, kind, choices=(), **more):
    answer = read_text(text, kind, choices=choices, **more)
    return answer.reason if answer.prediction is None else answer.prediction


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        ("It isn't the desk or the shelf.", DESKS, "no_answer"), ("Neither the desk nor the stove: the shelf", DESKS, "B"),
        ("Not on the stove or on the desk, but on the shelf", DESKS, "B"), ("b: desk", DESKS, "ambiguous"), ("b: shelf", DESKS, "B"),
        ("C (the stove) is wrong; A (the desk) is right", DESKS, "A"), ("ans: (d)", FOUR, "D"),
        ("Option B says under. Option C says on. Therefore option C.", FOUR, "C"),
        ("A - wrong\nB - wrong\nC - wrong\nD - right", FOUR, "ambiguous"), ("C - it is on top\nA - it is below", FOUR, "C"),
        ("It depends: A from the left, D from the right.", FOUR, "ambiguous"), ("A if the door is open, else C", FOUR, "ambiguous"),
        ("The right option is (D): unlike A and B it is whole.", FOUR, "D"), ("Unlike A, it is C", FOUR, "C"),
        ("Answer: A is behind the box, so B is nearer.", FOUR, "ambiguous"), ("Conclusion: C is small, so D is larger", FOUR, "ambiguous"),
        ("Answer: C is nearest, so C.", FOUR, "C"), ("I doubt that it's C.", FOUR, "no_answer"), ("No doubt it is C.", FOUR, "C"), ("I have no doubt that C is right", FOUR, "C"),
        ("I do not know whether it stands on the stove", DESKS, "no_answer"), ("If it were on the desk I would see it: the shelf", DESKS, "B"), ("C over A", FOUR, "C"),
        ("C is less likely than A", FOUR, "no_answer"), ("A on the table", FOUR, "A"), ("A table", FOUR, "no_answer"),
        ("behind and to the left", EIGHT, "F"), ("front, slightly to the right", EIGHT, "B"), ("right and behind", EIGHT, "D"),
        ("behind her", EIGHT, "E"), ("behind and to the left", ("left", "right", "back"), "ambiguous"),
    ],
)  # fmt: skip
def test_choices(text, choices, expected):
    assert outcome(text, "choice", choices) == expected


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("18 seats in total (6 in each row)", "integer", 18), ("17 seats in total (6 in each row)", "integer", "ambiguous"),
        ("There isn't a single seat.", "integer", 0), ("None can be seen here", "integer", 0), ("There's no seat", "integer", 0),
        ("There is no definitive count", "integer", "no_answer"), ("I see no reason to doubt", "integer", "no_answer"),
        ("max 6", "integer", "ambiguous"), ("a minimum of 6", "integer", "ambiguous"), ("4~6", "integer", "ambiguous"),
        ("maximum of 3 m", "measurement", "ambiguous"), ("40~60 cm", "measurement", "ambiguous"), ("40〜60 cm", "measurement", "ambiguous"),
        ("facing the camera's right", "direction", "right"), ("facing the camera", "direction", "front"),
        ("coordinates: 0.25, 0.5", "point", [0.25, 0.5]), ("Location = 0.25 0.5", "point", [0.25, 0.5]),
        ("First: [[0.1, 0.2], [0.3, 0.4]]\nSecond: [[0.1, 0.2], [0.9, 0.9]]", "path", "ambiguous"),
        ("[[0.1, 0.2], [0.3, 0.4]], that is [[0.1, 0.2], [0.3, 0.4]]", "path", [[0.1, 0.2], [0.3, 0.4]]),
        ("[[0.1, 0.2]], [[0.3, 0.4]]", "points", [[0.1, 0.2], [0.3, 0.4]]),
    ],
)  # fmt: skip
def test_other_kinds(text, kind, expected):
    assert outcome(text, kind) == expected


def test_metres_with_their_centimetres():
    assert outcome("3 metres 20", "measurement") == {"value": 320, "unit": "cm"}


def test_a_hole_denied_with_another():
    assert outcome("neither hole 2 nor 5", "endpoint", count=6) == "ambiguous"
