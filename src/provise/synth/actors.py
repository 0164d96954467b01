"""The things that questions are about: what they are called, how large they are, where they may stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.synth.camera import Camera
from provise.synth.models import place
from provise.synth.pieces import RGB
from provise.synth.render import Thing

__all__ = [
    "COLOURS",
    "KINDS",
    "NOUNS",
    "PALETTES",
    "Actor",
    "cast",
    "in_frame",
    "pick",
    "plural",
    "scattered",
    "size_of",
]

Floats = npt.NDArray[np.float64]

COLOURS: dict[str, RGB] = {
    "red": (172, 60, 54),
    "orange": (208, 122, 52),
    "yellow": (214, 182, 82),
    "green": (86, 130, 80),
    "blue": (66, 98, 152),
    "purple": (120, 82, 140),
    "pink": (212, 150, 166),
    "brown": (112, 80, 58),
    "white": (228, 226, 218),
    "black": (50, 50, 54),
}
"""Colours that a person names at once and that no drawn mark has: they are muted."""

PALETTES: tuple[tuple[str, ...], ...] = (
    ("red", "yellow", "green", "blue", "purple", "white"),
    ("orange", "green", "blue", "purple", "white", "black"),
    ("brown", "yellow", "blue", "green", "pink", "white"),
    ("red", "yellow", "blue", "black", "white", "green"),
)
"""Colours that no light and no shadow lets one take for another."""

NOUNS: dict[str, tuple[str, float]] = {
    "ball": ("ball", 0.55), "cube": ("cube", 0.5), "cylinder": ("cylinder", 0.55), "cone": ("cone", 0.6),
    "mug": ("mug", 0.5), "pot": ("cooking pot", 0.6), "bucket": ("bucket", 0.65), "chair": ("chair", 1.0),
    "table": ("table", 1.0), "lamp": ("lamp", 0.9), "shelf": ("shelf", 1.0), "plant": ("potted plant", 1.1),
    "car": ("toy car", 0.7), "dog": ("toy dog", 0.95), "robot": ("toy robot", 0.7), "bottle": ("bottle", 0.65),
    "vase": ("vase", 0.65), "pencil": ("pencil", 0.8), "rod": ("rod", 0.8), "plank": ("plank", 0.8),
}  # fmt: skip
"""What each model is called, and the factor that makes it a fitting size in a room."""


KINDS = (
    "ball", "cube", "cylinder", "cone", "mug", "pot", "bucket", "chair", "lamp", "plant", "car", "dog", "robot", "vase",
)  # fmt: skip
"""Things of many shapes that one tells from each other at a glance and calls by one word each."""


def plural(noun: str) -> str:
    """Return a noun's plural.

    Examples
    --------
    >>> plural("toy car"), plural("shelf")
    ('toy cars', 'shelves')
    """
    return noun[:-1] + "ves" if noun.endswith("f") else noun + "s"


@dataclass(frozen=True)
class Actor:
    """A thing at its place.

    Parameters
    ----------
    model, colour : str
        Of `MODELS` and of `COLOURS`.
    at : tuple of float
        x and y of its middle, in metres.
    yaw : float
        Degrees by which its front is turned from +y, anticlockwise seen from above.
    scale : float
        Factor on the model.
    height : float
        Of what it stands on, in metres.
    """

    model: str
    colour: str
    at: tuple[float, float]
    yaw: float = 0.0
    scale: float = 1.0
    height: float = 0.0

    @property
    def noun(self) -> str:
        """What it is called."""
        return NOUNS[self.model][0]

    @property
    def name(self) -> str:
        """What it is called, with its colour."""
        return f"{self.colour} {self.noun}"

    @cached_property
    def thing(self) -> Thing:
        """Its solids."""
        return place(
            self.model,
            self.name,
            self.at,
            yaw=self.yaw,
            scale=self.scale,
            colour=COLOURS[self.colour],
            height=self.height,
        )

    @property
    def radius(self) -> float:
        """Metres from its middle that it reaches, seen from above."""
        return size_of(self.model)[0] * self.scale

    @property
    def tall(self) -> float:
        """Its height in metres."""
        return size_of(self.model)[1] * self.scale

    @property
    def middle(self) -> tuple[float, float, float]:
        """The point half way up."""
        return (*self.at, self.height + self.tall / 2)

    def fact(self) -> dict[str, Any]:
        """Return what a test needs to work an answer out by itself."""
        return {
            "model": self.model, "colour": self.colour, "at": self.at, "yaw": self.yaw, "scale": self.scale,
            "height": self.height, "tall": self.tall, "radius": self.radius,
        }  # fmt: skip


@lru_cache(maxsize=64)
def size_of(model: str) -> tuple[float, float]:
    """Return how far a model of scale 1 reaches from its middle, seen from above, and its height, in metres."""
    corners = np.concatenate([part.corners for part in place(model, model, (0, 0)).parts])
    return float(np.hypot(corners[:, 0], corners[:, 1]).max()), float(corners[:, 2].max())


def cast(rng: np.random.Generator, model: str, colour: str, at: tuple[float, float], spread: float = 0.12) -> Actor:
    """Return a thing of about its usual size, turned anyhow."""
    scale = NOUNS[model][1] * float(rng.uniform(1 - spread, 1 + spread))
    return Actor(model, colour, at, float(rng.uniform(0, 360)), scale)


def pick(rng: np.random.Generator, values: Sequence[str], n: int = 1) -> list[str]:
    """Return n different values."""
    return [values[int(i)] for i in rng.permutation(len(values))[:n]]


def scattered(
    rng: np.random.Generator, radii: Sequence[float], reach: tuple[float, float], gap: float = 0.08
) -> list[tuple[float, float]] | None:
    """Return places on the floor, one for each radius, that keep clear of each other; None where they find no room.

    Parameters
    ----------
    rng : Generator
        Chooses.
    radii : sequence of float
        In metres.
    reach : tuple of float
        Largest distance from the middle along x and along y.
    gap : float
        Metres between two things at least.
    """
    placed: dict[int, tuple[float, float]] = {}
    for i in sorted(range(len(radii)), key=lambda i: -radii[i]):
        for _ in range(60):
            x, y = (float(rng.uniform(-limit, limit)) for limit in reach)
            if all(np.hypot(x - a, y - b) >= radii[i] + radii[j] + gap for j, (a, b) in placed.items()):
                placed[i] = (x, y)
                break
        else:
            return None
    return [placed[i] for i in range(len(radii))]


def in_frame(camera: Camera, thing: Thing, margin: float = 0.015) -> bool:
    """Tell whether a thing is seen whole, with some share of the picture's width and height to spare."""
    seen = camera.project(np.concatenate([part.corners for part in thing.parts]))
    w, h = camera.size
    x, y = seen[:, 0] / w, seen[:, 1] / h
    low, high = margin, 1 - margin
    return bool((seen[:, 2] > 0.1).all() and min(x.min(), y.min()) >= low and max(x.max(), y.max()) <= high)
