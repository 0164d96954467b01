"""The options of a question, in every form that benchmarks write them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AnySet
from typing import Any, NamedTuple

from provise.errors import InputError

__all__ = ["LETTERS", "PREFIX", "Choices", "Option", "options", "split_options"]

Choices = Sequence[Any] | Mapping[str, Any] | str | None
"""Options as benchmarks write them; None (JSON's null), like an empty list, is a question without options."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PREFIX = re.compile(r"[(\[]?([A-Za-z])\s*(?:[)\]]\s*[.:]?|[.:、])\s*(?=\S)")
"""The letter before an option's text: "A. back", "(A) back", "A: back"."""

RANGE = re.compile(r"([A-Z])\s*(?:-|–|—|to|\.\.)\s*([A-Z])")
MARKER = re.compile(r"(?<![\w.])[(\[]?([A-Z])\s?[:.)\]]")


class Option(NamedTuple):
    """One option of a question: its letter and the text without it."""

    label: str
    text: str


def split_options(text: str) -> tuple[Option, ...]:
    """Find the options written in one string: ``A: x, B: y``, ``A.front B.back`` or one a line.

    Letters must run A, B, C, ... from the first, one left out at most between two (as SpatialGenEval's A, B, C, E); an
    option's text may hold commas. Fewer than two are none.

    Examples
    --------
    >>> split_options("Which? Options: A: a boy, a girl, B: two boys")
    (Option(label='A', text='a boy, a girl'), Option(label='B', text='two boys'))
    """
    marks: list[re.Match[str]] = []
    for found in MARKER.finditer(text):
        step = ord(found[1]) - ord(marks[-1][1]) if marks else ord(found[1]) - ord("A") + 1
        if step == 1 or (step == 2 and marks and text[: found.start()].rstrip(" \t")[-1:] in (",", ";", "\n")):
            marks.append(found)
        elif found[1] == "A" and len(marks) == 1:
            marks = [found]  # the first "A." belonged to the question
    if len(marks) < 2:
        return ()
    ends = [mark.start() for mark in marks[1:]]
    last = text.find("\n", marks[-1].end())
    ends.append(last if last >= 0 else len(text))
    return tuple(
        Option(mark[1], text[mark.end() : end].strip().rstrip(",; \n")) for mark, end in zip(marks, ends, strict=True)
    )


def options(choices: Choices) -> tuple[Option, ...]:
    """Give every choice its letter.

    Parameters
    ----------
    choices : sequence of str, sequence of {"label", "text"}, mapping, str or None
        ``["A. back", "B. left"]``, ``["(A) A is closer", ...]``, plain texts (lettered in order), ``{"A": "back"}``,
        the range ``"A-D"``, a JSON list, or any string that `split_options` reads.

    Returns
    -------
    tuple of Option
        Empty where there are no choices: None, ``[]`` or ``""``.

    Raises
    ------
    InputError
        If it is none of these, or a set, whose order (and so whose letters) nobody fixed.

    Examples
    --------
    >>> options(["(A) A is closer", "(B) B is closer"])[1]
    Option(label='B', text='B is closer')
    >>> [option.label for option in options("A-D")]
    ['A', 'B', 'C', 'D']
    """
    if choices is None:
        return ()
    if isinstance(choices, str):
        return _from_string(choices)
    if isinstance(choices, Mapping):
        return tuple(Option(str(label).strip().upper(), str(text).strip()) for label, text in choices.items())
    if not isinstance(choices, Iterable) or isinstance(choices, bytes | bytearray | AnySet):
        raise InputError(
            f"choices are a {type(choices).__name__}; expected a list of texts, a mapping of letters, a string or None"
        )
    items = list(choices)
    if len(items) == 1 and isinstance(items[0], str) and RANGE.fullmatch(items[0].strip()):
        return _from_string(items[0])
    if items and all(isinstance(item, Mapping) for item in items):
        return tuple(
            Option(str(item.get("label", LETTERS[i % 26])).strip("() .").upper(), _text_of(item))
            for i, item in enumerate(items)
        )
    texts = [str(item).strip() for item in items]
    marks = [PREFIX.match(text) for text in texts]
    letters = [mark[1].upper() if mark else "" for mark in marks]
    stated = all(letters) and len(set(letters)) == len(letters)
    found = []
    for index, (text, mark, letter) in enumerate(zip(texts, marks, letters, strict=True)):
        label = letter if stated else _letter(index)
        found.append(Option(label, text[mark.end() :].strip() if mark and letter == label else text))
    return tuple(found)


def _text_of(item: Mapping[str, Any]) -> str:
    return next((str(item[key]).strip() for key in ("text", "value", "answer") if item.get(key) is not None), "")


def _letter(index: int) -> str:
    """Name an option as a spreadsheet names its columns: A to Z, AA, AB, ..., ZZ, AAA."""
    return (_letter(index // 26 - 1) if index >= 26 else "") + LETTERS[index % 26]


def _from_string(text: str) -> tuple[Option, ...]:
    text = text.strip()
    if span := RANGE.fullmatch(text):
        return tuple(Option(x, x) for x in LETTERS if span[1] <= x <= span[2])
    if text.startswith(("[", "{")):
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, list | dict):
            return options(parsed)
    found = split_options(text)
    if found or not text:
        return found
    return options([part.strip() for part in re.split(r"\n" if "\n" in text else r"[,;|]", text) if part.strip()])
