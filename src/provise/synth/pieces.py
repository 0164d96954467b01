"""Pieces that several models are built of."""

from __future__ import annotations

import numpy as np

from provise.synth.shapes import Part

__all__ = ["RGB", "Triple", "bar"]

RGB = tuple[int, int, int]
Triple = tuple[float, float, float]


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
