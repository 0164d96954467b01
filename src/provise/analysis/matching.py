"""Bring runs onto the same samples before they are compared (paper, C.6): a difference must come from the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from provise.analysis.aggregate import task_capabilities
from provise.errors import InputError
from provise.scoring import Row

if TYPE_CHECKING:
    from provise.analysis.bootstrap import Bootstrap, Floats

__all__ = ["Matched", "match_runs", "shared_availability"]


@dataclass(frozen=True)
class Matched:
    """Runs over one and the same set of samples, in one order.

    Attributes
    ----------
    systems : tuple of str
        Names of the runs.
    ids, tasks : tuple of str
        Of the samples, sorted by task, then id.
    groups : mapping of str to str
        The capability of each task, in the order in which the tasks came.
    scores : ndarray of float, shape (systems, samples)
        In [0, 1]; 0 in every row where the sample is not available.
    correct : ndarray of bool, shape (systems, samples)
        Diagnostic correctness (C.7); False where the sample is not available.
    available : ndarray of bool, shape (samples,)
        The shared mask; samples outside it stay in the denominator.
    """

    systems: tuple[str, ...]
    ids: tuple[str, ...]
    tasks: tuple[str, ...]
    groups: Mapping[str, str]
    scores: npt.NDArray[np.float64]
    correct: npt.NDArray[np.bool_]
    available: npt.NDArray[np.bool_]

    def where(self, task: str) -> npt.NDArray[np.bool_]:
        """Return the mask of one task's samples, of shape (samples,)."""
        return np.array([name == task for name in self.tasks])

    def by_task(self) -> dict[str, Floats]:
        """Return the scores of each task, of shape (systems, n of the task), for `bootstrap`."""
        return {task: self.scores[:, self.where(task)] for task in self.groups}

    def task_scores(self, system: str) -> dict[str, float]:
        """Return the mean score of each task in percent (S_t of Eq. 5)."""
        row = self.index(system)
        return {task: 100 * float(values[row].mean()) for task, values in self.by_task().items()}

    def index(self, system: str) -> int:
        """Return the row of a system; InputError if there is none of that name."""
        if system not in self.systems:
            raise InputError(f"no run named {system!r} was matched; there are {', '.join(self.systems)}")
        return self.systems.index(system)

    def bootstrap(self, *, replicates: int = 10_000, seed: int = 0) -> Bootstrap:
        """Return paired replicates of all systems, in [0, 1]; see `provise.analysis.bootstrap`."""
        from provise.analysis.bootstrap import bootstrap

        return bootstrap(self.by_task(), self.groups, replicates=replicates, seed=seed)


def match_runs(
    runs: Mapping[str, Iterable[Row]],
    *,
    expected: Collection[str] | None = None,
    available: Collection[str] | None = None,
) -> Matched:
    """Check that runs can be compared sample by sample, and line them up.

    Parameters
    ----------
    runs : mapping of str to iterable of Row
        Name -> rows, each run in any order.
    expected : collection of str, optional
        Ids of the benchmark; without it, the first run's.
    available : collection of str, optional
        Ids of the samples whose answers every reader could be given. The others score 0 in every run, and stay in the
        denominator. Without it, all.

    Returns
    -------
    Matched
        The runs over the same samples.

    Raises
    ------
    InputError
        All that keeps the runs from being compared, at once: a run without rows, a repeated id, an id that is missing
        or foreign, a sample that is another task or capability elsewhere, a sample without an outcome (an outage is not an
        outcome), a score outside [0, 1], an available id that the benchmark lacks.

    References
    ----------
    C.6 of the paper: "requires an exact per-task ID match [...], rejecting duplicate or missing IDs, unresolved API
    errors, out-of-range scores [...] before applying the shared availability mask".

    Examples
    --------
    >>> def run(*scores):
    ...     return [Row(f"s{i}", "size", "perception", "correct", score=s, correct=s == 1) for i, s in enumerate(scores)]
    >>> match_runs({"a": run(1.0, 0.0), "b": run(1.0, 1.0)}, available=["s1"]).scores
    array([[0., 0.],
           [0., 1.]])
    """
    rows = {name: list(group) for name, group in runs.items()}
    first = next(iter(rows.values()), [])
    if not first:
        raise InputError("no rows to match: give at least one run that has samples")
    ids = set(expected) if expected is not None else {row.id for row in first}
    places = {row.id: (row.task, row.capability) for row in first}
    problems = [f"{name}: {problem}" for name, group in rows.items() for problem in _problems(group, ids, places)]
    if available is not None and (foreign := sorted(set(available) - ids)):
        problems.append(f"available: {_some(foreign)} not in the benchmark")
    if problems:
        raise InputError("these runs cannot be compared:\n" + "\n".join(f"* {problem}" for problem in problems))
    order = sorted(ids, key=lambda i: (places[i][0], i))
    mask = np.array([available is None or i in set(available) for i in order])
    by_id = [{row.id: row for row in group} for group in rows.values()]
    scores = np.array([[run[i].score for i in order] for run in by_id], np.float64)
    correct = np.array([[run[i].outcome == "correct" for i in order] for run in by_id])
    groups = task_capabilities(first)
    tasks = tuple(places[i][0] for i in order)
    return Matched(tuple(rows), tuple(order), tasks, groups, scores * mask, correct & mask, mask)


def shared_availability(readings: Iterable[Iterable[Row]]) -> set[str]:
    """Return the ids of the samples for which every reading of a system had an answer to read.

    Parameters
    ----------
    readings : iterable of iterables of Row
        Runs over the same samples.

    Returns
    -------
    set of str
        Those that are a generation failure in no run; for `match_runs`.

    References
    ----------
    C.6 of the paper: what was not generated "receives zero under all four parser columns".

    Examples
    --------
    >>> first = [Row("a", "size", "perception", "correct"), Row("b", "size", "perception", "generation_failure")]
    >>> shared_availability([first, [Row("a", "size", "perception", "incorrect")]])
    {'a'}
    """
    rows = [row for reading in readings for row in reading]
    return {row.id for row in rows} - {row.id for row in rows if row.outcome == "generation_failure"}


def _problems(rows: Sequence[Row], ids: set[str], places: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return what is wrong with one run, a line a kind."""
    found = {row.id for row in rows}
    kinds = {
        "more than once": [i for i, times in Counter(row.id for row in rows).items() if times > 1],
        "missing": sorted(ids - found),
        "not in the benchmark": sorted(found - ids),
        "of another task or capability than in the first run": [
            row.id for row in rows if places.get(row.id, (row.task, row.capability)) != (row.task, row.capability)
        ],
        "without an outcome": [f"{row.id} ({row.error})" for row in rows if row.error or row.outcome is None],
        "with a score outside 0..1": [
            f"{row.id} ({row.score})"
            for row in rows
            if row.outcome is not None and not row.error and not (row.score is not None and 0 <= row.score <= 1)
        ],
    }
    return [f"{_some(bad)} {kind}" for kind, bad in kinds.items() if bad]


def _some(ids: Sequence[str]) -> str:
    """Return how many there are and the first three."""
    shown = ", ".join(ids[:3]) + (", ..." if len(ids) > 3 else "")
    return f"{len(ids)} sample{'s' if len(ids) > 1 else ''} ({shown})"
