"""PNG pictures in fewer bytes, every pixel kept."""

from __future__ import annotations

import io

__all__ = ["shrink"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PLAIN = ("L", "RGB", "RGBA")
"""Modes that come back exactly; palettes and 16 bits are left as they are."""


def shrink(data: bytes) -> bytes:
    """Return a still 8-bit PNG packed harder; any other bytes, and a PNG that gets no smaller, as they are.

    Its text chunks go, its pixels stay.
    """
    from PIL import Image, UnidentifiedImageError

    if not data.startswith(SIGNATURE):
        return data
    try:
        with Image.open(io.BytesIO(data)) as image:
            turned = image.getexif().get(0x0112, 1) != 1
            if image.mode not in PLAIN or getattr(image, "n_frames", 1) > 1 or "transparency" in image.info or turned:
                return data
            image.load()
            packed = io.BytesIO()
            image.copy().save(packed, format="PNG", optimize=True)
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError):
        return data
    smaller = packed.getvalue()
    return smaller if len(smaller) < len(data) else data
