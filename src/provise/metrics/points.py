"""Points against a mask or against a point, under one rule of which pixel a coordinate falls in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["as_points", "pixel_of", "point_distance", "point_in_mask", "points_precision", "rasterise"]

Floats = npt.NDArray[np.float64]


def as_points(value: Any) -> Floats | None:
    """Return a value as points, shape (n, 2), or None where it is no list of pairs of numbers.

    Examples
    --------
    >>> as_points([[0.1, 0.2], [0.3, 0.4]]).shape
    (2, 2)
    >>> as_points([]).shape
    (0, 2)
    >>> as_points([[0.1], [0.3, 0.4]]) is None
    True
    """
    try:
        points = np.asarray(value)
        if points.dtype.kind == "c":
            return None
        points = np.asarray(value, dtype=np.float64)
    except OverflowError:  # whole numbers beyond every float: no point of any picture
        points = np.asarray(np.asarray(value, dtype=object) * 0, dtype=np.float64) + math.inf
    except (TypeError, ValueError):
        return None
    if points.size == 0 and points.ndim >= 1:
        return np.empty((0, 2))
    return points if points.ndim == 2 and points.shape[1] == 2 else None


def pixel_of(point: Sequence[float], size: tuple[int, int]) -> tuple[int, int] | None:
    """Column and row of the pixel a normalised point falls in.

    The pixel of x is floor(x w); x = 1, the far edge, belongs to the last pixel.

    Parameters
    ----------
    point : sequence of two floats
        Normalised x, y.
    size : tuple of int
        Width and height in pixels, both at least 1.

    Returns
    -------
    tuple of int, or None
        None where the point is not finite or lies outside [0, 1]: it is never clamped.

    Examples
    --------
    >>> pixel_of((0.5, 1.0), (4, 4))
    (2, 3)
    >>> pixel_of((1.01, 0.5), (4, 4)) is None
    True
    """
    x, y = float(point[0]), float(point[1])
    if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):  # false for NaN too
        return None
    return min(int(x * size[0]), size[0] - 1), min(int(y * size[1]), size[1] - 1)


def point_in_mask(point: Sequence[float], mask: npt.NDArray[Any]) -> float:
    r"""Whether a normalised point falls on a marked pixel.

    .. math:: s = \mathbf{1}[M(\lfloor \hat{x} w \rfloor, \lfloor \hat{y} h \rfloor) > 0]

    Parameters
    ----------
    point : sequence of two floats
        Normalised x, y.
    mask : ndarray, shape (h, w)
        The target; what is not zero is marked.

    Returns
    -------
    float
        1 or 0; 0 for a point that is not finite or outside the frame.

    References
    ----------
    Paper, appendix E.4, equation 1. Upstream RoboAfford rounds x w and counts a point outside as a miss.

    Examples
    --------
    >>> target = np.eye(4, dtype=bool)
    >>> point_in_mask((1.0, 1.0), target), point_in_mask((float("nan"), 0.5), target)
    (1.0, 0.0)
    """
    pixel = pixel_of(point, (mask.shape[1], mask.shape[0]))
    return float(pixel is not None and bool(mask[pixel[1], pixel[0]]))


def rasterise(points: npt.ArrayLike, size: tuple[int, int]) -> tuple[npt.NDArray[np.int64], int]:
    """Bring normalised points to the distinct pixels of a grid.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        Normalised x, y.
    size : tuple of int
        Width and height of the grid in pixels.

    Returns
    -------
    pixels : ndarray of int, shape (k, 2)
        Distinct columns and rows, k <= n.
    misses : int
        Distinct points that fall on no pixel: outside the frame (told apart by the pixel they would have, were the
        grid continued) or not finite (one miss together).

    Examples
    --------
    >>> pixels, misses = rasterise([[0.1, 0.1], [0.2, 0.2], [1.5, 0.5]], (2, 2))
    >>> pixels.tolist(), misses
    ([[0, 0]], 1)
    """
    array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    grid = np.asarray(size, dtype=np.float64)
    inside = np.all((array >= 0) & (array <= 1), axis=1)
    finite = np.all(np.isfinite(array), axis=1)
    pixels = np.minimum(np.floor(array[inside] * grid), grid - 1).astype(np.int64)
    # A grid a million times larger than any picture: far points may share a place, all of them remain misses.
    beyond = np.floor(np.clip(array[finite & ~inside], -1e9, 1e9) * grid)
    misses = len(np.unique(beyond, axis=0)) + int(not finite.all())
    return np.unique(pixels, axis=0), misses


def points_precision(points: npt.ArrayLike, mask: npt.NDArray[Any]) -> float:
    r"""Affordance for an answer in words: precision of the points, rasterised to the target's grid.

    .. math:: s = |R \cap M| / (|R| + m)

    R is the set of distinct pixels the points fall in, m the number of distinct points outside the frame: they are
    predicted support that cannot be inside the target, so leaving them out would reward guessing beyond the edge.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        Normalised x, y.
    mask : ndarray, shape (h, w)
        The target; what is not zero is marked.

    Returns
    -------
    float
        In [0, 1]; 0 where there are no points.

    References
    ----------
    Paper, appendix E.4, equation 2: "the set of predicted points rasterized to image coordinates".

    Examples
    --------
    >>> points_precision([[0.1, 0.1], [0.9, 0.1]], np.eye(2, dtype=bool))
    0.5
    """
    pixels, misses = rasterise(points, (mask.shape[1], mask.shape[0]))
    support = len(pixels) + misses
    if not support:
        return 0.0
    return int(np.count_nonzero(mask[pixels[:, 1], pixels[:, 0]])) / support


def point_distance(point: Sequence[float], truth: Sequence[float]) -> float:
    r"""Euclidean distance of two normalised points, infinite where either is not finite.

    .. math:: d = \|\hat{p} - p\|_2

    Parameters
    ----------
    point, truth : sequence of two floats
        Normalised x, y.

    Returns
    -------
    float
        At most :math:`\sqrt 2` inside the frame; x and y count in shares of width and height, as in equation 4.

    References
    ----------
    The distance inside the paper's equation 4 (appendix E.4), for one pair.

    Examples
    --------
    >>> point_distance((0.0, 0.3), (0.4, 0.0))
    0.5
    """
    dx, dy = float(point[0]) - float(truth[0]), float(point[1]) - float(truth[1])
    distance = math.hypot(dx, dy)
    return distance if math.isfinite(distance) else math.inf
