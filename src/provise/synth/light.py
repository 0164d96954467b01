"""How a place of a surface looks: its own colour, the sun on it or a shadow, the sky, a gleam."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from provise.synth.camera import Camera
from provise.synth.shapes import Part, surface
from provise.synth.texture import TEXTURES

__all__ = ["Light", "Lit", "Shade", "make_shade", "make_shadows"]

Singles = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Shade = Callable[[Part, Singles, Singles, Singles], Singles]
"""Colours, shape (n, 3), of a solid's points that rays ``(x, y)`` of the camera meet at some depths, each of shape (n,)."""
Lit = Callable[[Singles, Singles], Singles]
"""How much of the sun reaches points with normals, each of shape (3, n): 0 to 1, shape (n,)."""

SHADOW = 720
"""Pixels along the side of the picture that the sun takes."""

GLEAM, SHARP = 0.16, 24
"""How bright and how small the sun's reflection on a smooth thing is."""


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


def make_shade(camera: Camera, lit: Lit, light: Light) -> Shade:
    """Return the function that colours points of a scene.

    Parameters
    ----------
    camera : Camera
        Who looks.
    lit : callable
        The scene's shadows, of `make_shadows`.
    light : Light
        Where the sun stands.
    """
    eye = np.asarray(camera.eye, np.float32)[:, None]
    right, down, ahead = (axis[:, None] for axis in camera.basis.astype(np.float32))
    towards = _sun(light).astype(np.float32)[:, None]
    ambient = np.float32(light.ambient)

    def shade(part: Part, x: Singles, y: Singles, depth: Singles) -> Singles:
        rays = ahead + x * right + y * down
        points = eye + depth * rays
        local, normal = surface(part, points)
        facing = np.maximum((normal * towards).sum(0), 0)
        sunlit = lit(points, normal) * (facing > 0)
        # In shadow a shape still differs from side to side: light from the sky, and from where one looks.
        turned = np.float32(0.84) + np.float32(0.08) * normal[2] - np.float32(0.13) * (normal * ahead).sum(0)
        share = (ambient + (1 - ambient) * facing * sunlit) * turned
        share = share * TEXTURES[part.texture](local)
        colour = np.asarray(part.colour, np.float32) * share[:, None]
        if part.texture == "plain":
            half = towards - rays / np.sqrt((rays * rays).sum(0))
            shine = np.maximum((normal * half).sum(0) / np.sqrt((half * half).sum(0)), 0) ** SHARP
            colour += (np.float32(255 * GLEAM) * shine * sunlit)[:, None]
        return np.asarray(colour, dtype=np.float32)

    return shade


def _sun(light: Light) -> Floats:
    return np.asarray(np.asarray(light.towards, np.float64) / np.linalg.norm(light.towards), dtype=np.float64)


def make_shadows(solid: Sequence[Part], light: Light, depth_of: Callable[[Camera, Sequence[Part]], Singles]) -> Lit:
    """Return the function that says how much of the sun reaches points of a scene, whoever looks at it.

    The sun looks from far away, and what lies behind what it sees is in shadow.

    Parameters
    ----------
    solid : sequence of Part
        What throws shadows.
    light : Light
        Where the sun stands.
    depth_of : callable
        Finds how far away what a camera sees is, with a large number where there is nothing.
    """
    sun = _sun(light)
    if not solid:
        return lambda points, _: np.ones(points.shape[1], np.float32)
    corners = np.concatenate([part.corners for part in solid])
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    reach = float(np.linalg.norm(corners - middle, axis=1).max())
    away = 40 * reach
    eye = middle + sun * away
    wide = float(2 * np.degrees(np.arctan(1.05 * reach / away)))
    camera = Camera(_triple(eye), _triple(middle), (SHADOW, SHADOW), wide)
    first = depth_of(camera, solid)
    right, down, ahead = camera.basis.astype(np.float32)
    shift = camera.basis @ (middle - eye)
    # A point counts as lit up to some depth behind the first surface, so that rounding does not shade a surface itself.
    slack = np.float32(0.006 * reach)
    lift = np.float32(0.006 * reach)

    def lit(points: Singles, normal: Singles) -> Singles:
        # Counted from the scene's middle: from the sun, single precision would be too coarse.
        near = points + lift * normal - middle.astype(np.float32)[:, None]
        depth = ahead @ near + np.float32(shift[2])
        scale = np.float32(camera.focal) / depth
        u = np.clip(right @ near * scale + np.float32(SHADOW / 2 - 0.5), 0, SHADOW - 1.001)
        v = np.clip(down @ near * scale + np.float32(SHADOW / 2 - 0.5), 0, SHADOW - 1.001)
        i, j = v.astype(np.int32), u.astype(np.int32)
        down_by, right_by = v - i, u - j
        behind = depth - slack
        flat, at = first.ravel(), i * SHADOW + j
        one, two, three, four = (flat[at + step] >= behind for step in (0, 1, SHADOW, SHADOW + 1))
        above = one + right_by * (two.astype(np.float32) - one)
        below = three + right_by * (four.astype(np.float32) - three)
        return np.asarray(above + down_by * (below - above), dtype=np.float32)

    return lit


def _triple(vector: Floats) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in vector)
    return x, y, z
