"""Expressions that single out one thing of a scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from provise.synth.actors import Actor
from provise.synth.stage import Stage

__all__ = ["WAYS", "Expression", "expressions"]

ASIDE = 0.05
"""Least share of the picture's width that lies between what counts as left or right of a thing and what does not."""
DEEPER = 1.1
"""How many times as far away the next thing is at least, where the nearest or the farthest one is meant."""
LARGER = 1.25
"""How many times as large the next thing is at most, where the largest or the smallest one is meant."""


@dataclass(frozen=True)
class Expression:
    """Words for one thing of a scene.

    Parameters
    ----------
    words : str
        As in "the mug to the left of the red chair".
    target : int
        The thing's place among the actors.
    way : str
        How it is singled out, one of `WAYS`.
    """

    words: str
    target: int
    way: str


def expressions(stage: Stage, way: str) -> list[Expression]:
    """Return all expressions of one way that fit exactly one thing, and no other by a narrow margin.

    Parameters
    ----------
    stage : Stage
        The scene.
    way : str
        One of `WAYS`.
    """
    return [Expression(words, target, way) for words, target in _MAKERS[way](stage)]


Found = list[tuple[str, int]]


def _groups(stage: Stage, least: int = 2) -> dict[str, list[int]]:
    """Return the things of each kind of which there are several."""
    nouns = [actor.noun for actor in stage.actors]
    groups = {noun: [i for i, other in enumerate(nouns) if other == noun] for noun in sorted(set(nouns))}
    return {noun: members for noun, members in groups.items() if len(members) >= least}


def _single_names(stage: Stage) -> list[int]:
    names = [actor.name for actor in stage.actors]
    return [i for i, name in enumerate(names) if names.count(name) == 1]


def _by_colour(stage: Stage) -> Found:
    """A colour and a kind, where others share the kind."""
    several = {i for members in _groups(stage).values() for i in members}
    return [(f"the {stage.actors[i].name}", i) for i in _single_names(stage) if i in several]


def _extreme(values: Sequence[float], members: Sequence[int], gap: Callable[[float, float], bool]) -> int | None:
    """Return the member with the least value, where the next one is far enough from it."""
    order = sorted(members, key=lambda i: values[i])
    return order[0] if gap(values[order[0]], values[order[1]]) else None


def _by_side(stage: Stage) -> Found:
    """The first of its kind from the left or from the right."""
    x = [stage.middle(i)[0] for i in range(len(stage.actors))]
    found: Found = []
    for noun, members in _groups(stage).items():
        for side, values in (("left", x), ("right", [-v for v in x])):
            i = _extreme(values, members, lambda a, b: b - a >= ASIDE)
            if i is not None:
                found.append((f"the {noun} farthest to the {side}", i))
    return found


def _by_depth(stage: Stage) -> Found:
    """The nearest or the farthest of its kind."""
    eye = np.asarray(stage.room.camera.eye)
    away = [float(np.linalg.norm(np.asarray(actor.middle) - eye)) for actor in stage.actors]
    found: Found = []
    for noun, members in _groups(stage).items():
        near = _extreme(away, members, lambda a, b: b >= DEEPER * a)
        far = _extreme([-v for v in away], members, lambda a, b: a <= DEEPER * b)
        found += [(f"the {noun} closest to the camera", near)] if near is not None else []
        found += [(f"the {noun} farthest from the camera", far)] if far is not None else []
    return found


def _by_size(stage: Stage) -> Found:
    """The largest or the smallest of its kind, in truth and in the picture."""
    scale = [actor.scale for actor in stage.actors]
    area = [float(np.sqrt(stage.mask(i).sum() / stage.share(i))) for i in range(len(stage.actors))]
    found: Found = []
    for noun, members in _groups(stage).items():
        for word, sign in (("largest", -1), ("smallest", 1)):
            true = _extreme(
                [sign * v for v in scale], members, lambda a, b: max(abs(a), abs(b)) >= LARGER * min(abs(a), abs(b))
            )
            seen = _extreme(
                [sign * v for v in area], members, lambda a, b: max(abs(a), abs(b)) >= 1.12 * min(abs(a), abs(b))
            )
            if true is not None and true == seen:
                found.append((f"the {word} {noun}", true))
    return found


def _by_neighbour(stage: Stage) -> Found:
    """The only one of its kind on one side of another thing."""
    x = [stage.middle(i)[0] for i in range(len(stage.actors))]
    found: Found = []
    for noun, members in _groups(stage).items():
        for j in _single_names(stage):
            others = [i for i in members if i != j]
            if stage.actors[j].noun == noun or any(abs(x[i] - x[j]) < ASIDE for i in others):
                continue
            for side, inside in (
                ("left", [i for i in others if x[i] < x[j]]),
                ("right", [i for i in others if x[i] > x[j]]),
            ):
                if len(inside) == 1:
                    found.append((f"the {noun} to the {side} of the {stage.actors[j].name}", inside[0]))
    return found


def _by_nearness(stage: Stage) -> Found:
    """The one of its kind that stands closest to another thing."""
    found: Found = []
    for noun, members in _groups(stage).items():
        for j in _single_names(stage):
            if stage.actors[j].noun == noun:
                continue
            away = [_apart(actor, stage.actors[j]) for actor in stage.actors]
            i = _extreme(away, members, lambda a, b: b >= 1.6 * a and b - a >= 0.35)
            if i is not None:
                found.append((f"the {noun} standing closest to the {stage.actors[j].name}", i))
    return found


def _apart(a: Actor, b: Actor) -> float:
    return float(np.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]))


_MAKERS: dict[str, Callable[[Stage], Found]] = {
    "colour": _by_colour,
    "side": _by_side,
    "depth": _by_depth,
    "size": _by_size,
    "neighbour": _by_neighbour,
    "nearness": _by_nearness,
}
WAYS: tuple[str, ...] = tuple(_MAKERS)
"""Ways to single out a thing."""
