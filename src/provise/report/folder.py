"""Open a run's folder: its three files, checked, so that a report never shows half of one."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from provise.analysis.aggregate import summarise
from provise.errors import InputError
from provise.scoring import ERRORS, OUTCOMES, Row

__all__ = ["read_folder"]

FILES = ("run.json", "samples.jsonl", "summary.json")
_TEXTS = ("id", "task", "capability", "reason", "message", "truth", "reader", "protocol", "response")
_KNOWN = {one.name for one in fields(Row)}


def read_folder(folder: Path) -> tuple[dict[str, Any], list[Row], dict[str, Any]]:
    """Read ``run.json``, ``samples.jsonl`` and ``summary.json`` of a run.

    Parameters
    ----------
    folder : Path
        As ``provise run`` or ``provise score --out`` wrote it.

    Returns
    -------
    about : dict
        ``run.json``.
    rows : list of Row
        In the benchmark's order.
    summary : dict
        Percentages.

    Raises
    ------
    InputError
        If the folder or one of the files is not there, a line is no row, or the summary is not that of the rows.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; expected the folder of a run")
    for name in FILES:
        if not (folder / name).is_file():
            raise InputError(f"{folder}: {_absent(folder, name)}")
    rows = list(_rows(folder / "samples.jsonl"))
    if not rows:
        raise InputError(f"{folder / 'samples.jsonl'}: no samples; there is nothing to report")
    twice = [name for name, times in Counter(row.id for row in rows).items() if times > 1]
    if twice:
        raise InputError(
            f"{folder / 'samples.jsonl'}: {twice[0]!r} stands there more than once; each sample has one row"
        )
    about, summary = (_mapping(folder / name) for name in ("run.json", "summary.json"))
    _check_about(folder / "run.json", about)
    _check_summary(folder / "summary.json", summary, rows)
    return about, rows, summary


def _absent(folder: Path, name: str) -> str:
    if (folder / "journal.sqlite").is_file():
        return f"{name} is not there yet: the run was stopped before its end; the same `provise run` goes on from there"
    return f"{name} is missing; a report needs the folder that `provise run` or `provise score --out` wrote"


def _mapping(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as JSON ({error})") from error
    if not isinstance(found, dict):
        raise InputError(f"{path}: holds {type(found).__name__}; expected an object")
    return found


def _rows(path: Path) -> Iterator[Row]:
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}:{number}: no JSON ({error})") from error
            yield _row(found, f"{path}:{number}")


def _row(found: Any, where: str) -> Row:
    """Make a row of a line; keys that a later version may add are left alone."""
    if not isinstance(found, dict):
        raise InputError(f"{where}: holds {type(found).__name__}; expected an object")
    values = {key: value for key, value in found.items() if key in _KNOWN}
    for name in _TEXTS:
        if not isinstance(values.setdefault(name, ""), str):
            raise InputError(f"{where}: {name} is {values[name]!r:.60}; expected text")
    for name in ("geometry", "details"):
        if not isinstance(values.setdefault(name, {}), Mapping):
            raise InputError(f"{where}: {name} is {values[name]!r:.60}; expected an object")
    row = Row(**values)
    if not row.id or not row.task:
        raise InputError(f"{where}: a row needs an id and a task")
    if row.error is None and row.outcome not in OUTCOMES:
        raise InputError(f"{where}: outcome is {row.outcome!r:.60}; allowed are {', '.join(OUTCOMES)}")
    if row.error is not None and row.error not in ERRORS:
        raise InputError(f"{where}: error is {row.error!r:.60}; allowed are {', '.join(ERRORS)}")
    if row.error is None and not _share(row.score):
        raise InputError(f"{where}: score is {row.score!r:.60}; expected a number in 0..1")
    return row


def _share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _check_about(path: Path, about: Mapping[str, Any]) -> None:
    for name, kind in (
        ("benchmark", str),
        ("root", str),
        ("digest", str),
        ("fingerprints", Mapping),
        ("system", Mapping),
        ("stand_ins", Mapping),
        ("responses", str),
    ):
        if about.get(name) is not None and not isinstance(about[name], kind):
            raise InputError(
                f"{path}: {name} is {about[name]!r:.60}; expected {'text' if kind is str else 'an object'}"
            )
    for name in ("notes", "set"):
        texts = about.get(name, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise InputError(f"{path}: {name} is {texts!r:.60}; expected a list of texts")
    if not all(isinstance(encoder, str) for encoder in (about.get("stand_ins") or {}).values()):
        raise InputError(f"{path}: stand_ins is {about['stand_ins']!r:.60}; expected encoders by task")


def _check_summary(path: Path, summary: Mapping[str, Any], rows: list[Row]) -> None:
    """Refuse a summary of other rows: a report that shows one beside the other would be wrong in one of them."""
    due = summarise(rows)
    told, lost = _parts(summary), _lost(summary)
    same = lost is not None and list(told) == list(_parts(due))
    for name, part in _parts(due).items() if same else ():
        # Rows that the benchmark lost take the overall score away; nothing else may.
        same = same and (_close(told[name].get("score"), part["score"]) or (name == "overall" and bool(lost)))
        same = same and all(
            _close(told[name].get(key), part[key]) for key in ("n", "null_score", "scorable") if key in part
        )
        same = same and all(told[name].get(end) is None or _is_number(told[name][end]) for end in ("low", "high"))
    if not same:
        raise InputError(
            f"{path} is not the summary of samples.jsonl beside it; run the same `provise run` or `provise score` again"
        )


def _parts(summary: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return every part that has a score, by name; what is no part is left out."""
    found: dict[str, Any] = {name: summary.get(name) for name in ("overall", "mean_of_tasks")}
    for group in ("capabilities", "tasks"):
        parts: Any = summary.get(group)
        found |= {f"{group}.{name}": part for name, part in (parts.items() if isinstance(parts, Mapping) else ())}
    return {name: part for name, part in found.items() if isinstance(part, Mapping) and "score" in part}


def _lost(summary: Mapping[str, Any]) -> int | None:
    """Return how many rows of the benchmark were never asked; None where the summary does not say what is incomplete."""
    entries: Any = summary.get("incomplete")
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        return None
    return sum(entry.get("id") is None for entry in entries)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _close(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return _is_number(a) and math.isclose(a, b, abs_tol=1e-6)
