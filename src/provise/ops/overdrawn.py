"""Ink that a map repeats at the places it is asked about: the photo's letters, rings and dots, in place of depth."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["overdrawn"]

Bytes = npt.NDArray[np.uint8]
Region = npt.NDArray[np.bool_]

SIDE = 640
"""Longest side on which ink is looked for."""

STROKE = 17
"""Pixels there: what is thinner may be a stroke of a letter or a ring."""

SPOT = 45
"""Pixels there: what is smaller all round may be a dot or a letter's box."""

INK = 24
"""Levels by which ink differs from what is on both sides of it."""

REACH = 4
"""Pixels from a place within which ink gets into its window, or was meant to lie on it."""

ALIKE = 0.7
"""Overlap from which two marks, laid on each other, are of one shape."""

LEVEL = 8
"""Levels within which two marks are drawn in one tone."""


def overdrawn(grey: Bytes, places: Iterable[tuple[float, float]]) -> str:
    """Tell what kind of ink lies on the places of a map, if any.

    A letter or a ring is a thin stroke that ends within a few per cent of the frame and is not compact. What is compact
    may be a thing of its own: a dot is one only where another of its size, shape and tone lies at the other place.

    Parameters
    ----------
    grey : ndarray of uint8, shape (h, w)
        The map.
    places : iterable of (x, y)
        Normalised.

    Returns
    -------
    str
        ``"stroke"``, ``"spot"`` or, where depth can be read, ``""``.

    Examples
    --------
    >>> map_ = np.tile(np.linspace(40, 200, 320).astype(np.uint8), (240, 1))
    >>> overdrawn(map_, [(.3, .5), (.7, .5)])
    ''
    >>> lettered = cv2.putText(map_.copy(), "A", (88, 126), cv2.FONT_HERSHEY_SIMPLEX, .6, 0, 2)
    >>> overdrawn(lettered, [(.3, .5), (.7, .5)])
    'stroke'
    """
    factor = min(1.0, SIDE / max(grey.shape))
    if factor < 1:
        size = (max(1, round(grey.shape[1] * factor)), max(1, round(grey.shape[0] * factor)))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    unit = max(grey.shape) / SIDE
    spots = []
    for x, y in places:
        around = _around(grey, x, y, round(1.6 * SPOT * unit))
        if any(not _compact(mark) for mark in _marks(around, STROKE, unit)):
            return "stroke"
        # The foot of a soft rim is not yet the mark's own tone.
        pairs = zip(_marks(around, SPOT, unit), (90, 10), strict=True)
        spots.append([(mark, float(np.percentile(around[mark], q))) for mark, q in pairs if mark.any()])
    for (one, level), (other, its) in product(spots[0], spots[-1] if len(spots) > 1 else []):
        if abs(level - its) <= LEVEL and _same(one, other):
            return "spot"
    return ""


def _around(grey: Bytes, x: float, y: float, half: int) -> Bytes:
    """Return a square of a map with a place in its middle; beyond the border the map goes on as it ends."""
    h, w = grey.shape
    column, row = min(int(x * w), w - 1), min(int(y * h), h - 1)
    padded = cv2.copyMakeBorder(
        grey[max(0, row - half) : row + half + 1, max(0, column - half) : column + half + 1],
        max(0, half - row),
        max(0, row + half + 1 - h),
        max(0, half - column),
        max(0, column + half + 1 - w),
        cv2.BORDER_REPLICATE,
    )
    return np.asarray(cv2.blur(padded, (3, 3)), dtype=np.uint8)


def _marks(around: Bytes, width: int, unit: float) -> list[Region]:
    """Return the bright and the dark mark narrower than a width that lies on the middle; empty where there is none."""
    side = max(3, round(width * unit) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    found = []
    for operation in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):
        hat = cv2.morphologyEx(around, operation, kernel)
        found.append(_on_middle(np.asarray(hat, dtype=np.uint8), max(1, round(REACH * unit))))
    return found


def _on_middle(hat: Bytes, reach: int) -> Region:
    """Return the piece of ink that comes within reach of the middle, unless it runs out of the square."""
    middle = hat.shape[0] // 2
    near = (slice(middle - reach, middle + reach + 1),) * 2
    # Half of its strength parts a mark from its soft rim; where all is grainy, ink must exceed the grain.
    least = max(INK, 0.5 * hat[near].max(), 3.0 * np.median(hat))
    _, labels = cv2.connectedComponents((hat >= least).astype(np.uint8), connectivity=8)
    touched = np.unique(labels[near][labels[near] > 0])
    mark = np.isin(labels, touched)
    out = mark[[0, -1]].any() or mark[:, [0, -1]].any()
    return np.zeros(hat.shape, bool) if out or mark.sum() < 12 else np.asarray(mark)


def _compact(mark: Region) -> bool:
    """Tell whether a mark is solid, as a small thing is and no letter or ring."""
    if not mark.any():
        return True
    ink = mark.astype(np.uint8)
    hull = cv2.convexHull(cv2.findNonZero(ink))
    # The hull runs through the pixels' centres: half a pixel is missing all round.
    whole = float(cv2.contourArea(hull)) + 0.5 * float(cv2.arcLength(hull, True))
    hole = int(_filled(ink).sum()) - int(ink.sum())
    return bool(hole < 4 and mark.sum() >= 0.7 * whole)


def _filled(ink: Bytes) -> Bytes:
    outline, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(np.zeros(ink.shape, np.uint8), outline, -1, 1, cv2.FILLED), dtype=np.uint8)


def _same(one: Region, other: Region) -> bool:
    """Tell whether two marks are of one size and shape."""
    boxes = []
    for mark in (one, other):
        filled = _filled(mark.astype(np.uint8))
        x, y, w, h = cv2.boundingRect(filled)
        boxes.append(filled[y : y + h, x : x + w] > 0)
    (h0, w0), (h1, w1) = boxes[0].shape, boxes[1].shape
    both = np.zeros((2, max(h0, h1), max(w0, w1)), bool)
    both[0, :h0, :w0], both[1, :h1, :w1] = boxes
    return bool((both[0] & both[1]).sum() >= ALIKE * (both[0] | both[1]).sum())
