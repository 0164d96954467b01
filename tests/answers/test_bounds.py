"""Words that look like an answer and are half of one: bounds, degrees, a second direction; and small letters."""

import pytest

from provise.answers import read_text

ABCD = ("A. red car", "B. blue truck", "C. green bus", "D. none of these")


@pytest.mark.parametrize(
    "text", ["more than 5", "There are at least five chairs.", "5+", "fewer than 7", "Answer: over 10"]
)
def test_a_bound_is_no_count(text: str) -> None:
    assert read_text(text, "integer").reason == "ambiguous"


@pytest.mark.parametrize(
    "text", ["5", "2+3=5", "Answer: 5, which is more than 4", "a total of 5", "5 (at least I think so)"]
)
def test_a_count_beside_a_bound_is_one(text: str) -> None:
    assert read_text(text, "integer").prediction == 5


def test_true_in_part_is_neither() -> None:
    assert read_text("The statement is partially true.", "boolean").reason == "ambiguous"
    assert read_text("The statement is true.", "boolean").prediction is True


def test_ahead_counts_as_a_direction() -> None:
    assert read_text("ahead and to the left", "direction").reason == "ambiguous"
    assert read_text("It lies to the left.", "direction").prediction == "left"


def test_one_of_so_many_holes_is_one_hole() -> None:
    assert read_text("Hole 3 of 6", "endpoint", count=6).prediction == {"index": 3, "count": 6}
    assert read_text("hole 2 or 3", "endpoint", count=6).reason == "ambiguous"


def test_two_dimensions_are_no_length() -> None:
    assert read_text("3.5 x 2 m", "measurement").reason == "ambiguous"
    assert read_text("3.5 x 10^2 cm", "measurement").prediction == {"value": 350.0, "unit": "cm"}


@pytest.mark.parametrize("text", ["option b is correct", "it must be option (b)", "choice: b", "The best option: b."])
def test_a_small_letter_after_option_is_a_letter(text: str) -> None:
    assert read_text(text, "choice", choices=ABCD).prediction == "B"


def test_a_small_article_is_none() -> None:
    assert read_text("choose the option a person would take", "choice", choices=ABCD).prediction is None
