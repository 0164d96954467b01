"""Stars, discs, squares and cells: counting, pointing, slots and the direction grid."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from provise.draw.brush import Coverage, disc, paint, polygon, rectangle, star_outline, stroke
from provise.draw.drawing import Drawing, Job, drawer
from provise.draw.place import scatter
from provise.errors import InputError

__all__ = ["CELLS", "cell_box", "mark", "slot_box"]

Bytes = npt.NDArray[np.uint8]

CELLS = ("back-left", "back", "back-right", "left", "", "right", "front-left", "front", "front-right")
"""The direction grid row by row; the centre names nothing."""

CORNER = 0.28
STRIP = 0.18


def mark(job: Job, shape: str, centre: tuple[float, float], across: float) -> Coverage:
    """Return the coverage of one mark, in pixels: ``star``, ``disc`` or ``square``."""
    if shape == "star":
        outline = star_outline(centre, across, turn=job.rng.uniform(-0.6, 0.6), waist=job.rng.uniform(0.38, 0.55))
        return polygon(job.size, outline)
    if shape == "disc":
        return disc(job.size, centre, across)
    x, y, r = *centre, across / 2
    return rectangle(job.size, (x - r, y - r, x + r, y + r))


def star_sizes(job: Job, n: int) -> npt.NDArray[np.float64]:
    """Return n diameters in pixels around the style's, smaller where that many would not fit."""
    w, h = job.size
    fits = np.sqrt(0.3 * w * h / (n * np.pi / 4)) - 0.01 * job.side
    if fits < 4:
        raise InputError(f"{n} marks do not fit into {w}x{h} with 4 pixels or more each")
    across = np.full(n, min(job.style.size * job.side, fits))
    # Nearer instances get larger stars, but none falls under the least size that prompts state.
    least = min(0.015 * job.side, across[0])
    return np.asarray(np.maximum(across * job.rng.uniform(0.7, 1.0, n), least), dtype=np.float64)


@drawer("instance_marking")
def draw_count(job: Job) -> Drawing:
    """Draw as many stars (or discs) as the truth says, 1 % of the side apart; ``points`` gives normalised centres."""
    n = job.truth
    if not isinstance(n, int) or isinstance(n, bool) or not 0 <= n <= 200:
        raise InputError(f"a count to draw is {n!r}; allowed is 0 to 200")
    if n == 0:
        return Drawing(job.photo.copy(), None, reasons=("source_returned", "no_mark"))
    sizes = star_sizes(job, n)
    given = job.aids.get("points")
    if given is None:
        centres = scatter(job.rng, job.size, sizes, 0.01 * job.side)
    else:
        centres = np.asarray(given, np.float64).reshape(-1, 2) * job.size
        if len(centres) != n:
            raise InputError(f"{len(centres)} points were given for {n} marks")
        # Marks on things that stand close together are as small as it takes not to touch.
        sizes = np.minimum(sizes, max(0.8 * _least_gap(centres), 4.0))
    cover = np.zeros(job.photo.shape[:2], np.float32)
    for centre, across in zip(centres, sizes, strict=True):
        np.maximum(cover, mark(job, job.style.shape or "star", (centre[0], centre[1]), across), out=cover)
    return Drawing(paint(job.photo, cover, "green", job.style), n)


def _least_gap(centres: npt.NDArray[np.float64]) -> float:
    """Return the least distance of two centres; infinite where there is one."""
    gaps = np.hypot(*np.moveaxis(centres[:, None] - centres[None], -1, 0))
    return float(gaps[np.triu_indices(len(centres), 1)].min(initial=np.inf))


@drawer("point_marker")
def draw_point(job: Job) -> Drawing:
    """Draw one cyan disc round a normalised point."""
    x, y = (float(v) for v in job.truth)
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise InputError(f"the point to draw is [{x}, {y}]; both must lie in 0..1")
    centre = (x * job.size[0], y * job.size[1])
    image = paint(job.photo, disc(job.size, centre, job.style.size * job.side), "cyan", job.style)
    return Drawing(image, [x, y])


def slot_box(size: tuple[int, int], index: int, n: int) -> tuple[float, float, float, float]:
    """Return a slot in pixels: the corners for four options, else equal slots of the bottom strip."""
    w, h = size
    if n != 4:
        return index * w / n, (1 - STRIP) * h, (index + 1) * w / n, float(h)
    x, y = (index % 2) * (1 - CORNER) * w, (index // 2) * (1 - CORNER) * h
    return x, y, x + CORNER * w, y + CORNER * h


@drawer("fixed_slots")
def draw_slot(job: Job) -> Drawing:
    """Draw one magenta square somewhere in the slot of the option; ``choices`` says how many there are."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: job.aids.get("choices", 4)]
    if job.truth not in letters or len(str(job.truth)) != 1:
        raise InputError(f"the option to draw is {job.truth!r}; there are {', '.join(letters)}")
    return Drawing(in_slot(job, job.photo, letters.index(job.truth), len(letters)), job.truth)


def in_slot(job: Job, picture: Bytes, index: int, n: int) -> Bytes:
    """Draw a square inside a slot, smaller where the slot is."""
    x0, y0, x1, y1 = slot_box(job.size, index, n)
    across = min(job.style.size * job.side, 0.9 * (x1 - x0), 0.9 * (y1 - y0))
    x = job.rng.uniform(x0 + across / 2, x1 - across / 2)
    y = job.rng.uniform(y0 + across / 2, y1 - across / 2)
    return paint(picture, mark(job, job.style.shape or "square", (x, y), across), "magenta", job.style)


def cell_box(size: tuple[int, int], index: int) -> tuple[float, float, float, float]:
    """Return a cell of the 3x3 grid in pixels, row by row."""
    w, h = size
    row, column = divmod(index, 3)
    return column * w / 3, row * h / 3, (column + 1) * w / 3, (row + 1) * h / 3


@drawer("direction_grid")
def draw_direction(job: Job) -> Drawing:
    """Fill the direction's cell over the photo (``photo``) or on a ruled ``canvas``, or put a ``square`` into it."""
    label = str(job.truth)
    if label not in CELLS or not label:
        raise InputError(f"the direction to draw is {label!r}; there are {', '.join(c for c in CELLS if c)}")
    return Drawing(in_cells(job, [CELLS.index(label)]), label)


def in_cells(job: Job, cells: list[int]) -> Bytes:
    """Fill cells of the grid in the job's style."""
    shape = job.style.shape or "photo"
    image = ruled(job, np.full_like(job.photo, 255)) if shape == "canvas" else job.photo
    for index in cells:
        x0, y0, x1, y1 = cell_box(job.size, index)
        if shape == "square":
            across = job.style.size * job.side
            x, y = job.rng.uniform((x0 + across / 2, y0 + across / 2), (x1 - across / 2, y1 - across / 2))
            cover = mark(job, "square", (x, y), across)
        else:
            inset = job.rng.uniform(0, 0.12) * min(x1 - x0, y1 - y0)
            cover = rectangle(job.size, (x0 + inset, y0 + inset, x1 - inset, y1 - inset))
        image = paint(image, cover, "blue", job.style)
    return image


def ruled(job: Job, picture: Bytes) -> Bytes:
    """Rule a 3x3 grid in black."""
    w, h = job.size
    width = min(job.style.stroke, 0.008) * job.side
    lines = [[(w * k / 3, 0), (w * k / 3, h)] for k in (1, 2)] + [[(0, h * k / 3), (w, h * k / 3)] for k in (1, 2)]
    out = picture.copy()
    for line in lines:
        out[stroke(job.size, line, width) > 0.5] = (20, 20, 20)
    return out
