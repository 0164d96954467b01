"""One canonicaliser: every spelling of a label meets in one form, for truths and predictions alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.errors import InputError
from provise.labels import (
    DIRECTIONS,
    KINDS,
    Option,
    canonical_boolean,
    canonical_direction,
    canonical_integer,
    options,
    same,
    split_options,
    to_direction,
    to_integer,
    to_label,
)

CUBES = ("a green cone", "a cube", "A yellow cup", "the ball")


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("form", ["{}", "H. {}", "(C) {}", "F.{}", "**{}**", " {}. ", "to the {}", "B: {}"])
def test_a_direction_in_any_dress(direction, form):
    words = direction.split("-")
    for joiner in ("-", " ", "_", "", " - ", "–"):
        text = form.format(joiner.join(words))
        assert canonical_direction(text) == canonical_direction(text.upper()) == direction
        assert canonical_direction(form.format(joiner.join(words).title())) == direction
    assert canonical_direction(form.format(" ".join(reversed(words)))) == direction


@pytest.mark.parametrize("text", ["bright", "sideways", "", "front-up", "left right", "above-left", None, 3, "upfront"])
def test_what_is_no_direction(text):
    assert canonical_direction(text) is None


def test_words_for_front_and_back():
    assert [canonical_direction(word) for word in ("behind", "in front", "backward", "ahead")] == [
        "back", "front", "back", "front",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, True), ("TRUE", True), ("Yes.", True), ("A. no", False), ("(B) false", False), (0, False), (1, True),
     ("1", True), (2, None), ("", None), ("not true", None), ("yesterday", None), (None, None)],
)  # fmt: skip
def test_booleans(value, expected):
    assert canonical_boolean(value) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(7, 7), (7.0, 7), ("7.0", 7), ("７", 7), ("Seven", 7), ("**7**", 7), ("12,000", 12000), ("-2", -2), ("\u22122", -2),
     ("forty-two", 42), ("two hundred and six", 206), ("7.5", None), (False, None), ("seven eight", None), ("", None),
     (float("nan"), None), (float("inf"), None), ("9" * 5000, None), ("1,20", None)],
)  # fmt: skip
def test_integers(value, expected):
    assert canonical_integer(value) == expected


@pytest.mark.parametrize(
    "choices",
    [("A. cat", "B. dog"), ("(A) cat", "(B) dog"), ("A) cat", "B) dog"), ("A: cat", "B: dog"), ("cat", "dog"),
     [{"label": "A", "text": "cat"}, {"label": "B", "text": "dog"}], {"A": "cat", "B": "dog"}, "A. cat\nB. dog",
     "A: cat, B: dog", "cat, dog", '["cat", "dog"]', '{"A": "cat", "B": "dog"}'],
)  # fmt: skip
def test_options_in_any_form(choices):
    assert options(choices) == (Option("A", "cat"), Option("B", "dog"))


def test_a_range_of_letters_is_four_options():
    assert [option.label for option in options("A-D")] == ["A", "B", "C", "D"]
    assert [option.label for option in options(["A-E"])] == ["A", "B", "C", "D", "E"]
    assert to_label("-", "A-D") is None
    assert to_label("b", "A-D") == "B"
    assert options("") == options(()) == options([]) == options(None) == ()


def test_null_choices_are_no_choices_wherever_labels_are_read():
    from provise.answers import read_text

    assert to_label("B", None) == to_label("B", ()) == "B"
    assert to_label("a dog", None) is to_label("a dog", ()) is None
    assert to_integer("three", None) == 3
    assert to_direction("H", None) == "front-left"
    assert same("(B)", "b", "choice", None)
    for kind, text in (("choice", "The answer is B."), ("integer", "There are 3."), ("boolean", "Yes.")):
        assert read_text(text, kind, choices=None) == read_text(text, kind)


@pytest.mark.parametrize("choices", [5, True, {"cat", "dog"}, frozenset("AB"), b"cat, dog", object()])
def test_what_gives_no_letters_is_a_wrong_call(choices):
    with pytest.raises(InputError, match="expected a list of texts"):
        options(choices)


def test_texts_come_before_letters():
    assert to_label("A yellow cup", CUBES) == "C"
    assert to_label("a yellow cup.", CUBES) == "C"
    assert to_label("B", ["B", "A"]) == "A"
    assert to_label("A", ["first", "second"]) == "A"


@pytest.mark.parametrize("text", ["B", "(B)", "B.", "b", "[b]", "**B**", "B. a cube", "(B) a cube", "a cube", "option B",
                                  "Ｂ", "（Ｂ）", '"B"', "A cube"])  # fmt: skip
def test_spellings_of_one_option(text):
    assert to_label(text, CUBES) == "B"
    assert same("B", text, "choice", CUBES)


@pytest.mark.parametrize("text", ["E", "B. the ball", "a red cone", "", "cub", "I", "AB", "A-D"])
def test_what_names_no_option(text):
    assert to_label(text, CUBES) is None
    assert not same(text, text, "choice", CUBES)


def test_numbers_are_values_and_never_indices():
    fours = ["2", "3", "4", "5"]
    assert to_label(3, fours) == "B"
    assert to_label("3", fours) == to_label("three", fours) == to_label(3.0, fours) == "B"
    assert to_label(1, fours) is None
    assert to_label(1, ["left", "right"]) is None
    assert to_label(10, ["9", "10.0"]) == to_label("10.0", ["9.0", "10"]) == "B"
    assert to_label(2.5, ["2.5", "5"]) == "A"
    assert to_integer("D", fours) == 5
    assert to_integer("7", fours) == 7


def test_booleans_find_their_option():
    assert to_label(True, ["A. no", "B. yes"]) == to_label("true", ["A. no", "B. yes"]) == "B"
    assert to_label(False, ["Yes, fully", "No, it is hidden"]) == "B"
    assert to_label(False, ["Yes", "No, by the girl", "No, by a fern"]) is None
    assert to_label(True, ["1", "0"]) is None


def test_directions_by_letter():
    assert [to_direction(letter) for letter in "ABCDEFGH"] == list(DIRECTIONS)
    assert to_direction("I") is None
    offered = ("A. left", "B. back-right", "C. above-left")
    assert to_direction("(B)", offered) == "back-right"
    assert to_direction("C", offered) is None
    assert to_direction("front", offered) == "front"
    assert to_direction("A. back right", offered) is None
    assert to_direction("B. back right", offered) == "back-right"


@pytest.mark.parametrize(
    ("prediction", "truth", "kind", "choices"),
    [
        ("A", "(A)", "choice", ("x", "y")),
        ("C", "a red pot", "choice", ("a blue ball", "A red", "A red pot")),
        (True, "B. yes", "choice", ("A. no", "B. yes")),
        (True, "B. yes", "boolean", ("A. no", "B. yes")),
        (False, "A", "boolean", ("no", "yes")),
        (4, "C", "integer", ("2", "3", "4", "5")),
        (12, 12.0, "integer", ()),
        ("12", "12.0", "integer", ()),
        ("front-left", "(H)", "direction", ()),
        ("back", "B", "direction", ("right", "back", "front", "left")),
    ],
)
def test_the_same_answer(prediction, truth, kind, choices):
    assert same(prediction, truth, kind, choices)
    assert same(truth, prediction, kind, choices)


def test_not_the_same():
    assert not same(None, None, "choice", ("x", "y"))
    assert not same(True, 1, "integer")
    assert not same("nan", "nan", "integer")
    with pytest.raises(InputError, match="mask"):
        same("A", "A", "mask")


def test_inline_options():
    text = "What is seen?  Options: A: Boy, girl, bench, B: Boy, a dog: brown, C: One, D: None"
    assert [option.text for option in split_options(text)] == ["Boy, girl, bench", "Boy, a dog: brown", "One", "None"]
    ego = "Which way? A.front B.front right C.right D.back right E.back F.back left G.left H.front left\n Answer: [A.front"
    assert tuple(canonical_direction(option.text) for option in split_options(ego)) == DIRECTIONS
    assert split_options("A. left") == split_options("Is it A or B?") == split_options("") == ()


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=5), st.sampled_from(KINDS))
def test_any_text_is_read_or_not_and_sameness_is_symmetric(text, choices, kind):
    assert isinstance(split_options(text), tuple)
    for other in (text, *choices, "A", "1"):
        assert same(text, other, kind, choices) == same(other, text, kind, choices)
        if same(text, other, kind, choices):
            assert same(text, text, kind, choices)


@given(st.integers(0, 999))
def test_numbers_in_digits(number):
    assert canonical_integer(str(number)) == canonical_integer(f"{number}.0") == number


def test_one_letter_is_yes_or_no_only_beside_its_other():
    assert to_label("true", ["x", "y", "z"]) is None
    assert to_label("no", ["m", "n"]) is None
    assert to_label(True, ["n", "y"]) == "B"
    assert to_label("false", ["t", "f", "unknown"]) == "B"
