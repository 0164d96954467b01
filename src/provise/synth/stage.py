"""A room with things in it: what a camera sees of each, and whether all of them can be made out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from provise.synth.actors import Actor, in_frame, scattered
from provise.synth.render import Seen, Thing, look, show
from provise.synth.room import DRAFT, Room

__all__ = ["Stage", "clear_of", "set_stage", "spread_out"]

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Stage:
    """Things in a room, as its camera sees them.

    Parameters
    ----------
    room : Room
        Where they stand.
    actors : tuple of Actor
        What stands there.
    seen : Seen
        At some size; all shares hold for any.
    """

    room: Room
    actors: tuple[Actor, ...]
    seen: Seen

    def mask(self, i: int) -> Flags:
        """Return where an actor is seen."""
        return self.seen.mask(len(self.room.shell) + i)

    def share(self, i: int) -> float:
        """Return how much of an actor is seen, of what would be if it stood alone."""
        return self.seen.share(len(self.room.shell) + i)

    def middle(self, i: int) -> tuple[float, float]:
        """Return the middle of what is seen of an actor, as shares of width and height."""
        mask = self.mask(i)
        rows, columns = np.nonzero(mask)
        return float((columns.mean() + 0.5) / mask.shape[1]), float((rows.mean() + 0.5) / mask.shape[0])

    def depth(self, i: int) -> float:
        """Return how far along the camera's axis an actor's middle is, in metres."""
        return float(self.room.camera.project([self.actors[i].middle])[0, 2])

    def fine(self) -> Stage:
        """Return the same, seen at the size of the picture."""
        return Stage(self.room, self.actors, look(self.room.camera, self._things()))

    def shown(self) -> tuple[Bytes, Stage]:
        """Draw it, and return the picture and the same as `fine`."""
        picture, seen = show(self.room.camera, self._things(), self.room.light)
        return picture, Stage(self.room, self.actors, seen)

    def picture(self) -> Bytes:
        """Draw it."""
        return self.shown()[0]

    def _things(self) -> list[Thing]:
        return [*self.room.shell, *(actor.thing for actor in self.actors)]


def set_stage(room: Room, actors: Sequence[Actor], *, share: float = 0.5, least: float = 0.0012) -> Stage | None:
    """Return the scene, or None where something stands out of the frame, is hidden or is small.

    Parameters
    ----------
    room : Room
        Where they stand.
    actors : sequence of Actor
        What stands there.
    share : float
        Least share of each that is seen.
    least : float
        Least share of the picture that each covers.
    """
    if not all(in_frame(room.camera, actor.thing) for actor in actors):
        return None
    things = [*room.shell, *(actor.thing for actor in actors)]
    stage = Stage(room, tuple(actors), look(room.camera.resized(DRAFT), things))
    good = all(stage.share(i) >= share and stage.mask(i).mean() >= least for i in range(len(actors)))
    return stage if good else None


def spread_out(
    rng: np.random.Generator, actors: Sequence[Actor], reach: tuple[float, float], gap: float = 0.08
) -> list[Actor] | None:
    """Return the actors at places of the floor that keep clear of each other; None where they find no room."""
    places = scattered(rng, [actor.radius for actor in actors], reach, gap)
    if places is None:
        return None
    return [Actor(a.model, a.colour, at, a.yaw, a.scale) for a, at in zip(actors, places, strict=True)]


def clear_of(
    rng: np.random.Generator, actors: Sequence[Actor], thing: Actor, reach: tuple[float, float], gap: float = 0.1
) -> Actor | None:
    """Return a thing at a place of the floor that keeps clear of those that stand there; None where it finds no room."""
    for _ in range(30):
        x, y = (float(rng.uniform(-limit, limit)) for limit in reach)
        if all(np.hypot(x - a.at[0], y - a.at[1]) >= thing.radius + a.radius + gap for a in actors):
            return Actor(thing.model, thing.colour, (x, y), thing.yaw, thing.scale)
    return None
