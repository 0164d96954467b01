"""What a reader of words returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["TextAnswer", "refuse"]


@dataclass(frozen=True)
class TextAnswer:
    """A prediction read from words, or the reason why there is none.

    Parameters
    ----------
    prediction : object
        In the JSON form of its kind; None where nothing was read.
    reason : str
        ``""``, or ``empty``, ``no_answer``, ``ambiguous``, ``truncated``, ``non_finite``, ``out_of_range``,
        ``unknown_unit``, ``missing_unit``, ``not_integer``, ``malformed``, ``no_path``, ``missing_aid``.
    message : str
        One sentence for a person.
    """

    prediction: Any = None
    reason: str = ""
    message: str = ""


def refuse(reason: str, message: str) -> TextAnswer:
    """Make an answer without a prediction."""
    return TextAnswer(None, reason, message)
