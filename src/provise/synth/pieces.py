"""Pieces that several models are built of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from provise.synth.render import Thing
from provise.synth.shapes import Part, turned

__all__ = ["RGB", "Model", "Triple", "ball", "bar", "box", "shade", "standing", "tube"]

RGB = tuple[int, int, int]
Triple = tuple[float, float, float]
Model = Callable[[RGB], tuple[Part, ...]]
"""A thing of a colour: it stands on z = 0, its front towards +y."""


def shade(colour: RGB, share: float) -> RGB:
    """Return a colour made darker or lighter.

    Examples
    --------
    >>> shade((100, 200, 40), 1.5)
    (150, 255, 60)
    """
    r, g, b = (int(min(255, max(0, share * v))) for v in colour)
    return r, g, b


def box(centre: Triple, half: Triple, colour: RGB, name: str = "body", texture: str = "plain") -> Part:
    """Return an upright box."""
    return Part("box", centre, half, colour=colour, texture=texture, name=name)


def tube(centre: Triple, radius: float, half: float, colour: RGB, name: str = "body", taper: float = 1.0) -> Part:
    """Return an upright cylinder, or what narrows towards its top."""
    return Part("tube", centre, (radius, radius, half), taper=taper, colour=colour, name=name)


def ball(centre: Triple, half: Triple, colour: RGB, name: str = "body") -> Part:
    """Return a ball, or an egg."""
    return Part("ball", centre, half, colour=colour, name=name)


def bar(start: Triple, end: Triple, radius: float, colour: RGB, name: str) -> Part:
    """Return a round bar between two points."""
    a, b = np.array(start), np.array(end)
    along = (b - a) / np.linalg.norm(b - a)
    side = np.cross(along, (0.0, 0.0, 1.0) if abs(along[2]) < 0.9 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    x, y, z = (float(v) for v in (a + b) / 2)
    half = float(np.linalg.norm(b - a)) / 2
    turn = np.stack([side, np.cross(along, side), along], axis=1)
    return Part("tube", (x, y, z), (radius, radius, half), turn, colour=colour, name=name)


def standing(
    model: Model, name: str, at: tuple[float, float], *, yaw: float, scale: float, colour: RGB, height: float
) -> Thing:
    """Return a model's thing, turned, scaled and put somewhere; see `provise.synth.models.place`."""
    turn = turned(yaw)
    return Thing(name, tuple(part.moved((at[0], at[1], height), turn, scale) for part in model(colour)))
