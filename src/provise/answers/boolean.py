"""True or false, with its negations."""

from __future__ import annotations

import re

from provise.answers.answer import TextAnswer, refuse
from provise.labels import canonical_boolean

__all__ = ["read_boolean"]

ECHO = re.compile(r"\b(?:true or false|yes or no|false or true|no or yes|true/false|yes/no)\b[?:]?", re.IGNORECASE)
STRONG = re.compile(
    r"\b((?:not|never|isn't|is not|n't|neither|hardly|cannot be)\s+(?:\w+\s+){0,2}?)?"
    r"(true|false|correct|incorrect|untrue)\b(?!\s+(?:answer|response|option|choice))",
    re.IGNORECASE,
)
LEADING = re.compile(r"\W*(yes|no|true|false)\b", re.IGNORECASE)
WEAK = re.compile(r"\b(yes|no)\b", re.IGNORECASE)
BOTH = re.compile(r"\W*(?:yes|no|true|false)\s*(?:and|or|/|&)\s*(?:yes|no|true|false)\b", re.IGNORECASE)
AFFIRMED = ("true", "correct", "yes")


def read_boolean(text: str) -> TextAnswer:
    """Read a boolean. "Not true" is false; "not false" claims nothing definite and is ambiguous."""
    whole = canonical_boolean(text)
    if whole is not None:
        return TextAnswer(whole)
    text = ECHO.sub(" ", text)
    if BOTH.match(text):
        return refuse("ambiguous", "the answer says both")
    if led := LEADING.match(text):
        return TextAnswer(led[1].lower() in AFFIRMED)
    strong: set[bool | None] = set()
    for found in STRONG.finditer(text):
        said = found[2].lower() in AFFIRMED
        strong.add(said if not found[1] else (False if said else None))
    if strong:
        value = strong.pop()
        if strong or value is None:
            return refuse("ambiguous", "the answer both affirms and denies")
        return TextAnswer(value)
    weak = {found[1].lower() == "yes" for found in WEAK.finditer(text)}
    if len(weak) == 1:
        return TextAnswer(weak.pop())
    return (
        refuse("ambiguous", "the answer says yes and no") if weak else refuse("no_answer", "neither yes nor no is said")
    )
