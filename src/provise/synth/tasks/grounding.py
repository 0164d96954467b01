"""Grounding: the one thing of the scene that an expression fits."""

from __future__ import annotations

import json
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from provise.synth.actors import KINDS, PALETTES, cast, pick
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.refer import WAYS, expressions
from provise.synth.room import make_room
from provise.synth.stage import set_stage, spread_out

__all__ = ["MAKER"]

NAMED = (*KINDS, "bottle")
LEAST, MOST = 0.0035, 0.09
"""Least and largest share of the picture that the meant thing covers."""


@dataclass(frozen=True)
class _Hardness:
    things: tuple[int, int]
    kinds: int


HARDNESS: dict[Level, _Hardness] = {
    "easy": _Hardness((4, 5), 3),
    "medium": _Hardness((6, 8), 3),
    "hard": _Hardness((8, 11), 3),
}
"""Things, and how many kinds they are of."""


def make(way: str, rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose target is singled out in some way."""
    hardness = HARDNESS[level]
    palette = pick(rng, PALETTES[int(rng.integers(len(PALETTES)))], 4)
    kinds = pick(rng, NAMED, hardness.kinds)
    room = make_room(rng, reach=2.2, elevation=(22, 38), distance=(2.1, 2.6))
    n = int(rng.integers(hardness.things[0], hardness.things[1] + 1))
    actors = [
        cast(rng, kinds[int(rng.integers(len(kinds)))], pick(rng, palette)[0], (0, 0), spread=0.32) for _ in range(n)
    ]
    stood = spread_out(rng, actors, (1.8, 1.7), 0.1)
    stage = set_stage(room, stood, share=0.6, least=0.0015) if stood else None
    if stage is None:
        return None
    found = [e for e in expressions(stage, way) if LEAST <= stage.mask(e.target).mean() <= MOST]
    if not found:
        return None
    meant = found[int(rng.integers(len(found)))]
    picture, fine = stage.shown()
    mask = fine.mask(meant.target)
    return Item(
        _question(rng, meant.words),
        json.dumps(_outline(mask)),
        "mask",
        (picture,),
        mask=mask,
        facts={"stage": stage, "way": way, "words": meant.words, "target": meant.target},
    )


def _question(rng: np.random.Generator, words: str) -> str:
    forms = (f"Point to {words}.", f"Where is {words}?", f"Mark {words}.")
    return forms[int(rng.integers(len(forms)))]


def _outline(mask: npt.NDArray[np.bool_]) -> list[list[float]]:
    """Return the outline of a mask's largest part, as shares of width and height, within a pixel."""
    outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outlines, key=cv2.contourArea)
    points = cv2.approxPolyDP(largest, 1.0, True).reshape(-1, 2)
    h, w = mask.shape
    return [[round((float(x) + 0.5) / w, 4), round((float(y) + 0.5) / h, 4)] for x, y in points]


MAKER = Maker("grounding", lambda n, rng, _: evenly(WAYS, n, rng), make)
