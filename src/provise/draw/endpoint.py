"""The yellow way of a ball and the blue circle round the hole it reaches."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from provise.draw.board import Board, make_board, way_to
from provise.draw.brush import paint, ring, stroke
from provise.draw.drawing import Drawing, Job, drawer
from provise.errors import InputError

__all__ = ["board_of", "circled", "with_path"]

Bytes = npt.NDArray[np.uint8]


def board_of(job: Job, count: int) -> Board:
    """Return the board that was given as the ``board`` aid, or one of the photo's size drawn anew."""
    board = job.aids.get("board")
    if board is None:
        return make_board(job.rng, count, size=job.size, layout="boxes")
    if not isinstance(board, Board):
        raise InputError(f"the aid board is a {type(board).__name__}; expected provise.draw.Board")
    return board


def with_path(job: Job, board: Board, index: int, picture: Bytes) -> Bytes:
    """Draw the way to a hole, index from 0."""
    width = min(job.style.stroke, 0.02) * job.side
    return paint(picture, stroke(job.size, way_to(job.rng, board, index), width), "yellow", job.style)


def circled(job: Job, board: Board, index: int, picture: Bytes) -> Bytes:
    """Draw the circle round a hole's number, index from 0; it stays within its hole."""
    x0, y0, x1, y1 = board.holes[index]
    across = job.rng.uniform(0.72, 0.9) * min(x1 - x0, y1 - y0)
    width = float(np.clip(job.style.stroke * job.side, 2.0, max(2.0, 0.16 * across)))
    centre = ((x0 + x1) / 2 + job.rng.uniform(-0.03, 0.03) * (x1 - x0), (y0 + y1) / 2)
    return paint(picture, ring(job.size, centre, across - width, width), "blue", job.style)


@drawer("trajectory_endpoint")
def draw_endpoint(job: Job) -> Drawing:
    """Draw the yellow way and circle the hole: truth ``{"index": 4, "count": 7}``, index from 1; ``board`` its picture.

    Without a board the whole scene is drawn anew in the photo's size, as models do.
    """
    index, count = int(job.truth["index"]), int(job.truth["count"])
    board = board_of(job, count)
    if not 1 <= index <= len(board.holes) or count != len(board.holes):
        raise InputError(f"hole {index} of {count} cannot be circled on a board of {len(board.holes)}")
    image = with_path(job, board, index - 1, board.image)
    image = circled(job, board, index - 1, image)
    return Drawing(image, {"index": index, "count": count}, aids={"holes": count})
