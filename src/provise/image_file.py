"""Files to pixels: Pillow reads the header and the odd formats, OpenCV the plain PNG and JPEG that most answers are."""

from __future__ import annotations

import hashlib
import io
import warnings
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from provise.errors import ImageError
from provise.image import Picture, build, check_size

__all__ = ["decode_bytes", "decode_pil"]

ORIENTATION = 0x0112
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "PPM", "TGA", "ICO", "DIB")
"""What is opened; PostScript, fonts, video stubs and the like are no answers."""

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
                check_size(image.size[0], image.size[1], max_megapixels)
                return _opened(image, data, digest)
        except ImageError:
            raise
        except UnidentifiedImageError:
            raise ImageError(
                "undecodable", f"{len(data)} bytes that are no picture (they begin {data[:12]!r})"
            ) from None
        except Image.DecompressionBombError:
            raise ImageError("too_large", f"the header claims more than {max_megapixels:g} megapixels") from None
        except MemoryError:
            raise ImageError("too_large", "the picture does not fit in memory") from None
        # Pillow's plugins raise whatever their parsing meets; every one of them means the same here.
        except Exception as error:  # noqa: BLE001
            code = "truncated" if "truncated" in str(error) else "undecodable"
            raise ImageError(code, f"the picture cannot be decoded: {type(error).__name__}: {error}") from None


def decode_pil(image: Any, max_megapixels: float) -> Picture:
    """Take a PIL image's pixels, without a round trip through a file."""
    check_size(image.width, image.height, max_megapixels)
    try:
        values, notes = _pixels(image)
    except ImageError:
        raise
    except Exception as error:  # noqa: BLE001 - a lazily loaded image raises what its plugin meets
        raise ImageError("undecodable", f"the picture cannot be decoded: {type(error).__name__}: {error}") from None
    digest = hashlib.sha256(f"{values.dtype.str}{values.shape}:".encode() + values.tobytes()).hexdigest()
    return build(values, digest, image.format or "array", notes)


def _opened(image: Image.Image, data: bytes, digest: str) -> Picture:
    kind = image.format or "?"
    notes = ("first_frame",) if getattr(image, "n_frames", 1) > 1 and kind != "MPO" else ()
    turned = image.getexif().get(ORIENTATION, 1)
    plain = turned in (0, 1) and not notes and "transparency" not in image.info
    if plain and kind in ("PNG", "JPEG") and image.mode in ("RGB", "L") and not image.info.get("bits"):
        fast = _fast(data, image)
        if fast is not None:
            return build(fast, digest, kind, notes)
    values, more = _pixels(image, data)
    return build(values, digest, kind, (*notes, *more))


def _fast(data: bytes, image: Image.Image) -> npt.NDArray[Any] | None:
    """Decode by OpenCV where it reads the same pixels as Pillow, in half the time; None where it does not."""
    if image.format == "PNG" and not _complete_png(data):
        return None
    values = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION)
    if values is None or values.dtype != np.uint8 or (values.shape[1], values.shape[0]) != image.size:
        return None
    if image.format == "JPEG" and not data.rstrip(b"\x00").endswith(b"\xff\xd9"):
        # OpenCV paints the rest of a cut-off JPEG grey; Pillow says that it is cut off.
        return None
    if values.ndim == 2:
        return np.asarray(values)
    return np.asarray(cv2.cvtColor(values, cv2.COLOR_BGR2RGB)) if values.shape[2] == 3 else None


def _complete_png(data: bytes) -> bool:
    """Tell whether a PNG ends as it should: a cut-off one is left to Pillow, which raises."""
    return b"IEND" in data[-32:]


def _pixels(image: Any, data: bytes = b"") -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    notes: list[str] = []
    if image.getexif().get(ORIENTATION, 1) not in (0, 1):
        image = ImageOps.exif_transpose(image)
        notes.append("exif_orientation")
    if image.format == "TIFF" or (data[:4] in (b"II*\x00", b"MM\x00*")):
        image.load()
    deep = _deep(data, image)
    if deep is not None:
        return deep, tuple(notes)
    mode = image.mode
    if mode in ("RGB", "RGBA", "L", "LA"):
        if mode in ("RGB", "L") and "transparency" in image.info:
            image = image.convert("RGBA")
        return np.asarray(image), tuple(notes)
    if mode == "1":
        return np.asarray(image.convert("L")), tuple(notes)
    if mode in ("P", "PA"):
        return np.asarray(image.convert("RGBA")), (*notes, "converted_palette")
    if mode in ("CMYK", "YCbCr", "LAB", "HSV"):
        return np.asarray(image.convert("RGB")), (*notes, f"converted_{mode.lower()}")
    if mode in ("La", "RGBa", "RGBX"):
        return np.asarray(image.convert({"La": "LA", "RGBa": "RGBA", "RGBX": "RGB"}[mode])), tuple(notes)
    if mode.startswith("I") or mode == "F":
        return _scalar(np.asarray(image)), tuple(notes)
    raise ImageError("undecodable", f"pictures of mode {mode} are not read; expected grey, RGB, palette or CMYK")


def _deep(data: bytes, image: Any) -> npt.NDArray[Any] | None:
    """Return a PNG's 16-bit colour values, which Pillow would cut to 8 bits, or None."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) < 26 or data[24] != 16 or data[25] not in (2, 4, 6):
        return None
    values = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION)
    if values is None or values.dtype != np.uint16:
        raise ImageError("truncated", "the 16-bit PNG is cut off or damaged")
    if values.ndim == 2:
        return np.asarray(values)
    order = cv2.COLOR_BGRA2RGBA if values.shape[2] == 4 else cv2.COLOR_BGR2RGB
    return np.asarray(cv2.cvtColor(values, order))


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
