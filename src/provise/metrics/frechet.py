"""Discrete Fréchet distance, and success under a threshold of it: the metric of trajectories."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from provise.errors import InputError
from provise.metrics.points import as_points

__all__ = ["DFD_THRESHOLD", "dfd_success", "discrete_frechet"]

DFD_THRESHOLD = 0.4
"""A path is right strictly below this distance (paper, equation 4)."""

Floats = npt.NDArray[np.float64]


def discrete_frechet(path: npt.ArrayLike, other: npt.ArrayLike) -> float:
    r"""Discrete Fréchet distance of two point sequences.

    .. math:: d(P, Q) = \min_C \max_{(p, q) \in C} \|p - q\|_2

    over all monotone couplings C of the two sequences, with the recurrence
    :math:`c_{ij} = \max(\|p_i - q_j\|, \min(c_{i-1,j}, c_{i-1,j-1}, c_{i,j-1}))`. The table is walked along its
    anti-diagonals, whose cells do not depend on each other: no recursion, O(n + m) memory, and about 10 ms for
    1,000 against 1,000 points.

    Parameters
    ----------
    path, other : array_like, shapes (n, 2) and (m, 2)
        Points in order, in one unit. One point is a sequence too.

    Returns
    -------
    float
        At least 0. Infinite where either sequence is empty or holds a value that is not finite: nothing couples them.

    Raises
    ------
    InputError
        If either is no list of pairs of numbers.

    References
    ----------
    Paper, appendix E.4, equation 4. T. Eiter and H. Mannila, "Computing discrete Fréchet distance", 1994, table 1.

    Examples
    --------
    >>> discrete_frechet([[0, 0], [1, 0]], [[0, 0.5], [1, 0.5]])
    0.5
    >>> discrete_frechet([[0, 0], [float("nan"), 1]], [[0, 0], [1, 1]])
    inf
    """
    p, q = as_points(path), as_points(other)
    if p is None or q is None:
        raise InputError("a path is a list of [x, y] pairs of numbers; got something else")
    if not len(p) or not len(q) or not (np.isfinite(p).all() and np.isfinite(q).all()):
        return math.inf
    # Squares are compared in place of distances. A common factor that is a power of two is exact, and keeps
    # them from running over or under.
    largest = float(max(np.abs(p).max(), np.abs(q).max()))
    exponent = math.frexp(largest)[1]
    bottleneck = _bottleneck(np.ldexp(p, -exponent), np.ldexp(q, -exponent))
    try:
        return math.ldexp(math.sqrt(bottleneck), exponent)
    except OverflowError:
        return math.inf


def _bottleneck(p: Floats, q: Floats) -> float:
    """Least possible largest squared distance along a monotone coupling."""
    n, m = len(p), len(q)
    px, py = np.ascontiguousarray(p[:, 0]), np.ascontiguousarray(p[:, 1])
    qx, qy = np.ascontiguousarray(q[::-1, 0]), np.ascontiguousarray(q[::-1, 1])
    # Slot i + 1 of a diagonal holds its cell of row i; what is not filled stays infinite.
    before, last, here = (np.full(n + 1, np.inf) for _ in range(3))
    for diagonal in range(n + m - 1):
        first, stop = max(0, diagonal - m + 1), min(diagonal, n - 1) + 1
        start = m - 1 - diagonal + first  # the reversed q runs in step with p along the diagonal
        cost = px[first:stop] - qx[start : start + stop - first]
        cost *= cost
        other = py[first:stop] - qy[start : start + stop - first]
        other *= other
        cost += other
        if diagonal:
            reach = np.minimum(last[first:stop], last[first + 1 : stop + 1], out=other)
            np.minimum(reach, before[first:stop], out=reach)
            np.maximum(cost, reach, out=here[first + 1 : stop + 1])
        else:
            here[1] = cost[0]
        here[first] = np.inf  # a row that has left the table
        before, last, here = last, here, before
    return float(last[n])


def dfd_success(path: npt.ArrayLike, truth: npt.ArrayLike, threshold: float = DFD_THRESHOLD) -> tuple[float, float]:
    r"""Whether a path agrees with the true one.

    .. math:: s = \mathbf{1}[d(\hat{P}, P) < \tau]

    Parameters
    ----------
    path : array_like, shape (n, 2)
        Predicted points in order, normalised.
    truth : array_like, shape (m, 2)
        The truth's own vertices, normalised; they are not resampled.
    threshold : float, default .4
        Strict: a distance of exactly the threshold is no success.

    Returns
    -------
    score : float
        1 or 0.
    distance : float
        The discrete Fréchet distance itself.

    References
    ----------
    Paper, appendix E.4, equation 4 (DFD-success@0.4).

    Examples
    --------
    >>> dfd_success([[0.5, 0.5]], [[0.5, 0.1], [0.5, 0.5]])
    (0.0, 0.4)
    """
    distance = discrete_frechet(path, truth)
    return float(distance < threshold), distance
