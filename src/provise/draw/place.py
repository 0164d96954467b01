"""Where marks go: free places, and paths that do not cross themselves."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt

from provise.errors import InputError

__all__ = ["free_path", "resample", "scatter"]

Floats = npt.NDArray[np.float64]


def scatter(
    rng: np.random.Generator, size: tuple[int, int], across: Floats, gap: float, *, tries: int = 20_000
) -> Floats:
    """Return centres for discs that lie inside the frame, at least a gap apart.

    Parameters
    ----------
    rng : Generator
        Decides the places.
    size : tuple of int
        Width and height in pixels.
    across : ndarray, shape (n,)
        Diameters in pixels.
    gap : float
        Pixels between two discs.
    tries : int
        Tries for all discs together.

    Returns
    -------
    ndarray, shape (n, 2)

    Raises
    ------
    InputError
        If they do not fit.
    """
    placed = np.zeros((0, 2))
    left, misses = tries, 0
    order = np.argsort(-across, kind="stable")
    while len(placed) < len(across):
        if left == 0:
            raise InputError(f"{len(across)} marks of up to {across.max():.0f} px do not fit into {size[0]}x{size[1]}")
        left -= 1
        reach = across[order[len(placed)]] / 2
        room = reach + 2
        if 2 * room >= min(size):
            raise InputError(f"a mark of {2 * reach:.0f} px does not fit into {size[0]}x{size[1]}")
        spot = rng.uniform((room, room), (size[0] - room, size[1] - room))
        apart = np.hypot(*(placed - spot).T)
        if (apart >= reach + across[order[: len(placed)]] / 2 + gap).all():
            placed, misses = np.vstack([placed, spot]), 0
        elif (misses := misses + 1) >= 200:
            # A large disc in the middle may leave no room at all: begin again.
            placed, misses = np.zeros((0, 2)), 0
    out = np.empty_like(placed)
    out[order] = placed
    return out


def free_path(
    rng: np.random.Generator,
    size: tuple[int, int],
    start: tuple[float, float],
    clearance: float,
    *,
    curved: bool = False,
) -> Floats:
    """Return a path from a start that neither leaves the frame nor comes near itself again.

    Parameters
    ----------
    rng : Generator
        Decides the way.
    size : tuple of int
        Width and height in pixels.
    start : tuple of float
        In pixels.
    clearance : float
        Pixels that legs which are no neighbours keep between their centre lines.
    curved : bool
        Round the corners off.

    Returns
    -------
    ndarray, shape (n, 2)
        In pixels; 2 to 6 legs, each of a tenth of the longer side or more, turning by at most 100 degrees.
    """
    side = max(size)
    margin = clearance / 2 + 2
    legs = int(rng.integers(2, 7))
    for trial in range(200):
        path = _walk(rng, size, start, side, margin, legs)
        if len(path) > (legs if trial < 120 else 2) and _apart(path, clearance):
            return _rounded(path) if curved else path
    # A start squeezed into a corner still has the way to the middle.
    middle = np.array([size[0] / 2, size[1] / 2])
    toward = middle if np.hypot(*(middle - start)) > 0.1 * side else middle + 0.2 * np.asarray(size)
    return np.array([start, (np.asarray(start) + toward) / 2, toward])


def _walk(
    rng: np.random.Generator, size: tuple[int, int], start: tuple[float, float], side: int, margin: float, legs: int
) -> Floats:
    path = [np.asarray(start, np.float64)]
    heading = rng.uniform(0, 2 * np.pi)
    for leg in range(legs):
        for _ in range(12):
            turn = heading if leg == 0 else heading + rng.uniform(-1, 1) * math.radians(100)
            turn = rng.uniform(0, 2 * np.pi) if leg == 0 else turn
            spot = path[-1] + rng.uniform(0.1, 0.35) * side * np.array([math.cos(turn), math.sin(turn)])
            if (spot >= margin).all() and (spot <= np.asarray(size) - margin).all():
                path.append(spot)
                heading = turn
                break
        else:
            break
    return np.array(path)


def _apart(path: Floats, clearance: float) -> bool:
    """Tell whether legs that do not meet in a joint keep clear of each other."""
    pieces = [np.linspace(a, b, 24) for a, b in itertools.pairwise(path)]
    for i in range(len(pieces)):
        for j in range(i + 2, len(pieces)):
            if np.hypot(*(pieces[i][:, None] - pieces[j][None]).T).min() < clearance:
                return False
    return True


def _rounded(path: Floats) -> Floats:
    """Cut corners three times over (Chaikin), keeping both ends."""
    for _ in range(3):
        a, b = path[:-1], path[1:]
        cut = np.stack([0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b], axis=1).reshape(-1, 2)
        path = np.vstack([path[:1], cut[1:-1], path[-1:]])
    return path


def resample(path: npt.ArrayLike, n: int) -> Floats:
    """Return ``n`` points of a path, evenly spaced along its length.

    Examples
    --------
    >>> resample([[0, 0], [1, 0], [1, 1]], 5).tolist()
    [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 0.5], [1.0, 1.0]]
    """
    points = np.asarray(path, np.float64)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, along[-1], n)
    return np.stack([np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])], axis=1)
