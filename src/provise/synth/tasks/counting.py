"""Counting: how many things of a kind, of a colour, or of both there are among others that share one of the two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from provise.synth.actors import NOUNS, PALETTES, cast, pick, plural
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.room import SIZE, make_room
from provise.synth.stage import set_stage, spread_out

__all__ = ["COUNTS", "MAKER"]

COUNTS = tuple(range(2, 10))
"""Answers; 0 cannot be drawn, and 1 would be said by the plural of the question."""

KINDS = ("ball", "cube", "cylinder", "cone", "mug", "pot", "bucket", "plant", "car", "dog", "robot", "chair")
APART = 0.058
"""Least distance of two counted things' middles in the picture, as a share of its longer side: two stars fit."""
SEEN = 0.5
"""Least share of a counted thing that is seen."""
LEAST = 0.0012
"""Least share of the picture that a counted thing covers."""


@dataclass(frozen=True)
class _Hardness:
    others: tuple[int, int]
    reach: float
    crowd: float


HARDNESS: dict[Level, _Hardness] = {
    "easy": _Hardness((1, 6), 2.6, 0.16),
    "medium": _Hardness((3, 8), 2.6, 0.06),
    "hard": _Hardness((6, 11), 2.8, 0.02),
}
"""Least and most other things, metres of floor, metres between two things. Who counts all things alike learns little: as
many others are there as any other number, whatever the answer."""


def _wanted(rng: np.random.Generator, asked: str, count: int, others: int) -> tuple[list[tuple[str, str]], str]:
    """Return models and colours of all things, the counted ones first, and what is asked for in words."""
    palette = PALETTES[int(rng.integers(len(PALETTES)))]
    models = pick(rng, KINDS, 4)
    colours = pick(rng, palette, 4)
    model, colour = models[0], colours[0]

    def one_of(values: list[str]) -> str:
        return values[int(rng.integers(len(values)))]

    if asked == "kind":
        counted = [(model, one_of(colours)) for _ in range(count)]
        rest = [(one_of(models[1:]), one_of(colours)) for _ in range(others)]
        return counted + rest, plural(NOUNS[model][0])
    if asked == "colour":
        counted = [(one_of(models), colour) for _ in range(count)]
        rest = [(one_of(models), one_of(colours[1:])) for _ in range(others)]
        return counted + rest, f"{colour} objects"
    counted = [(model, colour)] * count
    rest = [
        (model, one_of(colours[1:])) if i % 2 else (one_of(models[1:]), colour if i % 4 == 0 else one_of(colours))
        for i in range(others)
    ]
    return counted + rest, f"{colour} {plural(NOUNS[model][0])}"


def make(wanted: tuple[int, int], rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose answer is a count, with so many other things; None where one is hidden or too close."""
    count, others = wanted
    hardness = HARDNESS[level]
    asked = ("kind", "colour", "both")[int(rng.integers(3))]
    described, words = _wanted(rng, asked, count, others)
    if asked != "kind" and any(model == "plant" for model, _ in described):
        return None  # its leaves are green whatever colour its pot is
    if words == "brown objects":
        return None  # so are frames and boards of the room
    reach = hardness.reach
    room = make_room(rng, reach=reach, elevation=(26, 44))
    cast_of = [cast(rng, model, colour, (0, 0)) for model, colour in described]
    actors = spread_out(rng, cast_of, (0.8 * reach, 0.75 * reach), hardness.crowd)
    # What is not counted must be told for what it is as well.
    stage = set_stage(room, actors, share=SEEN, least=LEAST) if actors else None
    if stage is None:
        return None
    points = np.array([stage.middle(i) for i in range(count)])
    if _gaps(points).min() < APART:
        return None
    return Item(
        _question(rng, words),
        str(count),
        "integer",
        (stage.picture(),),
        metadata={"points": [[round(float(v), 4) for v in point] for point in points]},
        facts={"asked": asked, "words": words, "stage": stage},
    )


def _gaps(points: np.ndarray) -> np.ndarray:
    """Return the distances of all pairs of points, as shares of the longer side."""
    away = (points[:, None] - points[None]) * (1, SIZE[1] / SIZE[0])
    return np.asarray(np.hypot(away[..., 0], away[..., 1])[np.triu_indices(len(points), 1)])


def _question(rng: np.random.Generator, words: str) -> str:
    forms = (
        f"How many {words} are there in the picture?",
        f"Count the {words} in this room. How many are there?",
        f"How many {words} can be seen?",
    )
    return forms[int(rng.integers(len(forms)))]


def _answers(n: int, rng: np.random.Generator, level: Level) -> list[tuple[int, int]]:
    least, most = HARDNESS[level].others
    return list(zip(evenly(COUNTS, n, rng), evenly(range(least, most + 1), n, rng), strict=True))


MAKER = Maker("counting", _answers, make)
