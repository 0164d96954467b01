"""Reading aids: facts that say where to read, checked before a reader gets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from posixpath import normpath
from typing import Any

from provise.coordinates import valid_point
from provise.errors import DataError, InputError
from provise.sample import PublicSample

__all__ = ["check_aids", "public_media"]


def check_aids(declared: Iterable[str], given: Mapping[str, Any], *, n_pictures: int = 0) -> dict[str, Any]:
    """Return the aids a protocol declares, parsed.

    Parameters
    ----------
    declared : iterable of str
        Names of the aids the protocol needs.
    given : mapping
        What the sample's metadata and the caller have.
    n_pictures : int
        Number of source pictures at hand; they stand for ``images`` and ``file_names``.

    Raises
    ------
    DataError
        ``missing_aid``, ``bad_aid`` or ``aid_outside``: the benchmark's fault, never the model's.

    Examples
    --------
    >>> check_aids(["start"], {"start": [0.25, 0.5], "answer": "B"})
    {'start': (0.25, 0.5)}
    """
    return {name: _CHECKS[name](given.get(name), n_pictures) for name in declared}


def _missing(name: str, form: str) -> DataError:
    return DataError("missing_aid", f"the reading aid {name!r} is missing; give metadata {name!r} as {form}")


def _point(value: Any, name: str) -> tuple[float, float]:
    pair = isinstance(value, list | tuple) and len(value) == 2
    if not pair or not all(isinstance(v, int | float) and not isinstance(v, bool) for v in value):
        raise DataError("bad_aid", f"{name} is {value!r:.60}; expected [x, y], each a number in 0..1")
    if not valid_point(value):
        raise DataError("aid_outside", f"{name} is {value!r:.60}, outside the picture; expected [x, y], each in 0..1")
    return float(value[0]), float(value[1])


def _start(value: Any, _: int) -> tuple[float, float]:
    if value is None:
        raise _missing("start", "[x, y] in 0..1")
    return _point(value, "start")


def _coordinates(value: Any, _: int) -> tuple[tuple[float, float], tuple[float, float]]:
    if value is None:
        raise _missing("coordinates", "[[xA, yA], [xB, yB]] in 0..1 (`provise benchmark check --fill` can find them)")
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise DataError("bad_aid", f"coordinates is {value!r:.60}; expected [[xA, yA], [xB, yB]]")
    return _point(value[0], "coordinates A"), _point(value[1], "coordinates B")


def _holes(value: Any, _: int) -> int:
    if value is None:
        raise _missing("holes", "the number of numbered holes")
    # Any other form, a text or a fraction, is a slip that is better seen than repaired.
    whole = isinstance(value, int | float) and not isinstance(value, bool) and 2 <= value <= 99 and value == int(value)
    if not whole:
        raise DataError("bad_aid", f"holes is {value!r:.60}; expected a whole number from 2 to 99")
    return int(value)


def _pictures(value: Any, n_pictures: int) -> int:
    if n_pictures:
        return n_pictures
    if not value or not isinstance(value, list | tuple):
        raise _missing("images", "a list of paths (media_paths stand for it)")
    return len(value)


_CHECKS: dict[str, Any] = {
    "start": _start,
    "coordinates": _coordinates,
    "holes": _holes,
    "images": _pictures,
    "file_names": _pictures,
}


def public_media(sample: PublicSample, inputs: str) -> list[Path]:
    """Return the files a reader compares an answer with: the primary picture first.

    Parameters
    ----------
    sample : PublicSample
        With its root.
    inputs : {"first", "all"}
        Whether the protocol shows the model one picture or all.
    """
    from provise.benchmark.paths import resolve_media

    if sample.root is None:
        return []
    listed = sample.metadata.get("file_names") or sample.metadata.get("images") or sample.media_paths
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list | tuple) else []
    # The current view is the source even where a careless row lists an option before it.
    first = normpath(sample.image_path)
    ordered = [sample.image_path, *(name for name in names if normpath(name) != first)]
    try:
        return [resolve_media(sample.root, name) for name in (ordered if inputs == "all" else ordered[:1])]
    except InputError as error:
        raise DataError("bad_source", str(error)) from error
