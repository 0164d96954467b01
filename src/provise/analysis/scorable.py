"""Scores over readable answers alone (paper, C.8): a diagnosis that forgives failed communication."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from provise.analysis.aggregate import macro_average, summarise
from provise.analysis.ranks import ranks
from provise.errors import InputError
from provise.scoring import Row

__all__ = ["Scorable", "scorable_only", "scorable_ranks"]


@dataclass(frozen=True)
class Scorable:
    """Scores over the answers from which a prediction was read, in percent; a diagnosis, never a ranking of its own.

    Attributes
    ----------
    percent : float
        Share of such answers among all samples.
    all_output : float
        Overall score over every sample (Eq. 5).
    overall : float
        Overall score over the scorable only.
    tasks : mapping of str to float
        The latter's tasks; 0 for one with no scorable prediction.
    """

    percent: float
    all_output: float
    overall: float
    tasks: Mapping[str, float]


def scorable_only(rows: Iterable[Row]) -> Scorable:
    """Score only the answers from which a prediction was read.

    Parameters
    ----------
    rows : iterable of Row
        Of one complete run.

    Returns
    -------
    Scorable
        Within each task, answers without a prediction leave the denominator; a task that has none stays 0 and stays in
        the macro average.

    Raises
    ------
    InputError
        If there are no rows, or samples have no outcome.

    References
    ----------
    Table 16 and C.8 of the paper.

    Examples
    --------
    >>> rows = [Row("1", "size", "p", "correct", score=1.0), Row("2", "size", "p", "parser_failure", score=0.0),
    ...         Row("3", "depth", "p", "parser_failure", score=0.0)]
    >>> found = scorable_only(rows)
    >>> found.all_output, found.overall, found.tasks
    (25.0, 50.0, {'size': 100.0, 'depth': 0.0})
    """
    rows = list(rows)
    summary = summarise(rows)
    if summary["overall"]["score"] is None:
        open_ = len(summary["incomplete"])
        raise InputError(f"{len(rows)} rows, {open_} of them without an outcome: expected a complete run with samples")
    percent = 100 * sum(row.outcome in ("correct", "incorrect") for row in rows) / len(rows)
    tasks = {name: float(task["scorable_only"]) for name, task in summary["tasks"].items()}
    overall = macro_average(dict(tasks), dict.fromkeys(tasks, "all")).overall or 0.0
    return Scorable(percent, summary["overall"]["score"], overall, tasks)


def scorable_ranks(systems: Mapping[str, Scorable]) -> dict[str, tuple[int, int]]:
    """Return each system's rank by all output, and by the scorable only (the rank shift of table 16)."""
    before = ranks({name: found.all_output for name, found in systems.items()})
    after = ranks({name: found.overall for name, found in systems.items()})
    return {name: (before[name], after[name]) for name in systems}
