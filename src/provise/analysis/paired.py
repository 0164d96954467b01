"""Two systems on the same samples: who solved what, and what one solves of what the other misses."""

from __future__ import annotations

from dataclasses import dataclass

from provise.analysis.exact import mcnemar_exact
from provise.analysis.matching import Matched
from provise.errors import InputError

__all__ = ["PairedOutcomes", "paired_outcomes"]


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
