"""Smaller pictures, cheaply: halving by area takes a tenth of the time of any odd ratio."""

from __future__ import annotations

from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["halved"]

Pixel = TypeVar("Pixel", np.uint8, np.float32)


def halved(picture: npt.NDArray[Pixel], most: int) -> npt.NDArray[Pixel]:
    """Return a picture halved until its longer side is at most ``most``; itself where it is small enough.

    Parameters
    ----------
    picture : ndarray of uint8 or float32, shape (h, w) or (h, w, 3)
        Any picture.
    most : int
        Largest longer side, in pixels; the result has more than half of it.

    Examples
    --------
    >>> halved(np.zeros((768, 1024), np.uint8), 600).shape, halved(np.zeros((600, 500), np.uint8), 600).shape
    ((384, 512), (600, 500))
    """
    while max(picture.shape[:2]) > most:
        h, w = (max(1, side // 2) for side in picture.shape[:2])
        picture = np.asarray(cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA), dtype=picture.dtype)
    return picture
