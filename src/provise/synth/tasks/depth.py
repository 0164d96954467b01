"""Depth: which of two marked places of the picture is nearer to the camera."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from provise.synth.actors import PALETTES, cast, pick
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.room import SIZE, make_room
from provise.synth.stage import Stage, set_stage, spread_out

__all__ = ["LEAST_RATIO", "MAKER"]

Bytes = npt.NDArray[np.uint8]
Spot = tuple[int, int]

KINDS = (
    "ball",
    "cube",
    "cylinder",
    "cone",
    "pot",
    "bucket",
    "chair",
    "table",
    "lamp",
    "shelf",
    "plant",
    "car",
    "dog",
    "robot",
)
LEAST_RATIO = 1.12
"""The farther place is at least this many times as far away as the nearer."""
RING = 8
"""Radius in pixels of the circle round a place: all of it lies on one surface."""
RED = (224, 40, 40)


@dataclass(frozen=True)
class _Hardness:
    things: tuple[int, int]
    ratio: tuple[float, float]
    lower: float


HARDNESS: dict[Level, _Hardness] = {
    "easy": _Hardness((4, 6), (1.45, 3.0), 0.75),
    "medium": _Hardness((5, 8), (1.22, 2.0), 0.6),
    "hard": _Hardness((7, 10), (LEAST_RATIO, 1.4), 0.5),
}
"""Things, how many times as far the farther place is, how often the nearer place is the lower one in the picture."""


def make(nearer: str, rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose answer is A or B."""
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
    picture, fine = stage.shown()
    spots = _two_places(rng, fine, hardness)
    if spots is None:
        return None
    # The first of the two is the nearer one.
    ordered = spots if nearer == "A" else spots[::-1]
    marked = _marked(picture, ordered, rng)
    if marked is None:
        return None
    coordinates = [[round((x + 0.5) / SIZE[0], 5), round((y + 0.5) / SIZE[1], 5)] for x, y in ordered]
    return Item(
        _question(rng),
        nearer,
        "choice",
        (marked,),
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


def _two_places(rng: np.random.Generator, stage: Stage, hardness: _Hardness) -> tuple[Spot, Spot] | None:
    """Return two places of the picture (column, row), the nearer first, one of them at least on a thing."""
    smooth = _smooth(stage)
    on_thing = stage.seen.thing >= len(stage.room.shell)
    things, free = (np.argwhere(smooth & where) for where in (on_thing, ~on_thing))
    if len(things) < 50 or len(free) < 50:
        return None
    lower_first = rng.random() < hardness.lower
    for _ in range(400):
        one = things[int(rng.integers(len(things)))]
        pool = things if rng.random() < 0.5 else free
        two = pool[int(rng.integers(len(pool)))]
        if np.hypot(*(one - two)) < 0.13 * SIZE[0]:
            continue
        far = [stage.seen.depth[row, column] for row, column in (one, two)]
        # Along the line of sight and along the camera's axis the same place must be the nearer one.
        sight = [_sight(stage, row, column) for row, column in (one, two)]
        near, other = (one, two) if far[0] < far[1] else (two, one)
        ratio = max(far) / min(far)
        by_sight = max(sight) / min(sight)
        if not hardness.ratio[0] <= ratio <= hardness.ratio[1] or by_sight < LEAST_RATIO:
            continue
        if (sight[0] < sight[1]) == (far[0] < far[1]) and (near[0] > other[0]) == lower_first:
            return (int(near[1]), int(near[0])), (int(other[1]), int(other[0]))
    return None


def _sight(stage: Stage, row: int, column: int) -> float:
    """Return the distance of what a pixel sees, along its own line of sight, in metres."""
    aside = np.hypot(column - SIZE[0] / 2, row - SIZE[1] / 2) / stage.room.camera.focal
    return float(stage.seen.depth[row, column] * np.hypot(1, aside))


def _smooth(stage: Stage) -> npt.NDArray[np.bool_]:
    """Return the places round which a circle lies on one surface, clear of the picture's rim and of its own edges."""
    seen = stage.seen
    near = np.where(np.isfinite(seen.depth), seen.depth, 0)
    box = np.ones((2 * RING + 5, 2 * RING + 5), np.uint8)
    high, low = cv2.dilate(near, box), cv2.erode(near, box)
    owner = seen.thing.astype(np.int16)
    one = cv2.dilate(owner, box) == cv2.erode(owner, box)
    good = one & (high - low < 0.06 * near) & (near > 0)
    rim = 34
    good[:rim] = good[-rim:] = False
    good[:, :rim] = good[:, -rim:] = False
    return np.asarray(good, dtype=np.bool_)


def _marked(picture: Bytes, spots: tuple[Spot, Spot], rng: np.random.Generator) -> Bytes | None:
    """Draw a red circle round each place and its letter beside it, the same side for both."""
    side = 1 if rng.random() < 0.5 else -1
    out = picture.copy()
    for letter, (x, y) in zip("AB", spots, strict=True):
        cv2.circle(out, (x, y), RING, RED, 2, cv2.LINE_AA)
        at = (x + (RING + 4 if side > 0 else -RING - 20), y - RING + 2)
        cv2.putText(out, letter, at, cv2.FONT_HERSHEY_DUPLEX, 0.72, (20, 20, 20), 4, cv2.LINE_AA)
        cv2.putText(out, letter, at, cv2.FONT_HERSHEY_DUPLEX, 0.72, (255, 255, 255), 1, cv2.LINE_AA)
    return out


MAKER = Maker("depth", lambda n, rng, _: evenly("AB", n, rng), make)
