"""Rows for tests, by task: what each sample scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from provise.scoring import Row

CAPABILITY = {"counting": "perception", "size": "perception", "affordance": "interaction", "multihop": "reasoning"}


def made(scores: Mapping[str, Sequence[float | str]], **more: str) -> list[Row]:
    """Return a row a score; a text is an outcome without a score of its own (0), or an error (None)."""
    rows = []
    for task, values in scores.items():
        for number, value in enumerate(values):
            place = (f"{task}-{number:02}", task, CAPABILITY[task])
            if value in ("missing", "infrastructure", "data_error"):
                rows.append(Row(*place, error=str(value), **more))
            elif isinstance(value, str):
                rows.append(Row(*place, value, score=0.0, correct=False, **more))
            else:
                right = value >= (0.5 if task == "affordance" else 0.999)
                rows.append(Row(*place, "correct" if right else "incorrect", score=value, correct=right, **more))
    return rows
