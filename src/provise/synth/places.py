"""Places for scenes to be in: a room with four walls, a table top, a meadow."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from provise.synth.pieces import RGB, shade
from provise.synth.render import Light, Thing
from provise.synth.shapes import Part

__all__ = ["FLOORS", "WALLS", "colour_of", "light", "meadow", "room", "slab"]

FLOORS: tuple[tuple[RGB, str], ...] = (
    ((176, 140, 102), "wood"),
    ((146, 112, 82), "wood"),
    ((196, 170, 134), "wood"),
    ((190, 188, 182), "tiles"),
    ((168, 158, 146), "tiles"),
    ((150, 156, 160), "grain"),
    ((172, 162, 148), "grain"),
)
WALLS: tuple[RGB, ...] = (
    (226, 220, 208),
    (210, 216, 214),
    (222, 208, 196),
    (204, 212, 200),
    (212, 210, 222),
    (228, 222, 190),
    (196, 204, 214),
    (218, 200, 190),
)


def slab(
    name: str, low: tuple[float, float, float], high: tuple[float, float, float], colour: RGB, texture: str
) -> Thing:
    """Return a box between two corners as a thing of its own."""
    centre = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)
    half = ((high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2)
    return Thing(name, (Part("box", centre, half, colour=colour, texture=texture),))


def colour_of(rng: np.random.Generator, base: RGB, spread: int = 10) -> RGB:
    """Return a colour a little off another."""
    r, g, b = (int(np.clip(v + rng.integers(-spread, spread + 1), 0, 255)) for v in base)
    return r, g, b


def light(rng: np.random.Generator, *, indoors: bool = False) -> Light:
    """Return a sun that stands high, on any side; indoors the walls throw much of the light back."""
    turn, up = rng.uniform(0, 2 * np.pi), rng.uniform(1.1, 2.0)
    ambient = rng.uniform(0.7, 0.8) if indoors else rng.uniform(0.5, 0.6)
    return Light((float(np.cos(turn)), float(np.sin(turn)), float(up)), float(ambient))


def room(rng: np.random.Generator, half: tuple[float, float], high: float = 2.7, walls: str = "NESW") -> list[Thing]:
    """Return a room about the origin: floor, ceiling, and the walls named by where they stand.

    Parameters
    ----------
    rng : Generator
        Chooses colours and textures.
    half : tuple of float
        Half its extent in x and y, in metres.
    high : float
        Its height; the ceiling is left out where a wall is.
    walls : str
        Some of N (+y), E (+x), S, W.
    """
    x, y = half
    floor, texture = FLOORS[int(rng.integers(len(FLOORS)))]
    paint = colour_of(rng, WALLS[int(rng.integers(len(WALLS)))])
    other = shade(paint, float(rng.uniform(0.86, 0.96)))
    things = [_floor((-x, -y if "S" in walls else -y - OPEN, x, y), colour_of(rng, floor), texture)]
    places = {
        "N": ((-x, y, 0), (x, y + 0.1, high)),
        "E": ((x, -y, 0), (x + 0.1, y, high)),
        "S": ((-x, -y - 0.1, 0), (x, -y, high)),
        "W": ((-x - 0.1, -y, 0), (-x, y, high)),
    }
    things += [slab(f"_wall {k}", *places[k], paint if k in "NS" else other, "plain") for k in walls]
    if len(walls) == 4:
        things.append(slab("_ceiling", (-x, -y, high), (x, y, high + 0.1), (238, 236, 232), "plain"))
    return things


OPEN = 9.0
"""How far the floor reaches beyond a wall that is left out, towards the camera, in metres."""
PLANK = 0.9
"""Width of a floor board in metres."""


def _floor(extent: tuple[float, float, float, float], colour: RGB, texture: str) -> Thing:
    """Return the floor between two corners, a wooden one of boards."""
    x0, y0, x1, y1 = extent
    if texture != "wood":
        return slab("_floor", (x0, y0, -0.1), (x1, y1, 0), colour, texture)
    edges = np.linspace(x0, x1, round((x1 - x0) / PLANK) + 1)
    boards = [
        Part(
            "box",
            (float(a + b) / 2, (y0 + y1) / 2, -0.1),
            (float(b - a) / 2, (y1 - y0) / 2, 0.1),
            colour=shade(colour, 0.94 + 0.06 * (i * 5 % 3)),
        )
        for i, (a, b) in enumerate(pairwise(edges))
    ]
    return Thing("_floor", tuple(boards))


def meadow(rng: np.random.Generator, half: float = 60.0) -> list[Thing]:
    """Return the ground of an open place: grass, gravel or sand."""
    bases: tuple[RGB, ...] = ((128, 142, 92), (146, 148, 104), (174, 162, 134), (150, 146, 138))
    base = bases[int(rng.integers(len(bases)))]
    return [slab("_ground", (-half, -half, -0.2), (half, half, 0), colour_of(rng, base), "grain")]
