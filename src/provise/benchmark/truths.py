"""Truths that are coordinates: the numbers in a row's answer, and whether they are pixels."""

from __future__ import annotations

import json
import math
import re
from typing import Any

__all__ = ["in_pixels", "parse_points"]

_BARE_DOT = re.compile(r"(?<![\d.])\.(?=\d)")


def _pair(value: Any) -> tuple[float, float]:
    if isinstance(value, dict) and set(value) >= {"x", "y"}:
        value = [value["x"], value["y"]]
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(item, int | float) and not isinstance(item, bool) for item in value)
        and all(math.isfinite(item) for item in value)
    ):
        return float(value[0]), float(value[1])
    raise ValueError(f"{json.dumps(value)[:60]} is not a pair of finite numbers [x, y]")


def parse_points(text: str) -> list[tuple[float, float]]:
    """Return the points of a truth written as a list of pairs, brackets of either kind.

    Parameters
    ----------
    text : str
        ``[[x, y], ...]``, ``[(x, y), ...]``, ``(x, y), (x, y)``, one pair, or ``{"x": x, "y": y}`` in a pair's place.

    Returns
    -------
    list of (x, y)
        As written: normalised or pixels, see `in_pixels`.

    Raises
    ------
    ValueError
        If the text is not a list of pairs of finite numbers; the message says what was got.

    Examples
    --------
    >>> parse_points("[(0.25, 0.5), (0.75, .5)]")
    [(0.25, 0.5), (0.75, 0.5)]
    """
    plain = _BARE_DOT.sub("0.", text.strip()).replace("(", "[").replace(")", "]")
    value: Any = None
    for form in (plain, f"[{plain}]"):
        try:
            value = json.loads(form)
            break
        except (ValueError, RecursionError):
            continue
    if not isinstance(value, list) or not value:
        raise ValueError(f"{text[:60]!r} is not a list of pairs [[x, y], ...]")
    if all(isinstance(item, int | float) for item in value):
        value = [value]
    return [_pair(item) for item in value]


def in_pixels(points: list[tuple[float, float]]) -> bool:
    """Return whether a path is in pixels: its largest coordinate is above 1, the whole path at once.

    Examples
    --------
    >>> in_pixels([(0.2, 0.9), (1.0, 0.5)]), in_pixels([(0.5, 0.5), (320.0, 240.0)])
    (False, True)
    """
    return max(max(point) for point in points) > 1
