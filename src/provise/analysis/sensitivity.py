"""How much a result owes to its reader: the same answers, read in two ways (paper, 4.5 and C.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from provise.analysis.aggregate import macro_average
from provise.analysis.matching import match_runs, shared_availability
from provise.analysis.ranks import ranks, spearman
from provise.errors import InputError
from provise.scoring import Row

__all__ = ["ReaderSensitivity", "Rereading", "compare_readings", "reader_sensitivity"]


@dataclass(frozen=True)
class ReaderSensitivity:
    """What another reader does to scores and ranks.

    Attributes
    ----------
    spearman : float or None
        Rank correlation; None where a side has no ranking.
    mean_absolute_change : float
        Mean over the names of |other - reference|, in the unit of the scores.
    reference : mapping of str to float
        The scores by the reference.
    changes : mapping of str to float
        Other minus reference.
    ranks : mapping of str to (int, int)
        By the reference, and by the other; 1 is best.
    """

    spearman: float | None
    mean_absolute_change: float
    reference: Mapping[str, float]
    changes: Mapping[str, float]
    ranks: Mapping[str, tuple[int, int]]

    @property
    def rank_changes(self) -> dict[str, int]:
        """Places lost under the other reader, for those that moved: -1 is one place better."""
        return {name: after - before for name, (before, after) in self.ranks.items() if after != before}


def reader_sensitivity(reference: Mapping[str, float], other: Mapping[str, float]) -> ReaderSensitivity:
    """Compare the scores two readers gave to the same things: systems, or the tasks of one system.

    Parameters
    ----------
    reference, other : mapping of str to float
        Name -> score, of the same names in any order.

    Returns
    -------
    ReaderSensitivity
        In the order of the reference.

    Raises
    ------
    InputError
        If the names differ, there are none, or a score is not finite.

    References
    ----------
    Table 5 of the paper.

    Examples
    --------
    >>> found = reader_sensitivity({"a": 50.0, "b": 40.0, "c": 30.0}, {"a": 44.0, "b": 45.0, "c": 31.0})
    >>> found.spearman, found.mean_absolute_change, found.rank_changes
    (0.5, 4.0, {'a': 1, 'b': -1})
    """
    if not reference or set(reference) != set(other):
        odd = ", ".join(sorted(set(reference) ^ set(other))) or "nothing to compare"
        raise InputError(f"two readings must score the same names, at least one: {odd}")
    before, after = ranks(reference), ranks(other)
    changes = {name: other[name] - score for name, score in reference.items()}
    return ReaderSensitivity(
        spearman=spearman(list(reference.values()), [other[name] for name in reference]),
        mean_absolute_change=sum(map(abs, changes.values())) / len(changes),
        reference=dict(reference),
        changes=changes,
        ranks={name: (before[name], after[name]) for name in reference},
    )


@dataclass(frozen=True)
class Rereading:
    """One run's answers read twice.

    Attributes
    ----------
    overall : (float, float)
        Overall score in percent by the first and the second reading, after the shared availability mask.
    tasks : ReaderSensitivity
        Over the tasks' scores in percent: which tasks lean on the reader.
    parsed : (float, float)
        Share in percent of all samples with a valid prediction.
    parsed_of_available : (float, float)
        The same among the samples that had an answer to read; 0 where there was none.
    available, n : int
        Samples with an answer to read in both readings, and all samples.
    moves : mapping of (str, str) to int
        Outcome in the first and in the second reading -> number of samples, the available only.
    """

    overall: tuple[float, float]
    tasks: ReaderSensitivity
    parsed: tuple[float, float]
    parsed_of_available: tuple[float, float]
    available: int
    n: int
    moves: Mapping[tuple[str, str], int]

    @property
    def kept(self) -> float:
        """Share in percent of the available samples whose outcome both readings agree on; 100 where there are none."""
        same = sum(count for (first, second), count in self.moves.items() if first == second)
        return 100 * same / self.available if self.available else 100.0


def compare_readings(first: Iterable[Row], second: Iterable[Row]) -> Rereading:
    """Compare two readings of one run.

    Parameters
    ----------
    first, second : iterable of Row
        The same samples and, sample by sample, the same answers (`Row.response`).

    Returns
    -------
    Rereading
        A sample that one reading had no answer for counts 0 in both.

    Raises
    ------
    InputError
        If `match_runs` refuses them, or an answer differs: then these are two runs and not two readings.

    References
    ----------
    C.6 of the paper, which rejects "inconsistent generated-image paths" and applies a shared availability mask.

    Examples
    --------
    >>> def read(*scores):
    ...     return [Row(f"s{i}", "size", "perception", "correct" if s else "incorrect", score=s, response="same")
    ...             for i, s in enumerate(scores)]
    >>> found = compare_readings(read(1.0, 0.0, 1.0, 1.0), read(1.0, 1.0, 0.0, 0.0))
    >>> found.overall, found.kept, found.moves["correct", "incorrect"]
    ((75.0, 50.0), 25.0, 2)
    """
    runs = {"first reading": list(first), "second reading": list(second)}
    usable = shared_availability(runs.values())
    matched = match_runs(runs, available=usable)
    a, b = ({row.id: row for row in rows} for rows in runs.values())
    other = [i for i in matched.ids if i in usable and a[i].response != b[i].response]
    if other:
        raise InputError(
            f"{len(other)} samples ({', '.join(other[:3])}) have another answer in the second reading: these are two runs, "
            "not two readings of one"
        )
    tasks = [matched.task_scores(name) for name in matched.systems]
    overall = [macro_average(dict(scores), matched.groups).overall or 0.0 for scores in tasks]
    read = [sum(run[i].outcome in ("correct", "incorrect") for i in usable) for run in (a, b)]
    return Rereading(
        overall=(overall[0], overall[1]),
        tasks=reader_sensitivity(*tasks),
        parsed=(100 * read[0] / len(matched.ids), 100 * read[1] / len(matched.ids)),
        parsed_of_available=(_percent(read[0], len(usable)), _percent(read[1], len(usable))),
        available=len(usable),
        n=len(matched.ids),
        moves=Counter((str(a[i].outcome), str(b[i].outcome)) for i in matched.ids if i in usable),
    )


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
