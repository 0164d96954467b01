"""Set the broken parts of a protocol file aside, so that the rest can be checked in the same go."""

from __future__ import annotations

import copy
import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from provise.protocol.schema import ProtocolSpec

__all__ = ["Aside", "set_aside"]

_STAND_IN: dict[str, Any] = {
    "id": "unnamed", "version": 1, "title": "", "prompt": "", "prediction": "choice", "metric": "exact",
}  # fmt: skip
"""What stands for a field that a protocol must have, where its own value is broken."""


@dataclass
class Aside:
    """A protocol without its broken parts.

    Attributes
    ----------
    spec : ProtocolSpec or None
        What is left; None where nothing can be made of it.
    fields : set of str
        Fields whose value is a stand-in: what follows from them is no fault of the file.
    steps : set of str
        Steps of which a part is missing.
    """

    spec: ProtocolSpec | None = None
    fields: set[str] = field(default_factory=set)
    steps: set[str] = field(default_factory=set)


def set_aside(raw: dict[str, Any], error: ValidationError) -> Aside:
    """Return what is left of a parsed protocol without the parts that its schema refuses.

    Parameters
    ----------
    raw : dict
        The parsed file; it is left as it is.
    error : ValidationError
        What the schema said of it.
    """
    left: dict[str, Any] = copy.deepcopy(raw)
    found = Aside()
    for item in error.errors():
        place = item["loc"]
        top = str(place[0]) if place else ""
        if top == "graph" and len(place) > 1 and isinstance(place[1], int):
            _step(left["graph"], place[1], place[2:], found)
        else:
            found.fields |= _field(left, top, unknown=item["type"] == "extra_forbidden")
    try:
        found.spec = ProtocolSpec.model_validate(left)
    except ValidationError:
        return found
    return found


def _field(left: dict[str, Any], name: str, *, unknown: bool) -> set[str]:
    """Drop a field, or put a stand-in for it; return the fields that are no longer the file's own."""
    left.pop(name, None)
    if unknown:
        # Probably the slip of a field that now seems to be absent.
        return set(_nearest(name, ProtocolSpec.model_fields))
    if name in _STAND_IN:
        left[name] = _STAND_IN[name]
    return {name}


def _step(graph: list[Any], index: int, place: Sequence[int | str], found: Aside) -> None:
    """Drop what is wrong in a step; a step that has no form at all becomes one of no operator."""
    step = graph[index]
    if not isinstance(step, dict):
        graph[index] = step = {}
    if place:
        step.pop(place[0], None)
    if not isinstance(step.get("id"), str) or (place and place[0] == "id"):
        step["id"] = f"step_{index + 1}"
    if not isinstance(step.get("op"), str):
        step["op"] = ""
    found.steps.add(step["id"])


def _nearest(name: str, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(name, list(known), n=1)
