"""Numbers that a text names and does not mean: bounds, denied numbers, parts of a whole, sums left undone."""

from __future__ import annotations

import re

from provise.numerals import WORD, canonical_integer

__all__ = ["concluded", "contradicted", "is_listed", "without_bounds"]

_VALUE = rf"(?:\d[\d,]{{0,20}}(?:\.\d{{1,9}})?|{WORD.pattern})"
BOUND = re.compile(
    rf"(?:(?:\b{_VALUE}\s+)?\b(?:more|less|fewer|greater|larger|smaller|higher|lower)\s+than|\bat\s+(?:least|most)|\bup\s+to|\b(?:max|min)(?:imum)?\.?(?:\s+of)?"
    r"|(?:^\s*|\b(?:are|is|were|was|well|just)\s+)(?:over|under|above|below)\s|[<≤](?![^<>\n]{0,80}>)=?|(?<![<\w\"/-])[>≥]=?)"
    rf"\s*{_VALUE}"
    rf"|\b(?:twice|double|thrice|triple|half)\s+{_VALUE}"
    rf"|{_VALUE}\s?(?:\+(?!\s?\d)|\s?or\s+(?:more|less|fewer)\b|\s?per\s?cent\b|\s?and\s+a\s+(?:half|quarter)\b)",
    re.IGNORECASE,
)
"""More than 5, at least five, < 5, 5+: no number, but a side of one."""

DENIED = re.compile(
    rf"\b(?:(?:not|never|nor|neither|\w{{1,9}}n't|rather\s+than|instead\s+of)\s+"
    rf"(?:just\s+|only\s+|exactly\s+|be\s+|see\s+|count\s+|find\s+|have\s+|show\s+|contain\s+)?"
    rf"|no\s+(?=two\b|three\b)){_VALUE}",
    re.IGNORECASE,
)
ROWS = re.compile(
    rf"(?<![\w.,]){_VALUE}\s+(?:(?:rows|columns|groups|sets|stacks|piles|pairs|bunches|clusters|lines|layers|boxes|packs|shelves|bags)"
    rf"\s+(?:of|with)\s+{_VALUE}|\w{{2,30}}\s+(?:with|of|containing|holding)\s+{_VALUE}(?:\s+\w{{2,30}})?\s+each\b)",
    re.IGNORECASE,
)
"""A product left undone: "3 rows of 4"."""

TWICE = re.compile(
    rf"(?<![\w.,])(\d{{1,9}}|{WORD.pattern})\s{{0,2}}\(\s?(\d{{1,9}}|{WORD.pattern})\s?\)", re.IGNORECASE
)
MORE = re.compile(
    r"(?:\band|\bplus|,)\s+(?:yet\s+)?another\s+(?!view|angle|image|picture|look|way|perspective|photo)", re.IGNORECASE
)
ENDS = (
    re.compile(r"=\s*(\d{1,15})(?:\s+[a-z]{1,20}){0,4}\s*[.!]?\s*$", re.IGNORECASE),
    re.compile(
        r"\b(?:total|sum|count)\s*(?::|=|\bis\b|\bof\b)?\s*(\d{1,15})(?:\s+[a-z]{1,20}){0,3}\s*[.!]?\s*$", re.IGNORECASE
    ),
)
ALL_TOLD = re.compile(
    rf"\b(?:in\s+total|in\s+all|altogether|overall)[,:]?\s+(?:there\s+(?:are|is)\s+|I\s+(?:see|count)\s+|we\s+have\s+)?"
    rf"(\d{{1,9}}|{WORD.pattern})(?:\s+[a-z]{{1,20}}){{0,3}}\s*[.!]?\s*$",
    re.IGNORECASE,
)
PARTED = re.compile(rf"\W*(\d{{1,9}}|{WORD.pattern})(?:\s+[a-z]{{1,20}}){{0,3}}\s?[(:]", re.IGNORECASE)
"""A number before its parts: "7 (3 in front, 4 behind)"."""

IN_TOTAL = re.compile(
    r"(?<![+×*\d.,-])(?<![+×*-] )\b(\d{1,15})\s+(?:in\s+total|in\s+all|altogether|total)\b", re.IGNORECASE
)
NAMED_TOTAL = re.compile(
    rf"(?<![\w.,])(\d{{1,9}}|{WORD.pattern})\s+(?:[a-z]{{2,20}}\s+){{1,3}}(?:in\s+total|in\s+all|altogether)\b",
    re.IGNORECASE,
)
TOTAL_OF = re.compile(rf"\ba\s+total\s+of\s+(\d{{1,9}}(?![\w%]|[.,]\d)|{WORD.pattern})", re.IGNORECASE)
EACH = re.compile(r"\b(?:each|per|every)\b", re.IGNORECASE)
EVERY = re.compile(rf"(?<![\w.,])(?:\d{{1,9}}(?![\w%]|[.,]\d)|{WORD.pattern})", re.IGNORECASE)
UNDONE = re.compile(r"\d{1,15}(?:\s?[+×]\s?\d{1,15}){1,40}")
LISTED = re.compile(
    r"\s+[a-z]{2,20}(?:\s+[a-z]{2,20})?\s*(?:,|&|\+|;|\band\b|\bplus\b)(?:\s*and)?\s*(\d{1,9})\s+[a-z]", re.IGNORECASE
)


def without_bounds(text: str) -> str:
    """Take off the numbers that are only denied, bounds, or parts of a sum without its result.

    Examples
    --------
    >>> without_bounds("more than 3; I count 5"), without_bounds("not 5 but 6")
    ('|; I count 5', '| but 6')
    """
    text = text if "=" in text else ROWS.sub("|", UNDONE.sub("|", text))
    return DENIED.sub("|", BOUND.sub("|", text))


def concluded(text: str) -> int | None:
    """Find the number that a text works towards: "3 + 4 = 7", "total: 7", "7 in total".

    Examples
    --------
    >>> concluded("3 + 4 = 7 cups."), concluded("3 red and 4 blue, 7 in total"), concluded("3 red and 4 blue")
    (7, 7, None)
    """
    for pattern in ENDS:
        if found := pattern.search(text):
            return int(found[1])
    if told := ALL_TOLD.search(text):
        return canonical_integer(told[1])
    if whole := PARTED.match(text):
        total, parts = (
            canonical_integer(whole[1]),
            [canonical_integer(at[0]) for at in EVERY.finditer(text, whole.end())],
        )
        if len(parts) > 1 and sum(part or 0 for part in parts) == total:
            return total
    totals = {int(total) for total in IN_TOTAL.findall(text)}
    if not totals and (named := NAMED_TOTAL.search(text) or TOTAL_OF.search(text)):
        # Of "3 red and 4 blue cups in total" the 4 is no total: it must be the sum of all others.
        total = canonical_integer(named[1])
        others = [canonical_integer(found[0]) for found in EVERY.finditer(text) if found.start() != named.start(1)]
        summed = not others or sum(other or 0 for other in others) == total
        each = len(others) == 1 and others[0] and total and total % others[0] == 0 and EACH.search(text)
        totals = {total} if total is not None and (summed or each) else set()
    return totals.pop() if len(totals) == 1 else None


def contradicted(text: str) -> bool:
    """Tell whether a number stands beside another value of it, or beside more of the same that nobody counted.

    Examples
    --------
    >>> contradicted("four (5)"), contradicted("four (4)"), contradicted("one cat and another cat")
    (True, False, True)
    """
    pairs = [(canonical_integer(found[1]), canonical_integer(found[2])) for found in TWICE.finditer(text)]
    return any(first != second for first, second in pairs) or MORE.search(text) is not None


def is_listed(rest: str, lead: int) -> bool:
    """Tell whether a number is the first of a list of parts, from what follows it: "3 | red, 4 blue".

    In "7 | cups, 3 red and 4 blue" it is their sum, and no part.
    """
    if not LISTED.match(rest):
        return False
    return sum(int(part) for part in re.findall(r"(?<![\w.,])\d{1,9}(?![\w%])", rest.split(".")[0])) != lead
