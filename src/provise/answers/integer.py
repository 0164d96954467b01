"""A whole number: one distinct integer in the text, in digits or in words."""

from __future__ import annotations

import re

from provise.answers.answer import TextAnswer, refuse
from provise.answers.bounds import concluded, contradicted, is_listed, without_bounds
from provise.answers.nothing import says_none
from provise.numerals import WORD, canonical_integer, expand, ordinal

__all__ = ["LARGEST", "read_endpoint", "read_integer"]

_LETTER = r"[^\W\u3040-\u9fff\uac00-\ud7af]"  # counters such as 個 follow a number without a space
NUMBER = re.compile(
    rf"(?<!{_LETTER})(?<![.^])(?<!\d,)(?:(?<![\w.)]-)|(?<=[\d)]-))[-+]?\d+(?:,\d{{3}})*(?:\.\d+)?(?:[eE][-+]?\d{{1,4}})?"
    rf"(?!{_LETTER}|\s?(?:\\?%|per\s?cent\b)|\^|[.,]\d)"
)
LED = re.compile(
    rf"[\s(\[]*(?:about|exactly|only|approximately)?\s*({WORD.pattern})(?=\W*$|\s*[.;:(\n]|,(?!\s*(?:and\s+|or\s+)?{WORD.pattern}\s*(?:[,.]|$)))",
    re.IGNORECASE,
)
"""A number in words with which a stated answer begins: "two. One is hidden"."""

INDEX = re.compile(r"[\"']?\b(?:index|hole)[\"']\s*:\s*[\"']?(\d{1,15})\b")
FROM_THE_END = re.compile(
    r"\bfrom the (?:right|end|far end|bottom)\b|\b(?:second|third|next|fourth)[ -](?:to[ -])?last\b", re.IGNORECASE
)
AVOIDED = re.compile(
    r"\b(?:(?:not|never|neither|\w{1,9}n't)\s(?:(?!\bbut\b)[^.,;:\n]){0,30}?"
    r"|(?:miss(?:es)?|skips?|avoids?|bypass(?:es)?|past|over)\s(?:(?!\b(?:but|and|into|in|enters|to)\b)[^.,;:\n]){0,30}?)"
    r"\bholes?\s+(?:number\s+|#\s?)?\d{1,9}(?:\s+(?:or|nor|and)\s+\d{1,9}){0,9}",
    re.IGNORECASE,
)
"""Holes into which the ball does not fall."""

NTH = re.compile(r"\b(\w{3,20})[ -]hole\b", re.IGNORECASE)
SINGLE = re.compile(r"\ba single\b(?: one\b)?", re.IGNORECASE)
COUNT = re.compile(r"[\"'](?:total_?)?count[\"']\s*:\s*[\"']?(\d{1,9})\b")
PRONOUN = re.compile(
    r"\b(?:the|this|that|no|any|every|each|another|which)\s+(?:(?!number|hole|answer)\w{1,30}\s+)?one\b", re.IGNORECASE
)
LARGEST = 10**12
"""Larger magnitudes are out of range."""


def read_integer(text: str, *, stated: bool) -> TextAnswer:
    """Read the one integer of a stretch of text.

    Two different integers are ambiguous, unless the text is a stated answer that begins with one. Number words count
    where there are no digits, since "the one with 3 dots" holds one number.
    """
    if re.fullmatch(r"\W*(?:nan|[-+]?inf(?:inity)?|∞)\W*", text, re.IGNORECASE) or "∞" in text[:20]:
        return refuse("non_finite", "the answer is no finite number")
    if SINGLE.search(text) and not re.search(r"\d", text) and not WORD.search(text) and says_none(text):
        return TextAnswer(0)
    text = expand(SINGLE.sub("one", text))
    whole = canonical_integer(text.strip(" .\n"))
    if whole is not None:
        return _ranged(whole)
    if (end := concluded(text)) is not None:
        return _ranged(end)
    if contradicted(text):
        return refuse("ambiguous", "the answer gives a number two values, or names more than it counts")
    if len(counts := set(COUNT.findall(text))) == 1:
        return _ranged(int(counts.pop()))
    whole_text, text = text, without_bounds(text)
    digits = [found[0] for found in NUMBER.finditer(text)]
    if (
        stated
        and digits
        and re.match(rf"[\s(\[]*(?:about|exactly|only|approximately|~)?\s*{re.escape(digits[0])}", text)
    ):
        rest = text[text.index(digits[0]) + len(digits[0]) :]
        value = canonical_integer(digits[0])
        listed = value is not None and is_listed(rest, value)
        if not listed and not re.match(r"\s*(?:or|and|to|-|/|,)\s*\d", rest):
            digits = digits[:1]
    found = digits or [word[0] for word in WORD.finditer(PRONOUN.sub(" ", text))]
    if stated and not digits and (led := LED.match(text)):
        found = [led[1]]
    values = {canonical_integer(number) for number in found}
    if any(len(number.split(".")[0].replace(",", "")) > 18 for number in digits):
        return refuse("out_of_range", "the number has too many digits")
    if None in values:
        return refuse("not_integer", "the answer holds a number that is not whole")
    if len(values) > 1:
        return refuse("ambiguous", f"the answer holds {len(values)} different numbers and states none as its answer")
    if values:
        return _ranged(values.pop() or 0)
    if says_none(text):
        return TextAnswer(0)
    if text != whole_text:
        return refuse("ambiguous", "the answer denies a number, or gives a bound or an open sum, and no number")
    return refuse("no_answer", "the answer holds no number")


def _ranged(value: int) -> TextAnswer:
    if abs(value) > LARGEST:
        return refuse("out_of_range", f"the number is beyond {LARGEST}")
    return TextAnswer(value)


def read_endpoint(text: str, count: int, *, stated: bool) -> TextAnswer:
    """Read the number of a hole, from 1 to `count`: "4", "the fourth hole", ``{"index": 4, "count": 7}``."""
    if FROM_THE_END.search(text):
        return refuse("ambiguous", "the hole is counted from the end; expected its number")
    fields = {int(found) for found in INDEX.findall(text)}
    # "Hole 3 of 6" names one hole.
    text = re.sub(rf"(?<=\d)(?:\s+\(?(?:out\s+)?of\s+(?:the\s+)?|\s?/\s?){count}\b\)?", " ", COUNT.sub(" ", text))
    avoided = AVOIDED.sub("|", text)
    if avoided != text and not re.search(r"\d", avoided):
        return refuse("ambiguous", "the answer names a hole that it denies, and no other")
    text = avoided
    answer = TextAnswer(fields.pop()) if len(fields) == 1 else read_integer(text, stated=stated)
    places = {place for place in map(ordinal, NTH.findall(text)) if place}
    if answer.reason == "no_answer" and len(places) == 1:
        answer = TextAnswer(places.pop())
    if answer.prediction is None:
        return answer
    if not 1 <= answer.prediction <= count:
        return refuse("out_of_range", f"the answer is hole {answer.prediction}; there are holes 1 to {count}")
    return TextAnswer({"index": answer.prediction, "count": count})
