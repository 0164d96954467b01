"""Ranks of scores, and how far two rankings agree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from provise.errors import InputError

__all__ = ["ranks", "spearman"]


def ranks(scores: Mapping[str, float]) -> dict[str, int]:
    """Rank scores, the highest first.

    Parameters
    ----------
    scores : mapping of str to float
        Finite.

    Returns
    -------
    dict of str to int
        1 for the best. Equal scores share the better rank, and the next one leaves a gap: 1, 2, 2, 4.

    Raises
    ------
    InputError
        If a score is not finite.

    Examples
    --------
    >>> ranks({"a": 40.0, "b": 51.6, "c": 40.0, "d": 12.0})
    {'a': 2, 'b': 1, 'c': 2, 'd': 4}
    """
    _check(list(scores.values()))
    return {name: 1 + sum(other > score for other in scores.values()) for name, score in scores.items()}


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation.

    Parameters
    ----------
    first, second : sequence of float
        Finite numbers of the same things in the same order.

    Returns
    -------
    float or None
        In [-1, 1]: Pearson's correlation of the ranks, where equal numbers take the mean of their places. None for
        fewer than two things, or where all numbers of one side are equal: there is no ranking then.

    Raises
    ------
    InputError
        If the lengths differ or a number is not finite.

    References
    ----------
    C. Spearman, American Journal of Psychology 15 (1904), 72-101.

    Examples
    --------
    >>> spearman([51.6, 48.6, 40.0, 37.9], [45.7, 43.4, 40.6, 42.9])
    0.8
    """
    if len(first) != len(second):
        raise InputError(
            f"{len(first)} and {len(second)} numbers: a rank correlation needs the same things on both sides"
        )
    _check([*first, *second])
    a, b = _places(first), _places(second)
    # Places are halves, so twice their distance from the middle is a whole number and the sums are exact.
    middle = len(a) + 1
    a, b = [2 * place - middle for place in a], [2 * place - middle for place in b]
    spread = sum(x * x for x in a) * sum(y * y for y in b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(spread) if spread else None


def _places(values: Sequence[float]) -> list[float]:
    """Return places from 1, smallest first; equal numbers take the mean of theirs."""
    return [sum(w < v for w in values) + (1 + sum(w == v for w in values)) / 2 for v in values]


def _check(values: Sequence[float]) -> None:
    bad = [value for value in values if not math.isfinite(value)]
    if bad:
        raise InputError(f"{bad[0]} cannot be ranked: expected finite scores")
