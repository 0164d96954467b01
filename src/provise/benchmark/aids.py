"""Reading aids that a row may leave out: filled once, when the benchmark is opened."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from provise.benchmark.paths import resolve_media
from provise.errors import DataError, InputError
from provise.sample import AIDS, Sample

__all__ = ["complete", "first_vertex"]

HOLDERS: tuple[tuple[str, ...], ...] = (("evaluation",), ("metadata",), ("metadata", "metadata_json"))
"""Where richer forms of a row keep their aids, beside metadata_json (paths of keys, in the row or in metadata_json)."""

PICTURE_LISTS: Mapping[str, str] = {"mental_modeling": "images", "navigation": "file_names"}
"""Aids that are lists of pictures, by task; media_paths where a row has none."""

PICTURE_ENDS = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff")


def _parsed(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value


def _nested(row: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return aids that lie deeper than metadata_json itself."""
    found: dict[str, Any] = {}
    for base in (row, metadata):
        for keys in HOLDERS:
            holder: Any = base
            for key in keys:
                holder = _parsed(holder.get(key)) if isinstance(holder, dict) else None
            if isinstance(holder, dict):
                for aid in AIDS:
                    if holder.get(aid) is not None:
                        found.setdefault(aid, holder[aid])
    return found


def first_vertex(sample: Sample, root: Path) -> list[float] | None:
    """Return where a trajectory starts, normalised: the first vertex of its truth, which the task gives away anyway.

    None where the truth is no path, or is in pixels of a picture whose size cannot be read: a check reports both.
    """
    from provise.target_mask import picture_size
    from provise.truth import parse_points

    points = parse_points(sample.answer)
    if points is None:
        return None
    x, y = (float(value) for value in points[0])
    if points.max() > 1:
        try:
            width, height = picture_size(resolve_media(root, sample.image_path))
        except (InputError, DataError):
            return None
        x, y = x / width, y / height
    return [x, y]


def complete(sample: Sample, row: Mapping[str, Any], root: Path) -> Sample:
    """Return the sample with the defaults of the design written into its own fields.

    ``media_paths`` defaults to the primary picture, ``mask_path`` to an answer that is a mask's path, ``images`` and
    ``file_names`` to ``media_paths``, ``start`` to the first vertex of a trajectory's truth. What a row says stays.

    Parameters
    ----------
    sample : Sample
        As read.
    row : mapping
        The whole row: aids may lie in its ``evaluation`` or ``metadata``.
    root : Path
        The benchmark's folder.
    """
    media = sample.media_paths or (sample.image_path,)
    mask = sample.mask_path
    if not mask and sample.answer_type == "mask" and sample.answer.lower().endswith(PICTURE_ENDS):
        mask = sample.answer
    metadata = dict(sample.metadata)
    added = {key: value for key, value in _nested(row, metadata).items() if metadata.get(key) is None}
    shown = [path for path in media if path != mask]
    for task, aid in PICTURE_LISTS.items():
        if metadata.get(aid) is None and aid not in added and (sample.task == task or len(shown) > 1):
            added[aid] = shown
    if sample.task == "trajectory" and metadata.get("start") is None and "start" not in added:
        start = first_vertex(sample, root)
        if start is not None:
            added["start"] = start
    text = sample.metadata_json
    if added and (metadata or text.strip() in ("", "{}", "null")):
        text = json.dumps({**metadata, **added}, ensure_ascii=False)
    return replace(sample, media_paths=media, mask_path=mask, metadata_json=text)
