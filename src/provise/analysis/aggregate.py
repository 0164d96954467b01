"""Task, capability and overall scores (paper, Eq. 5): a macro average, so that no large task outweighs a small one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from provise.scoring import OUTCOMES, Row

__all__ = ["summarise"]


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

    Examples
    --------
    >>> make = lambda i, t, s: Row(str(i), t, "perception", "correct" if s else "incorrect", score=s)
    >>> summarise([make(1, "depth", 1.0), make(2, "depth", 0.0), make(3, "size", 1.0)])["overall"]["score"]
    75.0
    """
    by_task: dict[str, list[Row]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row)
    tasks = {name: _task(group) for name, group in by_task.items()}
    capabilities: dict[str, list[str]] = {}
    for name, group in by_task.items():
        capabilities.setdefault(group[0].capability or "none", []).append(name)
    complete = [t["score"] for t in tasks.values() if t["score"] is not None]
    return {
        "overall": _mean(list(tasks.values())),
        "capabilities": {name: _mean([tasks[t] for t in members]) for name, members in capabilities.items()},
        "tasks": tasks,
        "mean_of_tasks": {"score": sum(complete) / len(complete) if complete else None, "n_tasks": len(complete)},
        "incomplete": [
            {"id": row.id, "kind": row.error, "reason": row.message}
            for group in by_task.values()
            for row in group
            if row.error
        ],
    }


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


def _mean(tasks: list[dict[str, Any]]) -> dict[str, Any]:
    scores = [t["score"] for t in tasks]
    whole = bool(scores) and None not in scores
    return {"n": sum(t["n"] for t in tasks), "score": sum(scores) / len(scores) if whole else None}
