"""Percentile intervals from resampling samples within their tasks, with one draw shared by all systems.

A replicate is a row of counts: how often each sample was drawn. Counts times scores is then one matrix product for all
systems, which makes the intervals fast and every difference between two systems a paired one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from provise.errors import InputError

__all__ = ["REPLICATES", "Bootstrap", "Floats", "bootstrap", "percentile_interval", "resample"]

Floats = npt.NDArray[np.float64]

REPLICATES = 10_000
"""Replicates of the paper's intervals (E.5)."""

_CHUNK = 4_000_000
"""Counts held at once (32 MB): a task of many thousand samples needs no more memory than that."""


def resample(scores: npt.ArrayLike, *, task: str = "", replicates: int = REPLICATES, seed: int = 0) -> Floats:
    """Return the mean score of every system in every replicate of one task.

    Parameters
    ----------
    scores : array_like of float, shape (systems, n)
        Finite, one column a sample; n >= 1. The same order of samples gives the same numbers.
    task : str
        Its name picks the stream of random numbers, so that a task's draws do not depend on what other tasks there are.
    replicates : int
        At least 1.
    seed : int
        At least 0. The generator is ``numpy.random.default_rng([seed, *name in UTF-8])`` (PCG64).

    Returns
    -------
    ndarray of float, shape (systems, replicates)
        In the unit of the scores. Replicate r used the same samples for every system.

    Raises
    ------
    InputError
        If there is no sample, a score is not finite, or a number is out of range.

    References
    ----------
    E.5 of the paper: "resamples examples with replacement within every task".

    Examples
    --------
    >>> resample([[0, 1, 1, 1], [1, 0, 0, 0]], replicates=3).sum(axis=0)
    array([1., 1., 1.])
    """
    given = np.asarray(scores, np.float64)
    if given.ndim != 2 or given.shape[1] == 0:
        raise InputError(
            f"scores of task {task!r} of shape {given.shape}: expected (systems, samples), at least 1 sample"
        )
    if not np.isfinite(given).all():
        raise InputError(f"task {task!r} has a score that is not finite: nothing can be resampled from it")
    if replicates < 1 or seed < 0:
        raise InputError(
            f"{replicates} replicates with seed {seed}: expected at least 1 replicate and a seed of 0 or more"
        )
    n = given.shape[1]
    whole, unit = _whole(given)
    # A name may hold half of a character: rows of other programs do. Any other name's bytes are its UTF-8.
    generator = np.random.default_rng([seed, *task.encode("utf-8", "surrogatepass")])
    means = np.empty((replicates, given.shape[0]))
    step = max(1, _CHUNK // n)
    for start in range(0, replicates, step):
        rows = min(step, replicates - start)
        drawn = generator.integers(0, n, (rows, n))
        drawn += np.arange(0, rows * n, n)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n)
        means[start : start + rows] = counts.astype(np.float64) @ whole.T
    # No mean lies outside its scores; the division by n alone could put it there, by one bit.
    shares: Floats = np.ascontiguousarray(means.T) * unit / n
    return shares.clip(given.min(axis=1, keepdims=True), given.max(axis=1, keepdims=True))


def _whole(scores: Floats) -> tuple[Floats, Floats]:
    """Return each system's scores as whole multiples of a power of two, and that unit, of shape (systems, 1).

    The unit is the smallest for which a sum of n scores stays below 2 ** 53, so that every sum is exact in any order: a
    system's replicates are then the same to the last bit whoever is resampled beside it, on any number of threads.
    """
    bits = np.frexp(np.abs(scores).max(axis=1, keepdims=True))[1] + scores.shape[1].bit_length()
    unit = np.ldexp(1.0, np.maximum(bits - 53, -1000))
    return np.round(scores / unit), unit


def percentile_interval(values: npt.ArrayLike, *, level: float = 0.95) -> Floats:
    """Return the percentile interval along the last axis.

    Parameters
    ----------
    values : array_like of float, shape (..., replicates)
        Bootstrap replicates of a number.
    level : float
        Within 0..1, both excluded.

    Returns
    -------
    ndarray of float, shape (..., 2)
        Low and high: the (1 - level) / 2 quantile and its mirror, linear between replicates.

    Raises
    ------
    InputError
        If the level is out of range or there is no replicate.

    References
    ----------
    Table 18 of the paper: the 2.5th and 97.5th percentile.

    Examples
    --------
    >>> percentile_interval(range(101), level=0.9)
    array([ 5., 95.])
    """
    given = np.asarray(values, np.float64)
    if not 0 < level < 1 or given.ndim == 0 or given.shape[-1] == 0:
        raise InputError(
            f"level {level} over {given.shape} replicates: expected a level within 0..1, 1 replicate or more"
        )
    tail = (1 - level) / 2
    return np.moveaxis(np.quantile(given, [tail, 1 - tail], axis=-1), 0, -1)


@dataclass(frozen=True)
class Bootstrap:
    """Replicates of every level of Eq. 5, paired across systems: replicate r is one and the same draw everywhere.

    Attributes
    ----------
    tasks : mapping of str to ndarray, shape (systems, replicates)
        Task means.
    groups : mapping of str to str
        The capability of each task.
    seed, replicates : int
        What drew them; with the generator named in `resample` they give the same numbers again.

    Notes
    -----
    For systems a and b, ``percentile_interval(b.overall[0] - b.overall[1])`` is the paired interval of their difference.
    """

    tasks: Mapping[str, Floats]
    groups: Mapping[str, str]
    seed: int
    replicates: int

    @cached_property
    def capabilities(self) -> dict[str, Floats]:
        """Means of the tasks of each capability, each of shape (systems, replicates)."""
        names = dict.fromkeys(self.groups[task] for task in self.tasks)
        return {name: self._mean([task for task in self.tasks if self.groups[task] == name]) for name in names}

    @cached_property
    def overall(self) -> Floats:
        """Mean of all tasks, of shape (systems, replicates)."""
        return self._mean(list(self.tasks))

    def _mean(self, tasks: list[str]) -> Floats:
        # In the order of their names, so that the last bit does not depend on the order in which the tasks came.
        total: Floats = np.zeros(1)
        for task in sorted(tasks):
            total = total + self.tasks[task]
        return total / len(tasks)


def bootstrap(
    scores: Mapping[str, npt.ArrayLike],
    capabilities: Mapping[str, str],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Bootstrap:
    """Resample samples within every task and average as the leaderboard does.

    Parameters
    ----------
    scores : mapping of str to array_like, shape (systems, n of the task)
        Systems in the same order everywhere, the samples of a task in the same order for every system.
    capabilities : mapping of str to str
        The capability of each task.
    replicates, seed : int
        See `resample`.

    Returns
    -------
    Bootstrap
        In the unit of the scores.

    Raises
    ------
    InputError
        If there is no task, a task has no capability, or the numbers of systems differ.

    References
    ----------
    E.5 of the paper. The intervals say how much the choice of samples matters for fixed answers; they know nothing of
    what a system would draw another time.

    Examples
    --------
    >>> drawn = bootstrap({"depth": [[1, 0, 1, 1]], "size": [[1, 1]]}, {"depth": "perception", "size": "perception"})
    >>> percentile_interval(drawn.overall)
    array([[0.625, 1.   ]])
    """
    if not scores:
        raise InputError("there is no task to resample")
    lost = [task for task in scores if task not in capabilities]
    if lost:
        raise InputError(f"no capability is given for {', '.join(lost)}: Eq. 5 averages the tasks of each capability")
    tasks = {task: resample(s, task=task, replicates=replicates, seed=seed) for task, s in scores.items()}
    systems = {task: len(values) for task, values in tasks.items()}
    if len(set(systems.values())) > 1:
        raise InputError(
            f"tasks have different numbers of systems, {systems}: paired draws need every system in every task"
        )
    return Bootstrap(tasks, {task: capabilities[task] for task in tasks}, seed, replicates)
