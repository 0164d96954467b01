"""The coordinate convention: normalised, origin top-left, x to the right, y down."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["centre_of", "pixel_of", "valid_point"]


def valid_point(point: Any) -> bool:
    """Tell whether something is a pair of finite numbers in 0..1; nothing is ever clamped into the frame.

    Examples
    --------
    >>> valid_point([1.0, 0.0]), valid_point([1.01, 0.0]), valid_point([float("nan"), 0.0]), valid_point([10, 10])
    (True, False, False, False)
    """
    try:
        x, y = point
    except (TypeError, ValueError):
        return False
    # Comparison alone turns NaN and infinity away, and takes an integer too large for a float.
    return all(isinstance(v, int | float) and not isinstance(v, bool) and 0 <= v <= 1 for v in (x, y))


def pixel_of(x: float, n: int) -> int:
    """Return the pixel of a coordinate: floor(x n), and the last one for x = 1.

    Examples
    --------
    >>> pixel_of(0.5, 4), pixel_of(1.0, 4)
    (2, 3)
    """
    if not (math.isfinite(x) and 0 <= x <= 1) or n < 1:
        raise ValueError(f"coordinate {x} is outside 0..1, or {n} is no number of pixels")
    return min(int(x * n), n - 1)


def centre_of(i: int, n: int) -> float:
    """Return the coordinate of a pixel's centre: (i + .5) / n.

    Examples
    --------
    >>> centre_of(0, 4)
    0.125
    """
    return (i + 0.5) / n
