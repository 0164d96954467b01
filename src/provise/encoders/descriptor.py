"""The built-in image descriptor: where light, colour and edges are, in a fixed vector, with core packages alone.

It is meant for offline trials of state matching. It tells views of one place apart by their layout; it knows nothing of
what is in them, so its similarities are not CLIP's and are never ranked with them.

The picture is stretched to a 128x128 square and five blocks are taken, each brought to length one, weighted and put in
a row:

==================  ====  ==================================================================================
block               size  what
==================  ====  ==================================================================================
light, coarse         64  8x8 means of brightness, standardised: free of gain and offset
light, fine          256  16x16 means of the same less its own blur, each held to two deviations
colour               129  8x8 means of the two chroma axes relative to brightness, damped in the dark, and a constant
edges, coarse        144  4x4 cells of nine unsigned gradient orientations, weighted by the root of their strength
edges, fine          576  8x8 cells of the same
==================  ====  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["Descriptor", "describe"]

Floats = npt.NDArray[np.float32]

SIDE = 128
BINS = 9
WEIGHTS = {"light": 0.7, "detail": 0.9, "colour": 0.7, "coarse": 0.9, "fine": 1.0}


class Descriptor:
    """The built-in descriptor as an `Encoder`."""

    name = "descriptor"
    details: dict[str, Any] = {"dimensions": 1169}  # noqa: RUF012 - never changed

    def encode(self, pictures: Sequence[npt.NDArray[np.uint8]]) -> npt.NDArray[np.float64]:
        """Return one row of length one a picture; see `describe`."""
        return np.stack([describe(picture) for picture in pictures])

    def lost(self, size: tuple[int, int]) -> tuple[float, float]:
        """Return (0, 0): the whole picture is seen, stretched."""
        return 0.0, 0.0


def describe(rgb: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Describe a picture by the layout of its light, colour and edges.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        Any size.

    Returns
    -------
    ndarray of float64, shape (1169,)
        Of length one. Nearly unchanged by a global gain and offset of the light as far as nothing clips.

    Examples
    --------
    >>> ramp = np.tile(np.arange(200, dtype=np.uint8)[:, None, None], (1, 90, 3))
    >>> float(round(describe(ramp) @ describe(ramp // 2 + 40), 2))
    1.0
    """
    small = _square(rgb)
    light = small @ np.array([0.299, 0.587, 0.114], np.float32)
    standard = _standard(light)
    blocks = {
        "light": _pool(standard, 8).ravel(),
        "detail": _detail(standard),
        "colour": _colour(small, light),
    }
    strength = _orientations(standard)
    blocks["coarse"] = np.stack([_pool(plane, 4) for plane in strength]).ravel()
    blocks["fine"] = np.stack([_pool(plane, 8) for plane in strength]).ravel()
    row = np.concatenate([WEIGHTS[name] * _unit(block) for name, block in blocks.items()]).astype(np.float64)
    return row / np.linalg.norm(row)


def _square(rgb: npt.NDArray[np.uint8]) -> Floats:
    shrink = rgb.shape[0] * rgb.shape[1] > SIDE * SIDE
    small = cv2.resize(rgb, (SIDE, SIDE), interpolation=cv2.INTER_AREA if shrink else cv2.INTER_LINEAR)
    # A light blur: an answer that is softer or noisier than the candidates is the rule.
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), 1.0), dtype=np.float32)


def _standard(light: Floats) -> Floats:
    """Take out offset and gain; a spread under a few levels is noise and is not blown up."""
    return np.asarray((light - light.mean()) / max(float(light.std()), 4.0), dtype=np.float32)


def _pool(plane: Floats, cells: int) -> Floats:
    return np.asarray(cv2.resize(plane, (cells, cells), interpolation=cv2.INTER_AREA), dtype=np.float32)


def _detail(standard: Floats) -> Floats:
    fine = standard - cv2.GaussianBlur(standard, (0, 0), 20)
    return np.asarray(np.clip(_pool(fine, 16), -2, 2), dtype=np.float32).ravel()


def _colour(small: Floats, light: Floats) -> Floats:
    """Chroma over brightness stays the same under a gain; the floor keeps the noise of dark places small."""
    below = np.maximum(light, 0) + 48
    red, blue = (small[..., 0] - light) / below, (small[..., 2] - light) / below
    # The constant makes a nearly grey picture's chroma count as little as it says: its unit vector is the constant's.
    return np.concatenate([_pool(red, 8).ravel(), _pool(blue, 8).ravel(), [np.float32(0.25)]]).astype(np.float32)


def _orientations(standard: Floats) -> Floats:
    """Return nine planes of edge strength by unsigned orientation, shared linearly between neighbouring bins."""
    dx = cv2.Sobel(standard, cv2.CV_32F, 1, 0, borderType=cv2.BORDER_REPLICATE)
    dy = cv2.Sobel(standard, cv2.CV_32F, 0, 1, borderType=cv2.BORDER_REPLICATE)
    # The root keeps one strong edge from drowning the weak ones; the floor is the noise of a light codec.
    strength = np.sqrt(np.maximum(np.hypot(dx, dy) - 0.1, 0))
    place = np.mod(np.arctan2(dy, dx), np.pi) * (BINS / np.pi)
    low = np.floor(place).astype(int)
    share = (place - low).astype(np.float32)
    planes = np.zeros((BINS, SIDE, SIDE), np.float32)
    rows, columns = np.indices((SIDE, SIDE))
    planes[low % BINS, rows, columns] += strength * (1 - share)
    planes[(low + 1) % BINS, rows, columns] += strength * share
    return planes


def _unit(block: Floats) -> Floats:
    length = float(np.linalg.norm(block))
    return np.asarray(block / length, dtype=np.float32) if length > 1e-6 else np.zeros_like(block)
