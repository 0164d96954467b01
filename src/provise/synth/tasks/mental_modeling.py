"""Mental modeling: four views from the middle of one room; what lies behind, or beside, whoever turns about in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from provise.synth.camera import Camera
from provise.synth.furniture import PALETTE, put
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.places import light, room
from provise.synth.render import Thing, views

__all__ = ["MAKER", "SIDES", "after"]

SIDES = ("front", "right", "back", "left")
"""In the order of the pictures, clockwise seen from above."""

SIZE = (400, 300)
_VIEW = 80.0
_EYE = 1.45
_LARGE = ("sofa", "bed", "wardrobe", "chest of drawers", "fridge", "television", "shelf", "table")
_SMALL = ("plant", "lamp", "chair", "bucket", "dog", "robot")
_HANGING = ("door", "window", "picture", "clock")
_DEEP = {"bed": 0.62, "sofa": 0.5, "table": 0.5}
"""How far from the wall a piece's middle stands; .4 m for the others."""
_TURNS = {"a quarter turn to your left": -1, "a quarter turn to your right": 1, "half a turn": 2}
_WHERE = {"behind you": 2, "on your left": -1, "on your right": 1, "straight in front of you": 0}


def after(side: int, turns: list[int]) -> int:
    """Return the side one faces after quarter turns to the right.

    Examples
    --------
    >>> SIDES[after(0, [-1, 2])]
    'right'
    """
    return (side + sum(turns)) % 4


def _side(rng: np.random.Generator, half: tuple[float, float], side: int, pieces: list[tuple[str, str]]) -> list[Thing]:
    """Return the pieces (model, colour) of one side, the large one in its middle, in front of its wall."""
    reach = half[1] if side % 2 == 0 else half[0]
    ahead = np.array([(0, 1), (1, 0), (0, -1), (-1, 0)][side], float)
    right = np.array([ahead[1], -ahead[0]])
    sign = float(rng.choice([-1, 1]))
    along = {
        0: float(rng.uniform(-0.2, 0.2)),
        1: sign * float(rng.uniform(1.25, 1.5)),
        2: -sign * float(rng.uniform(1.3, 1.5)),
    }
    things = []
    for i, (model, colour) in enumerate(pieces):
        gap = 0.06 if model in _HANGING else _DEEP.get(model, 0.4)
        x, y = (float(v) for v in (reach - gap) * ahead + along[i] * right)
        yaw = 180.0 - 90.0 * side + (float(rng.uniform(-20, 20)) if model in _SMALL else 0.0)
        scale = 1.35 if model in ("lamp", "plant") else 0.8 if model == "bucket" else 1.0
        things.append(put(model, model, (x, y), yaw=yaw, scale=scale, colour=PALETTE[colour]))
    return things


def _furnish(rng: np.random.Generator, per_side: int) -> list[list[tuple[str, str]]]:
    """Return model and colour of what stands on each side; every model once in the room."""
    kinds = (_LARGE, _SMALL if rng.random() < 0.5 else _HANGING, _HANGING)
    used: set[str] = set()
    sides: list[list[tuple[str, str]]] = [[] for _ in SIDES]
    colours = [name for name in PALETTE if name not in ("white", "black")]
    for i in range(per_side):
        free = [model for model in kinds[i] if model not in used]
        for k, at in enumerate(rng.permutation(len(free))[:4]):
            model = free[int(at)]
            used.add(model)
            sides[k].append((model, colours[int(rng.integers(len(colours)))]))
    return sides


def _question(rng: np.random.Generator, faced: str, side: int, turns: list[int], where: str) -> str:
    start = (
        "The four pictures were taken from the middle of one room: the first looks to the front, the second to the right, "
        "the third to the back, the fourth to the left. "
    )
    words = {number: text for text, number in _TURNS.items()}
    steps = "".join(
        f" {then} you make {words[turn]}." for then, turn in zip(("Then", "After that"), turns, strict=False)
    )
    now = "now " if turns else ""
    return f"{start}You stand in the middle and face the {faced} (picture {side + 1}).{steps} What is {now}{where}?"


def make(wanted: str, rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose right option has the wanted letter."""
    half = (float(rng.uniform(2.7, 3.3)), float(rng.uniform(2.7, 3.3)))
    per_side = {"easy": 1, "medium": 2, "hard": 2}[level]
    steps = {"easy": 0, "medium": 1, "hard": 2}[level]
    sides = _furnish(rng, per_side)
    turns = [int(rng.choice([-1, 1, 2])) for _ in range(steps)]
    start, where = int(rng.integers(4)), list(_WHERE)[int(rng.integers(4 if steps else 3))]
    target = after(start, [*turns, _WHERE[where]])
    if (level == "hard" and target == start) or (turns and sum(turns) % 4 == 0):
        return None
    faced = sides[start][0][0]
    which = int(rng.integers(per_side)) if target != start else per_side - 1
    if target == start and which == 0:
        return None
    right = sides[target][which][0]
    others = [sides[k][which][0] for k in range(4) if k != target]
    order = [int(i) for i in rng.permutation(3)]
    options = [others[i] for i in order]
    options.insert("ABCD".index(wanted), right)
    things = [thing for k in range(4) for thing in _side(rng, half, k, sides[k])]
    place = room(rng, half)
    sun = light(rng, indoors=True)
    heads = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
    cameras = [Camera((0, 0, _EYE), (x, y, _EYE - 0.16), SIZE, _VIEW) for x, y in heads]
    pictures = tuple(views(cameras, [*place, *things], sun))
    facts: dict[str, Any] = {
        "cameras": cameras, "things": [*place, *things], "faced": faced, "turns": turns, "where": where, "right": right,
    }  # fmt: skip
    question = _question(rng, faced, start, turns, where)
    metadata = {"images": [0, 1, 2, 3]}
    return Item(
        question, wanted, "choice", pictures, tuple(f"the {o}" for o in options), metadata=metadata, facts=facts
    )


def _answers(n: int, rng: np.random.Generator, level: Level) -> list[str]:
    return evenly("ABCD", n, rng)


MAKER = Maker("mental_modeling", _answers, make)
