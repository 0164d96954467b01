"""Yes and no that are hedged, wrongly claimed, or another language's; what a model cannot do is no "no"."""

import pytest

from provise.answers import read_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Possibly correct", None), ("Perhaps yes.", None), ("Maybe it is true", None), ("There is a 30% chance that it is true", None),
        ("It is incorrectly called true", None), ("The caption wrongly says that it is true", None), ("Probably true", True),
        ("No, I cannot see the picture.", None), ("No, I can't tell.", None), ("No, I can't see any ball in the box.", False),
        ("No, I am unable to determine that", None), ("Yes, not no", True), ("No, not true", False), ("No, not false", None),
        ("yes (not false)", True), ("Ja", True), ("Nein, der Ball liegt daneben.", False), ("Oui.", True), ("Non, il est dehors", False),
        ("Sí, está dentro.", True), ("はい。", True), ("いいえ、外です。", False), ("是的，在里面。", True), ("不是的，在外面。", False),
        ("不对。", False), ("错误，球在外面", False), ("네", True), ("Нет.", False), ("Falsch.", False), ("Vero", True),
        ("Perhaps, yes", None), ("Sí y no", None), ("Vero e falso", None), ("Ja und nein", None), ("对面有球", None), ("Nonstop", None),
    ],
)  # fmt: skip
def test_booleans(text, expected):
    answer = read_text(text, "boolean")
    assert answer.prediction is expected
    assert (answer.prediction is None) == bool(answer.reason)
