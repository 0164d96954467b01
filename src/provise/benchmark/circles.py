"""Find the two circled points A and B of a depth question in its picture (BLINK's style)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.benchmark.letters import Glyph, find_letters
from provise.errors import Refusal

__all__ = ["Circle", "find_circles", "find_marked_points"]

Flags = npt.NDArray[np.bool_]
Pixels = npt.NDArray[Any]

RADII = (0.006, 0.06)
"""Least and largest radius, as shares of the picture's shorter side; never below three pixels."""

ROUNDNESS = 0.14
"""Largest spread of the outline's distance from the middle, as a share of the radius."""

SAME_SIZE = 1.35
"""Largest ratio of the radii of the two circles."""

REACH = 9.0
"""Radii from a circle's middle within which its letter lies."""

INSIDE = 1.45
"""Largest height of a letter inside its circle, in radii."""

LEAD = 1.35
"""The best pairing of circles and letters must beat any other by this factor."""


@dataclass(frozen=True)
class Circle:
    """A drawn ring or disc: its middle and radius in pixels, and its ink."""

    x: float
    y: float
    radius: float
    ink: str
    spread: float


def _inks(rgb: Pixels) -> Iterator[tuple[str, Flags]]:
    low = rgb.min(axis=2).astype(np.int16)
    red = rgb[..., 0].astype(np.int16) - np.maximum(rgb[..., 1], rgb[..., 2]).astype(np.int16)
    for level in (60, 100, 140):
        yield "red", red > level
    for level in (200, 235):
        yield "white", low > level


def _round(mask: Flags) -> tuple[float, float, float, float] | None:
    """Return middle, radius and spread of a component's outline if it is a circle."""
    outline, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outline, key=len)
    points = largest.reshape(-1, 2).astype(np.float64)
    # The outline runs through pixel centres, so it lies half a pixel inside the drawn edge.
    moments = cv2.moments(largest)
    if moments["m00"] <= 0:
        return None
    x, y = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
    far = np.hypot(points[:, 0] - x, points[:, 1] - y)
    radius, spread = float(far.mean()), float(far.std() / far.mean())
    # Outlines of a few pixels are never smooth: half a pixel is forgiven.
    return (x, y, radius + 0.5, spread) if spread <= ROUNDNESS + 0.25 / radius else None


def find_circles(rgb: Pixels) -> list[Circle]:
    """Find small red or white rings and discs.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        The picture.

    Returns
    -------
    list of Circle
        Roundest first; of circles of one ink round one middle the roundest.
    """
    side = min(rgb.shape[:2])
    least, most = max(3.0, RADII[0] * side), max(8.0, RADII[1] * side)
    found: list[Circle] = []
    for ink, mask in _inks(rgb):
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
        boxes = stats[1:count, :4]
        w, h = boxes[:, 2], boxes[:, 3]
        fits = (np.minimum(w, h) >= 2 * least - 1) & (np.maximum(w, h) <= 2 * most + 2)
        fits &= np.maximum(w, h) <= 1.3 * np.minimum(w, h) + 1
        for i in np.flatnonzero(fits) + 1:
            x, y, wide, high = (int(v) for v in stats[i, :4])
            fitted = _round(np.pad(labels[y : y + high, x : x + wide] == i, 1))
            if fitted and fitted[2] >= least:
                found.append(Circle(x + fitted[0] - 0.5, y + fitted[1] - 0.5, fitted[2], ink, fitted[3]))
    kept: list[Circle] = []
    for one in sorted(found, key=lambda c: c.spread):
        if not any(one.ink == other.ink and _together(one, other) for other in kept):
            kept.append(one)
    return kept


def _together(one: Circle, other: Circle) -> bool:
    return bool(np.hypot(one.x - other.x, one.y - other.y) <= 0.7 * max(one.radius, other.radius))


def _letters_round(rgb: Pixels, circle: Circle) -> list[Glyph]:
    """Letters within reach of a circle, in the picture's coordinates."""
    height, width = rgb.shape[:2]
    reach = (REACH + 4) * circle.radius
    x0, y0 = max(0, int(circle.x - reach)), max(0, int(circle.y - reach))
    x1, y1 = min(width, int(circle.x + reach) + 1), min(height, int(circle.y + reach) + 1)
    heights = (max(5.0, 0.5 * circle.radius), 6 * circle.radius)
    found = find_letters(rgb[y0:y1, x0:x1], heights)
    return [Glyph(one.letter, one.x + x0, one.y + y0, one.height, one.likeness) for one in found]


def _gap(circle: Circle, glyph: Glyph) -> float:
    """Distance of a letter from a circle's middle, in radii."""
    return float(np.hypot(circle.x - glyph.x, circle.y - glyph.y)) / circle.radius


def _belongs(circle: Circle, glyph: Glyph) -> bool:
    """Whether a letter is beside a circle, or small enough to be in it; a round B is no circle round itself."""
    gap = _gap(circle, glyph)
    return gap <= REACH and (gap > 0.8 or glyph.height <= INSIDE * circle.radius)


def _pairings(circles: list[Circle], letters: dict[Circle, list[Glyph]]) -> list[tuple[float, Circle, Circle]]:
    """Return costs of taking one circle for A and another for B, the cheapest first."""
    pairs: list[tuple[float, Circle, Circle]] = []
    for a, b in permutations(circles, 2):
        if a.ink != b.ink or max(a.radius, b.radius) > SAME_SIZE * min(a.radius, b.radius) + 1:
            continue
        costs = [
            # A letter's place against its circle is the same for both, as a rule: a difference costs half of itself.
            (1 + _gap(a, one) + _gap(b, two) + 0.5 * _shift(a, one, b, two)) / (one.likeness * two.likeness)
            for one in letters[a]
            for two in letters[b]
            if one.letter == "A" and two.letter == "B"
            and _belongs(a, one)
            and _belongs(b, two)
            and 0.6 <= one.height / two.height <= 1.6
        ]  # fmt: skip
        if costs:
            pairs.append((min(costs), a, b))
    return sorted(pairs, key=lambda item: item[0])


def _shift(a: Circle, one: Glyph, b: Circle, two: Glyph) -> float:
    return float(np.hypot((one.x - a.x) - (two.x - b.x), (one.y - a.y) - (two.y - b.y))) / a.radius


def find_marked_points(rgb: Pixels) -> tuple[tuple[float, float], tuple[float, float]]:
    """Find the circled points A and B.

    Two circles of one ink and size, each with its letter beside or inside it; every other reading of the picture must
    be clearly worse.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        The picture of a depth question.

    Returns
    -------
    a, b : tuple of float
        Middles (x, y), normalised.

    Raises
    ------
    Refusal
        ``no_circles``, ``no_letters`` or ``ambiguous``, with what was found.
    """
    circles = find_circles(rgb)
    if len(circles) < 2:
        raise Refusal("no_circles", f"{len(circles)} small red or white circle(s) found; two are needed")
    letters = {circle: _letters_round(rgb, circle) for circle in circles[:40]}
    circles = [circle for circle in letters if letters[circle]]
    pairs = _pairings(circles, letters)
    if not pairs:
        seen = sorted({glyph.letter for found in letters.values() for glyph in found})
        raise Refusal(
            "no_letters",
            f"{len(letters)} circle(s) found, and beside them the letters {seen or 'none'}; A and B are needed, each "
            "by a circle of its own, both circles alike",
        )
    best, a, b = pairs[0]
    rivals = [(c, d) for cost, c, d in pairs if cost < LEAD * best and not (_together(a, c) and _together(b, d))]
    if rivals:
        c, d = rivals[0]
        raise Refusal(
            "ambiguous",
            f"A and B may be at ({a.x:.0f}, {a.y:.0f}) and ({b.x:.0f}, {b.y:.0f}), or at ({c.x:.0f}, {c.y:.0f}) and "
            f"({d.x:.0f}, {d.y:.0f})",
        )
    height, width = rgb.shape[:2]
    first, second = ((float((one.x + 0.5) / width), float((one.y + 0.5) / height)) for one in (a, b))
    return first, second
