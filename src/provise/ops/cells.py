"""Which cell of a layout is marked: the 3x3 direction grid, the corner slots, the strip of slots."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.errors import DataError, Refusal
from provise.ops.components import Blob, blobs, minimal_area
from provise.ops.inset import inset
from provise.ops.registry import Kind, Params, View, operator
from provise.ops.sheet import Sheet

__all__ = ["DIRECTIONS", "code_slot", "direction_cell"]

Bytes = npt.NDArray[np.uint8]

DIRECTIONS = ("back-left", "back", "back-right", "left", "", "right", "front-left", "front", "front-right")
"""The grid's cells row by row: front is the bottom of the frame, back the top, left and right are the picture's."""


class GridParams(Params):
    """When a cell counts as the one marked.

    Attributes
    ----------
    least : float
        Fewest marked pixels at 640x480 (50 in the paper, table 8).
    dominance : float
        Share of all marked pixels that the marked cell must hold.
    """

    least: float = Field(default=50.0, ge=1, le=10_000)
    dominance: float = Field(default=0.75, gt=0.5, le=1)


def _shares(mask: Bytes) -> npt.NDArray[np.float64]:
    """Return the marked pixels of each of the nine cells, row by row."""
    h, w = mask.shape
    rows, columns = (np.linspace(0, n, 4).round().astype(int) for n in (h, w))
    return np.array(
        [
            cv2.countNonZero(np.ascontiguousarray(mask[rows[r] : rows[r + 1], columns[c] : columns[c + 1]]))
            for r in range(3)
            for c in range(3)
        ],
        dtype=np.float64,
    )


def _without_lines(mask: Bytes) -> Bytes:
    """Take out what is thinner than 1.2 % of the frame: grid lines in the mark's own colour."""
    side = max(3, round(max(mask.shape) * 0.012)) | 1
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), dtype=np.uint8)


@operator(
    "direction_cell",
    inputs={"sheet": Kind.SHEET, "mask": Kind.MASK},
    output=Kind.DIRECTION,
    params=GridParams,
    version=2,
)
def direction_cell(view: View, params: GridParams, *, sheet: Sheet, mask: Bytes) -> str:
    """Name the one outer cell of a 3x3 grid that holds the mark."""
    counts = _shares(mask)
    if counts.max() < params.dominance * counts.sum():
        thick = _shares(_without_lines(mask))
        if thick.sum() >= max(0.3 * counts.sum(), minimal_area(params.least, view.scale)):
            counts = thick
    total = counts.sum()
    view.note(cells=[int(c) for c in counts], pixels=int(total))
    best = int(counts.argmax())
    evidence = {"cells": [int(c) for c in counts]}
    area = mask.size / 9
    active = int((counts >= max(0.25 * counts.max(), 0.02 * area)).sum()) if total else 0
    for index in np.flatnonzero(counts >= max(0.25 * counts.max(), 1)):
        row, column = divmod(int(index), 3)
        # Only the one cell that is the answer is named: a refused answer shows all that are marked, unnamed.
        name = DIRECTIONS[best] if counts[best] >= params.dominance * total else ""
        view.draw("box", [round(v, 4) for v in (column / 3, row / 3, (column + 1) / 3, (row + 1) / 3)], name)
    if active >= 7:
        raise Refusal("every_cell", f"{active} of the nine cells are marked", evidence)
    if best == 4 and counts[4] >= 0.5 * total:
        raise Refusal("centre_cell", "the mark is in the centre cell, which names no direction", evidence)
    if counts[best] < params.dominance * total:
        raise Refusal("multiple_cells", f"the marks are spread over {max(active, 2)} cells", evidence)
    if inset(sheet, mask):
        raise Refusal("inset_grid", "the mark stands in a grid of its own in a part of the picture, not in its cells")
    return DIRECTIONS[best]


class SlotParams(Params):
    """The layout of answer slots.

    Attributes
    ----------
    corner : float
        Width and height of a corner slot, as a share of the frame's width and height.
    strip : float
        Height of the bottom strip that holds the slots where the number of options is not four.
    inside : float
        Share of a mark that must lie in its slot.
    least : float
        Fewest pixels of a mark at 640x480 (30 in the paper, table 8).
    rival : float
        A second mark with this share of the largest one's area counts as a mark.
    small : float
        Side of a compact square, as a share of the frame's longer side, that counts as a mark however large the
        largest one is.
    """

    corner: float = Field(default=0.28, gt=0.05, le=0.5)
    strip: float = Field(default=0.18, gt=0.03, le=0.5)
    inside: float = Field(default=0.8, gt=0.5, le=1)
    least: float = Field(default=30.0, ge=1, le=10_000)
    rival: float = Field(default=0.2, gt=0, le=1)
    small: float = Field(default=0.015, gt=0, le=0.2)


def slot_boxes(n: int, params: SlotParams) -> list[tuple[float, float, float, float]]:
    """Return the slots of ``n`` options as normalised boxes: four corners, else a strip from left to right.

    Examples
    --------
    >>> slot_boxes(2, SlotParams())
    [(0.0, 0.82, 0.5, 1.0), (0.5, 0.82, 1.0, 1.0)]
    """
    c = params.corner
    if n == 4:
        return [(0.0, 0.0, c, c), (1 - c, 0.0, 1.0, c), (0.0, 1 - c, c, 1.0), (1 - c, 1 - c, 1.0, 1.0)]
    top = round(1 - params.strip, 6)
    return [(i / n, top, (i + 1) / n, 1.0) for i in range(n)]


def _inside(blob: Blob, box: tuple[float, float, float, float], size: tuple[int, int]) -> float:
    """Return the share of a blob's pixels whose centres lie in a normalised box."""
    w, h = size
    x0, x1 = (round(v * w) - blob.x for v in (box[0], box[2]))
    y0, y1 = (round(v * h) - blob.y for v in (box[1], box[3]))
    part = blob.crop[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
    return cv2.countNonZero(np.ascontiguousarray(part)) / blob.area if part.size else 0.0


def _purity(blob: Blob, sheet: Sheet) -> float:
    """Return the median saturation of a mark, 0 to 255."""
    x, y, w, h = blob.box
    return float(np.median(sheet.hsv[y : y + h, x : x + w, 1][blob.crop > 0]))


def _is_mark(blob: Blob, largest: Blob, params: SlotParams, sheet: Sheet) -> bool:
    """Tell whether a blob is a mark beside the largest one: nearly as large, or a compact one of its colour."""
    if blob is largest or blob.area >= params.rival * largest.area:
        return True
    side = params.small * max(sheet.size)
    return (
        blob.area >= side * side
        and blob.fill >= 0.6
        and blob.aspect <= 2
        and _purity(blob, sheet) >= 0.8 * _purity(largest, sheet)
    )


@operator(
    "code_slot", inputs={"sheet": Kind.SHEET, "mask": Kind.MASK}, output=Kind.CHOICE, params=SlotParams, version=2
)
def code_slot(view: View, params: SlotParams, *, sheet: Sheet, mask: Bytes) -> str:
    """Name the option whose slot holds the one mark."""
    n = view.n_choices
    if not 2 <= n <= 26:
        raise DataError("no_choices", f"the question has {n} options; slots need 2 to 26")
    closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    found = blobs(closed, minimal_area(params.least, view.scale))
    if not sheet.edited:
        # A redrawn scene has no source to compare with: its own flowers are told from a mark by colour and shape.
        found = [b for b in found if _purity(b, sheet) >= 150 and b.fill >= 0.5 and b.aspect <= 3]
    if not found:
        raise Refusal("no_mark", "no magenta mark of the asked shape was found")
    marks = [b for b in found if _is_mark(b, found[0], params, sheet)]
    view.note(marks=len(marks), areas=[b.area for b in marks[:8]])
    boxes = slot_boxes(n, params)
    slots = set()
    for blob in marks:
        inside = [_inside(blob, box, view.frame) for box in boxes]
        view.draw("box", blob.normalised_box(view.frame))
        slots.add(int(np.argmax(inside)) if max(inside) >= params.inside else -1)
    evidence = {"marks": len(marks), "slots": sorted(chr(ord("A") + s) if s >= 0 else "outside" for s in slots)}
    if len(slots) > 1:
        raise Refusal("multiple_slots", "marks lie in more than one place", evidence)
    slot = slots.pop()
    if slot < 0:
        raise Refusal("outside_slots", f"the mark lies in no slot ({params.inside:.0%} of it must)", evidence)
    letter = chr(ord("A") + slot)
    view.draw("box", [round(v, 4) for v in boxes[slot]], letter)
    return letter
