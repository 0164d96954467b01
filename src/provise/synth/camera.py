"""A perspective camera: rays of its pixels, and where a point of the world is seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

__all__ = ["Camera"]

Floats = npt.NDArray[np.float64]
NEAR = 0.05
"""Metres in front of the camera from which something is seen."""


@dataclass(frozen=True)
class Camera:
    """Where one looks from. The world is in metres: x to the right, y ahead, z up.

    Parameters
    ----------
    eye, target : tuple of float
        Where the camera stands and what is in the middle of its picture.
    size : tuple of int
        Width and height in pixels.
    view : float
        Horizontal field of view in degrees, 10 to 120.

    Examples
    --------
    >>> camera = Camera((0, -5, 0), (0, 0, 0), (640, 480))
    >>> camera.project([(0, 0, 0)]).tolist()
    [[320.0, 240.0, 5.0]]
    """

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    size: tuple[int, int] = (640, 480)
    view: float = 50.0

    @cached_property
    def basis(self) -> Floats:
        """Unit vectors to the right, down and ahead, as rows, shape (3, 3)."""
        ahead = np.subtract(self.target, self.eye).astype(np.float64)
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, (0.0, 0.0, 1.0))
        # Looking straight down, up in the picture is ahead in the world.
        right = np.array([1.0, 0.0, 0.0]) if np.linalg.norm(right) < 1e-6 else right / np.linalg.norm(right)
        return np.stack([right, np.cross(ahead, right), ahead])

    def resized(self, size: tuple[int, int]) -> Camera:
        """Return the camera with another number of pixels."""
        return Camera(self.eye, self.target, size, self.view)

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return float(self.size[0] / 2 / np.tan(np.radians(self.view) / 2))

    def rays(self, rows: slice, columns: slice) -> npt.NDArray[np.float32]:
        """Return the directions of a window's pixels, shape (h, w, 3), one metre ahead long along the camera's axis.

        So the distance along a ray, counted in its direction's length, is the depth.
        """
        w, h = self.size
        x = (np.arange(w)[columns] + 0.5 - w / 2) / self.focal
        y = (np.arange(h)[rows] + 0.5 - h / 2) / self.focal
        right, down, ahead = self.basis
        grid = ahead + x[None, :, None] * right + y[:, None, None] * down
        return np.asarray(grid, dtype=np.float32)

    def project(self, points: npt.ArrayLike) -> Floats:
        """Return where points of the world are seen.

        Parameters
        ----------
        points : array_like, shape (n, 3)
            In metres.

        Returns
        -------
        ndarray, shape (n, 3)
            Column, row and depth: pixels from the picture's left and top edge, metres along the camera's axis. Where the
            depth is not positive the point is behind the camera, and the pixels say nothing.
        """
        away = np.asarray(points, np.float64).reshape(-1, 3) - self.eye
        x, y, depth = (away @ self.basis.T).T
        safe = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
        w, h = self.size
        return np.stack([w / 2 + self.focal * x / safe, h / 2 + self.focal * y / safe, depth], axis=1)

    def window(self, corners: Floats) -> tuple[slice, slice]:
        """Return rows and columns that hold the hull of some points, as far as it is not behind the camera."""
        seen = self.project(corners)
        w, h = self.size
        before = seen[:, 2] >= NEAR
        if not before.any():
            return slice(0, 0), slice(0, 0)
        if not before.all():
            # Of a hull that reaches behind the camera, what is before it ends on the lines between its points.
            one, other = seen[before, None, 2], seen[None, ~before, 2]
            share = ((one - NEAR) / (one - other))[..., None]
            cut = corners[before][:, None] * (1 - share) + corners[~before][None] * share
            seen = np.concatenate([seen[before], self.project(cut)])
        left, top = np.floor(seen[:, :2].min(axis=0)).astype(int)
        right, bottom = np.ceil(seen[:, :2].max(axis=0)).astype(int)
        rows = slice(min(h, max(0, int(top))), max(0, min(h, int(bottom))))
        columns = slice(min(w, max(0, int(left))), max(0, min(w, int(right))))
        return rows, columns
