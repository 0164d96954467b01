"""From a source's row to ours: values, conditions, tasks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from provise.errors import InputError
from provise.loader.schema import TYPES, Condition, Loader, Value
from provise.loader.transforms import get_transform
from provise.sample import FIELDS, Sample

__all__ = ["SourceRow", "convert"]

ABSENT = object()


@dataclass(frozen=True)
class SourceRow:
    """A row of a source benchmark: its file (relative), its number in it from 1, and its object."""

    file: str
    number: int
    value: Mapping[str, Any]

    @property
    def where(self) -> str:
        """File and row, for messages."""
        return f"{self.file}: row {self.number}"


def _field(row: SourceRow, path: str) -> Any:
    if path == "@row":
        return row.number
    if path == "@file":
        return row.file
    value: Any = row.value
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            return ABSENT
        value = value[key]
    return value


def _evaluate(row: SourceRow, spec: Value, field: str) -> Any:
    """Return a value, or None where it is optional and absent."""
    if spec.join:
        parts = [_evaluate(row, part, field) for part in spec.join]
        value: Any = spec.by.join(str(part) for part in parts if part is not None)
    elif spec.from_ is None:
        value = spec.value
    else:
        value = _field(row, spec.from_)
        if value is ABSENT or value is None:
            if spec.optional:
                return None
            raise InputError(f"{row.where}: {spec.from_} is missing; field {field!r} of the sample is made from it")
    for step in spec.do:
        for name, parameters in step.items():
            try:
                value = get_transform(name).function(value, row.value, **parameters)
            except ValueError as error:
                origin = spec.from_ or "a joined value"
                raise InputError(f"{row.where}: field {origin} ({field}, {name}): {error}") from error
    return value


def _holds(row: SourceRow, condition: Condition) -> bool:
    value = _evaluate(row, condition.of, "a condition")
    if condition.empty is not None:
        return (value in (None, "", [])) is condition.empty
    text = "" if value is None else str(value)
    if condition.in_ is not None:
        return text in condition.in_
    return re.fullmatch(condition.matches or "", text) is not None


def check_schema(loader: Loader, row: SourceRow) -> None:
    """Hold a source's row to the schema it was described with.

    Raises
    ------
    InputError
        If a field is missing or of another type: file, row, field, what was got and expected.
    """
    if not isinstance(row.value, Mapping):
        raise InputError(
            f"{row.where}: a {type(row.value).__name__}; expected an object with {', '.join(loader.schema_)}"
        )
    for name, kind in loader.schema_.items():
        value = _field(row, name)
        if value is ABSENT or value is None:
            if kind.endswith("?"):
                continue
            raise InputError(
                f"{row.where}: field {name!r} is {'missing' if value is ABSENT else 'null'}; expected {kind}. "
                f"The source may have changed: this loader ({loader.id}) knows the fields {', '.join(loader.schema_)}"
            )
        allowed = TYPES[kind.rstrip("?")]
        if not isinstance(value, allowed) or (
            isinstance(value, bool) and bool not in allowed and object not in allowed
        ):
            raise InputError(f"{row.where}: field {name!r} is {json.dumps(value)[:60]}; expected {kind}")


def convert(loader: Loader, row: SourceRow) -> Sample | str:
    """Turn a source's row into a sample.

    Parameters
    ----------
    loader : Loader
        How.
    row : SourceRow
        What.

    Returns
    -------
    Sample or str
        The reason where the loader leaves such rows out.

    Raises
    ------
    InputError
        If the row is not as the loader describes its source: file, row and field.
    """
    check_schema(loader, row)
    for passed in loader.leave_out:
        if all(_holds(row, condition) for condition in passed.when):
            return passed.reason
    found = [name for name, rule in loader.tasks.items() if all(_holds(row, one) for one in rule.when)]
    if not found:
        tested = sorted({one.of.from_ or "a joined value" for rule in loader.tasks.values() for one in rule.when})
        shown = {name: _field(row, name) for name in tested}
        raise InputError(
            f"{row.where}: no task of loader {loader.id} takes rows with {shown}; the source may have changed"
        )
    rule = loader.tasks[found[0]]
    made: dict[str, Any] = {name: _evaluate(row, spec, name) for name, spec in {**loader.fields, **rule.fields}.items()}
    metadata = {name: _evaluate(row, spec, f"metadata {name}") for name, spec in loader.metadata.items()}
    kept = {name: value for name, value in metadata.items() if value is not None}
    made |= {"task": found[0], "capability": rule.capability, "source": loader.source}
    made["metadata_json"] = json.dumps(kept, ensure_ascii=False)
    made.setdefault("media_paths", [made["image_path"]])
    made.setdefault("choices", [])
    defaults = dict.fromkeys(FIELDS, "")
    return Sample.from_row({**defaults, **{k: v for k, v in made.items() if v is not None}}, where=row.where)
