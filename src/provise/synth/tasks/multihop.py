"""Multi-hop: things in a row are moved, step by step, in words; what then stands where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from provise.synth.actors import pick
from provise.synth.camera import Camera
from provise.synth.furniture import PALETTE, put
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.places import light, room, slab
from provise.synth.render import Thing, render
from provise.synth.room import SIZE

__all__ = ["MAKER"]

_MODELS = {
    "mug": 0.62, "ball": 0.6, "cube": 0.52, "cone": 0.72, "cylinder": 0.62, "pot": 0.62, "bucket": 0.66, "lamp": 0.62,
    "car": 0.5, "dog": 0.8, "robot": 0.56, "kettle": 0.55, "bottle": 0.6, "jar": 0.72, "basket": 0.62,
}  # fmt: skip
"""What may stand in the row, and the scale that makes it about as large as the others."""
_SIDEWAYS = {"car": 60.0, "dog": 60.0}
_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "brown", "white", "grey")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")

Row = list[str]


def _swap(rng: np.random.Generator, row: Row) -> tuple[str, Row]:
    a, b = (row[int(i)] for i in rng.permutation(len(row))[:2])
    swapped = {a: b, b: a}
    return f"the {a} and the {b} change places", [swapped.get(name, name) for name in row]


def _to_end(rng: np.random.Generator, row: Row) -> tuple[str, Row]:
    left = bool(rng.random() < 0.5)
    name = row[int(rng.integers(1, len(row))) if left else int(rng.integers(len(row) - 1))]
    rest = [other for other in row if other != name]
    return f"the {name} is moved to the {'left' if left else 'right'} end of the row", [name, *rest] if left else [
        *rest,
        name,
    ]


def _beside(rng: np.random.Generator, row: Row) -> tuple[str, Row]:
    name, other = (row[int(i)] for i in rng.permutation(len(row))[:2])
    left = bool(rng.random() < 0.5)
    rest = [each for each in row if each != name]
    at = rest.index(other) + (0 if left else 1)
    return f"the {name} is put directly to the {'left' if left else 'right'} of the {other}", [
        *rest[:at],
        name,
        *rest[at:],
    ]


def _reverse(rng: np.random.Generator, row: Row) -> tuple[str, Row]:
    return "the whole row is put in reverse order", row[::-1]


Step = Callable[[np.random.Generator, Row], tuple[str, Row]]
_STEPS: dict[Level, tuple[Step, ...]] = {
    "easy": (_swap, _to_end),
    "medium": (_swap, _to_end, _beside),
    "hard": (_swap, _to_end, _beside, _reverse),
}
_NUMBERS: dict[Level, tuple[tuple[int, int], tuple[int, int]]] = {
    "easy": ((4, 4), (1, 2)),
    "medium": ((5, 6), (2, 3)),
    "hard": ((6, 7), (3, 4)),
}
"""Least and most things, least and most steps."""


def _asked(rng: np.random.Generator, row: Row) -> tuple[str, str]:
    """Return what is asked of the last row, and what it is."""
    if rng.random() < 0.5:
        at, left = int(rng.integers(len(row))), bool(rng.random() < 0.5)
        right = row[at] if left else row[-1 - at]
        return f"Which is then the {_ORDINALS[at]} from the {'left' if left else 'right'}?", right
    at = int(rng.integers(len(row) - 1))
    if rng.random() < 0.5:
        return f"What then stands directly to the left of the {row[at + 1]}?", row[at]
    return f"What then stands directly to the right of the {row[at]}?", row[at + 1]


def _names(rng: np.random.Generator, n: int) -> list[tuple[str, str]]:
    models = pick(rng, tuple(_MODELS), n)
    return list(zip(pick(rng, _COLOURS, n), models, strict=True))


def _scene(rng: np.random.Generator, row: list[tuple[str, str]]) -> tuple[Camera, list[Thing]]:
    """Return the row on a board, left to right as the camera sees it."""
    n = len(row)
    pitch = 0.86
    high = float(rng.uniform(0.6, 0.8))
    reach = n * pitch / 2 + 0.15
    wood = ((150, 112, 76), (196, 176, 146), (108, 84, 66), (178, 180, 180))[int(rng.integers(4))]
    things = room(rng, (6.0, 2.4), 6.0, "N")
    things.append(slab("board", (-reach, -0.5, high - 0.08), (reach, 0.5, high), wood, "grain"))
    things += [
        slab(f"leg {x}", (x - 0.07, -0.4, 0), (x + 0.07, 0.4, high - 0.08), wood, "plain")
        for x in (0.25 - reach, reach - 0.25)
    ]
    for i, (colour, model) in enumerate(row):
        x, y = (i - (n - 1) / 2) * pitch + float(rng.uniform(-0.05, 0.05)), float(rng.uniform(-0.14, 0.1))
        yaw = 180.0 + _SIDEWAYS.get(model, 0.0) + float(rng.uniform(-25, 25))
        scale = _MODELS[model] * float(rng.uniform(0.92, 1.04))
        things.append(
            put(model, f"{colour} {model}", (x, y), yaw=yaw, scale=scale, colour=PALETTE[colour], height=high)
        )
    away = 1.02 * (reach + 0.1) / np.tan(np.radians(22))
    eye = (float(rng.uniform(-0.6, 0.6)), -float(away), high + float(rng.uniform(0.7, 1.5)))
    return Camera(eye, (0.0, 0.0, high + float(rng.uniform(0.1, 0.35))), SIZE, 44.0), things


def make(wanted: str, rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose right option has the wanted letter."""
    (few, many), (least, most) = _NUMBERS[level]
    pieces = _names(rng, int(rng.integers(few, many + 1)))
    first = [f"{colour} {model}" for colour, model in pieces]
    row, told = first, list[str]()
    for _ in range(int(rng.integers(least, most + 1))):
        steps = _STEPS[level]
        words, after = steps[int(rng.integers(len(steps)))](rng, row)
        if after == row or (told and words == told[-1]):
            return None
        told.append(words)
        row = after
    asked, right = _asked(rng, row)
    before = _before(asked, first)
    # What the untouched row would give is among the options, and is wrong.
    if before == right or row == first:
        return None
    named = asked.split(" of the ")[-1].rstrip("?")
    others = [name for name in first if name not in (right, named, before)]
    wrong = [others[int(i)] for i in rng.permutation(len(others))]
    wrong = ([before, *wrong] if before and before != named else wrong)[:3]
    if len(wrong) < 3:
        return None
    options = [wrong[int(i)] for i in rng.permutation(3)]
    options.insert("ABCD".index(wanted), right)
    camera, things = _scene(rng, pieces)
    start = ("First", "Then", "After that", "At last") if len(told) > 2 else ("First", "Then")
    steps_told = " ".join(f"{start[i]} {words}." for i, words in enumerate(told))
    question = f"The things stand in a row, from left to right as you see them. {steps_told} {asked}"
    facts: dict[str, Any] = {"camera": camera, "things": things, "row": first, "last": row, "right": right}
    picture = render(camera, things, light(rng, indoors=True))
    return Item(question, wanted, "choice", (picture,), tuple(f"the {o}" for o in options), facts=facts)


def _before(asked: str, row: Row) -> str | None:
    """Return what the same question asks of another row; None where nothing stands there."""
    for at, word in enumerate(_ORDINALS):
        if f"the {word} from the left" in asked and at < len(row):
            return row[at]
        if f"the {word} from the right" in asked and at < len(row):
            return row[-1 - at]
    at = row.index(asked.split(" of the ")[-1].rstrip("?")) + (-1 if "to the left" in asked else 1)
    return row[at] if 0 <= at < len(row) else None


def _answers(n: int, rng: np.random.Generator, level: Level) -> list[str]:
    return evenly("ABCD", n, rng)


MAKER = Maker("multihop", _answers, make)
