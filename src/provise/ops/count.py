"""Count marks: one blob an instance, pieces of a crossed-out mark joined, merged marks refused."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.errors import Refusal
from provise.ops.components import Blob, blobs, join, minimal_area
from provise.ops.registry import Kind, Params, View, operator
from provise.ops.slits import compact, rejoined

__all__ = ["count_marks", "lobes"]

Bytes = npt.NDArray[np.uint8]


MOST_JOINED = 400
"""Pieces beyond which nothing is joined: so many are noise, or marks that nothing crossed."""


REACH = 64
"""Pixels beyond which two pieces are no pieces of one mark, however large they are."""


STROKE = 0.72
"""Share of the other marks' stoutness under which a mark is a stroke beside them."""


class CountParams(Params):
    """What a counted mark is.

    Attributes
    ----------
    least : float
        Fewest pixels of a mark at 640x480.
    most : float
        Largest share of the frame that all marks together may cover.
    limit : int
        More marks than this are refused as noise.
    """

    least: float = Field(default=10.0, ge=1, le=10_000)
    most: float = Field(default=0.5, gt=0, le=1)
    limit: int = Field(default=200, ge=1, le=2_000)


def lobes(blob: Blob) -> int:
    """Return how many bodies a blob has: 1 for a star or a disc, 2 for two that touch.

    The distance to the outline has one summit over a star or a disc, however ragged; two bodies that touch have a
    summit each and a pass between them. A second summit counts when it rises clearly above the pass.
    """
    if blob.area < 40:
        return 1
    zoom = 4 if blob.area < 200 else 2 if blob.area < 800 else 1
    crop = cv2.copyMakeBorder(blob.crop, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    if zoom > 1:
        grown = cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
        crop = np.asarray(cv2.threshold(grown, 127, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
    depth = cv2.distanceTransform(crop, cv2.DIST_L2, 5)
    top, area = float(depth.max()), cv2.countNonZero(crop)
    best = 1
    for level in (0.25, 0.35, 0.45, 0.55, 0.65, 0.75):
        above = (depth > level * top).astype(np.uint8)
        n, labels = cv2.connectedComponents(above, connectivity=8)
        if n <= 2:
            continue
        sizes = np.bincount(labels.ravel(), minlength=n)[1:]
        summits = np.zeros(n, np.float32)
        np.maximum.at(summits, labels.ravel(), depth.ravel())
        best = max(best, int(((summits[1:] / top - level >= 0.2) & (sizes >= 0.04 * area)).sum()))
    return best


def stoutness(blob: Blob) -> float:
    """Return the width of a blob at its widest over the root of its area: 1.1 for a disc, .6 for a star.

    Digits, letters, rings and the outlines of boxes are strokes, and stay under .4.
    """
    zoom = 4 if blob.area < 200 else 2 if blob.area < 800 else 1
    crop = cv2.copyMakeBorder(blob.crop, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    if zoom > 1:
        grown = cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
        crop = np.asarray(cv2.threshold(grown, 127, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
    widest = 2 * float(cv2.distanceTransform(crop, cv2.DIST_L2, 5).max())
    return widest / float(np.sqrt(max(cv2.countNonZero(crop), 1)))


def _strokes(marks: list[Blob]) -> list[int]:
    """Return the numbers, from 1, of marks that are strokes among bodies: by their shape, or by what they stand beside.

    Small digits are blots of no clear shape; that each stands beside a mark of twice its area gives them away.
    """
    stout = np.array([stoutness(blob) for blob in marks])
    by_shape = [i for i, width in enumerate(stout, 1) if width < STROKE * np.quantile(stout, 0.75)]
    beside = _beside(marks)
    bodies = len(marks) - len(beside)
    by_place = [i + 1 for i in beside] if len(beside) >= 2 and 2 * len(set(beside.values())) >= bodies else []
    return by_shape or by_place


def _beside(marks: list[Blob]) -> dict[int, int]:
    """Return, of each mark that is half as large as another, or less, and stands next to it, the other's number from 0."""
    area = np.array([blob.area for blob in marks], np.float64)
    x, y, w, h = np.array([blob.box for blob in marks], np.float64).reshape(-1, 4).T
    gap = np.maximum(
        np.maximum(x[:, None] - (x + w), x - (x + w)[:, None]), np.maximum(y[:, None] - (y + h), y - (y + h)[:, None])
    )
    next_to = (area[:, None] < 0.55 * area) & (gap < 0.7 * np.minimum(w, h))
    return {int(small): int(large) for small, large in np.argwhere(next_to)}


def _solidity(blob: Blob) -> float:
    """Return the share of its convex hull that a blob fills: about .5 for a star, 1 for a disc."""
    hull = cv2.convexHull(cv2.findNonZero(blob.crop))
    return blob.area / (cv2.contourArea(hull) + cv2.arcLength(hull, True) / 2 + 1)


def _one_mark(first: Blob, second: Blob) -> Blob | None:
    """Return two pieces as the one mark that a thin bar crossed, or None where they are two marks.

    A bar leaves two pieces that face each other along a straight slit and are round together. Two neighbours face
    each other at a tip, or make an elongated pair.
    """
    small, large = sorted((first.area, second.area))
    both = join(first, second)
    if small < 0.15 * large or both.aspect > 1.5:
        return None
    reach = 0.55 * large**0.5
    pad = int(reach) + 2
    wide = cv2.copyMakeBorder(both.crop, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    for size in range(3, int(reach) + 2, 2):
        kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (size, size))
        closed = Blob(
            np.asarray(cv2.morphologyEx(wide, cv2.MORPH_CLOSE, kernel), dtype=np.uint8), both.x - pad, both.y - pad
        )
        if cv2.connectedComponents(closed.crop, connectivity=8)[0] == 2:
            slit = (closed.area - both.area) / max(size - 1, 1)
            return closed if slit >= 0.75 * small**0.5 and lobes(closed) == 1 else None
    return None


def _rejoin(found: list[Blob]) -> tuple[list[Blob], int]:
    """Join the pieces of marks that were crossed by something thin; count the pairs that may be one mark or two."""
    marks = dict(enumerate(found))
    if len(marks) > MOST_JOINED:
        return found, 0
    parts = {i: [blob] for i, blob in marks.items()}
    doubts: dict[tuple[int, int], bool] = {}
    pending = _near(found)
    while pending:
        pair = i, j = pending.pop()
        if i not in marks or j not in marks:
            continue
        whole, doubts[pair] = _one_mark(marks[i], marks[j]), False
        if whole is None:
            whole, doubts[pair] = _across(parts[i], parts[j])
        if whole is None:
            continue
        # What was joined is another mark, and has to be held to all the others.
        new = max(parts) + 1
        parts[new] = parts[i] + parts[j]
        marks[new] = join(join(marks.pop(i), marks.pop(j)), whole)
        pending += [(k, new) for k in marks if k != new and not _far(marks[k], marks[new]) and compact(marks[k])]
    return list(marks.values()), sum(doubt for (i, j), doubt in doubts.items() if i in marks and j in marks)


def _across(first: list[Blob], second: list[Blob]) -> tuple[Blob | None, bool]:
    """Hold the pieces of two marks to each other: a tip that a bar cut off lies on one side of it, the mark on both."""
    doubtful = False
    for one in first:
        for other in second:
            whole, doubt = rejoined(one, other)
            if whole is not None:
                return whole, False
            doubtful |= doubt
    return None, doubtful


def _near(found: list[Blob]) -> list[tuple[int, int]]:
    """Return the pairs of compact pieces that lie near each other."""
    x, y, w, h = np.array([blob.box for blob in found]).T
    apart_x = np.maximum(x[None] - (x + w)[:, None], x[:, None] - (x + w)[None])
    apart_y = np.maximum(y[None] - (y + h)[:, None], y[:, None] - (y + h)[None])
    near = (apart_x <= np.minimum(np.minimum(w[None], w[:, None]), REACH)) & (
        apart_y <= np.minimum(np.minimum(h[None], h[:, None]), REACH)
    )
    pairs = np.argwhere(np.triu(near, 1))
    whole = {int(i): compact(found[int(i)]) for i in np.unique(pairs)}
    return [(int(i), int(j)) for i, j in pairs if whole[int(i)] and whole[int(j)]]


def _far(first: Blob, second: Blob) -> bool:
    fx, fy, fw, fh = first.box
    sx, sy, sw, sh = second.box
    return max(sx - fx - fw, fx - sx - sw) > min(fw, sw, REACH) or max(sy - fy - fh, fy - sy - sh) > min(fh, sh, REACH)


@operator("count_marks", inputs={"mask": Kind.MASK}, output=Kind.INTEGER, params=CountParams, version=2)
def count_marks(view: View, params: CountParams, *, mask: Bytes) -> int:
    """Count the compact marks; refuse merged ones, and bodies mixed with strokes, where the number cannot be known."""
    if cv2.countNonZero(mask) > params.most * mask.size:
        share = cv2.countNonZero(mask) / mask.size
        raise Refusal("diffuse_mark", f"marks cover {share:.0%} of the frame", {"share": round(share, 4)})
    closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    found = blobs(closed, minimal_area(params.least, view.scale))
    if not found:
        raise Refusal("no_mark", "no mark of countable size was found", {"pixels": int(cv2.countNonZero(mask))})
    if len(found) > 4 * params.limit:
        raise Refusal("too_many_marks", f"{len(found)} specks: noise, not instances", {"marks": len(found)})
    whole, doubts = _rejoin(found)
    marks = sorted(whole, key=lambda b: (b.y, b.x))
    if len(marks) > params.limit:
        raise Refusal("too_many_marks", f"{len(marks)} marks: noise, not instances", {"marks": len(marks)})
    view.note(marks=len(marks), pieces=len(found), areas=[b.area for b in marks[:20]])
    merged = [i for i, blob in enumerate(marks, 1) if lobes(blob) > 1 or (blob.aspect > 1.4 and _solidity(blob) > 0.85)]
    for i, blob in enumerate(marks, 1):
        view.draw("box", blob.normalised_box(view.frame), str(i))
    strokes = _strokes(marks)
    if merged:
        raise Refusal(
            "merged_marks", f"{len(merged)} of {len(marks)} marks look like several that touch", {"merged": merged[:20]}
        )
    if doubts:
        raise Refusal(
            "merged_marks", f"{doubts} pairs may be one mark with something across it, or two marks", {"pairs": doubts}
        )
    if strokes:
        raise Refusal(
            "unlike_marks",
            f"{len(strokes)} of {len(marks)} marks are strokes or bits beside the others (digits, letters, rings, pieces)",
            {"strokes": strokes[:20]},
        )
    return len(marks)
