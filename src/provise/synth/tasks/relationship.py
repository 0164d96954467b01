"""Relationship: whether a statement about two things of the scene is true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from provise.synth.actors import KINDS, PALETTES, Actor, cast, pick
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.models import FLAT_TOP
from provise.synth.room import make_room
from provise.synth.stage import Stage, set_stage, spread_out

__all__ = ["MAKER", "SENTENCES"]

SMALL = ("ball", "cube", "cylinder", "cone", "mug", "pot", "bucket", "vase")

SENTENCES: dict[str, str] = {
    "left": "The {s} is to the left of the {o}.",
    "right": "The {s} is to the right of the {o}.",
    "front": "Seen from the camera, the {s} is in front of the {o}.",
    "behind": "Seen from the camera, the {s} is behind the {o}.",
    "nearer": "The {s} is closer to the camera than the {o}.",
    "farther": "The {s} is farther from the camera than the {o}.",
    "taller": "The {s} is taller than the {o}.",
    "shorter": "The {s} is shorter than the {o}.",
    "on": "The {s} is on the {o}.",
    "under": "The {s} is under the {o}.",
}
"""What is said of a subject and an object."""

OPPOSITE = {"right": "left", "behind": "front", "farther": "nearer", "shorter": "taller"}
"""Relations that hold where the other one holds of the same two things, the other way round."""

LEAST = 0.0085
"""Least share of the picture that subject and object each cover: an overlay must be found on them."""
CHROMA = 26
"""Least distance of the channels in the picture's most colourful parts: its grey version must differ from it."""


@dataclass(frozen=True)
class _Hardness:
    things: tuple[int, int]
    margin: float
    beside: tuple[int, int]


HARDNESS: dict[Level, _Hardness] = {
    "easy": _Hardness((2, 3), 1.6, (1, 1)),
    "medium": _Hardness((3, 5), 1.25, (1, 3)),
    "hard": _Hardness((5, 7), 1.0, (3, 4)),
}
"""Things on a floor, how many times the least difference the two differ, other things round a table."""


def make(wanted: tuple[bool, str], rng: np.random.Generator, level: Level) -> Item | None:
    """Return a statement that is true or false, about a relation."""
    true, relation = wanted
    hardness = HARDNESS[level]
    palette = PALETTES[int(rng.integers(len(PALETTES)))]
    made = (_stacked if relation in ("on", "under") else _standing)(rng, palette, hardness, relation, true)
    if made is None:
        return None
    stage, subject, reference = made
    if min(stage.mask(i).mean() for i in (subject, reference)) < LEAST:
        return None
    picture = stage.picture()
    spread = picture.max(axis=2).astype(np.int16) - picture.min(axis=2)
    if np.percentile(spread, 97) < CHROMA:
        return None
    names = stage.actors[subject].name, stage.actors[reference].name
    statement = SENTENCES[relation].format(s=names[0], o=names[1])
    return Item(
        statement,
        "true" if true else "false",
        "boolean",
        (picture,),
        metadata={"caption": statement, "subj": names[0], "obj": names[1]},
        facts={"stage": stage, "relation": relation, "subject": subject, "object": reference},
    )


def _standing(
    rng: np.random.Generator, palette: tuple[str, ...], hardness: _Hardness, relation: str, true: bool
) -> tuple[Stage, int, int] | None:
    """Return things on the floor, and two of them of which the relation clearly holds, or clearly its opposite."""
    room = make_room(rng, reach=2.0, elevation=(18, 34), distance=(2.0, 2.5), lift=0.35)
    n = int(rng.integers(hardness.things[0], hardness.things[1] + 1))
    actors: list[Actor] = []
    while len(actors) < n:
        actor = cast(rng, pick(rng, KINDS)[0], pick(rng, palette)[0], (0, 0), spread=0.3)
        if relation in ("taller", "shorter"):
            # Any kind may be the taller one: what is known of mugs and lamps must not tell.
            actor = Actor(
                actor.model, actor.colour, (0, 0), actor.yaw, float(rng.uniform(0.35, 0.95)) * actor.scale / actor.tall
            )
        if actor.name not in [other.name for other in actors]:
            actors.append(actor)
    stood = spread_out(rng, actors, (1.5, 1.5), 0.12)
    stage = set_stage(room, stood, share=0.55, least=0.003) if stood else None
    if stage is None:
        return None
    holds = HOLDS[OPPOSITE.get(relation, relation)]
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j and holds(stage, i, j, hardness.margin)]
    if not pairs:
        return None
    first, second = pairs[int(rng.integers(len(pairs)))]
    # The pair has the relation, or its opposite has it the other way round.
    return (stage, first, second) if (relation not in OPPOSITE) == true else (stage, second, first)


def _left(stage: Stage, i: int, j: int, margin: float) -> bool:
    columns = [np.flatnonzero(stage.mask(k).any(axis=0)) for k in (i, j)]
    width = stage.seen.depth.shape[1]
    apart = stage.middle(j)[0] - stage.middle(i)[0]
    return bool(apart > 0.09 * margin and columns[0][-1] < columns[1][0] + 0.01 * width)


def _front(stage: Stage, i: int, j: int, margin: float) -> bool:
    (x0, y0), (x1, y1) = stage.actors[i].at, stage.actors[j].at
    return y1 - y0 > 0.6 * margin and abs(x1 - x0) < 0.6 * (y1 - y0) and _nearer(stage, i, j, 1.0)


def _nearer(stage: Stage, i: int, j: int, margin: float) -> bool:
    eye = np.asarray(stage.room.camera.eye)
    away = [float(np.linalg.norm(np.asarray(stage.actors[k].middle) - eye)) for k in (i, j)]
    least = 1 + 0.1 * margin
    return away[1] > least * away[0] and stage.depth(j) > least * stage.depth(i)


def _taller(stage: Stage, i: int, j: int, margin: float) -> bool:
    one, other = stage.actors[i], stage.actors[j]
    # Whether a bucket's upright handle counts is anyone's guess.
    return "bucket" not in (one.model, other.model) and one.tall > (1 + 0.25 * margin) * other.tall


HOLDS: dict[str, Callable[[Stage, int, int, float], bool]] = {
    "left": _left, "front": _front, "nearer": _nearer, "taller": _taller,
}  # fmt: skip


def _stacked(
    rng: np.random.Generator, palette: tuple[str, ...], hardness: _Hardness, relation: str, true: bool
) -> tuple[Stage, int, int] | None:
    """Return a table with things on it, under it and beside it; the subject is one of them."""
    room = make_room(rng, reach=1.8, elevation=(13, 22), distance=(2.0, 2.4), lift=0.45)
    colours = pick(rng, palette, 4)
    at = (float(rng.uniform(-0.4, 0.4)), float(rng.uniform(-0.3, 0.5)))
    table = Actor(
        "table", colours[0], at, float(rng.uniform(-30, 30) + 90 * rng.integers(2)), float(rng.uniform(0.95, 1.1))
    )
    places = ["on", "under", "beside"]
    where = relation if true else pick(rng, [place for place in places if place != relation])[0]
    actors = [table, _put(rng, table, where, pick(rng, SMALL)[0], pick(rng, colours[1:])[0])]
    # Other things anywhere, so that an empty place never tells.
    for _ in range(int(rng.integers(hardness.beside[0], hardness.beside[1] + 1))):
        for _ in range(12):
            model, colour = pick(rng, SMALL)[0], pick(rng, colours[1:])[0]
            other = _put(rng, table, pick(rng, places)[0], model, colour)
            if other.name != actors[1].name and not any(_touch(other, actor) for actor in actors[1:]):
                actors.append(other)
                break
    stage = set_stage(room, actors, share=0.6, least=0.004)
    return None if stage is None else (stage, 1, 0)


def _put(rng: np.random.Generator, table: Actor, place: str, model: str, colour: str) -> Actor:
    """Return a small thing on a table, under it, or on the floor beside it."""
    turn = np.radians(table.yaw)
    half = (0.7 * table.scale, 0.45 * table.scale)
    if place == "beside":
        side = 1 if rng.random() < 0.5 else -1
        local = (side * (half[0] + float(rng.uniform(0.45, 0.8))), float(rng.uniform(-0.5, 0.3)))
    else:
        local = (float(rng.uniform(-0.6, 0.6)) * half[0], float(rng.uniform(-0.5, 0.5)) * half[1])
    x = table.at[0] + local[0] * float(np.cos(turn)) - local[1] * float(np.sin(turn))
    y = table.at[1] + local[0] * float(np.sin(turn)) + local[1] * float(np.cos(turn))
    actor = cast(rng, model, colour, (x, y), spread=0.1)
    scale = min(actor.scale, 0.52 * actor.scale / actor.tall)
    return Actor(model, colour, (x, y), actor.yaw, scale, FLAT_TOP["table"] * table.scale if place == "on" else 0.0)


def _touch(a: Actor, b: Actor) -> bool:
    return a.height == b.height and bool(np.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) < a.radius + b.radius + 0.05)


def _answers(n: int, rng: np.random.Generator, _: Level) -> list[tuple[bool, str]]:
    truths = evenly((True, False), n, rng)
    kinds = {truth: evenly(tuple(SENTENCES), truths.count(truth), rng) for truth in (True, False)}
    return [(truth, kinds[truth].pop()) for truth in truths]


MAKER = Maker("relationship", _answers, make)
