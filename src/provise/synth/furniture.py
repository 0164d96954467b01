"""More things to furnish scenes with: pieces that stand along walls, houses and trees, vessels with parts to hold."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from provise.synth.models import MODELS
from provise.synth.pieces import RGB, Model, Triple, ball, bar, box, shade, standing, tube
from provise.synth.render import Thing
from provise.synth.shapes import Part, turned

__all__ = ["FURNITURE", "PALETTE", "put"]

PALETTE: dict[str, RGB] = {
    "red": (170, 70, 60),
    "orange": (206, 126, 66),
    "yellow": (216, 184, 92),
    "green": (98, 140, 92),
    "blue": (80, 110, 162),
    "purple": (126, 96, 146),
    "brown": (124, 90, 64),
    "white": (230, 226, 218),
    "black": (56, 56, 62),
    "grey": (140, 142, 146),
}
"""Muted colours by name: marks are purer than any of them."""

DARK: RGB = (52, 52, 58)
STEEL: RGB = (176, 178, 184)
WOOD: RGB = (150, 112, 76)
GLASS: RGB = (168, 194, 206)
_LYING_Y = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""Turns a tube's axis along y."""
_LYING_X = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
"""Turns a tube's axis along x."""
_HEADLONG = np.diag([1.0, -1.0, -1.0])
"""Stands a tube on its head, so that it is widest at its top."""


def _bowl(centre: Triple, radius: float, half: float, colour: RGB, name: str, foot: float) -> Part:
    """Return a tube that is widest at its top."""
    return Part("tube", centre, (radius, radius, half), _HEADLONG, foot, colour, name=name)


def _bars(points: list[Triple], radius: float, colour: RGB, name: str) -> tuple[Part, ...]:
    """Return bars from point to point, with round joints."""
    joints = [ball(point, (radius, radius, radius), colour, name) for point in points[1:-1]]
    return (*(bar(p, q, radius, colour, name) for p, q in pairwise(points)), *joints)


def _sofa(colour: RGB) -> tuple[Part, ...]:
    dark = shade(colour, 0.85)
    return (
        box((0, 0, 0.24), (0.85, 0.4, 0.2), colour),
        box((0, -0.34, 0.55), (0.85, 0.1, 0.32), dark),
        *(box((x, 0.02, 0.38), (0.1, 0.4, 0.34), dark) for x in (-0.9, 0.9)),
        box((0.4, -0.2, 0.58), (0.2, 0.06, 0.15), shade(colour, 1.3), "cushion"),
    )


def _bed(colour: RGB) -> tuple[Part, ...]:
    return (
        box((0, 0.5, 0.2), (0.6, 1.0, 0.14), WOOD, texture="wood"),
        box((0, 0.6, 0.42), (0.58, 0.86, 0.09), colour),
        box((0, -0.3, 0.46), (0.4, 0.18, 0.09), (232, 230, 224), "pillow"),
        box((0, -0.52, 0.5), (0.64, 0.04, 0.5), WOOD, texture="wood"),
    )


def _wardrobe(colour: RGB) -> tuple[Part, ...]:
    return (
        box((0, 0, 1.0), (0.55, 0.28, 1.0), colour),
        box((0, 0.285, 1.0), (0.012, 0.01, 0.94), shade(colour, 0.5), "gap"),
        *(ball((x, 0.31, 1.0), (0.035, 0.035, 0.035), DARK, "knob") for x in (-0.1, 0.1)),
    )


def _drawers(colour: RGB) -> tuple[Part, ...]:
    heights = (0.2, 0.48, 0.76)
    return (
        box((0, 0, 0.48), (0.48, 0.26, 0.48), shade(colour, 0.8)),
        *(box((0, 0.27, z), (0.44, 0.015, 0.12), colour, "drawer") for z in heights),
        *(ball((0, 0.31, z), (0.04, 0.035, 0.04), DARK, "knob") for z in heights),
    )


def _fridge(colour: RGB) -> tuple[Part, ...]:
    return (
        box((0, 0, 0.85), (0.34, 0.32, 0.85), colour),
        box((0, 0.325, 1.15), (0.335, 0.008, 0.01), DARK, "gap"),
        *(box((-0.26, 0.36, z), (0.02, 0.03, 0.14), STEEL, "handle") for z in (0.95, 1.36)),
    )


def _door(colour: RGB) -> tuple[Part, ...]:
    return (
        box((0, 0, 1.03), (0.5, 0.03, 1.03), shade(colour, 1.25)),
        box((0, 0.035, 1.0), (0.42, 0.02, 0.98), colour),
        *(box((0, 0.057, z), (0.3, 0.006, 0.36), shade(colour, 0.86), "panel") for z in (0.55, 1.45)),
        ball((0.32, 0.09, 1.0), (0.045, 0.04, 0.045), DARK, "knob"),
    )


def _window(colour: RGB) -> tuple[Part, ...]:
    return (
        box((0, 0, 1.5), (0.7, 0.03, 0.55), colour),
        *(box((x, 0.03, 1.5), (0.3, 0.01, 0.48), GLASS, "glass") for x in (-0.33, 0.33)),
    )


def _picture(colour: RGB) -> tuple[Part, ...]:
    return (
        box((0, 0, 1.55), (0.46, 0.02, 0.34), WOOD),
        box((0, 0.022, 1.6), (0.4, 0.006, 0.23), (214, 214, 200), "canvas"),
        box((0, 0.024, 1.43), (0.4, 0.006, 0.12), colour, "canvas"),
        ball((0.16, 0.02, 1.66), (0.08, 0.014, 0.08), shade(colour, 1.2), "canvas"),
    )


def _clock(colour: RGB) -> tuple[Part, ...]:
    return (
        Part("tube", (0, 0.02, 1.6), (0.34, 0.34, 0.03), _LYING_Y, colour=colour),
        Part("tube", (0, 0.055, 1.6), (0.29, 0.29, 0.01), _LYING_Y, colour=(238, 236, 228)),
        box((0, 0.07, 1.7), (0.015, 0.008, 0.11), DARK, "hand"),
        box((0.07, 0.07, 1.6), (0.08, 0.008, 0.015), DARK, "hand"),
    )


def _television(colour: RGB) -> tuple[Part, ...]:
    return (
        box((0, 0, 0.22), (0.7, 0.22, 0.22), colour),
        box((0, 0, 0.48), (0.12, 0.1, 0.05), DARK),
        box((0, 0, 0.9), (0.62, 0.04, 0.38), DARK),
        box((0, 0.042, 0.9), (0.57, 0.006, 0.33), (96, 112, 128), "screen"),
    )


def _round_tree(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 0.6), 0.14, 0.6, WOOD, "trunk"),
        ball((0, 0, 1.9), (0.85, 0.85, 0.95), colour, "crown"),
        ball((0.4, 0.2, 1.5), (0.5, 0.5, 0.5), shade(colour, 0.9), "crown"),
    )


def _fir(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 0.25), 0.12, 0.25, WOOD, "trunk"),
        *(tube((0, 0, 0.95 + 0.65 * i), 0.9 - 0.22 * i, 0.6, shade(colour, 0.9 + 0.08 * i), "crown", 0.0) for i in range(3)),
    )  # fmt: skip


def _house(colour: RGB) -> tuple[Part, ...]:
    slope = [turned(0) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) for c, s in ((0.8, 0.6), (0.8, -0.6))]
    roof = (134, 84, 68)
    return (
        box((0, 0, 1.0), (1.3, 1.0, 1.0), colour),
        *(
            Part("box", (x, 0, 2.42), (0.95, 1.15, 0.06), turn, colour=roof, name="roof")
            for x, turn in zip((0.72, -0.72), slope, strict=True)
        ),
        box((0, 0, 2.3), (0.62, 1.0, 0.3), shade(colour, 0.95)),
        box((0, 1.01, 0.65), (0.28, 0.03, 0.65), WOOD, "door"),
        *(box((x, 1.01, 1.2), (0.24, 0.03, 0.28), GLASS, "window") for x in (-0.8, 0.8)),
    )


def _tower(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 1.7), 0.75, 1.7, colour, taper=0.85),
        tube((0, 0, 4.0), 0.9, 0.65, (110, 92, 92), "roof", 0.0),
        box((0, 0.72, 1.9), (0.16, 0.06, 0.3), DARK, "window"),
    )


def _bench(colour: RGB) -> tuple[Part, ...]:
    return (
        *(box((x, 0, 0.2), (0.05, 0.22, 0.2), DARK, "leg") for x in (-0.6, 0.6)),
        box((0, 0, 0.43), (0.8, 0.24, 0.035), colour, texture="wood"),
        box((0, -0.25, 0.75), (0.8, 0.03, 0.2), colour, texture="wood"),
    )


def _gripper(colour: RGB) -> tuple[Part, ...]:
    """Two fingers that point ahead, a palm, and the arm behind it."""
    return (
        box((0, -0.2, 0.24), (0.34, 0.12, 0.14), colour),
        *(box((x, 0.1, 0.2), (0.06, 0.26, 0.1), STEEL, "finger") for x in (-0.26, 0.26)),
        Part("tube", (0, -0.5, 0.26), (0.11, 0.11, 0.22), _LYING_Y, colour=DARK, name="arm"),
    )


def _pan(colour: RGB) -> tuple[Part, ...]:
    return (
        _bowl((0, 0, 0.1), 0.5, 0.1, colour, "body", 0.85),
        tube((0, 0, 0.2), 0.45, 0.006, shade(colour, 0.55), "inside"),
        bar((0.46, 0, 0.17), (1.15, 0, 0.24), 0.06, DARK, "handle"),
    )


def _kettle(colour: RGB) -> tuple[Part, ...]:
    arch = [(0.38 * float(np.cos(a)), 0.0, 0.62 + 0.42 * float(np.sin(a))) for a in np.linspace(0.1, np.pi - 0.1, 6)]
    return (
        tube((0, 0, 0.34), 0.5, 0.34, colour, taper=0.72),
        tube((0, 0, 0.7), 0.26, 0.03, shade(colour, 0.8), "lid"),
        ball((0, 0, 0.77), (0.06, 0.06, 0.06), DARK, "knob"),
        bar((-0.4, 0, 0.36), (-0.74, 0, 0.62), 0.07, colour, "spout"),
        *_bars(arch, 0.04, DARK, "handle"),
    )


def _bottle(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 0.4), 0.25, 0.4, colour),
        tube((0, 0, 0.92), 0.25, 0.13, colour, taper=0.4),
        tube((0, 0, 1.12), 0.1, 0.1, colour),
        tube((0, 0, 1.24), 0.125, 0.075, (226, 220, 206), "cap"),
        tube((0, 0, 0.42), 0.255, 0.17, (226, 220, 206), "label"),
    )


def _jar(colour: RGB) -> tuple[Part, ...]:
    return (
        tube((0, 0, 0.36), 0.38, 0.36, GLASS),
        tube((0, 0, 0.3), 0.385, 0.18, colour, "label"),
        tube((0, 0, 0.8), 0.36, 0.09, shade(colour, 0.8), "lid"),
    )


def _suitcase(colour: RGB) -> tuple[Part, ...]:
    return (
        box((0, 0, 0.36), (0.55, 0.17, 0.34), colour),
        *(box((x, 0, 0.36), (0.035, 0.175, 0.345), shade(colour, 0.6), "strap") for x in (-0.32, 0.32)),
        *_bars([(-0.16, 0, 0.7), (-0.15, 0, 0.86), (0.15, 0, 0.86), (0.16, 0, 0.7)], 0.035, DARK, "handle"),
    )


def _basket(colour: RGB) -> tuple[Part, ...]:
    arch = [(0.48 * float(np.cos(a)), 0.0, 0.5 + 0.5 * float(np.sin(a))) for a in np.linspace(0, np.pi, 7)]
    return (
        Part("tube", (0, 0, 0.26), (0.5, 0.5, 0.26), _HEADLONG, 0.78, colour, "stripes"),
        tube((0, 0, 0.522), 0.44, 0.008, shade(colour, 0.5), "inside"),
        *_bars(arch, 0.035, shade(colour, 0.75), "handle"),
    )


FURNITURE: dict[str, Model] = {
    **MODELS,
    "sofa": _sofa,
    "bed": _bed,
    "wardrobe": _wardrobe,
    "chest of drawers": _drawers,
    "fridge": _fridge,
    "door": _door,
    "window": _window,
    "picture": _picture,
    "clock": _clock,
    "television": _television,
    "round tree": _round_tree,
    "fir tree": _fir,
    "house": _house,
    "tower": _tower,
    "bench": _bench,
    "gripper": _gripper,
    "pan": _pan,
    "kettle": _kettle,
    "bottle": _bottle,
    "jar": _jar,
    "suitcase": _suitcase,
    "basket": _basket,
}
"""`provise.synth.models.MODELS` and these: each stands on z = 0 (what hangs, hangs at its height), its front towards +y."""


def put(
    model: str,
    name: str,
    at: tuple[float, float],
    *,
    yaw: float = 0.0,
    scale: float = 1.0,
    colour: RGB = (170, 170, 170),
    height: float = 0.0,
) -> Thing:
    """Return a thing of `FURNITURE` that stands somewhere; see `provise.synth.models.place`."""
    return standing(FURNITURE[model], name, at, yaw=yaw, scale=scale, colour=colour, height=height)
