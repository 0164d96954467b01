"""Two pieces beside each other: one mark that something thin was laid across, two marks, or not to be told."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from provise.ops.components import Blob, join

__all__ = ["Facing", "compact", "facing", "rejoined"]

Floats = npt.NDArray[np.float64]

ANGLES = np.arange(0, np.pi, np.pi / 120)
NORMALS = np.stack([np.cos(ANGLES), np.sin(ANGLES)])
DEEP = 1.5
"""Pixels: how far behind its foremost point a piece's face reaches, and the width of a place along it."""

SLANT = np.pi / 600
"""By how much deeper a face reaches for its length: the angles that are tried miss it by a quarter of their step."""


@dataclass(frozen=True, eq=False)
class Facing:
    """How two pieces face each other across a straight gap.

    Parameters
    ----------
    gap : float
        Width of the gap in pixels.
    length : float
        Length along which both have a face on it.
    alike : float
        That length over the length where either has one: 1 for the two sides of a cut.
    covered : float
        That length over the shorter of the two faces: 1 also for a small square before a large one.
    ends : ndarray, shape (n, 2, 2)
        Point on the first and on the second piece for every place along the gap, as (x, y) in the mask.
    """

    gap: float
    length: float
    alike: float
    covered: float
    ends: Floats


def _rim(blob: Blob) -> Floats:
    """Return the centres of a piece's outer two pixels, shape (n, 2)."""
    padded = cv2.copyMakeBorder(blob.crop, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    inner = cv2.erode(padded, np.ones((5, 5), np.uint8))[1:-1, 1:-1]
    rows, columns = np.nonzero((blob.crop > 0) & (inner == 0))
    return np.column_stack([columns + blob.x, rows + blob.y]).astype(np.float64)


def facing(first: Blob, second: Blob, widest: float) -> Facing | None:
    """Find the straight gap of at most ``widest`` pixels on which two pieces have the longest faces that are alike.

    Returns
    -------
    Facing or None
        None where no straight gap parts them.

    Examples
    --------
    >>> square = np.full((9, 9), 255, np.uint8)
    >>> found = facing(Blob(square, 0, 0), Blob(square, 12, 0), 6)
    >>> found.gap, found.alike
    (3.0, 1.0)
    """
    a, b = _rim(first), _rim(second)
    signs = np.where((b.mean(axis=0) - a.mean(axis=0)) @ NORMALS < 0, -1.0, 1.0)
    at, bt = a @ (NORMALS * signs), b @ (NORMALS * signs)
    # Between the outermost pixels' centres lies one pixel that belongs to the pieces themselves.
    gaps = bt.min(axis=0) - at.max(axis=0) - 1
    slack = min(np.ptp(a, axis=0).max(), np.ptp(b, axis=0).max())
    best: Facing | None = None
    for i in np.flatnonzero((gaps > 0) & (gaps <= widest)):
        normal = NORMALS[:, i] * signs[i]
        along = np.array([-normal[1], normal[0]])
        front, back = float(at[:, i].max()), float(bt[:, i].min())
        deep = DEEP + SLANT * slack
        one = np.unique(np.floor(a[at[:, i] >= front - deep] @ along / DEEP))
        other = np.unique(np.floor(b[bt[:, i] <= back + deep] @ along / DEEP))
        shared = np.intersect1d(one, other)
        alike = shared.size / np.union1d(one, other).size
        # A slanted gap may be the longer one, but its sides are not each other's.
        if not shared.size or (best is not None and DEEP * shared.size * alike <= best.length * best.alike):
            continue
        places = (shared[:, None] + 0.5) * DEEP * along
        ends = np.stack([places + front * normal, places + back * normal], axis=1)
        covered = shared.size / min(one.size, other.size)
        best = Facing(float(gaps[i]), DEEP * shared.size, alike, covered, ends)
    return best


def compact(blob: Blob) -> bool:
    """Tell whether a piece has no more of a rim than a thin star: a tangle of noise is nearly all rim.

    Examples
    --------
    >>> compact(Blob(np.full((20, 20), 255, np.uint8), 0, 0))
    True
    """
    return bool(len(_rim(blob)) <= 20 * blob.area**0.5 + 64)


def rejoined(first: Blob, second: Blob) -> tuple[Blob | None, bool]:
    """Tell whether two pieces are one mark that a thin bar crossed.

    A bar leaves two straight faces of one length, which is no shorter than the smaller piece is wide. Round neighbours
    face each other at a short stretch, a small one before a large one with a much shorter face, and equal ones make an
    elongated pair.

    Parameters
    ----------
    first, second : Blob
        Two pieces.

    Returns
    -------
    whole : Blob or None
        The mark with its gap filled, where it is one.
    doubtful : bool
        Whether it may be one and may be two.
    """
    small, large = sorted((first.area, second.area))
    widest = 0.4 * large**0.5 + 1
    if _apart(first, second) > widest + 1 or join(first, second).aspect > 1.7:
        return None, False
    found = facing(first, second, widest)
    if found is None:
        return None, False
    length = found.length / small**0.5
    if found.alike >= 0.75 and length >= 0.8:
        return _filled(first, second, found), False
    return None, found.covered >= 0.6 and length >= 0.5


def _apart(first: Blob, second: Blob) -> int:
    """Return the pixels between two bounding boxes, along the axis where they are farther apart."""
    gap: int = max(
        max(second.x - first.x - first.crop.shape[1], first.x - second.x - second.crop.shape[1]),
        max(second.y - first.y - first.crop.shape[0], first.y - second.y - second.crop.shape[0]),
    )
    return gap


def _filled(first: Blob, second: Blob, found: Facing) -> Blob:
    both = join(first, second)
    crop = both.crop.copy()
    for start, end in np.rint(found.ends).astype(int) - (both.x, both.y):
        cv2.line(crop, start.tolist(), end.tolist(), 255, 2)
    return Blob(crop, both.x, both.y)
