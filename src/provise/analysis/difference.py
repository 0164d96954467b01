"""How many points lie between two systems, with a paired interval, and how many a benchmark can show at all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from provise.analysis.aggregate import macro_average
from provise.analysis.bootstrap import Bootstrap, percentile_interval
from provise.analysis.matching import Matched
from provise.errors import InputError

__all__ = ["Difference", "detectable_difference", "differences", "standard_error"]


@dataclass(frozen=True)
class Difference:
    """Second minus first, in points; ``clear`` says whether the interval leaves 0 out."""

    points: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """True where the whole interval lies on one side of 0."""
        return self.low > 0 or self.high < 0


def differences(
    matched: Matched, first: str, second: str, *, drawn: Bootstrap | None = None, level: float = 0.95
) -> dict[str, Difference]:
    """Return how many points the second system scores above the first, at every level of Eq. 5.

    Parameters
    ----------
    matched : Matched
        Of `match_runs`.
    first, second : str
        Names of two systems.
    drawn : Bootstrap, optional
        Replicates of ``matched``, to share one draw among many pairs; without it, they are drawn with seed 0.
    level : float
        Within 0..1, both excluded.

    Returns
    -------
    dict
        ``"overall"``, ``"capabilities.X"`` and ``"tasks.X"`` -> Difference. A replicate takes the same samples for both,
        so what makes a sample hard for both cancels.

    Raises
    ------
    InputError
        If there is no such system.

    Examples
    --------
    >>> from provise.analysis.matching import match_runs
    >>> from provise.scoring import Row
    >>> def run(right):
    ...     return [Row(f"{i}", "size", "perception", "correct", score=r) for i, r in enumerate(right)]
    >>> differences(match_runs({"a": run([0, 1, 0, 0]), "b": run([1, 1, 1, 1])}), "a", "b")["overall"]
    Difference(points=75.0, low=25.0, high=100.0)
    """
    a, b = matched.index(first), matched.index(second)
    drawn = matched.bootstrap() if drawn is None else drawn
    tasks = {task: 100 * float((scores[b] - scores[a]).mean()) for task, scores in matched.by_task().items()}
    macro = macro_average(tasks, matched.groups)
    points = {
        "overall": (macro.overall, drawn.overall),
        **{f"capabilities.{name}": (value, drawn.capabilities[name]) for name, value in macro.capabilities.items()},
        **{f"tasks.{name}": (value, drawn.tasks[name]) for name, value in tasks.items()},
    }
    return {
        name: Difference(value or 0.0, *map(float, percentile_interval(100 * (means[b] - means[a]), level=level)))
        for name, (value, means) in points.items()
    }


def standard_error(matched: Matched, first: str, second: str) -> float:
    """Return the standard error of the overall difference of two systems, in points.

    The square root of the sum over tasks of (variance of the samples' differences / n), over the number of tasks; the
    variance divides by n, as resampling does, so this is what the spread of endless replicates would be.
    """
    a, b = matched.index(first), matched.index(second)
    parts = [float(np.var(scores[b] - scores[a])) / scores.shape[1] for scores in matched.by_task().values()]
    return 100 * math.sqrt(sum(parts)) / len(parts)


def detectable_difference(
    sizes: Mapping[str, int], *, disagreement: float = 0.35, power: float = 0.8, level: float = 0.95
) -> float:
    """Return the smallest overall difference that a benchmark of this size would show.

    Parameters
    ----------
    sizes : mapping of str to int
        Number of samples of each task, each at least 1.
    disagreement : float
        Share in (0, 1] of samples that only one of the two systems solves. The paper's pairs disagree on 36 % (GPT-5.4
        and GPT Image 2) and 47 % (SenseNova's two interfaces); two versions of one system disagree on less.
    power : float
        How often, within 0..1, the difference should be found where it is there.
    level : float
        Of the two-sided interval that must leave 0 out.

    Returns
    -------
    float
        In points: (z of level + z of power) times the standard error sqrt(sum over tasks of disagreement / n) / tasks. It
        takes the disagreements to fall to both sides alike, which is the widest they can be.

    Raises
    ------
    InputError
        If there is no task, a task is empty, or a share is out of range.

    Examples
    --------
    >>> from provise.analysis.published import published_results
    >>> round(detectable_difference(published_results().sizes), 1)
    7.7
    """
    if not sizes or min(sizes.values()) < 1:
        raise InputError(f"sizes {dict(sizes)}: expected at least one task, each of at least one sample")
    if not (0 < disagreement <= 1 and 0 < power < 1 and 0 < level < 1):
        raise InputError(f"disagreement {disagreement}, power {power}, level {level}: expected shares within 0..1")
    normal = NormalDist()
    error = math.sqrt(sum(disagreement / n for n in sizes.values())) / len(sizes)
    return 100 * (normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(power)) * error
