"""One point: the centre of a single compact mark."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.errors import Refusal
from provise.ops.components import Blob, blobs, minimal_area
from provise.ops.registry import Kind, Params, View, operator

__all__ = ["compact_point"]

SMALLEST = 3.0
"""Radius, in pixels, of the smallest body that a tail can be told from."""

OUTSIDE = 1.35
"""Radii of the body from its middle beyond which a pixel is a tail's; a disc's own rim does not reach so far."""

TIP = 1.6
"""Radii that a tail reaches at least."""

TAIL = 0.03
"""Least share of the mark that a tail is."""

SECTOR = 0.7
"""Cosine within which all of a tail lies round its direction."""


class PointParams(Params):
    """What one compact mark is.

    Attributes
    ----------
    least : float
        Fewest pixels of the mark at 640x480.
    most : float
        Largest share of the frame the mark may cover.
    rival : float
        A second mark with this share of the first one's area makes the answer ambiguous.
    """

    least: float = Field(default=20.0, ge=1, le=10_000)
    most: float = Field(default=0.12, gt=0, le=1)
    rival: float = Field(default=0.3, gt=0, le=1)


@operator("compact_point", inputs={"mask": Kind.MASK}, output=Kind.POINT, params=PointParams, version=2)
def compact_point(view: View, params: PointParams, *, mask: npt.NDArray[np.uint8]) -> tuple[float, float]:
    """Take the centre of the one compact mark; refuse several, a spread-out, a tiny one, or a pin."""
    found = blobs(_closed(mask), minimal_area(params.least / 4, view.scale))
    if not found or found[0].area < minimal_area(params.least, view.scale):
        area = found[0].area if found else 0
        raise Refusal("too_small", f"the largest mark has {area} pixels, too few to localise", {"area": area})
    first = found[0]
    view.note(marks=len(found), areas=[b.area for b in found[:8]])
    for blob in found[:8]:
        view.draw("box", blob.normalised_box(view.frame))
    if cv2.countNonZero(mask) > params.most * mask.size:
        share = cv2.countNonZero(mask) / mask.size
        raise Refusal("diffuse_mark", f"the mark covers {share:.0%} of the frame: no point", {"share": round(share, 4)})
    rivals = [b for b in found[1:] if b.area >= params.rival * first.area]
    if rivals:
        raise Refusal(
            "multiple_marks",
            f"{1 + len(rivals)} similarly prominent marks; the protocol asks for one",
            {"areas": [b.area for b in (first, *rivals)][:8]},
        )
    _check_compact(first)
    if _pointed(first):
        raise Refusal("pointed_mark", "the mark has a tip at one side, like a pin: its centre may not be what is meant")
    x, y = first.centroid
    point = (x / view.frame[0], y / view.frame[1])
    view.note(area=first.area)
    view.draw("point", [round(point[0], 5), round(point[1], 5)], "point")
    return point


def _closed(mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def _check_compact(blob: Blob) -> None:
    if blob.fill < 0.45 or blob.aspect > 2.5:
        raise Refusal(
            "diffuse_mark",
            "the mark is not compact (a line, an outline or a scatter), so it names no point",
            {"fill": round(blob.fill, 3), "aspect": round(blob.aspect, 2)},
        )


def _pointed(blob: Blob) -> bool:
    """Tell whether a round body has a tail at one side and at no other.

    A square's corners, a star's points and an ellipse's ends lie all round; what a frame's border cuts off leaves two.
    """
    padded = cv2.copyMakeBorder(blob.crop, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    rims, _ = cv2.findContours(padded, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = cv2.drawContours(padded, rims, -1, 255, cv2.FILLED)
    depths = cv2.distanceTransform(whole, cv2.DIST_L2, 5)
    radius = float(depths.max())
    if radius < SMALLEST:
        return False
    # The middle of the plateau: in a long body the deepest pixel may lie anywhere along it.
    middle = np.argwhere(depths >= radius - 0.5).mean(axis=0)
    away = np.argwhere(whole > 0) - middle
    distance = np.hypot(*away.T)
    tail = away[distance > OUTSIDE * radius]
    if distance.max() < TIP * radius or len(tail) < TAIL * len(away):
        return False
    mean = tail.mean(axis=0)
    along = tail @ mean / (np.hypot(*tail.T) * max(float(np.hypot(*mean)), 1e-6))
    return bool(along.min() >= SECTOR)
