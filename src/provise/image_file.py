"""Files to pixels: Pillow reads them, but for colour of 16 bits a channel, which it would cut to 8.

A PNG decodes as fast there as in OpenCV, a JPEG in a third more than twice the time; OpenCV prints to the terminal what
it thinks of a damaged file, and reads a palette, CMYK, an animation or an orientation by other rules.
"""

from __future__ import annotations

import hashlib
import io
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFile, UnidentifiedImageError

from provise.errors import ImageError
from provise.image import Picture, build, check_size, digest_of
from provise.image_deep import deep_colour, png_depth, turned_array

__all__ = ["decode_bytes", "decode_pil"]

ORIENTATION = 0x0112
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "PPM", "TGA", "ICO", "DIB")
"""What is opened; PostScript, fonts, video stubs and the like are no answers."""

SLOW, SLOW_BYTES = ("ppm", "ppm_plain", "bmp_rle"), 4_000_000
"""Decoders that go number by number in Python (plain PPM, PPM of an odd top value, packed BMP), and what they are given:
a few seconds' work."""

OTHERS = {
    b"\x00\x00\x00\x0cjP": "JPEG 2000",
    b"\xffO\xffQ": "JPEG 2000",
    b"ftyphe": "HEIC",
    b"ftypmi": "HEIC",
    b"%PDF": "PDF",
    b"<svg": "SVG",
    b"<?xml": "XML or SVG",
    b"<!doctype": "a web page",
    b"<html": "a web page",
    b"{": "JSON text",
    b"version https://git-lfs": "a pointer of Git LFS, not the file itself (git lfs pull)",
}
"""How files begin (HEIC: after four bytes of length) that are given in a picture's place."""

SILENCE = threading.Lock()

ImageFile.LOAD_TRUNCATED_IMAGES = False


def decode_bytes(data: bytes, max_megapixels: float) -> Picture:
    """Decode a file's bytes; see `provise.image.decode`."""
    if not data:
        raise ImageError("empty", "the file is empty: 0 bytes")
    digest = hashlib.sha256(data).hexdigest()
    # The limit is ours and is checked from the header; Pillow's own would warn about smaller pictures.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                check_size(image.width, image.height, max_megapixels)
                packed = image.format == "TIFF" and image.info.get("compression") != "raw"
                with _silence() if packed else nullcontext():
                    return _opened(image, data, digest)
        except ImageError:
            raise
        except UnidentifiedImageError:
            raise ImageError("undecodable", _no_picture(data)) from None
        except Image.DecompressionBombError:
            raise ImageError("too_large", f"the header claims more than {max_megapixels:g} megapixels") from None
        except MemoryError:
            raise ImageError("too_large", "the picture does not fit in memory") from None
        # Pillow's plugins raise whatever their parsing meets; every one of them means the same here.
        except Exception as error:  # noqa: BLE001
            raise _failed(error) from None


def _failed(error: Exception) -> ImageError:
    code = "truncated" if "truncated" in str(error) else "undecodable"
    return ImageError(code, f"the picture cannot be decoded: {type(error).__name__}: {error}")


@contextmanager
def _silence() -> Iterator[None]:
    """Close the terminal's error stream for a moment: libtiff prints to it, past Python and past any setting.

    Only compressed TIFFs come here, since what other threads print meanwhile is lost too.
    """
    with SILENCE:
        try:
            kept = os.dup(2)
        except OSError:  # a process without an error stream
            yield
            return
        try:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def decode_pil(image: Any, max_megapixels: float) -> Picture:
    """Take a PIL image's pixels, without a round trip through a file."""
    width, height = image.size
    check_size(width, height, max_megapixels)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            notes = _frames(image)
            values, more = _pixels(image)
        except ImageError:
            raise
        except MemoryError:
            raise ImageError("too_large", "the picture does not fit in memory") from None
        # A lazily loaded image raises what its plugin meets.
        except Exception as error:  # noqa: BLE001
            raise _failed(error) from None
    return build(values, digest_of(values), image.format or "array", (*notes, *more))


def _frames(image: Any) -> tuple[str, ...]:
    # `n_frames` would walk through the whole of a long animation; this looks at the second frame alone.
    # (A PIL image that its owner has moved on is taken at the frame it shows, which is then not the first.)
    animated = getattr(image, "is_animated", False) and image.format != "MPO"
    return ("first_frame",) if animated and image.tell() == 0 else ()


def _no_picture(data: bytes) -> str:
    """Say what bytes are that no decoder knows, and what is read."""
    start = data[:40].lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    kind = next((name for magic, name in OTHERS.items() if start.startswith(magic.lower())), None)
    kind = kind or next((name for magic, name in OTHERS.items() if data[4:].startswith(magic)), None)
    seen = f"look like {kind}" if kind else f"begin {data[:12]!r}"
    return f"{len(data)} bytes that are no picture: they {seen}; read are {', '.join(FORMATS)}"


def _opened(image: Image.Image, data: bytes, digest: str) -> Picture:
    tiles: Any = getattr(image, "tile", None)
    coder = tiles[0][0] if tiles else ""
    if coder in SLOW and len(data) > SLOW_BYTES:
        raise ImageError(
            "too_large",
            f"{len(data)} bytes of a {image.format} that is read number by number; at most {SLOW_BYTES}: save it as PNG",
        )
    notes = _frames(image)
    values, more = _pixels(image, data)
    return build(values, digest, image.format or "?", (*notes, *more))


def _orientation(image: Any) -> int:
    """Return the EXIF orientation, 1 to 8; 1 where there is none, or none that means anything."""
    try:
        value = image.getexif().get(ORIENTATION, 1)
    # A damaged EXIF block raises what its parsing meets, and says nothing about the pixels.
    except Exception:  # noqa: BLE001
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _stored(image: Any, data: bytes) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    deep = deep_colour(data, image.format, image)
    if deep is not None:
        return deep, ()
    image.load()
    return _flat(image, data)


def _pixels(image: Any, data: bytes = b"") -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    """Return the values, upright, and what was done to them."""
    # The libraries turn a TIFF by themselves while they load it; there the tag is only noted.
    tiff = image.format == "TIFF"
    turn = _orientation(image) if tiff else 1
    values, more = _stored(image, data)
    if not tiff:
        # Asked for last: a PNG may carry its EXIF behind its pixels.
        turn = _orientation(image)
        values = turned_array(values, turn) if turn > 1 else values
    return values, (*(("exif_orientation",) if turn > 1 else ()), *more)


def _flat(image: Any, data: bytes) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    """Return the values of an upright picture by its mode."""
    mode = image.mode
    key = image.info.get("transparency")
    if mode in ("RGB", "RGBA", "L", "LA"):
        if mode == "L" and isinstance(key, int) and png_depth(data) in (2, 4):
            # The key is given in the file's own levels, of which Pillow has made 0..255.
            return _keyed(np.asarray(image), key * 255 // (2 ** png_depth(data) - 1), 255), ()
        return np.asarray(image.convert("RGBA") if mode in ("RGB", "L") and key is not None else image), ()
    if mode == "1":
        grey = np.asarray(image.convert("L"))
        return (_keyed(grey, 255 if key else 0, 255) if isinstance(key, int) else grey), ()
    if mode in ("P", "PA"):
        return np.asarray(image.convert("RGBA")), ("converted_palette",)
    if mode in ("CMYK", "YCbCr", "LAB", "HSV"):
        return np.asarray(image.convert("RGB")), (f"converted_{mode.lower()}",)
    if mode in ("La", "RGBa", "RGBX"):
        return np.asarray(image.convert({"La": "LA", "RGBa": "RGBA", "RGBX": "RGB"}[mode])), ()
    if mode.startswith("I") or mode == "F":
        values = _scalar(np.asarray(image))
        return (_keyed(values, key, 65535) if isinstance(key, int) and values.dtype == np.uint16 else values), ()
    raise ImageError("undecodable", f"pictures of mode {mode} are not read; expected grey, RGB, palette or CMYK")


def _keyed(grey: npt.NDArray[Any], key: int, opaque: int) -> npt.NDArray[Any]:
    """Make one grey level transparent, as a PNG's tRNS chunk asks."""
    alpha = np.where(grey == key, 0, opaque).astype(grey.dtype)
    return np.dstack([grey, grey, grey, alpha])


def _scalar(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the values of an integer or float picture as 16 bits or as float in 0..255."""
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise ImageError("undecodable", "the picture holds values that are not finite")
        top = float(values.max(initial=0))
        if values.min(initial=0) < 0 or top > 65535:
            raise ImageError(
                "undecodable", f"float values reach from {values.min()} to {top}; expected 0..1, 0..255 or 0..65535"
            )
        scale = 255.0 if top <= 1 else 1.0 if top <= 255 else 1 / 257
        return (values * scale).astype(np.float32)
    if values.min(initial=0) < 0 or values.max(initial=0) > 65535:
        raise ImageError("undecodable", f"values reach from {values.min()} to {values.max()}; expected at most 16 bits")
    return values.astype(np.uint16)
