"""The four solids that everything is built of, and where rays meet them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

__all__ = ["FAR", "Kind", "Part", "distances", "meet", "surface", "turned"]

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Lines = list[Singles]
"""The three coordinates apart: numpy is fastest along whole arrays."""
Kind = Literal["ball", "box", "tube"]

FAR: Any = np.float32(1e9)
"""Distance along a ray that meets nothing."""

TINY = np.float32(1e-12)
"""Slant of a ray that runs along a face."""


@dataclass(frozen=True, eq=False)
class Part:
    """A solid, stretched, turned and put somewhere.

    Parameters
    ----------
    kind : {"ball", "box", "tube"}
        A unit ball; a box from -1 to 1; a round body from z = -1 to 1 of radius 1 at its foot.
    centre : tuple of float
        In metres.
    half : tuple of float
        Half its extent along its own axes, in metres.
    turn : ndarray, shape (3, 3)
        Its own axes as columns, unit vectors.
    taper : float
        Of a tube: radius at its top over that at its foot. 1 is a cylinder, 0 a cone.
    colour : tuple of int
        RGB.
    texture : str
        A name of `provise.synth.texture.TEXTURES`.
    name : str
        What it is of its object, e.g. ``handle``.
    """

    kind: Kind
    centre: tuple[float, float, float]
    half: tuple[float, float, float]
    turn: Floats = field(default_factory=lambda: np.eye(3))
    taper: float = 1.0
    colour: tuple[int, int, int] = (180, 180, 180)
    texture: str = "plain"
    name: str = "body"

    @cached_property
    def frame(self) -> Floats:
        """From its own unit solid to the world, shape (3, 3), the centre apart."""
        return np.asarray(self.turn * np.asarray(self.half), dtype=np.float64)

    @cached_property
    def inverse(self) -> Floats:
        """From the world to its own unit solid, shape (3, 3), the centre apart."""
        return np.asarray(np.linalg.inv(self.frame), dtype=np.float64)

    @cached_property
    def corners(self) -> Floats:
        """The corners of its bounding box in the world, shape (8, 3)."""
        unit = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
        return unit @ self.frame.T + self.centre

    def moved(self, offset: npt.ArrayLike, turn: Floats, scale: float) -> Part:
        """Return it scaled and turned about the origin, then moved."""
        x, y, z = (float(v) for v in turn @ np.asarray(self.centre) * scale + np.asarray(offset))
        a, b, c = (float(v) * scale for v in self.half)
        return Part(self.kind, (x, y, z), (a, b, c), turn @ self.turn, self.taper, self.colour, self.texture, self.name)


def turned(yaw: float, pitch: float = 0.0) -> Floats:
    """Return a turn about the vertical, anticlockwise seen from above, after a tilt of what points ahead upwards.

    Examples
    --------
    >>> np.round(turned(90) @ (1, 0, 0), 6).tolist()
    [0.0, 1.0, 0.0]
    """
    a, b = np.radians(yaw), np.radians(pitch)
    about_z = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1.0]])
    about_x = np.array([[1.0, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    return np.asarray(about_z @ about_x, dtype=np.float64)


def distances(part: Part, origin: Floats, axes: Floats, x: Singles, y: Singles) -> Singles:
    """Return how far away rays ``ahead + x right + y down`` from one point first meet a solid from outside.

    Parameters
    ----------
    part : Part
        The solid.
    origin : ndarray, shape (3,)
        Where the rays begin.
    axes : ndarray, shape (3, 3)
        Right, down and ahead, as rows.
    x, y : ndarray of float32
        Of shapes that go together, such as (1, w) and (h, 1) for a picture, or both (n,).

    Returns
    -------
    ndarray of float32
        In lengths of the rays; `FAR` where one misses.
    """
    right, down, ahead = axes @ part.inverse.T
    o = part.inverse @ (origin - part.centre)
    d = [_affine(x, y, right[k], down[k], ahead[k]) for k in range(3)]
    if part.kind == "box":
        return _box([np.float32(v) for v in o], d)
    # From beside the solid on: counted from afar, squares in single precision would see no thin bar.
    start = float(axes[2] @ (np.asarray(part.centre) - origin))
    o = o + start * ahead
    near = [_affine(x, y, start * right[k], start * down[k], o[k]) for k in range(3)]
    met = _ROUND[part.kind](part, near, d, np.asarray(-start, np.float32))
    return np.where(met < FAR, met + np.float32(start), FAR)


def _affine(x: Singles, y: Singles, across: float, down: float, at: float) -> Singles:
    """Return ``across x + down y + at``; a picture without columns, or without rows, where they make no difference."""
    if across == 0:
        return np.asarray(y * np.float32(down) + np.float32(at), dtype=np.float32)
    row = x * np.float32(across) + np.float32(at)
    return np.asarray(row if down == 0 else row + y * np.float32(down), dtype=np.float32)


def meet(part: Part, origin: npt.ArrayLike, rays: Singles) -> Singles:
    """Return how far along any rays a solid is first met from outside.

    Parameters
    ----------
    part : Part
        The solid.
    origin : array_like, shape (3,)
        Where the rays begin.
    rays : ndarray, shape (..., 3)
        Their directions.

    Returns
    -------
    ndarray of float32, shape (...)
        In lengths of the rays; `FAR` where one misses.
    """
    o = np.asarray(part.inverse @ (np.asarray(origin, np.float64) - part.centre), dtype=np.float32)
    d = list(np.moveaxis(np.asarray(rays @ part.inverse.T.astype(np.float32), dtype=np.float32), -1, 0))
    if part.kind == "box":
        return _box(list(o), d)
    ahead = np.asarray(-(d[0] * o[0] + d[1] * o[1] + d[2] * o[2]) / _dot(d, d), dtype=np.float32)
    met = _ROUND[part.kind](part, [o[k] + ahead * d[k] for k in range(3)], d, -ahead)
    return np.where(met < FAR, met + ahead, FAR)


def surface(part: Part, points: Singles) -> tuple[Singles, Singles]:
    """Return points of a solid's surface on its unit solid, and the surface's normals in the world.

    Parameters
    ----------
    part : Part
        The solid.
    points : ndarray, shape (3, n)
        In the world.

    Returns
    -------
    local, normal : ndarray of float32, shape (3, n)
        Normals have length 1.
    """
    away = points - np.asarray(part.centre, np.float32)[:, None]
    local = part.inverse.astype(np.float32) @ away
    normal = part.inverse.T.astype(np.float32) @ _NORMAL[part.kind](part, local)
    return local, normal / np.maximum(np.sqrt((normal * normal).sum(0)), np.float32(1e-12))


def _ball(_: Part, o: Lines, d: Lines, least: Singles) -> Singles:
    first, _last = _roots(_dot(d, d), _dot(o, d), _dot(o, o) - np.float32(1))
    return np.where(first > least, first, FAR)


def _box(o: Sequence[Any], d: Lines) -> Singles:
    """Meet a box; the rays begin at one place outside."""
    enter: Any = np.float32(0)
    leave: Any = FAR
    for p, v in zip(o, d, strict=True):
        # A ray along a face gets a very slight slant: between the planes it is then never kept out.
        slope = np.float32(1) / (v + TINY)
        middle, reach = slope * -p, np.abs(slope)
        enter, leave = np.maximum(enter, middle - reach), np.minimum(leave, middle + reach)
    return np.asarray(np.where((enter <= leave) & (enter > 0), enter, FAR), dtype=np.float32)


def _tube(part: Part, o: Lines, d: Lines, least: Singles) -> Singles:
    """Meet a frustum: its radius is ``middle + slope z``."""
    middle, slope = _flank(part)
    radius = middle + slope * o[2]
    a = d[0] * d[0] + d[1] * d[1] - slope * slope * d[2] * d[2]
    b = o[0] * d[0] + o[1] * d[1] - slope * d[2] * radius
    c = o[0] * o[0] + o[1] * o[1] - radius * radius
    best = np.full(a.shape, FAR, np.float32)
    for root in _roots(a, b, c)[: 1 if part.taper == 1 else 2]:
        z = o[2] + root * d[2]
        good = (root > least) & (np.abs(z) <= 1) & (middle + slope * z >= 0) & (root < best)
        np.copyto(best, root, where=good)
    rising = np.float32(1) / (d[2] + TINY)
    for side, limit in ((-1, 1.0), (1, part.taper)):
        if limit == 0:
            continue
        root = np.asarray((np.float32(side) - o[2]) * rising, dtype=np.float32)
        px, py = o[0] + root * d[0], o[1] + root * d[1]
        np.copyto(best, root, where=(root > least) & (px * px + py * py <= np.float32(limit**2)) & (root < best))
    return best


def _flank(part: Part) -> tuple[Any, Any]:
    """Return a tube's radius at half its height, and how much it grows upwards."""
    return np.float32((1 + part.taper) / 2), np.float32((part.taper - 1) / 2)


def _dot(a: Lines, b: Lines) -> Singles:
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def _roots(a: Singles, b: Singles, c: Singles) -> tuple[Singles, Singles]:
    """Return both roots of a t^2 + 2 b t + c, the lesser first where a is positive; `FAR` where there is none."""
    square = b * b - a * c
    none = (square < 0) | (a == 0)
    root = np.sqrt(np.maximum(square, 0))
    over = np.float32(1) / np.where(none, np.float32(1), a)
    return np.where(none, FAR, (-b - root) * over), np.where(none, FAR, (root - b) * over)


def _box_normal(_: Part, local: Singles) -> Singles:
    size = np.abs(local)
    return np.asarray(np.sign(local) * (size >= size.max(0)), dtype=np.float32)


def _tube_normal(part: Part, local: Singles) -> Singles:
    middle, slope = _flank(part)
    x, y, z = local
    radius = middle + slope * z
    # Rounding leaves both caps and mantle a hair off: what lies nearer to its cap than to the mantle belongs to it.
    flat = np.abs(1 - np.abs(z)) < np.abs(np.hypot(x, y) - radius)
    mantle = np.stack([x, y, -slope * radius])
    return np.where(flat, np.stack([np.zeros_like(x), np.zeros_like(x), np.sign(z)]), mantle)


_ROUND = {"ball": _ball, "tube": _tube}
_NORMAL = {"ball": lambda _, local: local, "box": _box_normal, "tube": _tube_normal}
