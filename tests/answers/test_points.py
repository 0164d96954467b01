"""Coordinates in every notation, under a declared system."""

import pytest

from provise.answers import CoordinateSystem, read_text
from provise.errors import InputError

MILLE = CoordinateSystem("per_mille")


def outcome(text, kind="points", system=None):
    answer = read_text(text, kind, coordinates=system)
    return answer.reason if answer.prediction is None else answer.prediction


@pytest.mark.parametrize(
    ("system", "text", "expected"),
    [
        (CoordinateSystem("per_mille", size=(800, 600)), "[[250, 750]]", [[0.25, 0.75]]),
        (CoordinateSystem("pixel_seen", size=(1920, 1080), seen_size=(1288, 728)), "[[644, 182]]", [[0.5, 0.25]]),
        (CoordinateSystem("pixel_source", size=(200, 100)), "(50, 100)", [[0.25, 1.0]]),
        (MILLE, "[[1, 700]]", [[0.001, 0.7]]),
        (MILLE, "[[2, 1], [1000, 3]]", [[0.002, 0.001], [1.0, 0.003]]),
        (CoordinateSystem("per_mille", "yx"), '[{"point": [50, 900], "label": "lid"}]', [[0.9, 0.05]]),
        (MILLE, '<points coords="1 3 125 875" alt="4 lids">lids</points>', [[0.125, 0.875]]),
        (CoordinateSystem("percent"), '<point x="8.5" y="99.5" alt="lid">lid</point>', [[0.085, 0.995]]),
        (None, "[(0.7, 0.1), (0.4, 0.25), (0.", "truncated"),
        (CoordinateSystem("per_mille", "yx"), '[{"point": [200, 800], "label": "cup"}]', [[0.8, 0.2]]),
        (None, "[0.1, 0.3]", [[0.1, 0.3]]),
        (CoordinateSystem("percent"), '<point x="61.5" y="40.0" alt="cup">cup</point>', [[0.615, 0.4]]),
        (CoordinateSystem("percent"),
        '<points x1="10" y1="20" x2="30" y2="40" alt="b">b</points>', [[0.1, 0.2], [0.3, 0.4]]),
        (MILLE, '<points coords="1 1 500 250">a</points>', [[0.5, 0.25]]),
        (MILLE, '<points coords="1 1 500 250 2 100 300">a</points>', [[0.5, 0.25], [0.1, 0.3]]),
        (MILLE, '```json\n[\n {"point_2d": [500, 100], "n": "a"},\n {"point_2d": [9, 30]}\n]\n```', [[0.5, 0.1], [0.009, 0.03]]),
        (None, '{"x": 0.2, "y": 0.4}', [[0.2, 0.4]]),
        (CoordinateSystem(order="yx"), '{"x": 0.2, "y": 0.4}', [[0.2, 0.4]]),
        (None, "x = 0.2, y = 0.4", [[0.2, 0.4]]),
        (None, "0.2, 0.4", [[0.2, 0.4]]),
        (None, "[(1.0, 0), (.5, 5e-1)]", [[1.0, 0.0], [0.5, 0.5]]),
        (CoordinateSystem("percent"), '<point x="101" y="40">', "out_of_range"),
        (None, "[10, 10]", "out_of_range"),
        (None, "[-0.1, 0.5]", "out_of_range"),
        (None, "[nan, 0.5]", "non_finite"),
        (None, "[(0.1, 0.2), (inf, 0.5)]", "non_finite"),
        (None, "[1e999, 0.5]", "non_finite"),
        (None, "[0.1, 0.2, 0.3, 0.4]", "malformed"),
        (None, "<point>0.1, 0.2</point>", [[0.1, 0.2]]),
        (None, '[["0.1", "0.2"]]', [[0.1, 0.2]]),
        (CoordinateSystem("percent"), "(50%, 20%)", [[0.5, 0.2]]),
        (None, "[(0.1, 0.2), (0.3, 0.4), (0.5, ???)]", "malformed"),
        (None, "[(0.1, 0.2), (0.3, 0.4), (0.5)]", "malformed"),
        (None, "on the left", "no_answer"),
        (None, "[[0.1, 0.2], [0.3, 0.", "truncated"),
        (None, "[[0.1, 0.2], [0.3, 0.4]", "truncated"),
        (None, '[{"point": [0.1, 0.2]}, {"po', "truncated"),
        (None, '<point x="0.1" y="0.', "truncated"),
    ],
)  # fmt: skip
def test_points(system, text, expected):
    found = outcome(text, "points", system)
    if isinstance(expected, str):
        assert found == expected
    else:
        assert found == [pytest.approx(point) for point in expected]


@pytest.mark.parametrize(
    "text",
    ["(0.1,0.2)->(0.3,0.4)", "[\n  [0.1,\n   0.2],\n  [0.3, 0.4]\n]", "(0.1, 0.2) → (0.3, 0.4)", "[(0.1, 0.2), (0.3, 0.4)]",
     "Answer:\n[[0.1, 0.2],\n [0.3, 0.4]]", '{"answer": [[0.1, 0.2], [0.3, 0.4]]}', "\\boxed{[(0.1, 0.2), (0.3, 0.4)]}",
     "It starts at (0.9, 0.9).\nThe path: [(0.1, 0.2), (0.3, 0.4)]",
     "<think>[(0.5, 0.5), (0, 0)]</think>[[0.1,0.2],[0.3,0.4]]"],
)  # fmt: skip
def test_paths(text):
    assert outcome(text, "path") == [[0.1, 0.2], [0.3, 0.4]]


def test_a_point_is_no_path_and_two_are_no_point():
    assert outcome("[[0.1, 0.2]]", "path") == outcome("(0.1, 0.2) -> (0.1, 0.2)", "path") == "no_path"
    assert outcome("(0.1, 0.2)", "point") == [0.1, 0.2]
    assert outcome("(0.1, 0.2) and (0.3, 0.2)", "point") == "ambiguous"


@pytest.mark.parametrize(
    "settings",
    [("pixels",), ("unit", "xyz"), ("pixel_source",), ("pixel_seen", "xy", (10, 10)), ("pixel_source", "xy", (0, 5))],
)
def test_a_system_is_declared_in_full(settings):
    with pytest.raises(InputError):
        CoordinateSystem(*settings)
