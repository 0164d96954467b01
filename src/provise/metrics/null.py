"""What an answer is worth that took no look at the picture: the floor that a task's score stands on.

A dot at the given start passes a short trajectory, and the whole frame as a mask scores the target's share of it. Such
a task's score means little without that number beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from provise.metrics.endpoint import endpoint_score
from provise.metrics.registry import score_prediction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provise.truth import Truth

__all__ = ["null_score"]

CENTRE = [0.5, 0.5]
GUESSES = {"boolean": 2, "direction": 8}


def null_score(metric: str, truth: Truth, settings: Mapping[str, Any] | None = None) -> float | None:
    """Score the null answer of a metric against one truth.

    It is a dot at the given start for a path, the frame's centre for a point, the whole frame for a mask or a box, and
    the mean over all options, all holes or all directions for a label. A count and a length have none.

    Parameters
    ----------
    metric : str
        A metric of `METRICS`.
    truth : Truth
        For the same metric.
    settings : mapping, optional
        The metric's settings.

    Returns
    -------
    float or None
        In [0, 1]; None where there is no such answer.

    References
    ----------
    Paper, appendix E.4, equations 3 and 4, for the scores it is put to.

    Examples
    --------
    >>> from provise.truth import Truth
    >>> null_score("dfd_success", Truth("path", np.array([[0.2, 0.7], [0.3, 0.6]])))
    1.0
    >>> null_score("exact", Truth("choice", "B", ("left", "right", "front", "back")))
    0.25
    """
    if truth.kind == "endpoint":
        holes, hole = int(truth.value["count"]), int(truth.value["index"])
        near = [i for i in (hole - 1, hole, hole + 1) if 1 <= i <= holes]  # all others score 0
        return sum(endpoint_score(i, hole, holes) for i in near) / holes
    if truth.kind in ("choice", *GUESSES):
        options = len(truth.choices) or GUESSES.get(truth.kind, 0)
        return 1 / options if options else None
    blind: dict[str, Any] = {"point": CENTRE, "box": [0.0, 0.0, 1.0, 1.0]}
    if truth.kind == "path":
        blind["path"] = [np.clip(truth.value[0], 0, 1).tolist()]
    if truth.kind == "mask":
        blind["mask"] = CENTRE if metric == "point_in_mask" else np.ones(truth.value.shape, bool)
    answer = blind.get(truth.kind)
    return None if answer is None else score_prediction(metric, answer, truth, settings).value
