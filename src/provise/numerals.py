"""Integers as people write them: digits with separators, 3.0, and English number words."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

__all__ = ["WORD", "canonical_integer", "expand", "from_words", "ordinal"]

ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
VALUES = {word: n for n, word in enumerate(ONES)} | {word: 10 * n for n, word in enumerate(TENS, 2)} | {"fourty": 40}
_NAMES = "|".join(sorted(VALUES, key=len, reverse=True))

WORD = re.compile(rf"\b(?:{_NAMES}|hundred)(?:(?:\s+and\s+|\s*-\s*|\s+)(?:{_NAMES}|hundred)){{0,4}}\b", re.IGNORECASE)
"""A number in words, compound ones as a whole: "twenty-one", "one hundred and five"."""

DIGITS = re.compile(r"([-+]?)(\d{1,18}|\d{1,3}(?:,\d{3}){1,5}|\d{1,3}(?:[ ']\d{3}){1,5})(?:\.0*)?")


def from_words(text: str) -> int | None:
    """Read number words up to 999; None where they do not form one number ("three four").

    Examples
    --------
    >>> from_words("twenty-one"), from_words("one hundred and five"), from_words("three four")
    (21, 105, None)
    """
    total, last = 0, 1000
    words = re.split(r"[\s-]+", text.strip().lower())
    for word in (word for word in words if word != "and"):
        if word == "hundred":
            if not 0 <= total < 10 or last == 100:
                return None
            total, last = 100 * (total or 1), 100
        elif word not in VALUES:
            return None
        else:
            value = VALUES[word]
            # A word must be smaller than the place the one before it left open: "twenty" leaves the ones.
            room = {1000: 1000, 100: 100}.get(last, 10 if last >= 20 else 0)
            if value >= room or (last >= 20 and last < 100 and value == 0):
                return None
            total, last = total + value, value
    return total if last != 1000 else None


FACTORS = {"dozen": 12, "thousand": 1000, "million": 10**6}
SCALED = re.compile(
    rf"(?<![\w.,])(\d{{1,9}}(?:\.\d{{1,6}})?|(?:half\s+)?an?|{WORD.pattern})\s+(dozen|thousand|million)\b"
    rf"(?:\s+(?:and\s+)?({WORD.pattern}))?",
    re.IGNORECASE,
)
NEGATIVE = re.compile(rf"\b(?:minus|negative)\s+(\d{{1,18}}\b|{WORD.pattern})", re.IGNORECASE)
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()  # noqa: SIM905


def expand(text: str) -> str:
    """Write number words with a factor or a sign in digits, so that "two dozen" is not read as two.

    Examples
    --------
    >>> expand("two dozen cups"), expand("one thousand two hundred"), expand("minus five"), expand("1.5 million")
    ('24 cups', '1200', '-5', '1500000')
    """

    def scaled(found: re.Match[str]) -> str:
        lead = found[1].lower()
        count = _amount(lead) if lead.split()[-1] not in ("a", "an") else 0.5 if lead.startswith("half") else 1.0
        rest = from_words(found[3]) if found[3] else 0
        if count is None or rest is None:
            return found[0]
        return f"{count * FACTORS[found[2].lower()] + rest:.15g}"

    def signed(found: re.Match[str]) -> str:
        value = _amount(found[1])
        return found[0] if value is None else f"-{value:.15g}"

    return NEGATIVE.sub(signed, SCALED.sub(scaled, text))


def _amount(text: str) -> float | None:
    return float(text) if text[0].isdecimal() else from_words(text)


def ordinal(text: str) -> int | None:
    """Read a place in a row.

    Examples
    --------
    >>> ordinal("4th"), ordinal("Second"), ordinal("last")
    (4, 2, None)
    """
    if found := re.fullmatch(r"(\d{1,3})(?:st|nd|rd|th)", text, re.IGNORECASE):
        return int(found[1])
    return ORDINALS.index(text.lower()) + 1 if text.lower() in ORDINALS else None


def canonical_integer(value: Any) -> int | None:
    """Read an integer that is the whole of a value.

    Examples
    --------
    >>> [canonical_integer(value) for value in (3.0, "３", "1,200", "Ten", "+8.0", True, "3.5")]
    [3, 3, 1200, 10, 8, None, None]
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if not isinstance(value, str) or len(value) > 200:
        return None
    text = unicodedata.normalize("NFKC", value).replace("\u2212", "-").strip(" \t\r\n()[]{}*`\"'!?;:")
    if found := DIGITS.fullmatch(text):
        return int(found[1] + re.sub(r"[ ',]", "", found[2]))
    return from_words(text.strip(" .")) if re.fullmatch(r"[A-Za-z][A-Za-z\s-]*\.?", text) else None
