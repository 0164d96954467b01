"""How a mark looks: its size, shape, opacity, softness and colour, apart from what it says."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from provise.errors import InputError

__all__ = ["PURE", "Style", "tinted"]

PURE: dict[str, tuple[int, int, int]] = {
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "magenta": (255, 0, 255),
    "cyan": (0, 255, 255),
    "red": (255, 0, 0),
    "yellow": (255, 255, 0),
    "white": (255, 255, 255),
}
"""The colours that prompts ask for, RGB."""

_RANGES: dict[str, tuple[float, float]] = {
    "size": (0.002, 0.9),
    "stroke": (0.001, 0.2),
    "opacity": (0.05, 1.0),
    "softness": (0.0, 32.0),
    "hue": (-20.0, 20.0),
    "saturation": (0.2, 1.0),
}


@dataclass(frozen=True)
class Style:
    """The look of what is drawn.

    Parameters
    ----------
    size : float
        Extent across of a mark (a disc's diameter, a square's side) as a share of the frame's longer side.
    stroke : float
        Width of a line as a share of the frame's longer side.
    shape : str
        A variant, where a protocol has several (``star``, ``disc``; ``photo``, ``canvas``); empty is its usual one.
    opacity : float
        1 covers what is below.
    softness : float
        Pixels over which an edge fades, on the frame's own grid.
    hue : float
        Drift of the hue from the pure colour, in OpenCV's half degrees.
    saturation : float
        Factor on the pure colour's saturation.

    Examples
    --------
    >>> Style(size=.05).size
    0.05
    >>> Style(opacity=0)
    Traceback (most recent call last):
        ...
    provise.errors.InputError: style opacity is 0; allowed is 0.05 to 1.0
    """

    size: float = 0.04
    stroke: float = 0.012
    shape: str = ""
    opacity: float = 1.0
    softness: float = 0.0
    hue: float = 0.0
    saturation: float = 1.0

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise InputError(f"style {name} is {value!r}; allowed is {low} to {high}")

    @classmethod
    def sample(cls, rng: np.random.Generator, *, opacity: tuple[float, float] = (0.7, 1.0), shape: str = "") -> Style:
        """Draw a style from the ranges of the certificate.

        Marks of 1.5 to 8 % of the side and strokes of .5 to 3 %, both uniform in the logarithm; opacity uniform in the
        given range; edges 0 to 2 pixels soft; a hue up to 4 off; 92 to 100 % of the pure saturation.
        """
        return cls(
            size=_log_uniform(rng, 0.015, 0.08),
            stroke=_log_uniform(rng, 0.005, 0.03),
            shape=shape,
            opacity=float(rng.uniform(*opacity)),
            softness=float(rng.uniform(0, 2)),
            hue=float(rng.uniform(-4, 4)),
            saturation=float(rng.uniform(0.92, 1.0)),
        )


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.clip(np.exp(rng.uniform(math.log(low), math.log(high))), low, high))


def tinted(colour: str, style: Style) -> tuple[int, int, int]:
    """Return a pure colour with a style's drift of hue and saturation, RGB.

    The range yellow marks are found in (hue 22 to 34) begins 8 below the pure hue and ends 4 above it, so yellow drifts
    towards orange, whichever way the style does.

    Examples
    --------
    >>> tinted("cyan", Style())
    (0, 255, 255)
    >>> tinted("cyan", Style(hue=4))
    (0, 221, 255)
    """
    if colour not in PURE:
        raise InputError(f"colour {colour!r} is unknown; there are {', '.join(PURE)}")
    pure = np.array([[PURE[colour]]], np.float32) / 255
    hsv = cv2.cvtColor(pure, cv2.COLOR_RGB2HSV)
    drift = -abs(style.hue) if colour == "yellow" else style.hue
    hsv[..., 0] = (hsv[..., 0] + 2 * drift) % 360
    hsv[..., 1] *= style.saturation
    r, g, b = (round(float(v) * 255) for v in cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0])
    return r, g, b
