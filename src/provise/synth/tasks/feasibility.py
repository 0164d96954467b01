"""Feasibility: does a thing fit where it is to go, with so much to spare; width or height decides, never by a hair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.synth.actors import pick
from provise.synth.camera import Camera
from provise.synth.furniture import PALETTE, put
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.pieces import RGB, shade
from provise.synth.places import colour_of, light, room, slab
from provise.synth.render import Thing, render
from provise.synth.room import SIZE

__all__ = ["MAKER", "extent"]

_MARGINS: dict[Level, tuple[float, float]] = {"easy": (0.26, 0.4), "medium": (0.16, 0.26), "hard": (0.09, 0.15)}
"""Room left over, or wanting, as a share of the thing's own extent, beyond the stated clearance."""
_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "brown", "white", "grey")
_WOODS: tuple[RGB, ...] = ((150, 112, 76), (184, 160, 128), (112, 86, 66), (190, 188, 182), (132, 140, 146))


@dataclass(frozen=True)
class _Scene:
    """A scene, its question, and what decides: the thing's extent and the room there is, along x and z, in metres."""

    camera: Camera
    things: list[Thing]
    thing: str
    question: str
    hole: tuple[float, float, float, float]
    """x0, z0, x1, z1 of the room there is."""
    clearance: float
    depth: float
    """Where along y thing and room are measured."""


Sides = tuple[float, float]
Scene = Callable[[np.random.Generator, Sides], _Scene]


def extent(thing: Thing) -> npt.NDArray[np.float64]:
    """Return the corners of a thing's bounding box: least and greatest x, y, z, shape (2, 3)."""
    corners = np.concatenate([part.corners for part in thing.parts])
    return np.stack([corners.min(axis=0), corners.max(axis=0)])


def _one(rng: np.random.Generator, *names: str) -> str:
    return names[int(rng.integers(len(names)))]


_FLAT = ("fridge", "chest of drawers", "wardrobe", "suitcase", "shelf", "cube")
"""What is widest at its front; the others are round, and widest in their middle."""


def _standing(
    rng: np.random.Generator, model: str, name: str, x: float, front: float, scale: float, high: float = 0.0
) -> Thing:
    """Return a thing that faces us, widest where it is held against the room: what is as wide there looks as wide."""
    colour = colour_of(rng, PALETTE[name.split()[0]], 6)
    back = 0.0
    if model in _FLAT:
        back = -float(extent(put(model, name, (0, 0), yaw=180, scale=scale))[0, 1])
    return put(model, name, (x, front + back), yaw=180, scale=scale, colour=colour, height=high)


def _gap(rng: np.random.Generator, share: Sides) -> _Scene:
    """Two cupboards along a wall, a gap between them, and a piece of furniture beside them."""
    model = _one(rng, "fridge", "chest of drawers", "wardrobe", "suitcase", "shelf")
    scale = {"suitcase": 0.75, "wardrobe": 0.78}.get(model, 0.85) * float(rng.uniform(0.78, 1.22))
    mine, *_ = pick(rng, _COLOURS, 1)
    name = f"{mine} {model}"
    side = float(rng.choice([-1, 1]))
    thing = _standing(rng, model, name, 0, -0.3, scale)
    low, high = extent(thing)
    wide, clearance = float(high[0] - low[0]), 0.02
    free = _room_for(wide, share[0], clearance)
    # From the picture's left or right: the thing, a cupboard, the gap, a cupboard.
    first, second = (float(v) for v in rng.uniform(0.6, 0.9, 2))
    start = -(wide + 0.35 + first + free + second) / 2
    things = room(rng, (6.0, 0.4), 5.0, "N")
    thing = _standing(rng, model, name, side * (start + wide / 2), -0.3, scale)
    at = start + wide + 0.35
    tall = float(rng.uniform(1.1, 1.7))
    wood = colour_of(rng, _WOODS[int(rng.integers(len(_WOODS)))])
    for k, width in enumerate((first, second)):
        x0, x1 = sorted((side * at, side * (at + width)))
        up = tall * float(rng.uniform(0.85, 1.15))
        things.append(slab(f"cupboard {k}", (x0, -0.3, 0.0), (x1, 0.36, up), wood, "plain"))
        things += _doors(f"door {k}", (x0, x1), up, shade(wood, 0.86))
        at += width + (free if k == 0 else 0.0)
    x0, x1 = sorted((side * (start + wide + 0.35 + first), side * (start + wide + 0.35 + first + free)))
    question = (
        f"Does the {name} fit into the gap between the two cupboards, upright and facing us as it does now, "
        f"with at least 2 centimetres to spare on each side?"
    )
    camera = _facing(rng, abs(2 * start) * 1.24, -0.3, 0.8)
    return _Scene(camera, [*things, thing], name, question, (x0, 0.0, x1, 9.0), clearance, -0.3)


def _doors(name: str, sides: Sides, up: float, colour: RGB) -> list[Thing]:
    """Return two doors, painted on a cupboard's front so to speak, and their knobs."""
    (x0, x1), middle, thick = sides, sum(sides) / 2, 0.004
    halves = ((x0 + 0.03, middle - 0.012), (middle + 0.012, x1 - 0.03))
    doors = [slab(f"_{name}", (a, -0.3 - thick, 0.09), (b, -0.3, up - 0.04), colour, "plain") for a, b in halves]
    knobs = [
        slab(f"_{name} knob", (x - 0.012, -0.315, up / 2), (x + 0.012, -0.3, up / 2 + 0.09), (60, 58, 60), "plain")
        for x in (middle - 0.05, middle + 0.05)
    ]
    return doors + knobs


def _room_for(size: float, share: float, clearance: float) -> float:
    """Return the room for a size: larger by the clearance and a share, or smaller by a share below zero."""
    return size * (1 + share) + (2 * clearance if share > 0 else 0.0)


def _facing(rng: np.random.Generator, wide: float, front: float, high: float) -> Camera:
    """Return a camera that looks straight at a plane, of which a width fills the picture, or a part of it.

    From how far away it looks says nothing, so that a hole that is large in the picture need not be the larger one.
    """
    wide *= float(rng.uniform(1.0, 1.3))
    view = float(rng.uniform(38, 48))
    away = wide / 2 / float(np.tan(np.radians(view / 2)))
    x = float(rng.uniform(-0.06, 0.06)) * wide
    return Camera((x, front - away, high + float(rng.uniform(0.0, 0.25)) * wide / 3), (x, front, high), SIZE, view)


def _under(rng: np.random.Generator, share: Sides) -> _Scene:
    """A table, and beside it something to be pushed under it."""
    model = _one(rng, "suitcase", "chest of drawers", "cube", "basket", "pot", "bucket", "jar")
    name = f"{pick(rng, _COLOURS, 1)[0]} {model}"
    unit = extent(put(model, name, (0, 0), yaw=180))
    scale = float(rng.uniform(0.42, 0.7)) / float(unit[1, 2] - unit[0, 2])
    side = float(rng.choice([-1, 1]))
    thing = _standing(rng, model, name, 0, -0.4, scale)
    low, high = extent(thing)
    wide, tall, clearance = float(high[0] - low[0]), float(high[2] - low[2]), 0.02
    free, up = _room_for(wide, share[0], clearance), _room_for(tall, share[1], clearance / 2)
    top, leg = 0.06, 0.07
    left = -(wide + 0.4 + free + 2 * leg) / 2
    thing = _standing(rng, model, name, side * (left + wide / 2), -0.4, scale)
    x0, x1 = sorted((side * (left + wide + 0.4 + leg), side * (left + wide + 0.4 + leg + free)))
    wood = colour_of(rng, _WOODS[int(rng.integers(len(_WOODS)))])
    things = room(rng, (6.0, 1.2), 5.0, "N")
    for k, (a, b) in enumerate(((x0 - leg, x0), (x1, x1 + leg))):
        things.append(slab(f"front leg {k}", (a, -0.4, 0), (b, -0.33, up), wood, "plain"))
        things.append(slab(f"back leg {k}", (a, 0.33, 0), (b, 0.4, up), wood, "plain"))
    things.append(slab("top", (x0 - leg - 0.05, -0.42, up), (x1 + leg + 0.05, 0.42, up + top), wood, "grain"))
    question = (
        f"Can the {name} be pushed straight back under the table, between its legs and without being turned or tilted, "
        f"with at least 2 centimetres to spare on each side and 1 centimetre above it?"
    )
    camera = _facing(rng, abs(2 * left) * 1.25, -0.4, 0.36)
    return _Scene(camera, [*things, thing], name, question, (x0, 0.0, x1, up), clearance, -0.4)


def _compartment(rng: np.random.Generator, share: Sides) -> _Scene:
    """A case with an empty compartment on a bench, and beside it something to be put in."""
    model = _one(
        rng, "mug", "pot", "jar", "bottle", "kettle", "lamp", "robot", "cone", "ball", "cylinder", "cube", "bucket"
    )
    name = f"{pick(rng, _COLOURS, 1)[0]} {model}"
    unit = extent(put(model, name, (0, 0), yaw=180))
    scale = float(rng.uniform(0.3, 0.48)) / float(unit[1, 2] - unit[0, 2])
    side, base = float(rng.choice([-1, 1])), 0.5
    thing = _standing(rng, model, name, 0, -0.2, scale, base)
    low, high = extent(thing)
    wide, tall, clearance = float(high[0] - low[0]), float(high[2] - low[2]), 0.01
    free, up = _room_for(wide, share[0], clearance), _room_for(tall, share[1], clearance / 2)
    board, other = 0.03, float(rng.uniform(0.25, 0.4))
    left = -(wide + 0.25 + free + other + 3 * board) / 2
    thing = _standing(rng, model, name, side * (left + wide / 2), -0.2, scale, base)
    x0, x1 = sorted((side * (left + wide + 0.25 + board), side * (left + wide + 0.25 + board + free)))
    o0, o1 = (x1 + board, x1 + board + other) if side > 0 else (x0 - board - other, x0 - board)
    wood = colour_of(rng, _WOODS[int(rng.integers(len(_WOODS)))])
    least, most = min(x0, o0) - board, max(x1, o1) + board
    foot = base + board
    thing = _standing(rng, model, name, side * (left + wide / 2), -0.2, scale, base)
    things = room(rng, (6.0, 0.7), 5.0, "N")
    things.append(slab("bench", (left - 0.25, -0.35, base - 0.06), (-left + 0.25, 0.4, base), (120, 108, 96), "grain"))
    things += [
        slab(f"leg {x}", (x, -0.3, 0), (x + 0.08, 0.3, base - 0.06), (100, 90, 80), "plain")
        for x in (left, -left - 0.08)
    ]
    for z0, z1, label in ((base, foot, "floor"), (foot + up, foot + up + board, "roof")):
        things.append(slab(f"case {label}", (least, -0.2, z0), (most, 0.2, z1), wood, "plain"))
    for k, x in enumerate((least, (x1 if side > 0 else x0 - board), most - board)):
        things.append(slab(f"case wall {k}", (x, -0.2, foot), (x + board, 0.2, foot + up), wood, "plain"))
    things.append(slab("case back", (least, 0.18, foot), (most, 0.2, foot + up), colour_of(rng, (96, 88, 82)), "plain"))
    # Something fills the other compartment, so that one alone is empty.
    things.append(
        slab(
            "books",
            (o0 + 0.015, -0.17, foot),
            (o1 - 0.015, 0.16, foot + up * 0.86),
            PALETTE[pick(rng, _COLOURS, 1)[0]],
            "stripes",
        )
    )
    question = (
        f"Does the {name} fit into the empty compartment of the case, upright and not turned, "
        f"with at least 1 centimetre to spare on each side and half a centimetre above it?"
    )
    camera = _facing(rng, abs(2 * left) * 1.3, -0.2, base + 0.24)
    return _Scene(camera, [*things, thing], name, question, (x0, foot, x1, foot + up), clearance, -0.2)


_SCENES: tuple[Scene, ...] = (_gap, _under, _compartment)


def make(wanted: tuple[bool, int], rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question with that answer, in the scene of that number."""
    fits, kind = wanted
    low, high = _MARGINS[level]
    tight, loose = float(rng.uniform(low, high)), float(rng.uniform(1.2 * low, 2 * high))
    # One side decides, either way; the other has room. A gap is open above.
    share = (tight if fits else -tight, loose)
    if _SCENES[kind] is not _gap and rng.random() < 0.5:
        share = (share[1], share[0])
    scene = _SCENES[kind](rng, share)
    picture = render(scene.camera, scene.things, light(rng, indoors=True))
    facts: dict[str, Any] = {
        "camera": scene.camera, "things": scene.things, "thing": scene.thing, "hole": scene.hole, "depth": scene.depth,
        "clearance": scene.clearance, "share": share,
    }  # fmt: skip
    return Item(scene.question, str(fits).lower(), "boolean", (picture,), facts=facts)


def _answers(n: int, rng: np.random.Generator, level: Level) -> list[tuple[bool, int]]:
    return evenly([(fits, kind) for kind in range(len(_SCENES)) for fits in (True, False)], n, rng)


MAKER = Maker("feasibility", _answers, make)
