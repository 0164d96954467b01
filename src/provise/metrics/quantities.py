"""Numbers with a scale: lengths, angles and relative error."""

from __future__ import annotations

import math

from provise.errors import InputError

__all__ = [
    "CENTIMETRES",
    "RATIO_LIMIT",
    "angle_error",
    "mean_relative_accuracy",
    "measurement_ratio",
    "ratio",
    "to_centimetres",
]

CENTIMETRES: dict[str, float] = {
    "mm": 0.1,
    "cm": 1.0,
    "m": 100.0,
    "km": 100_000.0,
    "in": 2.54,
    "ft": 30.48,
    "yd": 91.44,
}
"""Centimetres in one of each unit of length."""

NAMES: dict[str, str] = {
    "millimetre": "mm", "millimeter": "mm", "centimetre": "cm", "centimeter": "cm", "metre": "m", "meter": "m",
    "kilometre": "km", "kilometer": "km", "inch": "in", "inche": "in", "foot": "ft", "feet": "ft", "yard": "yd",
    '"': "in", "″": "in", "”": "in", "'": "ft", "′": "ft", "’": "ft",
}  # fmt: skip

RATIO_LIMIT = 2.0
"""A length is right strictly within this factor (Q-Spatial Bench)."""


def to_centimetres(value: float, unit: str) -> float:
    """Turn a length into centimetres.

    Parameters
    ----------
    value : float
        The number.
    unit : str
        A unit of `CENTIMETRES`, or its name in words, singular or plural; case and a full stop do not matter.

    Raises
    ------
    InputError
        If the unit is none of length. (Upstream takes an unknown unit for centimetres.)

    Examples
    --------
    >>> to_centimetres(2, "feet"), to_centimetres(3.5, "m")
    (60.96, 350.0)
    """
    name = unit.strip().lower().rstrip(".")
    for candidate in (name, name.removesuffix("s")):
        short = NAMES.get(candidate, candidate)
        if short in CENTIMETRES:
            return float(value) * CENTIMETRES[short]
    raise InputError(f"unit {unit!r}; expected one of {', '.join(CENTIMETRES)} or its name")


def ratio(prediction: float, truth: float) -> float:
    """The larger of the two quotients of two lengths, at least 1; infinite where either is not positive and finite.

    Examples
    --------
    >>> ratio(50, 100), ratio(-50, 100)
    (2.0, inf)
    """
    if not (0.0 < prediction < math.inf and 0.0 < truth < math.inf):
        return math.inf
    low, high = sorted((float(prediction), float(truth)))
    return high / low


def measurement_ratio(prediction: float, truth: float, limit: float = RATIO_LIMIT) -> float:
    r"""Whether a length is within a factor of the true one.

    .. math:: s = \mathbf{1}[\max(\hat{y} / y, y / \hat{y}) < 2]

    Parameters
    ----------
    prediction, truth : float
        Lengths in one unit; see `to_centimetres`.
    limit : float, default 2
        Strict.

    Returns
    -------
    float
        1 or 0; 0 for a length that is zero, negative or not finite.

    References
    ----------
    Q-Spatial Bench: success where the larger ratio is below 2. The ProVisE code grades it instead; the benchmark's
    own metric is binary.

    Examples
    --------
    >>> measurement_ratio(199, 100), measurement_ratio(200, 100), measurement_ratio(0, 100)
    (1.0, 0.0, 0.0)
    """
    return float(ratio(prediction, truth) < limit)


def mean_relative_accuracy(prediction: float, truth: float) -> float:
    r"""Mean, over ten demands of accuracy, of whether the relative error meets the demand.

    .. math:: s = \frac{1}{10} \sum_{\theta \in \{.5, .55, \dots, .95\}} \mathbf{1}[|\hat{y} - y| / |y| < 1 - \theta]

    Parameters
    ----------
    prediction, truth : float
        Numbers in one unit.

    Returns
    -------
    float
        In [0, 1], in tenths; 0 where the truth is 0 or a number is not finite.

    References
    ----------
    J. Yang et al., "Thinking in Space" (VSI-Bench), 2024, equation 1.

    Examples
    --------
    >>> mean_relative_accuracy(10, 10), mean_relative_accuracy(8, 10), mean_relative_accuracy(5, 10)
    (1.0, 0.6, 0.0)
    """
    if not (math.isfinite(prediction) and math.isfinite(truth)) or truth == 0:
        return 0.0
    # Twelve decimals: 9 against 10 is an error of .1, and not of .09999999999999998, which would pass "< .1".
    error = round(abs(prediction / truth - 1.0), 12)
    return sum(error < round(percent / 100, 2) for percent in range(5, 55, 5)) / 10


def angle_error(prediction: float, truth: float) -> float:
    r"""Smallest turn between two directions, in degrees.

    .. math:: e = |((\hat{a} - a + 180) \bmod 360) - 180|

    Parameters
    ----------
    prediction, truth : float
        Degrees, of any number of turns.

    Returns
    -------
    float
        In [0, 180]; 180, the worst, where a number is not finite.

    References
    ----------
    Plain circular distance.

    Examples
    --------
    >>> angle_error(350, 10), angle_error(-90, 90)
    (20.0, 180.0)
    """
    difference = float(prediction) - float(truth)
    return abs(math.remainder(difference, 360.0)) if math.isfinite(difference) else 180.0
