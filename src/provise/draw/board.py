"""The box with numbered holes: the picture of the endpoint task, and the way of a ball through it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from provise.errors import InputError

__all__ = ["Board", "make_board", "way_to"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Board:
    """A box seen from above.

    Attributes
    ----------
    image : ndarray of uint8, shape (h, w, 3)
        The picture.
    field : tuple of float
        x0, y0, x1, y1 of the space the ball moves in, in pixels.
    holes : ndarray, shape (n, 4)
        The holes' boxes in pixels, number 1 first.
    ball : tuple of float
        The ball's centre in pixels.
    """

    image: Bytes
    field: tuple[float, float, float, float]
    holes: Floats
    ball: tuple[float, float]


def make_board(rng: np.random.Generator, n: int, *, size: tuple[int, int] | None = None, layout: str = "") -> Board:
    """Draw a box with a row of n numbered holes along its top edge and a ball in it.

    Parameters
    ----------
    rng : Generator
        Decides what is not given.
    n : int
        Number of holes, 2 to 12.
    size : tuple of int, optional
        Width and height; else a longer side of 640 to 1024.
    layout : str
        ``boxes`` (adjoining boxes, as in the benchmark) or ``discs`` (round holes); chosen where it is empty.
    """
    if not 2 <= n <= 12:
        raise InputError(f"a board has {n} holes; 2 to 12 can be drawn")
    if size is None:
        side, aspect = rng.integers(640, 1025), rng.uniform(0.7, 1.3)
        size = (int(side * min(1, aspect)), int(side / max(1, aspect)))
    w, h = size
    layout = layout or ("discs" if rng.random() < 0.25 else "boxes")
    paper = _PAPERS[int(rng.integers(len(_PAPERS)))] if rng.random() < 0.4 else (255, 255, 255)
    image = np.full((h, w, 3), paper, np.uint8)
    margin = rng.uniform(0.04, 0.09) * min(w, h)
    tall = rng.uniform(0.055, 0.09) * h
    x0, x1, top, bottom = margin, w - margin, margin, h - margin
    pitch = (x1 - x0) / n
    boxes = np.array([[x0 + i * pitch, top, x0 + (i + 1) * pitch, top + tall] for i in range(n)])
    line = max(1, round(0.0022 * max(w, h)))
    _ruled_box(image, (x0, top, x1, bottom), line)
    if layout == "boxes":
        for box in boxes:
            _ruled_box(image, tuple(box), line)
    else:
        reach = 0.45 * min(pitch, tall)
        middle = (boxes[:, :2] + boxes[:, 2:]) / 2
        boxes = np.concatenate([middle - reach, middle + reach], axis=1)
        for x, y in middle:
            _circle(image, (x, y), reach, (20, 20, 20), line)
        cv2.line(image, _pixel(x0, top + tall), _pixel(x1, top + tall), (0, 0, 0), line, cv2.LINE_AA)
    for number, box in enumerate(boxes, 1):
        _number(image, str(number), box)
    field = (x0, top + tall, x1, bottom)
    ball = (float(rng.uniform(x0 + 0.12 * w, x1 - 0.12 * w)), float(rng.uniform(0.45 * h, bottom - 0.08 * h)))
    colour = _BALLS[int(rng.integers(len(_BALLS)))] if rng.random() < 1 / 3 else (255, 0, 0)
    _circle(image, ball, 0.012 * w + 2, colour, -1)
    return Board(image, field, boxes, ball)


def way_to(rng: np.random.Generator, board: Board, index: int) -> Floats:
    """Return the ball's way to a hole (0 first) in pixels, bounced off a side wall once or not at all."""
    x0, y0, x1, _ = board.field
    box = board.holes[index]
    end = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2 if rng.random() < 0.3 else y0])
    start = np.asarray(board.ball)
    bounces = int(rng.integers(3))
    if bounces == 0:
        return np.array([start, end])
    wall = x0 if bounces == 1 else x1
    # Seen in the wall's mirror the way is straight.
    mirrored = np.array([2 * wall - end[0], end[1]])
    share = (wall - start[0]) / (mirrored[0] - start[0])
    return np.array([start, start + share * (mirrored - start), end])


_PAPERS = ((250, 246, 225), (232, 240, 250), (238, 238, 238), (255, 250, 205), (225, 235, 255))
_BALLS = ((40, 90, 200), (235, 200, 40), (30, 30, 30), (60, 160, 60))


def _pixel(x: float, y: float) -> tuple[int, int]:
    return round(x), round(y)


def _ruled_box(image: Bytes, box: tuple[float, ...], line: int) -> None:
    cv2.rectangle(image, _pixel(box[0], box[1]), _pixel(box[2], box[3]), (0, 0, 0), line)


def _circle(image: Bytes, centre: tuple[float, float], radius: float, colour: tuple[int, int, int], line: int) -> None:
    cv2.circle(image, _pixel(*centre), max(1, round(radius)), colour, line, cv2.LINE_AA)


def _number(image: Bytes, text: str, box: Floats) -> None:
    """Write a number into the middle of a box, about a third of it high."""
    w, h = box[2] - box[0], box[3] - box[1]
    (tw, th), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 1)
    scale = min(0.36 * h / th, 0.5 * w / tw)
    weight = max(1, round(scale * 1.8))
    (tw, th), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    spot = _pixel((box[0] + box[2] - tw) / 2, (box[1] + box[3] + th) / 2)
    cv2.putText(image, text, spot, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), weight, cv2.LINE_AA)
