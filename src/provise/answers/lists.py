"""Options that a text only lists: repeated from the question, ticked off, or named by their place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provise.choices import Choices, Option
from provise.labels import to_label
from provise.numerals import ordinal

__all__ = ["by_place", "ticked", "without_list"]

TICK = re.compile(r"[✅✔☑✓]\ufe0f?|\[[xX]\]")
PLACE = re.compile(r"\W*(?:the\s+)?(\w{2,10})(?:\s+(?:option|choice|one|answer|alternative))?\W*", re.IGNORECASE)


def without_list(text: str, known: Sequence[Option]) -> str:
    """Take off the options repeated in their order, each with its letter: of a list nothing is chosen.

    Examples
    --------
    >>> without_list("A. cat, B. dog. It is the dog.", [Option("A", "cat"), Option("B", "dog")])
    '|. It is the dog.'
    """
    if len(known) < 2 or any(len(option.text) < 2 for option in known):
        return text
    items = (rf"[(\[]?{re.escape(option.label)}\s?[)\]:.]{{1,2}}\s{{0,2}}{re.escape(option.text)}" for option in known)
    return re.sub(r"(?<!\w)" + r"\W{1,12}".join(items) + r"(?!\w)", "|", text, flags=re.IGNORECASE)


def ticked(lines: Sequence[str], choices: Choices) -> str | None:
    """Find the option of the only line of several that is ticked.

    Examples
    --------
    >>> ticked(["A ❌", "B ✅", "C ❌"], ["A", "B", "C"])
    'B'
    """
    marked = [line for line in lines if TICK.search(line)]
    return to_label(TICK.sub("", marked[0]).strip(" -*•"), choices) if len(marked) == 1 < len(lines) else None


def by_place(text: str, known: Sequence[Option]) -> str | None:
    """Find the option that a text names by its place, and by nothing else: "the second option".

    Examples
    --------
    >>> by_place("the second option.", [Option("A", "cat"), Option("B", "dog")])
    'B'
    """
    found = PLACE.fullmatch(text)
    place = ordinal(found[1]) if found else None
    return known[place - 1].label if place and place <= len(known) else None
