"""Bars that measure two objects, and the outline of a thing put in its place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from provise.draw.brush import blob_outline, disc, paint, polygon, stroke
from provise.draw.drawing import Drawing, Job, drawer
from provise.draw.place import resample, scatter
from provise.errors import InputError

__all__ = ["BAR_RATIO", "bars", "placed"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

BAR_RATIO = 1.25
"""The longer bar drawn is at least this many times the shorter."""


def bars(job: Job, ratio: float, *, which: tuple[str, ...] = ("magenta", "cyan")) -> Bytes:
    """Draw a magenta bar ``ratio`` times as long as a cyan one, each at its own place and slant."""
    least = min(job.size)
    longer = job.rng.uniform(0.25, 0.42) * least
    lengths = np.array([longer, longer / ratio] if ratio >= 1 else [longer * ratio, longer])
    width = max(job.style.stroke, 0.008) * job.side
    centres = scatter(job.rng, job.size, lengths + 2 * width, 0.02 * job.side)
    image = job.photo
    for colour, centre, length in zip(("magenta", "cyan"), centres, lengths, strict=True):
        turn = job.rng.choice([0.0, np.pi / 2, job.rng.uniform(0, np.pi)])
        reach = length / 2 * np.array([np.cos(turn), np.sin(turn)])
        if colour in which:
            image = paint(image, stroke(job.size, [centre - reach, centre + reach], width), colour, job.style)
    return image


@drawer("dual_measure")
def draw_bars(job: Job) -> Drawing:
    """Draw the two bars, the truth's the longer by `BAR_RATIO` or more.

    ``bars`` [[[x0, y0], [x1, y1]], ...] gives their ends, ``boxes`` [[x0, y0, x1, y1], ...] what they span.
    """
    if job.truth not in ("A", "B"):
        raise InputError(f"the larger object to draw is {job.truth!r}; allowed is A or B")
    lines = _given(job)
    if lines is not None:
        lengths = [float(np.hypot(*(line[1] - line[0]))) for line in lines]
        # A wrong answer measures the same two things, and mistakes one for the other.
        if (lengths[0] > lengths[1]) != (job.truth == "A"):
            lines = lines[::-1]
        image = job.photo
        for colour, line in zip(("magenta", "cyan"), lines, strict=True):
            image = paint(image, stroke(job.size, line, job.style.stroke * job.side), colour, job.style)
        return Drawing(image, job.truth)
    ratio = job.rng.uniform(BAR_RATIO, 2.5)
    return Drawing(bars(job, ratio if job.truth == "A" else 1 / ratio), job.truth)


def _given(job: Job) -> list[Floats] | None:
    """Return the ends of both bars in pixels, where the aids tell them."""
    if "bars" in job.aids:
        return [np.asarray(line, np.float64).reshape(2, 2) * job.size for line in job.aids["bars"]]
    if job.aids.get("boxes") is not None:
        return [_spanning(np.asarray(box, np.float64).reshape(2, 2) * job.size) for box in job.aids["boxes"]]
    return None


def _spanning(corners: Floats) -> Floats:
    """Return the line along a box's longer extent, through its middle."""
    middle, extent = corners.mean(axis=0), corners[1] - corners[0]
    along = np.array([extent[0] / 2, 0]) if extent[0] >= extent[1] else np.array([0, extent[1] / 2])
    return np.array([middle - along, middle + along])


def placed(job: Job) -> tuple[Floats, Bytes]:
    """Draw the thing where it should go, solid magenta; return its outline in pixels and the picture."""
    given = job.aids.get("outline")
    if given is not None:
        outline = np.asarray(given, np.float64).reshape(-1, 2) * job.size
    else:
        across = job.rng.uniform(0.18, 0.4) * min(job.size) * np.array([1.0, job.rng.uniform(0.7, 1.0)])
        low, high = 0.75 * across, np.asarray(job.size) - 0.75 * across
        centre = job.rng.uniform(low, high)
        outline = blob_outline(job.rng, (centre[0], centre[1]), (across[0], across[1]), rough=0.15)
    return outline, paint(job.photo, polygon(job.size, outline), "magenta", job.style)


@drawer("placement_outline")
def draw_placement(job: Job) -> Drawing:
    """Feasible: the shape alone. Not: one to three collisions as well, each a red mark across the shape's edge."""
    if job.truth is not True and job.truth is not False:
        raise InputError(f"feasibility to draw is {job.truth!r}; allowed is True or False")
    outline, image = placed(job)
    if not job.truth:
        around = resample(np.vstack([outline, outline[:1]]), 60)[:-1]
        first = int(job.rng.integers(len(around)))
        for k in range(int(job.rng.integers(1, 4))):
            image = paint(image, _across(job, around, (first + 20 * k) % len(around)), "red", job.style)
    return Drawing(image, bool(job.truth))


def _across(job: Job, around: Floats, at: int) -> npt.NDArray[np.float32]:
    """Return a collision at a place of the outline: a disc on the edge, or a short line straight across it."""
    spot = around[at]
    size = job.style.size * job.side
    if job.rng.random() < 0.5:
        return disc(job.size, (spot[0], spot[1]), size)
    tangent = around[(at + 1) % len(around)] - around[at - 1]
    normal = np.array([-tangent[1], tangent[0]]) / max(np.hypot(*tangent), 1e-6)
    return stroke(job.size, [spot - normal * size / 2, spot + normal * size / 2], max(job.style.stroke * job.side, 3))
