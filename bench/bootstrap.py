"""How long 10,000 paired replicates of 31 systems take, with every interval of table 18 and of the tasks."""

from __future__ import annotations

import time

import numpy as np

from provise.analysis.bootstrap import bootstrap, percentile_interval
from provise.analysis.published import published_results

__all__ = ["BAR", "SYSTEMS", "drawing"]

BAR = 0.5
"""Most seconds, on one quiet core."""

SYSTEMS = 31


def drawing(repeats: int = 5) -> float:
    """Return the seconds for drawing the replicates and taking all intervals, the best of a few repeats.

    Parameters
    ----------
    repeats : int
        Runs, each with a seed of its own.
    """
    paper, random = published_results(), np.random.default_rng(0)
    scores = {task: random.random((SYSTEMS, n)) for task, n in paper.sizes.items()}
    times = []
    for seed in range(repeats):
        began = time.perf_counter()
        drawn = bootstrap(scores, paper.capabilities, seed=seed)
        for means in (drawn.overall, *drawn.capabilities.values(), *drawn.tasks.values()):
            percentile_interval(means)
        times.append(time.perf_counter() - began)
    return min(times)
