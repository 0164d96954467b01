"""Where things with a front face, from the solids that make the front."""

from __future__ import annotations

import numpy as np

from provise.synth.actors import Actor

FRONT = {"car": "headlight", "dog": "nose", "robot": "mouth", "chair": "back"}
LABELS = ("front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left")


def facing(actor: Actor) -> np.ndarray:
    """Return the way a thing faces on the floor, a unit vector (x, y)."""
    marks = [np.asarray(part.centre[:2]) for part in actor.thing.parts if part.name == FRONT[actor.model]]
    way = np.mean(marks, axis=0) - actor.at
    # One sits on a chair with the back behind oneself.
    way = -way if actor.model == "chair" else way
    return np.asarray(way / np.linalg.norm(way))


def label(ahead: np.ndarray, to: np.ndarray) -> tuple[str, float]:
    """Return the direction of ``to`` for whom looks ``ahead``, and how many degrees it is off the exact one."""
    right = np.array([ahead[1], -ahead[0]])
    angle = float(np.degrees(np.arctan2(to @ right, to @ ahead)) % 360)
    eighth = round(angle / 45)
    return LABELS[eighth % 8], abs(angle - 45 * eighth)
