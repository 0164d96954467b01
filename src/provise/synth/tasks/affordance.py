"""Affordance: which part of a thing one would hold to do something with it; the answer is the part's visible pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from provise.synth.actors import pick
from provise.synth.camera import Camera
from provise.synth.furniture import PALETTE, put
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.pieces import RGB
from provise.synth.places import colour_of, light, room, slab
from provise.synth.render import Thing, look, render
from provise.synth.room import SIZE

__all__ = ["LEAST", "MAKER", "USES"]

LEAST = 260
"""Pixels of the part that must be seen."""
_SEEN = 0.6
"""Share of its pixels that nothing else may hide."""
_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "white", "grey")


@dataclass(frozen=True)
class Use:
    """What one does with a thing, and the part one does it by.

    Parameters
    ----------
    model, part : str
        A model of `provise.synth.furniture.FURNITURE`, and the name of its solids.
    asks : str
        The question, with ``{}`` for the thing.
    yaws : tuple of float
        From which to which turn the part is well seen, in degrees.
    tall : float
        About how high the thing is to be on the table, in metres.
    """

    model: str
    part: str
    asks: str
    yaws: tuple[float, float] = (0.0, 360.0)
    tall: float = 0.55


USES: tuple[Use, ...] = (
    Use("mug", "handle", "You want to drink hot tea from {}. Which part of it do you hold?", (-215.0, 35.0)),
    Use("mug", "handle", "Which part of {} would you hold to lift it?", (-215.0, 35.0)),
    Use("pot", "knob", "Which part would you take between your fingers to lift the lid off {}?"),
    Use("pot", "handle", "Which parts would you hold to carry {} with both hands?", (-50.0, 50.0)),
    Use("bucket", "handle", "Which part of {} would you hold to carry it with one hand?"),
    Use("basket", "handle", "Which part of {} would you hold to carry it?"),
    Use("pan", "handle", "Which part of {} would you hold to take it off the stove?", (-200.0, 20.0), 0.26),
    Use("kettle", "handle", "Which part of {} would you hold to pour from it?", (-60.0, 60.0)),
    Use("kettle", "knob", "Which part would you take between your fingers to lift the lid off {}?", tall=0.75),
    Use("bottle", "cap", "Which part of {} would you turn to open it?", tall=0.7),
    Use("jar", "lid", "Which part of {} would you unscrew to open it?"),
    Use("suitcase", "handle", "Which part of {} would you hold to carry it?", (-60.0, 60.0)),
)
_OTHERS: dict[Level, int] = {"easy": 1, "medium": 3, "hard": 5}


def _spots(rng: np.random.Generator, n: int, gap: float) -> list[tuple[float, float]] | None:
    """Return places on the table, apart from each other."""
    spots: list[tuple[float, float]] = []
    for x, y in rng.uniform((-1.15, -0.6), (1.15, 0.6), (60, 2)):
        if all(np.hypot(x - a, (y - b)) > gap for a, b in spots):
            spots.append((float(x), float(y)))
        if len(spots) == n:
            return spots
    return None


def _named(rng: np.random.Generator, use: Use, level: Level) -> list[tuple[str, Use]]:
    """Return colour and use of the thing asked about, first, and of those beside it."""
    others = [other for other in USES if other.model != use.model]
    colours = pick(rng, _COLOURS, len(_COLOURS))
    beside = [others[int(i)] for i in rng.permutation(len(others))[: _OTHERS[level]]]
    if level == "hard":
        # Another one of the same kind: only its colour tells them apart.
        beside[0] = use
    return list(zip(colours, [use, *beside], strict=False))


def _scene(rng: np.random.Generator, named: list[tuple[str, Use]]) -> tuple[list[Thing], Camera] | None:
    spots = _spots(rng, len(named), 0.62)
    if spots is None:
        return None
    woods: tuple[RGB, ...] = ((164, 126, 90), (196, 178, 150), (122, 98, 78), (186, 188, 188), (150, 160, 150))
    wood = colour_of(rng, woods[int(rng.integers(len(woods)))])
    things = room(rng, (6.0, 1.9), 5.0, "N")
    high = 0.75
    things.append(slab("table", (-1.7, -1.0, high - 0.06), (1.7, 1.0, high), wood, "grain"))
    things += [
        slab(f"leg {x} {y}", (x, y, 0), (x + 0.1, y + 0.1, high - 0.06), wood, "plain")
        for x in (-1.6, 1.5)
        for y in (-0.9, 0.8)
    ]
    for (colour, use), (x, y) in zip(named, spots, strict=True):
        # Turns are meant for a thing in front of the camera: 180 shows its own front.
        yaw = float(rng.uniform(*use.yaws))
        tall = float(np.concatenate([part.corners for part in put(use.model, "", (0, 0)).parts])[:, 2].max())
        scale = use.tall / tall * float(rng.uniform(0.92, 1.12))
        things.append(
            put(use.model, f"{colour} {use.model}", (x, y), yaw=yaw, scale=scale, colour=PALETTE[colour], height=high)
        )
    turn = np.radians(rng.uniform(-28, 28))
    away, up = float(rng.uniform(4.2, 4.8)), float(rng.uniform(1.6, 2.7))
    eye = (away * float(np.sin(turn)), -away * float(np.cos(turn)), high + up)
    return things, Camera(eye, (0.0, 0.0, high + 0.12), SIZE, float(rng.uniform(34, 38)))


def make(wanted: Use, rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question about that use of a thing."""
    named = _named(rng, wanted, level)
    scene = _scene(rng, named)
    if scene is None:
        return None
    things, camera = scene
    name = f"{named[0][0]} {wanted.model}"
    index = [thing.name for thing in things].index(name)
    parts = [j for j, part in enumerate(things[index].parts) if part.name == wanted.part]
    seen = look(camera, things)
    mask = seen.mask(index) & np.isin(seen.part, parts)
    alone = look(camera, [things[index]])
    whole = int((alone.mask(0) & np.isin(alone.part, parts)).sum())
    # All that could be seen of it from here without the rest of the scene, which must lie inside the picture as well.
    free = look(camera, [Thing("part", tuple(things[index].parts[j] for j in parts))]).mask(0)
    border = free[0].any() or free[-1].any() or free[:, 0].any() or free[:, -1].any()
    if border or mask.sum() < LEAST or mask.sum() < _SEEN * whole or whole < 0.5 * free.sum():
        return None
    facts: dict[str, Any] = {"camera": camera, "things": things, "thing": name, "part": wanted.part}
    picture = render(camera, things, light(rng, indoors=True))
    return Item(wanted.asks.format(f"the {name}"), "", "mask", (picture,), mask=mask, facts=facts)


def _answers(n: int, rng: np.random.Generator, level: Level) -> list[Use]:
    return evenly(USES, n, rng)


MAKER = Maker("affordance", _answers, make)
