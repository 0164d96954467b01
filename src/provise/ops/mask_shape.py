"""Two-valued pictures that are no mask all the same: outlines, inverted or framed masks, photos reduced to two levels."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from provise.ops.likeness import cells

__all__ = ["framed", "outlined", "surrounds", "thresholded"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Region = npt.NDArray[np.bool_]

SIDE = 640
"""Longest side on which shapes are looked at."""

LEAST = 24
"""Pixels of the shorter side under which nothing is said of shapes."""

THIN = 0.02
"""Width of a line as a share of the longer side; regions that people mark are wider, or enclose little."""

ENCLOSED = 1.5
"""What a line encloses over its own area from which it is an outline: regions that people mark stay under .3."""

DRAWN = 2.5
"""Length of all lines, as a multiple of half the frame's border, from which they are a drawing of the scene."""

BORDER = 0.9
"""Share of the frame's border from which a region lies all round; the largest that people marked has .08."""

MARGIN = 0.015
"""Least width of a margin, as a share of the frame."""

PIECES = 10
"""Pieces and holes from which a region may be a photo's light and shade."""


def outlined(region: Region, thin: float = THIN) -> bool:
    """Tell whether a region is drawn as closed thin lines, and not filled; or as a drawing in thin lines.

    Parameters
    ----------
    region : ndarray of bool, shape (h, w)
        True where marked.
    thin : float
        Width of a line as a share of the longer side.

    Examples
    --------
    >>> plane = np.zeros((120, 160), np.uint8)
    >>> outlined(cv2.circle(plane.copy(), (80, 60), 30, 1, 2) > 0), outlined(cv2.circle(plane, (80, 60), 30, 1, -1) > 0)
    (True, False)
    """
    ink = _reduced(region)
    lines = np.pad(ink, 1)
    area = int(lines.sum())
    side = max(ink.shape)
    if not area or min(ink.shape) < LEAST:
        return False
    depths = cv2.distanceTransform(lines, cv2.DIST_L2, 3)[lines > 0]
    # Where lines meet they are wider.
    width = 2 * float(np.percentile(depths, 98)) - 1
    if width > max(4.0, thin * side):
        return False
    if area / max(width, 1) >= DRAWN * sum(ink.shape):
        return True
    # A gap of a pixel or two leaves an outline an outline.
    closed = cv2.morphologyEx(lines, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    rims, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = int(cv2.drawContours(np.zeros_like(lines), rims, -1, 1, cv2.FILLED).sum())
    return whole - area >= ENCLOSED * area


def _reduced(region: Region) -> Bytes:
    """Return a region as 0 and 1 with its longer side at most `SIDE`; thin lines stay."""
    factor = SIDE / max(region.shape)
    plane = region.astype(np.uint8)
    if factor >= 1:
        return plane
    size = (max(1, round(region.shape[1] * factor)), max(1, round(region.shape[0] * factor)))
    small = cv2.resize(plane * np.uint8(200), size, interpolation=cv2.INTER_AREA)
    return np.asarray(small > 50, dtype=np.uint8)


def surrounds(region: Region) -> bool:
    """Tell whether a region runs along nearly all of the frame's border and leaves out something within.

    That is what an inverted mask looks like. A region that people mark touches little of the border.

    Examples
    --------
    >>> thing = np.zeros((60, 80), bool); thing[20:40, 30:50] = True
    >>> surrounds(thing), surrounds(~thing)
    (False, True)
    """
    sides = (region[0], region[-1], region[:, 0], region[:, -1])
    return bool(min(float(side.mean()) for side in sides) >= 0.75 and np.concatenate(sides).mean() >= BORDER)


def framed(luma: Bytes) -> bool:
    """Tell whether a two-valued picture stands in a visible margin, at two opposite sides or all round.

    Parameters
    ----------
    luma : ndarray of uint8, shape (h, w)
        Brightness. A black margin of a black mask cannot be seen.

    Examples
    --------
    >>> mask = np.zeros((60, 80), np.uint8); mask[20:40, 30:50] = 255
    >>> framed(mask), framed(np.pad(mask, ((0, 0), (10, 10)), constant_values=255))
    (False, True)
    """
    small = cells(luma, SIDE // 2)
    return min(small.shape) >= LEAST and (_margins(small) or _margins(np.ascontiguousarray(small.T)))


def _margins(luma: Floats) -> bool:
    """Tell whether bands of one level lie at the left and at the right, each ended by a straight step."""
    w = luma.shape[1]
    level = float(np.median(luma[:, 0]))
    if abs(level - float(np.median(luma[:, -1]))) > 3:
        return False
    widths = []
    for columns in (luma, luma[:, ::-1]):
        low, high = np.percentile(columns[:, : w // 2], (2, 98), axis=0)
        flat = (np.abs(low - level) <= 4) & (np.abs(high - level) <= 4)
        n = w // 2 if flat.all() else int(np.argmin(flat))
        # Beyond a soft step of a few pixels the rest is of another level nearly everywhere.
        beyond = columns[:, n + 3 : n + 6]
        if not MARGIN * w <= n < w // 2 or (np.abs(beyond - level) > 6).mean() < 0.7:
            return False
        widths.append(n)
    return max(widths) <= 1.5 * min(widths) + 3


def thresholded(drawn: Floats, under: Floats) -> bool:
    """Tell whether a two-valued picture is the light and shade of its source.

    A region of a bright thing follows the source's brightness, too, but in one piece or a few.

    Parameters
    ----------
    drawn, under : ndarray of float32, shape (h, w)
        The `provise.ops.likeness.tones` of the answer and of the source.

    Examples
    --------
    >>> photo = cv2.resize(np.random.default_rng(2).integers(0, 255, (24, 32)).astype(np.float32), (320, 240))
    >>> thresholded(np.where(photo > 120, 255, 0).astype(np.float32), photo)
    True
    """
    bright = drawn > 127
    pieces = 0
    for part in (bright, ~bright):
        stats = cv2.connectedComponentsWithStats(part.astype(np.uint8), connectivity=4)[2]
        pieces += int((stats[1:, cv2.CC_STAT_AREA] >= 6).sum())
    if pieces < PIECES:
        return False
    window = round(max(under.shape) / 22) | 1
    fine = under - cv2.blur(under, (window, window)) + 128
    return _agreement(bright, under) >= 0.8 or _agreement(bright, fine) >= 0.45


def _agreement(bright: Region, plane: Floats) -> float:
    """Return the best correlation, either way, of a region with what of a plane exceeds a threshold, over thresholds."""
    levels = np.clip(np.rint(plane), 0, 255).astype(np.uint8)
    both = np.bincount(levels[bright], minlength=256)[::-1].cumsum().astype(np.float64)
    above = np.bincount(levels.ravel(), minlength=256)[::-1].cumsum().astype(np.float64)
    total, marked = float(bright.size), float(bright.sum())
    spread = np.sqrt(np.maximum(above * (total - above) * marked * (total - marked), 1.0))
    return float(np.abs((both * total - above * marked) / spread).max())
