"""Prediction: a ball rolls over a table seen from above, is thrown back by its sides, and ends in a numbered hole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.draw.board import Board
from provise.ops.numbers import find_row
from provise.synth.camera import Camera
from provise.synth.item import Item, Level, Maker
from provise.synth.pieces import RGB
from provise.synth.places import FLOORS, colour_of, slab
from provise.synth.render import Light, Thing, render
from provise.synth.room import SIZE
from provise.synth.shapes import Part

__all__ = ["MAKER", "Table", "roll"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

_CLOTHS: tuple[RGB, ...] = (
    (86, 122, 104),
    (92, 112, 138),
    (140, 92, 92),
    (128, 118, 100),
    (112, 100, 128),
    (104, 128, 134),
)
_WOODS: tuple[RGB, ...] = ((122, 86, 58), (92, 66, 50), (156, 120, 84), (84, 80, 80))
_BALLS: tuple[RGB, ...] = ((232, 228, 216), (58, 56, 62), (196, 92, 70), (214, 150, 84), (150, 120, 170))
_HOLES: dict[Level, tuple[int, int]] = {"easy": (3, 6), "medium": (4, 9), "hard": (7, 12)}
_BOUNCES: dict[Level, tuple[int, int]] = {"easy": (0, 1), "medium": (1, 2), "hard": (2, 4)}
_RAIL = 0.16
_RADIUS = 0.1
_OFF = 0.6
"""Degrees by which the arrow may be misread without another hole being hit."""


@dataclass(frozen=True)
class Table:
    """What the ball may roll on, seen from above: x to the right, y up, in metres about the middle.

    Parameters
    ----------
    half : tuple of float
        Half its extent.
    count : int
        Holes, along the whole of one of its long sides, of equal width, number 1 at the left.
    top : bool
        Whether the holes are along the upper side, or along the lower.
    """

    half: tuple[float, float]
    count: int
    top: bool


def roll(table: Table, ball: Floats, angle: Floats, radius: float = 0.0) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return where balls reach the side with the holes, and how often they were thrown back before.

    Seen in the mirrors of the sides the way is straight, so that it is one division and one folding.

    Parameters
    ----------
    table : Table
        The table.
    ball : ndarray, shape (n, 2)
        Where they start.
    angle : ndarray, shape (n,)
        Their headings in degrees, anticlockwise from the right.
    radius : float
        Of the ball: a side throws it back when its rim gets there.

    Returns
    -------
    place : ndarray, shape (n,)
        From 0 at the left end of the side to the number of holes at its right end.
    bounces : ndarray of int, shape (n,)
    """
    x, y = table.half[0] - radius, table.half[1] - radius
    dx, dy = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    up = 1.0 if table.top else -1.0
    # Away from the holes first: up to the far side and all the way back.
    away = dy * up < 0
    far = np.where(away, (y + up * ball[:, 1]) + 2 * y, y - up * ball[:, 1])
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        along = ball[:, 0] + dx * np.minimum(far / np.abs(dy), 1e6)
    cell = np.floor((along + x) / (2 * x))
    rest = along + x - cell * 2 * x
    folded = np.where(cell % 2 == 0, rest, 2 * x - rest) - x
    place = (folded + table.half[0]) / (2 * table.half[0]) * table.count
    return place, (np.abs(cell) + away).astype(np.int64)


def _shot(rng: np.random.Generator, table: Table, hole: int, bounces: tuple[int, int]) -> tuple[Floats, float] | None:
    """Return a start and a heading whose ball clearly ends in a hole (from 1), whatever its size and a small error."""
    n = 6000
    x, y = table.half
    ball = rng.uniform((-0.68 * x, -0.46 * y), (0.68 * x, 0.46 * y), (n, 2))
    # Well away from the holes: else there is nothing to follow.
    ball[:, 1] = np.where(table.top, -1, 1) * np.abs(ball[:, 1] + 0.1 * y)
    angle = rng.uniform(0, 360, n)
    ends = [roll(table, ball, angle + off, radius) for off in (-_OFF, 0, _OFF) for radius in (0.0, _RADIUS)]
    good = (np.abs(np.sin(np.radians(angle))) > 0.3) & (np.abs(np.cos(np.radians(angle))) > 0.12)
    for place, number in ends:
        good &= (np.abs(place - (hole - 0.5)) < 0.4) & (number == ends[0][1])
    good &= (ends[0][1] >= bounces[0]) & (ends[0][1] <= bounces[1])
    for place, _ in ends[2:4]:
        good &= np.abs(place - (hole - 0.5)) < 0.27
    if not good.any():
        return None
    at = int(np.flatnonzero(good)[0])
    return ball[at], float(angle[at])


def _things(rng: np.random.Generator, table: Table, ball: Floats) -> list[Thing]:
    x, y = table.half
    wood = colour_of(rng, _WOODS[int(rng.integers(len(_WOODS)))])
    # No tiles: a piece of a joint at the height of the numbers may pass for a digit.
    floor, texture = FLOORS[5 + int(rng.integers(2))]
    cloth = colour_of(rng, _CLOTHS[int(rng.integers(len(_CLOTHS)))])
    far, depth = 1.0 if table.top else -1.0, 0.36
    holes = sorted((far * y, far * (y + depth)))
    low, high = (y + depth, y) if not table.top else (y, y + depth)
    rim = 0.12
    things = [
        slab("_floor", (-9, -9, -0.9), (9, 9, -0.8), floor, texture),
        slab("_cloth", (-x, -y, -0.1), (x, y, 0), cloth, "grain"),
        slab("_tray", (-x, holes[0], -0.1), (x, holes[1], 0.0), (58, 54, 52), "plain"),
    ]
    for k, (a, b) in enumerate(
        (
            ((-x - _RAIL, -low - _RAIL), (-x, high + _RAIL)),
            ((x, -low - _RAIL), (x + _RAIL, high + _RAIL)),
            ((-x, high), (x, high + _RAIL)),
            ((-x, -low - _RAIL), (x, -low)),
        )
    ):
        things.append(slab(f"rail {k}", (*a, -0.1), (*b, rim), wood, "plain"))
    colour = _BALLS[int(rng.integers(len(_BALLS)))]
    things.append(
        Thing("ball", (Part("ball", (float(ball[0]), float(ball[1]), _RADIUS), (_RADIUS,) * 3, colour=colour),))
    )
    return things


def _written(picture: Bytes, boxes: Floats, plate: RGB) -> None:
    """Put a plate with its number into every hole's box, all numbers in one size."""
    wide, high = boxes[0, 2] - boxes[0, 0], boxes[0, 3] - boxes[0, 1]
    (tw, th), _ = cv2.getTextSize(str(len(boxes)), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 1)
    scale = min(0.4 * high / th, 0.54 * wide / tw)
    weight = max(1, round(scale * 1.8))
    gap = max(1.0, 0.035 * wide)
    for number, (x0, y0, x1, y1) in enumerate(boxes, 1):
        cv2.rectangle(picture, _pixel(x0 + gap, y0 + 2), _pixel(x1 - gap, y1 - 2), plate, -1, cv2.LINE_AA)
        (tw, th), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
        spot = _pixel((x0 + x1 - tw) / 2, (y0 + y1 + th) / 2)
        cv2.putText(picture, str(number), spot, cv2.FONT_HERSHEY_SIMPLEX, scale, (24, 24, 26), weight, cv2.LINE_AA)


def _pixel(x: float, y: float) -> tuple[int, int]:
    return round(x), round(y)


def _arrow(picture: Bytes, start: Floats, end: Floats) -> None:
    # Light below dark, so that it stands out from every cloth; sixteenths of a pixel, so that its slant is true.
    line = [tuple(int(v) for v in np.rint(p * 16)) for p in (start, end)]
    for colour, width in (((236, 232, 222), 6), ((30, 30, 34), 3)):
        cv2.line(picture, line[0], line[1], colour, width, cv2.LINE_AA, 4)
        ahead = (end - start) / np.linalg.norm(end - start)
        side = np.array([-ahead[1], ahead[0]])
        size = 13.0 + (width - 3) * 1.2
        tip = end + (8 + (width - 3)) * ahead
        head = np.rint(
            np.array(
                [tip, tip - size * 1.3 * ahead + size * 0.62 * side, tip - size * 1.3 * ahead - size * 0.62 * side]
            )
            * 16
        )
        cv2.fillPoly(picture, [head.astype(np.int32)], colour, cv2.LINE_AA, 4)


def make(wanted: tuple[int, int], rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose ball ends in a hole, given as (its number, how many there are)."""
    hole, count = wanted
    table = Table(
        (2.0 if count > 6 else float(rng.uniform(1.6, 2.0)), float(rng.uniform(1.0, 1.18))),
        count,
        bool(rng.random() < 0.6),
    )
    shot = _shot(rng, table, hole, _BOUNCES[level])
    if shot is None:
        return None
    ball, angle = shot
    x, y = table.half
    middle = 0.18 if table.top else -0.18
    across, aside = float(rng.uniform(2.22, 2.5)), float(rng.uniform(-0.03, 0.03))
    middle += float(rng.uniform(-0.08, 0.08))
    camera = Camera((aside, middle, 9.0), (aside, middle, 0.0), SIZE, float(np.degrees(2 * np.arctan(across / 9.0))))
    sun = Light((float(rng.uniform(-0.7, 0.7)), float(rng.uniform(-0.7, 0.7)), 1.4), 0.62)
    picture = render(camera, _things(rng, table, ball), sun)
    edges = np.linspace(-x, x, count + 1)
    near, far = (y, y + 0.36) if table.top else (-y - 0.36, -y)
    corners = camera.project([(e, z, 0.0) for e in edges for z in (far, near)])[:, :2].reshape(count + 1, 2, 2)
    boxes = np.concatenate([corners[:-1, 0], corners[1:, 1]], axis=1)
    picture = picture.copy()
    _written(picture, boxes, ((240, 238, 230), (228, 226, 220), (244, 236, 214))[int(rng.integers(3))])
    row = find_row(picture)
    if row is None or [number.value for number in row.numbers] != list(range(1, count + 1)):
        return None
    ahead = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    ends = camera.project([(*(ball + share * ahead), _RADIUS) for share in (0.12, 0.42)])[:, :2]
    _arrow(picture, ends[0], ends[1])
    # The first corner is on the holes' side, wherever that is.
    up = y if table.top else -y
    field = camera.project([(-x, up, 0), (x, -up, 0)])[:, :2].ravel()
    at = camera.project([(*ball, _RADIUS)])[0]
    x0, y0, x1, y1 = (float(v) for v in field)
    board = Board(picture, (x0, y0, x1, y1), boxes, (float(at[0]), float(at[1])))
    facts: dict[str, Any] = {
        "table": table,
        "ball": ball,
        "angle": angle,
        "radius": _RADIUS,
        "board": board,
        "camera": camera,
    }
    question = (
        f"The table is seen from above. The ball rolls off straight along the arrow; each wooden side throws it back as a "
        f"mirror does light, and it does not slow down. Into which of the {count} numbered holes along the "
        f"{'upper' if table.top else 'lower'} side does it roll?"
    )
    return Item(question, str(hole), "endpoint", (picture,), metadata={"holes": count}, facts=facts)


def _answers(n: int, rng: np.random.Generator, level: Level) -> list[tuple[int, int]]:
    """Return (hole, count) pairs: each count as often, of each count each hole as often, and no number far ahead."""
    low, high = _HOLES[level]
    counts = [low + i % (high - low + 1) for i in range(n)]
    used: dict[tuple[int, int], int] = {}
    total: dict[int, int] = {}
    pairs = []
    for count in sorted(counts):
        tie = rng.permutation(count)
        hole = min(range(1, count + 1), key=lambda k: (used.get((k, count), 0), total.get(k, 0), int(tie[k - 1])))
        used[hole, count] = used.get((hole, count), 0) + 1
        total[hole] = total.get(hole, 0) + 1
        pairs.append((hole, count))
    return [pairs[int(i)] for i in rng.permutation(n)]


MAKER = Maker("prediction", _answers, make)
