"""The one place where a truth is parsed: a sample and a metric in, a checked value out."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.errors import DataError, InputError
from provise.labels import DIRECTIONS, canonical_integer, options, same, to_integer, to_label
from provise.metrics.quantities import to_centimetres
from provise.metrics.registry import get_metric
from provise.sample import Sample
from provise.target_mask import fill_polygons, picture_size, read_mask

__all__ = ["DIRECTIONS", "Truth", "load_truth", "parse_points"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
PAIR = re.compile(rf"[(\[]\s*({NUMBER})\s*,\s*({NUMBER})\s*[)\]]")
QUANTITY = re.compile(rf"\s*({NUMBER})\s*([^\d\s].*?)?\s*")
PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".gif", ".tif", ".tiff")
MARGIN = 0.05
"""How far outside the frame a true vertex may lie: annotations run over the edge by a few pixels."""

KINDS: dict[str, tuple[str, ...]] = {
    "choice": ("choice", "choices", "mcq", "multiple_choice", "single_choice", "option", "letter", "label"),
    "integer": ("integer", "int", "number", "count", "numeric"),
    "boolean": ("boolean", "bool", "yes_no", "true_false", "binary"),
    "direction": ("direction", "orientation"),
}


@dataclass(frozen=True, eq=False)
class Truth:
    """The right answer of one sample, parsed and checked.

    Parameters
    ----------
    kind : str
        ``choice``, ``integer``, ``boolean``, ``direction``, ``mask``, ``path``, ``point``, ``box``, ``endpoint``,
        ``measurement`` or ``number``.
    value : object
        Letter, int, bool or canonical direction; mask: bool ndarray (h, w) on the source's grid; path: float ndarray
        (n, 2), normalised; point and box: tuple of floats, normalised; endpoint: ``{"index", "count"}``; measurement:
        centimetres; number: float.
    choices : tuple of str
        The sample's options in order.
    path : Path, optional
        The file of a mask.
    """

    kind: str
    value: Any
    choices: tuple[str, ...] = ()
    path: Path | None = None

    def to_json(self) -> Any:
        """Return the value as JSON; a mask as its number of marked pixels and its size.

        Examples
        --------
        >>> Truth("mask", np.eye(2, dtype=bool)).to_json()
        {'pixels': 2, 'size': [2, 2]}
        """
        if self.kind == "mask":
            return {"pixels": int(np.count_nonzero(self.value)), "size": [self.value.shape[1], self.value.shape[0]]}
        if isinstance(self.value, np.ndarray):
            return self.value.tolist()
        return list(self.value) if isinstance(self.value, tuple) else self.value


def load_truth(sample: Sample, metric: str) -> Truth:
    """Parse the truth of a sample in the form a metric needs.

    Parameters
    ----------
    sample : Sample
        The whole row, with its root.
    metric : str
        A name of `provise.metrics.METRICS`.

    Returns
    -------
    Truth

    Raises
    ------
    InputError
        If the metric is unknown.
    DataError
        ``bad_truth`` (it cannot be parsed, names no option, or is impossible), ``missing_mask``, ``empty_mask``,
        ``missing_aid`` (no number of holes), ``missing_media`` or ``bad_media`` (the source's size is needed),
        ``unsafe_path`` (a file outside the benchmark's root).

    Examples
    --------
    >>> row = Sample("p1", "reasoning", "prediction", "p1.png", answer="4", metadata_json='{"holes": 7}')
    >>> load_truth(row, "endpoint_score").value
    {'index': 4, 'count': 7}
    """
    form = get_metric(metric).truth
    return _FORMS[form](sample)


def parse_points(text: str) -> npt.NDArray[np.float64] | None:
    """Read a written list of points: ``[(0.2, 0.3), ...]``, ``[[0.2, 0.3]]`` or ``(1,2)->(3,4)``.

    Returns
    -------
    ndarray of float, shape (n, 2), or None
        None where the text is anything but pairs of finite numbers.

    Examples
    --------
    >>> parse_points("(1,2)->(3,4)").tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    >>> parse_points("[(0.2, nan)]") is None
    True
    """
    pairs = PAIR.findall(text)
    rest = PAIR.sub(" ", text)
    # What is left beside the pairs may be brackets and separators alone: a pair that cannot be read is not skipped.
    # A bracket that is never closed is a list that was cut off.
    if (
        not pairs
        or not re.fullmatch(r"[\s\[\](),;>→-]*", rest)
        or rest.count("[") + rest.count("(") > rest.count("]") + rest.count(")")
    ):
        return None
    points = np.array(pairs, dtype=np.float64)
    return points if np.isfinite(points).all() else None


def _label(sample: Sample) -> Truth:
    text = sample.answer.strip()
    if not text:
        raise _bad(sample, "an answer")
    stated = sample.answer_type.strip().lower().replace("-", "_").replace(" ", "_")
    kinds = [kind for kind, names in KINDS.items() if stated in names]
    if not kinds:
        # A type this project does not know: the options say what kind of answer it is, else the first that fits.
        kinds = ["choice"] if sample.choices else ["integer", "boolean", "choice", "direction"]
    for kind in kinds:
        value = _find(text, kind, sample.choices)
        if value is not None:
            return Truth(kind, value, sample.choices)
    article = "an" if kinds[0] == "integer" else "a"
    options = f"one of the options {list(sample.choices)}"
    allowed = options if sample.choices else f"{article} {' or '.join(kinds)}"
    raise _bad(sample, allowed)


def _find(text: str, kind: str, choices: tuple[str, ...]) -> Any:
    """Find the one value of a kind that the canonicaliser takes for the same as a written truth."""
    if kind == "integer" and (number := canonical_integer(text)) is not None:
        return number
    letters = [option.label for option in options(choices)] or list(LETTERS)
    bare = text.strip("()[]{}<>.: *").upper()
    if kind == "choice" and bare in letters and (text not in choices or choices[letters.index(bare)] == text):
        return bare  # a letter is a letter, even where two options share one text
    if kind == "choice":
        return to_label(text, choices)
    candidates: list[Any]
    if kind == "integer":
        candidates = sorted({int(found) for choice in choices for found in re.findall(r"\d+", choice)})
    else:
        candidates = [True, False] if kind == "boolean" else list(DIRECTIONS)
    found = [value for value in candidates if same(value, text, kind, choices)]
    return found[0] if len(found) == 1 else None


def _mask(sample: Sample) -> Truth:
    noted = sample.metadata.get("mask")
    answer = sample.answer.strip()
    named = sample.mask_path or (noted if isinstance(noted, str) else "")
    if not named and answer.lower().endswith(PICTURES):
        named = answer
    if named:
        path = _resolve(sample, named)
        if not os.path.isfile(path):  # false, and no error, for a name that no file can have
            raise DataError("missing_mask", f"sample {sample.id!r}: there is no mask {path}; the row names {named!r}")
        return Truth("mask", read_mask(path, _size(sample)), sample.choices, path)
    if not answer:
        raise DataError("missing_mask", f"sample {sample.id!r}: mask_path is empty, and the answer holds no polygons")
    size = _size(sample)
    rings = _rings(answer)
    if rings is None:
        raise _bad(sample, "a mask_path, or polygons [[x, y], ...] of at least three vertices")
    vertices = _normalise(sample, np.concatenate(rings))
    shares = np.split(vertices, np.cumsum([len(ring) for ring in rings])[:-1])
    mask = fill_polygons([ring * np.array(size, dtype=np.float64) for ring in shares], size)
    if not mask.any():
        raise DataError("empty_mask", f"sample {sample.id!r}: the polygons of the answer hold no pixel's centre")
    return Truth("mask", mask, sample.choices)


def _rings(text: str) -> list[npt.NDArray[np.float64]] | None:
    """Polygons in one of three nestings: COCO's flat lists, a ring of pairs, a list of rings."""
    try:
        parsed = json.loads(text.replace("(", "[").replace(")", "]"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(parsed, list) or not parsed:
        return None
    deep = isinstance(parsed[0], list)
    rings = parsed
    if not deep or (len(parsed[0]) == 2 and not isinstance(parsed[0][0], list)):
        rings = [parsed]
    try:
        arrays = [np.asarray(ring, dtype=np.float64).reshape(-1, 2) for ring in rings]
    except (TypeError, ValueError):
        return None
    return arrays if all(len(ring) >= 3 and np.isfinite(ring).all() for ring in arrays) else None


def _path(sample: Sample) -> Truth:
    points = parse_points(sample.answer)
    if points is None or len(points) < 2:
        raise _bad(sample, "a path [(x, y), ...] of at least two points")
    return Truth("path", _normalise(sample, points), sample.choices)


def _point(sample: Sample) -> Truth:
    points = parse_points(sample.answer)
    points = parse_points(f"({sample.answer})") if points is None else points
    if points is None or len(points) != 1:
        raise _bad(sample, "one point (x, y)")
    return Truth("point", tuple(_normalise(sample, points)[0].tolist()), sample.choices)


def _box(sample: Sample) -> Truth:
    numbers = re.fullmatch(rf"\s*[(\[]?\s*({NUMBER}(?:\s*,\s*{NUMBER}){{3}})\s*[)\]]?\s*", sample.answer)
    corners = np.array(numbers[1].split(",") if numbers else [], dtype=np.float64).reshape(-1, 2)
    if len(corners) != 2 or not (corners[0] < corners[1]).all():
        raise _bad(sample, "a box [x0, y0, x1, y1] with x0 < x1 and y0 < y1")
    return Truth("box", tuple(_normalise(sample, corners).ravel().tolist()), sample.choices)


def _endpoint(sample: Sample) -> Truth:
    noted = sample.metadata.get("holes")
    holes = to_integer(noted)
    if holes is None or holes < 1:
        raise DataError(
            "missing_aid",
            f"sample {sample.id!r}: metadata holes is {noted!r:.60}; the score needs the number of holes, 1 or more",
        )
    index = to_integer(sample.answer)
    if index is None or not 1 <= index <= holes:
        raise _bad(sample, f"a hole from 1 to {holes}")
    return Truth("endpoint", {"index": index, "count": holes}, sample.choices)


def _measurement(sample: Sample) -> Truth:
    from provise.answers.measurement import read_measurement

    try:
        length = to_centimetres(*_quantity(sample))
    except (InputError, DataError) as error:
        # Lengths of two units, thousands with commas: in every spelling in which an answer may give them.
        read = read_measurement(sample.answer).prediction
        if read is None:
            raise _bad(sample, f"a length with a unit ({error})") from error
        length = to_centimetres(read["value"], read["unit"])
    if not 0 < length < math.inf:
        raise _bad(sample, "a length above 0")
    return Truth("measurement", length, sample.choices)


def _number(sample: Sample) -> Truth:
    return Truth("number", _quantity(sample)[0], sample.choices)


def _any_quantity(sample: Sample) -> Truth:
    return _measurement(sample) if _quantity(sample)[1] else _number(sample)


def _quantity(sample: Sample) -> tuple[float, str]:
    found = QUANTITY.fullmatch(sample.answer.replace("\u2212", "-"))
    if not found or not math.isfinite(float(found[1])):
        raise _bad(sample, "a number, with its unit here or under metadata answer_unit")
    noted = sample.metadata.get("answer_unit")
    return float(found[1]), found[2] or (noted if isinstance(noted, str) else "")


def _normalise(sample: Sample, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Bring points to shares of the frame: in pixels if the largest coordinate is above 1, all of them at once."""
    if points.max() > 1:
        points = points / np.array(_size(sample), dtype=np.float64)
    if points.min() < -MARGIN or points.max() > 1 + MARGIN:
        raise _bad(sample, "coordinates inside the picture, in pixels or in shares of its width and height")
    return points


def _size(sample: Sample) -> tuple[int, int]:
    return picture_size(_resolve(sample, sample.image_path))


def _resolve(sample: Sample, path: str) -> Path:
    """Return a file of the row, which may lie nowhere but under the benchmark's root."""
    from provise.benchmark.paths import resolve_media

    if sample.root is None:
        return Path(path)
    try:
        return resolve_media(sample.root, path, where=f"sample {sample.id!r}")
    except InputError as error:
        raise DataError("unsafe_path", str(error)) from error


def _bad(sample: Sample, expected: str) -> DataError:
    shown = sample.answer if len(sample.answer) <= 80 else sample.answer[:80] + "..."
    return DataError("bad_truth", f"sample {sample.id!r} ({sample.task}): answer is {shown!r}; expected {expected}")


_FORMS: dict[str, Callable[[Sample], Truth]] = {
    "label": _label,
    "mask": _mask,
    "path": _path,
    "point": _point,
    "box": _box,
    "endpoint": _endpoint,
    "measurement": _measurement,
    "number": _number,
    "quantity": _any_quantity,
}
