"""Options that a text repeats, ticks, or names by their place or without their article; answers beside their story in JSON."""

import pytest

from provise.answers import read_text

SEATS = ("on the bench", "under the bench", "beside the bench")
THINGS = ("the kettle", "the toaster", "a fridge")
FOUR = ("A", "B", "C", "D")


def outcome(text, choices, kind="choice"):
    answer = read_text(text, kind, choices=choices)
    return answer.reason if answer.prediction is None else answer.prediction


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        ("A. on the bench ❌\nB. under the bench ✅\nC. beside the bench ❌", SEATS, "B"),
        ("A. on the bench\nB. under the bench\nC. beside the bench", SEATS, "ambiguous"),
        ("Answer: A. on the bench, B. under the bench, C. beside the bench", SEATS, "ambiguous"),
        ("A. on the bench\nB. under the bench\nC. beside the bench\n\nThe cat is under the bench.", SEATS, "B"),
        ("(A) kettle (B) toaster (C) fridge. I pick the third.", ("kettle", "toaster", "fridge"), "C"),
        ("I would choose the second option.", FOUR, "B"), ("I choose the ninth", FOUR, "no_answer"),
        ("A ✅\nB ❌\nC ✅\nD ❌", FOUR, "ambiguous"), ("- [ ] A\n- [x] D", FOUR, "D"),
        ("toaster", THINGS, "B"), ("Fridge!", THINGS, "C"), ("kettle, since the toaster is hidden", THINGS, "A"),
        ("a kettle and a fridge", THINGS, "ambiguous"), ("kettles", THINGS, "no_answer"),
        ("C (or maybe D)", FOUR, "ambiguous"), ("A seems correct at first. But D is.", FOUR, "D"),
        ("At first sight B is right, however C is", FOUR, "C"), ("A is wrong and D is right", FOUR, "D"),
        ("While D seems right, it is hidden", FOUR, "no_answer"),
        ("We rule out A and D; of B and C, C is nearer. Verdict: C", FOUR, "C"),
        ('{"thought": "The answer is A, as \\"B\\" is far", "final": "D"}', FOUR, "D"),
        ('{"choice": "C", "explanation": "The answer is not B"}', FOUR, "C"), ('{"explanation": "The answer is B"}', FOUR, "B"),
        ('{"answer": "A", "all": [{"option": "A", "p": 0.7}, {"option": "B", "p": 0.3}]}', FOUR, "A"),
        ('[{"choice": "A", "p": 0.2}, {"choice": "D", "p": 0.8}]', FOUR, "ambiguous"),
        ("<vendor:think>The answer is A</vendor:think>C", FOUR, "C"),
    ],
)  # fmt: skip
def test_choices(text, choices, expected):
    assert outcome(text, choices) == expected


def test_a_confidence_is_no_answer_where_only_the_story_holds_one():
    assert outcome('{"reasoning": "I count 4 cups", "confidence": 95}', (), "integer") == "ambiguous"
