"""How a report says numbers, outcomes and what strangers wrote."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provise.evidence import say_prediction
from provise.scoring import Row

if TYPE_CHECKING:
    from provise.report.runs import LoadedRun

__all__ = [
    "OUTCOME_NAMES",
    "clean",
    "cut",
    "interval",
    "outcome_of",
    "p_value",
    "points",
    "say",
    "scrubbed",
    "title",
    "without_folders",
]

OUTCOME_NAMES: Mapping[str, tuple[str, str]] = {
    "correct": ("correct", "✓"),
    "incorrect": ("incorrect", "✗"),
    "protocol_noncompliance": ("refused", "⊘"),
    "parser_failure": ("reader failed", "⚠"),
    "generation_failure": ("no image", "∅"),
    "none": ("no outcome", "…"),
}
"""The words of ``provise score`` for the five outcomes and for none, and a sign for each: colour never stands alone."""


def points(value: float | None, *, sign: bool = False) -> str:
    """Return a percentage or a difference to one decimal, a dash for none; a minus is a minus, not a hyphen.

    Examples
    --------
    >>> points(82.142857), points(None), points(-3.04, sign=True), points(-0.01, sign=True)
    ('82.1', '–', '−3.0', '0.0')
    """
    if value is None:
        return "–"
    text = f"{value:+.1f}" if sign else f"{value:.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def interval(part: Mapping[str, Any], *, sign: bool = False) -> str:
    """Return the 95 % interval of a part of a summary; empty where it has none.

    Examples
    --------
    >>> interval({"low": 67.857, "high": 92.857})
    '67.9 to 92.9'
    """
    low, high = part.get("low"), part.get("high")
    return "" if low is None or high is None else f"{points(low, sign=sign)} to {points(high, sign=sign)}"


def p_value(p: float) -> str:
    """Return a p-value with its sign.

    Examples
    --------
    >>> p_value(0.0631), p_value(0.00002), p_value(1.0)
    ('p = .063', 'p < .001', 'p = 1')
    """
    if p < 0.001:
        return "p < .001"
    return "p = 1" if p > 0.9995 else f"p = {p:.3f}".replace("0.", ".")


def title(name: str) -> str:
    """Return the name of a task or a capability for a person.

    Examples
    --------
    >>> title("mental_modeling")
    'mental modeling'
    """
    return clean(name.replace("_", " "))


def outcome_of(row: Row) -> str:
    """Return the row's key in `OUTCOME_NAMES`."""
    return "none" if row.error or row.outcome is None else row.outcome


def clean(text: str) -> str:
    """Take out what no text should hold: control characters (line ends stay) and halves of characters.

    Examples
    --------
    >>> clean("a" + chr(0) + "b" + chr(0xD800))
    'a�b�'
    """
    return "".join(
        "\ufffd" if (unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t") or c in "\ufffe\uffff" else c
        for c in text
    )


def cut(text: str, longest: int) -> str:
    """Shorten a text to at most so many characters, with an ellipsis where something is left out.

    Examples
    --------
    >>> cut("twelve words", 7)
    'twelve…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def say(value: Any, longest: int = 400) -> str:
    """Say a prediction, or a truth as the benchmark writes it, in one line."""
    if isinstance(value, str):
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            found = None
        value = found if isinstance(found, list | dict) else value
    try:
        text = value if isinstance(value, str) else say_prediction(value)
    except (ValueError, TypeError, RecursionError):
        text = str(value)
    return cut(clean(text), longest)


def scrubbed(text: str, run: LoadedRun) -> str:
    """Take the folders of this machine out of a message: the run's own, the benchmark's, that of the answers."""
    answers = str(run.about.get("responses") or "")
    where = {str(run.folder.resolve()), str(run.folder), str(run.about.get("root") or ""), str(Path(answers).parent)}
    for folder in sorted(where - {"", ".", "/"}, key=len)[::-1]:
        # Whole names alone: a run in the folder "run" is to change no sentence that speaks of a run.
        named = rf"(?<![\w./\\-]){re.escape(folder)}"
        text = re.sub(rf"{named}[/\\]", "", text)
        if Path(folder).is_absolute():
            text = re.sub(rf"{named}(?![\w-])", "…", text)
    return clean(text)


def without_folders(text: str) -> str:
    """Leave of each absolute path in a text its last name.

    Examples
    --------
    >>> without_folders("no weights at /home/me/clip.pt; see https://example.org/a/b")
    'no weights at clip.pt; see https://example.org/a/b'
    """
    return re.sub(r"(?<![\w.:/])/(?:[^\s/:;,'\"]+/)+", "", text)
