"""Why answers fail, by system and task (paper, C.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from provise.scoring import OUTCOMES, Row

__all__ = ["Attribution", "Outcomes", "attribute"]


@dataclass(frozen=True)
class Outcomes:
    """How many answers came to what; the five outcomes of C.7 are exclusive.

    Attributes
    ----------
    counts : mapping of str to int
        For each name of `provise.scoring.OUTCOMES`.
    unresolved : int
        Samples without an outcome: outages, missing answers, faults of the data. They are in no share.
    """

    counts: Mapping[str, int]
    unresolved: int = 0

    @property
    def n(self) -> int:
        """Number of answers with an outcome."""
        return sum(self.counts.values())

    @property
    def shares(self) -> dict[str, float]:
        """Share of each outcome in percent of n; 0 where there is no answer."""
        return {name: 100 * count / self.n if self.n else 0.0 for name, count in self.counts.items()}

    @property
    def failure_shares(self) -> dict[str, float]:
        """Share of each outcome but ``correct`` in percent of the answers that are not correct (section 4.6)."""
        failed = self.n - self.counts.get("correct", 0)
        return {name: 100 * c / failed if failed else 0.0 for name, c in self.counts.items() if name != "correct"}

    @property
    def scorable(self) -> float:
        """Share in percent of the answers from which a prediction was read, right or wrong (table 16)."""
        shares = self.shares
        return shares.get("correct", 0.0) + shares.get("incorrect", 0.0)

    def __add__(self, other: Outcomes) -> Outcomes:
        names = dict.fromkeys([*self.counts, *other.counts])
        counts = {name: self.counts.get(name, 0) + other.counts.get(name, 0) for name in names}
        return Outcomes(counts, self.unresolved + other.unresolved)


@dataclass(frozen=True)
class Attribution:
    """Outcomes of several runs, ``cells[system][task]``."""

    cells: Mapping[str, Mapping[str, Outcomes]] = field(default_factory=dict)

    @property
    def by_system(self) -> dict[str, Outcomes]:
        """One row a system, over all its tasks (table 14)."""
        return {system: _total(tasks.values()) for system, tasks in self.cells.items()}

    @property
    def by_task(self) -> dict[str, Outcomes]:
        """One row a task, over all systems (table 15)."""
        names = dict.fromkeys(task for tasks in self.cells.values() for task in tasks)
        return {name: _total(tasks[name] for tasks in self.cells.values() if name in tasks) for name in names}

    @property
    def total(self) -> Outcomes:
        """Over everything."""
        return _total(self.by_system.values())


def attribute(runs: Mapping[str, Iterable[Row]]) -> Attribution:
    """Count outcomes by system and task.

    Parameters
    ----------
    runs : mapping of str to iterable of Row
        Name of a system -> its rows.

    Returns
    -------
    Attribution
        Tasks in the order of the rows. Each row's own outcome is taken: precedence and diagnostic correctness are
        settled where it is scored (`provise.scoring`), and never touch the score.

    References
    ----------
    Fig. 7, tables 14 and 15, C.7 of the paper.

    Examples
    --------
    >>> rows = [Row("1", "size", "perception", "correct"), Row("2", "size", "perception", "protocol_noncompliance")]
    >>> found = attribute({"a": rows}).by_system["a"]
    >>> found.n, found.shares["correct"], found.failure_shares["protocol_noncompliance"]
    (2, 50.0, 100.0)
    """
    cells: dict[str, dict[str, Outcomes]] = {}
    for system, rows in runs.items():
        tasks: dict[str, list[str | None]] = {}
        for row in rows:
            tasks.setdefault(row.task, []).append(None if row.error else row.outcome)
        cells[system] = {task: _counted(outcomes) for task, outcomes in tasks.items()}
    return Attribution(cells)


def _counted(outcomes: list[str | None]) -> Outcomes:
    counts = Counter(outcomes)
    return Outcomes({name: counts[name] for name in OUTCOMES}, counts[None])


def _total(parts: Iterable[Outcomes]) -> Outcomes:
    return sum(parts, Outcomes(dict.fromkeys(OUTCOMES, 0)))
