"""How a system says that it writes coordinates: declared for a run or a row, never guessed from a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from provise.answers.points import CoordinateSystem
from provise.errors import InputError

__all__ = ["ORDERS", "SCALES_DECLARED", "Declared", "parse_declared", "parse_size"]

SCALES_DECLARED = {"1": "unit", "100": "percent", "1000": "per_mille", "pixel": "pixel"}
"""What can be declared, by the largest value a coordinate takes; ``pixel`` is the source's, or those of ``seen_size``."""

ORDERS = ("xy", "yx")


@dataclass(frozen=True)
class Declared:
    """A declaration, before the size of a sample's picture is known.

    Parameters
    ----------
    scale : {"1", "100", "1000", "pixel"}
        The value of a coordinate at the right or lower edge.
    order : {"xy", "yx"}
        Order within a pair.
    seen_size : (int, int), optional
        Width and height of the picture as the model was given it, for ``pixel``. Without it pixels are the source's.

    Raises
    ------
    InputError
        If a value is none of these, or a size is given for a scale that has no pixels.

    Examples
    --------
    >>> Declared("1000", "yx").system(lambda: (640, 480))
    CoordinateSystem(scale='per_mille', order='yx', size=None, seen_size=None)
    >>> Declared("pixel").system(lambda: (640, 480)).normalise(320, 120)
    [0.5, 0.25]
    """

    scale: str = "1"
    order: str = "xy"
    seen_size: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.scale not in SCALES_DECLARED:
            raise InputError(f"coordinates are declared as {self.scale!r}; allowed are {', '.join(SCALES_DECLARED)}")
        if self.order not in ORDERS:
            raise InputError(f"the order of coordinates is declared as {self.order!r}; allowed are xy and yx")
        if self.seen_size is not None and self.scale != "pixel":
            raise InputError(
                f"the size the model saw is given for coordinates of scale {self.scale}; it goes with pixel alone"
            )

    def system(self, source_size: Callable[[], tuple[int, int]]) -> CoordinateSystem:
        """Return the system of one sample.

        Parameters
        ----------
        source_size : callable
            Gives width and height of the sample's source; called only where pixels are the source's.
        """
        if self.scale != "pixel":
            return CoordinateSystem(SCALES_DECLARED[self.scale], self.order)
        if self.seen_size is not None:
            return CoordinateSystem("pixel_seen", self.order, seen_size=self.seen_size)
        return CoordinateSystem("pixel_source", self.order, size=source_size())

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values, in the form that `parse_declared` reads."""
        values = asdict(self)
        return {**values, "seen_size": list(self.seen_size)} if self.seen_size else values


def parse_declared(value: Any) -> Declared:
    """Read the ``coordinates`` of a response row.

    Parameters
    ----------
    value : str, number or mapping
        A scale alone (``1000``, ``"pixel"``), or ``{"scale", "order", "seen_size"}`` of which any may be left out.

    Raises
    ------
    InputError
        Saying what was got and what is allowed.

    Examples
    --------
    >>> parse_declared(1000).order
    'xy'
    >>> parse_declared({"scale": "pixel", "seen_size": [1024, 768]}).seen_size
    (1024, 768)
    """
    given = value if isinstance(value, Mapping) else {"scale": value}
    unknown = [str(key) for key in given if key not in ("scale", "order", "seen_size")]
    if unknown:
        raise InputError(f"coordinates have no {', '.join(unknown):.80}; allowed are scale, order, seen_size")
    size = given.get("seen_size")
    return Declared(
        _word(given.get("scale", "1")), _word(given.get("order", "xy")), None if size is None else parse_size(size)
    )


def parse_size(value: Any) -> tuple[int, int]:
    """Read a width and a height, as ``[1024, 768]`` or ``"1024x768"``.

    Raises
    ------
    InputError
        If it is anything else, or a side is less than 1.

    Examples
    --------
    >>> parse_size("1024x768")
    (1024, 768)
    """
    sides = value
    if isinstance(value, str):
        written = re.fullmatch(r"\s*(\d{1,6})\s*[xX×]\s*(\d{1,6})\s*", value)
        sides = [int(side) for side in written.groups()] if written else None
    if not isinstance(sides, list | tuple) or len(sides) != 2 or not all(_is_side(side) for side in sides):
        raise InputError(
            f"the size the model saw is {value!r:.60}; expected WIDTHxHEIGHT in pixels, or [width, height] in a row"
        )
    return sides[0], sides[1]


def _is_side(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _word(value: Any) -> str:
    """Return a setting as it is compared: 1000, 1000.0 and "1000" are one; true and 1 are not."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}"
    return value.strip() if isinstance(value, str) else repr(value)[:60]
