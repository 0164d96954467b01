"""Whether a reading says what was drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from provise.draw import Drawing
from provise.draw.place import resample
from provise.metrics.frechet import discrete_frechet
from provise.reading import Reading

__all__ = ["IOU", "PATH_WITHIN", "POINT_WITHIN", "judge"]

POINT_WITHIN = 0.01
"""A point is right within this share of the longer side."""
PATH_WITHIN = 0.03
"""A path is right within this Fréchet distance, in normalised coordinates."""
IOU = 0.85
"""A mask is right from this intersection over union with what was drawn."""


def judge(reading: Reading, drawing: Drawing) -> tuple[str, float | None]:
    """Compare a reading with what was drawn.

    Parameters
    ----------
    reading : Reading
        What the reader made of the degraded answer.
    drawing : Drawing
        What was drawn.

    Returns
    -------
    verdict : str
        ``right``, ``refused`` (no prediction) or ``wrong``.
    distance : float or None
        For a point its distance as a share of the longer side, for a path the discrete Fréchet distance to what was drawn,
        sampled by arc length at as many points as were read, for a mask the IoU.
    """
    if reading.status != "ok":
        return "refused", None
    if drawing.expected is None:
        return "wrong", None
    kind = _kind(drawing)
    if kind == "mask":
        return _within(_iou(reading, drawing), at_least=IOU)
    if kind == "path":
        read = np.asarray(reading.prediction, np.float64)
        # Arc length is a matter of pixels, for the reader as well: the frame's two sides have different units.
        size = np.array(drawing.image.shape[1::-1], np.float64)
        drawn = resample(np.asarray(drawing.expected, np.float64) * size, max(len(read), 2)) / size
        return _within(discrete_frechet(read, drawn), at_most=PATH_WITHIN)
    if kind == "point":
        h, w = drawing.image.shape[:2]
        off = (np.asarray(reading.prediction) - np.asarray(drawing.expected)) * (w, h)
        return _within(float(np.hypot(*off)) / max(w, h), at_most=POINT_WITHIN)
    same = type(reading.prediction) is type(drawing.expected) and reading.prediction == drawing.expected
    return ("right" if same else "wrong"), None


def _kind(drawing: Drawing) -> str:
    expected: Any = drawing.expected
    if drawing.region is not None:
        return "mask"
    if isinstance(expected, list):
        return "path" if isinstance(expected[0], list) else "point"
    return "label"


def _iou(reading: Reading, drawing: Drawing) -> float:
    if reading.region is None or drawing.region is None or reading.region.shape != drawing.region.shape:
        return 0.0
    union = int((reading.region | drawing.region).sum())
    return int((reading.region & drawing.region).sum()) / union if union else 0.0


def _within(value: float, *, at_most: float = np.inf, at_least: float = -np.inf) -> tuple[str, float]:
    return ("right" if at_least <= value <= at_most else "wrong"), round(value, 5)
