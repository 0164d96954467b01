"""Target masks: from a file or from polygons to one bool array on the source's grid."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from provise.errors import DataError, ImageError
from provise.image import decode

__all__ = ["fill_polygons", "picture_size", "read_mask"]

Flags = npt.NDArray[np.bool_]

_PNG_NOTES = (b"eXIf", b"zTXt", b"iTXt", b"Raw profile type")
"""Where a PNG may say which way up it is seen."""


def read_mask(path: str | Path, size: tuple[int, int] | None = None) -> Flags:
    """Read a target mask.

    Two levels, or none above 1: the higher level is the target (so 0/1, 0/128 and 0/255 are one thing, at any bit
    depth). More levels, as JPEG makes them: above 127. A palette PNG is read through its colours if they are greys or
    hold a black background (then everything that is not black is the target), else through its indices: some writers
    store labels 0 and 1 under colours that mean nothing. An alpha channel that varies is the mask itself over one
    colour, and cuts out what cannot be seen over several.

    Parameters
    ----------
    path : str or Path
        The file.
    size : tuple of int, optional
        Width and height of the source, reached by nearest neighbour; the mask's own where it is left out.

    Returns
    -------
    ndarray of bool, shape (h, w)
        True is the target; at least one pixel is.

    Raises
    ------
    DataError
        ``missing_mask`` where there is no file, ``bad_truth`` where it is no picture, ``empty_mask`` where nothing is
        marked in it.
    """
    file = Path(path)
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise DataError("missing_mask", f"{file}: {error.strerror}; the target mask cannot be read") from error
    try:
        picture = decode(raw)
    except ImageError as error:
        raise DataError("bad_truth", f"{file}: {error}; expected a mask picture") from error
    mask = _from_palette(raw) if raw.startswith((b"\x89PNG", b"GIF8", b"BM")) else None
    if mask is None:
        mask = _from_levels(_brightest(picture.rgb))
    alpha = picture.alpha
    if alpha is not None and alpha.shape == mask.shape and alpha.min() != alpha.max():
        flat = picture.rgb.reshape(-1, 3)
        mask = _from_levels(alpha) if (flat == flat[0]).all() else mask & (alpha > 127)
    if not mask.any():
        raise DataError("empty_mask", f"{file}: nothing is marked in the mask; a target needs at least one pixel")
    return mask if size is None else _to_grid(mask, size, str(file))


def picture_size(path: str | Path) -> tuple[int, int]:
    """Width and height of a picture as it is seen (EXIF orientation applied), from its header alone.

    Raises
    ------
    DataError
        ``missing_media`` where there is no file, ``bad_media`` where it is no picture.
    """
    try:
        data = Path(path).read_bytes()
        with Image.open(io.BytesIO(data)) as image:
            width, height = image.size
            # Pillow decodes a whole PNG to look for EXIF behind its pixels; mostly there is none to look for.
            plain = image.format == "PNG" and not any(word in data for word in _PNG_NOTES)
            turned = not plain and image.getexif().get(0x0112) in (5, 6, 7, 8)
    except FileNotFoundError as error:
        place = Path(path)
        raise DataError("missing_media", f"there is no picture {place.name!r} in {place.parent}") from error
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise DataError(
            "bad_media", f"{path} is no picture that can be opened; `provise benchmark check` tells more"
        ) from error
    return (height, width) if turned else (width, height)


def fill_polygons(rings: list[npt.NDArray[np.float64]], size: tuple[int, int]) -> Flags:
    """Mark the pixels whose centre lies in one of several polygons.

    Parameters
    ----------
    rings : list of ndarray, shape (n, 2)
        Vertices in pixels (x, y), closed by themselves; a ring that crosses itself follows the even-odd rule. Several
        rings are joined, as in COCO's segmentation.
    size : tuple of int
        Width and height of the grid.

    Returns
    -------
    ndarray of bool, shape (h, w)

    Examples
    --------
    >>> fill_polygons([np.array([[1.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0]])], (4, 2)).astype(int).tolist()
    [[0, 1, 1, 0], [0, 0, 0, 0]]
    """
    width, height = size
    filled = np.zeros((height, width), dtype=bool)
    for ring in rings:
        crossings = np.zeros((height, width + 1), dtype=np.int64)
        for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            if y0 == y1:
                continue
            low, high = min(y0, y1), max(y0, y1)
            # Rows whose centre r + .5 lies in [low, high): each vertex belongs to one of its two edges.
            rows = np.arange(max(0, int(np.ceil(low - 0.5))), min(height, int(np.ceil(high - 0.5))))
            at = x0 + (rows + 0.5 - y0) * ((x1 - x0) / (y1 - y0))
            columns = np.clip(np.ceil(at - 0.5), 0, width).astype(np.int64)
            np.add.at(crossings, (rows, columns), 1)
        filled |= (np.cumsum(crossings, axis=1)[:, :width] & 1).astype(bool)
    return filled


def _brightest(rgb: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The largest channel: grey as it is, and a pure red or blue target as bright as a white one."""
    return np.asarray(cv2.max(cv2.max(rgb[..., 0], rgb[..., 1]), rgb[..., 2]))


def _from_levels(levels: npt.NDArray[Any]) -> Flags:
    low, high = levels.min(), levels.max()
    if high <= 1:
        return np.asarray(levels != 0)
    edges = np.count_nonzero(levels == low) + np.count_nonzero(levels == high)
    if low != high and edges == levels.size and not (low > 127):
        return np.asarray(levels == high)
    return np.asarray(levels > 127)


def _from_palette(raw: bytes) -> Flags | None:
    """Read a palette picture; None where it has no palette.

    Pillow is asked here because the one reader hands over colours, and the indices are gone by then.
    """
    with Image.open(io.BytesIO(raw)) as image:
        if image.mode != "P":
            return None
        image.load()
        table = np.array(image.getpalette("RGB") or [], dtype=np.uint8).reshape(-1, 3)
        indices = np.asarray(ImageOps.exif_transpose(image))
    colours = np.zeros((256, 3), dtype=np.uint8)
    colours[: len(table)] = table[:256]
    used = np.flatnonzero(np.bincount(indices.ravel(), minlength=256))
    shown = colours[used]
    if len(used) > 1 and (shown == shown[0]).all():
        return np.asarray(indices != 0)
    if (shown == shown[:, :1]).all():
        return _from_levels(colours[:, 0][indices])
    black: Flags = np.max(colours, axis=1) == 0
    return np.asarray(~black[indices] if black[used].any() else indices != 0)


def _to_grid(mask: Flags, size: tuple[int, int], where: str) -> Flags:
    if mask.shape == (size[1], size[0]):
        return mask
    resized = cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST_EXACT) != 0
    if not resized.any():
        raise DataError("empty_mask", f"{where}: nothing of the mask is left on the source's grid {size[0]}x{size[1]}")
    return np.asarray(resized)
