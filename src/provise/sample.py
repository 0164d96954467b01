"""One question of a benchmark: the released row, and the part of it that a model and a reader may see."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from posixpath import normpath
from typing import Any

from provise.errors import InputError

__all__ = ["AIDS", "FIELDS", "PROMPT_KEYS", "PublicSample", "Sample"]

FIELDS: tuple[str, ...] = (
    "id", "capability", "task", "image_path", "media_paths", "mask_path", "question",
    "answer", "answer_type", "choices", "source", "source_id", "metadata_json",
)  # fmt: skip
"""The 13 released fields in their order (paper, table 7)."""

AIDS: tuple[str, ...] = ("coordinates", "file_names", "images", "holes", "start")
"""Metadata keys a reader may use: they say where or among what to read, never the answer."""

PROMPT_KEYS: tuple[str, ...] = ("category_name", "caption", "subj", "obj")
"""Metadata keys a prompt may quote beside the aids."""

LISTS = ("media_paths", "choices")


@dataclass(frozen=True)
class PublicSample:
    """A sample without its truth: all that prompts and readers are made from.

    It has no answer, no mask, no source identifiers, and of the metadata only the keys of `AIDS` and `PROMPT_KEYS`.
    """

    id: str
    capability: str
    task: str
    image_path: str
    media_paths: tuple[str, ...]
    question: str
    answer_type: str
    choices: tuple[str, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    root: Path | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Sample:
    """One row of a benchmark, nothing renamed (paper, table 7).

    Parameters
    ----------
    id : str
        Unique in its benchmark.
    capability, task : str
        Where its score counts.
    image_path : str
        The primary picture, relative to the benchmark's root.
    media_paths : tuple of str
        All pictures the model sees, in order.
    mask_path : str
        The target mask, for the metric alone; empty where there is none.
    question : str
        The instruction.
    answer : str
        The serialised truth.
    answer_type : str
        ``integer``, ``choice``, ``boolean``, ``direction``, ``point``, ``mask``, ``path``, ...
    choices : tuple of str
        The options in order; empty where the task has none.
    source, source_id : str
        Where the row comes from.
    metadata_json : str
        A JSON object; `metadata` is its parsed form.
    root : Path, optional
        The folder that the paths are relative to. Not a field of the row.
    """

    id: str
    capability: str
    task: str
    image_path: str
    media_paths: tuple[str, ...] = ()
    mask_path: str = ""
    question: str = ""
    answer: str = ""
    answer_type: str = ""
    choices: tuple[str, ...] = ()
    source: str = ""
    source_id: str = ""
    metadata_json: str = "{}"
    root: Path | None = field(default=None, compare=False)

    @classmethod
    def from_row(cls, row: Mapping[str, Any], *, root: Path | None = None, where: str = "row") -> Sample:
        """Make a sample from a JSON row; fields that the release does not have are ignored.

        Parameters
        ----------
        row : mapping
            Parsed JSON. ``media_paths`` and ``choices`` are lists of strings, every other field is a string.
        root : Path, optional
            Folder the paths are relative to.
        where : str
            File and line, for the message.

        Raises
        ------
        InputError
            If id, task or image_path is missing, or a field has another type.

        Examples
        --------
        >>> Sample.from_row({"id": "c1", "task": "counting", "image_path": "c1.jpg", "answer": "5"}).answer
        '5'
        """
        values: dict[str, Any] = {}
        for name in FIELDS:
            if name not in row:
                if name in ("id", "task", "image_path"):
                    raise InputError(f"{where}: field {name!r} is missing; a row needs id, task, image_path and answer")
                continue
            value = row[name]
            if name in LISTS:
                if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                    raise InputError(f"{where}: {name} is {value!r}; expected a list of strings")
                values[name] = tuple(value)
            elif isinstance(value, str):
                values[name] = value
            elif name == "mask_path" and value is None:
                values[name] = ""
            else:
                raise InputError(f"{where}: {name} is {value!r}; expected a string")
        values.setdefault("capability", "")
        return cls(**values, root=root)

    def to_row(self) -> dict[str, Any]:
        """Return the 13 released fields in their order, lists as lists."""
        values = asdict(self)
        return {name: list(values[name]) if name in LISTS else values[name] for name in FIELDS}

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """The parsed ``metadata_json``; an empty dict where it is not a JSON object."""
        try:
            parsed = json.loads(self.metadata_json or "{}")
        except (ValueError, RecursionError):
            return {}
        return parsed if isinstance(parsed, dict) else {}

    def public(self) -> PublicSample:
        """Return the view that prompts and readers get: no answer, no mask, declared metadata keys alone.

        A mask that is listed among the media or in a list of pictures is taken out, however its path is written.
        ``images`` and ``file_names`` are not filled in here.
        """
        hidden = normpath(self.mask_path) if self.mask_path else None

        def without_mask(value: Any) -> Any:
            if hidden is None or not isinstance(value, list):
                return value
            return [item for item in value if not (isinstance(item, str) and normpath(item) == hidden)]

        return PublicSample(
            id=self.id,
            capability=self.capability,
            task=self.task,
            image_path=self.image_path,
            media_paths=tuple(without_mask(list(self.media_paths))),
            question=self.question,
            answer_type=self.answer_type,
            choices=self.choices,
            metadata={key: without_mask(self.metadata[key]) for key in (*AIDS, *PROMPT_KEYS) if key in self.metadata},
            root=self.root,
        )
