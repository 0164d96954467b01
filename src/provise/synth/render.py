"""From solids to a picture: what each pixel sees, how far away, of which object, in which light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from provise.synth.camera import Camera
from provise.synth.shapes import FAR, Part, meet
from provise.synth.texture import TEXTURES

__all__ = ["Light", "Seen", "Thing", "look", "render"]

Bytes = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]

FINER = 2
"""Rays a pixel, along each side."""


@dataclass(frozen=True, eq=False)
class Thing:
    """An object of a scene: solids that belong together.

    Parameters
    ----------
    name : str
        Unique in its scene, e.g. ``mug 1``.
    parts : tuple of Part
        In the world.
    """

    name: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Light:
    """The sun, and what comes from everywhere.

    Parameters
    ----------
    towards : tuple of float
        From the scene to the sun.
    ambient : float
        Share of the light that shadows get.
    """

    towards: tuple[float, float, float] = (-0.5, -0.6, 1.4)
    ambient: float = 0.5


@dataclass(frozen=True, eq=False)
class Seen:
    """What a camera sees, pixel by pixel.

    Parameters
    ----------
    depth : ndarray of float32, shape (h, w)
        Metres along the camera's axis; infinite where there is nothing.
    thing, part : ndarray of int16, shape (h, w)
        Index of the object, and of its solid; -1 where there is nothing.
    normal : ndarray of float32, shape (h, w, 3)
        Of the surface, of length 1.
    local : ndarray of float32, shape (h, w, 3)
        The point on the unit solid.
    """

    depth: Singles
    thing: npt.NDArray[np.int16]
    part: npt.NDArray[np.int16]
    normal: Singles
    local: Singles

    def mask(self, thing: int, part: int | None = None) -> npt.NDArray[np.bool_]:
        """Return where an object, or one of its solids, is seen."""
        found = self.thing == thing
        return np.asarray(found if part is None else found & (self.part == part), dtype=np.bool_)


def look(camera: Camera, things: Sequence[Thing]) -> Seen:
    """Find what each pixel's ray meets first.

    Parameters
    ----------
    camera : Camera
        Who looks.
    things : sequence of Thing
        What is there; the order decides nothing but the indices.
    """
    w, h = camera.size
    depth = np.full((h, w), FAR, np.float32)
    thing_of, part_of = np.full((h, w), -1, np.int16), np.full((h, w), -1, np.int16)
    normal, local = np.zeros((h, w, 3), np.float32), np.zeros((h, w, 3), np.float32)
    for i, thing in enumerate(things):
        for j, part in enumerate(thing.parts):
            window = camera.window(part.corners)
            if not depth[window].size:
                continue
            hit = meet(part, camera.eye, camera.rays(*window))
            nearer = hit.distance < depth[window]
            if not nearer.any():
                continue
            depth[window][nearer] = hit.distance[nearer]
            thing_of[window][nearer], part_of[window][nearer] = i, j
            local[window][nearer] = hit.local[nearer]
            normal[window][nearer] = _unit(hit.normal[nearer] @ np.linalg.inv(part.frame).astype(np.float32))
    return Seen(np.where(depth >= FAR, np.float32(np.inf), depth), thing_of, part_of, normal, local)


def _unit(vectors: Singles) -> Singles:
    length = np.sqrt((vectors * vectors).sum(-1, keepdims=True))
    return np.asarray(vectors / np.maximum(length, 1e-12), dtype=np.float32)


def render(camera: Camera, things: Sequence[Thing], light: Light = Light(), sky: Bytes | None = None) -> Bytes:
    """Return a camera's picture, shape (h, w, 3), uint8.

    Parameters
    ----------
    camera : Camera
        Who looks; each pixel is the mean of four rays.
    things : sequence of Thing
        What is there.
    light : Light
        Where the sun stands.
    sky : ndarray of uint8, shape (2, 3), optional
        Colours at the top and at the bottom of what is not covered.
    """
    fine = Camera(camera.eye, camera.target, (camera.size[0] * FINER, camera.size[1] * FINER), camera.view)
    seen = look(fine, things)
    lit = _lit(fine, things, seen, light)
    colour = _sky(fine.size, sky)
    for i, thing in enumerate(things):
        for j, part in enumerate(thing.parts):
            here = seen.mask(i, j)
            if here.any():
                tone = TEXTURES[part.texture](seen.local[here])
                colour[here] = np.asarray(part.colour, np.float32) * (tone * lit[here])[..., None]
    small = cv2.resize(colour, camera.size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(np.rint(small), 0, 255), dtype=np.uint8)


def _sky(size: tuple[int, int], sky: Bytes | None) -> Singles:
    top, bottom = np.asarray([(196, 212, 228), (232, 234, 236)] if sky is None else sky, np.float32)
    share = np.linspace(0, 1, size[1], dtype=np.float32)[:, None, None]
    return np.asarray(np.broadcast_to(top + share * (bottom - top), (size[1], size[0], 3)), dtype=np.float32).copy()


def _lit(camera: Camera, things: Sequence[Thing], seen: Seen, light: Light) -> Singles:
    """Return the share of a colour that each pixel shows."""
    sun = np.asarray(light.towards, np.float32)
    sun /= np.linalg.norm(sun)
    facing = np.maximum((seen.normal * sun).sum(-1), 0)
    share = light.ambient + (1 - light.ambient) * facing * _sunlit(camera, things, seen, light)
    # What faces away from the sun still differs from side to side: light from the sky.
    return np.asarray(share * (0.9 + 0.1 * seen.normal[..., 2]), dtype=np.float32)


SHADOW = 700
"""Pixels along the side of the picture that the sun takes."""


def _sunlit(camera: Camera, things: Sequence[Thing], seen: Seen, light: Light) -> Singles:
    """Return how much of the sun reaches each pixel, 0 to 1.

    It looks from far away, and what lies behind what it sees is in shadow. Shadows have soft rims, so every other ray
    is enough. Objects whose name begins with an underscore (floors, walls) throw none.
    """
    solid = [thing for thing in things if not thing.name.startswith("_")]
    if not solid:
        return np.ones(seen.depth.shape, np.float32)
    corners = np.concatenate([part.corners for thing in solid for part in thing.parts])
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    reach = float(np.linalg.norm(corners - middle, axis=1).max())
    away = 40 * reach
    eye = middle + np.asarray(light.towards, np.float64) / np.linalg.norm(light.towards) * away
    wide = float(2 * np.degrees(np.arctan(1.05 * reach / away)))
    sun = Camera(_triple(eye), _triple(middle), (SHADOW, SHADOW), wide)
    first = look(sun, solid).depth
    some = slice(FINER // 2, None, FINER)
    depth, normal = seen.depth[some, some], seen.normal[some, some]
    points = np.where(np.isfinite(depth), depth, 0)[..., None] * camera.rays(some, some)
    points = points + np.asarray(camera.eye, np.float32)
    # Lifted off its own surface, so that rounding does not shade it.
    placed = sun.project((points + 0.012 * reach * normal).reshape(-1, 3))
    column, row = placed[:, 0].astype(int), placed[:, 1].astype(int)
    inside = (placed[:, :2] >= 0).all(axis=1) & (column < SHADOW) & (row < SHADOW)
    light_here = np.ones(len(placed), np.float32)
    light_here[inside] = first[row[inside], column[inside]] >= placed[inside, 2] - 0.004 * reach
    size = seen.depth.shape[::-1]
    return np.asarray(
        cv2.resize(light_here.reshape(depth.shape), size, interpolation=cv2.INTER_LINEAR), dtype=np.float32
    )


def _triple(vector: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in vector)
    return x, y, z
