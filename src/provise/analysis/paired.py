"""Two systems on the same samples: who solved what, how large the difference is, and how large it would have to be."""

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

__all__ = [
    "Difference",
    "PairedOutcomes",
    "detectable_difference",
    "differences",
    "mcnemar_exact",
    "paired_outcomes",
    "standard_error",
]


@dataclass(frozen=True)
class PairedOutcomes:
    """Counts of samples by who solved them (table 3 of the paper).

    Attributes
    ----------
    both, first_only, second_only, neither : int
        ``first`` is the text system and ``second`` the visual one where the two are different interfaces.
    """

    both: int
    first_only: int
    second_only: int
    neither: int

    @property
    def n(self) -> int:
        """Number of samples."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def rescue(self) -> float | None:
        """Share in [0, 1] of the samples the first got wrong that the second solved; None where it got none wrong.

        With a text system first and a visual one second this is the paper's visual rescue,
        visual only / (visual only + neither).
        """
        wrong = self.second_only + self.neither
        return self.second_only / wrong if wrong else None

    @property
    def p_value(self) -> float:
        """Exact McNemar test of the two being right equally often."""
        return mcnemar_exact(self.first_only, self.second_only)


def paired_outcomes(matched: Matched, first: str, second: str, *, task: str | None = None) -> PairedOutcomes:
    """Count who solved what.

    Parameters
    ----------
    matched : Matched
        Of `match_runs`.
    first, second : str
        Names of two systems; the second is the one that rescues.
    task : str, optional
        Only this task's samples.

    Returns
    -------
    PairedOutcomes
        By diagnostic correctness: precision >= .5 for affordance, DFD < .4 for trajectory, score >= .999 elsewhere.

    Raises
    ------
    InputError
        If there is no such system or task.

    References
    ----------
    Table 3 and C.7 of the paper. The counts do not replace the scores: a partly right endpoint counts as wrong here.

    Examples
    --------
    >>> from provise.analysis.matching import match_runs
    >>> from provise.scoring import Row
    >>> def run(right):
    ...     return [Row(f"{i}", "size", "perception", "correct" if r else "incorrect", score=r) for i, r in enumerate(right)]
    >>> paired = match_runs({"text": run([1, 1, 0, 0, 0]), "visual": run([1, 0, 1, 0, 0])})
    >>> paired_outcomes(paired, "text", "visual")
    PairedOutcomes(both=1, first_only=1, second_only=1, neither=2)
    """
    if task is not None and task not in matched.groups:
        raise InputError(f"no task {task!r} was matched; there are {', '.join(matched.groups)}")
    a, b = (matched.correct[matched.index(name)] for name in (first, second))
    if task is not None:
        where = matched.where(task)
        a, b = a[where], b[where]
    return PairedOutcomes(int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum()))


def mcnemar_exact(first_only: int, second_only: int) -> float:
    """Return the two-sided p-value of the exact McNemar test.

    Parameters
    ----------
    first_only, second_only : int
        Samples that only one of the two solved.

    Returns
    -------
    float
        In (0, 1]; 1 where they disagree on nothing. If both are right equally often, each disagreement falls to either
        side like a coin, and p = min(1, 2 P(X <= min(first_only, second_only))), X ~ Binomial(first_only + second_only, 1/2).

    Raises
    ------
    InputError
        If a count is negative.

    References
    ----------
    Q. McNemar, Psychometrika 12 (1947), 153-157.

    Examples
    --------
    >>> round(mcnemar_exact(96, 71), 4)
    0.063
    """
    if first_only < 0 or second_only < 0:
        raise InputError(f"{first_only} and {second_only} samples solved by one alone: expected counts of 0 or more")
    n = first_only + second_only
    tail = sum(math.comb(n, k) for k in range(min(first_only, second_only) + 1))
    return min(1.0, 2 * tail / (1 << n))


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
