"""One scene of the certificate: a source, a truth and a style, and the drawing that says it; all from one generator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.conformance.photos import COLOUR, GREY, PLACES, frame_size, framed, scenery
from provise.draw import Board, Drawing, Style, draw, draw_invalid, make_board
from provise.draw.marks import CELLS
from provise.draw.regions import chroma

__all__ = ["MARK_COLOURS", "SHAPES", "Scene", "draw_answer", "draw_refused", "make_scene"]

Bytes = npt.NDArray[np.uint8]

MARK_COLOURS: dict[str, tuple[str, ...]] = {
    "instance_marking": ("green",),
    "point_marker": ("cyan",),
    "fixed_slots": ("magenta",),
    "direction_grid": ("blue",),
    "binary_relation": ("green", "blue"),
    "trajectory_drawing": ("red",),
    "dual_measure": ("magenta", "cyan"),
    "placement_outline": ("magenta", "red"),
}
"""Colours a protocol's marks have; the endpoint's board holds its own (tinted paper, a blue or yellow ball)."""

SHAPES: dict[str, tuple[str, ...]] = {
    "instance_marking": ("star", "star", "star", "disc"),
    "direction_grid": ("photo", "photo", "canvas", "square"),
}
"""Variants drawn, in equal parts."""

CHROMA = 8.0
"""A photo whose grey version is drawn as an answer is at least this colourful."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What an answer is drawn over.

    Attributes
    ----------
    protocol : str
        Whose answer it is.
    source : ndarray of uint8, shape (h, w, 3)
        The picture the model would be given.
    style : Style
        How the answer looks.
    truth : JSON value
        What it says.
    photo : str
        The photo's name.
    holds_colour : bool
        Whether the mark's colour was painted into the scene.
    choices : tuple of str
        The options.
    candidates : tuple of ndarray
        Views to choose from.
    board : Board or None
        Of the endpoint task.
    """

    protocol: str
    source: Bytes
    style: Style
    truth: Any
    photo: str = ""
    holds_colour: bool = False
    choices: tuple[str, ...] = ()
    candidates: tuple[Bytes, ...] = ()
    board: Board | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def aids(self) -> dict[str, Any]:
        """What the draughtsman is told beside the truth."""
        aids: dict[str, Any] = dict(self.extra)
        if self.candidates:
            aids["candidates"] = self.candidates
        if self.board is not None:
            aids["board"] = self.board
        return aids


def make_scene(protocol: str, rng: np.random.Generator, *, holds_colour: bool) -> Scene:
    """Make a random scene of a protocol.

    Parameters
    ----------
    protocol : str
        An id the draughtsman knows.
    rng : Generator
        Decides everything.
    holds_colour : bool
        Paint patches of the mark's colour into the photo.
    """
    shapes = SHAPES.get(protocol, ("",))
    opacity = (0.35, 1.0) if protocol == "binary_relation" else (0.7, 1.0)
    style = Style.sample(rng, opacity=opacity, shape=shapes[int(rng.integers(len(shapes)))])
    if protocol == "trajectory_endpoint":
        return _board_scene(rng, style)
    if protocol == "state_matching":
        return _view_scene(rng, style)
    truth, choices = TRUTHS[protocol](rng)
    photo, name = _photo(rng, protocol, truth)
    colours = MARK_COLOURS.get(protocol, ())
    if holds_colour and colours:
        photo = scenery(rng, photo, colours)
    if protocol == "point_marker":
        truth = _inside(rng, style, photo)
    extra = {"choices": len(choices)} if protocol == "fixed_slots" else {}
    return Scene(protocol, photo, style, truth, name, bool(holds_colour and colours), choices, extra=extra)


def draw_answer(scene: Scene, rng: np.random.Generator) -> Drawing:
    """Draw the answer of a scene."""
    return draw(scene.protocol, scene.source, scene.truth, scene.style, rng, **scene.aids)


def draw_refused(scene: Scene, rule: str, rng: np.random.Generator) -> Drawing:
    """Draw an answer over a scene that must be refused."""
    return draw_invalid(scene.protocol, rule, scene.source, scene.style, rng, **scene.aids)


Truth = Callable[[np.random.Generator], tuple[Any, tuple[str, ...]]]


def _one_of(*values: Any) -> Truth:
    return lambda rng: (values[int(rng.integers(len(values)))], ())


def _count(rng: np.random.Generator) -> tuple[int, tuple[str, ...]]:
    return int(np.clip(round(float(np.exp(rng.uniform(0, np.log(50.5))))), 1, 50)), ()


def _slot(rng: np.random.Generator) -> tuple[str, tuple[str, ...]]:
    n = 4 if rng.random() < 0.7 else int(rng.choice([2, 3, 5, 6]))
    return "ABCDEF"[int(rng.integers(n))], tuple(f"option {i + 1}" for i in range(n))


TRUTHS: dict[str, Truth] = {
    "instance_marking": _count,
    "point_marker": _one_of(None),
    "fixed_slots": _slot,
    "direction_grid": _one_of(*(cell for cell in CELLS if cell)),
    "binary_relation": _one_of(True, False),
    "relative_depth": _one_of("A", "B"),
    "region_mask": _one_of(None),
    "trajectory_drawing": _one_of(None),
    "dual_measure": _one_of("A", "B"),
    "placement_outline": _one_of(True, False),
}
"""Random truths, and the options that go with them; None leaves it to the draughtsman or to the scene."""


def _photo(rng: np.random.Generator, protocol: str, truth: Any) -> tuple[Bytes, str]:
    """Return a part of a photo, colour and grey in equal parts; colourful where its grey version is the answer."""
    grey_answer = protocol == "binary_relation" and truth is False
    while True:
        names = COLOUR if grey_answer or rng.random() < 0.5 else GREY
        name = names[int(rng.integers(len(names)))]
        photo = framed(rng, name, frame_size(rng))
        if not grey_answer or chroma(photo) >= CHROMA:
            return photo, name


def _inside(rng: np.random.Generator, style: Style, photo: Bytes) -> list[float]:
    """Return a place at which the whole disc lies in the frame."""
    size = np.array(photo.shape[1::-1], np.float64)
    room = (style.size * size.max() / 2 + 2) / size
    return [float(v) for v in rng.uniform(room, 1 - room)]


def _board_scene(rng: np.random.Generator, style: Style) -> Scene:
    count = int(rng.integers(3, 13))
    board = make_board(rng, count)
    truth = {"index": int(rng.integers(1, count + 1)), "count": count}
    return Scene("trajectory_endpoint", board.image, style, truth, "board", board=board)


def _view_scene(rng: np.random.Generator, style: Style) -> Scene:
    """Make a current view and candidates: parts of one photo, or of several; near the right one, or elsewhere."""
    size = frame_size(rng, (480, 800))
    n = int(rng.integers(3, 6))
    truth = "ABCDE"[int(rng.integers(n))]
    if rng.random() < 0.5:
        name = PLACES[int(rng.integers(len(PLACES)))]
        parts = [framed(np.random.default_rng(int(rng.integers(2**32))), name, size, zoom=(0.9, 1.0))]
        parts += _quarters(parts[0], size)
        source, views = parts[0], [parts[1 + int(i)] for i in rng.permutation(4)[: min(n, 4)]]
        truth = truth if truth in "ABCD"[: len(views)] else "A"
    else:
        name = "several"
        names = [PLACES[int(i)] for i in rng.permutation(len(PLACES))[: n + 1]]
        views = [framed(rng, each, size) for each in names[:n]]
        near = rng.random() < 0.5
        right = views["ABCDE".index(truth)]
        source = _zoomed(right, size) if near else framed(rng, names[n], size)
    choices = tuple(f"view {i + 1}" for i in range(len(views)))
    return Scene("state_matching", source, style, truth, name, choices=choices, candidates=tuple(views))


def _quarters(picture: Bytes, size: tuple[int, int]) -> list[Bytes]:
    import cv2

    h, w = picture.shape[0] // 2, picture.shape[1] // 2
    return [
        np.asarray(cv2.resize(picture[y : y + h, x : x + w], size, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
        for y in (0, h)
        for x in (0, w)
    ]


def _zoomed(picture: Bytes, size: tuple[int, int]) -> Bytes:
    import cv2

    h, w = picture.shape[:2]
    part = picture[h // 8 : h - h // 8, w // 8 : w - w // 8]
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
