"""What the draughtsman hands over, and the registry of what it can draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.draw.style import Style

__all__ = ["DRAWERS", "RULES", "Drawing", "Job", "drawer", "rule"]

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Drawing:
    """A drawn answer.

    Attributes
    ----------
    image : ndarray of uint8, shape (h, w, 3)
        The answer, RGB.
    expected : JSON value
        The prediction a reader should make; None where it should refuse. A path is given in full, [[x, y], ...].
    region : ndarray of bool, shape (h, w), or None
        The region drawn, for a mask.
    aids : dict
        Reading aids that go with it (``coordinates``, ``start``, ``holes``).
    reasons : tuple of str
        The reason codes a refusal may carry; empty where the answer is valid.
    """

    image: Bytes
    expected: Any = None
    region: npt.NDArray[np.bool_] | None = None
    aids: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Job:
    """One order to the draughtsman: over which photo, what, how.

    Attributes
    ----------
    photo : ndarray of uint8, shape (h, w, 3)
        The source picture.
    truth : JSON value
        What the drawing is to say; None for an invalid one.
    style : Style
        How it looks.
    rng : Generator
        Decides what neither truth, style nor aids do.
    aids : mapping
        What the protocol's own drawing needs (start, coordinates, candidates, ...).
    """

    photo: Bytes
    truth: Any
    style: Style
    rng: np.random.Generator
    aids: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the photo."""
        return self.photo.shape[1], self.photo.shape[0]

    @property
    def side(self) -> int:
        """The longer side in pixels, which sizes are shares of."""
        return max(self.size)


Draw = Callable[[Job], Drawing]

DRAWERS: dict[str, Draw] = {}
"""Protocol id -> what draws a valid answer."""

RULES: dict[str, dict[str, tuple[Draw, tuple[str, ...]]]] = {}
"""Protocol id -> invalid rule -> what draws it, and the reason codes a reader may refuse it with."""


def drawer(protocol: str) -> Callable[[Draw], Draw]:
    """Register what draws a protocol's valid answers."""

    def register(function: Draw) -> Draw:
        DRAWERS[protocol] = function
        return function

    return register


def rule(protocol: str, name: str, *reasons: str) -> Callable[[Draw], Draw]:
    """Register an invalid drawing of a protocol, with the reason codes it may be refused with."""

    def register(function: Draw) -> Draw:
        RULES.setdefault(protocol, {})[name] = (function, reasons)
        return function

    return register
