"""Rows with their pictures as an image folder: a ``metadata.jsonl`` a task, the pictures beside it, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from provise.benchmark.paths import resolve_media
from provise.benchmark.rows import read_rows
from provise.errors import InputError
from provise.hub.parquet import Numbered, Read
from provise.hub.pictures import picture_names
from provise.sample import FIELDS

__all__ = ["METADATA", "read_imagefolder", "write_imagefolder"]

METADATA = "metadata.jsonl"
"""The only name that every version of `datasets` looks for."""


def write_imagefolder(folder: Path, rows: Sequence[Numbered], read: Read) -> None:
    """Write one task's rows: ``metadata.jsonl`` and, under ``images/``, a copy of every picture they name.

    Raises
    ------
    InputError
        If some rows of the task have a mask and others have none: the older versions cannot read such a column.
    """
    masked = [bool(sample.mask_path) for _, sample in rows]
    if any(masked) and not all(masked):
        raise InputError(
            f"task {rows[0][1].task!r}: {sum(masked)} of {len(masked)} rows have a mask; an image folder needs one in every "
            "row of a task or in none; use --layout parquet"
        )
    written: dict[str, str] = {}
    lines = []
    for _, sample in rows:
        row: dict[str, Any] = dict(sample.to_row())
        row["media_file_names"] = [_kept(folder, name, read(sample, name), written) for name in picture_names(sample)]
        if sample.mask_path:
            row["mask_file_name"] = _kept(folder, sample.mask_path, read(sample, sample.mask_path), written)
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    (folder / METADATA).write_text("".join(lines), encoding="utf-8", newline="\n")


def _kept(folder: Path, name: str, data: bytes, written: dict[str, str]) -> str:
    if name not in written:
        written[name] = f"images/{name.removeprefix('./')}"
        target = folder / written[name]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return written[name]


def read_imagefolder(folder: Path) -> Iterator[tuple[None, dict[str, Any], list[bytes], bytes | None]]:
    """Yield what `provise.hub.parquet.read_parquet` yields, of one task's folder.

    Raises
    ------
    InputError
        If a line is no JSON object, a file is missing, or a path leaves the folder.
    """
    for row in read_rows(folder / METADATA, f"{folder.name}/{METADATA}"):
        if row.value is None:
            raise InputError(f"{row.where}: {row.problem}")
        names = row.value.get("media_file_names")
        if not isinstance(names, list):
            raise InputError(f"{row.where}: media_file_names is {names!r}; expected a list of files")
        mask = row.value.get("mask_file_name")
        media = [_read(folder, name, row.where) for name in names]
        yield (
            None,
            {key: row.value[key] for key in FIELDS if key in row.value},
            media,
            (_read(folder, mask, row.where) if mask else None),
        )


def _read(folder: Path, name: Any, where: str) -> bytes:
    if not isinstance(name, str):
        raise InputError(f"{where}: {name!r} is no file name")
    try:
        return resolve_media(folder, name, where=where).read_bytes()
    except OSError as error:
        raise InputError(f"{where}: {name!r} cannot be read ({error.strerror or error})") from error
