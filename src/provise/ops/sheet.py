"""The sheet: an answer laid over its source on one pixel grid, with what changed between the two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["Sheet"]

Bytes3 = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Sheet:
    """What `compare` hands to the readers of marks.

    Parameters
    ----------
    answer : ndarray of uint8, shape (h, w, 3)
        The answer in RGB, fitted to the source's size (its own size where there is no source).
    matched : ndarray of uint8, shape (h, w, 3), or None
        The source after the answer's global gain and offset a channel were laid on it, so that a recoloured copy
        equals it. None where no source is of like shape (a redrawn scene) or none was given.
    change : ndarray of uint8, shape (h, w), or None
        Largest absolute difference of the three channels between answer and ``matched``; the smallest over the
        sources where several are of like shape. None without a source: then everything counts as changed.
    gain, offset : tuple of float
        The colour fit, a channel each (identity where there is no source).
    """

    answer: Bytes3
    matched: Bytes3 | None
    change: npt.NDArray[np.uint8] | None
    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.answer.shape[1], self.answer.shape[0]

    @cached_property
    def hsv(self) -> Bytes3:
        """The answer in OpenCV HSV (H 0-179), converted once for all colours."""
        return np.asarray(cv2.cvtColor(self.answer, cv2.COLOR_RGB2HSV), dtype=np.uint8)

    @cached_property
    def matched_hsv(self) -> Bytes3 | None:
        """The matched source in OpenCV HSV, or None."""
        if self.matched is None:
            return None
        return np.asarray(cv2.cvtColor(self.matched, cv2.COLOR_RGB2HSV), dtype=np.uint8)
