"""Depth: which of two marked places of the picture is nearer to the camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from provise.synth.actors import PALETTES, cast, pick
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.room import DRAFT, SIZE, make_room
from provise.synth.stage import Stage, set_stage, spread_out

__all__ = ["LEAST_RATIO", "MAKER"]

Bytes = npt.NDArray[np.uint8]
Spot = tuple[int, int]

KINDS = (
    "ball", "cube", "cylinder", "cone", "pot", "bucket", "chair", "table", "lamp", "shelf", "plant", "car", "dog", "robot",
)  # fmt: skip
LEAST_RATIO = 1.12
"""The farther place is at least this many times as far away as the nearer."""
RING = 8
"""Radius in pixels of the circle round a place: all of it lies on one surface."""
RED = (224, 40, 40)
TRIES = 3000
"""Pairs of places that are looked at."""


@dataclass(frozen=True)
class _Hardness:
    things: tuple[int, int]
    ratio: tuple[float, float]


HARDNESS: dict[Level, _Hardness] = {
    "easy": _Hardness((4, 6), (1.35, 3.0)),
    "medium": _Hardness((5, 8), (1.22, 2.0)),
    "hard": _Hardness((7, 10), (LEAST_RATIO, 1.4)),
}
"""Things, and how many times as far away the farther place is."""

On = Literal["both", "near", "far"]
Layout = tuple[bool, On]
LAYOUTS: tuple[Layout, ...] = (
    (True, "near"), (False, "near"), (True, "far"), (True, "far"), (True, "both"), (False, "both"), (False, "both"),
)  # fmt: skip
"""Whether the nearer place is the lower one in the picture, and which of the two places are on things, in turn.

A place on a thing is the nearer one as often as one on the floor or a wall, so that things tell nothing. No place on the
floor is higher in the picture and yet nearer.
"""


def make(wanted: tuple[str, Layout], rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose answer is A or B, with two places of that layout."""
    nearer, layout = wanted
    hardness = HARDNESS[level]
    palette = PALETTES[int(rng.integers(len(PALETTES)))]
    room = make_room(rng, reach=2.7, elevation=(14, 30), lift=0.4)
    n = int(rng.integers(hardness.things[0], hardness.things[1] + 1))
    actors = [
        cast(rng, KINDS[int(rng.integers(len(KINDS)))], pick(rng, palette)[0], (0, 0), spread=0.25) for _ in range(n)
    ]
    stood = spread_out(rng, actors, (2.2, 2.2))
    stage = set_stage(room, stood, share=0.3, least=0.0008) if stood else None
    if stage is None:
        return None
    spots = _two_places(rng, stage, hardness.ratio, layout)
    if spots is None:
        return None
    # The first of the two is the nearer one.
    ordered = spots if nearer == "A" else spots[::-1]
    coordinates = [[round((x + 0.5) / SIZE[0], 5), round((y + 0.5) / SIZE[1], 5)] for x, y in ordered]
    return Item(
        _question(rng),
        nearer,
        "choice",
        (_marked(stage.picture(), ordered, rng),),
        choices=("A", "B"),
        metadata={"coordinates": coordinates},
        facts={"stage": stage, "spots": ordered},
    )


def _question(rng: np.random.Generator) -> str:
    forms = (
        "Two points are circled in the picture, A and B. Which point is closer to the camera?",
        "Which of the circled points, A or B, is nearer to the camera?",
        "Look at the two red circles, A and B. Which of the two places is closer to the viewer?",
    )
    return forms[int(rng.integers(len(forms)))]


def _two_places(
    rng: np.random.Generator, stage: Stage, ratio: tuple[float, float], layout: Layout
) -> tuple[Spot, Spot] | None:
    """Return two places of the picture (column, row), the nearer first; the first one drawn is on a thing."""
    good, high, low = _smooth(stage)
    on_thing = stage.seen.thing >= len(stage.room.shell)
    lower, on = layout
    things = np.argwhere(good & on_thing)
    others = things if on == "both" else np.argwhere(good & ~on_thing)
    if min(len(things), len(others)) < 20:
        return None
    one, other = (places[rng.integers(len(places), size=TRIES)] for places in (things, others))
    swap = (_at(stage.seen.depth, one) > _at(stage.seen.depth, other))[:, None]
    near, far = np.where(swap, other, one), np.where(swap, one, other)
    times = _at(stage.seen.depth, far) / _at(stage.seen.depth, near)
    # By the line of sight the same place is the nearer one, and anywhere round the two the answer is the same.
    sight = _sight(stage, far) / _sight(stage, near)
    fits = (times >= ratio[0]) & (times <= ratio[1]) & (sight >= ratio[0]) & (_at(high, near) < _at(low, far))
    fits &= np.hypot(*(near - far).T) > 0.13 * DRAFT[0]
    fits &= (near[:, 0] > far[:, 0]) == lower
    if on != "both":
        fits &= swap[:, 0] == (on == "far")
    if not fits.any():
        return None
    i, scale = int(fits.argmax()), SIZE[0] // DRAFT[0]
    return (int(near[i, 1]) * scale, int(near[i, 0]) * scale), (int(far[i, 1]) * scale, int(far[i, 0]) * scale)


def _at(values: npt.NDArray[np.float32], places: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
    return np.asarray(values[places[:, 0], places[:, 1]])


def _sight(stage: Stage, places: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """Return the distances of what pixels see, along their own lines of sight, in metres."""
    focal = stage.room.camera.resized(DRAFT).focal
    aside = np.hypot(places[:, 1] - DRAFT[0] / 2, places[:, 0] - DRAFT[1] / 2) / focal
    return np.asarray(_at(stage.seen.depth, places) * np.hypot(1, aside), dtype=np.float64)


def _smooth(stage: Stage) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the places round which a circle lies on one surface, and the largest and least depth round each."""
    seen = stage.seen
    near = np.where(np.isfinite(seen.depth), seen.depth, np.float32(0))
    side = RING * DRAFT[0] // SIZE[0] + 2
    box = np.ones((2 * side + 1, 2 * side + 1), np.uint8)
    high, low = np.asarray(cv2.dilate(near, box), np.float32), np.asarray(cv2.erode(near, box), np.float32)
    owner = seen.thing.astype(np.int16)
    good = np.asarray((cv2.dilate(owner, box) == cv2.erode(owner, box)) & (high - low < 0.06 * near) & (low > 0))
    rim = 17
    good[:rim] = good[-rim:] = False
    good[:, :rim] = good[:, -rim:] = False
    return good, high, low


def _marked(picture: Bytes, spots: tuple[Spot, Spot], rng: np.random.Generator) -> Bytes:
    """Draw a red circle round each place and its letter beside it, the same side for both."""
    side = 1 if rng.random() < 0.5 else -1
    out = picture.copy()
    for letter, (x, y) in zip("AB", spots, strict=True):
        cv2.circle(out, (x, y), RING, RED, 2, cv2.LINE_AA)
        at = (x + (RING + 4 if side > 0 else -RING - 20), y - RING + 2)
        cv2.putText(out, letter, at, cv2.FONT_HERSHEY_DUPLEX, 0.72, (20, 20, 20), 4, cv2.LINE_AA)
        cv2.putText(out, letter, at, cv2.FONT_HERSHEY_DUPLEX, 0.72, (255, 255, 255), 1, cv2.LINE_AA)
    return out


def _answers(n: int, rng: np.random.Generator, _: Level) -> list[tuple[str, Layout]]:
    return list(zip(evenly("AB", n, rng), evenly(LAYOUTS, n, rng), strict=True))


MAKER = Maker("depth", _answers, make)
