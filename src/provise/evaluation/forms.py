"""What a user hands to a metric: predictions as pictures or words, references as rows; and the text they travel as.

`evaluate` keeps predictions and references in Arrow tables, where a picture would be encoded anew. So both travel as JSON
text: a picture by the path of its file, and one that has no file by the path of its exact pixels.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from provise.errors import ImageError, InputError
from provise.image import Picture, decode
from provise.runs.responses import PICTURES
from provise.sample import FIELDS
from provise.scoring import Response

__all__ = ["PREDICTIONS", "Handed", "packed_prediction", "packed_reference", "unpacked_prediction"]

PREDICTIONS = (
    "a picture (its path, a PIL image, an array of (h, w) or (h, w, 3 or 4)), the words of a text answer, or None"
)
"""What a prediction may be, in words."""

PIXELS = ".npz"
NOT_ROW = ("media", "mask")
"""Columns of the dataset that hold decoded pictures: a reference goes without them."""


@dataclass(frozen=True)
class Handed:
    """A prediction on its way: exactly one of these, or none for no answer."""

    image: str | None = None
    text: str | None = None
    error: str | None = None


def packed_prediction(given: Any, where: str, scratch: Path) -> str:
    """Return a prediction as JSON text.

    Parameters
    ----------
    given : path, PIL image, ndarray, str, mapping or None
        A text that ends like a picture's file is a path, and so is a `Path`; ``{"image": path}`` and ``{"text": words}``
        say it outright. None is no answer.
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
    '{"image": null, "text": "(B)", "error": null}'
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
        handed = Handed(text=given.text)
    elif isinstance(given, np.ndarray) or hasattr(given, "getexif"):
        handed = _kept(given, where, scratch)
    else:
        raise InputError(
            f"{where} is {type(given).__name__} ({_short(given)}); expected {PREDICTIONS}{_as_words(given)}"
        )
    return json.dumps(asdict(handed))


@dataclass(frozen=True)
class _Words:
    text: str


def _said_outright(given: Mapping[str, Any], where: str) -> Path | _Words:
    if set(given) == {"image"} and isinstance(given["image"], str | Path):
        return Path(given["image"])
    if set(given) == {"text"} and isinstance(given["text"], str):
        return _Words(given["text"])
    keys = ", ".join(map(str, given)) or "nothing"
    raise InputError(f'{where} is a mapping of {keys}; expected {{"image": path}} or {{"text": words}}')


def _is_path(text: str) -> bool:
    return "\n" not in text and text.lower().endswith(PICTURES)


def _file(path: Path, where: str) -> str:
    if not path.is_file():
        raise InputError(
            f'{where} names the picture {path}, and there is no such file; words that end so are given as {{"text": ...}}'
        )
    return str(path.absolute())


def _kept(given: Any, where: str, scratch: Path) -> Handed:
    """Write a picture's exact pixels down; one that no reader could open is an answer that failed."""
    try:
        picture = decode(given)
    except ImageError as error:
        return Handed(error=f"{error.code}: {error}")
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    scratch.mkdir(parents=True, exist_ok=True)
    path = scratch / f"{uuid4().hex}{PIXELS}"
    alpha = np.zeros((0, 0), np.uint8) if picture.alpha is None else picture.alpha
    about = np.array([picture.digest, picture.format, *picture.notes])
    np.savez(path, rgb=picture.rgb, alpha=alpha, about=about)
    return Handed(image=str(path.absolute()))


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
        return Response(text=handed.text), None
    path = Path(str(handed.image))
    return (Response(image=_picture(path)), path) if path.suffix == PIXELS else (Response(image=path), None)


def packed_reference(given: Any, where: str) -> str:
    """Return a row of the benchmark as JSON text, its decoded pictures left out.

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
    kept = {key: value for key, value in row.items() if key not in NOT_ROW}
    try:
        return json.dumps(kept)
    except (TypeError, ValueError) as error:
        raise InputError(f"{where}: the row cannot be written as JSON ({error}); leave its pictures out") from error


def _as_words(value: Any) -> str:
    """Say how a value of a program is written as a text answer; nothing where it is none."""
    if isinstance(value, bool | int | float | list | tuple | np.generic):
        words = str(value).lower() if isinstance(value, bool | np.bool_) else str(value)
        return f"; as words it is {_short(words)}"
    return ""


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
