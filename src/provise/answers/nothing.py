"""None at all, in words: "no chairs are visible" counts zero of them."""

from __future__ import annotations

import re

__all__ = ["says_none"]

_ABOUT = (
    "way|doubt|question|answer|information|image|picture|photo|file|telling|evidence|indication|need|idea|clue|problem|issue|reason"
    "|sense|point|sign|basis|worry|worries|context|number|data|attachment|thank|comment|response|reply|result|count|detail|conclusion"
    "|estimate|determination|match|means|access|ability|tool|change|entry|entries|instruction|option|choice|prompt|input|description"
    "|error|solution|limit|guarantee|mention|hint|one|wonder|view"
)
"""Things of which there may be none without a word on the count."""

_MATTERS = (
    rf"(?!(?:[a-z-]{{1,20}} )?(?:{_ABOUT})(?:e?s)?\b"
    r"|(?:clear|exact|precise|definit\w{{1,4}}|reliable|other|more|fewer|less|longer|specific|two|of)\b)"
)
_MANY = r"(?:[a-z-]{1,30}s|people|men|women|children|sheep|fish|deer|mice|geese)"
NOTHING = re.compile(
    r"\s*(?:none|nothing|nil)(?: (?:are|is|were|can be|visible|present|seen|shown|found|here|there|at all|in|the|this|image"
    r"|picture|photo|scene)\b){0,8}\W*"
    rf"|.{{0,40}}(?:\bnot|n't) a single {_MATTERS}.*|.{{0,40}}\bthere(?: are| is|'s|'re)(?: none\b|n't any\b"
    rf"| no {_MATTERS}).*"
    r"|\W*I (?:can )?(?:see|find|found|count|counted) none\W*"
    rf"|\W*no {_MATTERS}(?:[a-z-]{{2,30}} ){{0,3}}{_MANY}(?: whatsoever| at all)?"
    r"(?: (?:in|on|at|inside|under|near|around|within) (?:[a-z-]{1,20} ){0,3}[a-z-]{1,20})?[.!]?\W*"
    rf"|\W*no {_MATTERS}[a-z-]{{2,30}}(?: [a-z-]{{1,30}}){{0,3}} (?:are|is|were|was|can be|could be|appears?) .*"
    r"|.{0,60}\b(?:I (?:can )?(?:see|detect|spot|find|found|count|counted)|(?:image|picture|photo|scene) (?:contains|shows|has))"
    rf" (?:no|zero) {_MATTERS}.*"
    r"|.{0,30}\b(?:(?:do|could|does|did)(?:n't| not)|can't|cannot|can not) (?:see|spot|find|detect|contain|show) any"
    rf" {_MATTERS}.*",
    re.IGNORECASE | re.DOTALL,
)
UNSURE = re.compile(
    r"\b(?:blurr\w{1,3}|too dark|unclear|not sure|unsure|unable|sorry|provided|attached|upload|hard to|difficult|resolution"
    r"|may|might|perhaps|possibly|maybe|except|besides|apart from|other than|(?:can't|cannot|can not) (?:tell|say|determine|count)"
    r"|another|but)\b",
    re.IGNORECASE,
)
"""What leaves open whether "no chairs" means that there are none."""


def says_none(text: str) -> bool:
    """Tell whether a text without a number says that there are none of what was asked for.

    Examples
    --------
    >>> says_none("No chairs are visible."), says_none("No image is visible."), says_none("No idea")
    (True, False, False)
    """
    return NOTHING.fullmatch(text) is not None and UNSURE.search(text) is None
