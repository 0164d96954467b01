"""A thing painted over with a translucent colour, or its own colour changed while its light and shade stayed."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["repainted"]

Floats = npt.NDArray[np.float32]
Region = npt.NDArray[np.bool_]

WINDOW = 15
"""Side, in cells, over which light and shade are averaged before their detail is compared."""

KEPT = 0.85
"""Share of the detail that a new colour leaves alone; paint of a fifth's opacity leaves .8, and of a third's .72."""

EXACT = 0.35
"""Deviation from the detail of before, as a share of it, up to which it was left alone."""

DETAIL = 2.5
"""Levels of detail under which nothing can be said of how much was kept."""

LIFT = 0.05
"""Share of the way to full brightness of its channel by which paint brightens at least; multiplied colour does not."""

BRIGHT = 215.0
"""Levels of the channel above which there is no way left to brighten it."""


def repainted(before: Floats, after: Floats, mark: Region, channel: int) -> bool:
    """Tell whether a region was given another colour and not a translucent overlay.

    An overlay of opacity a takes that share of the thing's light and shade away and brightens the mark's own channel by
    that share of the way. A change of hue or saturation keeps the shading whole; a multiplied colour brightens nothing.

    Parameters
    ----------
    before, after : ndarray of float32, shape (h, w, 3)
        Source and answer in cells, RGB.
    mark : ndarray of bool, shape (h, w)
        The region; its rim is left out.
    channel : int
        The full channel of the overlay's colour, 0 to 2.

    Examples
    --------
    >>> thing = np.random.default_rng(0).uniform(40, 180, (40, 40, 1)).astype(np.float32).repeat(3, 2)
    >>> everywhere = np.ones((40, 40), bool)
    >>> repainted(thing, .6 * thing + .4 * np.array([0, 255, 0], np.float32), everywhere, 1)
    False
    >>> repainted(thing, thing * np.array([.2, 1, .2], np.float32), everywhere, 1)
    True
    """
    inside = cv2.erode(mark.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=1) > 0
    if inside.sum() < 20:
        return False
    own, new = before[..., channel][inside], after[..., channel][inside]
    lift = float(np.median((new - own) / np.maximum(255 - own, 20)))
    if lift <= LIFT and float(own.mean()) <= BRIGHT:
        return True
    value = _kept(*(_detail(np.asarray(picture.max(axis=2)), inside) for picture in (before, after)))
    own_channel = _kept(*(_detail(np.asarray(picture[..., channel]), inside) for picture in (before, after)))
    # An overlay's own channel keeps its share to the point, even where the brightest happens to keep nearly all.
    return (
        value.slope >= KEPT
        and value.error <= EXACT
        and (own_channel.slope >= KEPT or own_channel.scatter > value.error)
    )


class _Kept(NamedTuple):
    """How detail came through: its slope, the deviation from itself and that from the slope, as shares of it."""

    slope: float
    error: float
    scatter: float


def _kept(before: Floats, after: Floats) -> _Kept:
    if float(before.std()) < DETAIL:
        return _Kept(0.0, 1.0, 0.0)
    slope = float((before * after).sum()) / float((before * before).sum())
    error = float((after - before).std()) / float(before.std())
    return _Kept(slope, error, float((after - slope * before).std()) / max(float(after.std()), 0.1))


def _detail(plane: Floats, inside: Region) -> Floats:
    weight = inside.astype(np.float32)
    share = np.maximum(cv2.blur(weight, (WINDOW, WINDOW)), 1e-3)
    return np.asarray((plane - cv2.blur(plane * weight, (WINDOW, WINDOW)) / share)[inside])
