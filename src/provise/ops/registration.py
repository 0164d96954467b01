"""Where a redrawn scene lies: the shift of a few pixels between a picture and a model's own rendering of it."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from provise.ops.reduce import halved

__all__ = ["shift_between", "shifted"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

SIDE = 720
"""Longest side, in pixels, up to which pictures are held to each other as they are; larger ones are halved first."""

FARTHEST = 0.03
"""Largest shift, as a share of the longer side: what lies farther off is another framing."""

LEAST = 0.6
"""Shift, in pixels, under which nothing is moved: interpolation would cost more than it mends."""

BETTER = 0.85
"""Share of the difference that may be left by a shift that is worth taking out."""

CAP = 30.0
"""Levels at which a difference counts in full: marks and other new things must not outvote the scene."""


def shift_between(
    before: Bytes, after: Bytes, recolour: Callable[[Bytes], Bytes] = lambda picture: picture
) -> tuple[float, float]:
    """Return by how many pixels one picture's scene lies to the right of, and below, another's.

    Parameters
    ----------
    before, after : ndarray of uint8, shape (h, w) or (h, w, 3)
        Two pictures of one size; ``after`` may have marks on it.
    recolour : callable
        How ``after`` changed the colours of the scene; it is given ``before`` reduced, which is cheaper than the whole.

    Returns
    -------
    dx, dy : float
        In pixels of the pictures. (0, 0) where they are in register, or where no shift makes them clearly more alike.

    Examples
    --------
    >>> scene = cv2.GaussianBlur(np.random.default_rng(0).integers(0, 255, (120, 160), np.uint8), (0, 0), 3)
    >>> [round(v) for v in shift_between(scene[10:110, 10:150], scene[11:111, 7:147])]
    [3, -1]
    """
    h, w = before.shape[:2]
    first, second = _grey(recolour(halved(before, SIDE))), _grey(halved(after, SIDE))
    size = first.shape[1], first.shape[0]
    if min(size) < 16:
        return 0.0, 0.0
    window = max(3, round(max(size) / 15) | 1)
    fine = [plane - cv2.blur(plane, (window, window)) for plane in (first, second)]
    # Clipped, since a few bright marks would draw the peak to themselves.
    fine = [np.clip(plane, -CAP, CAP) for plane in fine]
    (dx, dy), _ = cv2.phaseCorrelate(fine[0], fine[1], cv2.createHanningWindow(size, cv2.CV_32F))
    across, down = dx * w / size[0], dy * h / size[1]
    if not LEAST <= float(np.hypot(across, down)) <= FARTHEST * max(h, w):
        return 0.0, 0.0
    left = _difference(shifted(first, dx, dy), second)
    return (across, down) if left < BETTER * _difference(first, second) else (0.0, 0.0)


def shifted(picture: npt.NDArray[np.generic], dx: float, dy: float) -> npt.NDArray[np.generic]:
    """Return a picture moved right and down by so many pixels; its rim goes on into what is laid bare."""
    h, w = picture.shape[:2]
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
    moved = cv2.warpAffine(picture, move, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=picture.dtype)


def _grey(small: Bytes) -> Floats:
    return np.asarray(small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), dtype=np.float32)


def _difference(a: npt.NDArray[np.generic], b: Floats) -> float:
    return float(np.minimum(cv2.absdiff(np.asarray(a, np.float32), b), CAP).mean())
