"""Surfaces: how a solid's colour varies over it, from the point on its unit solid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["TEXTURES"]

Singles = npt.NDArray[np.float32]
Texture = Callable[[Singles], Singles]


def _plain(_: Singles) -> Singles:
    return np.ones((), np.float32)


def _grain(at: Singles) -> Singles:
    """Fine irregular mottling, the same at the same place."""
    wave = np.sin(at[0] * 37.3 + np.sin(at[1] * 23.1) * 2) * np.sin(at[1] * 41.7 + at[2] * 29.9)
    return np.asarray(1 + 0.05 * wave, dtype=np.float32)


def _wood(at: Singles) -> Singles:
    rings = at[0] * 3 + 0.35 * np.sin(at[1] * 4) + 0.2 * np.sin(at[2] * 9)
    return np.asarray(0.94 + 0.09 * np.sin(rings * 9), dtype=np.float32)


def _stripes(at: Singles) -> Singles:
    return np.where(np.sin(at[2] * 14) > 0, np.float32(1.0), np.float32(0.72))


def _checks(at: Singles) -> Singles:
    cells = (np.floor(at[0] * 4) + np.floor(at[1] * 4) + np.floor(at[2] * 4)) % 2
    return np.asarray(0.78 + 0.22 * cells, dtype=np.float32)


def _tiles(at: Singles) -> Singles:
    """Large tiles with joints, for a floor."""
    x, y = (np.abs((at[i] * 14) % 1 - 0.5) for i in (0, 1))
    return np.where((x > 0.47) | (y > 0.47), np.float32(0.82), np.float32(1.0)) * _grain(at)


TEXTURES: dict[str, Texture] = {
    "plain": _plain,
    "grain": _grain,
    "wood": _wood,
    "stripes": _stripes,
    "checks": _checks,
    "tiles": _tiles,
}
"""Factor on a colour's brightness, shape (...), from points of shape (3, ...)."""
