"""Rooms to put things into: floor, walls, light, and a camera that looks at the middle of the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from provise.synth.camera import Camera
from provise.synth.light import Light
from provise.synth.pieces import RGB
from provise.synth.render import Thing
from provise.synth.shapes import Part, turned

__all__ = ["DRAFT", "SIZE", "Room", "make_room"]

SIZE = (640, 480)
"""Width and height of the pictures, in pixels."""

DRAFT = (320, 240)
"""Size at which an arrangement is tried before it is drawn."""

WIDE = 14.0
"""Metres of floor from the middle; textures are made for it."""

FLOORS: tuple[tuple[str, tuple[RGB, ...]], ...] = (
    ("planks", ((176, 146, 112), (146, 116, 90), (196, 174, 146), (120, 98, 80))),
    ("tiles", ((202, 196, 184), (178, 184, 186), (196, 180, 164), (150, 152, 150))),
    ("squares", ((206, 202, 194), (186, 190, 188), (200, 186, 172))),
    ("grain", ((158, 150, 140), (134, 142, 140), (176, 164, 150), (150, 138, 146), (136, 140, 126))),
)
"""Textures, each with the colours that go with it: none so strong that a drawn mark would drown in it."""

WALLS: tuple[RGB, ...] = (
    (214, 208, 196), (196, 204, 206), (206, 196, 186), (188, 194, 184), (204, 192, 200), (182, 186, 196), (222, 214, 190),
)  # fmt: skip
RUGS: tuple[RGB, ...] = ((150, 128, 114), (138, 138, 134), (188, 176, 156), (168, 150, 128), (122, 113, 106))


@dataclass(frozen=True, eq=False)
class Room:
    """What surrounds the things of a scene.

    Parameters
    ----------
    shell : tuple of Thing
        Floor, walls and what hangs there; their names begin with an underscore.
    camera : Camera
        It looks along +y, from -y: what is to the right in the world is to the right in the picture.
    light : Light
        Where the sun stands.
    """

    shell: tuple[Thing, ...]
    camera: Camera
    light: Light


def make_room(
    rng: np.random.Generator,
    *,
    reach: float,
    elevation: tuple[float, float] = (22.0, 38.0),
    distance: tuple[float, float] = (2.3, 2.8),
    lift: float = 0.3,
) -> Room:
    """Return a room with a free floor.

    Parameters
    ----------
    rng : Generator
        Decides colours, light, where the walls stand and where one looks from.
    reach : float
        Metres from the middle of the floor within which no wall stands.
    elevation : tuple of float
        Least and largest angle at which the camera looks down, in degrees.
    distance : tuple of float
        Least and largest distance of the camera from the middle, in reaches.
    lift : float
        Height of the point that the camera looks at, in metres.
    """
    pitch = np.radians(rng.uniform(*elevation))
    far = reach * rng.uniform(*distance)
    shift = float(rng.uniform(-0.12, 0.12) * reach)
    eye = (shift, float(-far * np.cos(pitch)), float(lift + far * np.sin(pitch)))
    camera = Camera(eye, (shift, 0.0, lift), SIZE, float(rng.uniform(44, 54)))
    side = 1 if rng.random() < 0.5 else -1
    light = Light(
        (side * float(rng.uniform(0.25, 0.9)), float(rng.uniform(-1.1, -0.5)), 1.4), float(rng.uniform(0.5, 0.62))
    )
    return Room(_shell(rng, reach), camera, light)


def _shell(rng: np.random.Generator, reach: float) -> tuple[Thing, ...]:
    turn = turned(float(rng.uniform(-38, 38)))
    texture, colours = FLOORS[int(rng.integers(len(FLOORS)))]
    floor = Part(
        "box", (0, 0, -0.05), (WIDE, WIDE, 0.05), turn, colour=colours[int(rng.integers(len(colours)))], texture=texture
    )
    parts = [Thing("_floor", (floor,))]
    if rng.random() < 0.35:
        parts.append(Thing("_rug", _rug(rng, reach, turn)))
    wall = WALLS[int(rng.integers(len(WALLS)))]
    paper = "paper" if rng.random() < 0.3 else "matt"
    skirting: RGB = (232, 230, 224) if rng.random() < 0.6 else (110, 88, 70)
    for place, angle in enumerate((0.0, 90.0, -90.0)):
        away = reach * float(rng.uniform(1.15, 1.6))
        face = turn @ turned(angle)
        parts.append(Thing(f"_wall {place}", _wall(rng, face, away, (wall, paper, skirting))))
    return tuple(parts)


def _wall(rng: np.random.Generator, face: np.ndarray, away: float, look: tuple[RGB, str, RGB]) -> tuple[Part, ...]:
    """Return a wall whose inner side is some metres from the middle, with a skirting board, perhaps a picture on it."""
    colour, paper, skirting = look

    def board(x: float, z: float, half: tuple[float, float], thick: float, rgb: RGB, texture: str) -> Part:
        cx, cy, cz = (float(v) for v in face @ np.array([x, away - thick, z]))
        return Part("box", (cx, cy, cz), (half[0], thick, half[1]), face, colour=rgb, texture=texture)

    parts = [
        board(0, 4, (WIDE, 4), 0.005, colour, paper),
        board(0, 0.06, (WIDE, 0.06), 0.012, skirting, "matt"),
    ]
    if rng.random() < 0.6:
        x, z = float(rng.uniform(-0.6, 0.6)) * away, float(rng.uniform(1.3, 1.9))
        half = (float(rng.uniform(0.35, 0.75)), float(rng.uniform(0.3, 0.55)))
        inner = RUGS[int(rng.integers(len(RUGS)))]
        parts.append(board(x, z, (half[0] + 0.06, half[1] + 0.06), 0.02, (96, 78, 62), "wood"))
        parts.append(board(x, z, half, 0.03, inner, "grain"))
    return tuple(parts)


def _rug(rng: np.random.Generator, reach: float, turn: np.ndarray) -> tuple[Part, ...]:
    x, y = (float(v) for v in rng.uniform(-0.3, 0.3, 2) * reach)
    a, b = (float(v) for v in rng.uniform(0.4, 0.8, 2) * reach)
    colour = RUGS[int(rng.integers(len(RUGS)))]
    rim: RGB = (int(0.8 * colour[0]), int(0.8 * colour[1]), int(0.8 * colour[2]))
    return (
        Part("box", (x, y, 0.002), (a, b, 0.003), turn, colour=rim, texture="grain"),
        Part("box", (x, y, 0.004), (0.88 * a, 0.88 * b, 0.003), turn, colour=colour, texture="grain"),
    )
