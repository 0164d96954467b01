"""CLIP's preprocessing in numpy and Pillow: the same bits as open_clip's own transform, without torchvision.

The shortest side is brought to the encoder's size with Pillow's antialiased bicubic filter, the centre square is cut
out, and the levels are standardised. What lies outside the centre square of an elongated picture is not seen: a
2:1 picture loses a quarter of its width at each end. `lost_shares` says how much, and state matching notes it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

from provise.errors import InputError

__all__ = ["MEAN", "STD", "lost_shares", "preprocess"]

MEAN: tuple[float, float, float] = (0.48145466, 0.4578275, 0.40821073)
STD: tuple[float, float, float] = (0.26862954, 0.26130258, 0.27577711)
"""Mean and deviation of a channel that the published CLIP weights were trained with, on levels of 0 to 1."""


def _resized(size: tuple[int, int], side: int) -> tuple[int, int]:
    w, h = size
    # The longer side is truncated, not rounded: torchvision's rule, without which one column differs.
    return (side, int(side * h / w)) if w <= h else (int(side * w / h), side)


def preprocess(
    rgb: npt.NDArray[np.uint8],
    *,
    side: int = 224,
    mean: tuple[float, float, float] = MEAN,
    std: tuple[float, float, float] = STD,
) -> npt.NDArray[np.float32]:
    """Bring a picture to what a CLIP image tower takes.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        RGB, any size.
    side : int
        Side of the square, 224 for ViT-B/32.
    mean, std : tuple of float
        A channel each, on levels of 0 to 1.

    Returns
    -------
    ndarray of float32, shape (3, side, side)
        Bit for bit what open_clip's inference transform gives.

    Raises
    ------
    InputError
        If the array is not 8-bit RGB.

    Examples
    --------
    >>> preprocess(np.zeros((90, 300, 3), np.uint8)).shape
    (3, 224, 224)
    """
    if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8 or 0 in rgb.shape:
        raise InputError(f"got an array of shape {rgb.shape} and type {rgb.dtype}; expected (h, w, 3) of uint8")
    picture = Image.fromarray(np.ascontiguousarray(rgb))
    target = _resized(picture.size, side)
    if target != picture.size:
        picture = picture.resize(target, Image.Resampling.BICUBIC)
    left, top = (round((length - side) / 2.0) for length in target)
    picture = picture.crop((left, top, left + side, top + side))
    levels = np.asarray(picture, dtype=np.float32).transpose(2, 0, 1) / np.float32(255)
    shift, scale = (np.asarray(values, np.float32)[:, None, None] for values in (mean, std))
    return np.ascontiguousarray((levels - shift) / scale, dtype=np.float32)


def lost_shares(size: tuple[int, int], *, side: int = 224) -> tuple[float, float]:
    """Return how much of a picture's width and height the centre crop leaves out.

    Parameters
    ----------
    size : tuple of int
        Width and height in pixels.

    Returns
    -------
    tuple of float
        Shares of the width and of the height, each in [0, 1), both ends together.

    Examples
    --------
    >>> lost_shares((1024, 512))
    (0.5, 0.0)
    """
    w, h = _resized(size, side)
    return 1 - side / w, 1 - side / h
