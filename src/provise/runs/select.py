"""Which samples of a benchmark a command is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from provise.errors import InputError
from provise.sample import Sample

__all__ = ["select"]


def select(samples: Sequence[Sample], tasks: str | Sequence[str] = "", limit: int = 0) -> list[Sample]:
    """Return the samples of some tasks, at most ``limit`` of each, in file order.

    Parameters
    ----------
    samples : sequence of Sample
        All of them.
    tasks : str or sequence of str
        Names, in a text by commas; empty is all.
    limit : int
        Samples of each task; 0 is all.

    Raises
    ------
    InputError
        If a task is none of the benchmark's.
    """
    known = list(dict.fromkeys(sample.task for sample in samples))
    named = tasks.split(",") if isinstance(tasks, str) else tasks
    wanted = [name.strip() for name in named if name.strip()] or known
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise InputError(f"the benchmark has no task {', '.join(unknown)}; it has {', '.join(known)}")
    seen: Counter[str] = Counter()
    chosen = []
    for sample in samples:
        if sample.task in wanted:
            seen[sample.task] += 1
            if not limit or seen[sample.task] <= limit:
                chosen.append(sample)
    return chosen
