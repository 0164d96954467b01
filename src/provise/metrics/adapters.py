"""From the JSON form of a prediction and a parsed truth to the arguments of a metric, and what to show beside it.

Every adapter takes ``(prediction, truth, settings)`` and returns the score with its details. A prediction that is of
the right form but no valid answer (not finite, outside the frame, empty) scores 0 and says why under ``reason``; one
of another form is a wrong call.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.errors import InputError
from provise.metrics.boxes import box_iou
from provise.metrics.endpoint import endpoint_score
from provise.metrics.exact import exact
from provise.metrics.frechet import dfd_success
from provise.metrics.masks import overlap
from provise.metrics.points import as_points, pixel_of, point_distance, rasterise
from provise.metrics.quantities import angle_error, mean_relative_accuracy, measurement_ratio, ratio, to_centimetres

if TYPE_CHECKING:
    from provise.truth import Truth

Settings = Mapping[str, float]
Result = tuple[float, dict[str, Any]]


def score_exact(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """Exact match; the truth says how labels are to be understood."""
    return float(exact(prediction, truth.value, truth.kind, truth.choices)), {}


def score_point_in_mask(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """One point against the target."""
    point = _point(prediction)
    height, width = truth.value.shape
    pixel = pixel_of(point, (width, height))
    if pixel is None:
        return 0.0, {"reason": _fault(point)}
    return float(truth.value[pixel[1], pixel[0]]), {"pixel": list(pixel)}


def score_mask_precision(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """A mask, or the points of an answer in words rasterised to the target's grid."""
    if not isinstance(prediction, np.ndarray):
        return _points_precision(prediction, truth)
    mask, details = _on_grid(prediction, truth.value)
    shared, support, target = overlap(mask, truth.value)
    details |= {"support": support, "shared": shared, "target": target}
    if not support:
        return 0.0, details | {"reason": "empty_mask"}
    return shared / support, details


def score_mask_iou(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """Two masks."""
    mask, details = _on_grid(prediction, truth.value)
    shared, support, target = overlap(mask, truth.value)
    details |= {"support": support, "shared": shared, "target": target}
    if not support:
        return 0.0, details | {"reason": "empty_mask"}
    return shared / (support + target - shared), details


def score_endpoint(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """An indexed hole with the number of holes drawn, or an index in words."""
    if isinstance(prediction, Mapping) and "index" in prediction:
        index, count = _integer(prediction["index"]), prediction.get("count")
        number = None if count is None else _integer(count)
    elif _is_number(prediction):
        index, number = _integer(prediction), None
    else:
        raise _wrong(prediction, 'endpoint {"index": 4, "count": 7} or an integer')
    hole, holes = int(truth.value["index"]), int(truth.value["count"])
    details: dict[str, Any] = {"holes": holes}
    if number is not None and number != holes:
        details["reason"] = "other_count"
    elif not 1 <= index <= holes:
        details["reason"] = "no_such_hole"
    return endpoint_score(index, hole, holes, count=number), details


def score_dfd(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """A path against the truth's own vertices."""
    path = as_points(prediction)
    if path is None:
        raise _wrong(prediction, "path [[x, y], ...]")
    reason = _path_fault(path)
    if reason:
        return 0.0, {"dfd": None, "reason": reason}
    score, distance = dfd_success(path, truth.value, settings["threshold"])
    return score, {"dfd": distance}


def score_measurement(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """A length with its unit against one in centimetres."""
    length = _centimetres(prediction)
    factor = ratio(length, truth.value)
    details: dict[str, Any] = {"centimetres": length if math.isfinite(length) else None}
    if not math.isfinite(factor):
        return 0.0, details | {"reason": "no_length" if math.isnan(length) else "not_positive"}
    return measurement_ratio(length, truth.value, settings["limit"]), details | {"ratio": factor}


def score_mra(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """A number, or a length where the truth is one."""
    value = _centimetres(prediction) if truth.kind == "measurement" else _number(prediction)
    return mean_relative_accuracy(value, truth.value), {} if math.isfinite(value) else {"reason": "non_finite"}


def score_distance(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """One point within a distance of the true one."""
    point = _point(prediction)
    if pixel_of(point, (1, 1)) is None:
        return 0.0, {"distance": None, "reason": _fault(point)}
    distance = point_distance(point, truth.value)
    return float(distance <= settings["within"]), {"distance": distance}


def score_box(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """Two boxes, normalised."""
    if not isinstance(prediction, list | tuple) or len(prediction) != 4 or not all(map(_is_number, prediction)):
        raise _wrong(prediction, "box [x0, y0, x1, y1]")
    if not all(0.0 <= value <= 1.0 for value in prediction):
        return 0.0, {"reason": _fault(prediction)}
    return box_iou(prediction, truth.value), {}


def score_angle(prediction: Any, truth: Truth, settings: Settings) -> Result:
    """A direction in degrees within a tolerance of the true one."""
    value = _number(prediction)
    if not math.isfinite(value):
        return 0.0, {"degrees": None, "reason": "non_finite"}
    degrees = angle_error(value, truth.value)
    return float(degrees <= settings["within"]), {"degrees": degrees}


def _points_precision(prediction: Any, truth: Truth) -> Result:
    points = as_points([prediction] if _is_pair(prediction) else prediction)
    if points is None:
        raise _wrong(prediction, "mask (a bool array) or points [[x, y], ...]")
    height, width = truth.value.shape
    pixels, misses = rasterise(points, (width, height))
    shared = int(np.count_nonzero(truth.value[pixels[:, 1], pixels[:, 0]]))
    support = len(pixels) + misses
    details: dict[str, Any] = {"support": support, "shared": shared, "outside": misses, "points": len(points)}
    return (shared / support, details) if support else (0.0, details | {"reason": "no_points"})


def _on_grid(prediction: Any, target: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.bool_], dict[str, Any]]:
    """Bring a predicted mask to the target's grid; readers work on it already, so this is noted where it happens."""
    if not isinstance(prediction, np.ndarray) or prediction.ndim != 2 or not prediction.size:
        raise _wrong(prediction, "mask (a bool array of shape (height, width))")
    if prediction.dtype.kind not in "biuf" or (prediction.dtype.kind == "f" and not np.isfinite(prediction).all()):
        raise _wrong(prediction, "mask (a bool array; it holds what is no number)")
    mask = prediction != 0
    if mask.shape == target.shape:
        return mask, {}
    size = (target.shape[1], target.shape[0])
    resized = cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST_EXACT)
    return resized != 0, {"resized_from": [mask.shape[1], mask.shape[0]]}


def _point(prediction: Any) -> tuple[float, float]:
    one = prediction[0] if isinstance(prediction, list | tuple) and len(prediction) == 1 else prediction
    if not _is_pair(one):
        raise _wrong(prediction, "point [x, y]")
    return _float(one[0]), _float(one[1])


def _path_fault(path: npt.NDArray[np.float64]) -> str:
    if not len(path):
        return "empty_path"
    if not np.isfinite(path).all():
        return "non_finite"
    return "outside" if path.min() < 0 or path.max() > 1 else ""


def _fault(values: Any) -> str:
    return "outside" if all(math.isfinite(_float(value)) for value in values) else "non_finite"


def _centimetres(prediction: Any) -> float:
    if not isinstance(prediction, Mapping) or "unit" not in prediction:
        raise _wrong(prediction, 'measurement {"value": 3.5, "unit": "m"}')
    value = _number(prediction)
    try:
        return to_centimetres(value, str(prediction["unit"]))
    except InputError:
        return math.nan  # no length: an answer's unit is the answer's fault, and scores 0


def _number(prediction: Any) -> float:
    value: Any = prediction.get("value") if isinstance(prediction, Mapping) else prediction
    if not _is_number(value):
        raise _wrong(prediction, "a number")
    return _float(value)


def _float(value: Any) -> float:
    """Return a number as a float; a whole one beyond every float is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _integer(value: Any) -> int:
    """Return a whole number as an int; what is none becomes 0, which names no hole."""
    return int(value) if _is_number(value) and math.isfinite(_float(value)) and value == int(value) else 0


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _is_pair(value: Any) -> bool:
    sequence = isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)
    return sequence and len(value) == 2 and all(map(_is_number, value))


def _wrong(prediction: Any, expected: str) -> InputError:
    shown = repr(prediction)
    return InputError(f"prediction {shown[:80]}{'...' if len(shown) > 80 else ''}; this metric takes {expected}")
