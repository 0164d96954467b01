"""Answers of small tables that need no simulation: counted out in whole numbers."""

from __future__ import annotations

import math

from provise.errors import InputError

__all__ = ["binomial_interval", "mcnemar_exact"]


def binomial_interval(correct: int, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the interval that endless replicates would give for one task of 0/1 scores.

    Parameters
    ----------
    correct, n : int
        0 <= correct <= n, n >= 1.
    level : float
        Within 0..1, both excluded.

    Returns
    -------
    (float, float)
        Shares in [0, 1]: quantiles of Binomial(n, correct / n) / n, the closed form that `resample` is held to.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> binomial_interval(12, 40)
    (0.175, 0.45)
    """
    if not 0 <= correct <= n or n < 1 or not 0 < level < 1:
        raise InputError(
            f"{correct} of {n} at level {level}: expected 0 <= correct <= n, n >= 1 and a level within 0..1"
        )
    # Whole numbers throughout: n ** n times the chance of k, so that no rounding moves a quantile.
    weights = [math.comb(n, k) * correct**k * (n - correct) ** (n - k) for k in range(n + 1)]
    tail = (1 - level) / 2
    return _quantile(weights, tail), _quantile(weights, 1 - tail)


def _quantile(weights: list[int], share: float) -> float:
    total, whole = 0, sum(weights)
    for k, weight in enumerate(weights):
        total += weight
        if total / whole >= share:
            return k / (len(weights) - 1)
    return 1.0


def mcnemar_exact(first_only: int, second_only: int) -> float:
    """Return the two-sided p-value of the exact McNemar test.

    Parameters
    ----------
    first_only, second_only : int
        Samples that only one of the two solved.

    Returns
    -------
    float
        In (0, 1]; 1 where they disagree on nothing. If both are right equally often, each disagreement falls to either
        side like a coin, and p = min(1, 2 P(X <= min(first_only, second_only))), X ~ Binomial(first_only + second_only, 1/2).

    Raises
    ------
    InputError
        If a count is negative.

    References
    ----------
    Q. McNemar, Psychometrika 12 (1947), 153-157.

    Examples
    --------
    >>> round(mcnemar_exact(96, 71), 4)
    0.063
    """
    if first_only < 0 or second_only < 0:
        raise InputError(f"{first_only} and {second_only} samples solved by one alone: expected counts of 0 or more")
    n = first_only + second_only
    # Each binomial coefficient from the one before: counting every one anew takes seconds for some thousand samples.
    tail = ways = 1
    for k in range(min(first_only, second_only)):
        ways = ways * (n - k) // (k + 1)
        tail += ways
    return min(1.0, 2 * tail / (1 << n))
