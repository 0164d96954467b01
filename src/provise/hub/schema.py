"""The table's columns: the 13 released fields with their types, and the decoded media beside them.

The file's schema says so explicitly. Nothing is left to be guessed from the rows: a task without options would get a
list of nulls for ``choices``, and a task without masks a column of nulls, and neither would go together with other tasks.
"""

from __future__ import annotations

import json
from typing import Any

from provise.sample import FIELDS, LISTS

__all__ = ["COLUMNS", "ORDER_KEY", "arrow_schema", "features"]

COLUMNS: tuple[str, ...] = (*FIELDS, "media", "mask")
"""The table's columns in their order."""

ORDER_KEY = b"provise.order"
"""Key of the file's metadata that holds each row's place in a benchmark whose file mixes its tasks, as a JSON list."""


def features() -> dict[str, Any]:
    """Return the columns as `datasets` writes them down.

    A list is called ``Sequence``, which every version of `datasets` reads; ``List`` is unknown before 4.0.
    """
    text = {"dtype": "string", "_type": "Value"}
    found: dict[str, Any] = {name: {"feature": text, "_type": "Sequence"} if name in LISTS else text for name in FIELDS}
    return {**found, "media": {"feature": {"_type": "Image"}, "_type": "Sequence"}, "mask": {"_type": "Image"}}


def arrow_schema(order: list[int] | None = None) -> Any:
    """Return the schema of a parquet file; ``order`` are its rows' places in the whole benchmark, where that has to be told."""
    import pyarrow as pa

    image = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    types = {**{name: pa.list_(pa.string()) if name in LISTS else pa.string() for name in FIELDS}}
    types |= {"media": pa.list_(image), "mask": image}
    metadata = {b"huggingface": json.dumps({"info": {"features": features()}}).encode()}
    if order is not None:
        metadata[ORDER_KEY] = json.dumps(order).encode()
    return pa.schema([(name, types[name]) for name in COLUMNS], metadata=metadata)
