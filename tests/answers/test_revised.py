"""Answers that a text takes back: the correction counts where it is plain, and nothing where it is not."""

import pytest

from provise.answers import read_text

FOUR = ("A", "B", "C", "D")


def outcome(text, kind, choices=()):
    answer = read_text(text, kind, choices=choices)
    return answer.reason if answer.prediction is None else answer.prediction


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("Answer: D. Correction: A.", "choice", "A"),
        ("The answer is C, sorry, I mean D.", "choice", "D"),
        ("Answer: D\n\nOn reflection, it must be A", "choice", "A"),
        ("Answer: D\nOn second thought, the cup hides it, which leaves option A standing.", "choice", "ambiguous"),
        ("Answer: D\nActually, B and C are both behind the wall.", "choice", "D"),
        ("Answer: D. It is actually left of B.", "choice", "D"),
        ("D. Hmm, no. B!", "choice", "ambiguous"), ("Answer: D -> changed to A", "choice", "ambiguous"), ("D - whoops, A", "choice", "ambiguous"),
        ("Actually, D.", "choice", "D"),
        ("Hmm, wait: D", "choice", "D"),
        ("Answer: 12. Hmm, let me recount: 13 of them.", "integer", "ambiguous"),
        ("Answer: 12. Wait, 13", "integer", 13),
        ("Answer: 12. Let me recheck: yes, 12.", "integer", 12),
        ("No. Actually, yes, it does.", "boolean", "ambiguous"),
        ("Yes... wait, no.", "boolean", "ambiguous"),
        ("It is left. Oh wait, I misread: right.", "direction", "ambiguous"),
        ("Answer: 2 m. My mistake, 3 m.", "measurement", "ambiguous"),
        ("[[0.1, 0.2], [0.3, 0.4]]\nWait, actually [[0.1, 0.2], [0.5, 0.6]]", "path", "ambiguous"),
    ],
)  # fmt: skip
def test_second_thoughts(text, kind, expected):
    assert outcome(text, kind, FOUR if kind == "choice" else ()) == expected
