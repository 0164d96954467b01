"""Pictures that show nearly the same, found by a difference hash."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["NEAR", "apart", "signature"]

Bytes = npt.NDArray[np.uint8]
SIDE = 16
NEAR = 10
"""Of 256 signs: two pictures that differ in no more are near-duplicates."""


def signature(picture: Bytes) -> npt.NDArray[np.bool_]:
    """Return, of a picture reduced to 16 x 16 cells, where brightness grows to the right.

    Parameters
    ----------
    picture : ndarray of uint8, shape (h, w, 3)
        RGB.

    Returns
    -------
    ndarray of bool, shape (256,)
        Two pictures of one scene have nearly the same, whatever their size and brightness.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    cells = cv2.resize(grey, (SIDE + 1, SIDE), interpolation=cv2.INTER_AREA).astype(np.int16)
    return np.asarray(cells[:, 1:] > cells[:, :-1]).ravel()


def apart(a: npt.NDArray[np.bool_], b: npt.NDArray[np.bool_]) -> int:
    """Return in how many signs two signatures differ.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scene = cv2.resize(rng.integers(0, 256, (6, 8, 3), np.uint8), (320, 240), interpolation=cv2.INTER_CUBIC)
    >>> other = cv2.resize(rng.integers(0, 256, (6, 8, 3), np.uint8), (320, 240), interpolation=cv2.INTER_CUBIC)
    >>> apart(signature(scene), signature(scene // 2 + 40)) <= NEAR < apart(signature(scene), signature(other))
    True
    """
    return int(np.count_nonzero(a != b))
