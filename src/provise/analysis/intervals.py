"""A summary with its intervals: what one run scored, and how much the choice of samples matters for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from provise.analysis.aggregate import summarise, task_capabilities
from provise.analysis.bootstrap import REPLICATES, Floats, bootstrap, percentile_interval
from provise.analysis.exact import binomial_interval
from provise.scoring import Row

__all__ = ["GENERATOR", "summarise_with_intervals", "task_interval"]

GENERATOR = "numpy PCG64, default_rng([seed, *task name in UTF-8])"
"""What a summary says of its random numbers; with seed and replicates it gives them again."""

_SMALL = 500


def task_interval(scores: Floats, means: Floats, *, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of one system on one task.

    Parameters
    ----------
    scores : ndarray of float, shape (n,)
        Of the samples, in [0, 1].
    means : ndarray of float, shape (replicates,)
        Its row of `resample`.
    level : float
        Within 0..1, both excluded.

    Returns
    -------
    (float, float)
        Where all scores are 0 or 1 and n is at most 500, the exact interval that endless replicates would give, else that
        of the replicates.

    Notes
    -----
    A task of 40 samples moves in steps of 2.5 points. Where a step lies near the 2.5th percentile, as for 12 of 40
    right, 10,000 replicates land on one side or the other by the luck of their seed; the closed form does not. Beyond
    500 samples a step is under .2 points, and luck no longer shows.

    Examples
    --------
    >>> from provise.analysis.bootstrap import resample
    >>> scores = np.array([1.0] * 12 + [0.0] * 28)
    >>> task_interval(scores, resample([scores])[0])
    (0.175, 0.45)
    """
    if len(scores) <= _SMALL and np.isin(scores, (0.0, 1.0)).all():
        return binomial_interval(int(scores.sum()), len(scores), level=level)
    low, high = percentile_interval(means, level=level)
    return float(low), float(high)


def summarise_with_intervals(
    rows: Iterable[Row], *, replicates: int = REPLICATES, seed: int = 0, level: float = 0.95
) -> dict[str, Any]:
    """Aggregate rows as `summarise` does, with an interval at every score.

    Parameters
    ----------
    rows : iterable of Row
        One a sample, in any order.
    replicates, seed : int
        See `bootstrap`.
    level : float
        Within 0..1, both excluded.

    Returns
    -------
    dict
        What `summarise` returns, and ``low`` and ``high`` (percentages; None where the score is None) beside each score,
        ``seed``, ``replicates``, ``level`` and ``generator``. The order of the rows does not matter.

    References
    ----------
    E.5 and table 18 of the paper.

    Examples
    --------
    >>> rows = [Row(str(i), "depth", "perception", "correct", score=float(i < 12)) for i in range(40)]
    >>> overall = summarise_with_intervals(rows)["tasks"]["depth"]
    >>> overall["low"], overall["score"], overall["high"]
    (17.5, 30.0, 45.0)
    """
    rows = list(rows)
    found = summarise(rows)
    found |= {"seed": seed, "replicates": replicates, "level": level, "generator": GENERATOR}
    scores = _scores(rows, {name for name, task in found["tasks"].items() if task["score"] is not None})
    drawn = bootstrap(scores, task_capabilities(rows), replicates=replicates, seed=seed) if scores else None
    for name, task in found["tasks"].items():
        known = drawn is not None and name in scores
        task |= _ends(task_interval(scores[name][0], drawn.tasks[name][0], level=level) if drawn and known else None)
    for name, part in found["capabilities"].items():
        known = drawn is not None and part["score"] is not None
        part |= _ends(percentile_interval(drawn.capabilities[name][0], level=level) if drawn and known else None)
    whole = percentile_interval(drawn.overall[0], level=level) if drawn else None
    found["overall"] |= _ends(whole if found["overall"]["score"] is not None else None)
    found["mean_of_tasks"] |= _ends(whole)
    return found


def _scores(rows: list[Row], tasks: set[str]) -> Mapping[str, Floats]:
    """Return the scores of the complete tasks, in the order of the ids: the draws then do not depend on the rows'."""
    found: dict[str, list[float]] = {}
    for row in sorted(rows, key=lambda row: row.id):
        if row.task in tasks and row.score is not None:
            found.setdefault(row.task, []).append(row.score)
    return {name: np.array([found[name]]) for name in sorted(found)}


def _ends(interval: Iterable[float] | None) -> dict[str, float | None]:
    low, high = (100 * float(end) for end in interval) if interval is not None else (None, None)
    return {"low": low, "high": high}
