"""What a user hands to a metric: predictions as pictures or words, references as rows; and the text they travel as.

`evaluate` keeps predictions and references in Arrow tables, where a picture would be encoded anew. So both travel as JSON
text: a picture by the path of its file, and one that has no file by the path of its exact pixels.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePath
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from provise.answers import parse_declared
from provise.benchmark.aids import HOLDERS
from provise.errors import ImageError, InputError
from provise.image import Picture, decode
from provise.runs.responses import PICTURES
from provise.sample import FIELDS
from provise.scoring import Response

__all__ = ["PREDICTIONS", "Handed", "is_drawn", "packed_prediction", "packed_reference", "unpacked_prediction"]

PREDICTIONS = (
    "a picture (its path, a PIL image, an array of (h, w) or (h, w, 3 or 4)), the words of a text answer, or None"
)
"""What a prediction may be, in words."""

PIXELS = ".npz"
READ = {*FIELDS, *(keys[0] for keys in HOLDERS)}
"""Keys of a row that are read; other columns, decoded pictures among them, stay behind."""


@dataclass(frozen=True)
class Handed:
    """A prediction on its way: exactly one of these. ``pixels`` is a file of our own, ``image`` one of the caller's."""

    image: str | None = None
    pixels: str | None = None
    text: str | None = None
    coordinates: dict[str, Any] | None = None
    error: str | None = None


def packed_prediction(given: Any, where: str, scratch: Path) -> str:
    """Return a prediction as JSON text.

    Parameters
    ----------
    given : path, PIL image, ndarray, str, mapping or None
        A text that ends like a picture's file is a path, and so is a `Path`; ``{"image": picture}`` and
        ``{"text": words}`` say it outright, a key that is None aside; ``coordinates`` beside words says how they write
        points, as in a file of responses. None is no answer.
    where : str
        Which one, for the message.
    scratch : Path
        Folder for the pixels of pictures that have no file.

    Raises
    ------
    InputError
        If it is nothing of these, or a path without a file.

    Examples
    --------
    >>> packed_prediction("(B)", "prediction 0", Path("."))
    '{"image": null, "pixels": null, "text": "(B)", "coordinates": null, "error": null}'
    """
    if isinstance(given, Mapping):
        given = _said_outright(given, where)
    if given is None:
        handed = Handed(error="no answer")
    elif isinstance(given, Path) or (isinstance(given, str) and _is_path(given)):
        handed = Handed(image=_file(Path(given), where))
    elif isinstance(given, str):
        handed = Handed(text=given)
    elif isinstance(given, _Words):
        handed = Handed(text=given.text, coordinates=given.coordinates)
    elif isinstance(given, np.ndarray | _Encoded) or hasattr(given, "getexif"):
        handed = _kept(given, where, scratch)
    else:
        raise InputError(
            f"{where} is {type(given).__name__} ({_short(given)}); expected {PREDICTIONS}{_as_words(given)}"
        )
    return json.dumps(asdict(handed))


@dataclass(frozen=True)
class _Words:
    text: str
    coordinates: dict[str, Any] | None = None


@dataclass(frozen=True)
class _Encoded:
    data: bytes


def _said_outright(given: Mapping[str, Any], where: str) -> Any:
    """Return what a mapping says; columns of a table fill the keys that a line lacks with None."""
    said = {key: value for key, value in given.items() if value is not None}
    if given and not said and set(given) <= {"image", "text", "bytes", "path"}:
        return None
    if "text" in said and set(said) <= {"text", "coordinates"} and isinstance(said["text"], str):
        try:
            declared = parse_declared(said["coordinates"]).to_dict() if "coordinates" in said else None
        except InputError as error:
            raise InputError(f"{where}: {error}") from error
        return _Words(said["text"], declared)
    if set(said) == {"image"} and isinstance(said["image"], Mapping):
        said = {key: value for key, value in said["image"].items() if value is not None}
    elif set(said) == {"image"} and not isinstance(said["image"], bytes):
        return Path(said["image"]) if isinstance(said["image"], str) else said["image"]
    # As a column of pictures of `datasets` gives them undecoded.
    if set(said) <= {"bytes", "path"} and isinstance(said.get("bytes"), bytes):
        return _Encoded(said["bytes"])
    if set(said) == {"path"} and isinstance(said["path"], str):
        return Path(said["path"])
    keys = ", ".join(map(str, given)) or "nothing"
    raise InputError(f'{where} is a mapping of {keys}; expected {{"image": picture}} or {{"text": words}}')


def _is_path(text: str) -> bool:
    return "\n" not in text and text.lower().endswith(PICTURES)


def _file(path: Path, where: str) -> str:
    try:
        there = path.is_file()
    except OSError:  # a name that no file system takes
        there = False
    if not there:
        raise InputError(
            f'{where} names the picture {path!s:.200}, and there is no such file; words that end so are given as {{"text": ...}}'
        )
    return str(path.absolute())


def _kept(given: Any, where: str, scratch: Path) -> Handed:
    """Write a picture's exact pixels down; one that no reader could open is an answer that failed."""
    if isinstance(given, np.ndarray):
        _picture_like(given, where)
    try:
        picture = decode(given.data if isinstance(given, _Encoded) else given)
    except ImageError as error:
        if getattr(given, "fp", given) is None:
            raise InputError(f"{where} is a PIL image that was closed before it was loaded; load() it first") from error
        return Handed(error=f"{error.code}: {error}")
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    scratch.mkdir(parents=True, exist_ok=True)
    path = scratch / f"{uuid4().hex}{PIXELS}"
    alpha = np.zeros((0, 0), np.uint8) if picture.alpha is None else picture.alpha
    about = np.array([picture.digest, picture.format, *picture.notes])
    np.savez(path, rgb=picture.rgb, alpha=alpha, about=about)
    return Handed(pixels=str(path.absolute()))


def _picture_like(array: npt.NDArray[Any], where: str) -> None:
    """Refuse an array that is no picture whatever its values are: that is the caller's doing, not the model's."""
    if (
        array.dtype.kind not in "biuf"
        or array.ndim not in (2, 3)
        or (array.ndim == 3 and array.shape[2] not in (1, 3, 4))
    ):
        hint = "; the channels come last" if array.ndim == 3 and array.shape[0] in (1, 3, 4) else ""
        raise InputError(f"{where} is an array of {array.dtype} and shape {array.shape}; expected {PREDICTIONS}{hint}")


def _picture(path: Path) -> Picture:
    with np.load(path, allow_pickle=False) as kept:
        alpha: npt.NDArray[np.uint8] | None = kept["alpha"] if kept["alpha"].size else None
        digest, kind, *notes = (str(word) for word in kept["about"])
        return Picture(kept["rgb"], alpha, digest, kind, tuple(notes))


def unpacked_prediction(text: str) -> tuple[Response, Path | None]:
    """Return the response that a packed prediction stands for, and the file of its pixels that is no longer needed."""
    handed = Handed(**json.loads(text))
    if handed.error is not None:
        return Response(error=handed.error, kind="generation"), None
    if handed.text is not None:
        declared = None if handed.coordinates is None else parse_declared(handed.coordinates)
        return Response(text=handed.text, coordinates=declared), None
    if handed.pixels is not None:
        return Response(image=_picture(Path(handed.pixels))), Path(handed.pixels)
    return Response(image=Path(str(handed.image))), None


def is_drawn(text: str) -> bool:
    """Tell whether a packed prediction is a picture.

    Examples
    --------
    >>> is_drawn(packed_prediction("(B)", "prediction 0", Path(".")))
    False
    """
    handed = Handed(**json.loads(text))
    return handed.image is not None or handed.pixels is not None


def packed_reference(given: Any, where: str) -> str:
    """Return a row of the benchmark as JSON text, with what is read of it alone: no decoded pictures.

    Raises
    ------
    InputError
        If it is no row.

    Examples
    --------
    >>> packed_reference('{"id": "c1", "task": "counting", "image_path": "c1.png"}', "reference 0")
    '{"id": "c1", "task": "counting", "image_path": "c1.png"}'
    """
    row = given
    if isinstance(given, str):
        try:
            row = json.loads(given)
        except (ValueError, RecursionError):
            row = given
    if not isinstance(row, Mapping):
        raise InputError(
            f"{where} is {type(given).__name__} ({_short(given)}); expected a row of the benchmark, as a dict or JSON text "
            f"with {', '.join(FIELDS[:4])}, ..."
        )
    try:
        return json.dumps({key: value for key, value in row.items() if key in READ}, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{where}: the row cannot be written as JSON ({error})") from error


def _plain(value: Any) -> Any:
    """Return what tables make of lists and numbers as lists and numbers, and a path as text."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, PurePath):
        return value.as_posix()
    raise TypeError(f"it holds {type(value).__name__}: {_short(value)}")


def _as_words(value: Any) -> str:
    """Say how a value of a program is written as a text answer; nothing where it is none."""
    if isinstance(value, float) and value != value:  # NaN: a missing value of a table
        return "; no answer is None"
    if isinstance(value, bool | int | float | list | tuple | np.generic):
        words = str(value).lower() if isinstance(value, bool | np.bool_) else str(value)
        return f"; as words it is {_short(words)}"
    return ""


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
