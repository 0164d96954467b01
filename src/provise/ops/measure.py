"""Two drawn bars: which is longer."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.errors import Refusal
from provise.ops.components import Blob, blobs, join, minimal_area
from provise.ops.registry import Kind, Params, View, operator

__all__ = ["bar_extent", "bar_lengths"]

Bytes = npt.NDArray[np.uint8]

MOST_PIECES = 64
"""Pieces of one colour that are looked at, the largest first."""

FEW_PIECES = 24
"""Pieces up to which it is asked again whether they continue a bar that has grown."""


class BarParams(Params):
    """What a bar is, and when two are told apart.

    Attributes
    ----------
    least : float
        Fewest pixels of a bar at 640x480.
    elongation : float
        Least length over width.
    spread : float
        Greatest extent across the bar, ticks and arrow heads included, as a share of its length.
    margin : float
        Bars whose lengths differ by less than this share of the longer one are not told apart.
    rival : float
        A second piece with this share of the first one's area, out of line with it, is a second bar.
    """

    least: float = Field(default=50.0, ge=1, le=10_000)
    elongation: float = Field(default=1.8, ge=1, le=20)
    spread: float = Field(default=0.42, gt=0, le=1)
    margin: float = Field(default=0.05, ge=0, lt=1)
    rival: float = Field(default=0.25, gt=0, le=1)


def bar_extent(mask: Bytes) -> tuple[float, float, list[list[float]]]:
    """Return length and width of a shape along its principal axis, and the axis' ends.

    Parameters
    ----------
    mask : ndarray of uint8, shape (h, w)
        Non-zero on the shape; at least one pixel.

    Returns
    -------
    length, width : float
        In pixels. The width is area over length, so that caps or an arrow head do not make a bar broad.
    ends : list of [x, y]
        Both ends in pixels of the mask.

    Examples
    --------
    >>> import numpy as np
    >>> m = np.zeros((20, 60), np.uint8); m[8:12, 5:45] = 255
    >>> length, width, _ = bar_extent(m)
    >>> round(length, 2), round(width, 2)
    (40.0, 4.0)
    """
    points = cv2.findNonZero(mask).reshape(-1, 2).astype(np.float64)
    middle = points.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov((points - middle).T) if len(points) > 1 else np.eye(2))
    axis = vectors[:, int(np.argmax(values))]
    along = (points - middle) @ axis
    # A pixel has an extent of its own: that of the unit square along the axis.
    length = float(np.ptp(along)) + float(np.abs(axis).max())
    ends = [(middle + t * axis + 0.5).tolist() for t in (along.min(), along.max())]
    return length, len(points) / length, ends


@operator(
    "bar_lengths", inputs={"magenta": Kind.MASK, "cyan": Kind.MASK}, output=Kind.CHOICE, params=BarParams, version=2
)
def bar_lengths(view: View, params: BarParams, *, magenta: Bytes, cyan: Bytes) -> str:
    """Choose A where the magenta bar is longer than the cyan one, else B.

    Parameters
    ----------
    view : View
        Its frame is the masks' grid: lengths are in pixels of the source, so a stretched answer compares rightly.
    params : BarParams
        What a bar is.
    magenta, cyan : ndarray of uint8, shape (h, w)
        New pixels of each colour, 0 or 255.

    Raises
    ------
    Refusal
        ``missing_bar``, ``multiple_bars``, ``not_a_bar`` or ``near_equal``.
    """
    lengths = {}
    for colour, mask, letter in (("magenta", magenta, "A"), ("cyan", cyan, "B")):
        lengths[colour] = _length(view, params, mask, colour, letter)
    a, b = lengths.values()
    view.note(magenta=round(a, 2), cyan=round(b, 2))
    if abs(a - b) < params.margin * max(a, b):
        raise Refusal(
            "near_equal", f"the bars are nearly equal ({a:.1f} and {b:.1f} pixels): neither is longer", lengths
        )
    return "A" if a > b else "B"


def _length(view: View, params: BarParams, mask: Bytes, colour: str, letter: str) -> float:
    least = minimal_area(params.least, view.scale)
    side = max(3, round(3 * view.scale**0.5) | 1)
    closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)
    # A bar may be broken into a few pieces; a picture full of specks is noise, of which the largest tell enough.
    found = blobs(closed, least / 8)[:MOST_PIECES]
    if not found or sum(b.area for b in found) < least:
        raise Refusal("missing_bar", f"there is no {colour} bar (option {letter})", {"colour": colour})
    bar, apart = _in_line(found)
    rivals = [b.area for b in apart if b.area >= params.rival * bar.area]
    dashes = [b.area for b in apart if b.area >= least / 2]
    # Dashes that were not joined would make the bar too short.
    rivals = rivals or (dashes if sum(dashes) >= params.rival * bar.area else [])
    if rivals:
        raise Refusal(
            "multiple_bars",
            f"{1 + len(rivals)} {colour} bars; one spans the object of option {letter}",
            {"areas": rivals[:8]},
        )
    if bar.area < least:
        raise Refusal(
            "missing_bar", f"there is no {colour} bar of {least:.0f} pixels (option {letter})", {"area": bar.area}
        )
    length, width, ends = bar_extent(bar.crop)
    # Ticks and brackets at its ends leave a bar straight; an arc, an outline or a zigzag spreads over an area.
    if length < params.elongation * width or _thickness(bar) > max(params.spread * length, 2.5 * width):
        evidence = {"colour": colour, "length": round(length, 1), "width": round(width, 1)}
        raise Refusal(
            "not_a_bar", f"the {colour} mark is no bar: {length:.0f} pixels long and {width:.0f} wide", evidence
        )
    w, h = view.frame
    view.draw(
        "polyline", [[round((bar.x + x) / w, 5), round((bar.y + y) / h, 5)] for x, y in ends], f"{letter} {length:.0f}"
    )
    return length


def _in_line(found: list[Blob]) -> tuple[Blob, list[Blob]]:
    """Join the pieces that continue the largest one: a bar crossed by the other one falls apart, a dashed one is many."""
    bar, rest = found[0], found[1:]
    while True:
        joined, rest = _extended(bar, rest)
        # A dash may continue the bar only once those between have been joined; specks of noise are too many to retry.
        if joined is bar or len(rest) > FEW_PIECES:
            return joined, rest
        bar = joined


def _extended(bar: Blob, pieces: list[Blob]) -> tuple[Blob, list[Blob]]:
    rest = []
    for piece in pieces:
        # What is thicker than the bar is a letter or a number at its end, not its other half.
        if _thickness(piece) > 1.4 * _thickness(bar) + 1:
            rest.append(piece)
            continue
        joined = join(bar, piece)
        before, after = bar_extent(bar.crop), bar_extent(joined.crop)
        length, _, _ = bar_extent(piece.crop)
        gap = after[0] - before[0] - length
        if _thickness(joined) <= 1.4 * _thickness(bar) + 1 and gap <= 0.25 * after[0]:
            bar = joined
        else:
            rest.append(piece)
    return bar, rest


def _thickness(blob: Blob) -> float:
    """Return the short side of the smallest rotated rectangle round a blob, in pixels."""
    _, (w, h), _ = cv2.minAreaRect(cv2.findNonZero(blob.crop))
    return float(min(w, h)) + 1
