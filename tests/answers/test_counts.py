"""Counts as prose gives them: none at all, totals beside their parts, values given twice, holes passed over."""

import pytest

from provise.answers import read_text


def outcome(text, kind="integer", **more):
    answer = read_text(text, kind, **more)
    return answer.reason if answer.prediction is None else answer.prediction


@pytest.mark.parametrize(
    "text",
    [
        "I count none.", "I found no bottles.", "No bottles whatsoever.", "No umbrellas are visible.", "No red cups can be seen in this picture.", "No bicycles", "No people.", "I see no bottles.",
        "I don't see any bottles.", "I can't see any bottles in the scene.", "The image contains no visible bottles.",
        "No green bottles on the shelf.", "No visible bottles in this photo.", "Not a single bottle is here.",
        "The photo does not show any bottles.", "Answer: no bottles are visible",
    ],
)  # fmt: skip
def test_none_at_all(text):
    assert outcome(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        "No image is visible.", "No thanks.", "No idea.", "No answers.", "No conclusion can be drawn.", "I have no access to it.",
        "No bottles are visible, but the picture is blurry.", "I can't see any picture.", "No more bottles.",
        "No entries.", "No visible problems.", "No prompts were given.", "I don't see any files.", "I can't see any of that.",
        "Not a single hint.", "no one can say", "I do not have any means to count.", "No bottles are visible except those on the shelf.", "No other bottles are visible.",
    ],
)  # fmt: skip
def test_what_only_sounds_like_none(text):
    assert outcome(text) in ("no_answer", "ambiguous")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There are **six** cups in total: four on the table, two on the floor.", 6),
        ("4 pens on the desk and 3 in the cup, so 7 pens in total.", 7),
        ("3 red and 4 blue pens in total", "ambiguous"), ("1. A pen\n2. A cup\n\nTotal: 2 objects.", 2),
        ("A total of nine pens: 4 in the cup and five on the desk.", 9), ("a total of 9 pens, 4 of them red", "ambiguous"),
        ("1. a pen\n2. a cup\n3. a lamp\nIn total there are three objects.", 3), ("In all, I count 12", 12),
        ("**9** (5 red, 4 blue)", 9), ("9 pens: 5 red, four blue", 9), ("9 (5 red, 3 blue)", "ambiguous"),
        ("five (6)", "ambiguous"), ("5 (six)", "ambiguous"), ("Answer: five (6)", "ambiguous"), ("five (5)", 5), ("5 (five)", 5),
        ("one pen and another pen", "ambiguous"), ("Answer: one pen, another pen", "ambiguous"),
        ("There is one pen, and another view of the desk.", 1),
        ("Answer: 4 rows of 5", "ambiguous"), ("Answer: three tables with four chairs each", "ambiguous"),
        ("20 (4 rows of 5)", 20), ("4 rows of 5 = 20", 20), ("two pairs of shoes", 2),
        ("I don't see 3 pens", "ambiguous"), ("I do not count 3 but 4", 4), ("No two cups are alike", "ambiguous"),
        ("There is a single pen.", 1), ("a single one", 1), ('{"count": 6, "confidence": 92}', 6),
    ],
)  # fmt: skip
def test_numbers_beside_numbers(text, expected):
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It does not fall into hole 2.", "ambiguous"), ("It misses hole 2 and drops into hole 3", 3), ("not hole 2 but hole 5", 5),
        ("It jumps over and enters hole 6", 6), ("over hole 1 into hole 2", 2), ("hole 5 (out of 7)", 5), ("Hole 5/7", 5), ('{"position": 3, "count": 7}', 3), ('{"index": 3, "count": 7}', 3),
    ],
)  # fmt: skip
def test_holes(text, expected):
    assert outcome(text, "endpoint", count=7) == (
        {"index": expected, "count": 7} if isinstance(expected, int) else expected
    )
