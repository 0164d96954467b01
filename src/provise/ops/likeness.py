"""How far one picture's brightness follows another's, at large and in fine detail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.ops.reduce import halved

__all__ = ["Likeness", "cells", "detail_within", "grainy", "likeness", "softened_copy", "spread", "tones"]

Floats = npt.NDArray[np.float32]

SIDE = 384
"""Both pictures are compared at no more than this side: noise averages out, texture stays."""

MIDDLE = 384
"""Pixels along the side of the middle of a picture, where grain is looked for."""

SOFT = 1 / 64
"""Blur, as a share of the side, that both pictures get where one may be the other blurred."""


@dataclass(frozen=True)
class Likeness:
    """Two correlations of brightness, each in [-1, 1].

    Attributes
    ----------
    whole : float
        Of the pictures as they are; 0 where either is flat.
    detail : float
        Of what is left after the large-scale brightness (a window of 1/24 of the side) is taken out.
    """

    whole: float
    detail: float

    @property
    def copy(self) -> bool:
        """Whether one is the other in another tone: recoloured, grey, negative, re-encoded or blurred.

        A mask or a depth map may follow a scene's brightness at large; it does not follow its texture.
        """
        return abs(self.whole) >= 0.85 and abs(self.detail) >= 0.8


def cells(rgb: npt.NDArray[Any], side: int) -> Floats:
    """Average a picture over cells so that no side has more than ``side`` of them.

    Parameters
    ----------
    rgb : ndarray of uint8 or float32, shape (h, w) or (h, w, 3)
        Values in 0..255.
    side : int
        Largest number of cells along a side.

    Returns
    -------
    ndarray of float32
        The same number of dimensions; a picture that is small enough comes back as it is.

    Examples
    --------
    >>> import numpy as np
    >>> cells(np.full((80, 160), 7, np.uint8), 16).shape
    (8, 16)
    """
    h, w = rgb.shape[:2]
    factor = side / max(h, w)
    if factor < 1:
        # Most of the way by halves: averages of averages, in a fraction of the time.
        rgb = halved(rgb, 3 * side)
        rgb = cv2.resize(rgb, (max(1, round(w * factor)), max(1, round(h * factor))), interpolation=cv2.INTER_AREA)
    return np.asarray(rgb, dtype=np.float32)


def likeness(a: Floats, b: Floats) -> Likeness:
    """Correlate the brightness of two pictures of one size.

    Parameters
    ----------
    a, b : ndarray of float32, shape (h, w)
        Their `tones`.

    Examples
    --------
    >>> import numpy as np
    >>> photo = np.random.default_rng(0).integers(0, 200, (60, 80, 3)).astype(np.uint8)
    >>> likeness(tones(photo // 2 + 40), tones(photo)).copy
    True
    """
    window = max(3, round(max(a.shape) / 24) | 1)
    fine = [plane - cv2.blur(plane, (window, window)) for plane in (a, b)]
    return Likeness(_correlation(a, b), _correlation(fine[0], fine[1]))


def softened_copy(a: Floats, b: Floats) -> bool:
    """Tell whether a picture is another one blurred, by what either has left at a coarser grain.

    Parameters
    ----------
    a, b : ndarray of float32, shape (h, w)
        Their `tones`.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> photo = cv2.resize(rng.integers(0, 255, (48, 64)).astype(np.float32), (384, 288))
    >>> soft = cv2.GaussianBlur(photo, (0, 0), 5)
    >>> likeness(soft, photo).copy, softened_copy(soft, photo)
    (False, True)
    """
    # What is left after the blur needs no finer grid.
    small = [halved(plane, 256) for plane in (a, b)]
    for share, least in ((SOFT, 0.9), (2 * SOFT, 0.95)):
        sigma = share * max(small[0].shape)
        window = round(8 * sigma) | 1
        broad = [cv2.GaussianBlur(plane, (0, 0), sigma) for plane in small]
        whole = _correlation(broad[0], broad[1])
        fine = [plane - cv2.blur(plane, (window, window)) for plane in broad]
        detail = _correlation(fine[0], fine[1])
        if min(abs(whole), abs(detail)) >= least and whole * detail > 0:
            return True
    return False


def tones(rgb: npt.NDArray[Any]) -> Floats:
    """Return a picture's brightness in cells of 1/384 of the side: what the comparisons here take."""
    return cells(np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)), SIDE)


def detail_within(a: Floats, b: Floats, part: npt.NDArray[np.bool_]) -> float:
    """Correlate the fine detail of two pictures inside a part of the frame, its rim left out.

    Parameters
    ----------
    a, b : ndarray of float32, shape (h, w)
        The pictures' `tones`.
    part : ndarray of bool, any size
        Where to look; brought to the cells' grid.

    Returns
    -------
    float
        In [-1, 1]; 0 where less than 1 % of the frame is left, or where either is flat there (within a level).
    """
    whole = cv2.resize(part.astype(np.uint8), (a.shape[1], a.shape[0]), interpolation=cv2.INTER_NEAREST)
    weight = cv2.erode(whole, np.ones((5, 5), np.uint8), borderValue=1).astype(np.float32)
    inside = weight > 0
    if inside.mean() < 0.01:
        return 0.0
    window = max(3, round(max(a.shape) / 24) | 1)
    share = np.maximum(cv2.blur(weight, (window, window)), 1e-3)
    fine = [(p - cv2.blur(p * weight, (window, window)) / share)[inside] for p in (a, b)]
    return _correlation(fine[0], fine[1]) if min(float(f.std()) for f in fine) > 1.0 else 0.0


def spread(small: Floats) -> Floats:
    """Return the distance between the highest and the lowest channel of each cell, shape (h, w), in levels."""
    a, b, c = cv2.split(small)
    return np.asarray(cv2.max(cv2.max(a, b), c) - cv2.min(cv2.min(a, b), c), dtype=np.float32)


def grainy(luma: Floats) -> bool:
    """Tell whether a picture is noise: most of what varies from place to place varies from pixel to pixel.

    Parameters
    ----------
    luma : ndarray of float32, shape (h, w)
        Brightness, 0 to 255.

    Examples
    --------
    >>> noise = np.random.default_rng(0).integers(0, 256, (60, 60)).astype(np.float32)
    >>> grainy(noise), grainy(cv2.GaussianBlur(noise, (0, 0), 4))
    (True, False)
    """
    # Noise is all over the picture, so its middle tells.
    rows, columns = (slice(max(0, side // 2 - MIDDLE // 2), side // 2 + MIDDLE // 2) for side in luma.shape)
    luma = np.ascontiguousarray(luma[rows, columns])
    grain = luma - cv2.blur(luma, (5, 5))
    broad = cv2.blur(luma, (15, 15))
    return float(grain.std()) > 20 and float(grain.std()) > 2 * float(broad.std())


def _correlation(a: Floats, b: Floats) -> float:
    x, y = a - a.mean(), b - b.mean()
    power = float((x * x).sum()) * float((y * y).sum())
    # A quarter of a level of deviation is rounding, not a picture.
    if min(float(x.std()), float(y.std())) < 0.25:
        return 0.0
    return float((x * y).sum()) / float(np.sqrt(power))
