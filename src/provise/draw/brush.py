"""Shapes as coverage, and laying a colour over a picture through it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from provise.draw.style import Style, tinted

__all__ = [
    "Coverage",
    "blob_outline",
    "disc",
    "lay",
    "paint",
    "polygon",
    "rectangle",
    "ring",
    "soften",
    "star_outline",
    "stroke",
]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Coverage = npt.NDArray[np.float32]
"""Shape (h, w), 0 where nothing lies, 1 where the shape covers the pixel."""

_SHIFT = 4


def polygon(size: tuple[int, int], outline: npt.ArrayLike) -> Coverage:
    """Return the coverage of a filled polygon.

    Parameters
    ----------
    size : tuple of int
        Width and height.
    outline : array_like, shape (n, 2)
        Vertices in pixels; the centre of pixel i lies at i + .5.
    """
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [_fixed(outline)], 255, cv2.LINE_AA, _SHIFT)
    return _coverage(mask)


def rectangle(size: tuple[int, int], box: tuple[float, float, float, float]) -> Coverage:
    """Return the coverage of the rectangle x0, y0, x1, y1 in pixels, edges at pixel fractions blended."""
    columns, rows = (
        np.clip(np.minimum(np.arange(n) + 1, high) - np.maximum(np.arange(n), low), 0, 1)
        for n, low, high in ((size[0], box[0], box[2]), (size[1], box[1], box[3]))
    )
    return np.asarray(np.outer(rows, columns), dtype=np.float32)


def disc(size: tuple[int, int], centre: tuple[float, float], diameter: float) -> Coverage:
    """Return the coverage of a disc, in pixels."""
    return np.asarray(np.clip(diameter / 2 - _distance(size, centre) + 0.5, 0, 1), dtype=np.float32)


def ring(size: tuple[int, int], centre: tuple[float, float], diameter: float, width: float) -> Coverage:
    """Return the coverage of a circle's line: ``diameter`` across its middle, ``width`` wide, in pixels."""
    off = np.abs(_distance(size, centre) - diameter / 2)
    return np.asarray(np.clip(width / 2 - off + 0.5, 0, 1), dtype=np.float32)


def stroke(size: tuple[int, int], line: npt.ArrayLike, width: float) -> Coverage:
    """Return the coverage of a polyline with round ends and joints, in pixels; ``width`` is rounded to whole pixels."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.polylines(mask, [_fixed(line)], False, 255, max(1, round(width)), cv2.LINE_AA, _SHIFT)
    return _coverage(mask)


def star_outline(centre: tuple[float, float], across: float, *, turn: float = 0.0, waist: float = 0.45) -> Floats:
    """Return the ten vertices of a five-pointed star, in pixels.

    Parameters
    ----------
    centre : tuple of float
        x, y.
    across : float
        Diameter of the circle through the points.
    turn : float
        Turn in radians; 0 points up.
    waist : float
        Radius of the inner corners over that of the points.
    """
    angles = turn - np.pi / 2 + np.arange(10) * np.pi / 5
    radii = np.where(np.arange(10) % 2 == 0, 1.0, waist) * across / 2
    return np.stack([centre[0] + radii * np.cos(angles), centre[1] + radii * np.sin(angles)], axis=1)


def blob_outline(
    rng: np.random.Generator,
    centre: tuple[float, float],
    across: tuple[float, float],
    *,
    rough: float = 0.25,
    n: int = 96,
) -> Floats:
    """Return the outline of an irregular, roundish region, in pixels.

    Parameters
    ----------
    rng : Generator
        Gives the shape.
    centre : tuple of float
        x, y.
    across : tuple of float
        Extent in x and y before the roughness.
    rough : float
        0 is an ellipse; .25 makes lobes of about a quarter of the radius.
    """
    angle = np.arange(n) * 2 * np.pi / n
    radius = np.ones(n)
    for order in range(2, 6):
        radius += rough / order * rng.normal() * np.cos(order * angle + rng.uniform(0, 2 * np.pi))
    radius = np.clip(radius, 0.45, 1.5)
    return np.stack(
        [centre[0] + across[0] / 2 * radius * np.cos(angle), centre[1] + across[1] / 2 * radius * np.sin(angle)], 1
    )


def soften(coverage: Coverage, softness: float) -> Coverage:
    """Fade a shape's edges over about ``softness`` pixels."""
    if softness < 0.1:
        return coverage
    return np.asarray(cv2.GaussianBlur(coverage, (0, 0), softness / 2), dtype=np.float32)


def paint(picture: Bytes, coverage: Coverage, colour: str, style: Style) -> Bytes:
    """Lay a named colour over a picture in a style: its drift, softness and opacity."""
    return lay(picture, soften(coverage, style.softness) * np.float32(style.opacity), tinted(colour, style))


def lay(picture: Bytes, coverage: Coverage, rgb: tuple[int, int, int]) -> Bytes:
    """Blend a colour over a picture by a coverage; the picture itself stays as it is.

    Examples
    --------
    >>> lay(np.zeros((1, 2, 3), np.uint8), np.array([[0, .5]], np.float32), (200, 0, 100))[0].tolist()
    [[0, 0, 0], [100, 0, 50]]
    """
    out = picture.copy()
    rows, columns = np.flatnonzero(coverage.any(axis=1)), np.flatnonzero(coverage.any(axis=0))
    if not len(rows):
        return out
    window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    part = coverage[window][..., None]
    blend = picture[window].astype(np.float32) * (1 - part) + part * np.asarray(rgb, np.float32)
    out[window] = np.clip(np.rint(blend), 0, 255)
    return out


def _fixed(points: npt.ArrayLike) -> npt.NDArray[np.int32]:
    # OpenCV puts a pixel's centre at its whole number, this package at + .5.
    return np.rint((np.asarray(points, np.float64) - 0.5) * (1 << _SHIFT)).astype(np.int32)


def _coverage(mask: Bytes) -> Coverage:
    return np.asarray(mask, dtype=np.float32) / np.float32(255)


def _distance(size: tuple[int, int], centre: tuple[float, float]) -> Floats:
    x, y = np.arange(size[0]) + 0.5 - centre[0], np.arange(size[1]) + 0.5 - centre[1]
    return np.asarray(np.hypot(x[None, :], y[:, None]), dtype=np.float64)
