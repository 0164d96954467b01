"""Texts made to break a reader end in a prediction or a reason, and soon."""

import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.answers import TEXT_KINDS, read_text

PIECES = ["Answer: ", "\\boxed{", "}", "<think>", "</think>", "<answer>", "[", "(", "0.1, ", "]", ")", "not ", "true", "A",
          "B.", "left", "3", " m", "'", '"', "{", "x=", "y=", "\\text{", "\n", "\x00", "\ud800", "½", "，",
          "1e9", "-", "<points coords=\""]  # fmt: skip


def check(text, kind):
    answer = read_text(text, kind, choices=("A. left", "B. right"), count=7)
    assert (answer.prediction is None) == bool(answer.reason)
    if kind in ("points", "path") and answer.prediction:
        assert all(math.isfinite(v) and 0 <= v <= 1 for point in answer.prediction for v in point)


@given(st.text(st.characters(), max_size=200), st.sampled_from(TEXT_KINDS))
def test_any_text(text, kind):
    check(text, kind)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(TEXT_KINDS))
def test_any_mixture_of_what_readers_look_for(pieces, kind):
    check("".join(pieces), kind)


@pytest.mark.parametrize("kind", TEXT_KINDS)
@pytest.mark.parametrize(
    "unit",
    [*PIECES, " ", "9", "9,", "a", "A ", "[[", "{[", "(0.1,", "\\boxed{\\boxed{", "<think", "not not ",
    "one hundred ", "answer is ",
     "five ", "<points coords=\"1 ", "[0.1, 0.2", "\\scalar{1}", '{"answer": [', "there are no ", "1 1/", "3 m "],
)  # fmt: skip
def test_a_megabyte_of_one_thing(unit, kind):
    started = time.perf_counter()
    check(unit * (1_000_000 // len(unit)), kind)
    assert time.perf_counter() - started < 5


@given(st.floats(0, 1), st.floats(0, 1))
def test_points_survive_being_printed(x, y):
    assert read_text(f"[({x!r}, {y!r})]", "point").prediction == [x, y]


@given(st.integers(-(10**12), 10**12))
def test_integers_survive_being_printed(number):
    for form in ("{}", "{:,}", "The answer is {}.", "\\boxed{{{}}}", '{{"answer": {}}}'):
        assert read_text(form.format(number), "integer").prediction == number
