"""Find the row of printed numbers in a picture: where each stands, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from provise.ops.digits import read_digit

__all__ = ["Number", "Row", "find_row"]

Bytes = npt.NDArray[np.uint8]

LONGEST = 1400
WIDE, WIDEST = 0.92, 1.05
"""Width of a glyph over its height: up to the first any mark may be a digit, up to the second a bold 4, say."""


@dataclass(frozen=True)
class Number:
    """One printed number: its centre and size in pixels of the frame, and its value where it could be read."""

    x: float
    y: float
    width: float
    height: float
    value: int | None


@dataclass(frozen=True)
class Row:
    """Numbers in one line at equal distances.

    Parameters
    ----------
    numbers : tuple of Number
        In order along the line.
    slots : tuple of int
        The place of each along the line, counted from 0 at the first that was found.
    pitch : float
        Distance between neighbours in pixels.
    vertical : bool
        Whether the line runs from top to bottom.
    """

    numbers: tuple[Number, ...]
    slots: tuple[int, ...]
    pitch: float
    vertical: bool

    @property
    def origin(self) -> float:
        """Where slot 0 lies along the line, fitted over all numbers."""
        along = [
            (n.y if self.vertical else n.x) - s * self.pitch for n, s in zip(self.numbers, self.slots, strict=True)
        ]
        return float(np.mean(along))

    @property
    def across(self) -> float:
        """Where the line lies across its direction."""
        return float(np.median([n.x if self.vertical else n.y for n in self.numbers]))

    @property
    def height(self) -> float:
        """Median height of the numbers."""
        return float(np.median([n.height for n in self.numbers]))


def find_row(
    rgb: Bytes, hidden: Bytes | None = None, *, read: Callable[[Bytes], int | None] | None = None
) -> Row | None:
    """Return the longest row (or column) of evenly spaced numbers.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        The picture.
    hidden : ndarray of uint8, shape (h, w), optional
        Pixels that are covered by marks, and are not ink.
    read : callable, optional
        Reads the number in an RGB crop, in place of the built-in digit reader: that one finds the rows all the same,
        and of each row every number is then read anew.
    """
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    factor = min(1.0, LONGEST / max(grey.shape))
    if max(grey.shape) < 700:
        factor = 2.0
    size = (round(grey.shape[1] * factor), round(grey.shape[0] * factor))
    grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC)
    cover = None if hidden is None else cv2.dilate(cv2.resize(hidden, size), np.ones((5, 5), np.uint8))
    rows = []
    for ink in (cv2.bitwise_not(grey), grey):
        numbers = _numbers(ink, cover, factor)
        rows += [row for vertical in (False, True) if (row := _row(numbers, vertical)) is not None]
    if read is not None:
        rows = [replace(row, numbers=tuple(_read_anew(n, rgb, hidden, read) for n in row.numbers)) for row in rows]
    return max(rows, key=_worth, default=None)


def _read_anew(number: Number, rgb: Bytes, hidden: Bytes | None, read: Callable[[Bytes], int | None]) -> Number:
    """Read a number from its place in the picture, what marks cover there painted over."""
    margin = 0.35 * number.height
    reach_x, reach_y = number.width / 2 + margin, number.height / 2 + margin
    rows = slice(max(0, round(number.y - reach_y)), round(number.y + reach_y) + 1)
    columns = slice(max(0, round(number.x - reach_x)), round(number.x + reach_x) + 1)
    crop = rgb[rows, columns].copy()
    if hidden is not None:
        covered = cv2.dilate(hidden[rows, columns], np.ones((3, 3), np.uint8)) > 0
        if covered.all():
            return replace(number, value=None)
        crop[covered] = np.median(crop[~covered], axis=0)
    return replace(number, value=read(crop))


def _worth(row: Row) -> tuple[int, int]:
    return sum(n.value is not None for n in row.numbers), len(row.numbers)


def _numbers(ink: Bytes, cover: Bytes | None, factor: float) -> list[Number]:
    """Return the glyphs of digit-like size, neighbours on one line taken together as one number."""
    side = max(ink.shape)
    block = (side // 24) | 1
    local = cv2.blur(ink, (block, block))
    contrast = cv2.subtract(ink, local)
    level = max(10.0, 0.35 * float(np.percentile(contrast, 99.7)))
    mask = (contrast > level).astype(np.uint8)
    if cover is not None:
        mask[cover > 0] = 0
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    tall = stats[:, cv2.CC_STAT_HEIGHT]
    wide = stats[:, cv2.CC_STAT_WIDTH]
    fits = (tall >= 8) & (tall >= 0.008 * side) & (tall <= 0.09 * side) & (wide <= WIDEST * tall)
    fits[0] = False
    order = np.flatnonzero(fits)
    if len(order) > 400:
        return []
    glyphs = []
    for i in order:
        x, y, w, h, _ = (int(v) for v in stats[i])
        crop = np.where(labels[y : y + h, x : x + w] == i, contrast[y : y + h, x : x + w], 0).astype(np.float32)
        digit, score = read_digit(crop * (255 / max(float(crop.max()), 1.0)))
        # A ring round a number is as wide as it is high, too, and would pass for a 0.
        if w <= WIDE * h or digit:
            glyphs.append((x, y, w, h, digit, score))
    return [_joined(group, factor) for group in _groups(sorted(glyphs, key=lambda g: g[0]))]


Glyph = tuple[int, int, int, int, int | None, float]


def _groups(glyphs: list[Glyph]) -> list[list[Glyph]]:
    groups: list[list[Glyph]] = []
    for glyph in glyphs:
        x, y, _, h, *_ = glyph
        for group in groups:
            px, py, pw, ph, *_ = group[-1]
            level = abs(y - py) < 0.3 * h and abs(h - ph) < 0.3 * h
            if level and -0.2 * h <= x - px - pw < 0.45 * h and len(group) < 2:
                group.append(glyph)
                break
        else:
            groups.append([glyph])
    return groups


def _joined(group: list[Glyph], factor: float) -> Number:
    x0, x1 = group[0][0], group[-1][0] + group[-1][2]
    y0, y1 = min(g[1] for g in group), max(g[1] + g[3] for g in group)
    digits = [g[4] for g in group]
    value = None if None in digits else int("".join(str(d) for d in digits))
    return Number((x0 + x1) / 2 / factor, (y0 + y1) / 2 / factor, (x1 - x0) / factor, (y1 - y0) / factor, value)


def _row(numbers: list[Number], vertical: bool) -> Row | None:
    """Return the longest evenly spaced line among numbers of one height."""
    best: Row | None = None
    for pivot in numbers:
        line = [
            n
            for n in numbers
            if abs((n.x if vertical else n.y) - (pivot.x if vertical else pivot.y)) < 0.5 * pivot.height
            and 0.55 < n.height / pivot.height < 1.7
        ]
        row = _even(sorted(line, key=lambda n: n.y if vertical else n.x), vertical)
        if row is not None and (best is None or _worth(row) > _worth(best)):
            best = row
    return best


def _even(line: list[Number], vertical: bool) -> Row | None:
    """Return the members of a line that stand at whole multiples of one distance."""
    if len(line) < 2:
        return None
    at = np.array([n.y if vertical else n.x for n in line])
    gaps = np.diff(at)
    gaps = gaps[gaps > 0.8 * line[0].height]
    best: Row | None = None
    for pitch in np.unique(gaps.round(1)):
        for first in range(len(line)):
            steps = (at - at[first]) / pitch
            near = np.abs(steps - steps.round()) < 0.16
            kept = np.flatnonzero(near)
            slots = steps[kept].round().astype(int)
            if len(kept) < 2 or len(set(slots)) < len(slots) or slots[-1] - slots[0] > 2 * len(slots):
                continue
            exact = float(np.polyfit(slots, at[kept], 1)[0])
            row = Row(tuple(line[i] for i in kept), tuple(int(s - slots[0]) for s in slots), exact, vertical)
            if best is None or _worth(row) > _worth(best):
                best = row
    return best
