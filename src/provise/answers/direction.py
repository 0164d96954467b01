"""One of eight directions, in words."""

from __future__ import annotations

import re

from provise.answers.answer import TextAnswer, refuse
from provise.labels import canonical_direction

__all__ = ["read_direction"]

_SIDE, _DEPTH = r"(?:left|right)", r"(?:in front|front|ahead|forwards?|backwards?|back|behind|rear)"
PHRASE = re.compile(
    rf"(?<![\w])((?:not|never|neither|nor|cannot|opposite (?:of|to)|away from|\w{{1,9}}n't)\s+"
    rf"(?:be\s+|facing\s+|to\s+|the\s+){{0,3}})?"
    rf"({_DEPTH}\s?[-/ ]?\s?{_SIDE}|{_SIDE}\s?[-/ ]?\s?{_DEPTH}|{_DEPTH}|{_SIDE}(?:wards?)?)(?![\w])",
    re.IGNORECASE,
)
VERTICAL = re.compile(
    r"\b(?:above|below|up|down|upper|lower|top|bottom)[- ](?:left|right|front|back)\b"
    r"|\b(?:left|right|front|back)-(?:up|down|above|below)\b",
    re.IGNORECASE,
)
IDIOM = re.compile(
    r"\b(?:that's|that is|you're|you are|all)\s+right\b(?!-|\s+(?:of|side|front|back|behind|rear))"
    r"|(?<!\bthe )(?<!\bits )(?<!\bhis )(?<!\bher )\bright(?=\s+(?:away|now|in front of|beside|next to|answer|choice|option"
    r"|behind\s+(?:the|a|an|him|her|it|them|you|us|me|his|its|their))\b)",
    re.IGNORECASE,
)
"""A "right" that is no side: "that's right", "right away", "right in front of the sofa"."""

CAMERA = re.compile(
    r"((?:\bnot|n't)\s+(?:facing\s+|look\w*\s+|turned\s+)?)?\b(away from|facing|towards?|at)\s+"
    r"(?:(?:to|at)\s+)?the\s+(?:camera|viewer|observer)\b(?!'s)",
    re.IGNORECASE,
)


def read_direction(text: str) -> TextAnswer:
    """Read the one direction a text names; towards the camera is front, away from it is back."""
    text = VERTICAL.sub(" | ", IDIOM.sub(" | ", text))  # "above-left" is none of the eight, and no "left" either
    found = {
        canonical_direction(re.sub(r"[\s/-]+", " ", match[2]))
        for match in PHRASE.finditer(text)
        if not match[1]
    } - {None}  # fmt: skip
    depth = {"back" if match[2].lower() == "away from" else "front" for match in CAMERA.finditer(text) if not match[1]}
    if len(depth) == 1:
        front = depth.pop()
        sides = found - {front}
        # "Facing right while facing the camera" is one oblique direction, not two straight ones.
        found = {f"{front}-{side}" for side in sides} if sides and sides <= {"left", "right"} else sides | {front}
    if len(found) == 1:
        return TextAnswer(found.pop())
    if found:
        return refuse("ambiguous", f"the answer names {', '.join(sorted(str(name) for name in found))}")
    return refuse("no_answer", "no direction is named")
