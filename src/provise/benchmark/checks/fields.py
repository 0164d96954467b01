"""The thirteen fields: their presence and types, the id, task and capability, the metadata."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from provise.benchmark.checks.entry import Entry, Found, shorten
from provise.benchmark.finding import Level
from provise.benchmark.rows import NEEDED
from provise.benchmark.tasks import TASKS
from provise.sample import FIELDS, LISTS

__all__ = ["check_fields", "check_id", "check_metadata", "check_task"]

TRUTH_KEYS = frozenset(
    (
        "answer", "answers", "answer_idx", "correct", "correct_answer", "correct_option", "gold", "ground_truth",
        "groundtruth", "gt", "gt_answer", "label", "original_label", "solution", "target", "truth",
    )
)  # fmt: skip
"""Metadata keys that hold the truth by their name."""

LONGEST_NAME = 240
"""Bytes of a file name that every file system takes, its ending included."""


def check_fields(entry: Entry) -> Found:
    """Yield fields that are missing or of another type (an answer is always a string)."""
    missing = [name for name in FIELDS if name not in entry.value]
    needed = [name for name in missing if name in NEEDED]
    if needed:
        yield "error", "missing_field", f"{_missing(needed, entry)}; a row needs {', '.join(NEEDED)}"
    if len(missing) > len(needed):
        rest = [name for name in missing if name not in NEEDED]
        yield "warning", "missing_field", _missing(rest, entry)
    for name in FIELDS:
        if name in entry.value and name in entry.broken:
            expected = "a list of strings" if name in LISTS else "a string"
            yield "error", "field_type", f"{name} is {shorten(entry.value[name])}; expected {expected}"
    for name in ("question", "answer"):
        if name not in entry.broken and name in entry.value and not getattr(entry.sample, name).strip():
            severity: Level = "error" if name == "answer" and not entry.sample.mask_path else "warning"
            yield severity, f"empty_{name}", f"{name} is empty"


def _missing(names: list[str], entry: Entry) -> str:
    """Name the fields a row lacks, each with the name that the row may have meant for it."""
    others = [name for name in entry.value if name not in FIELDS]
    told = []
    for name in names:
        near = difflib.get_close_matches(name, others, n=1)
        told.append(f"{name} (the row has {near[0]!r})" if near else name)
    return f"field{'s' if len(told) > 1 else ''} missing: {', '.join(told)}"


def check_id(entry: Entry) -> Found:
    """Yield an id that is empty, hard to type, or too long for a file name."""
    name = entry.sample.id
    if "id" in entry.broken:
        return
    if not name.strip():
        yield "error", "empty_id", "id is empty; every row needs one of its own"
    elif name != name.strip() or not re.fullmatch(r"[\w.\-:/@+=, ]+", name):
        yield (
            "warning",
            "id_characters",
            f"id {name!r} holds characters beyond letters, digits and -_.:/@+=; answers are files named after ids",
        )
    if len(quote(name, safe="")) > LONGEST_NAME:
        yield "warning", "long_id", f"id of {len(name)} characters; as a file name it may hold {LONGEST_NAME} bytes"


def check_task(entry: Entry) -> Found:
    """Yield tasks beyond the fourteen, capabilities that are not their task's, answer types it does not answer in."""
    sample = entry.sample
    if "task" in entry.broken:
        return
    task = TASKS.get(sample.task)
    if task is None:
        known = ", ".join(TASKS)
        yield (
            "warning",
            "unknown_task",
            f"task {sample.task!r} is none of {known}; its protocol must be named in a route",
        )
        return
    if "capability" in entry.value and "capability" not in entry.broken and sample.capability != task.capability:
        yield (
            "error",
            "capability_mismatch",
            f"capability is {sample.capability!r}; task {sample.task!r} counts under {task.capability!r}",
        )
    stated = "answer_type" in entry.value and "answer_type" not in entry.broken
    if stated and sample.answer_type.strip().lower() not in task.types:
        yield (
            "warning",
            "answer_type_mismatch",
            f"answer_type is {sample.answer_type!r}; task {sample.task!r} is answered by {' or '.join(task.types)}",
        )


def _walk(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _walk(item, name)
    elif isinstance(value, list):
        yield key, value
        for item in value:
            yield from _walk(item, key)
    else:
        yield key, value


def _copies(entry: Entry) -> list[str]:
    """Return the metadata keys that tell the truth, by their name or by their value."""
    answer = entry.sample.answer.strip()
    copies: set[str] = set()
    for key, value in _walk(entry.written.metadata):
        by_name = key.lower() in TRUTH_KEYS and value not in (None, "", [])
        # Short answers ("A", "5", "true") meet unrelated values by chance; long ones do not.
        by_value = len(answer) >= 6 and (str(value).strip() == answer or json.dumps(value) == answer)
        if by_name or by_value:
            copies.add(key)
    return sorted(copies)


def check_metadata(entry: Entry) -> Found:
    """Yield metadata that is no JSON object, and copies of the truth in it."""
    if "metadata_json" in entry.broken:
        return
    text = entry.written.metadata_json.strip()
    if text:
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError) as error:
            yield "error", "bad_metadata", f"metadata_json is not JSON ({error}); expected an object in a string"
            return
        if not isinstance(parsed, dict):
            yield "error", "bad_metadata", f"metadata_json holds {shorten(parsed)}; expected a JSON object"
            return
    for key in _copies(entry):
        yield (
            "warning",
            "truth_in_metadata",
            f"metadata {key!r} repeats the truth; no prompt or reader gets it, but whoever prints the metadata does",
        )
