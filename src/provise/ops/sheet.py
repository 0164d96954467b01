"""The sheet: an answer laid over its source on one pixel grid, with what changed between the two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from provise.ops.photometry import Match

__all__ = ["Sheet"]

IDENTITY = Match()
Bytes3 = npt.NDArray[np.uint8]

CLEAR = 80
"""Levels of a channel, averaged over 5 x 5 pixels, by which a re-encoded or slightly recoloured copy never differs.

JPEG 75, WebP 80, a hue turned by 4 and 10 % of brightness, contrast or gamma stay under 45 on photos and on drawings,
a blur of one pixel under 70; a mark of any pure colour differs by more than 100 from nearly every scene.
"""


@dataclass(frozen=True, eq=False)
class Sheet:
    """What `compare` hands to the readers of marks.

    Parameters
    ----------
    answer : ndarray of uint8, shape (h, w, 3)
        The answer in RGB, fitted to the source's size (its own size where there is no source).
    matched : ndarray of uint8, shape (h, w, 3), or None
        The source it was drawn on, after the answer's global gain and offset a channel were laid on it, so that a
        recoloured copy equals it. None where no source is of like shape (a redrawn scene) or none was given.
    others : tuple of ndarray
        Further inputs of like shape, matched the same way.
    edited : bool
        Whether the answer is an edit of ``matched``: False for a scene drawn anew, where novelty says little.
    unchanged : float
        Share of the frame that equals ``matched`` within the tolerance of a re-encoded copy.
    largest_change : float
        The largest connected change, as a share of the frame.
    match : Match
        The answer's global change of colour against ``matched``.
    shift : tuple of float
        Pixels by which the source was moved right and down to lie where a redrawn answer shows its scene.
    """

    answer: Bytes3
    matched: Bytes3 | None = None
    others: tuple[Bytes3, ...] = ()
    edited: bool = False
    unchanged: float = 0.0
    largest_change: float = 1.0
    match: Match = IDENTITY
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def returned(self) -> bool:
        """Whether the answer is the source handed back: hardly anything changed, and nowhere much at once."""
        return self.edited and self.unchanged >= 0.95 and self.largest_change <= 0.002

    @cached_property
    def touched(self) -> bool:
        """Whether something was drawn all the same, small as it may be: a compact change far above a codec's noise."""
        if self.matched is None:
            return False
        scale = (self.size[0] * self.size[1] / (640 * 480)) ** 0.5
        side = max(3, round(5 * scale) | 1)
        change = cv2.absdiff(cv2.blur(self.answer, (side, side)), cv2.blur(self.matched, (side, side)))
        clear = (change.max(axis=2) > CLEAR).astype(np.uint8)
        # An edge that a resize moved by a pixel is a thin line of change; what was drawn has a body.
        body = max(3, round(3 * scale) | 1)
        return bool(cv2.erode(clear, np.ones((body, body), np.uint8), borderValue=0).any())

    @property
    def contrast(self) -> float:
        """The answer's contrast against the source's."""
        return sum(self.match.gain) / 3

    def recoloured(self, rgb: tuple[int, int, int]) -> tuple[float, float, float]:
        """Return what the answer's global change of colour makes of a colour: a dimmed answer dims its marks too."""
        return self.match.recoloured(rgb)

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
