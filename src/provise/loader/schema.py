"""A loader as data: which files of a source benchmark, which of their fields, what becomes of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from provise.errors import InputError
from provise.loader.transforms import get_transform
from provise.resources import data_folder
from provise.schema_words import describe

__all__ = ["Condition", "Licence", "Loader", "Value", "loader_names", "open_loader"]

OURS = (
    "id", "image_path", "media_paths", "mask_path", "question", "answer", "answer_type", "choices", "source_id",
)  # fmt: skip
"""Fields of our rows that a loader fills; capability, task, source and metadata have places of their own."""

TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,), "integer": (int,), "number": (int, float), "list": (list,), "object": (dict,), "any": (object,),
}  # fmt: skip


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Value(_Model):
    """Where a value comes from: one field (``from``), a constant (``value``) or several joined, then transforms.

    ``from`` names a field of the source's row, ``a.b`` one inside another; ``@row`` is the row's number in its file,
    from 1, ``@file`` the file's path.
    """

    from_: str | None = Field(None, alias="from")
    value: Any = None
    join: tuple[Value, ...] = ()
    by: str = ""
    do: tuple[dict[str, dict[str, Any]], ...] = ()
    optional: bool = False

    @model_validator(mode="before")
    @classmethod
    def _short(cls, data: Any) -> Any:
        """A bare string is a field's name; a bare transform name takes no parameters."""
        if isinstance(data, str):
            data = {"from": data}
        if isinstance(data, dict) and isinstance(data.get("do"), list):
            data = {**data, "do": [{step: {}} if isinstance(step, str) else step for step in data["do"]]}
        return data

    @model_validator(mode="after")
    def _sound(self) -> Value:
        given = [self.from_ is not None, self.value is not None, bool(self.join)]
        if sum(given) != 1:
            raise ValueError("a value has exactly one of from, value, join")
        for step in self.do:
            if len(step) != 1:
                raise ValueError(f"a step holds one transform; got {sorted(step)}")
            for name, parameters in step.items():
                get_transform(name).check(parameters)
        return self


class Condition(_Model):
    """A test of a row: the value is one of some texts, or matches a pattern as a whole, or is empty."""

    of: Value
    in_: tuple[str, ...] | None = Field(None, alias="in")
    matches: str | None = None
    empty: bool | None = None

    @model_validator(mode="after")
    def _one(self) -> Condition:
        if sum(item is not None for item in (self.in_, self.matches, self.empty)) != 1:
            raise ValueError("a condition has exactly one of in, matches, empty")
        if self.matches is not None:
            re.compile(self.matches)
        return self


class LeaveOut(_Model):
    """Rows that cannot be asked here, and why: all conditions hold."""

    when: tuple[Condition, ...]
    reason: str


class TaskRule(_Model):
    """Rows of one task: all conditions hold; ``fields`` go before the loader's own."""

    when: tuple[Condition, ...] = ()
    capability: str
    fields: dict[str, Value] = {}


class Licence(_Model):
    """Under which terms the source is, who says so, and what a user must mind."""

    name: str
    reported_by: str
    note: str = ""


class ByName(_Model):
    """Folders where a picture may lie under its bare name, if that name is unmistakable (``pattern``)."""

    pattern: str
    folders: tuple[str, ...]


class Media(_Model):
    """Where pictures are looked for, under the folder given with ``--from``."""

    folders: tuple[str, ...] = (".",)
    by_name: ByName | None = None
    endings: tuple[str, ...] = ()


class Loader(_Model):
    """A source benchmark described: see docs and the files in ``loaders/``."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")]
    title: str
    homepage: str
    source: str
    licence: Licence
    files: tuple[str, ...]
    read: Literal["all", "first"] = "all"
    schema_: dict[str, str] = Field(alias="schema")
    media: Media = Media()
    leave_out: tuple[LeaveOut, ...] = ()
    tasks: dict[str, TaskRule]
    fields: dict[str, Value]
    metadata: dict[str, Value] = {}
    notes: tuple[str, ...] = ()

    @field_validator("schema_")
    @classmethod
    def _types(cls, schema: dict[str, str]) -> dict[str, str]:
        for name, kind in schema.items():
            if kind.rstrip("?") not in TYPES:
                raise ValueError(f"schema {name}: type {kind!r} is none of {', '.join(TYPES)} (with ? null or absent)")
        return schema

    @model_validator(mode="after")
    def _known_fields(self) -> Loader:
        for fields in (self.fields, *(rule.fields for rule in self.tasks.values())):
            unknown = sorted(set(fields) - set(OURS))
            if unknown:
                raise ValueError(f"fields {unknown} are none of {', '.join(OURS)}")
        for task, rule in self.tasks.items():
            lacking = {"id", "image_path", "question", "answer", "answer_type"} - set(self.fields) - set(rule.fields)
            if lacking:
                raise ValueError(f"task {task}: fields {sorted(lacking)} are not given")
        return self

    def summary(self) -> dict[str, Any]:
        """Return what a person wants to know of it, as JSON values."""
        return {
            "id": self.id,
            "title": self.title,
            "homepage": self.homepage,
            "licence": self.licence.model_dump(),
            "files": list(self.files),
            "media": self.media.model_dump(mode="json"),
            "tasks": {name: rule.capability for name, rule in self.tasks.items()},
            "left_out": [item.reason for item in self.leave_out],
            "notes": list(self.notes),
        }


def loader_names() -> list[str]:
    """Return the loaders that come with the package, by name.

    Examples
    --------
    >>> "vsr" in loader_names()
    True
    """
    return sorted(path.stem for path in data_folder("loaders").glob("*.yaml"))


def open_loader(name: str | Path) -> Loader:
    """Open a loader that comes with the package, or a YAML file.

    Raises
    ------
    InputError
        If there is none of that name, or the file is no loader; the message names file, place and what was expected.
    """
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        path = data_folder("loaders") / f"{name}.yaml"
    elif not path.is_file():
        what = "is a folder" if path.is_dir() else "no such file"
        raise InputError(f"{path}: {what}; expected a loader in YAML")
    if not path.is_file():
        from provise.hub.address import hinted

        known = ", ".join(loader_names())
        raise InputError(f"loader {str(name)!r} is unknown; there are {known}, or give a YAML file{hinted(name)}")
    try:
        parsed = yaml.safe_load(path.read_text("utf-8"))
        return Loader.model_validate(parsed)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not YAML: {error}") from error
    except ValidationError as error:
        raise InputError("\n".join(f"{path}: {sentence}" for sentence in describe(error, Loader))) from error
