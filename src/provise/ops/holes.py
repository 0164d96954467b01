"""The endpoint of a drawn trajectory: which numbered hole the blue circle encloses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.errors import Refusal
from provise.ops.components import Blob, blobs, join, minimal_area
from provise.ops.numbers import Row, find_row
from provise.ops.registry import Kind, Params, View, operator
from provise.ops.sheet import Sheet

__all__ = ["circled_hole"]

Bytes = npt.NDArray[np.uint8]


class HoleParams(Params):
    """What a circled hole is.

    Attributes
    ----------
    least : float
        Fewest pixels of the circle at 640x480.
    rival : float
        A second blue mark of this share of the first one's size is a second circle.
    centred : float
        Greatest distance of the circle's centre from its hole, in units of the holes' distance.
    path_least : float
        Shortest extent of the yellow path, as a share of the frame's diagonal.
    numbers : {"built-in", "rapidocr"}
        What reads the holes' numbers: the built-in digit reader, or OCR (needs ``provise[ocr]``). Their places are
        found by geometry either way.
    """

    least: float = Field(default=40.0, ge=1, le=10_000)
    rival: float = Field(default=0.5, gt=0, le=1)
    centred: float = Field(default=0.4, gt=0, lt=0.5)
    path_least: float = Field(default=0.08, gt=0, le=1)
    numbers: Literal["built-in", "rapidocr"] = "built-in"


@operator(
    "circled_hole",
    inputs={"sheet": Kind.SHEET, "path": Kind.MASK, "ring": Kind.MASK},
    output=Kind.ENDPOINT,
    params=HoleParams,
    aids=("holes",),
)
def circled_hole(view: View, params: HoleParams, *, sheet: Sheet, path: Bytes, ring: Bytes) -> dict[str, int]:
    """Name the numbered hole that the one blue circle encloses."""
    holes = int(view.aids["holes"])
    read = _number_reader(view, params.numbers)
    _check_path(view, params, path)
    circle = _circle(view, params, ring)
    centre, radius = cv2.minEnclosingCircle(cv2.findNonZero(circle.crop))
    x, y = centre[0] + circle.x + 0.5, centre[1] + circle.y + 0.5
    at = [round(x / view.frame[0], 5), round(y / view.frame[1], 5)]
    view.draw("circle", at, "circle", radius=round(float(radius) / view.frame[0], 5))
    row = _numbers(sheet, path, ring, holes, read)
    if row is None:
        raise Refusal("unreadable_numbers", "no row of numbered holes was found")
    view.note(numbers=[n.value for n in row.numbers], slots=list(row.slots), pitch=round(row.pitch, 1))
    slot = _slot(row, x, y, float(radius), params.centred)
    index, count = _numbered(row, slot)
    if count != holes:
        raise Refusal("wrong_hole_count", f"{count} holes are drawn; the question has {holes}", {"drawn": count})
    if not 1 <= index <= holes:
        raise Refusal("no_hole", f"the circle lies beside the row, where hole {index} would be", {"index": index})
    return {"index": index, "count": holes}


def _number_reader(view: View, name: str) -> Callable[[Bytes], int | None] | None:
    """Return the OCR of numbers, None for the built-in reader; it is loaded before anything is judged, and noted."""
    if name == "built-in":
        view.note(number_reader=name)
        return None
    from provise.ops.ocr import ocr_name, read_number

    view.note(number_reader=ocr_name())
    return read_number


def _check_path(view: View, params: HoleParams, path: Bytes) -> None:
    found = blobs(cv2.dilate(path, np.ones((3, 3), np.uint8)), minimal_area(20, view.scale))
    reach = max((float(np.hypot(*b.crop.shape)) for b in found), default=0.0)
    view.note(path_extent=round(reach, 1))
    if reach < params.path_least * view.diagonal:
        raise Refusal("no_path", "no yellow path was found", {"extent": round(reach, 1)})


def _circle(view: View, params: HoleParams, ring: Bytes) -> Blob:
    found = blobs(
        np.asarray(cv2.morphologyEx(ring, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))), minimal_area(4, view.scale)
    )
    if not found:
        raise Refusal("no_circle", "no blue circle was found")
    # The largest by extent is the circle; what lies within it (a number drawn again) belongs to it.
    found.sort(key=lambda b: -max(b.crop.shape))
    circle = found[0]
    rivals = []
    for blob in found[1:]:
        apart = max(
            circle.x - blob.x - blob.crop.shape[1], blob.x - circle.x - circle.crop.shape[1],
            circle.y - blob.y - blob.crop.shape[0], blob.y - circle.y - circle.crop.shape[0],
        )  # fmt: skip
        if apart < 0.08 * max(circle.crop.shape):
            circle = join(circle, blob)
        elif max(blob.crop.shape) >= params.rival * max(circle.crop.shape):
            rivals.append(blob)
    if circle.area < minimal_area(params.least, view.scale):
        raise Refusal("no_circle", "the blue mark is too small for a circle", {"area": circle.area})
    if rivals:
        raise Refusal("multiple_circles", f"{1 + len(rivals)} blue circles; the protocol asks for one")
    if circle.aspect > 1.6:
        raise Refusal("no_circle", "the blue mark is no circle", {"aspect": round(circle.aspect, 2)})
    return circle


def _numbers(
    sheet: Sheet, path: Bytes, ring: Bytes, holes: int, read: Callable[[Bytes], int | None] | None
) -> Row | None:
    """Return the row as the answer shows it; as the source shows it where the answer's cannot be made out."""
    hidden = cv2.bitwise_or(path, ring)
    own = find_row(sheet.answer, hidden, read=read)
    source = find_row(sheet.matched, read=read) if sheet.matched is not None and sheet.edited else None
    # The circle hides a number, and the first or the last of a short row is then not missed. In an edit the source's
    # whole row still stands where it stood, if every number of the answer does.
    if source is not None and source.slots[-1] + 1 == holes and _settled(source):
        if own is not None and _settled(own):
            return source if _stands_on(own, source) else own
        if _still_there(sheet, source, hidden):
            return source
    return own


def _stands_on(own: Row, source: Row) -> bool:
    """Whether the numbers of the answer's row stand at places of the source's, and say no other numbers there."""
    if own.vertical != source.vertical or abs(own.across - source.across) > 1.5 * source.height:
        return False
    places = [((n.y if source.vertical else n.x) - source.origin) / source.pitch for n in own.numbers]
    if not all(abs(p - round(p)) < 0.2 and -0.5 < p < source.slots[-1] + 0.5 for p in places):
        return False
    printed = {slot: n.value for n, slot in zip(source.numbers, source.slots, strict=True)}
    pairs = [(n.value, printed.get(round(p))) for n, p in zip(own.numbers, places, strict=True)]
    both = [a == b for a, b in pairs if a is not None and b is not None]
    return 2 * sum(both) >= len(both)


def _still_there(sheet: Sheet, row: Row, hidden: Bytes) -> bool:
    """Whether the answer shows at the source's row what the source shows there, blurred or coarse as it may be."""
    if sheet.matched is None:
        return False
    reach = 0.8 * row.height
    xs, ys = [n.x for n in row.numbers], [n.y for n in row.numbers]
    x0, y0 = (max(0, int(min(v) - reach)) for v in (xs, ys))
    x1, y1 = (int(max(v) + reach) + 1 for v in (xs, ys))
    greys = (cv2.cvtColor(p[y0:y1, x0:x1], cv2.COLOR_RGB2GRAY) for p in (sheet.answer, sheet.matched))
    clear = cv2.dilate(hidden[y0:y1, x0:x1], np.ones((5, 5), np.uint8)) == 0
    ours, theirs = (cv2.GaussianBlur(g, (0, 0), max(1.0, 0.15 * row.height))[clear].astype(np.float64) for g in greys)
    if ours.size < 50 or min(ours.std(), theirs.std()) < 2:
        return False
    return float(np.corrcoef(ours, theirs)[0, 1]) > 0.8


def _slot(row: Row, x: float, y: float, radius: float, centred: float) -> int:
    along, across = (y, x) if row.vertical else (x, y)
    place = (along - row.origin) / row.pitch
    slot = round(place)
    if abs(across - row.across) > max(1.2 * abs(row.pitch), 3 * row.height, 1.5 * radius):
        raise Refusal("no_hole", "the circle is not at the row of holes", {"distance": round(across - row.across, 1)})
    if abs(place - slot) > centred:
        raise Refusal("ambiguous_circle", "the circle lies between two holes", {"place": round(place, 2)})
    return slot


def _settled(row: Row) -> tuple[int, int] | None:
    """Return whether the numbers run up (1) or down (-1), and the number of slot 0, from those that could be read.

    Numbers run by one a slot. At least two readings that agree, and twice as many as disagree, settle it.
    """
    votes: dict[tuple[int, int], int] = {}
    for sign in (1, -1):
        for number, place in zip(row.numbers, row.slots, strict=True):
            if number.value is not None:
                key = (sign, number.value - sign * place)
                votes[key] = votes.get(key, 0) + 1
    ranked = sorted(votes.items(), key=lambda item: -item[1])
    read = sum(number.value is not None for number in row.numbers)
    if not ranked or ranked[0][1] < 2 or 2 * ranked[0][1] <= read:
        return None
    return None if len(ranked) > 1 and ranked[1][1] * 2 > ranked[0][1] else ranked[0][0]


def _numbered(row: Row, slot: int) -> tuple[int, int]:
    """Return the number of a slot and the count of holes."""
    found = _settled(row)
    if found is None:
        raise Refusal(
            "unreadable_numbers", "the holes' numbers cannot be read", {"read": [n.value for n in row.numbers]}
        )
    sign, base = found
    values = [base + sign * place for place in (*row.slots, slot)]
    return base + sign * slot, max(values) if min(values) >= 1 else -1
