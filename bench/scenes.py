"""Fixed scenes for the measurements, and the marks each protocol asks for, drawn with numpy and cv2 alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["CASES", "N_SCENES", "SIDE", "Case", "scene"]

Bytes = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

SIDE = 1024
N_SCENES = 10
COLOURED = 2
"""So many of the scenes, the last ones, hold the mark's colour already."""

GREEN, BLUE, MAGENTA, CYAN, RED = (0, 255, 0), (0, 0, 255), (255, 0, 255), (0, 255, 255), (255, 0, 0)


def scene(index: int, colour: Colour) -> Bytes:
    """Return a picture with fields, edges and grain, which compresses about as a photograph does."""
    rng = np.random.default_rng(1000 + index)
    fields = cv2.resize(rng.integers(50, 200, (7, 7, 3), dtype=np.uint8), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    muted = 0.3 * fields + 0.7 * fields.mean(axis=2, keepdims=True)
    canvas = np.ascontiguousarray(muted.astype(np.uint8))
    for _ in range(40):
        x, y, w, h = (int(v) for v in rng.integers(20, SIDE, 4))
        grey = int(rng.integers(50, 200))
        cv2.rectangle(canvas, (x, y), (x + w // 5, y + h // 5), (grey, grey - 8, grey - 14), -1, cv2.LINE_AA)
    if index >= N_SCENES - COLOURED:
        # A lawn, a pool, a flower bed: the mark's hue, paler and darker, over a part of the middle.
        tone = tuple(int(0.65 * c + 40) for c in colour)
        cv2.ellipse(canvas, (620, 560), (170, 90), 20, 0, 360, tone, -1, cv2.LINE_AA)
    grain = rng.normal(0, 6, (SIDE, SIDE, 1)) + rng.normal(0, 2, (SIDE, SIDE, 3))
    return np.asarray(np.clip(canvas + grain, 0, 255), dtype=np.uint8)


def _grid(answer: Bytes) -> None:
    cv2.rectangle(answer, (700, 700), (1000, 1000), BLUE, -1)


def _slot(answer: Bytes) -> None:
    cv2.rectangle(answer, (40, 40), (140, 140), MAGENTA, -1)


def _relation(answer: Bytes) -> None:
    for (x, y), colour in (((150, 180), GREEN), ((600, 180), BLUE)):
        patch = answer[y : y + 220, x : x + 260]
        patch[:] = (0.35 * patch + 0.65 * np.array(colour)).astype(np.uint8)


def _depth(answer: Bytes) -> None:
    ramp = np.linspace(20, 235, SIDE)[:, None] + np.linspace(-15, 15, SIDE)[None]
    answer[:] = np.clip(ramp, 0, 255).astype(np.uint8)[..., None]


def _mask(answer: Bytes) -> None:
    answer[:] = 0
    cv2.ellipse(answer, (500, 480), (210, 130), 30, 0, 360, (255, 255, 255), -1, cv2.LINE_AA)


def _point(answer: Bytes) -> None:
    cv2.circle(answer, (300, 340), 18, CYAN, -1, cv2.LINE_AA)


def _stars(answer: Bytes) -> None:
    turn = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2 == 0, 20, 8.5)
    for i in range(50):
        x, y = 60 + 100 * (i % 10), 90 + 210 * (i // 10)
        points = np.stack([x + reach * np.cos(turn), y + reach * np.sin(turn)], axis=1)
        cv2.fillPoly(answer, [np.round(points).astype(np.int32)], GREEN, cv2.LINE_AA)


def _path(answer: Bytes) -> None:
    line = np.array([(110, 900), (260, 640), (520, 420), (700, 330), (930, 130)], np.int32)
    cv2.polylines(answer, [line], False, RED, 12, cv2.LINE_AA)


def _specks(answer: Bytes) -> None:
    """A drawn line, and 1,351 red specks on a lattice beside it."""
    spots = [
        (x, y) for y in range(8, SIDE, 22) for x in range(8, SIDE, 22) if x + 1.05 * y < 850 or x + 1.05 * y > 1200
    ]
    for x, y in spots[:1351]:
        answer[y : y + 3, x : x + 3] = RED
    _path(answer)


@dataclass(frozen=True)
class Case:
    """One line of the table: a protocol, what is drawn for it, and the ratio it must not pass."""

    label: str
    protocol: str
    draw: Callable[[Bytes], None]
    colour: Colour
    bar: float
    expected: Any
    aids: dict[str, Any] = field(default_factory=dict)
    choices: tuple[str, ...] = ()


FOUR = ("a", "b", "c", "d")
START = {"start": [110 / SIDE, 900 / SIDE]}
PLACES = {"coordinates": [[0.4, 0.2], [0.6, 0.8]]}
CASES: tuple[Case, ...] = (
    Case("direction grid", "direction_grid", _grid, BLUE, 1.5, "front-right"),
    Case("fixed slots", "fixed_slots", _slot, MAGENTA, 1.5, "A", choices=FOUR),
    Case("binary relation", "binary_relation", _relation, GREEN, 1.5, True),
    Case("relative depth", "relative_depth", _depth, BLUE, 1.5, "B", PLACES, ("A", "B")),
    Case("region mask", "region_mask", _mask, RED, 1.5, None),
    Case("point marker", "point_marker", _point, CYAN, 1.5, None),
    Case("counting, 50 marks", "instance_marking", _stars, GREEN, 2.0, 50),
    Case("trajectory", "trajectory_drawing", _path, RED, 2.5, None, START),
    Case("trajectory, 1,351 red specks", "trajectory_drawing", _specks, RED, 2.5, None, START),
)
"""The lines of the table in their order; ``expected`` None stands for any reading that is not a refusal."""
