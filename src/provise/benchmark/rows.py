"""The JSONL files of a benchmark folder: which belong to it, and their rows with file and line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provise.benchmark.finding import Finding
from provise.errors import InputError

__all__ = ["NEEDED", "Row", "find_files", "read_rows"]

NEEDED: tuple[str, ...] = ("id", "task", "image_path", "answer")
"""Fields by which a JSONL file is known as a part of a benchmark."""

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Row:
    """One line of a JSONL file: a parsed object, or what is wrong with it.

    Parameters
    ----------
    file : str
        Relative to the root.
    line : int
        From 1.
    value : dict or None
        The object; None where the line holds none.
    problem : str
        Why there is no object.
    """

    file: str
    line: int
    value: dict[str, Any] | None
    problem: str = ""

    @property
    def where(self) -> str:
        """``file:line``."""
        return f"{self.file}:{self.line}"


class _TwiceError(Exception):
    """A key that stands twice in one JSON object."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs; of a key that stands twice Python would keep the last value without a word."""
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return value


def _parse(raw: bytes) -> tuple[dict[str, Any] | None, str]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, f"the line is not UTF-8 (byte {error.start}); save the file as UTF-8"
    try:
        value = json.loads(text, object_pairs_hook=_once)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return None, "a string holds half of a surrogate pair, which no file can keep; write the whole character"
    except _TwiceError as error:
        return None, f"key {str(error)!r:.60} stands twice in one object; which value counts?"
    except (ValueError, RecursionError) as error:
        return None, f"the line is not JSON ({error}); it starts {text[:40]!r}"
    if not isinstance(value, dict):
        return None, f"the line holds a JSON {type(value).__name__}; expected an object with {', '.join(NEEDED)}"
    return value, ""


def read_rows(path: Path, name: str) -> Iterator[Row]:
    r"""Yield the rows of a JSONL file; blank lines are passed over, malformed ones keep their place.

    Lines end at ``\n`` alone: U+2028 and its like inside a string are text. A byte order mark is dropped.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What the rows call it: its path relative to the root.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror}); check the path and its permissions") from error
    for number, raw in enumerate(data.removeprefix(BOM).split(b"\n"), start=1):
        if raw.strip():
            yield Row(name, number, *_parse(raw))


def _stranger(rows: list[Row]) -> str:
    """Return why a file is none of the benchmark's, or an empty string."""
    first = next((row.value for row in rows if row.value is not None), None)
    if first is None:
        return "no line of it is a JSON object"
    missing = [field for field in NEEDED if field not in first]
    return f"its first row has no {', '.join(missing)}" if missing else ""


def find_files(root: Path) -> tuple[dict[str, list[Row]], list[Finding]]:
    """Return the rows of every JSONL file that belongs to a benchmark, and a warning for each that does not.

    Files are looked for in the folder and under it, hidden folders apart, in the order of their names.

    Returns
    -------
    dict of str to list of Row
        By file, relative to the root.
    list of Finding
        ``not_of_this_benchmark``, one a file that was left alone.
    """
    found: dict[str, list[Row]] = {}
    strangers: list[Finding] = []
    for path in sorted(root.rglob("*.jsonl")):
        relative = path.relative_to(root)
        if any(part.startswith(".") for part in relative.parts) or not path.is_file():
            continue
        name = relative.as_posix()
        rows = list(read_rows(path, name))
        reason = _stranger(rows)
        if reason:
            text = f"left alone: {reason}; the first row of a benchmark's file has {', '.join(NEEDED)}"
            strangers.append(Finding(name, 0, "warning", "not_of_this_benchmark", "", text))
        else:
            found[name] = rows
    return found, strangers
