"""The trial system that knows the truth: it draws right answers, or wrong ones, through the protocols."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.aids import public_media
from provise.draw import Drawing, draw, draw_invalid, wrong_truth
from provise.draw.board import Board
from provise.errors import DataError, ImageError, InputError
from provise.image import decode, encode_png
from provise.metrics import score_prediction
from provise.ops.change import to_bytes
from provise.ops.numbers import find_row
from provise.protocol import open_protocol
from provise.systems.base import Answer, Request, System, Unavailable
from provise.systems.spec import Setting, kind
from provise.truth import Truth, load_truth

__all__ = ["Draughtsman"]

Bytes = npt.NDArray[np.uint8]

TRIES = 40
"""Wrong answers that are thought of until one scores 0."""


@kind(
    "draughtsman",
    doc="draws right answers, or wrong ones that score 0; it is given the truth",
    accuracy=Setting(1.0, 0.0, 1.0, "share of the answers that are right"),
    seed=Setting(0, 0, None, "decides which, and how they are drawn"),
)
class Draughtsman(System):
    """Draws each answer through the sample's protocol: right with the chance ``accuracy``, else one that scores 0.

    A sample's answer depends on its id and the seed alone, not on the order in which samples come.
    """

    kind = "draughtsman"
    needs_truth = True
    concurrency = 2

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name, settings)
        self.accuracy, self.seed = float(settings["accuracy"]), int(settings["seed"])

    def answer(self, request: Request) -> Answer:
        """Draw the answer as PNG; a truth or an aid that is missing is told as the system's error."""
        assert request.truth is not None
        rng = np.random.default_rng([self.seed, zlib.crc32(request.sample.id.encode())])
        right = bool(rng.random() < self.accuracy)
        try:
            drawing = _drawn(request, rng, right)
        except (DataError, InputError) as error:
            return Answer(error=f"the draughtsman cannot draw this: {error}")
        except ImageError as error:
            raise Unavailable(f"a picture of the benchmark: {error}", retry_after=float("inf")) from error
        return Answer(image=encode_png(drawing.image), details={"right": right})


def _drawn(request: Request, rng: np.random.Generator, right: bool) -> Drawing:
    assert request.truth is not None
    protocol = open_protocol(request.protocol, **request.settings)
    spec = protocol.spec
    truth = load_truth(request.truth, spec.metric)
    pictures = [to_bytes(decode(path).rgb) for path in public_media(request.sample, spec.inputs)]
    photo = pictures[0]
    aids = _aids(request, protocol.id, truth, pictures)
    meant = _FORM[protocol.id](truth, rng) if protocol.id in _FORM else truth.value
    if right:
        return draw(protocol.id, photo, meant, None, rng, **aids)
    for _ in range(TRIES):
        other = _wrong(protocol.id, meant, rng, aids)
        if score_prediction(spec.metric, other, truth, spec.metric_settings).value == 0:
            aids.pop("points", None)
            return draw(protocol.id, photo, other, None, rng, **aids)
    # Where every other answer scores something (three holes, the middle one right), what holds no answer scores 0.
    return draw_invalid(protocol.id, "blank", photo, None, rng, **aids)


def _inside(truth: Truth, rng: np.random.Generator) -> list[float]:
    """Return a point deep inside a mask, normalised."""
    mask = np.asarray(truth.value, dtype=np.uint8)
    depth = cv2.distanceTransform(cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0), cv2.DIST_L2, 5)
    row, column = np.unravel_index(int(depth[1:-1, 1:-1].argmax()), mask.shape)
    return [(float(column) + 0.5) / mask.shape[1], (float(row) + 0.5) / mask.shape[0]]


def _cell(truth: Truth, _: np.random.Generator) -> Any:
    """Return the direction that a truth names; that of its option where it is a letter."""
    if truth.kind != "choice":
        return truth.value
    from provise.labels import canonical_direction

    return canonical_direction(truth.choices[ord(str(truth.value)) - 65]) or truth.value


_FORM: Mapping[str, Callable[[Truth, np.random.Generator], Any]] = {
    "point_marker": _inside,
    "direction_grid": _cell,
    "trajectory_drawing": lambda truth, _: np.asarray(truth.value).tolist(),
}
"""The truth as a drawing needs it, where that is another form than the metric's."""


def _aids(request: Request, protocol: str, truth: Truth, pictures: list[Bytes]) -> dict[str, Any]:
    """Return what the drawing may use, from the sample's own aids."""
    metadata = request.sample.metadata
    aids: dict[str, Any] = {key: metadata[key] for key in ("coordinates", "start") if key in metadata}
    # Where the things are that are counted or measured, a row may tell beside its truth.
    if request.truth is not None:
        aids |= {key: request.truth.metadata[key] for key in ("points", "bars") if key in request.truth.metadata}
    if request.sample.choices:
        aids["choices"] = len(request.sample.choices)
    if protocol == "state_matching":
        aids["candidates"] = pictures[1:]
    if protocol == "trajectory_endpoint":
        aids["board"] = _board(pictures[0], truth.value["count"])
    return aids


def _board(picture: Bytes, holes: int) -> Board:
    """Find the row of numbered holes in a picture, and take what lies below it, or above, for the field."""
    row = find_row(picture)
    if row is None or len(row.slots) < 2:
        raise DataError("bad_source", "no row of numbered holes was found in the picture")
    h, w = picture.shape[:2]
    reach = 0.48 * abs(row.pitch)
    low = {number.value: (number.x, number.y) for number in row.numbers if number.value is not None}
    known = sorted(low)
    step = np.subtract(low[known[-1]], low[known[0]]) / max(known[-1] - known[0], 1)
    middles = np.array([np.add(low[known[0]], (i - known[0]) * step) for i in range(1, holes + 1)])
    boxes = np.concatenate([middles - reach, middles + reach], axis=1)
    ball = (w / 2, h * 0.7 if middles[:, 1].mean() < h / 2 else h * 0.3)
    return Board(picture, (0.0, 0.0, float(w), float(h)), boxes, ball)


def _wrong(protocol: str, meant: Any, rng: np.random.Generator, aids: dict[str, Any]) -> Any:
    """Think of another answer of the same kind."""
    if protocol == "point_marker":
        return [float(v) for v in rng.uniform(0.06, 0.94, 2)]
    return wrong_truth(protocol, meant, rng, **aids)
