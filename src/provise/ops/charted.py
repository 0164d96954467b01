"""Whether a map was laid out as a chart: squeezed beside a legend, or set into a margin."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from provise.ops.reduce import halved

__all__ = ["charted"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

SIDE = 320
"""Longest side on which a chart is looked for."""

FLAT = 8.0
"""Levels within which nearly all of a line is one level."""

ASIDE = 0.35
"""Share of the frame, from its side, within which a legend lies."""

NARROW, WIDE = 0.012, 0.15
"""Width of a legend as a share of the frame."""

MARGIN = 0.015
"""Least width of a margin as a share of the frame."""


def charted(grey: Bytes, aspect: float = 0.0) -> str:
    """Tell whether a picture does not fill its frame: what lies where in it is then not where it lies in the source.

    Parameters
    ----------
    grey : ndarray of uint8, shape (h, w)
        The answer in its own size.
    aspect : float
        Width over height of the source; 0 where it is not known. Margins at two sides alone are only told by it.

    Returns
    -------
    str
        ``"legend"``, ``"margin"`` or ``""``.

    Examples
    --------
    >>> ball = np.hypot(*np.mgrid[-120:120, -160:160])
    >>> picture = np.clip(250 - ball, 60, 230).astype(np.uint8)
    >>> charted(picture, 4 / 3)
    ''
    >>> charted(np.pad(picture, ((40, 40), (0, 0))), 4 / 3), charted(np.pad(picture, 20, constant_values=255))
    ('margin', 'margin')
    >>> ramp = np.tile(np.linspace(255, 0, 240).astype(np.uint8)[:, None], (1, 20))
    >>> charted(np.hstack([picture, ramp]))
    'legend'
    """
    factor = min(1.0, SIDE / max(grey.shape))
    size = (max(1, round(grey.shape[1] * factor)), max(1, round(grey.shape[0] * factor)))
    small = cv2.resize(halved(grey, 3 * SIDE), size, interpolation=cv2.INTER_AREA).astype(np.float32)
    if min(small.shape) < 32:
        return ""
    turned = (small, small[:, ::-1], small.T, small.T[:, ::-1])
    if any(_legend(np.ascontiguousarray(view)) for view in turned):
        return "legend"
    return "margin" if _margins(small, aspect, grey.shape[1] / grey.shape[0]) else ""


def _flat(lines: Floats) -> npt.NDArray[np.bool_]:
    """Tell for each column whether nearly all of it is one level."""
    low, high = np.percentile(lines, (2, 98), axis=0)
    return np.asarray(high - low <= FLAT)


def _legend(picture: Floats) -> bool:
    """Tell whether a bar that runs evenly from dark to bright stands by itself at the right side."""
    w = picture.shape[1]
    first = w - round(ASIDE * w)
    flat = _flat(picture[:, first:])
    edges = np.flatnonzero(np.diff(np.concatenate([[1], flat.astype(int), [1]])))
    for start, stop in edges.reshape(-1, 2):
        if start > 0 and _ramp(picture[:, first + start : first + stop], w):
            return True
    return _ramp(picture[:, w - _alike(picture) :], w)


def _alike(picture: Floats) -> int:
    """Return how many columns at the right repeat the last one, up to a sharp step; 0 where there is none."""
    apart = np.abs(picture - picture[:, -1:]).mean(axis=0)[::-1]
    n = int(np.argmax(apart > 3)) if (apart > 3).any() else 0
    # A pixel of the reduced picture may be half of either.
    return n if n and apart[min(n + 1, len(apart) - 1)] >= 15 else 0


def _ramp(bar: Floats, frame: int) -> bool:
    """Tell whether columns are one even ramp along their length: every one the same, and in a straight line."""
    h, w = bar.shape
    if not NARROW * frame <= w <= WIDE * frame:
        return False
    trim = min(2, (w - 1) // 3)
    inner = bar[:, trim : w - trim]
    profile = cv2.blur(np.median(inner, axis=1)[:, None], (1, 5)).ravel()
    rows = max((_rising(profile * sign) for sign in (1, -1)), key=len)
    if len(rows) < 0.35 * h:
        return False
    along, across = profile[rows], inner[rows].std(axis=1)
    straight = abs(float(np.corrcoef(along, rows)[0, 1]))
    return bool(np.ptp(along) >= 110 and straight >= 0.98 and np.median(across) <= 3)


def _rising(profile: Floats) -> npt.NDArray[np.intp]:
    """Return the longest stretch of rows over which a profile rises, with stops of up to three rows."""
    rises = (np.diff(profile) >= 0.2).astype(np.uint8)[:, None]
    closed = cv2.morphologyEx(rises, cv2.MORPH_CLOSE, np.ones((5, 1), np.uint8)).ravel()
    edges = np.flatnonzero(np.diff(np.concatenate([[0], closed, [0]]).astype(int))).reshape(-1, 2)
    start, stop = max(edges, key=lambda edge: edge[1] - edge[0], default=(0, 0))
    return np.arange(start, stop)


def _margins(picture: Floats, aspect: float, own: float) -> bool:
    """Tell whether a picture stands in a flat margin: all round, or at two sides in the source's aspect ratio."""
    h, w = picture.shape
    across, down = (_pair(np.ascontiguousarray(view)) for view in (picture, picture.T))
    left, right = across if min(across) >= MARGIN * w else (0, 0)
    top, bottom = down if min(down) >= MARGIN * h else (0, 0)
    inside = picture[top : h - bottom, left : w - right]
    if not (left or top) or min(inside.shape) < 16:
        return False
    level = float(picture[0, 0])
    if abs(level - float(picture[-1, -1])) > 4:
        return False
    lines = [inside[:, 2], inside[:, -3]] if left else []
    lines += [inside[2], inside[-3]] if top else []
    if not all((np.abs(line - level) > 12).mean() >= 0.6 and line.std() >= 3 for line in lines):
        return False
    shown = own * (inside.shape[1] / w) / (inside.shape[0] / h)
    framed = aspect > 0 and abs(shown / aspect - 1) <= 0.04 and abs(own / aspect - 1) > 0.04
    return bool((left and top) or framed)


def _pair(picture: Floats) -> tuple[int, int]:
    """Return how many columns at the left and at the right are flat and of the level of the corner."""
    level = float(picture[0, 0])
    even = _flat(picture) & (np.abs(np.median(picture, axis=0) - level) <= 4)
    left = int(np.argmin(even)) if not even.all() else 0
    right = int(np.argmin(even[::-1])) if not even.all() else 0
    return left, right
