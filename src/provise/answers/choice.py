"""The letter of an option, from its letter or its text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provise.answers.answer import TextAnswer, refuse
from provise.answers.integer import read_integer
from provise.choices import Option
from provise.labels import fold, to_label
from provise.numerals import canonical_integer

__all__ = ["read_choice"]

LEAD = re.compile(
    r"(?:(?:(?i:the|option|choice|image|picture|candidate|answer|letter|is))[\s:]*)*[(\[]?([A-Z])(?![\w'+#])[)\]]?"
)
MORE = re.compile(r"\s*(?:,|/|&|\band\b|\bor\b|\s)\s*(?:(?i:option|choice)\s+)?[(\[]?([A-Z])[)\]]?(?![\w'])")
_LETTER = r"(?:(?i:option|choice|point|image|picture|candidate)\s+)?[(\[]?([A-Z])[)\]]?(?![\w'+#])"
NAMED = re.compile(rf"(?<![\w']){_LETTER}")
_PLAIN = _LETTER.replace("([A-Z])", "[A-Z]")
REJECTED = re.compile(
    rf"(?<![\w'])(?i:not|\w{{1,9}}n't|neither|nor|than)\s+{_PLAIN}(?:\s*,?\s*(?i:or|nor)\s+{_PLAIN}){{0,25}}"
)
"""Letters set aside: "not A", "isn't (A) or C", "nearer than B"."""

CLAUSE = re.compile(r"[,;:\n]|\.(?=\s|$)|\b(?:because|since)\b")
DENIED = re.compile(r"\s+(?:isn't|fails|(?:is|are)\s+(?:not|wrong|incorrect|false|a tempting))\b")
NOT_WORD = re.compile(r"(?:[^\w.,-]|(?<!\d)[.,]|[.,](?!\d)|(?<=\w)-|-(?!\d))+")
"""What stands between words; a decimal point and a sign belong to their number, so that "2.3 m" holds no "3 m"."""

ARTICLE = re.compile(r"\s+[a-z]")
VERB = re.compile(r"\s+(?:is|are|was|because|since|as|shows?|matches|would|fits|seems|looks|and|or)\b")


def read_choice(text: str, known: Sequence[Option], *, stated: bool) -> TextAnswer:
    """Read one option from a stretch of text.

    Parameters
    ----------
    text : str
        Cleaned.
    known : sequence of Option
        Without them any capital letter is one.
    stated : bool
        Whether the text follows "Answer:" or the like, so that its first letter counts.
    """
    choices = [{"label": option.label, "text": option.text} for option in known]
    labels = {option.label for option in known}
    if label := to_label(text, choices):
        return TextAnswer(label)
    if stated:
        return _lead(text, labels, choices) or _anywhere(text, known, choices)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    whole = {label for line in lines for label in [to_label(line, choices)] if label} if len(lines) <= 400 else set()
    if len(whole) == 1:
        return TextAnswer(whole.pop())
    if whole:
        return refuse("ambiguous", f"lines of the answer name {', '.join(sorted(whole))}")
    first = lines[0] if lines else ""
    if re.match(r"[(\[]?[A-Z](?:[)\].:,]|\s*$|\s+[-(])", first) and (led := _lead(first, labels, choices)):
        return led
    return _anywhere(text, known, choices)


def _article(text: str, at: int, letter: str) -> bool:
    """Tell whether a letter is the article A or the pronoun I: a small word follows that is no verb of an option."""
    return letter in "AI" and bool(ARTICLE.match(text, at)) and not VERB.match(text, at)


def _lead(text: str, labels: set[str], choices: list[dict[str, str]]) -> TextAnswer | None:
    found = LEAD.match(text)
    if not found or _article(text, found.end(), found[1]):
        return None
    if labels and found[1] not in labels:
        return refuse("out_of_range", f"the answer is {found[1]}; the options are {', '.join(sorted(labels))}")
    more = MORE.match(text, found.end())
    if more and more[1] != found[1] and (not labels or more[1] in labels):
        return refuse("ambiguous", f"the answer names {found[1]} and {more[1]}")
    beside = to_label(CLAUSE.split(text[found.end() :].lstrip(" .:)]-"), maxsplit=1)[0].strip(), choices)
    if beside and beside != found[1]:
        return refuse("ambiguous", f"the answer names {found[1]} with the text of {beside}")
    return TextAnswer(found[1])


def _anywhere(text: str, known: Sequence[Option], choices: list[dict[str, str]]) -> TextAnswer:
    labels = {option.label for option in known}
    offered = REJECTED.sub(" | ", text)
    letters = {
        found[1]
        for found in NAMED.finditer(offered)
        if (not labels or found[1] in labels)
        and not DENIED.match(offered, found.end())
        and not _article(offered, found.end(), found[1])
    }
    texts = _texts(text, known)
    both = letters | texts
    if len(both) == 1:
        return TextAnswer(both.pop())
    if len(both) > 1:
        return refuse("ambiguous", f"the answer names {', '.join(sorted(both))} and settles on none")
    start = re.match(r"\s*(?i:(yes|no|true|false))\b", text)
    if start and (label := to_label(start[1], choices)):
        return TextAnswer(label)
    if known and all(canonical_integer(option.text) is not None for option in known):
        number = read_integer(text, stated=False)
        label = None if number.prediction is None else to_label(number.prediction, choices)
        if label:
            return TextAnswer(label)
        if number.prediction is not None:
            return refuse("out_of_range", f"the answer is {number.prediction}, which no option says")
    return refuse("no_answer", "no option is named, by letter or by text")


def _texts(text: str, known: Sequence[Option]) -> set[str]:
    """Find option texts as whole words, longer ones first: "front left" holds no "left"."""
    rest = " " + NOT_WORD.sub(" ", fold(text)) + " "
    found: set[str] = set()
    entries = [(NOT_WORD.sub(" ", fold(option.text)).strip(), option.label) for option in known]
    for words, label in sorted(entries, key=lambda entry: -len(entry[0])):
        if len(words) < 2 or f" {words} " not in rest:
            continue
        positive = rest.replace(f" not {words} ", " | ")
        if f" {words} " in positive:
            found.add(label)
        rest = positive.replace(f" {words} ", " | ")
    return found
