"""A thing drawn where it should go, and the collisions marked on its edge."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.errors import Refusal
from provise.ops.components import Blob, blobs, minimal_area
from provise.ops.mask_shape import outlined
from provise.ops.registry import Kind, Params, View, operator

__all__ = ["placement"]

Bytes = npt.NDArray[np.uint8]


class PlacementParams(Params):
    """What the thing and a collision are.

    Attributes
    ----------
    least : float
        Fewest pixels of the thing at 640x480.
    collision : float
        Fewest pixels of a collision at 640x480.
    most : float
        Largest share of the frame the thing may cover.
    rival : float
        A second magenta piece with this share of the first one's area is a second thing.
    touch : float
        Pixels at 640x480 within which red touches magenta: both have soft rims.
    hair : float
        Pixels at 640x480 under which red is too thin to be a collision: so thin is the rim of a scene's own red where a
        model drew the scene anew.
    solid : float
        Share of its convex hull that a patch or a line fills; a ring, an arrow or a cross fills less.
    hollow : float
        What the thing encloses, over its own area, from which it is an outline.
    near : float
        Red outside the thing within this share of the frame's diagonal, but not touching, leaves the answer open.
    """

    least: float = Field(default=150.0, ge=1, le=50_000)
    collision: float = Field(default=30.0, ge=1, le=10_000)
    most: float = Field(default=0.8, gt=0, le=1)
    rival: float = Field(default=0.3, gt=0, le=1)
    touch: float = Field(default=4.0, ge=1, le=20)
    hair: float = Field(default=3.0, ge=0, le=20)
    solid: float = Field(default=0.72, gt=0, le=1)
    hollow: float = Field(default=0.8, gt=0, le=100)
    near: float = Field(default=0.05, ge=0, le=0.5)


@operator(
    "placement",
    inputs={"thing": Kind.MASK, "collisions": Kind.MASK, "faint": Kind.MASK},
    output=Kind.BOOLEAN,
    params=PlacementParams,
    version=3,
)
def placement(view: View, params: PlacementParams, *, thing: Bytes, collisions: Bytes, faint: Bytes) -> bool:
    """Read whether the thing fits: true where no collision lies across its edge.

    Parameters
    ----------
    view : View
        Takes the numbers and boxes of what was found.
    params : PlacementParams
        Sizes.
    thing, collisions : ndarray of uint8, shape (h, w)
        New magenta and new red pixels, 0 or 255.
    faint : ndarray of uint8, shape (h, w)
        Red pixels that are hardly redder than the source: over a red scene they may be a collision, so an answer that
        would be read as fitting is refused for them.

    Returns
    -------
    bool
        Red that is nowhere near the thing, or wholly inside it, marks no collision of its edge and is only noted.

    Raises
    ------
    Refusal
        ``no_mark``, ``too_small``, ``diffuse_mark``, ``multiple_marks``, ``outline`` or ``ambiguous_collision``.
    """
    side = max(3, round(2 * params.touch * view.scale**0.5) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    reds = blobs(_thick(collisions, params.hair * view.scale**0.5), minimal_area(params.collision, view.scale))
    body = _body(view, params, thing, reds, kernel)
    patches = [red for red in reds if not _rim(red, body, kernel)]
    across = [red for red in patches if _across(red, body, kernel)]
    signs = [red for red in patches if not _patch(red, params)]
    _refuse_signs(signs, across, body, kernel)
    if not across and any(_beside(red, body, params.near * view.diagonal) for red in patches):
        raise Refusal("ambiguous_collision", "red lies close to the thing, but not across its edge")
    if not across and any(
        _across(red, body, kernel) and not _rim(red, body, kernel)
        for red in blobs(cv2.bitwise_or(faint, collisions), minimal_area(params.collision / 2, view.scale))
    ):
        raise Refusal(
            "ambiguous_collision",
            "something small, or hardly redder than the scene, lies across the thing's edge: a collision?",
        )
    view.note(collisions=len(across), stray_red=len(reds) - len(across), thing=cv2.countNonZero(body))
    for red in across:
        view.draw("box", red.normalised_box(view.frame), "collision")
    return not across


def _patch(red: Blob, params: PlacementParams) -> bool:
    """Tell whether a red mark names one place: a patch, or a line."""
    hull = cv2.convexHull(cv2.findNonZero(red.crop))
    # The hull runs through the pixels' centres: half a pixel is missing all round.
    whole = float(cv2.contourArea(hull)) + 0.5 * float(cv2.arcLength(hull, True)) + 1
    return red.area >= params.solid * whole


def _refuse_signs(signs: list[Blob], across: list[Blob], body: Bytes, kernel: Bytes) -> None:
    """Refuse where a ring, an arrow or a cross lies on the thing, and no patch says where it collides."""
    if any(red not in signs for red in across):
        return
    for red in signs:
        grown, window = _grown(red, kernel, body.shape)
        if cv2.countNonZero(cv2.bitwise_and(grown, body[window])):
            raise Refusal(
                "ambiguous_collision", "an outline, an arrow or a cross in red lies on the thing, and no patch"
            )


def _thick(mask: Bytes, width: float) -> Bytes:
    """Return a mask without what is thinner than a width in pixels."""
    side = round(width)
    if side < 2:
        return mask
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), dtype=np.uint8)


def _body(view: View, params: PlacementParams, thing: Bytes, reds: list[Blob], kernel: Bytes) -> Bytes:
    """Return the thing's own magenta; pieces that a red mark cut apart count as one thing."""
    if not cv2.countNonZero(thing):
        raise Refusal("no_mark", "no magenta thing was drawn where it should go")
    bridged = cv2.morphologyEx(thing, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    for red in reds:
        _lay(bridged, red, kernel)
    pieces = [(piece, _magenta(piece, thing)) for piece in blobs(np.asarray(bridged, np.uint8), 1)]
    pieces.sort(key=lambda entry: -entry[1])
    first, area = pieces[0]
    least = minimal_area(params.least, view.scale)
    if area < least:
        raise Refusal(
            "too_small", f"the magenta thing has {area} pixels; at least {least:.0f} are needed", {"area": area}
        )
    if area > params.most * thing.size:
        raise Refusal(
            "diffuse_mark", f"magenta covers {area / thing.size:.0%} of the frame: no thing in it", {"area": area}
        )
    rivals = [n for _, n in pieces[1:] if n >= params.rival * area]
    if rivals:
        raise Refusal(
            "multiple_marks",
            f"{1 + len(rivals)} magenta things; the protocol asks for one",
            {"areas": [area, *rivals[:7]]},
        )
    view.draw("box", first.normalised_box(view.frame), "thing")
    if _hollow(first, params):
        raise Refusal("outline", "the thing is drawn as an outline; the protocol asks for a filled shape")
    body = np.zeros_like(thing)
    x, y, w, h = first.box
    body[y : y + h, x : x + w] = cv2.bitwise_and(first.crop, thing[y : y + h, x : x + w])
    return body


def _hollow(piece: Blob, params: PlacementParams) -> bool:
    """Tell whether a thing, its red marks counted in, encloses much that is not its own."""
    closed = cv2.copyMakeBorder(piece.crop, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    rims, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = cv2.countNonZero(cv2.drawContours(closed, rims, -1, 255, cv2.FILLED))
    return whole - piece.area >= params.hollow * piece.area or outlined(piece.crop > 0, 0.05)


def _lay(target: Bytes, red: Blob, kernel: Bytes) -> None:
    """Lay a red mark, grown to where it touches, on a mask."""
    grown, window = _grown(red, kernel, target.shape[:2])
    target[window] = cv2.bitwise_or(target[window], grown)


def _grown(red: Blob, kernel: Bytes, shape: tuple[int, ...]) -> tuple[Bytes, tuple[slice, slice]]:
    pad = kernel.shape[0] // 2
    x, y, w, h = red.box
    padded = cv2.dilate(cv2.copyMakeBorder(red.crop, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0), kernel)
    left, top = min(pad, x), min(pad, y)
    right, bottom = min(pad, shape[1] - x - w), min(pad, shape[0] - y - h)
    crop = padded[pad - top : pad + h + bottom, pad - left : pad + w + right]
    return np.ascontiguousarray(crop), (slice(y - top, y + h + bottom), slice(x - left, x + w + right))


def _magenta(piece: Blob, thing: Bytes) -> int:
    x, y, w, h = piece.box
    return int(cv2.countNonZero(cv2.bitwise_and(piece.crop, thing[y : y + h, x : x + w])))


def _beside(red: Blob, body: Bytes, reach: float) -> bool:
    """Tell whether a red mark lies outside the thing, but within reach of it."""
    x, y, w, h = cv2.boundingRect(body)
    cx, cy = red.centroid
    away = np.hypot(max(x - cx, cx - x - w, 0), max(y - cy, cy - y - h, 0))
    if away > reach + max(red.crop.shape):
        return False
    outline, _ = cv2.findContours(body, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    distance = max(cv2.pointPolygonTest(contour, (cx, cy), True) for contour in outline)
    return bool(-reach - max(red.crop.shape) / 2 < distance < 0)


def _rim(red: Blob, body: Bytes, kernel: Bytes) -> bool:
    """Tell whether a long thin red mark is the rim that blur leaves between magenta and a warm scene.

    A rim hugs the thing all along; a line drawn across its edge sticks out.
    """
    if red.aspect <= 4:
        return False
    pad = kernel.shape[0] // 2
    x, y, w, h = red.box
    left, top = max(0, x - pad), max(0, y - pad)
    around = np.ascontiguousarray(body[top : y + h + pad, left : x + w + pad])
    near = cv2.dilate(around, kernel)[y - top : y - top + h, x - left : x - left + w]
    return bool(cv2.countNonZero(cv2.bitwise_and(near, red.crop)) >= 0.92 * red.area)


def _across(red: Blob, body: Bytes, kernel: Bytes) -> bool:
    """Tell whether the ring round a red mark holds both the thing and what is beside it."""
    grown, window = _grown(red, kernel, body.shape)
    ring = grown.copy()
    top, left = red.y - window[0].start, red.x - window[1].start
    inner = ring[top : top + red.crop.shape[0], left : left + red.crop.shape[1]]
    inner[red.crop > 0] = 0
    total = cv2.countNonZero(ring)
    touching = cv2.countNonZero(cv2.bitwise_and(ring, body[window]))
    # Soft rims between red and magenta are neither: an inner mark's ring is never magenta all over.
    return bool(total) and 0.03 * total < touching < 0.75 * total
