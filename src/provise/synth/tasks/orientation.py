"""Orientation: which of eight ways a thing with a front faces, as the viewer sees it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from provise.synth.actors import PALETTES, Actor, cast, pick
from provise.synth.compass import AWAY, LABELS, off
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.models import FACING
from provise.synth.room import make_room
from provise.synth.stage import clear_of, set_stage

__all__ = ["MAKER"]

OTHERS = ("ball", "cube", "cylinder", "cone", "mug", "pot", "bucket", "lamp", "plant", "shelf")


@dataclass(frozen=True)
class _Hardness:
    others: tuple[int, int]
    facing: int
    slack: float


HARDNESS: dict[Level, _Hardness] = {
    "easy": _Hardness((1, 3), 0, 6.0),
    "medium": _Hardness((2, 4), 1, 9.0),
    "hard": _Hardness((3, 5), 3, 11.0),
}
"""Other things, how many of these have a front, degrees off the exact direction."""

MOST_OFF = 14.0
"""Degrees off at most, whether one counts from the line of sight or from the camera's axis."""


def make(direction: str, rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose answer is a direction."""
    hardness = HARDNESS[level]
    palette = PALETTES[int(rng.integers(len(PALETTES)))]
    model = FACING[int(rng.integers(len(FACING)))]
    colour = pick(rng, palette)[0]
    room = make_room(rng, reach=2.1, elevation=(20, 36), lift=0.35)
    at = (float(rng.uniform(-0.55, 0.55)), float(rng.uniform(-0.9, 0.7)))
    eye = room.camera.eye
    sight = -float(np.degrees(np.arctan2(at[0] - eye[0], at[1] - eye[1])))
    # Half way between the direction by the line of sight and that by the camera's axis: both are the same eighth.
    yaw = AWAY[direction] + sight / 2 + float(rng.uniform(-hardness.slack, hardness.slack))
    if max(off(yaw, AWAY[direction]), off(yaw - sight, AWAY[direction])) > MOST_OFF:
        return None
    target = Actor(model, colour, at, yaw, 1.25 * cast(rng, model, colour, at, spread=0.1).scale)
    actors = [target]
    for i in range(int(rng.integers(hardness.others[0], hardness.others[1] + 1))):
        named = _other(rng, palette, colour, i < hardness.facing)
        other = clear_of(rng, actors, cast(rng, *named, (0, 0)), (1.6, 1.5), 0.15)
        if other is None:
            return None
        actors.append(other)
    stage = set_stage(room, actors, share=0.45, least=0.001)
    if stage is None or stage.share(0) < 0.92 or stage.mask(0).mean() < 0.012:
        return None
    name = f"the {target.name}" if hardness.facing and level != "easy" else f"the {target.noun}"
    return Item(
        _question(rng, name), direction, "direction", (stage.picture(),), facts={"stage": stage, "slack": MOST_OFF}
    )


def _other(rng: np.random.Generator, palette: tuple[str, ...], colour: str, has_front: bool) -> tuple[str, str]:
    """Return model and colour of another thing: one with a front never has the colour of the one asked about."""
    colours = [c for c in palette if c != colour]
    return pick(rng, FACING if has_front else OTHERS)[0], pick(rng, colours)[0]


def _question(rng: np.random.Generator, name: str) -> str:
    forms = (
        f"Which way does {name} face, as the viewer sees it?",
        f"In which direction does the front of {name} point, as seen by the viewer?",
        f"Seen from the camera, which way is {name} facing?",
    )
    rule = "Front means towards the viewer, back means away from the viewer, left and right are the viewer's."
    return f"{forms[int(rng.integers(len(forms)))]} {rule}"


MAKER = Maker("orientation", lambda n, rng, _: evenly(LABELS, n, rng), make)
