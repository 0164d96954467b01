"""The table of metrics, and the one call that scores a prediction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from provise.errors import InputError
from provise.metrics import adapters
from provise.metrics.frechet import DFD_THRESHOLD
from provise.metrics.quantities import RATIO_LIMIT

if TYPE_CHECKING:
    from provise.truth import Truth

__all__ = ["METRICS", "Metric", "Score", "Setting", "get_metric", "score_prediction"]


@dataclass(frozen=True)
class Score:
    """What a prediction is worth.

    Parameters
    ----------
    value : float
        The metric's score in [0, 1]; this is what is averaged.
    correct : bool
        The diagnostic correctness of the paper's C.7: it sorts outcomes and never changes a score.
    details : dict
        JSON values beside the score: the distance, the support, the reason of a 0.
    """

    value: float
    correct: bool
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Setting:
    """A number a route may set, from ``low`` to ``high``, both allowed."""

    default: float
    low: float
    high: float
    doc: str


@dataclass(frozen=True)
class Metric:
    """One row of the table.

    Parameters
    ----------
    name : str
        As routes name it.
    function : callable
        Adapter ``(prediction, truth, settings) -> (score, details)``.
    kinds : tuple of str
        Prediction kinds it accepts.
    truth : str
        The form of truth it needs: ``label``, ``mask``, ``path``, ``point``, ``box``, ``endpoint``, ``measurement``,
        ``number`` (or ``quantity``: a number or a measurement).
    settings : mapping
        Name to `Setting`. ``correct_at`` is the score from which an answer counts as correct.
    doc : str
        One line.
    """

    name: str
    function: Callable[[Any, Truth, Mapping[str, float]], tuple[float, dict[str, Any]]]
    kinds: tuple[str, ...]
    truth: str
    settings: Mapping[str, Setting]
    doc: str

    def resolve(self, settings: Mapping[str, Any] | None = None) -> dict[str, float]:
        """Fill in the defaults and check what is given.

        Raises
        ------
        InputError
            If a name is unknown, or a value is no number in its range.

        Examples
        --------
        >>> METRICS["dfd_success"].resolve({"threshold": 0.2})["threshold"]
        0.2
        """
        values = {name: setting.default for name, setting in self.settings.items()}
        for name, value in (settings or {}).items():
            if name not in self.settings:
                raise InputError(f"metric {self.name}: unknown setting {name!r}; it has {', '.join(self.settings)}")
            allowed = self.settings[name]
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not allowed.low <= value <= allowed.high:
                raise InputError(f"metric {self.name}: {name} is {value!r}; from {allowed.low} to {allowed.high}")
            values[name] = float(value)
        return values


def _correct_at(default: float = 0.999) -> Setting:
    return Setting(default, 0.001, 1.0, "score from which an answer counts as correct in the attribution")


LABELS = ("choice", "integer", "boolean", "direction")
_TABLE = (
    Metric("exact", adapters.score_exact, LABELS, "label", {"correct_at": _correct_at()}, "the same answer or not"),
    Metric(
        "point_in_mask", adapters.score_point_in_mask, ("point",), "mask", {"correct_at": _correct_at()},
        "the point's pixel is marked in the target",
    ),
    Metric(
        "mask_precision", adapters.score_mask_precision, ("mask", "points", "point"), "mask",
        {"correct_at": _correct_at(0.5)}, "share of the predicted region, or of the points' pixels, inside the target",
    ),
    Metric(
        "mask_iou", adapters.score_mask_iou, ("mask",), "mask", {"correct_at": _correct_at()},
        "intersection over union of two masks",
    ),
    Metric(
        "endpoint_score", adapters.score_endpoint, ("endpoint", "integer"), "endpoint", {"correct_at": _correct_at()},
        "1 for the hole, .8 - 1/H for its neighbour",
    ),
    Metric(
        "dfd_success", adapters.score_dfd, ("path",), "path",
        {
            "threshold": Setting(DFD_THRESHOLD, 0.001, 1.5, "success strictly below this discrete Fréchet distance"),
            "correct_at": _correct_at(),
        },
        "discrete Fréchet distance below a threshold",
    ),
    Metric(
        "measurement_ratio", adapters.score_measurement, ("measurement",), "measurement",
        {
            "limit": Setting(RATIO_LIMIT, 1.001, 100.0, "success strictly below this ratio of larger to smaller"),
            "correct_at": _correct_at(),
        },
        "a length within a factor of the true one",
    ),
    Metric(
        "point_distance", adapters.score_distance, ("point",), "point",
        {
            "within": Setting(0.05, 0.0, 1.5, "success up to this distance, in shares of the frame"),
            "correct_at": _correct_at(),
        },
        "a point within a distance of the true one",
    ),
    Metric(
        "box_iou", adapters.score_box, ("box",), "box", {"correct_at": _correct_at()},
        "intersection over union of two boxes",
    ),
    Metric(
        "angle_error", adapters.score_angle, ("measurement", "integer"), "number",
        {
            "within": Setting(22.5, 0.0, 180.0, "success up to this error in degrees; half of one of eight directions"),
            "correct_at": _correct_at(),
        },
        "a direction within an angle of the true one",
    ),
    Metric(
        "mean_relative_accuracy", adapters.score_mra, ("measurement", "integer"), "quantity",
        {"correct_at": _correct_at()}, "share of ten demands of accuracy that a number meets",
    ),
)  # fmt: skip

METRICS: dict[str, Metric] = {metric.name: metric for metric in _TABLE}
"""Every metric by name."""


def get_metric(name: str) -> Metric:
    """Return a metric of the table.

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> get_metric("mask_precision").kinds
    ('mask', 'points', 'point')
    """
    if name not in METRICS:
        raise InputError(f"metric {name!r} is unknown; there are {', '.join(METRICS)}")
    return METRICS[name]


def score_prediction(name: str, prediction: Any, truth: Truth, settings: Mapping[str, Any] | None = None) -> Score:
    """Score one prediction, read from a picture or from words, against its truth.

    Parameters
    ----------
    name : str
        A metric of `METRICS`.
    prediction : JSON value, ndarray or None
        In the form of its kind; a mask is a bool array. None, where nothing was read, scores 0.
    truth : Truth
        From `provise.truth.load_truth`, for the same metric.
    settings : mapping, optional
        The metric's settings; what is left out has its default.

    Returns
    -------
    Score
        Its value is in [0, 1] and finite whatever the prediction holds.

    Raises
    ------
    InputError
        If the metric or a setting is unknown or out of range, or the prediction has a form it does not take.

    References
    ----------
    Paper, appendices E.4 (scores) and C.7 (correctness: precision >= .5 for affordance, DFD < .4 for trajectory,
    score >= .999 elsewhere).

    Examples
    --------
    >>> from provise.truth import Truth
    >>> hole = Truth("endpoint", {"index": 4, "count": 5})
    >>> score = score_prediction("endpoint_score", {"index": 3, "count": 5}, hole)
    >>> round(score.value, 12), score.correct
    (0.6, False)
    """
    metric = get_metric(name)
    values = metric.resolve(settings)
    if prediction is None:
        return Score(0.0, False, {"reason": "no_prediction"})
    value, details = metric.function(prediction, truth, values)
    return Score(value, value >= values["correct_at"], details)
