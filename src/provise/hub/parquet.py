"""Rows with their pictures as parquet, and back: the pictures' own bytes lie in the table, never re-encoded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from provise.errors import InputError
from provise.hub.pictures import picture_names
from provise.hub.schema import COLUMNS, ORDER_KEY, arrow_schema
from provise.sample import FIELDS, Sample

__all__ = ["SHARD", "Read", "read_parquet", "shards", "write_parquet"]

SHARD = 400_000_000
"""Bytes of media after which a task's rows go on in another file."""

GROUP = 16
"""Rows of a row group: what a reader that streams must hold at once."""

Read = Callable[[Sample, str], bytes]
"""Gives the bytes of a row's picture."""

Numbered = tuple[int, Sample]
"""A row's place in the benchmark, and the row."""


def shards(rows: Sequence[Numbered], size: Callable[[Sample], int], limit: int = SHARD) -> list[list[Numbered]]:
    """Cut rows into files of at most ``limit`` bytes of media; a row that is larger has a file of its own."""
    found: list[list[Numbered]] = []
    total = 0
    for row in rows:
        total += size(row[1])
        if not found or (found[-1] and total > limit):
            found.append([])
            total = size(row[1])
        found[-1].append(row)
    return found


def write_parquet(path: Path, rows: Sequence[Numbered], read: Read, *, ordered: bool = False) -> None:
    """Write one file; the same rows and pictures give the same bytes.

    Parameters
    ----------
    path : Path
        The file.
    rows : sequence of (int, Sample)
        Place in the benchmark, and the row.
    read : callable
        Gives the bytes of a row's picture.
    ordered : bool
        Write the places down, for a benchmark that mixes its tasks. Else a row more in one task would change all tables.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = arrow_schema([place for place, _ in rows] if ordered else None)
    with pq.ParquetWriter(path, schema, compression="snappy", use_dictionary=False) as writer:
        for first in range(0, len(rows), GROUP):
            values = [_values(sample, read) for _, sample in rows[first : first + GROUP]]
            writer.write_table(pa.Table.from_pylist(values, schema=schema))


def _values(sample: Sample, read: Read) -> dict[str, Any]:
    def image(name: str) -> dict[str, Any]:
        return {"bytes": read(sample, name), "path": name.rsplit("/", 1)[-1]}

    return {
        **sample.to_row(),
        "media": [image(name) for name in picture_names(sample)],
        "mask": image(sample.mask_path) if sample.mask_path else None,
    }


def read_parquet(path: Path) -> Iterator[tuple[int | None, dict[str, Any], list[bytes], bytes | None]]:
    """Yield place (None where the file does not tell), the 13 fields, the pictures' bytes and the mask's.

    Raises
    ------
    InputError
        If it is no parquet file, or lacks a column.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            missing = [name for name in COLUMNS if name not in file.schema_arrow.names]
            if missing:
                raise InputError(
                    f"{path.name}: column {missing[0]!r} is missing; the table of a benchmark has {', '.join(COLUMNS)}"
                )
            order = _order(file.schema_arrow.metadata or {}, file.metadata.num_rows)
            number = 0
            for batch in file.iter_batches(batch_size=GROUP, columns=list(COLUMNS)):
                for row in batch.to_pylist():
                    yield order[number] if order else None, {name: row[name] for name in FIELDS}, *_bytes(path, row)
                    number += 1
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: cannot be read as parquet ({error})") from error


def _order(metadata: dict[bytes, bytes], rows: int) -> list[int]:
    try:
        order = json.loads(metadata.get(ORDER_KEY, b"[]"))
    except ValueError:
        return []
    fits = isinstance(order, list) and len(order) == rows and all(isinstance(place, int) for place in order)
    return order if fits else []


def _bytes(path: Path, row: dict[str, Any]) -> tuple[list[bytes], bytes | None]:
    media, mask = row["media"] or [], row["mask"]
    if not isinstance(media, list):
        raise InputError(f"{path.name}: row {row['id']!r}: media is no list of pictures")
    for image in [*media, *([mask] if mask else [])]:
        data = image.get("bytes") if isinstance(image, dict) else None
        if not isinstance(data, bytes) or not data:
            raise InputError(
                f"{path.name}: row {row['id']!r}: a picture has no bytes in it (it was written without embedding them); "
                "build the tree with `provise benchmark build hub`"
            )
    return [image["bytes"] for image in media], mask["bytes"] if mask else None
