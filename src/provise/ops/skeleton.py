"""From a stroke's pixels to the line along its middle: a skeleton as a graph, and the way through it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

__all__ = ["Skeleton", "resample", "skeleton_of", "walk"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The middle line of a stroke.

    Parameters
    ----------
    points : ndarray of float, shape (n, 2)
        Its pixels as (x, y) centres, in pixels of the frame.
    heads, tails, lengths : ndarray
        The edges between neighbouring pixels: indices and lengths (1 or the square root of 2).
    widths : ndarray of float, shape (n,)
        Half the stroke's width at each pixel.
    """

    points: Floats
    heads: Ints
    tails: Ints
    lengths: Floats
    widths: Floats

    @property
    def graph(self) -> Any:
        """The edges as a sparse matrix, each once."""
        n = len(self.points)
        return coo_matrix((self.lengths, (self.heads, self.tails)), shape=(n, n)).tocsr()

    def degrees(self) -> Ints:
        """Return the number of edges at each pixel."""
        n = len(self.points)
        return np.asarray(np.bincount(self.heads, minlength=n) + np.bincount(self.tails, minlength=n))


def skeleton_of(crop: Bytes, x: int, y: int) -> Skeleton:
    """Return the skeleton of a stroke.

    Parameters
    ----------
    crop : ndarray of uint8, shape (h, w)
        The stroke, 0 or 255, in its bounding box.
    x, y : int
        Left and top of the box in the frame.
    """
    from skimage.morphology import skeletonize

    padded = cv2.copyMakeBorder(crop, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    thin = skeletonize(padded > 0)
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 5)
    rows, columns = np.nonzero(thin)
    index = np.full(thin.shape, -1, np.int64)
    index[rows, columns] = np.arange(len(rows))
    heads, tails, lengths = [], [], []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        other = index[rows + dy, columns + dx]
        linked = other >= 0
        if dy and dx:
            # A diagonal beside a straight connection would make a triangle, and a false junction.
            linked &= (index[rows + dy, columns] < 0) & (index[rows, columns + dx] < 0)
        heads.append(np.flatnonzero(linked))
        tails.append(other[linked])
        lengths.append(np.full(int(linked.sum()), 2**0.5 if dy and dx else 1.0))
    points = np.stack([columns + x - 2 + 0.5, rows + y - 2 + 0.5], axis=1).astype(np.float64)
    return Skeleton(
        points,
        np.concatenate(heads),
        np.concatenate(tails),
        np.concatenate(lengths),
        depth[rows, columns].astype(np.float64),
    )


def walk(skeleton: Skeleton, start: tuple[float, float]) -> tuple[Floats, float]:
    """Return the longest of the shortest ways from the skeleton's end nearest a point.

    Parameters
    ----------
    skeleton : Skeleton
        In one piece.
    start : tuple of float
        A point in pixels.

    Returns
    -------
    path : ndarray of float, shape (n, 2)
        From the start outwards, neighbours in order.
    covered : float
        Share of the skeleton's length that the way covers.
    """
    degrees = skeleton.degrees()
    ends = np.flatnonzero(degrees <= 1)
    distances = np.hypot(*(skeleton.points - np.asarray(start)).T)
    # The stroke begins at the end nearest the given start; a ring has no end, and begins where it comes nearest.
    first = int(ends[distances[ends].argmin()]) if len(ends) else int(distances.argmin())
    search: Any = dijkstra
    reached, before = search(skeleton.graph, directed=False, indices=first, return_predecessors=True)
    reached[~np.isfinite(reached)] = -1
    at = int(reached.argmax())
    total = float(skeleton.lengths.sum())
    covered = float(reached[at]) / total if total > 0 else 1.0
    way = [at]
    while at != first and before[at] >= 0:
        at = int(before[at])
        way.append(at)
    return skeleton.points[way[::-1]], covered


def smooth(path: Floats, sigma: float) -> Floats:
    """Take the pixel staircase out of a way, keeping its ends."""
    if len(path) < 5 or sigma <= 0:
        return path
    reach = int(min(3 * sigma, len(path) - 1))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    # Point reflection keeps both ends where they are.
    head = 2 * path[0] - path[reach:0:-1]
    tail = 2 * path[-1] - path[-2 : -reach - 2 : -1]
    long = np.concatenate([head, path, tail])
    return np.stack([np.convolve(long[:, i], kernel, mode="valid") for i in (0, 1)], axis=1)


def resample(path: Floats, n: int) -> Floats:
    """Return ``n`` points at equal distances along a polyline.

    Parameters
    ----------
    path : ndarray of float, shape (m, 2)
        At least two points.
    n : int
        Number of points, the two ends included.

    Examples
    --------
    >>> resample(np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 1.0]]), 3).tolist()
    [[0.0, 0.0], [2.0, 0.0], [3.0, 1.0]]
    """
    steps = np.hypot(*np.diff(path, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.linspace(0, along[-1], n)
    return np.stack([np.interp(at, along, path[:, i]) for i in (0, 1)], axis=1)
