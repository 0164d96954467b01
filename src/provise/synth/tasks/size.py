"""Size: which of two things is larger, one of them nearer than the other.

The truth is the true extent, in metres. The protocol lets bars decide that span the things in the picture, so a scene is
kept only where the larger thing looks larger as well; that the nearer one looks larger than it is never decides, since the
nearer is the larger half of the time, whatever the answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from provise.synth.actors import PALETTES, Actor, cast, pick, size_of
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.room import SIZE, Room, make_room
from provise.synth.stage import Stage, clear_of, set_stage

__all__ = ["LEAST_RATIO", "MAKER"]

Floats = npt.NDArray[np.float64]

LEAST_RATIO = 1.2
"""How many times as large the larger thing is at least, in truth and in the picture."""
LEAST_BAR = 0.07
"""Least length of a bar, as a share of the picture's longer side."""
DEEPER = 1.1
"""How many times as far away the farther thing is at least."""

UPRIGHT = ("lamp", "shelf", "chair", "robot", "plant", "cone", "cylinder", "mug", "bottle", "vase")
LYING = ("pencil", "plank", "rod")
OTHERS = ("cube", "pot", "car", "dog", "ball", "cone", "bucket")


@dataclass(frozen=True)
class _Hardness:
    others: tuple[int, int]
    ratio: tuple[float, float]


HARDNESS: dict[Level, _Hardness] = {
    "easy": _Hardness((0, 2), (1.65, 2.1)),
    "medium": _Hardness((1, 3), (1.4, 1.7)),
    "hard": _Hardness((3, 5), (1.24, 1.42)),
}

ASKED: dict[str, tuple[str, ...]] = {
    "taller": ("Which is taller, {0} or {1}?", "Measured from foot to top, which is taller: {0} or {1}?"),
    "longer": ("Which is longer, {0} or {1}?", "Measured from end to end, which is longer: {0} or {1}?"),
    "wider": ("Which is larger across, {0} or {1}?", "Which has the larger diameter, {0} or {1}?"),
}


def make(wanted: tuple[str, bool], rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose right option is a letter; the larger thing is the nearer one, or is not."""
    letter, larger_is_nearer = wanted
    hardness = HARDNESS[level]
    asked = list(ASKED)[int(rng.integers(len(ASKED)))]
    palette = PALETTES[int(rng.integers(len(PALETTES)))]
    room = make_room(rng, reach=2.3, elevation=(16, 30), distance=(2.0, 2.5), lift=0.4)
    pair = _pair(rng, room, asked, palette, hardness, larger_is_nearer)
    if pair is None:
        return None
    others = _others(rng, palette, pair, int(rng.integers(hardness.others[0], hardness.others[1] + 1)))
    stage = set_stage(room, [*pair, *others], share=0.5, least=0.0008) if others is not None else None
    if stage is None or min(stage.share(0), stage.share(1)) < 0.97:
        return None
    bars = [ends(actor, asked) for actor in pair]
    lines = [room.camera.project(bar)[:, :2] for bar in bars]
    spans = [_span(stage, i, line) for i, line in enumerate(lines)]
    true, axes, seen = ([float(np.linalg.norm(e[1] - e[0])) for e in both] for both in (bars, lines, spans))
    # In truth, by its axis in the picture, and by how far its pixels reach: the first is the larger one in each way.
    if min(seen) < LEAST_BAR * SIZE[0] or any(one < LEAST_RATIO * other for one, other in (true, axes, seen)):
        return None
    order = [0, 1] if letter == "A" else [1, 0]
    names = [f"the {pair[i].name}" for i in order]
    forms = ASKED[asked]
    return Item(
        forms[int(rng.integers(len(forms)))].format(*names),
        letter,
        "choice",
        (stage.picture(),),
        choices=tuple(names),
        metadata={"bars": [[[round(float(v), 4) for v in end / SIZE] for end in spans[i]] for i in order]},
        facts={"stage": stage, "asked": asked, "order": order, "larger_is_nearer": larger_is_nearer},
    )


def ends(actor: Actor, asked: str) -> Floats:
    """Return the two ends of a thing's asked extent in the world, shape (2, 3)."""
    x, y, _ = actor.middle
    if asked == "taller":
        return np.array([(x, y, actor.height), (x, y, actor.height + actor.tall)])
    turn = np.radians(actor.yaw) if asked == "longer" else 0.0
    along = 0.5 * actor.scale * np.array([np.cos(turn), np.sin(turn), 0.0])
    return np.stack([actor.middle - along, actor.middle + along])


def _pair(
    rng: np.random.Generator,
    room: Room,
    asked: str,
    palette: tuple[str, ...],
    hardness: _Hardness,
    larger_is_nearer: bool,
) -> list[Actor] | None:
    """Return the larger and the smaller thing, or None where they stand too close to each other."""
    models = {"taller": pick(rng, UPRIGHT, 2), "longer": pick(rng, LYING, 2), "wider": ["ball", "ball"]}[asked]
    colours = pick(rng, palette, 2)
    left = 1 if rng.random() < 0.5 else -1
    x = [left * float(rng.uniform(0.35, 1.1)), -left * float(rng.uniform(0.35, 1.1))]
    y = [float(rng.uniform(-1.2, -0.1)), float(rng.uniform(0.2, 1.4))]
    if not larger_is_nearer:
        y = y[::-1]
    far = room.camera.project([(x[i], y[i], 0.3) for i in (0, 1)])[:, 2]
    if max(far) < DEEPER * min(far):
        return None
    # What is farther away must be larger by as much as distance takes from it.
    ratio = float(rng.uniform(*hardness.ratio)) * (1.0 if larger_is_nearer else float(max(far) / min(far)))
    base = {"taller": (0.4, 0.75), "longer": (0.55, 0.85), "wider": (0.3, 0.5)}[asked]
    small = float(rng.uniform(*base))
    made = []
    for i, extent in enumerate((small * ratio, small)):
        scale = extent / size_of(models[i])[1] if asked == "taller" else extent
        yaw = float(rng.uniform(-18, 18) + 180 * rng.integers(2)) if asked == "longer" else float(rng.uniform(0, 360))
        made.append(Actor(models[i], colours[i], (x[i], y[i]), yaw, scale))
    apart = np.hypot(x[0] - x[1], y[0] - y[1])
    return made if apart > made[0].radius + made[1].radius + 0.1 else None


def _others(rng: np.random.Generator, palette: tuple[str, ...], pair: list[Actor], n: int) -> list[Actor] | None:
    """Return other things that keep clear, none of them named like one of the two."""
    named = {actor.name for actor in pair}
    others: list[Actor] = []
    for _ in range(n):
        other = cast(rng, pick(rng, OTHERS)[0], pick(rng, palette)[0], (0, 0), spread=0.2)
        placed = clear_of(rng, [*pair, *others], other, (1.9, 1.8))
        if placed is None or placed.name in named:
            return None
        others.append(placed)
    return others


def _span(stage: Stage, i: int, line: Floats) -> Floats:
    """Return the ends, in pixels, between which a thing's pixels reach along a line of the picture, shape (2, 2)."""
    mask = stage.mask(i)
    rows, columns = np.nonzero(mask)
    pixel = SIZE[0] / mask.shape[1]
    along = (line[1] - line[0]) / np.linalg.norm(line[1] - line[0])
    reach = (columns + 0.5) * pixel * along[0] + (rows + 0.5) * pixel * along[1] - float(line[0] @ along)
    return np.stack([line[0] + (reach.min() - pixel / 2) * along, line[0] + (reach.max() + pixel / 2) * along])


def _answers(n: int, rng: np.random.Generator, _: Level) -> list[tuple[str, bool]]:
    return list(zip(evenly("AB", n, rng), evenly((True, False), n, rng), strict=True))


MAKER = Maker("size", _answers, make)
