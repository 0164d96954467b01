"""A drawn trajectory: the stroke at the start, bridged where it is dashed, ordered along its middle line."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field
from scipy.spatial import cKDTree

from provise.errors import Refusal
from provise.ops.components import Blob, blobs, minimal_area
from provise.ops.forks import Forks
from provise.ops.registry import Kind, Params, View, operator
from provise.ops.skeleton import Skeleton, resample, smooth, walk

__all__ = ["stroke_path"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

MOST_PIECES = 160
"""Pieces considered for a stroke, the largest: a dashed line has fewer, noise has more."""


SCRIBBLE = 20.0
"""Length of the middle line, in frame diagonals, from which red is texture or noise and nothing is worth following."""


class StrokeParams(Params):
    """What one stroke is.

    Attributes
    ----------
    samples : int
        Points of the path, equally spaced by arc length.
    gap : float
        Longest bridged gap, as a share of the frame's diagonal.
    start_within : float
        Greatest distance of the stroke's beginning from the given start, in normalised units.
    least : float
        Fewest pixels of a piece at 640x480.
    shortest : float
        Least length of a path, as a share of the frame's diagonal.
    covered : float
        Share of the middle line that the path must cover; less is a branching or self-crossing stroke.
    """

    samples: int = Field(default=20, ge=2, le=500)
    gap: float = Field(default=0.05, ge=0, le=0.3)
    start_within: float = Field(default=0.15, gt=0, le=1)
    least: float = Field(default=8.0, ge=1, le=1000)
    shortest: float = Field(default=0.03, gt=0, le=0.5)
    covered: float = Field(default=0.72, gt=0, le=1)


@operator("stroke_path", inputs={"mask": Kind.MASK}, output=Kind.PATH, params=StrokeParams, aids=("start",), version=2)
def stroke_path(view: View, params: StrokeParams, *, mask: Bytes) -> Floats:
    """Follow the stroke that begins at the given start to its end."""
    w, h = view.frame
    start = (view.aids["start"][0] * w, view.aids["start"][1] * h)
    view.draw("point", [round(v, 5) for v in view.aids["start"]], "start")
    pieces = blobs(_closed(mask), minimal_area(params.least, view.scale))[:MOST_PIECES]
    if not pieces:
        raise Refusal("no_mark", "no red stroke was found")
    _check_width(pieces, view)
    chosen, left = _chain(pieces, start, params.gap * view.diagonal, view.diagonal)
    _check_rest(chosen, left)
    stroke = _bridged(chosen, params.gap * view.diagonal)
    way = _way(stroke, start, view)
    if way.loop:
        # Some begin with a little ring round the start: the same as a dot there.
        way = _way(_start_filled(stroke, start, 0.08 * view.diagonal), start, view)
    if way.loop:
        raise Refusal(
            "branching", "the stroke crosses itself or closes, so its order is not known", {"loop": round(way.loop, 1)}
        )
    return _finished(view, params, way, stroke)


class _Way(NamedTuple):
    """The way along a stroke's middle line, the share of it that the way covers, and the loop that it cuts short."""

    path: Floats
    covered: float
    width: float
    loop: float


def _way(stroke: Blob, start: tuple[float, float], view: View) -> _Way:
    skeleton = stroke.skeleton
    if len(skeleton.points) < 3:
        raise Refusal("no_path", "the mark is a dot, not a path", {"pixels": stroke.area})
    length = float(skeleton.lengths.sum())
    if length > SCRIBBLE * view.diagonal:
        raise Refusal(
            "branching",
            f"the red lines are {length / view.diagonal:.0f} frame diagonals long together: a scribble, not one path",
            {"length": round(length, 1)},
        )
    pruned = _pruned(skeleton)
    path, covered = walk(pruned, start)
    forks, width = Forks(skeleton, path), float(np.median(pruned.widths))
    loop = forks.loop()
    # A hole in a thick stroke makes a small ring of its middle line; a longer one is a crossing that was cut short.
    return _Way(forks.followed(), covered, width, loop if loop > 6 * width + 4 else 0.0)


def _start_filled(stroke: Blob, start: tuple[float, float], largest: float) -> Blob:
    """Return the stroke with the holes round the start filled that are no larger than given."""
    h, w = stroke.crop.shape
    x, y = start[0] - stroke.x, start[1] - stroke.y
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(stroke.crop), connectivity=4)
    left, top, wide, high = (stats[:, i] for i in (0, 1, 2, 3))
    enclosed = (left > 0) & (top > 0) & (left + wide < w) & (top + high < h)
    here = (left <= x) & (x <= left + wide) & (top <= y) & (y <= top + high)
    fill = enclosed & here & (np.maximum(wide, high) <= largest)
    fill[0] = False
    return Blob(np.where(fill[labels], np.uint8(255), stroke.crop), stroke.x, stroke.y)


def _finished(view: View, params: StrokeParams, way: _Way, stroke: Blob) -> Floats:
    path, covered, width, _ = way
    path = _to_the_ends(smooth(path, 0.6 * width), stroke)
    length = float(np.hypot(*np.diff(path, axis=0).T).sum())
    view.note(length=round(length, 1), width=round(2 * width, 1), covered=round(covered, 3))
    evidence = {"length": round(length, 1), "width": round(2 * width, 1), "covered": round(covered, 3)}
    if length < params.shortest * view.diagonal or length < 5 * width:
        raise Refusal("no_path", "the mark is a dot or a blob, not a path", evidence)
    frame = np.asarray(view.frame, dtype=np.float64)
    norm = path / frame
    distance = float(np.hypot(*(norm[0] - np.asarray(view.aids["start"]))))
    if distance > params.start_within:
        raise Refusal(
            "wrong_start",
            f"the stroke begins {distance:.2f} from the given start",
            {**evidence, "distance": round(distance, 3)},
        )
    if covered < params.covered:
        raise Refusal("branching", "the stroke branches or crosses itself, so its order is not known", evidence)
    # Arc length is measured in pixels: a frame's two sides have different units once normalised.
    points = np.clip(resample(path, params.samples) / frame, 0.0, 1.0)
    view.draw("polyline", np.round(points, 5).tolist(), "path")
    return points


def _closed(mask: Bytes) -> Bytes:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def _check_width(pieces: list[Blob], view: View) -> None:
    """Refuse a region that was filled instead of a line that was drawn."""
    largest = pieces[0]
    depth = cv2.distanceTransform(
        cv2.copyMakeBorder(largest.crop, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0), cv2.DIST_L2, 3
    )
    if float(depth.max()) > 0.06 * view.diagonal:
        raise Refusal("not_a_stroke", "a red region was filled; the protocol asks for a line", {"pixels": largest.area})


def _chain(
    pieces: list[Blob], start: tuple[float, float], gap: float, diagonal: float
) -> tuple[list[Blob], list[Blob]]:
    """Return the pieces that go on from one another's ends, beginning nearest the start, and the rest."""
    nearness = [float(np.hypot(*(_outline(p) - np.asarray(start)).T).min()) for p in pieces]
    # A speck of noise may lie nearer to the start than the line itself; among pieces about as near, the largest begins.
    near = min(nearness)
    seed = min((i for i, d in enumerate(nearness) if d <= near + 0.04 * diagonal), key=lambda i: -pieces[i].area)
    width = max((_width(p) for p in pieces[:4]), default=1.0)
    ends = {i: _ends(p) for i, p in enumerate(pieces) if i == seed or p.area >= 0.5 * width**2}
    chosen, waiting, frontier = {seed}, set(ends) - {seed}, [seed]
    while frontier:
        at = frontier.pop()
        for other in sorted(waiting):
            if (
                _boxes_apart(pieces[at], pieces[other]) <= gap
                and _closest(ends[other], ends[at], cKDTree(ends[at]))[0] <= gap + width
            ):
                waiting.discard(other)
                chosen.add(other)
                frontier.append(other)
    return [pieces[i] for i in sorted(chosen)], [p for i, p in enumerate(pieces) if i not in chosen]


def _width(blob: Blob) -> float:
    padded = cv2.copyMakeBorder(blob.crop, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    return 2 * float(cv2.distanceTransform(padded, cv2.DIST_L2, 3).max())


def _ends(blob: Blob) -> Floats:
    """Return where a piece can go on: the ends of its middle line, or its middle where it is a dot."""
    skeleton = blob.skeleton
    ends = skeleton.points[skeleton.degrees() <= 1]
    return ends if len(ends) else np.asarray([blob.centroid], dtype=np.float64)


def _outline(blob: Blob) -> Floats:
    contours, _ = cv2.findContours(blob.crop, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    points = np.concatenate(contours).reshape(-1, 2).astype(np.float64)
    return np.asarray(points + np.array([blob.x + 0.5, blob.y + 0.5]), dtype=np.float64)


def _boxes_apart(a: Blob, b: Blob) -> float:
    ax, ay, aw, ah = a.box
    bx, by, bw, bh = b.box
    return float(np.hypot(max(bx - ax - aw, ax - bx - bw, 0), max(by - ay - ah, ay - by - bh, 0)))


def _check_rest(chosen: list[Blob], left: list[Blob]) -> None:
    """Refuse where what is not connected is no mere speckle.

    Of a dotted line that breaks off, each dot left over is small beside the dots that were followed, all of them are not.
    """
    own = sum(b.area for b in chosen)
    usual = float(np.median([b.area for b in chosen]))
    elsewhere = max(
        max((b.area for b in left), default=0),
        sum(b.area for b in left if b.area >= 0.5 * usual),
    )
    if elsewhere > 0.25 * own:
        raise Refusal(
            "disconnected", "the red marks do not hang together as one path", {"stroke": own, "elsewhere": elsewhere}
        )


def _bridged(pieces: list[Blob], gap: float) -> Blob:
    """Draw the pieces into one mask, joined by straight bridges along their shortest spanning tree."""
    if len(pieces) == 1:
        return pieces[0]
    x, y = min(p.x for p in pieces), min(p.y for p in pieces)
    right = max(p.x + p.crop.shape[1] for p in pieces)
    bottom = max(p.y + p.crop.shape[0] for p in pieces)
    canvas = np.zeros((bottom - y, right - x), np.uint8)
    for p in pieces:
        part = canvas[p.y - y : p.y - y + p.crop.shape[0], p.x - x : p.x - x + p.crop.shape[1]]
        np.bitwise_or(part, p.crop, out=part)
    outlines = [_outline(p) for p in pieces]
    trees = [cKDTree(outline) for outline in outlines]
    joined, waiting = {0}, set(range(1, len(pieces)))
    links = {i: (0, *_closest(outlines[i], outlines[0], trees[0])) for i in waiting}
    while waiting:
        at = min(waiting, key=lambda i: links[i][1])
        _, _, b, a = links[at]
        thick = max(1, round(min(2 * pieces[at].area / max(len(outlines[at]), 1), gap)))
        ends = [(int(p[0] - x), int(p[1] - y)) for p in (a, b)]
        cv2.line(canvas, ends[0], ends[1], 255, thick)
        waiting.discard(at)
        joined.add(at)
        for i in waiting:
            nearest = links[i][1]
            if _boxes_apart(pieces[at], pieces[i]) >= nearest:
                continue
            found = _closest(outlines[i], outlines[at], trees[at], nearest)
            if found[0] < nearest:
                links[i] = (at, *found)
    return Blob(canvas, x, y)


def _closest(a: Floats, b: Floats, tree: cKDTree, within: float = np.inf) -> tuple[float, Floats, Floats]:
    """Return the least distance from points to those of a tree, and the two points; infinite where none is so near."""
    apart, nearest = (np.asarray(found) for found in tree.query(a, distance_upper_bound=within))
    i = int(apart.argmin())
    return float(apart[i]), a[i], b[min(int(nearest[i]), len(b) - 1)]


def _pruned(skeleton: Skeleton) -> Skeleton:
    """Return the skeleton without its spurs: branches shorter than the stroke is wide."""
    for _ in range(3):
        degrees = skeleton.degrees()
        if not (degrees >= 3).any():
            return skeleton
        spurs = _spurs(skeleton, degrees, 2.2 * float(np.median(skeleton.widths)) + 3)
        if not spurs.any():
            return skeleton
        keep = ~spurs
        index = np.cumsum(keep) - 1
        edges = keep[skeleton.heads] & keep[skeleton.tails]
        skeleton = Skeleton(
            skeleton.points[keep],
            index[skeleton.heads[edges]],
            index[skeleton.tails[edges]],
            skeleton.lengths[edges],
            skeleton.widths[keep],
        )
    return skeleton


def _spurs(skeleton: Skeleton, degrees: npt.NDArray[np.int64], limit: float) -> npt.NDArray[np.bool_]:
    """Mark the pixels of branches from an end to a junction that are shorter than the limit."""
    links: dict[int, list[tuple[int, float]]] = {}
    for a, b, length in zip(skeleton.heads, skeleton.tails, skeleton.lengths, strict=True):
        links.setdefault(int(a), []).append((int(b), float(length)))
        links.setdefault(int(b), []).append((int(a), float(length)))
    marked = np.zeros(len(degrees), dtype=bool)
    found: list[tuple[float, list[int], int]] = []
    for end in np.flatnonzero(degrees == 1):
        way, at, before, length = [int(end)], int(end), -1, 0.0
        while length <= limit:
            step = next(((n, d) for n, d in links[at] if n != before), None)
            if step is None:
                break
            before, at = at, step[0]
            length += step[1]
            if degrees[at] >= 3:
                found.append((length, way, at))
                break
            way.append(at)
    # At a fork of two short branches the longer one is the stroke's own end.
    ends_at: dict[int, int] = {}
    for length, way, junction in sorted(found, key=lambda item: item[0]):
        if length <= limit and ends_at.get(junction, 0) < degrees[junction] - 2:
            marked[way] = True
            ends_at[junction] = ends_at.get(junction, 0) + 1
    return marked


def _to_the_ends(path: Floats, stroke: Blob) -> Floats:
    """Lengthen a way to the stroke's own ends: thinning takes half a width off each."""
    if len(path) < 3:
        return path
    return np.concatenate([_tip(path, stroke)[None], path, _tip(path[::-1], stroke)[None]])


def _tip(path: Floats, stroke: Blob) -> Floats:
    """Go on from the first point, against the path's direction, as far as the stroke reaches, less a round cap."""
    half = _half_width(path, stroke)
    inner = path[min(len(path) - 1, max(8, round(3 * half)))]
    direction = path[0] - inner
    norm = float(np.hypot(*direction))
    if norm == 0:
        return np.asarray(path[0], dtype=np.float64)
    direction = direction / norm
    h, w = stroke.crop.shape
    reach: float = 0.0
    for step in np.arange(0.5, 60.0, 0.5):
        x, y = path[0] + direction * step - (stroke.x, stroke.y)
        if not (0 <= x < w and 0 <= y < h) or stroke.crop[int(y), int(x)] == 0:
            break
        reach = float(step)
    return np.asarray(path[0] + direction * max(0.0, reach - half), dtype=np.float64)


def _half_width(path: Floats, stroke: Blob) -> float:
    depth = cv2.distanceTransform(
        cv2.copyMakeBorder(stroke.crop, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0), cv2.DIST_L2, 5
    )
    rows = np.clip(path[:, 1] - stroke.y + 1, 0, depth.shape[0] - 1).astype(int)
    columns = np.clip(path[:, 0] - stroke.x + 1, 0, depth.shape[1] - 1).astype(int)
    return float(np.median(depth[rows, columns]))
