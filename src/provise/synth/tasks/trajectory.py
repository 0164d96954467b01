"""Trajectory: from a toy gripper over a table to a mat, the shortest way round what stands between."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from skimage.graph import MCP_Geometric

from provise.synth.camera import Camera
from provise.synth.furniture import PALETTE, put
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.pieces import RGB, shade
from provise.synth.places import colour_of, light, slab
from provise.synth.render import Seen, Thing, look, render
from provise.synth.room import SIZE
from provise.synth.shapes import Part, turned

__all__ = ["CLEAR", "MAKER", "shortest"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_GRID = 4
"""Pixels a cell of the search has along each side."""
CLEAR = 16
"""Pixels that the path keeps from what it goes round."""
_VERTICES = 25
_CLEARLY = 1.08
"""So many times longer is the way on the other side."""
_HALF = (5.0, 4.2)
_FAR = 0.62
"""Least distance of start and end, in shares of the frame."""
_TABLES: tuple[RGB, ...] = (
    (178, 142, 104),
    (150, 116, 86),
    (200, 196, 188),
    (168, 176, 180),
    (206, 186, 156),
    (140, 148, 140),
)
_MATS = ("blue", "purple", "yellow", "green", "white", "orange")
_BARRIERS: dict[Level, tuple[int, int]] = {"easy": (1, 1), "medium": (1, 3), "hard": (2, 3)}
"""Barriers on the straight way, other things on the table."""


def shortest(free: Bools, start: tuple[int, int], end: tuple[int, int]) -> tuple[Floats, Floats, list[tuple[int, int]]]:
    """Return distances from start and from end over free cells, and a shortest way of cells between them.

    Parameters
    ----------
    free : ndarray of bool, shape (h, w)
        Where one may go.
    start, end : tuple of int
        Row and column.

    Returns
    -------
    from_start, from_end : ndarray, shape (h, w)
        Infinite where one cannot get.
    way : list of tuple of int
        Empty where there is none.
    """
    cost = np.where(free, 1.0, -1.0)
    there, back = MCP_Geometric(cost), MCP_Geometric(cost)
    one, two = there.find_costs([start])[0], back.find_costs([end])[0]
    way = there.traceback(end) if np.isfinite(one[end]) else []
    return np.asarray(one), np.asarray(two), [(int(r), int(c)) for r, c in way]


def _taut(free: Bools, way: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pull a way of cells straight: keep the corners that a line of free cells cannot cut."""
    corners, at = [way[0]], 0
    while at < len(way) - 1:
        ahead = len(way) - 1
        while ahead > at + 1 and not _open(free, way[at], way[ahead]):
            ahead -= 1
        corners.append(way[ahead])
        at = ahead
    return corners


def _open(free: Bools, a: tuple[int, int], b: tuple[int, int]) -> bool:
    n = 2 * max(abs(a[0] - b[0]), abs(a[1] - b[1])) + 1
    rows, columns = (np.rint(np.linspace(a[i], b[i], n)).astype(int) for i in (0, 1))
    return bool(free[rows, columns].all())


def _resampled(path: Floats, n: int) -> Floats:
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    at = np.linspace(0, along[-1], n)
    return np.stack([np.interp(at, along, path[:, i]) for i in (0, 1)], axis=1)


def _barrier(rng: np.random.Generator, k: int, ends: Floats) -> list[Thing]:
    """Return something long that lies from end to end: a wall, or things side by side."""
    colours = [name for name in PALETTE if name not in ("red", "black")]
    middle, (dx, dy) = ends.mean(axis=0), ends[1] - ends[0]
    yaw, long = float(np.degrees(np.arctan2(dy, dx))), float(np.hypot(dx, dy))
    if rng.random() < 0.5:
        colour = colour_of(rng, PALETTE[colours[int(rng.integers(len(colours)))]])
        half = (long / 2, float(rng.uniform(0.1, 0.16)), float(rng.uniform(0.12, 0.2)))
        part = Part("box", (float(middle[0]), float(middle[1]), half[2]), half, turned(yaw), colour=colour)
        return [Thing(f"barrier {k}", (part,))]
    model = ("cylinder", "cube", "jar", "cone", "ball")[int(rng.integers(5))]
    scale = 0.56
    n = max(2, round(long / (0.84 * scale)))
    things = []
    for i, (x, y) in enumerate(ends[0] + np.linspace(0.26, long - 0.26, n)[:, None] / long * (ends[1] - ends[0])):
        colour = PALETTE[colours[int(rng.integers(len(colours)))]]
        things.append(put(model, f"barrier {k} {i}", (float(x), float(y)), yaw=yaw, scale=scale, colour=colour))
    return things


def _table(rng: np.random.Generator, colour: RGB) -> Thing:
    """Return a table top: one board, or several side by side."""
    edges = np.linspace(-_HALF[1], _HALF[1], 1 + int(rng.choice([1, 5, 7])))
    boards = []
    for i, (a, b) in enumerate(pairwise(edges)):
        centre, half = (0.0, float(a + b) / 2, -0.06), (_HALF[0], float(b - a) / 2, 0.06)
        boards.append(Part("box", centre, half, colour=shade(colour, 0.93 + 0.07 * (i * 2 % 3)), texture="grain"))
    return Thing("_table", tuple(boards))


def _mat(name: str, at: Floats, colour: RGB) -> Thing:
    # Without a name that throws a shadow: it lies flat.
    return Thing(f"_{name}", (Part("tube", (float(at[0]), float(at[1]), 0.012), (0.3, 0.3, 0.012), colour=colour),))


def _rim(at: float, margin: tuple[float, float]) -> Floats:
    """Return a place on a rectangle inside the frame, 0 to 1 for once round it, in shares of the frame."""
    side, along = divmod(4 * (at % 1), 1)
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)], float)
    place = corners[int(side)] * (1 - along) + corners[int(side) + 1] * along
    return np.asarray(margin + place * (1 - 2 * np.asarray(margin)))


def _on_table(camera: Camera, places: Floats) -> Floats:
    """Return the points of the table that are seen at places of the picture, in metres, shape (n, 2)."""
    w, h = camera.size
    right, down, ahead = camera.basis
    x, y = (places * (w, h) - (w / 2, h / 2)).T / camera.focal
    rays = ahead + x[:, None] * right + y[:, None] * down
    points = np.asarray(camera.eye) - camera.eye[2] / rays[:, 2:] * rays
    return np.asarray(points[:, :2])


def _scene(
    rng: np.random.Generator, wanted: tuple[int, float], level: Level
) -> tuple[Camera, list[Thing], Floats, str] | None:
    """Return camera, things, the two ends of the way on the table, and the name of the mat at its end."""
    camera = _camera(rng)
    sector, further = wanted
    begin = (sector + float(rng.uniform(0.05, 0.95))) / 8
    start = _rim(begin, (0.1, 0.13))
    end = _rim(begin + (further + float(rng.uniform(-0.5, 0.5))) / 8, (0.07, 0.1))
    if np.hypot(*(end - start)) < _FAR:
        return None
    inside = start + 0.2 * (0.5 - start) / np.hypot(*(0.5 - start))
    hand, goal, towards = _on_table(camera, np.array([start, end, inside]))
    way, ahead = goal - hand, (towards - hand) / np.hypot(*(towards - hand))
    mats = [_MATS[int(i)] for i in rng.permutation(len(_MATS))]
    things = [slab("_floor", (-20, -20, -1.1), (20, 20, -1.0), (150, 148, 146), "grain")]
    things.append(_table(rng, colour_of(rng, _TABLES[int(rng.integers(len(_TABLES)))])))
    heading, (x, y) = float(np.degrees(np.arctan2(-ahead[0], ahead[1]))), (float(v) for v in hand - 0.27 * ahead)
    things.append(put("gripper", "gripper", (x, y), yaw=heading, scale=0.75, colour=(96, 100, 112)))
    things.append(_mat(f"{mats[0]} mat", goal, PALETTE[mats[0]]))
    barriers, more = _BARRIERS[level]
    aside = np.array([-way[1], way[0]]) / np.hypot(*way)
    # The short way round leads through the picture's middle, where there is room; of two, the second one's the other way.
    inner = float(np.sign(-(hand + goal) @ aside)) if abs((hand + goal) @ aside) > 0.8 else float(rng.choice([-1, 1]))
    taken = [hand, hand - 0.5 * ahead, goal]
    for k in range(barriers):
        middle = hand + ((0.5 if barriers == 1 else (0.33, 0.67)[k]) + float(rng.uniform(-0.04, 0.04))) * way
        short, long = float(rng.uniform(1.15, 1.5)), float(rng.uniform(1.7, 2.05))
        short, long = (short, long) if barriers == 1 else (0.75 * short, 0.9 * long)
        sign = inner * (-1) ** k
        reach = np.array([middle + sign * short * aside, middle - sign * long * aside])
        things += _barrier(rng, k, reach)
        taken += [reach[0] + share * (reach[1] - reach[0]) for share in (-0.2, 0.1, 0.4, 0.7, 1.0)]
    spots = _on_table(camera, rng.uniform(0.1, 0.9, (30, 2)))
    for k in range(more):
        clear = [spot for spot in spots if min(float(np.hypot(*(spot - other))) for other in taken) > 0.62]
        if not clear:
            return None
        taken.append(clear[0])
        at, colour = (float(clear[0][0]), float(clear[0][1])), PALETTE[mats[1 + k]]
        if k == 0:
            things.append(_mat(f"{mats[1]} mat", clear[0], colour))
        else:
            model = ("mug", "pot", "plant", "bucket", "dog")[int(rng.integers(5))]
            things.append(put(model, f"other {k}", at, yaw=float(rng.uniform(0, 360)), scale=0.5, colour=colour))
    return camera, things, np.array([hand, goal]), f"{mats[0]} mat"


def _camera(rng: np.random.Generator) -> Camera:
    turn, up = np.radians(rng.uniform(0, 360)), np.radians(rng.uniform(66, 80))
    away = 9.0
    eye = away * np.array([np.sin(turn) * np.cos(up), -np.cos(turn) * np.cos(up), np.sin(up)])
    return Camera((float(eye[0]), float(eye[1]), float(eye[2])), (0.0, 0.0, 0.0), SIZE, float(rng.uniform(34, 37)))


def _free(seen: Seen, things: list[Thing], clear: float) -> tuple[Bools, Bools]:
    """Return where on the picture is bare table, mat or gripper, kept clear of the rest, and where things stand in the way."""
    names = [thing.name for thing in things]
    bare = [i for i, name in enumerate(names) if name == "_table" or name.endswith(" mat") or name == "gripper"]
    solid = ~np.isin(seen.thing, bare)
    blocking = np.isin(seen.thing, [i for i, name in enumerate(names) if name.startswith("barrier")])
    side = 2 * round(clear) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return cv2.dilate(solid.astype(np.uint8), kernel) == 0, blocking


def _settled(one: Floats, two: Floats, start: Floats, end: Floats) -> bool:
    """Tell whether one side is clearly the shorter one wherever something stands on the straight line."""
    total = one + two
    rows, columns = np.indices(total.shape)
    far = float(np.hypot(*(end - start)))
    ahead = (end - start) / far
    along = (columns - start[0]) * ahead[0] + (rows - start[1]) * ahead[1]
    aside = (rows - start[1]) * ahead[0] - (columns - start[0]) * ahead[1]
    ratios = []
    for share in np.linspace(0.25, 0.75, 11):
        across = np.abs(along - share * far) < 1.0
        if np.isfinite(total[across & (np.abs(aside) < 1.0)]).any():
            continue
        left, right = (float(total[across & (sign * aside > 0)].min(initial=np.inf)) for sign in (-1, 1))
        ratios.append(max(left, right) / min(left, right) if np.isfinite(min(left, right)) else 1.0)
    return bool(ratios) and min(ratios) > _CLEARLY


def make(wanted: tuple[int, float], rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question by the eighth of the picture's rim that the gripper stands in, and by how many more the mat is."""
    scene = _scene(rng, wanted, level)
    if scene is None:
        return None
    camera, things, (hand, goal), name = scene
    ends = camera.project([(*hand, 0.0), (*goal, 0.0)])[:, :2]
    coarse = Camera(camera.eye, camera.target, (SIZE[0] // _GRID, SIZE[1] // _GRID), camera.view)
    seen = look(coarse, things)
    free, blocking = _free(seen, things, CLEAR / _GRID)
    cells = ends / _GRID
    (c0, r0), (c1, r1) = (np.floor(cell).astype(int) for cell in cells)
    straight = np.rint(np.linspace(cells[0], cells[1], 200) - 0.5).astype(int)
    if not (free[r0, c0] and free[r1, c1]) or blocking[straight[:, 1], straight[:, 0]].mean() < 0.04:
        return None
    one, two, way = shortest(free, (int(r0), int(c0)), (int(r1), int(c1)))
    if not way:
        return None
    # Nor is there a gap that one may think wide enough.
    narrow, _ = _free(seen, things, (CLEAR - 6) / _GRID)
    if shortest(narrow, (int(r0), int(c0)), (int(r1), int(c1)))[0][r1, c1] < 0.92 * one[r1, c1]:
        return None
    if not _settled(one, two, cells[0] - 0.5, cells[1] - 0.5):
        return None
    corners = np.array([(c + 0.5, r + 0.5) for r, c in _taut(free, way)]) * _GRID
    corners[0], corners[-1] = ends
    if (corners < CLEAR).any() or (corners > np.array(SIZE) - CLEAR).any():
        return None  # it squeezes through between a thing and the rim of the picture
    path = _resampled(corners, _VERTICES) / np.array(SIZE)
    if np.hypot(*(path - path[0]).T).max() < 0.5:
        return None
    points = [[round(float(x), 4), round(float(y), 4)] for x, y in path]
    picture = render(camera, things, light(rng, indoors=True))
    question = (
        f"Move the gripper over the table to the middle of the {name} by the shortest way that goes round what stands between, "
        f"touches nothing and stays in the picture."
    )
    facts: dict[str, Any] = {"camera": camera, "things": things, "goal": goal, "mat": name, "hand": hand}
    return Item(question, json.dumps(points), "path", (picture,), metadata={"start": points[0]}, facts=facts)


def _answers(n: int, rng: np.random.Generator, level: Level) -> list[tuple[int, float]]:
    """Return starts and ends, even round the rim: no one path goes near many of them."""
    return evenly([(sector, further) for sector in range(8) for further in (2.5, 3.5, 4.5, 5.5)], n, rng)


MAKER = Maker("trajectory", _answers, make)
