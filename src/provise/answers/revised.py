"""Answers taken back: what a text says after "wait", "actually", "correction"."""

from __future__ import annotations

import re

__all__ = ["second_thought"]

BACK = re.compile(
    r"(?:^|[.!?;:,(\n→>-]|\.{3})[\s(*-]{0,3}(?:(?:h+m+|oh|oops|no|but|and|ah|sorry|apologies)[,.!]{0,3}\s{1,2}){0,2}"
    r"(h+m+,? no|(?:wh?)?oops|(?:corrected|changed|revised) to"
    r"|wait|actually|correction|edit(?:ed)?|update|(?:scratch|strike) that|make that|on second thoughts?|on reflection"
    r"|on (?:a )?closer (?:look|inspection)|let me (?:re-?\w{1,12}|correct|look again|count again|think again)"
    r"|I mean|I meant|my (?:mistake|bad)|I (?:was|am) (?:wrong|mistaken)|I misread|I miscounted|or rather)\b"
    r"[\s,.:!-]{0,4}",
    re.IGNORECASE,
)
FILLER = re.compile(r"\b(?:h+m+|oh|oops|but|and|ah|ok(?:ay)?|so|well)\b", re.IGNORECASE)


def second_thought(text: str) -> str:
    """Return what follows the last place where a text takes itself back; empty where it does not.

    Examples
    --------
    >>> second_thought("B. On reflection, it should be D"), second_thought("B, which is actually left of D")
    ('it should be D', '')
    """
    places = list(BACK.finditer(text))
    found = places[-1] if places else None
    # A text that begins with "Actually" takes nothing back.
    return text[found.end() :].strip() if found and re.search(r"\w", FILLER.sub("", text[: found.start(1)])) else ""
