"""One row under check: as it was written, and as the sample that can be made of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from provise.benchmark.aids import complete
from provise.benchmark.finding import Level
from provise.benchmark.rows import NEEDED, Row
from provise.sample import FIELDS, LISTS, Sample

__all__ = ["Entry", "Found", "make_entry"]

Found = Iterator[tuple[Level, str, str]]

OPTIONAL = ("mask_path",)
"""Fields that may be null."""


@dataclass(frozen=True)
class Entry:
    """A row and its sample.

    Parameters
    ----------
    row : Row
        With file and line; its value is an object.
    sample : Sample
        Made of the fields that have their type; the others are at their defaults.
    written : Sample
        The same before aids were filled in.
    broken : frozenset of str
        Fields that are missing or of another type.
    """

    row: Row
    sample: Sample
    written: Sample
    broken: frozenset[str] = field(default_factory=frozenset)

    @property
    def value(self) -> dict[str, Any]:
        """The row as it was written."""
        return self.row.value or {}


def fits(name: str, value: Any) -> bool:
    """Return whether a field's value has its type."""
    if name in LISTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, str) or (value is None and name in OPTIONAL)


def make_entry(row: Row, root: Path) -> Entry:
    """Make a sample of whatever a row holds, so that one bad field hides no other fault."""
    value = row.value or {}
    broken = {name for name in FIELDS if name in value and not fits(name, value[name])}
    broken |= {name for name in NEEDED if name not in value}
    base: dict[str, Any] = dict.fromkeys(("id", "capability", "task", "image_path"), "")
    base |= {
        name: value[name] or ([] if name in LISTS else "") for name in FIELDS if name in value and name not in broken
    }
    written = Sample.from_row(base, root=root)
    return Entry(row, complete(written, value, root), written, frozenset(broken))


def shorten(value: Any, length: int = 60) -> str:
    """Return a value as JSON, cut to a length."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= length else text[: length - 3] + "..."
