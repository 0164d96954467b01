"""How much a depth score owes to the size of the window in which brightness is sampled (paper, table 12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from provise.analysis.ranks import spearman
from provise.errors import InputError
from provise.scoring import Row

__all__ = ["KERNEL", "KERNELS", "KernelReading", "KernelSensitivity", "kernel_readings", "kernel_sensitivity"]

KERNELS = (1, 3, 5, 7, 9, 11)
"""The sizes of the paper's table 12, in pixels of the source's grid."""

KERNEL = 5
"""The protocol's default."""


@dataclass(frozen=True)
class KernelReading:
    """The same answers read with one kernel; shares in percent of all of them.

    Attributes
    ----------
    kernel : int
        Side of the window in pixels.
    n : int
        Answers.
    parsed : float
        Share with a valid prediction.
    score : float
        Share that is right; what holds no prediction scores 0.
    same : float
        Share with the default kernel's prediction, or without one as with that.
    """

    kernel: int
    n: int
    parsed: float
    score: float
    same: float


@dataclass(frozen=True)
class KernelSensitivity:
    """Runs over kernels.

    Attributes
    ----------
    runs : mapping of str to tuple of KernelReading
        By run, in the order of the kernels.
    together : tuple of KernelReading
        All answers of all runs in one: the form of table 12.
    spearman : mapping of int to float or None
        By kernel, the rank correlation of the runs' scores with those under the default; None where there is no ranking.
    """

    runs: Mapping[str, tuple[KernelReading, ...]]
    together: tuple[KernelReading, ...]
    spearman: Mapping[int, float | None]

    @property
    def span(self) -> float:
        """Points between the best and the worst kernel, over all runs."""
        scores = [one.score for one in self.together]
        return max(scores) - min(scores)


def kernel_readings(rows: Mapping[int, Sequence[Row]], *, default: int = KERNEL) -> tuple[KernelReading, ...]:
    """Compare readings of the same answers with several kernels.

    Parameters
    ----------
    rows : mapping of int to sequence of Row
        Kernel -> rows, of the same samples in the same order.
    default : int
        The kernel that the others are compared with.

    Returns
    -------
    tuple of KernelReading
        By kernel, the smallest first.

    Raises
    ------
    InputError
        If there is no row, a row has no outcome, the default is not among the kernels or the samples differ.

    References
    ----------
    C.5 and table 12 of the paper: 330 answers, 1x1 to 11x11; invalid ones stay in the denominator as zeros.

    Examples
    --------
    >>> def read(*found):
    ...     return [Row(f"d{i}", "depth", "perception", "correct" if p == "A" else "incorrect", prediction=p,
    ...                 score=float(p == "A")) for i, p in enumerate(found)]
    >>> found = kernel_readings({5: read("A", "A", "B", "A"), 1: read("A", "B", "B", "A")})
    >>> [(one.kernel, one.score, one.same) for one in found]
    [(1, 50.0, 75.0), (5, 75.0, 100.0)]
    """
    if default not in rows or not rows[default]:
        raise InputError(f"no answers were read with the default kernel {default}: there is nothing to compare with")
    base = rows[default]
    for kernel, group in rows.items():
        if [row.id for row in group] != [row.id for row in base]:
            raise InputError(f"kernel {kernel} read other samples than kernel {default}")
        if lost := [row.id for row in group if row.error or row.outcome is None or row.score is None]:
            raise InputError(f"kernel {kernel}: {lost[0]!r} has no outcome; leave out what was never answered")
    return tuple(_reading(kernel, rows[kernel], base) for kernel in sorted(rows))


def _reading(kernel: int, rows: Sequence[Row], base: Sequence[Row]) -> KernelReading:
    n = len(rows)
    parsed = sum(row.outcome in ("correct", "incorrect") for row in rows)
    same = sum(row.prediction == other.prediction for row, other in zip(rows, base, strict=True))
    return KernelReading(kernel, n, 100 * parsed / n, 100 * sum(row.score or 0.0 for row in rows) / n, 100 * same / n)


def kernel_sensitivity(runs: Mapping[str, Mapping[int, Sequence[Row]]], *, default: int = KERNEL) -> KernelSensitivity:
    """Compare kernels over several runs.

    Parameters
    ----------
    runs : mapping of str to mapping of int to sequence of Row
        Run -> kernel -> rows; the same kernels for every run.
    default : int
        The kernel that the others are compared with.

    Returns
    -------
    KernelSensitivity
        In the order of the runs.

    Raises
    ------
    InputError
        See `kernel_readings`.
    """
    if not runs:
        raise InputError("no run to compare kernels over")
    found = {name: kernel_readings(rows, default=default) for name, rows in runs.items()}
    kernels = [one.kernel for one in next(iter(found.values()))]
    if any([one.kernel for one in readings] != kernels for readings in found.values()):
        raise InputError("the runs were read with different kernels")
    together = {kernel: [row for rows in runs.values() for row in rows[kernel]] for kernel in kernels}
    scores = {kernel: [readings[i].score for readings in found.values()] for i, kernel in enumerate(kernels)}
    agreement = {kernel: spearman(scores[default], scores[kernel]) for kernel in kernels}
    return KernelSensitivity(found, kernel_readings(together, default=default), agreement)
