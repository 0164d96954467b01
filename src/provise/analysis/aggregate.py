"""Task, capability and overall scores (paper, Eq. 5): a macro average, so that no large task outweighs a small one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from provise.benchmark.tasks import TASKS
from provise.errors import InputError
from provise.scoring import OUTCOMES, Row

__all__ = ["Macro", "macro_average", "summarise", "task_capabilities"]


@dataclass(frozen=True)
class Macro:
    """The two upper levels of Eq. 5; None where a task below has no score."""

    overall: float | None
    capabilities: Mapping[str, float | None]


def macro_average(tasks: Mapping[str, float | None], capabilities: Mapping[str, str]) -> Macro:
    """Average task scores to capabilities, and to an overall score over all tasks.

    Parameters
    ----------
    tasks : mapping of str to float or None
        The score of each task, in any unit; None where it is incomplete.
    capabilities : mapping of str to str
        The capability of each of these tasks; others are left alone.

    Returns
    -------
    Macro
        In the unit of the tasks, the capabilities in the order in which the tasks name them. The overall score averages
        the tasks, not the capabilities: a capability of four tasks counts for more than one of three.

    Raises
    ------
    InputError
        If a task has no capability.

    References
    ----------
    Eq. 5 of the paper: S_c = (1 / |T_c|) sum over t in T_c of S_t, and S_overall = (1 / |T|) sum over all t of S_t.

    Examples
    --------
    >>> macro_average({"counting": 80.0, "depth": 60.0, "multihop": 10.0},
    ...               {"counting": "perception", "depth": "perception", "multihop": "reasoning"})
    Macro(overall=50.0, capabilities={'perception': 70.0, 'reasoning': 10.0})
    """
    lost = [task for task in tasks if task not in capabilities]
    if lost:
        raise InputError(f"no capability is given for {', '.join(lost)}: Eq. 5 averages the tasks of each capability")
    groups: dict[str, list[float | None]] = {}
    for task, score in tasks.items():
        groups.setdefault(capabilities[task], []).append(score)
    return Macro(_average(list(tasks.values())), {name: _average(scores) for name, scores in groups.items()})


def _average(scores: list[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return sum(known) / len(known) if known and len(known) == len(scores) else None


def task_capabilities(rows: Iterable[Row]) -> dict[str, str]:
    """Return the capability of each task, in the order in which the tasks came.

    Parameters
    ----------
    rows : iterable of Row
        In any order.

    Returns
    -------
    dict of str to str
        A task counts under one capability: the one that most of its rows name, the first by name where as many name
        another; where no row names any, that of SpatialGen-Bench for its tasks, ``"none"`` for others.

    Examples
    --------
    >>> rows = [Row("1", "depth", ""), Row("2", "depth", "mine"), Row("3", "size", ""), Row("4", "other", "")]
    >>> task_capabilities(rows)
    {'depth': 'mine', 'size': 'perception', 'other': 'none'}
    """
    named: dict[str, Counter[str]] = {}
    for row in rows:
        votes = named.setdefault(row.task, Counter())
        if row.capability:
            votes[row.capability] += 1
    known = {task: TASKS[task].capability for task in named if task in TASKS}
    return {
        task: min(votes, key=lambda name: (-votes[name], name), default=known.get(task, "none"))
        for task, votes in named.items()
    }


def summarise(rows: Iterable[Row]) -> dict[str, Any]:
    """Aggregate rows; every number is a percentage.

    Parameters
    ----------
    rows : iterable of Row
        One a sample.

    Returns
    -------
    dict
        ``tasks`` (n, score, null_score, scorable, scorable_only, outcomes, readers), ``capabilities`` and ``overall``,
        which are None unless all their tasks are complete, ``mean_of_tasks`` over the complete ones, and ``incomplete``.
        ``null_score`` is what answers that took no look at the picture would have scored on the same samples, None
        where the metric has no such answer; ``readers`` names what read them.

    Raises
    ------
    InputError
        If a score is no number in 0..1.

    Examples
    --------
    >>> make = lambda i, t, s: Row(str(i), t, "perception", "correct" if s else "incorrect", score=s)
    >>> summarise([make(1, "depth", 1.0), make(2, "depth", 0.0), make(3, "size", 1.0)])["overall"]["score"]
    75.0
    """
    rows = list(rows)
    _check(rows)
    by_task: dict[str, list[Row]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row)
    tasks = {name: _task(group) for name, group in by_task.items()}
    capability = task_capabilities(rows)
    macro = macro_average({name: task["score"] for name, task in tasks.items()}, capability)
    sizes = {name: sum(tasks[t]["n"] for t in tasks if capability[t] == name) for name in macro.capabilities}
    complete = [t["score"] for t in tasks.values() if t["score"] is not None]
    return {
        "overall": {"n": sum(task["n"] for task in tasks.values()), "score": macro.overall},
        "capabilities": {name: {"n": sizes[name], "score": score} for name, score in macro.capabilities.items()},
        "tasks": tasks,
        "mean_of_tasks": {"score": sum(complete) / len(complete) if complete else None, "n_tasks": len(complete)},
        "incomplete": [
            {"id": row.id, "kind": row.error, "reason": row.message}
            for group in by_task.values()
            for row in group
            if row.error
        ],
    }


def _check(rows: list[Row]) -> None:
    for row in rows:
        score = row.score
        # Not a number compares false with everything.
        if score is not None and not (isinstance(score, int | float) and 0 <= score <= 1):
            raise InputError(f"the score of sample {row.id!r} is {score!r}; expected a number in 0..1")


def _task(rows: list[Row]) -> dict[str, Any]:
    scores = [row.score for row in rows]
    complete = [s for s in scores if s is not None]
    null = [row.details["null_score"] for row in rows if "null_score" in row.details]
    scorable = [row.score for row in rows if row.outcome in ("correct", "incorrect") and row.score is not None]
    return {
        "n": len(rows),
        "score": 100 * sum(complete) / len(rows) if len(complete) == len(rows) else None,
        "null_score": 100 * sum(null) / len(null) if null else None,
        "scorable": 100 * len(scorable) / len(rows),
        "scorable_only": 100 * sum(scorable) / len(scorable) if scorable else 0.0,
        "outcomes": {name: sum(row.outcome == name for row in rows) for name in OUTCOMES},
        "readers": sorted({row.reader for row in rows if row.reader}),
    }
