"""A grid of its own in a part of the frame: what is marked there is no place of the frame."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from provise.ops.reduce import halved
from provise.ops.sheet import Sheet

__all__ = ["inset"]

Bytes = npt.NDArray[np.uint8]

SIDE = 720
"""Longest side on which an inset is looked for; larger pictures are halved."""

CHANGED = 40.0
"""Levels by which what was drawn differs from the scene."""

REACH = 0.012
"""Share of the longer side within which lines belong to a mark: a fill may keep clear of them."""

LARGER = 1.8
"""Times the mark's width and height that its grid has at least."""

PART = 0.75
"""Largest share of the frame's width and height that an inset takes up."""

ALONG = 0.85
"""Share of a grid's width that a line of it runs along."""


def inset(sheet: Sheet, mask: Bytes) -> bool:
    """Tell whether a mark stands in a small grid or on a panel that was drawn into the frame.

    Parameters
    ----------
    sheet : Sheet
        The answer over its source, or over a plain canvas.
    mask : ndarray of uint8, shape (h, w)
        The mark, 0 or 255.

    Examples
    --------
    >>> answer = np.full((240, 320, 3), 255, np.uint8)
    >>> for k in range(4): answer[10:101, 10 + 30 * k] = 0; answer[10 + 30 * k, 10:101] = 0
    >>> answer[41:70, 11:40] = (0, 0, 255)
    >>> inset(Sheet(answer), cv2.inRange(answer, (0, 0, 255), (0, 0, 255)))
    True
    """
    answer, mark = halved(sheet.answer, SIDE), halved(mask, SIDE)
    size = mark.shape[1], mark.shape[0]
    x, y, w, h = cv2.boundingRect(_filled((mark > 127).astype(np.uint8)))
    if w == 0 or max(w / size[0], h / size[1]) > PART / LARGER:
        return False
    under = _under(sheet, answer)
    if under is None:
        return False
    changed = (_largest(cv2.absdiff(answer, under)) > CHANGED).astype(np.uint8)
    reach = max(3, 2 * round(REACH * max(size)) + 1)
    joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    inside = labels[y : y + h, x : x + w]
    label = int(np.bincount(inside[inside > 0].ravel(), minlength=1).argmax()) if inside.any() else 0
    if not label:
        return False
    left, top, wide, high, _ = (int(v) for v in stats[label])
    if wide < LARGER * w or high < LARGER * h or wide > PART * size[0] or high > PART * size[1]:
        return False
    part = changed[top : top + high, left : left + wide]
    return float(part.mean()) >= ALONG or min(_lines(part), _lines(part.T)) >= 3


def _filled(mark: Bytes) -> Bytes:
    """Return a mark without lines of its own colour, if something is left."""
    side = max(3, round(REACH * max(mark.shape))) | 1
    opened = cv2.morphologyEx(mark, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    return np.asarray(opened, dtype=np.uint8) if opened.any() else mark


def _largest(picture: Bytes) -> Bytes:
    a, b, c = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(a, b), c), dtype=np.uint8)


def _under(sheet: Sheet, answer: Bytes) -> Bytes | None:
    """Return what was drawn on: the source, or a plain canvas; None for a scene drawn anew."""
    if sheet.edited and sheet.matched is not None:
        return halved(sheet.matched, SIDE)
    level = np.median(answer[::4, ::4].reshape(-1, 3), axis=0).astype(np.uint8)
    canvas = np.full_like(answer, level)
    return canvas if float((_largest(cv2.absdiff(answer, canvas)) <= CHANGED / 2).mean()) >= 0.5 else None


def _lines(part: Bytes) -> int:
    """Return how many separate rows of what was drawn run along nearly all of its width."""
    full = np.concatenate([[False], part.mean(axis=1) >= ALONG])
    return int((full[1:] & ~full[:-1]).sum())
