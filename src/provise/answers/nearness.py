"""What prose says of marked points where the options are statements about them: "A is closer", "B is closer"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provise.choices import Option

__all__ = ["speaks_against"]

PREDICATE = re.compile(r"\s+(?:is|are|looks?|seems?|appears?|lies|sits|stands)\b[^.,;:\n]{0,60}", re.IGNORECASE)
NEAR = re.compile(r"\b(?:closer|nearer|closest|nearest|in front)\b", re.IGNORECASE)
FAR = re.compile(r"\b(?:farther|further|farthest|furthest|more distant|most distant|behind|deeper)\b", re.IGNORECASE)


def speaks_against(text: str, at: int, known: Sequence[Option]) -> bool:
    """Tell whether a letter, of which a sentence goes on to say something, is no choice of its option.

    Examples
    --------
    >>> closer = [Option("A", "A is closer"), Option("B", "B is closer")]
    >>> speaks_against("B is farther away", 1, closer), speaks_against("B is nearer", 1, closer)
    (True, False)
    """
    said = PREDICATE.match(text, at)
    if not said or not _about_points(known):
        return False
    asked = " ".join(option.text for option in known)
    kinds = [pattern for pattern in (NEAR, FAR) if pattern.search(asked)]
    return (
        len(kinds) != 1
        or not kinds[0].search(said[0])
        or (FAR if kinds[0] is NEAR else NEAR).search(said[0]) is not None
    )


def _about_points(known: Sequence[Option]) -> bool:
    """Tell whether the options' texts speak of their own letters."""
    return bool(known) and all(
        len(option.text) > len(option.label) and re.search(rf"\b{re.escape(option.label)}\b", option.text)
        for option in known
    )
