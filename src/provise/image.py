"""The one image reader: bytes in, pixels out, and the geometry from an answer to its source."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.errors import ImageError

__all__ = ["Geometry", "Picture", "decode", "fit"]


@dataclass(frozen=True, eq=False)
class Picture:
    """A decoded picture.

    Parameters
    ----------
    rgb : ndarray, shape (h, w, 3)
        uint8; float32 in 0..255 where the file holds more than 8 bits a channel and uses them.
    alpha : ndarray of uint8, shape (h, w), or None
        None where every pixel is opaque.
    digest : str
        SHA-256 of the bytes as received (of the pixels for an array).
    format : str
        ``PNG``, ``JPEG``, ...; ``array`` for an array.
    notes : tuple of str
        What was done on the way: ``exif_orientation``, ``first_frame``, ``converted_cmyk``, ...
    """

    rgb: npt.NDArray[Any]
    alpha: npt.NDArray[np.uint8] | None = None
    digest: str = ""
    format: str = "array"
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.rgb.shape[1], self.rgb.shape[0]


@dataclass(frozen=True)
class Geometry:
    """How an answer was brought to its source's grid.

    Parameters
    ----------
    answer_size, source_size : tuple of int
        Width and height in pixels.
    aspect_change : float
        Ratio of the two aspect ratios, the larger over the smaller, less 1: .02 is two per cent.
    notes : tuple of str
        ``aspect_changed`` above two per cent, and the notes of the decoder.
    """

    answer_size: tuple[int, int]
    source_size: tuple[int, int]
    aspect_change: float = 0.0
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


def decode(data: bytes | bytearray | str | Path | npt.NDArray[Any], *, max_megapixels: float = 64.0) -> Picture:
    """Decode a picture (first slice; the full reader follows)."""
    if isinstance(data, np.ndarray):
        return Picture(np.ascontiguousarray(data[..., :3]), None, hashlib.sha256(data.tobytes()).hexdigest())
    raw = Path(data).read_bytes() if isinstance(data, str | Path) else bytes(data)
    if not raw:
        raise ImageError("empty", "the file is empty")
    array = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR_RGB)
    if array is None:
        raise ImageError("undecodable", f"{len(raw)} bytes that are not a picture")
    return Picture(array, None, hashlib.sha256(raw).hexdigest(), "PNG")


def fit(
    picture: Picture, size: tuple[int, int] | None = None, *, over: Picture | None = None
) -> tuple[npt.NDArray[Any], Geometry]:
    """Bring a picture to a grid: lay alpha over ``over`` (else white), resize by area or linear."""
    target = size or picture.size
    rgb = picture.rgb
    if target != picture.size:
        shrink = target[0] * target[1] < picture.size[0] * picture.size[1]
        rgb = cv2.resize(rgb, target, interpolation=cv2.INTER_AREA if shrink else cv2.INTER_LINEAR)
    a, b = picture.size[0] / picture.size[1], target[0] / target[1]
    return rgb, Geometry(picture.size, target, max(a, b) / min(a, b) - 1)
