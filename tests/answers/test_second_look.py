"""Answers that invite a wrong guess: denials, letters against texts, numbers inside numbers, half-readable lists."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.answers import TEXT_KINDS, CoordinateSystem, read_text
from provise.labels import canonical_integer, options, same, to_label

ABCD = ("A", "B", "C", "D")
NO_YES = ("A. no", "B. yes")
FACING = ("A. right", "B. left", "C. back", "D. front")
MILLE = CoordinateSystem("per_mille")


def outcome(text, kind, **more):
    answer = read_text(text, kind, **more)
    assert (answer.prediction is None) == bool(answer.reason)
    return answer.reason if answer.prediction is None else answer.prediction


@given(
    st.sampled_from(["not", "never", "isn't", "cannot be", "hardly", "no longer", "none of it is", "far from", "nothing is"]),
    st.lists(st.sampled_from(["really", "at all", "quite", "in any way", "even"]), max_size=2),
    st.sampled_from(["{}", "The statement is {}.", "Answer: {}", "\\boxed{{{}}}", "I looked twice; it is {}"]),
    st.sampled_from(["true", "correct", "TRUE", "**true**"]),
)  # fmt: skip
def test_a_denied_truth_is_never_true(denial, between, form, word):
    assert outcome(form.format(" ".join([denial, *between, word])), "boolean") is not True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No doubt it is true.", True), ("There is no doubt: false", False), ("The claim is true, not false.", True),
        ("It is false, not true", False), ("Is the cup on the box? No", False), ("Is that so? Yes.", True),
        ("Really? True!", True), ("Great! True.", True), ("!true", False), ("¬true", False), ("wrong", False),
        ("不是", False), ("真", True), ("The answer is not yes", "ambiguous"), ("there is no box", "no_answer"),
    ],
)  # fmt: skip
def test_booleans(text, expected):
    found = outcome(text, "boolean")
    assert found is expected or found == expected


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        ("A. yes", NO_YES, "ambiguous"),
        ("Answer: C. left, as it seems", FACING, "ambiguous"),
        ("Answer: B. left, as it seems", FACING, "B"),
        ("It isn't C. It's D.", ABCD, "D"),
        ("It is not A, nor B, but C", ABCD, "C"),
        ("not (A) or (B); (D)", ABCD, "D"),
        ("It runs on C++", ABCD, "no_answer"),
        ("我选C", ABCD, "C"),
        ("Answer: A. The lamp of D is larger, yet it hangs further back.", ABCD, "A"),
        ("The right answer is **D**: with option B the cup would have to hang in the air.", ABCD, "D"),
        ("\\boxed{A \\cap B = C}\nAnswer: C", ABCD, "C"),
        ("\\boxed{\\mathrm{\\textbf{D}}}", ABCD, "D"),
        ("<think>I am to end with <answer>B</answer>.</think>\n<answer>D</answer>", ABCD, "D"),
        ("so it is not B.</think>\n\nA", ABCD, "A"),
        ("They all stand upright", ("left", "right"), "no_answer"),
        ("回答：【Ｃ】", ABCD, "C"),
        ("I can see 4 mugs.", ["2", "3", "4"], "C"),
        ("I can see four mugs.", ["2", "3", "4"], "C"),
        ("I can see 14 mugs.", ["2", "3", "4"], "out_of_range"),
        ("It is 2.3 m away", ["1 m", "3 m"], "no_answer"),
        ("It is 3 m away", ["1 m", "3 m"], "B"),
        ("At -3 degrees", ["3 degrees", "9 degrees"], "no_answer"),
    ],
)
def test_choices(text, choices, expected):
    assert outcome(text, "choice", choices=choices) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\boxed{2}, no: \\boxed{6}. Hence \\boxed{6}", 6), ("7.00", 7), ("Answer: 9 on the table.\nWith the floor, answer: 11", 11),
        ("５２", 52), ("I see 8 mugs.", 8), ("5 mugs, 3 plates", "ambiguous"), ("Mount Fuji", "no_answer"),
        ("two dozen", 24), ("a dozen eggs", 12), ("one thousand two hundred", 1200), ("2 million", 2_000_000), ("minus five", -5),
        ("７个", 7), ("共有12個", 12), ("1,2", "no_answer"), ("B12", "no_answer"), ("the red one", "no_answer"), ("There is one.", 1), ("number one", 1), ("twenty", 20),
    ],
)  # fmt: skip
def test_integers(text, expected):
    assert outcome(text, "integer") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the third hole", 3), ("3rd hole", 3), ('{"index": 3, "count": 6}', 3), ("hole 3", 3), ("{'hole': 3}", 3),
        ("the ninth hole", "out_of_range"), ("hole 2 or 3", "ambiguous"), ("the last one", "no_answer"),
    ],
)  # fmt: skip
def test_endpoints(text, expected):
    wanted = expected if isinstance(expected, str) else {"index": expected, "count": 6}
    assert outcome(text, "endpoint", count=6) == wanted


@pytest.mark.parametrize(
    ("text", "system", "expected"),
    [
        ('{"y": 300, "x": 100}', MILLE, [[0.1, 0.3]]),
        ('[{"y": 300, "x": 100}, {"y": 500, "x": 200}]', MILLE, [[0.1, 0.3], [0.2, 0.5]]),
        ('{"point_2d": [100, 300], "label": "box [7, 8]"}', MILLE, [[0.1, 0.3]]),
        ('<point x="100" y="300" alt="x=9 y=9">b</point>', MILLE, [[0.1, 0.3]]),
        ('{"bbox_2d": [100, 200, 300, 600]}', MILLE, [[0.2, 0.4]]),
        ('{"box_2d": [100, 200, 300, 600]}', CoordinateSystem("per_mille", "yx"), [[0.4, 0.2]]),
        ("0.1,0.3 -> 0.2,0.5", None, [[0.1, 0.3], [0.2, 0.5]]),
        ("0.1 0.3\n0.2 0.5", None, [[0.1, 0.3], [0.2, 0.5]]),
        ("[(0.1, 0.3), (0.2, 0.5), ...]", None, "truncated"),
        ("[(0.1, 0.3), ..., (0.2, 0.5)]", None, "truncated"),
        ("It must be (0.1, 0.3)...", None, [[0.1, 0.3]]),
        ("[[0.1, 0.3], null]", None, "malformed"),
        ("[100, 200, 300, 600]", MILLE, "malformed"),
    ],
)
def test_points(text, system, expected):
    found = outcome(text, "points", coordinates=system)
    assert found == (expected if isinstance(expected, str) else [pytest.approx(point) for point in expected])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer: 4 m. The shelf is 2 m", {"value": 4.0, "unit": "m"}),
        ("The answer is 6 ft. 2 in. It is tall", {"value": 74.0, "unit": "in"}),
        ("6'-2\"", {"value": 74.0, "unit": "in"}),
        ("The shelf is 2 m. The table is 4 m", "ambiguous"),
    ],
)
def test_lengths(text, expected):
    assert outcome(text, "measurement") == expected


def test_options_without_end_and_in_other_keys():
    many = options([f"thing {index}" for index in range(20_000)])
    assert len({option.label for option in many}) == 20_000
    assert [many[index].label for index in (25, 26, 701, 702)] == ["Z", "AA", "ZZ", "AAA"]
    for key in ("text", "value", "answer"):
        assert to_label("dog", [{key: "cat"}, {"label": "B", key: "dog"}]) == "B"
    assert same(True, "A", "boolean", ["correct", "incorrect"])
    assert canonical_integer("") is None


@pytest.mark.parametrize("word", ["1", "[1", "true", "A", "5'"])
@pytest.mark.parametrize("filler", [" ", " \n\t", " *", "-", ",", "0"])
def test_one_word_and_a_long_gap(word, filler):
    text = word + filler * (38_000 // len(filler)) + "x"
    for kind in TEXT_KINDS:
        started = time.perf_counter()
        answer = read_text(text, kind, choices=("2", "3"), count=7)
        assert time.perf_counter() - started < 3, kind
        assert (answer.prediction is None) == bool(answer.reason)
