"""Reading aids: what a task cannot be read without, and whether it can be true."""

from __future__ import annotations

from typing import Any

from provise.benchmark.checks.entry import Entry, Found, shorten
from provise.benchmark.tasks import TASKS
from provise.errors import DataError

__all__ = ["check_aids"]

LEAST_PICTURES = {"images": 2, "file_names": 3}
"""Views of a scene; the current view and two candidates."""


def check_aids(entry: Entry) -> Found:
    """Yield aids that a row's task needs and does not have, and aids that are impossible."""
    from provise import aids

    metadata = entry.sample.metadata
    task = TASKS.get(entry.sample.task)
    needed = task.aids if task else ()
    for name in ("coordinates", "holes", "start"):
        if name not in needed and metadata.get(name) is None:
            continue
        try:
            value = aids.check_aids([name], metadata)[name]
        except DataError as error:
            yield "error", error.code, str(error)
        else:
            if name == "coordinates" and value[0] == value[1]:
                yield "error", "aid_impossible", f"coordinates A and B are one place, {list(value[0])}: a tie for all"
    for name in ("images", "file_names"):
        if name in needed:
            yield from _check_pictures(entry, name, metadata.get(name))
    if "file_names" in needed:
        yield from _check_candidates(entry, metadata.get("file_names"))


def _check_pictures(entry: Entry, name: str, value: Any) -> Found:
    """Yield a list of pictures that is none, or too short to be looked at or chosen from."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        yield "error", "bad_aid", f"metadata {name} is {shorten(value)}; expected a list of paths"
    elif len(value) < LEAST_PICTURES[name]:
        yield (
            "error",
            "missing_aid",
            f"{name} names {len(value)} picture(s), media_paths too; task {entry.sample.task!r} needs "
            f"{LEAST_PICTURES[name]} or more",
        )
    elif name in entry.written.metadata and (
        strange := [item for item in value if item not in entry.sample.media_paths]
    ):
        yield "warning", "aid_not_media", f"{name} names {strange[0]!r}, which media_paths does not list"


def _check_candidates(entry: Entry, names: Any) -> Found:
    """Yield candidates that are not one an option, or a current view that is not the first."""
    sample = entry.sample
    if not isinstance(names, list) or len(names) < LEAST_PICTURES["file_names"]:
        return
    if sample.choices and len(names) - 1 != len(sample.choices):
        yield (
            "error",
            "candidate_count",
            f"file_names holds the current view and {len(names) - 1} candidate(s) for {len(sample.choices)} options",
        )
    if names[0] != sample.image_path:
        yield (
            "error",
            "candidate_order",
            f"file_names begins with {names[0]!r}; the current view {sample.image_path!r} comes first",
        )
