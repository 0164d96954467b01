"""The fourteen tasks of SpatialGen-Bench as data: what a row of each must hold (paper, table 1 and appendix E.4)."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["METRIC_OF_TYPE", "TASKS", "Task", "metric_of"]


@dataclass(frozen=True)
class Task:
    """What a task asks of its rows.

    Parameters
    ----------
    capability : str
        Where its score counts.
    metric : str
        Name in `provise.metrics.METRICS`; it decides the form of the truth.
    types : tuple of str
        Answer types its readers answer in.
    aids : tuple of str
        Reading aids without which an answer cannot be read.
    grid : bool
        Whether the answer is drawn on the grid of eight directions.
    """

    capability: str
    metric: str
    types: tuple[str, ...]
    aids: tuple[str, ...] = ()
    grid: bool = False


TASKS: dict[str, Task] = {
    "counting": Task("perception", "exact", ("integer",)),
    "depth": Task("perception", "exact", ("choice",), aids=("coordinates",)),
    "orientation": Task("perception", "exact", ("direction", "choice"), grid=True),
    "size": Task("perception", "exact", ("choice", "boolean")),
    "relationship": Task("understanding", "exact", ("boolean", "choice")),
    "perspective": Task("understanding", "exact", ("choice", "direction"), grid=True),
    "mental_modeling": Task("understanding", "exact", ("choice",), aids=("images",)),
    "grounding": Task("understanding", "point_in_mask", ("mask", "point")),
    "multihop": Task("reasoning", "exact", ("choice",)),
    "prediction": Task("reasoning", "endpoint_score", ("integer", "endpoint", "choice"), aids=("holes",)),
    "feasibility": Task("reasoning", "exact", ("boolean", "choice")),
    "affordance": Task("interaction", "mask_precision", ("mask",)),
    "navigation": Task("interaction", "exact", ("choice",), aids=("file_names",)),
    "trajectory": Task("interaction", "dfd_success", ("path",), aids=("start",)),
}
"""By the names that rows use."""

METRIC_OF_TYPE: dict[str, str] = {
    "choice": "exact", "integer": "exact", "boolean": "exact", "direction": "exact",
    "mask": "mask_precision", "path": "dfd_success", "trajectory": "dfd_success",
    "point": "point_distance", "points": "dfd_success", "box": "box_iou",
    "measurement": "measurement_ratio", "number": "angle_error", "endpoint": "endpoint_score",
}  # fmt: skip
"""The metric whose form of truth an answer type has, for tasks beyond the fourteen."""


def metric_of(task: str, answer_type: str) -> str:
    """Return the metric by whose form of truth a row's answer is checked.

    Examples
    --------
    >>> metric_of("trajectory", "path"), metric_of("tidying", "box"), metric_of("tidying", "")
    ('dfd_success', 'box_iou', 'exact')
    """
    known = TASKS.get(task)
    return known.metric if known else METRIC_OF_TYPE.get(answer_type, "exact")
