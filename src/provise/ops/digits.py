"""A small reader of printed numbers: glyphs are compared with digits rendered in a handful of fonts."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["read_digit"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

WIDTH, HEIGHT = 16, 24
LEAST = 0.62
MARGIN = 0.05


def _normal(glyph: npt.NDArray[np.generic]) -> Floats:
    """Return a glyph, cropped to its box, on the common grid, with zero mean and unit length."""
    values = cv2.resize(np.asarray(glyph, dtype=np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    values = cv2.GaussianBlur(values, (0, 0), 1.0)
    values = values - values.mean()
    norm = float(np.sqrt((values * values).sum()))
    return np.asarray(values / norm if norm > 1e-6 else values, dtype=np.float32)


def _cropped(image: Bytes) -> Bytes:
    x, y, w, h = cv2.boundingRect((image > 96).astype(np.uint8))
    return image[y : y + h, x : x + w]


def _rendered() -> list[tuple[int, Bytes]]:
    from PIL import Image, ImageDraw, ImageFont

    found: list[tuple[int, Bytes]] = []
    fonts = [ImageFont.load_default(size) for size in (28, 48)]
    fonts += [ImageFont.truetype(str(path), 48) for path in _truetype()]
    for digit in range(10):
        for font in fonts:
            image = Image.new("L", (96, 96), 0)
            ImageDraw.Draw(image).text((20, 12), str(digit), fill=255, font=font)
            found.append((digit, _cropped(np.asarray(image))))
        for face in (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX):
            for thickness in (2, 4):
                canvas = np.zeros((96, 96), np.uint8)
                cv2.putText(canvas, str(digit), (20, 76), face, 2.0, 255, thickness, cv2.LINE_AA)
                found.append((digit, _cropped(canvas)))
    return found


def _truetype() -> list[Path]:
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return [folder / f"{name}.ttf" for name in ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSansMono")]


@lru_cache(maxsize=1)
def _templates() -> tuple[npt.NDArray[np.int64], Floats, Floats]:
    found = _rendered()
    digits = np.array([digit for digit, _ in found])
    shapes = np.stack([_normal(glyph).ravel() for _, glyph in found])
    aspects = np.array([glyph.shape[1] / glyph.shape[0] for _, glyph in found], dtype=np.float32)
    return digits, shapes, aspects


def read_digit(glyph: npt.NDArray[np.generic]) -> tuple[int | None, float]:
    """Read one digit.

    Parameters
    ----------
    glyph : ndarray, shape (h, w)
        Ink is bright (0 to 255), cropped to the glyph's box.

    Returns
    -------
    digit : int or None
        None where no digit fits well enough, or two fit about equally.
    score : float
        Correlation with the best template, -1 to 1.
    """
    if min(glyph.shape) < 2 or max(glyph.shape) < 6:
        return None, 0.0
    digits, shapes, aspects = _templates()
    aspect = glyph.shape[1] / glyph.shape[0]
    # A stretched narrow 1 looks like any bar: the shape of the box decides as well.
    penalty = 0.35 * np.abs(np.log(aspects / aspect))
    scores = shapes @ _normal(glyph).ravel() - penalty
    best = int(scores.argmax())
    rival = scores[digits != digits[best]].max()
    score = float(scores[best])
    if score < LEAST or score - float(rival) < MARGIN:
        return None, score
    return int(digits[best]), score
