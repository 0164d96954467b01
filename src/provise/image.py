"""The one image reader: bytes in, pixels out, and the geometry from an answer to its source."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.errors import ImageError, InputError

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Geometry", "Picture", "decode", "encode_png", "fit", "fit_mask", "luma"]

MAX_MEGAPIXELS = 64.0

Bytes = npt.NDArray[np.uint8]

ORDER = {1: None, 3: cv2.COLOR_RGB2BGR, 4: cv2.COLOR_RGBA2BGRA}
"""How OpenCV wants an array's channels, by their number."""


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
        SHA-256 of the bytes as received (of shape and pixels for an array).
    format : str
        ``PNG``, ``JPEG``, ...; ``array`` for an array.
    notes : tuple of str
        What was done on the way: ``exif_orientation``, ``first_frame``, ``converted_cmyk``, ``sixteen_bit``, ...
    """

    rgb: npt.NDArray[Any]
    alpha: Bytes | None = None
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
        ``aspect_changed`` above two per cent, ``no_source`` where none was given, and the notes of the decoder.
    """

    answer_size: tuple[int, int]
    source_size: tuple[int, int]
    aspect_change: float = 0.0
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, picture: Picture, size: tuple[int, int]) -> Geometry:
        """Return the geometry from a picture to a grid of ``size``."""
        a, b = picture.size[0] / picture.size[1], size[0] / size[1]
        change = round(max(a, b) / min(a, b) - 1, 5)
        return cls(picture.size, size, change, (*picture.notes, *(["aspect_changed"] if change > 0.02 else [])))

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


def decode(
    data: bytes | bytearray | memoryview | str | Path | npt.NDArray[Any] | Image,
    *,
    max_megapixels: float = MAX_MEGAPIXELS,
) -> Picture:
    """Decode a picture.

    EXIF orientation is applied. CMYK and palette pictures are converted. A picture of 16 bits a channel is scaled to
    0..255 as float32, so that 30075 and 30025 differ, unless its largest value fits 8 bits. Of an animation the first
    frame is read. What is larger than the limit is refused from its header.

    Parameters
    ----------
    data : bytes, path, ndarray or PIL image
        An array is grey (h, w) or RGB(A) (h, w, 3 or 4): bool, uint8, uint16, or float. A float array is taken as
        0..1 where its largest value is at most 1, else as 0..255.
    max_megapixels : float
        Millions of pixels.

    Returns
    -------
    Picture

    Raises
    ------
    ImageError
        ``empty``, ``undecodable``, ``truncated`` or ``too_large``.
    InputError
        If there is no file at the path, or an argument of another type was given.

    Examples
    --------
    >>> decode(np.zeros((2, 3), np.uint8)).size
    (3, 2)
    """
    if isinstance(data, np.ndarray):
        return _from_array(data, max_megapixels)
    if isinstance(data, str | Path):
        data = _bytes_of(Path(data))
    if isinstance(data, bytes | bytearray | memoryview):
        from provise.image_file import decode_bytes

        return decode_bytes(bytes(data), max_megapixels)
    if hasattr(data, "mode") and hasattr(data, "getexif"):
        from provise.image_file import decode_pil

        return decode_pil(data, max_megapixels)
    raise InputError(f"an image is given as {type(data).__name__}; expected bytes, a path, an array or a PIL image")


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such picture") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path!s:.200}: cannot be read ({getattr(error, 'strerror', '') or error})") from error


def check_size(width: int, height: int, max_megapixels: float) -> None:
    """Refuse a picture without pixels, or with too many."""
    if width < 1 or height < 1:
        raise ImageError("undecodable", f"the picture is {width}x{height}: it has no pixels")
    if width * height > max_megapixels * 1e6:
        raise ImageError(
            "too_large",
            f"the picture is {width}x{height} = {width * height / 1e6:.0f} megapixels; at most {max_megapixels:g}",
        )


def _from_array(array: npt.NDArray[Any], max_megapixels: float) -> Picture:
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[..., 0]
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (3, 4)):
        raise ImageError(
            "undecodable", f"an array of shape {array.shape} is no picture; expected (h, w), (h, w, 3) or (h, w, 4)"
        )
    check_size(array.shape[1], array.shape[0], max_megapixels)
    return build(_levels(array), digest_of(array), "array", ())


def _levels(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array's values as uint8, uint16, or float in 0..255."""
    if array.dtype == np.bool_:
        return array.astype(np.uint8) * np.uint8(255)
    if array.dtype in (np.uint8, np.uint16):
        # A copy: what the caller does with his array later is not to change a picture that has a digest.
        return array.copy()
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise ImageError("undecodable", "the array holds values that are not finite")
        # Clipped before the type changes: a value beyond float32 is too bright, not infinite.
        values = np.empty(array.shape, np.float32)
        np.clip(array, 0, 255, out=values, casting="same_kind")
        if values.max() <= 1:
            values *= np.float32(255)
        return values
    if array.dtype.kind in "iu" and array.min() >= 0 and array.max() <= 65535:
        return array.astype(np.uint16 if array.max() > 255 else np.uint8)
    raise ImageError("undecodable", f"an array of {array.dtype} is no picture; expected uint8, uint16, bool or float")


def build(values: npt.NDArray[Any], digest: str, kind: str, notes: tuple[str, ...]) -> Picture:
    """Make a picture of grey, grey-alpha, RGB or RGBA values in uint8, uint16 or float32 (0..255)."""
    colours, levels, alpha = values, None, None
    if values.ndim == 3 and values.shape[2] in (2, 4):
        colours, levels = (values[..., :3] if values.shape[2] == 4 else values[..., 0]), values[..., -1]
    # Up to 255: the writer changed the container, not the scale. (Opaque is 65535 there all the same.)
    deep = colours.dtype == np.uint16 and colours.max() > 255
    if levels is not None:
        if levels.dtype == np.uint16 and (deep or levels.max() > 255):
            levels = _scaled(levels)
        if levels.dtype.kind == "f":
            np.rint(levels, out=levels)
        alpha = np.ascontiguousarray(levels, dtype=np.uint8)
        alpha, levels = (None if alpha.min() == 255 else alpha), None
    if colours.dtype == np.uint16:
        colours = _scaled(colours) if deep else colours.astype(np.uint8)
    rgb = np.repeat(colours[..., None], 3, axis=2) if colours.ndim == 2 else colours
    return Picture(np.ascontiguousarray(rgb), alpha, digest, kind, (*notes, "sixteen_bit") if deep else notes)


def digest_of(array: npt.NDArray[Any]) -> str:
    """Return the SHA-256 of an array's type, shape and values."""
    sha = hashlib.sha256(f"{array.dtype.str}{array.shape}:".encode())
    sha.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return sha.hexdigest()


def _scaled(values: npt.NDArray[np.uint16]) -> npt.NDArray[np.float32]:
    scaled = values.astype(np.float32)
    scaled /= np.float32(257)
    return scaled


def _resize(values: npt.NDArray[Any], size: tuple[int, int]) -> npt.NDArray[Any]:
    """Resize by area when the picture shrinks, linearly when it grows; a mixed change takes one step an axis."""
    height, width = values.shape[:2]
    if (width, height) == size:
        return values
    shrinks = size[0] <= width, size[1] <= height
    if shrinks[0] == shrinks[1]:
        return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA if shrinks[0] else cv2.INTER_LINEAR))
    first = (size[0], height) if shrinks[0] else (width, size[1])
    return np.asarray(
        cv2.resize(cv2.resize(values, first, interpolation=cv2.INTER_AREA), size, interpolation=cv2.INTER_LINEAR)
    )


def fit(
    picture: Picture, size: tuple[int, int] | None = None, *, over: Picture | None = None
) -> tuple[npt.NDArray[Any], Geometry]:
    """Bring a picture to a grid: resize, then lay its alpha over another picture or over white.

    Parameters
    ----------
    picture : Picture
        What was decoded.
    size : tuple of int, optional
        Width and height of the grid; the picture's own where it is not given.
    over : Picture, optional
        What shows through where the picture is transparent; white where it is not given.

    Returns
    -------
    rgb : ndarray, shape (h, w, 3)
        uint8, or float32 in 0..255 for a picture of more than 8 bits.
    geometry : Geometry
        What was done.

    Raises
    ------
    InputError
        If the grid has no pixels, or more than 64 million.
    """
    target = _grid(picture.size if size is None else size)
    geometry = Geometry.of(picture, target)
    if picture.alpha is None:
        return _resize(picture.rgb, target), geometry
    below = None if over is None else fit(over, target)[0]
    rgb = np.empty((target[1], target[0], 3), picture.rgb.dtype)
    # A picture that keeps its size is done in bands of rows: at the limit, all of it in floats would take gigabytes.
    step = 256 if target == picture.size else max(picture.size[1], target[1])
    for top in range(0, target[1], step):
        rows = slice(top, top + step)
        _lay(picture.rgb[rows], picture.alpha[rows], None if below is None else below[rows], rgb[rows])
    return rgb, geometry


def _lay(rgb: npt.NDArray[Any], alpha: Bytes, below: npt.NDArray[Any] | None, out: npt.NDArray[Any]) -> None:
    """Resize colours to ``out`` and lay them over ``below``, or over white, by their alpha."""
    target = out.shape[1], out.shape[0]
    # Colours are weighted by their alpha before they are averaged: what is hidden under alpha 0 never shows.
    weight = alpha.astype(np.float32)
    weight /= np.float32(255)
    gap = 1 - _resize(weight, target)
    for c in range(3):
        laid = _resize(rgb[..., c] * weight, target)
        laid += gap * (np.float32(255) if below is None else below[..., c])
        out[..., c] = np.clip(np.rint(laid), 0, 255) if out.dtype == np.uint8 else laid


def _grid(size: tuple[int, int]) -> tuple[int, int]:
    """Check the width and height of a grid to fit to."""
    width, height = size
    if width < 1 or height < 1 or width * height > MAX_MEGAPIXELS * 1e6:
        raise InputError(
            f"a picture is to be fitted to {width}x{height}; both must be at least 1, "
            f"and their product at most {MAX_MEGAPIXELS:g} million"
        )
    return int(width), int(height)


def fit_mask(mask: npt.NDArray[np.bool_], size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Bring a mask to a grid by the nearest pixel."""
    size = _grid(size)
    if (mask.shape[1], mask.shape[0]) == size:
        return mask
    return np.asarray(cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST_EXACT) > 0)


def luma(rgb: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the brightness (Rec. 601), shape (h, w), of the same type as the picture."""
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY))


def encode_png(array: npt.NDArray[Any]) -> bytes:
    """Return a PNG of a grey, RGB or RGBA array of bool or uint8; the same array gives the same bytes.

    Raises
    ------
    InputError
        For another shape or type; nothing is rounded or cut on the way.
    """
    values = array.astype(np.uint8) * np.uint8(255) if array.dtype == np.bool_ else array
    channels = 1 if values.ndim == 2 else values.shape[2] if values.ndim == 3 else 0
    if values.dtype != np.uint8 or channels not in ORDER or not values.size:
        raise InputError(
            f"an array of {array.dtype} and shape {array.shape} cannot be written as PNG; "
            "expected bool or uint8 of shape (h, w), (h, w, 3) or (h, w, 4)"
        )
    order = ORDER[channels]
    ok, data = cv2.imencode(".png", values if order is None else cv2.cvtColor(values, order))
    if not ok:
        raise InputError(f"an array of shape {array.shape} cannot be written as PNG")
    return bytes(data.tobytes())
