"""Perspective: in which direction something lies for a figure that stands in the scene and looks ahead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from provise.synth.actors import PALETTES, Actor, cast, pick
from provise.synth.compass import LABELS
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.room import make_room
from provise.synth.stage import set_stage

__all__ = ["MAKER"]

FIGURES = ("robot", "dog")
THINGS = ("ball", "cube", "cylinder", "cone", "mug", "pot", "bucket", "lamp", "plant", "chair")
LETTERS = "ABCD"


@dataclass(frozen=True)
class _Hardness:
    others: tuple[int, int]
    turned: tuple[float, float]
    slack: float


HARDNESS: dict[Level, _Hardness] = {
    "easy": _Hardness((1, 2), (-90.0, 90.0), 7.0),
    "medium": _Hardness((2, 4), (-180.0, 180.0), 9.0),
    "hard": _Hardness((4, 6), (90.0, 270.0), 11.0),
}
"""Other things, where the figure looks (0 is where the viewer does), degrees off the exact direction."""


def make(wanted: tuple[str, str], rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose right option is a letter, which names a direction."""
    direction, letter = wanted
    hardness = HARDNESS[level]
    palette = PALETTES[int(rng.integers(len(PALETTES)))]
    room = make_room(rng, reach=2.3, elevation=(26, 42))
    yaw = float(rng.uniform(*hardness.turned))
    figure = FIGURES[int(rng.integers(len(FIGURES)))]
    here = (float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-0.5, 0.4)))
    first = cast(rng, figure, pick(rng, palette)[0], here)
    actors = [Actor(figure, first.colour, here, yaw, 1.15 * first.scale)]
    angle = LABELS.index(direction) * 45 + float(rng.uniform(-hardness.slack, hardness.slack))
    models = pick(rng, THINGS, 1 + int(rng.integers(hardness.others[0], hardness.others[1] + 1)))
    for i, model in enumerate(models):
        actor = _beside(rng, actors, cast(rng, model, pick(rng, palette)[0], (0, 0)), angle if i == 0 else None)
        if actor is None:
            return None
        actors.append(actor)
    stage = set_stage(room, actors, share=0.5, least=0.0012)
    if stage is None or stage.share(0) < 0.9 or stage.mask(0).mean() < 0.006:
        return None
    choices = _options(rng, direction, letter)
    return Item(
        _question(rng, actors[0].noun, actors[1].name),
        letter,
        "choice",
        (stage.picture(),),
        choices=choices,
        facts={"stage": stage, "slack": hardness.slack},
    )


def _beside(rng: np.random.Generator, actors: list[Actor], thing: Actor, angle: float | None) -> Actor | None:
    """Return a thing put some way from the first actor, in a direction from its view or in any; None without room."""
    first = actors[0]
    for _ in range(25):
        around = float(rng.uniform(0, 360)) if angle is None else angle
        away = first.radius + thing.radius + float(rng.uniform(0.2, 1.1))
        turn = np.radians(around - first.yaw)
        at = (first.at[0] + away * float(np.sin(turn)), first.at[1] + away * float(np.cos(turn)))
        if all(np.hypot(at[0] - a.at[0], at[1] - a.at[1]) >= thing.radius + a.radius + 0.08 for a in actors):
            return Actor(thing.model, thing.colour, at, thing.yaw, thing.scale)
    return None


def _options(rng: np.random.Generator, direction: str, letter: str) -> tuple[str, ...]:
    """Return four directions, the right one at its letter's place."""
    others = pick(rng, [label for label in LABELS if label != direction], 3)
    others.insert(LETTERS.index(letter), direction)
    return tuple(others)


def _question(rng: np.random.Generator, figure: str, thing: str) -> str:
    forms = (
        f"The {figure} looks straight ahead. From the {figure}'s own point of view, in which direction is the {thing}?",
        f"Imagine you are the {figure} and look where it looks. In which direction is the {thing} from you?",
        f"From where the {figure} stands and faces, where is the {thing}?",
    )
    rule = f"Front means ahead of the {figure}, back means behind it, left and right are the {figure}'s own."
    return f"{forms[int(rng.integers(len(forms)))]} {rule}"


def _answers(n: int, rng: np.random.Generator, _: Level) -> list[tuple[str, str]]:
    return list(zip(evenly(LABELS, n, rng), evenly(LETTERS, n, rng), strict=True))


MAKER = Maker("perspective", _answers, make)
