"""Choices, integers, booleans and directions in prose, in boxes, after reasoning."""

import pytest

from provise.answers import LIMIT, read_text
from provise.errors import InputError

ABCD = ("A", "B", "C", "D")
FACING = ("A. right", "B. left", "C. back", "D. front")


def outcome(text, kind, choices=(), **more):
    answer = read_text(text, kind, choices=choices, **more)
    assert (answer.prediction is None) == bool(answer.reason) == bool(answer.message)
    return answer.reason if answer.prediction is None else answer.prediction


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer: **D**", "D"),
        ("The correct answer is **C**. Here is why: the chair is nearer, so option A fails.", "C"),
        ("The answer is B. Note that A is a tempting mistake.", "B"),
        ("\\boxed{\\Delta E > 0}\nAnswer: D", "D"),
        ("\\boxed{\\text{B}}", "B"),
        ("\\(\\boxed{\\mathbf{\\text{(C)}}}\\)", "C"),
        ("<think>A or C?</think>B", "B"),
        ("</think>\n</think>\nB", "B"),
        ("hm, A perhaps</think>B", "B"),
        ("<think>format is <answer>A</answer></think><answer>C</answer>", "C"),
        ("答案：（Ｂ）。", "B"),
        ("Ｃ", "C"),
        ('```json\n{"reason": "A is far", "answer": "D"}\n```', "D"),
        ("Answer: A\nWait.\nFinal answer: C", "C"),
        ("The answer is A... no. \\boxed{B}", "B"),
        ("The best option is C, since A is hidden.", "C"),
        ("## Answer\n(D)", "D"),
        ("I would go with option B.", "B"),
        ("The answer is below.\nB", "B"),
        ("**Option (C)**", "C"),
        ("<|channel|>analysis<|message|>A?<|channel|>final<|message|>D<|end|>", "D"),
        ("A", "A"),
        ("A.", "A"),
        ("The answer is A because it is near.", "A"),
        ("<think>B it is", "truncated"),
        ("", "empty"),
        (" \n\u200b", "empty"),
        ("<think>A</think>", "empty"),
        ("A or B", "ambiguous"),
        ("Answer: B and C", "ambiguous"),
        ("Answer: F", "out_of_range"),
        ("A dog sits on a chair.", "no_answer"),
        ("I think a cat sits there.", "no_answer"),
    ],
)  # fmt: skip
def test_bare_choices(text, expected):
    assert outcome(text, "choice", ABCD) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is a dog facing left, so the answer is B.", "B"),
        ("A cat looks to the left.", "B"),
        ("left", "B"),
        ("The cup is on its left side", "B"),
        ("bright", "no_answer"),
        ("not left", "no_answer"),
        ("not left but right", "A"),
        ("left and right", "ambiguous"),
        ("B. left", "B"),
        ("The answer is: left.", "B"),
        ("A. right\nB. left\nC. back\nD. front\n", "ambiguous"),
    ],
)  # fmt: skip
def test_choices_with_texts(text, expected):
    assert outcome(text, "choice", FACING) == expected


def test_choices_of_other_forms():
    assert outcome("A front-left", "choice", ("front", "front-left", "left")) == "B"
    assert outcome("It stands to the front left of it.", "choice", ("front", "front-left", "left")) == "B"
    assert outcome("a red pot", "choice", ("a blue ball", "A red", "A red pot")) == "C"
    assert outcome("Yes, it is.", "choice", ("A. no", "B. yes")) == "B"
    assert outcome("true", "choice", ("A. no", "B. yes")) == "B"
    closer = ("(A) A is closer", "(B) B is closer")
    assert outcome("Looking closely, A is closer than B. Therefore, A.", "choice", closer) == "A"
    assert outcome("B is closer to the camera than A.", "choice", closer) == "B"
    assert outcome("Option A is wrong, option B is correct.", "choice", ABCD) == "B"
    assert outcome("c", "choice", "A-D") == "C"
    assert outcome("three", "choice", ("2", "3", "4")) == "B"
    assert outcome("bright", "choice", [{"label": "A", "text": "left"}, {"label": "B", "text": "right"}]) == "no_answer"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There are 10 dice.", 10), ("**10**", 10), ("Ten", 10), ("3.0", 3), ("３", 3), ("There are 3 dice.", 3),
        ("\\boxed{1} ... wait, \\boxed{4}. So the result is \\boxed{4}", 4), ("$\\boxed{\\text{12}}$", 12),
        ("Answer: 5 for the left shelf.\nTotal. Answer: 7", 7), ("Answer: 7 (3 red and 4 blue)", 7), ("1,200", 1200),
        ("There are twenty-one cups", 21), ("the one with stripes has 6 legs", 6), ("There are no dice.", 0),
        ('{"answer": 8}', 8), ("<answer>9</answer>", 9), ("I count 4, so 4.", 4), ("-2", -2),
        ("3 dice and 2 cups", "ambiguous"), ("3-5", "ambiguous"), ("three or four", "ambiguous"),
        ("The Eiffel Tower", "no_answer"), ("3.5", "not_integer"), ("NaN", "non_finite"), ("infinity", "non_finite"),
        ("9" * 400, "out_of_range"), ("the 2nd shelf", "no_answer"), ("2 + 3 = 5", 5), ("1. cup\n2. cup\nTotal: 2.", 2),
    ],
)  # fmt: skip
def test_integers(text, expected):
    assert outcome(text, "integer") == expected


def test_an_integer_by_letter():
    fours = ("2", "3", "4", "5")
    assert outcome("B", "integer", fours) == outcome("The answer is (B).", "integer", fours) == 3
    assert outcome("5", "integer", fours) == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", True), ("Yes, it is.", True), ("No.", False), ("**False**", False), ("The statement is true.", True),
        ("Not true", False), ("It's not really true", False), ("It isn't true.", False), ("untrue", False),
        ("That is incorrect", False),
        ("True or false? False.", False), ("Yes, there is no doubt", True), ("The answer is no", False),
        ('{"answer": true}', True), ("yes and no", "ambiguous"), ("not false", "ambiguous"),
        ("perhaps", "no_answer"), ("no, true", "ambiguous"), ("It can't be true", False),
        ("I do not think that it could be true", "ambiguous"), ("It is not false to say it", "ambiguous"),
        ("I do not think it is true", False), ("No, that isn't true", False), ("Yes, that is correct", True),
        ("nothing", "no_answer"), ("<think>true?</think>false", False),
    ],
)  # fmt: skip
def test_booleans(text, expected):
    assert outcome(text, "boolean") is expected or outcome(text, "boolean") == expected


def test_a_boolean_by_letter():
    assert outcome("B", "boolean", ("no", "yes")) is True
    assert outcome("Answer: (A)", "boolean", ("no", "yes")) is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H. front left", "front-left"), ("Front-Left", "front-left"), ("The bird is facing back right.", "back-right"),
        ("It faces left.", "left"), ("H", "front-left"), ("behind", "back"),
        ("facing right while facing the camera", "front-right"),
        ("facing away from the camera", "back"), ("Answer: (C)", "right"), ("above-left", "no_answer"), ("front-up", "no_answer"),
        ("left, or maybe right", "ambiguous"), ("not left but back", "back"), ("C.right", "right"),
    ],
)  # fmt: skip
def test_directions(text, expected):
    assert outcome(text, "direction") == expected


def test_directions_against_options():
    offered = ("right", "back", "front", "left")
    assert outcome("B", "direction", offered) == "back"
    assert outcome("back-left", "direction", offered) == "back-left"


def test_endpoints():
    assert outcome("Hole 4", "endpoint", count=7) == {"index": 4, "count": 7}
    assert outcome("the answer is 4", "endpoint", count="7") == {"index": 4, "count": 7}
    assert outcome("8", "endpoint", count=7) == outcome("0", "endpoint", count=7) == "out_of_range"
    assert outcome("4", "endpoint") == outcome("4", "endpoint", count="many") == "missing_aid"


def test_wrong_calls():
    with pytest.raises(InputError, match="expected a string"):
        read_text(3, "integer")
    with pytest.raises(InputError, match="mask"):
        read_text("3", "mask")


def test_the_end_of_a_long_text_is_read():
    assert outcome("A or B? " * LIMIT + "\nAnswer: C", "choice", ABCD) == "C"
