"""The four solids that everything is built of, and where rays meet them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

__all__ = ["Hit", "Kind", "Part", "meet", "turned"]

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Kind = Literal["ball", "box", "tube"]

FAR = np.float32(1e9)
"""Distance along a ray that meets nothing."""


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

    @property
    def frame(self) -> Floats:
        """From its own unit solid to the world, shape (3, 3), the centre apart."""
        return np.asarray(self.turn * np.asarray(self.half), dtype=np.float64)

    @property
    def corners(self) -> Floats:
        """The corners of its bounding box in the world, shape (8, 3)."""
        unit = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
        return unit @ self.frame.T + self.centre

    def moved(self, offset: npt.ArrayLike, turn: Floats, scale: float) -> Part:
        """Return it scaled and turned about the origin, then moved."""
        x, y, z = (float(v) for v in turn @ np.asarray(self.centre) * scale + np.asarray(offset))
        a, b, c = (float(v) * scale for v in self.half)
        return Part(self.kind, (x, y, z), (a, b, c), turn @ self.turn, self.taper, self.colour, self.texture, self.name)


@dataclass(frozen=True, eq=False)
class Hit:
    """Where rays meet a solid.

    Parameters
    ----------
    distance : ndarray, shape (h, w)
        Along the ray, in lengths of its direction; `FAR` where it misses.
    local : ndarray, shape (h, w, 3)
        The point on the unit solid.
    normal : ndarray, shape (h, w, 3)
        The unit solid's, not normalised.
    """

    distance: Singles
    local: Singles
    normal: Singles


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


def meet(part: Part, origin: npt.ArrayLike, rays: Singles) -> Hit:
    """Return where rays first meet a solid from outside.

    Parameters
    ----------
    part : Part
        The solid.
    origin : array_like, shape (3,) or (h, w, 3)
        Where the rays begin.
    rays : ndarray, shape (h, w, 3)
        Their directions.
    """
    inverse = np.linalg.inv(part.frame)
    o = np.asarray((np.asarray(origin, np.float64) - part.centre) @ inverse.T, dtype=np.float32)
    d = np.asarray(rays @ inverse.T.astype(np.float32), dtype=np.float32)
    # From the ray's point nearest to the solid's middle on: from afar, single precision would see no thin bar.
    ahead = -(o * d).sum(-1) / (d * d).sum(-1)
    near = np.asarray(o + ahead[..., None] * d, dtype=np.float32)
    hit = _MEET[part.kind](part, near, d, -ahead)
    hit.distance[hit.distance < FAR] += ahead[hit.distance < FAR]
    return hit


def _ball(_: Part, o: Singles, d: Singles, least: Singles) -> Hit:
    one, _two = _roots((d * d).sum(-1), (o * d).sum(-1), (o * o).sum(-1) - 1)
    distance = np.where(one > least, one, FAR)
    local = o + distance[..., None] * d
    return _hit(distance, local, local)


def _box(_: Part, o: Singles, d: Singles, least: Singles) -> Hit:
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-1 - o) / d, (1 - o) / d
    enter, leave = np.minimum(one, two), np.maximum(one, two)
    # A ray along a face: between the planes it is never kept out, beside them it never gets in.
    flat, inside = d == 0, np.abs(o) <= 1
    enter = np.where(flat, np.where(inside, -FAR, FAR), enter)
    leave = np.where(flat, np.where(inside, FAR, -FAR), leave)
    axis, first = enter.argmax(-1), enter.max(-1)
    distance = np.where((first <= leave.min(-1)) & (first > least), first, FAR)
    local = o + distance[..., None] * d
    normal = np.zeros_like(local)
    np.put_along_axis(normal, axis[..., None], -np.sign(np.take_along_axis(d, axis[..., None], -1)), -1)
    return _hit(distance, local, normal)


def _tube(part: Part, o: Singles, d: Singles, least: Singles) -> Hit:
    """Meet a frustum: its radius is ``middle + slope z``."""
    middle, slope = np.float32((1 + part.taper) / 2), np.float32((part.taper - 1) / 2)
    radius = middle + slope * o[..., 2]
    a = d[..., 0] ** 2 + d[..., 1] ** 2 - slope**2 * d[..., 2] ** 2
    b = o[..., 0] * d[..., 0] + o[..., 1] * d[..., 1] - slope * d[..., 2] * radius
    c = o[..., 0] ** 2 + o[..., 1] ** 2 - radius**2
    best = np.full(a.shape, FAR, np.float32)
    for root in _roots(a, b, c):
        z = o[..., 2] + root * d[..., 2]
        good = (root > least) & (np.abs(z) <= 1) & (middle + slope * z >= 0) & (root < best)
        best = np.where(good, root, best)
    cap = np.zeros(a.shape, np.float32)
    for side, limit in ((-1, 1.0), (1, part.taper)):
        with np.errstate(divide="ignore", invalid="ignore"):
            root = (side - o[..., 2]) / d[..., 2]
            x, y = (o[..., i] + root * d[..., i] for i in (0, 1))
            good = (root > least) & (x * x + y * y <= limit**2) & (root < best)
        best = np.where(good, root, best)
        cap = np.where(good, np.float32(side), cap)
    local = o + best[..., None] * d
    around = np.stack([local[..., 0], local[..., 1], -slope * (middle + slope * local[..., 2])], -1)
    flat = np.stack([np.zeros_like(best), np.zeros_like(best), cap], -1)
    return _hit(best, local, np.where(cap[..., None] != 0, flat, around))


def _hit(distance: npt.NDArray[Any], local: npt.NDArray[Any], normal: npt.NDArray[Any]) -> Hit:
    return Hit(*(np.array(values, dtype=np.float32) for values in (distance, local, normal)))


def _roots(a: Singles, b: Singles, c: Singles) -> tuple[Singles, Singles]:
    """Return both roots of a t^2 + 2 b t + c, the lesser first where a is positive; `FAR` where there is none."""
    square = b * b - a * c
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(np.maximum(square, 0))
        one, two = (-b - root) / a, (-b + root) / a
    none = (square < 0) | (a == 0)
    return np.where(none, FAR, one), np.where(none, FAR, two)


_MEET = {"ball": _ball, "box": _box, "tube": _tube}
