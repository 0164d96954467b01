"""What lies beside the way through a skeleton: an arrow's barbs, sharp corners' tips, loops that the way cuts short."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

from provise.ops.skeleton import Skeleton, resample

__all__ = ["Forks"]

Floats = npt.NDArray[np.float64]

BACK = -0.2
"""Cosine of a turn that leads back: less is a barb or a hook, not a bend."""
TWIN = 0.3
"""How long an arrow's other barb is, and how far it reaches to its side, against the barb that the way took."""
SHARP = 0.5
"""Cosine of a turn that is a corner: less turns more."""


class Forks:
    """The branches of a skeleton that leave a way through it.

    Parameters
    ----------
    skeleton : Skeleton
        With all its spurs: those near a tip tell an arrow from a corner.
    path : ndarray of float, shape (n, 2)
        The way, from the start outwards: points of the skeleton.
    """

    def __init__(self, skeleton: Skeleton, path: Floats) -> None:
        n = len(skeleton.points)
        self.skeleton, self.path = skeleton, path
        self.width = float(np.median(skeleton.widths))
        self.reach = max(8, round(4 * self.width))
        index = {(float(x), float(y)): i for i, (x, y) in enumerate(skeleton.points)}
        place = np.full(n, -1)
        place[[index[float(x), float(y)] for x, y in path]] = np.arange(len(path))
        heads, tails = skeleton.heads, skeleton.tails
        off = (place[heads] < 0) & (place[tails] < 0)
        self.rest: Any = coo_matrix((skeleton.lengths[off], (heads[off], tails[off])), shape=(n, n)).tocsr()
        self.branch = connected_components(self.rest, directed=False)[1]
        pairs = np.stack([np.concatenate([heads, tails]), np.concatenate([tails, heads])], axis=1)
        # A branch's first pixel, and the place on the way where it leaves; from the way's end backwards.
        leaving = pairs[(place[pairs[:, 0]] < 0) & (place[pairs[:, 1]] >= 0)]
        roots = np.stack([leaving[:, 0], place[leaving[:, 1]]], axis=1)
        self.roots = roots[np.argsort(-roots[:, 1], kind="stable")]

    def _along(self, root: int) -> Floats:
        """Return how far each pixel of a branch lies from its root, -1 for pixels that are not of it."""
        search: Any = dijkstra
        found = np.asarray(search(self.rest, directed=False, indices=root), dtype=np.float64)
        found[~np.isfinite(found)] = -1.0
        return found

    def _turn(self, i: int, until: int) -> tuple[Floats, Floats]:
        """Return how the way comes to its point i and how it goes on to a later one."""
        return self.path[i] - self.path[max(0, i - self.reach)], self.path[until] - self.path[i]

    def loop(self) -> float:
        """Return the length of the longest branch that leaves the way and comes back to it, 0 where none does."""
        roots = np.unique(self.roots[:, 0])
        kinds, counts = np.unique(self.branch[roots], return_counts=True)
        longest = 0.0
        for kind in kinds[counts > 1]:
            own = roots[self.branch[roots] == kind]
            longest = max(longest, *(float(self._along(int(root))[own].max()) for root in own[:8]))
        return longest

    def followed(self) -> Floats:
        """Return the way as it was drawn: cut at an arrow's tip, and led into the tips of sharp corners."""
        end = self._tip_of_arrow()
        path, place = self.path[: end + 1], end
        parts = []
        for root, i in self.roots:
            if not self.reach <= i <= end - self.reach:
                continue
            tip = self._tip_of_corner(int(root), int(i))
            if tip is None:
                continue
            cut = int(np.hypot(*(tip - path[i])))
            if i + cut > place:
                continue
            # The middle line of an acute corner turns before the corner: both legs lead on to its tip.
            parts += [path[i + cut : place + 1], tip[None]]
            place = i - cut
        parts.append(path[: max(place, 0) + 1])
        whole = np.concatenate(parts[::-1])
        return resample(whole, len(path)) if len(parts) > 1 else whole

    def _tip_of_corner(self, root: int, i: int) -> Floats | None:
        """Return the end of a short branch that points out of a sharp turn of the way."""
        come, go = self._turn(i, i + self.reach)
        if _cosine(come, go) > SHARP:
            return None
        branch = self.skeleton.points[self.branch == self.branch[root]]
        away = branch - self.path[i]
        far = np.hypot(*away.T)
        tip = int(far.argmax())
        outwards = come / np.hypot(*come) - go / np.hypot(*go)
        if far[tip] > 5 * self.width or _cosine(away[tip], outwards) < 0.8:
            return None
        return np.asarray(branch[tip], dtype=np.float64)

    def _tip_of_arrow(self) -> int:
        """Return the place on the way where it turns back into one of an arrow's two barbs, or its end.

        A sharp corner has a fork at its tip, too. What tells an arrow is the other barb, on the way's other side.
        """
        path, end = self.path, len(self.path) - 1
        steps = np.hypot(*np.diff(path, axis=0).T)
        left = np.concatenate([np.cumsum(steps[::-1])[::-1], [0.0]])
        for root, i in self.roots:
            if i < self.reach or left[i] > 0.5 * left[0]:
                continue
            if min(_cosine(*self._turn(i, until)) for until in (min(i + self.reach, end), end)) > BACK:
                continue
            come, _ = self._turn(i, end)
            along = self._along(int(root))
            twin = _aside(self.skeleton.points[along >= 0], path[i], come)
            own = _aside(path[i:], path[i], come)
            far = float(own[np.abs(own).argmax()])
            if float((-np.sign(far) * twin).max()) > TWIN * abs(far) and float(along.max()) > TWIN * left[i]:
                return int(i)
        return end


def _cosine(a: Floats, b: Floats) -> float:
    norm = float(np.hypot(*a) * np.hypot(*b))
    return float(a @ b) / norm if norm > 0 else 1.0


def _aside(points: Floats, origin: Floats, direction: Floats) -> Floats:
    """Return how far points lie to the side of a ray, in pixels, signed."""
    away = points - origin
    return np.asarray((direction[0] * away[:, 1] - direction[1] * away[:, 0]) / np.hypot(*direction))
