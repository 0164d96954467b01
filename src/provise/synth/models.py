"""Things that scenes are furnished with, built of solids: each stands on z = 0, faces +y, and is about a metre large."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from provise.synth.pieces import RGB, Model, Triple, ball, bar, box, shade, standing, tube
from provise.synth.render import Thing
from provise.synth.shapes import Part, turned

__all__ = ["FACING", "FLAT_TOP", "MODELS", "RGB", "place"]

DARK: RGB = (44, 44, 50)
GLASS: RGB = (150, 190, 205)


def _arc(centre: Triple, across: float, high: float, radius: float, colour: RGB, name: str) -> tuple[Part, ...]:
    """Return a bent bar in the x-z plane, open towards -x: a handle."""
    angles = np.radians(np.linspace(-90, 90, 8))
    x, y, z = centre
    points = [(x + across * float(np.cos(a)), y, z + high * float(np.sin(a))) for a in angles]
    return tuple(bar(p, q, radius, colour, name) for p, q in pairwise(points))


def _mug(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 0.5), 0.38, 0.5, colour),
        tube((0, 0, 1.0), 0.38, 0.012, shade(colour, 1.15), name="rim"),
        tube((0, 0, 1.01), 0.32, 0.008, (70, 46, 34), name="inside"),
        *_arc((0.34, 0, 0.52), 0.3, 0.28, 0.06, colour, "handle"),
    )


def _pot(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 0.35), 0.5, 0.35, colour),
        tube((0, 0, 0.73), 0.52, 0.05, shade(colour, 0.75), taper=0.9, name="lid"),
        ball((0, 0, 0.86), (0.09, 0.09, 0.09), DARK, "knob"),
        *_arc((0.46, 0, 0.42), 0.2, 0.14, 0.05, DARK, "handle"),
        *(part.moved((0, 0, 0), turned(180), 1) for part in _arc((0.46, 0, 0.42), 0.2, 0.14, 0.05, DARK, "handle")),
    )


def _bucket(colour: RGB) -> tuple[Part, ...]:
    # A tube is widest at its foot, so it stands on its head.
    upside_down = np.diag([1.0, -1.0, -1.0])
    return (
        Part("tube", (0, 0, 0.4), (0.45, 0.45, 0.4), upside_down, 0.72, colour),
        tube((0, 0, 0.8), 0.46, 0.02, shade(colour, 1.2), name="rim"),
        tube((0, 0, 0.815), 0.4, 0.008, shade(colour, 0.45), name="inside"),
        *(part.moved((0, 0, 0.8), _ON_EDGE, 1) for part in _arc((0, 0, 0), 0.5, 0.44, 0.03, DARK, "handle")),
    )


_ON_EDGE = np.array([[0.0, 0, 1], [0, 1, 0], [1, 0, 0]])
"""Turns an arc that is open to the side into one that is open downwards."""


def _chair(colour: RGB) -> tuple[Part, ...]:
    legs = [box((x, y, 0.22), (0.035, 0.035, 0.22), shade(colour, 0.7)) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    return (
        *legs,
        box((0, 0, 0.46), (0.26, 0.26, 0.03), colour, texture="wood", name="seat"),
        box((0, -0.24, 0.76), (0.26, 0.03, 0.27), colour, texture="wood", name="back"),
    )


def _table(colour: RGB) -> tuple[Part, ...]:
    legs = [box((x, y, 0.34), (0.04, 0.04, 0.34), shade(colour, 0.7)) for x in (-0.6, 0.6) for y in (-0.35, 0.35)]
    return (*legs, box((0, 0, 0.71), (0.7, 0.45, 0.03), colour, texture="wood", name="top"))


def _lamp(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 0.02), 0.2, 0.02, DARK, name="foot"),
        tube((0, 0, 0.55), 0.025, 0.53, DARK, name="pole"),
        tube((0, 0, 1.18), 0.28, 0.16, colour, taper=0.6, name="shade"),
    )


def _shelf(colour: RGB) -> tuple[Part, ...]:
    boards = [
        box((0, 0, z), (0.42, 0.16, 0.02), colour, texture="wood", name="board") for z in (0.05, 0.45, 0.85, 1.25)
    ]
    sides = [box((x, 0, 0.65), (0.02, 0.16, 0.65), shade(colour, 0.85)) for x in (-0.42, 0.42)]
    return (*boards, *sides)


def _plant(colour: RGB) -> tuple[Part, ...]:
    leaves = [
        Part(
            "ball",
            (0.14 * float(np.cos(a)), 0.14 * float(np.sin(a)), 0.5 + 0.08 * (i % 3)),
            (0.13, 0.13, 0.17),
            colour=(70, 122, 62),
            name="leaf",
        )
        for i, a in enumerate(np.arange(6) * np.pi / 3)
    ]
    return (tube((0, 0, 0.16), 0.18, 0.16, colour, name="pot"), *leaves)


def _car(colour: RGB) -> tuple[Part, ...]:
    sideways = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    wheels = [
        Part("tube", (x, y, 0.17), (0.17, 0.17, 0.06), sideways, colour=DARK, name="wheel")
        for x in (-0.36, 0.36)
        for y in (-0.5, 0.5)
    ]
    lamps = [ball((x, 0.86, 0.38), (0.08, 0.05, 0.07), (250, 240, 190), "headlight") for x in (-0.26, 0.26)]
    rear = [box((x, -0.85, 0.38), (0.07, 0.02, 0.05), (150, 30, 36), name="taillight") for x in (-0.27, 0.27)]
    return (
        box((0, 0, 0.34), (0.4, 0.85, 0.19), colour),
        box((0, -0.18, 0.65), (0.34, 0.42, 0.16), shade(colour, 0.92), name="cabin"),
        box((0, 0.245, 0.65), (0.3, 0.015, 0.12), GLASS, name="windscreen"),
        box((0, 0.86, 0.26), (0.22, 0.02, 0.05), DARK, name="grille"),
        *wheels,
        *lamps,
        *rear,
    )


def _dog(colour: RGB) -> tuple[Part, ...]:
    legs = [
        tube((x, y, 0.16), 0.05, 0.16, shade(colour, 0.8), name="leg") for x in (-0.12, 0.12) for y in (-0.28, 0.28)
    ]
    ears = [ball((x, 0.44, 0.74), (0.04, 0.05, 0.13), shade(colour, 0.6), "ear") for x in (-0.15, 0.15)]
    eyes = [ball((x, 0.66, 0.7), (0.03, 0.03, 0.03), DARK, "eye") for x in (-0.07, 0.07)]
    return (
        ball((0, 0, 0.42), (0.2, 0.42, 0.18), colour),
        ball((0, 0.5, 0.66), (0.16, 0.18, 0.16), colour, "head"),
        ball((0, 0.68, 0.6), (0.08, 0.12, 0.07), shade(colour, 1.2), "snout"),
        ball((0, 0.79, 0.62), (0.035, 0.03, 0.03), DARK, "nose"),
        bar((0, -0.38, 0.48), (0, -0.62, 0.74), 0.035, shade(colour, 0.8), "tail"),
        *legs,
        *ears,
        *eyes,
    )


def _robot(colour: RGB) -> tuple[Part, ...]:
    legs = [box((x, 0, 0.2), (0.08, 0.1, 0.2), DARK, name="leg") for x in (-0.14, 0.14)]
    arms = [bar((x, 0, 0.85), (1.5 * x, 0.16, 0.5), 0.055, shade(colour, 0.7), "arm") for x in (-0.3, 0.3)]
    eyes = [ball((x, 0.2, 1.16), (0.05, 0.04, 0.05), (250, 250, 250), "eye") for x in (-0.09, 0.09)]
    pupils = [ball((x, 0.235, 1.16), (0.025, 0.02, 0.025), DARK, "eye") for x in (-0.09, 0.09)]
    return (
        box((0, 0, 0.66), (0.26, 0.18, 0.27), colour),
        box((0, 0.185, 0.7), (0.15, 0.012, 0.12), shade(colour, 1.35), name="chest"),
        box((0, 0, 1.12), (0.2, 0.19, 0.16), shade(colour, 1.1), name="head"),
        box((0, 0.195, 1.05), (0.1, 0.012, 0.018), DARK, name="mouth"),
        box((0, -0.21, 0.7), (0.17, 0.035, 0.18), DARK, name="pack"),
        tube((0, 0, 1.34), 0.015, 0.07, DARK, name="antenna"),
        ball((0, 0, 1.42), (0.035, 0.035, 0.035), (220, 60, 50), "antenna"),
        *legs,
        *arms,
        *eyes,
        *pupils,
    )


def _bottle(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 0.33), 0.2, 0.33, colour),
        tube((0, 0, 0.745), 0.2, 0.085, colour, taper=0.4, name="shoulder"),
        tube((0, 0, 0.9), 0.08, 0.07, colour, name="neck"),
        tube((0, 0, 0.99), 0.09, 0.03, DARK, name="cap"),
    )


def _vase(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 0.03), 0.18, 0.03, shade(colour, 0.8), name="foot"),
        ball((0, 0, 0.38), (0.3, 0.3, 0.36), colour),
        tube((0, 0, 0.78), 0.13, 0.16, colour, name="neck"),
        tube((0, 0, 0.95), 0.2, 0.03, shade(colour, 1.15), name="rim"),
        tube((0, 0, 0.983), 0.14, 0.004, shade(colour, 0.4), name="inside"),
    )


_ALONG = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
"""Lays an upright tube along x, its top to the right."""


def _pencil(colour: RGB) -> tuple[Part, ...]:
    tip, lead = (-0.5 + 0.08, 0.0, 0.055), (-0.5 + 0.02, 0.0, 0.055)
    left = np.array([[0.0, 0, -1], [0, 1, 0], [1, 0, 0]])
    return (
        Part("tube", (0.04, 0, 0.055), (0.055, 0.055, 0.38), _ALONG, colour=colour),
        Part("tube", tip, (0.055, 0.055, 0.08), left, 0.0, (206, 176, 132), name="tip"),
        Part("tube", lead, (0.0145, 0.0145, 0.021), left, 0.0, DARK, name="lead"),
        Part("tube", (0.46, 0, 0.055), (0.056, 0.056, 0.04), _ALONG, colour=(196, 190, 186), name="rubber"),
    )


def _rod(colour: RGB) -> tuple[Part, ...]:
    return (Part("tube", (0, 0, 0.05), (0.05, 0.05, 0.5), _ALONG, colour=colour),)


MODELS: dict[str, Model] = {
    "ball": lambda colour: (ball((0, 0, 0.5), (0.5, 0.5, 0.5), colour),),
    "cube": lambda colour: (box((0, 0, 0.5), (0.5, 0.5, 0.5), colour),),
    "cylinder": lambda colour: (tube((0, 0, 0.5), 0.4, 0.5, colour),),
    "cone": lambda colour: (tube((0, 0, 0.5), 0.5, 0.5, colour, taper=0.0),),
    "mug": _mug,
    "pot": _pot,
    "bucket": _bucket,
    "chair": _chair,
    "table": _table,
    "lamp": _lamp,
    "shelf": _shelf,
    "plant": _plant,
    "bottle": _bottle,
    "vase": _vase,
    "pencil": _pencil,
    "rod": _rod,
    "plank": lambda colour: (box((0, 0, 0.03), (0.5, 0.09, 0.03), colour, texture="wood"),),
    "car": _car,
    "dog": _dog,
    "robot": _robot,
}
"""A thing of a colour, by its name."""

FACING = ("car", "dog", "robot", "chair")
"""Models that have a front."""


FLAT_TOP = {"table": 0.74}
"""Height of what things can stand on, of models that have such a place."""


def place(
    model: str,
    name: str,
    at: tuple[float, float],
    *,
    yaw: float = 0.0,
    scale: float = 1.0,
    colour: RGB = (170, 170, 170),
    height: float = 0.0,
) -> Thing:
    """Return a thing that stands somewhere.

    Parameters
    ----------
    model : str
        One of `MODELS`.
    name : str
        Its name in the scene.
    at : tuple of float
        x and y of its middle, in metres.
    yaw : float
        Degrees by which its front is turned from +y, anticlockwise seen from above.
    scale : float
        Factor on its size.
    colour : tuple of int
        RGB of its main parts.
    height : float
        Of what it stands on, in metres.
    """
    return standing(MODELS[model], name, at, yaw=yaw, scale=scale, colour=colour, height=height)
