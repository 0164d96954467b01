"""Load configs with `datasets`, in a process of its own, and print what they hold; runs on 3.6 and on 5.x alike.

python load_all.py HOW SOURCE CONFIG...    HOW: mapped, streamed, script, script-streamed, class, class-streamed
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from typing import Any

import datasets


def told(feature: Any) -> Any:
    """Return a column's type in words that are the same for every version."""
    if isinstance(feature, datasets.Image):
        return "image"
    if isinstance(feature, datasets.Value):
        return feature.dtype
    return [told(feature.feature)]


def load(how: str, source: str, config: str) -> Any:
    """Return the rows of a config's split ``test``."""
    stream = how.endswith("streamed")
    if how.startswith("class"):
        sys.path.insert(0, source)
        from spatialgen_bench import SpatialGenBench

        builder = SpatialGenBench(config_name=config, data_dir=source)
        if stream:
            return builder.as_streaming_dataset("test")
        builder.download_and_prepare()
        return builder.as_dataset("test")
    more: dict[str, Any] = {}
    if how.startswith("script"):
        source, more = os.path.join(source, "spatialgen_bench.py"), {"trust_remote_code": True}
    return datasets.load_dataset(source, config, split="test", streaming=stream, **more)


def pixels(image: Any) -> str:
    """Return what a decoded picture shows."""
    return hashlib.sha256(repr((image.mode, image.size)).encode() + image.tobytes()).hexdigest()


def main() -> None:
    """Print one JSON object: columns and rows by config, pictures as digests of their pixels."""
    how, source, *configs = sys.argv[1:]
    found = {}
    for config in configs:
        rows = load(how, source, config)
        lines = []
        for row in rows:
            row["media"] = [pixels(image) for image in row["media"]]
            row["mask"] = pixels(row["mask"]) if row["mask"] is not None else None
            lines.append(row)
        found[config] = {"columns": {name: told(kind) for name, kind in rows.features.items()}, "rows": lines}
    print(json.dumps({"version": datasets.__version__, "configs": found}))


if __name__ == "__main__":
    main()
