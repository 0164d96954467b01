"""What OpenCV reads better than Pillow: colour of 16 bits a channel, which Pillow cuts to 8."""

from __future__ import annotations

import zlib
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.errors import ImageError

__all__ = ["deep_colour", "png_depth", "turned_array"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEPT = (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS")
BITS_PER_SAMPLE, PHOTOMETRIC = 258, 262


def png_depth(data: bytes) -> int:
    """Return the bits a channel that a PNG's header names; 0 where it is no PNG."""
    return data[24] if data[:8] == SIGNATURE and len(data) > 25 else 0


def _clean_png(data: bytes) -> bytes | None:
    """Return a PNG's pixel chunks alone, or None where it is cut off or a checksum is wrong.

    Colour profiles, gamma and animation are left behind: no decoder acts on them, or complains about them.
    """
    if data[:8] != SIGNATURE:
        return None
    view, kept, at = memoryview(data), [memoryview(SIGNATURE)], 8
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(view[at : at + 4], "big")
        kind = bytes(view[at + 4 : at + 8])
        if end > len(data):
            return None
        if kind in KEPT:
            if zlib.crc32(view[at + 4 : end - 4]) != int.from_bytes(view[end - 4 : end], "big"):
                return None
            kept.append(view[at:end])
        if kind == b"IEND":
            return b"".join(kept)
        at = end
    return None


def _by_opencv(data: bytes) -> npt.NDArray[Any] | None:
    """Decode a file's values as they are, in RGB order, a TIFF upright; None where OpenCV cannot."""
    # A TIFF with a tag out of order is decoded all the same, but OpenCV's log would tell the terminal about it.
    level = cv2.utils.logging.setLogLevel(0)
    try:
        values = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        return None
    finally:
        cv2.utils.logging.setLogLevel(level)
    if values is None or values.ndim == 2:
        return values
    order = {3: cv2.COLOR_BGR2RGB, 4: cv2.COLOR_BGRA2RGBA}.get(values.shape[2])
    return None if order is None else np.asarray(cv2.cvtColor(values, order, dst=values))


def deep_colour(data: bytes, kind: str | None, image: Any) -> npt.NDArray[Any] | None:
    """Return the values of a PNG or TIFF of 16 bits a channel and several channels; None for any other.

    A PNG is returned as it is stored; a TIFF is upright, since OpenCV turns one whatever its flags say.

    Raises
    ------
    ImageError
        ``truncated``, if it is such a file and cannot be decoded whole.
    """
    if kind == "PNG" and png_depth(data) == 16 and data[25] in (2, 4, 6):
        clean = _clean_png(data)
    elif kind == "TIFF" and data and _deep_tiff(image.tag_v2):
        clean = data
    else:
        return None
    values = None if clean is None else _by_opencv(clean)
    if values is None or values.dtype != np.uint16:
        raise ImageError("truncated", f"the 16-bit {kind} is cut off or damaged")
    return values


def _deep_tiff(tags: Any) -> bool:
    bits = tags.get(BITS_PER_SAMPLE, ())
    return len(bits) in (3, 4) and set(bits) == {16} and tags.get(PHOTOMETRIC) == 2


def turned_array(values: npt.NDArray[Any], orientation: int) -> npt.NDArray[Any]:
    """Set an array upright by its EXIF orientation (1..8)."""
    if orientation in (5, 6, 7, 8):
        values = values.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        values = values[::-1]
    if orientation in (2, 3, 6, 7):
        values = values[:, ::-1]
    return np.ascontiguousarray(values)
