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


def _matt(_: Singles) -> Singles:
    """Of walls, which the sun hardly reaches: lighter, for the lamps that a room has."""
    return np.asarray(1.2, np.float32)


def _grain(at: Singles) -> Singles:
    """Fine irregular mottling, the same at the same place."""
    wave = np.sin(at[0] * 37.3 + np.sin(at[1] * 23.1) * 2) * np.sin(at[1] * 41.7 + at[2] * 29.9)
    return np.asarray(1 + 0.05 * wave, dtype=np.float32)


def _wood(at: Singles) -> Singles:
    rings = at[0] * 3 + 0.35 * np.sin(at[1] * 4) + 0.2 * np.sin(at[2] * 9)
    return np.asarray(0.95 + 0.05 * np.sin(rings * 9), dtype=np.float32)


def _stripes(at: Singles) -> Singles:
    return np.where(np.sin(at[2] * 14) > 0, np.float32(1.0), np.float32(0.72))


def _checks(at: Singles) -> Singles:
    cells = (np.floor(at[0] * 4) + np.floor(at[1] * 4) + np.floor(at[2] * 4)) % 2
    return np.asarray(0.78 + 0.22 * cells, dtype=np.float32)


def _tiles(at: Singles) -> Singles:
    """Large tiles with joints, for a floor."""
    x, y = (np.abs((at[i] * 22) % 1 - 0.5) for i in (0, 1))
    return np.where((x > 0.47) | (y > 0.47), np.float32(0.82), np.float32(1.0)) * _grain(at)


def _planks(at: Singles) -> Singles:
    """Boards of uneven tone with joints, for a floor."""
    board = np.floor(at[0] * 46)
    along = at[1] * 5 + 0.37 * board
    tone = 0.07 * np.sin(board * 12.9 + np.floor(along) * 7.1)
    joint = ((at[0] * 46) % 1 < 0.04) | (along % 1 < 0.012)
    figure = 0.02 * np.sin(at[0] * 900 + 3 * np.sin(at[1] * 31))
    return np.asarray(np.where(joint, np.float32(0.8), 0.95 + tone + figure), dtype=np.float32)


def _squares(at: Singles) -> Singles:
    """A chequered floor."""
    even = (np.floor(at[0] * 19) + np.floor(at[1] * 19)) % 2
    return np.asarray(0.86 + 0.14 * even, dtype=np.float32)


def _paper(at: Singles) -> Singles:
    """Upright stripes, for a wall."""
    return np.where((at[0] * 60) % 2 < 1, np.float32(1.2), np.float32(1.15))


TEXTURES: dict[str, Texture] = {
    "plain": _plain,
    "matt": _matt,
    "grain": _grain,
    "wood": _wood,
    "stripes": _stripes,
    "checks": _checks,
    "tiles": _tiles,
    "planks": _planks,
    "squares": _squares,
    "paper": _paper,
}
"""Factor on a colour's brightness, shape (...), from points of shape (3, ...)."""
