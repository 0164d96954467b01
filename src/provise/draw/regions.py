"""Overlays, masks and depth maps."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from provise.draw.brush import blob_outline, paint, polygon, soften
from provise.draw.drawing import Drawing, Job, drawer
from provise.draw.place import scatter
from provise.errors import InputError

__all__ = ["DEPTH_STEP", "chroma", "grey", "relief", "two_regions"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

DEPTH_STEP = 16
"""Least difference between the two depths drawn at A and B, in levels of 255."""


def grey(photo: Bytes) -> Bytes:
    """Return the grey version of a picture, three equal channels."""
    return np.asarray(cv2.cvtColor(cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB), dtype=np.uint8)


def chroma(photo: Bytes) -> float:
    """Return the mean spread between a pixel's largest and smallest channel, 0 to 255: how colourful a picture is."""
    return float((photo.max(axis=2).astype(np.int16) - photo.min(axis=2)).mean())


def two_regions(job: Job) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the coverage of two separate irregular regions: given ``subject`` and ``object`` masks, or drawn ones."""
    if "subject" in job.aids and "object" in job.aids:
        first, second = (np.asarray(job.aids[name], dtype=np.float32) for name in ("subject", "object"))
        return first, second
    least = min(job.size)
    across = job.rng.uniform(0.2, 0.42, 2) * least
    centres = scatter(job.rng, job.size, 1.25 * across, 0.02 * job.side)
    shapes = [
        polygon(job.size, blob_outline(job.rng, (c[0], c[1]), (a, a * job.rng.uniform(0.75, 1.0)), rough=0.2))
        for c, a in zip(centres, across, strict=True)
    ]
    return shapes[0], shapes[1]


@drawer("binary_relation")
def draw_relation(job: Job) -> Drawing:
    """True: a green overlay on the subject, a blue one on the object. False: the photo in grey."""
    if job.truth is not True and job.truth is not False:
        raise InputError(f"the relation to draw is {job.truth!r}; allowed is True or False")
    if not job.truth:
        if chroma(job.photo) < 2:
            return Drawing(grey(job.photo), None, reasons=("source_returned", "grey_source"))
        return Drawing(grey(job.photo), False)
    subject, other = two_regions(job)
    image = paint(job.photo, subject, "green", job.style)
    return Drawing(paint(image, other, "blue", job.style), True)


@drawer("region_mask")
def draw_mask(job: Job) -> Drawing:
    """Draw a white region on black: the truth (bool, the photo's size), or an irregular one where it is None."""
    if job.truth is None:
        across = job.rng.uniform(0.08, 0.6) * min(job.size) * np.array([1.0, job.rng.uniform(0.6, 1.0)])
        centre = job.rng.uniform(across * 0.4, np.asarray(job.size) - across * 0.4)
        cover = polygon(job.size, blob_outline(job.rng, (centre[0], centre[1]), (across[0], across[1])))
    else:
        cover = np.asarray(job.truth, dtype=np.float32)
        if cover.shape != job.photo.shape[:2]:
            raise InputError(f"the mask is {cover.shape[1]}x{cover.shape[0]}, the photo {job.size[0]}x{job.size[1]}")
    region = cover > 0.5
    if not region.any():
        raise InputError("the mask to draw is empty")
    # Models draw near-black and near-white; opacity says how near.
    low, high = (255 * f for f in (0.3 * (1 - job.style.opacity), 1 - 0.3 * (1 - job.style.opacity)))
    level = low + soften(cover, job.style.softness) * (high - low)
    image = np.repeat(np.clip(np.rint(level), 0, 255).astype(np.uint8)[..., None], 3, axis=2)
    return Drawing(image, region=region, expected="mask")


def relief(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Return a smooth random relief in 0..1, shape (h, w): a slanted plane with a few rounded bodies before it."""
    w, h = size
    x, y = np.meshgrid(np.linspace(-1, 1, w), np.linspace(-1, 1, h))
    turn = rng.uniform(0, 2 * np.pi)
    field = 0.5 * (np.cos(turn) * x + np.sin(turn) * y)
    for _ in range(int(rng.integers(2, 7))):
        cx, cy, r = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.15, 0.6)
        body = 1 / (1 + np.exp((np.hypot(x - cx, y - cy) - r) / 0.05))
        lift = rng.uniform(-0.3, 1.0)
        field = field * (1 - body) + body * (lift + 0.1 * y)
    return np.asarray((field - field.min()) / max(np.ptp(field), 1e-6), dtype=np.float64)


@drawer("relative_depth")
def draw_depth(job: Job) -> Drawing:
    """Draw a grey depth map in which the truth's location is brighter by `DEPTH_STEP` or more.

    ``coordinates`` ([[xA, yA], [xB, yB]], normalised) are taken from the aids, or chosen.
    """
    if job.truth not in ("A", "B"):
        raise InputError(f"the nearer location to draw is {job.truth!r}; allowed is A or B")
    given = job.aids.get("coordinates")
    for _ in range(400):
        levels = 10 + 235 * relief(job.rng, job.size)
        spots = np.asarray(given, np.float64) if given is not None else job.rng.uniform(0.05, 0.95, (2, 2))
        if given is None and np.hypot(*(spots[0] - spots[1])) < 0.15:
            continue
        means, spreads = zip(*(_around(levels, spot) for spot in spots), strict=True)
        # Three levels of grain within the kernel are smooth; an edge that runs through it is not an answer to read.
        if max(spreads) > 3 * DEPTH_STEP or abs(means[0] - means[1]) < DEPTH_STEP:
            continue
        if ("A" if means[0] > means[1] else "B") != job.truth:
            levels = 255 - levels
        image = np.repeat(np.rint(levels).astype(np.uint8)[..., None], 3, axis=2)
        return Drawing(image, job.truth, aids={"coordinates": spots.tolist()})
    raise InputError(f"no depth map has its locations {given} {DEPTH_STEP} levels apart; are they the same?")


def _around(levels: Floats, spot: Floats) -> tuple[float, float]:
    """Return mean and spread of the 11x11 pixels round a normalised location."""
    h, w = levels.shape
    x, y = min(int(spot[0] * w), w - 1), min(int(spot[1] * h), h - 1)
    part = levels[max(0, y - 5) : y + 6, max(0, x - 5) : x + 6]
    return float(part.mean()), float(np.ptp(part))
