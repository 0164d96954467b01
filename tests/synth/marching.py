"""What a pixel sees, found by walking along its ray and asking only whether a point is inside a solid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from provise.synth.camera import Camera
from provise.synth.render import Thing
from provise.synth.shapes import Part

STEPS = 1200


def inside(part: Part, points: np.ndarray) -> np.ndarray:
    """Tell which points of the world lie in a solid, from its definition."""
    x, y, z = np.moveaxis((points - part.centre) @ np.linalg.inv(part.turn * np.asarray(part.half)).T, -1, 0)
    if part.kind == "ball":
        return x * x + y * y + z * z <= 1
    if part.kind == "box":
        return (abs(x) <= 1) & (abs(y) <= 1) & (abs(z) <= 1)
    return (abs(z) <= 1) & (np.hypot(x, y) <= 1 + (part.taper - 1) * (z + 1) / 2)


def ray_of(camera: Camera, column: float, row: float) -> np.ndarray:
    """Return the unit vector along which a place of the picture (in pixels) is seen, from angles alone."""
    dx, dy, dz = np.subtract(camera.target, camera.eye)
    pan, tilt = np.arctan2(dx, dy), np.arctan2(dz, np.hypot(dx, dy))
    far = camera.size[0] / 2 / np.tan(np.radians(camera.view) / 2)
    u, v = column - camera.size[0] / 2, camera.size[1] / 2 - row
    # Right, ahead and up of the camera, tilted, then panned.
    ahead, up = far * np.cos(tilt) - v * np.sin(tilt), far * np.sin(tilt) + v * np.cos(tilt)
    ray = np.array([u * np.cos(pan) + ahead * np.sin(pan), ahead * np.cos(pan) - u * np.sin(pan), up])
    return ray / np.linalg.norm(ray)


def first_met(camera: Camera, things: Sequence[Thing], column: float, row: float) -> tuple[int, float]:
    """Return the index of the thing that a ray meets first, -1 for none, and how far away in metres."""
    eye, ray = np.asarray(camera.eye, float), ray_of(camera, column, row)
    best, owner = np.inf, -1
    for i, thing in enumerate(things):
        for part in thing.parts:
            radius = float(np.linalg.norm(part.half))
            along = float((np.asarray(part.centre) - eye) @ ray)
            if np.linalg.norm(eye + along * ray - part.centre) > radius:
                continue
            steps = np.linspace(max(along - radius, 0), along + radius, STEPS)
            if part.kind == "box":
                # A floor is wide and thin: the walk gets as fine as it is thick, near its surface.
                steps = np.unique(np.concatenate([steps, *_crossings(part, eye, ray)]))
            within = inside(part, eye + steps[:, None] * ray)
            if within.any() and steps[within.argmax()] < best:
                best, owner = float(steps[within.argmax()]), i
    return owner, best


def _crossings(part: Part, eye: np.ndarray, ray: np.ndarray) -> list[np.ndarray]:
    """Return distances just behind the planes of a box' faces."""
    found = []
    for axis, half in zip(part.turn.T, part.half, strict=True):
        speed = float(axis @ ray)
        for side in (-1, 1):
            if abs(speed) > 1e-9:
                plane = (side * half - float(axis @ (eye - part.centre))) / speed
                found.append(np.maximum(plane + np.array([-1e-6, 1e-6]), 0))
    return found
