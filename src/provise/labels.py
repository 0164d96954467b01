"""The one canonicaliser: letters, option texts, booleans, directions and numbers meet in one form here."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "DIRECTIONS",
    "Option",
    "canonical_boolean",
    "canonical_direction",
    "fold",
    "options",
    "same",
    "split_options",
    "to_direction",
    "to_label",
]

DIRECTIONS = ("front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left")
"""The eight directions in EgoOrientBench's fixed order, lettered A to H there."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TRUE, FALSE = frozenset({"true", "yes"}), frozenset({"false", "no"})

LEAD = re.compile(
    r"^\s*(?:\(\s*([A-Za-z])\s*\)|\[\s*([A-Za-z])\s*\]|([A-Za-z])\s*[.):]|option\s+([A-Za-z])\b[.:)]?)\s*",
    re.IGNORECASE,
)
BARE = re.compile(r"^\s*[(\[]?\s*([A-Za-z])\s*[)\].:]?\s*$")
SPLIT = re.compile(r"(?:^|[\n,;]\s*|\s+)(?:\(([A-Z])\)|([A-Z])[.:)])\s*")
RANGE = re.compile(r"^\s*([A-Z])\s*-\s*([A-Z])\s*$")


@dataclass(frozen=True)
class Option:
    """One option: its letter and its text."""

    label: str
    text: str


def fold(text: str) -> str:
    """Return a text in one form: full-width folded, lower case, single spaces, no closing punctuation.

    Examples
    --------
    >>> fold("  Ｔhe  Left. ")
    'the left'
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(plain.split()).strip(" .!?;,\"'`*")


def canonical_direction(text: Any) -> str | None:
    """Return one of the eight directions, or None.

    Examples
    --------
    >>> [canonical_direction(t) for t in ("Front Left", "H. front-left", "frontleft", "left front", "bright")]
    ['front-left', 'front-left', 'front-left', 'front-left', None]
    """
    if not isinstance(text, str):
        return None
    words = re.findall(r"[a-z]+", fold(LEAD.sub("", unicodedata.normalize("NFKC", text), count=1)))
    glued = "".join(words)
    for first in ("front", "back"):
        for second in ("left", "right"):
            if glued in (first + second, second + first):
                return f"{first}-{second}"
    return glued if glued in DIRECTIONS else None


def canonical_boolean(value: Any) -> bool | None:
    """Return a boolean for True, False, true, false, yes and no; None for everything else.

    Examples
    --------
    >>> canonical_boolean("Yes."), canonical_boolean("not true"), canonical_boolean(1)
    (True, None, None)
    """
    if isinstance(value, bool):
        return value
    if not isinstance(value, str):
        return None
    word = fold(value)
    return True if word in TRUE else False if word in FALSE else None


def split_options(text: str) -> tuple[str, ...]:
    """Return the options of one string: ``A. front\\nB. back`` or ``A: red, B: green``; ``A-D`` gives the letters.

    Examples
    --------
    >>> split_options("A: Boy, girl, B: Oak, tree, C: None")
    ('A: Boy, girl', 'B: Oak, tree', 'C: None')
    >>> split_options("A-D")
    ('A', 'B', 'C', 'D')
    """
    span = RANGE.match(text)
    if span and span.group(1) < span.group(2):
        return tuple(chr(c) for c in range(ord(span.group(1)), ord(span.group(2)) + 1))
    starts: list[re.Match[str]] = []
    for match in SPLIT.finditer(text):
        letter = match.group(1) or match.group(2)
        # Letters run upwards; one out of turn is part of an option's text. A key may leave a letter out.
        if (not starts and letter == "A") or (starts and letter > (starts[-1].group(1) or starts[-1].group(2))):
            starts.append(match)
    if len(starts) < 2:
        return tuple(part.strip() for part in re.split(r"[\n;|]", text) if part.strip())
    ends = [m.start() for m in starts[1:]] + [len(text)]
    return tuple(text[m.start() : end].strip(" \n,;") for m, end in zip(starts, ends, strict=True))


def options(choices: Sequence[Any] | str) -> tuple[Option, ...]:
    """Return options with their letters.

    Parameters
    ----------
    choices : sequence of str or mapping, or str
        ``["A. back", ...]``, ``["(A) A is closer", ...]``, plain texts, mappings with ``label`` and ``text``, or one
        string (see `split_options`). Letters written in the texts are used where all of them are; else A, B, C, ...

    Examples
    --------
    >>> options(["a blue ball", "a bear", "A red cube"])[2]
    Option(label='C', text='A red cube')
    """
    items = split_options(choices) if isinstance(choices, str) else tuple(choices)
    texts: list[str] = []
    labels: list[str] = []
    for index, item in enumerate(items):
        letter = LETTERS[index] if index < 26 else str(index + 1)
        if isinstance(item, Mapping):
            text = next((str(item[k]) for k in ("text", "value", "answer") if item.get(k) is not None), "")
            labels.append(str(item.get("label", letter)).strip("() .").upper())
        else:
            text = str(item)
            labels.append(letter)
        texts.append(text.strip())
    written = [_written(text) for text in texts]
    letters = [letter for letter, _ in written]
    # Written letters run upwards from A; "x" and "y" are texts.
    if texts and letters[0] == "A" and all(a < b for a, b in itertools.pairwise(letters)):
        return tuple(Option(letter, text) for letter, text in written)
    return tuple(Option(label, text) for label, text in zip(labels, texts, strict=True))


def _written(text: str) -> tuple[str, str]:
    """Return the letter an option's text begins with, and the rest; no letter where it has none."""
    bare = BARE.match(text)
    if bare:
        return bare.group(1).upper(), text.strip()
    lead = LEAD.match(text)
    if not lead:
        return "", text
    letter = next(group for group in lead.groups() if group)
    return letter.upper(), text[lead.end() :].strip()


def to_label(value: Any, choices: Sequence[Any] | str) -> str | None:
    """Return the letter that a value names among the options, or None.

    A text is looked up among the options' texts first, then read as a letter; a boolean and a number are values
    before they are anything else, and a direction is spelt in any form.

    Examples
    --------
    >>> to_label("A red cube", ["a blue ball", "a bear", "A red cube"])
    'C'
    >>> to_label(3, ["2", "3", "4", "5"]), to_label(True, ["no", "yes"]), to_label("(B)", ["x", "y"])
    ('B', 'B', 'B')
    """
    offered = options(choices)
    for match in (_by_text, _by_letter, _by_value):
        found = match(value, offered)
        if found is not None:
            return found
    return None


def _only(labels: list[str]) -> str | None:
    return labels[0] if len(labels) == 1 else None


def _by_text(value: Any, offered: tuple[Option, ...]) -> str | None:
    if not isinstance(value, str):
        return None
    exact = [o.label for o in offered if o.text.strip() == value.strip()]
    return _only(exact) or _only([o.label for o in offered if fold(o.text) == fold(value) != ""])


def _by_letter(value: Any, offered: tuple[Option, ...]) -> str | None:
    if not isinstance(value, str):
        return None
    plain = unicodedata.normalize("NFKC", value)
    letter, rest = _written(plain)
    named = next((o for o in offered if o.label == letter), None)
    if named is None:
        return None
    if BARE.match(plain) or not offered[0].text:
        return letter
    # "B. yes": the letter counts if what follows is that option's text, or no other option's.
    follows = [o.label for o in offered if fold(o.text) == fold(rest)]
    return letter if not follows or letter in follows else None


def _by_value(value: Any, offered: tuple[Option, ...]) -> str | None:
    truth = canonical_boolean(value)
    if truth is not None:
        return _only([o.label for o in offered if canonical_boolean(o.text) is truth])
    number = _number(value)
    if number is not None:
        return _only([o.label for o in offered if _number(o.text) == number])
    direction = canonical_direction(value)
    if direction is not None:
        return _only([o.label for o in offered if canonical_direction(o.text) == direction])
    return None


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,15}(\.\d{1,15})?", fold(value)):
        return float(fold(value))
    return None


def to_direction(value: Any, choices: Sequence[Any] | str = ()) -> str | None:
    """Return the direction that a value names: by its words, else by its letter among the options.

    Without options the letters are EgoOrientBench's, A for front to H for front-left.

    Examples
    --------
    >>> to_direction("(H)"), to_direction("B", ["right", "back", "front", "left"])
    ('front-left', 'back')
    """
    words = canonical_direction(value)
    if words is not None:
        return words
    offered = options(choices) if choices else tuple(Option(LETTERS[i], d) for i, d in enumerate(DIRECTIONS))
    label = _by_text(value, offered) or _by_letter(value, offered)
    text = next((o.text for o in offered if o.label == label), None)
    return canonical_direction(text)


def same(prediction: Any, truth: Any, kind: str, choices: Sequence[Any] | str = ()) -> bool:
    """Tell whether a prediction and a truth are one answer.

    Parameters
    ----------
    prediction, truth : JSON values
        In any of the spellings above.
    kind : str
        ``choice``, ``direction``, ``boolean`` or ``integer``; another kind is compared as text.
    choices : sequence, optional
        The question's options.

    Examples
    --------
    >>> same("back", "B", "choice", ["right", "back", "front", "left"]), same(True, "B", "boolean", ["A. no", "B. yes"])
    (True, True)
    """
    if prediction is None or truth is None:
        return False
    for reader in _readers(kind, choices):
        a, b = reader(prediction), reader(truth)
        if a is not None and b is not None:
            return bool(a == b)
    return fold(str(prediction)) == fold(str(truth)) != ""


def _readers(kind: str, choices: Sequence[Any] | str) -> list[Any]:
    by_label = [lambda value: to_label(value, choices)] if choices else []
    if kind == "direction":
        return [lambda value: to_direction(value, choices), *by_label]
    if kind == "boolean":
        return [canonical_boolean, *by_label]
    if kind == "integer":
        return [_number, *by_label]
    return [*by_label, canonical_direction, canonical_boolean, _number, _letter]


def _letter(value: Any) -> str | None:
    bare = BARE.match(unicodedata.normalize("NFKC", value)) if isinstance(value, str) else None
    return bare.group(1).upper() if bare else None
