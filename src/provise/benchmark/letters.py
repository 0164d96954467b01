"""Read a small printed A or B: by its holes, and by its likeness to the two letters in several fonts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

__all__ = ["Glyph", "find_letters"]

Flags = npt.NDArray[np.bool_]
Pixels = npt.NDArray[Any]

GRID = 20
"""Pixels of the square that glyphs are compared on."""

LIKENESS = 0.72
LEAD = 0.1
"""A glyph is a letter if it correlates this well with it, and this much better than with the other one."""

DOUBLED = 10.0
"""Pixels of height below which letters are looked for at twice the size."""

HOLES = {"A": 1, "B": 2}


@dataclass(frozen=True)
class Glyph:
    """A printed letter.

    Parameters
    ----------
    letter : {"A", "B"}
        Which.
    x, y : float
        Its middle, pixels.
    height : float
        Pixels.
    likeness : float
        Correlation with the best of the templates.
    """

    letter: str
    x: float
    y: float
    height: float
    likeness: float


def _square(mask: Pixels) -> npt.NDArray[np.float64]:
    """Bring a glyph's mask to the square, zero mean and unit norm."""
    small = cv2.resize(mask.astype(np.float32), (GRID, GRID), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.9).astype(np.float64)
    small -= small.mean()
    return np.asarray(small.ravel() / (np.linalg.norm(small) or 1.0))


def _crop(mask: Flags) -> Flags:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _printed(letter: str) -> Iterator[Flags]:
    """Draw a letter in the fonts that every installation has: OpenCV's, Pillow's, and matplotlib's DejaVu."""
    faces = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_COMPLEX)
    for face in faces:
        for scale, thickness in ((3, 5), (3, 9), (1, 2)):
            canvas = np.zeros((200, 200), np.uint8)
            cv2.putText(canvas, letter, (40, 140), face, scale, 255, thickness)
            yield canvas > 127
    import matplotlib

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    files = [
        fonts / name for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "DejaVuSansMono.ttf")
    ]
    for size in (14, 60):
        loaded: list[Any] = [ImageFont.truetype(file, size) for file in files if file.is_file()]
        for font in (*loaded, ImageFont.load_default(size)):
            page = Image.new("L", (160, 160))
            ImageDraw.Draw(page).text((40, 40), letter, fill=255, font=font)
            yield np.asarray(page) > 110


@lru_cache(maxsize=1)
def _templates() -> dict[str, npt.NDArray[np.float64]]:
    return {letter: np.stack([_square(_crop(mask)) for mask in _printed(letter)]) for letter in HOLES}


def _holes(mask: Flags) -> int:
    """Count the holes of a glyph, specks of a pixel in a large glyph apart."""
    framed = np.pad(~mask, 1, constant_values=True).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(framed, connectivity=4)
    least = max(1, mask.size // 250)
    outer = 1  # the component of the frame
    return sum(1 for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= least) - outer


def classify(mask: Flags) -> tuple[str, float] | None:
    """Return the letter that a glyph's mask shows and its likeness, or None.

    Parameters
    ----------
    mask : ndarray of bool, shape (h, w)
        Cropped to the glyph.
    """
    vector = _square(mask)
    scores = {letter: float((table @ vector).max()) for letter, table in _templates().items()}
    best = max(scores, key=lambda letter: scores[letter])
    other = min(scores.values())
    if scores[best] < LIKENESS or scores[best] - other < LEAD or _holes(mask) != HOLES[best]:
        return None
    return best, scores[best]


def _inks(rgb: Pixels) -> Iterator[Flags]:
    """Masks of the inks that letters are printed in; at several strengths, as the edges of small letters are soft."""
    low, high = rgb.min(axis=2).astype(np.int16), rgb.max(axis=2).astype(np.int16)
    red, green, blue = (rgb[..., i].astype(np.int16) for i in range(3))
    yield from (low > level for level in (90, 130, 180, 225, 245))
    yield from (high < level for level in (30, 75, 125))
    yield from (red - np.maximum(green, blue) > level for level in (140, 90, 50))
    yield np.minimum(red, green) - blue > 110


def find_letters(rgb: Pixels, heights: tuple[float, float]) -> list[Glyph]:
    """Find printed As and Bs in a crop.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        The crop.
    heights : tuple of float
        Least and largest height of a letter, pixels.

    Returns
    -------
    list of Glyph
        Best likeness first; of glyphs at one place the best.
    """
    found: list[Glyph] = []
    # Strokes of a single soft pixel fall apart at any threshold; at twice the size they hold together.
    if heights[0] < DOUBLED:
        rgb = cv2.resize(rgb, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        doubled = find_letters(rgb, (max(heights[0] * 2, DOUBLED), heights[1] * 2))
        return [Glyph(one.letter, one.x / 2, one.y / 2, one.height / 2, one.likeness) for one in doubled]
    for ink in _inks(rgb):
        count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
        for i in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[i])
            if not (heights[0] <= h <= heights[1] and 0.4 <= w / h <= 1.4 and 0.15 <= area / (w * h) <= 0.9):
                continue
            named = classify(labels[y : y + h, x : x + w] == i)
            if named:
                found.append(Glyph(named[0], x + w / 2, y + h / 2, float(h), named[1]))
    kept: list[Glyph] = []
    for glyph in sorted(found, key=lambda one: -one.likeness):
        if all(abs(glyph.x - one.x) + abs(glyph.y - one.y) > 0.6 * one.height for one in kept):
            kept.append(glyph)
    return kept
