"""The registry of typed operators: what a protocol's graph is made of.

An operator is one plain function with named, typed inputs, a checked set of parameters and one typed output. It sees
the answer, the source pictures, the declared reading aids and the number of options; it never sees a truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from provise.image import Picture

__all__ = ["Kind", "Operator", "Params", "View", "get_operator", "operator", "operators"]


class Kind(StrEnum):
    """What flows along an arrow of a protocol's graph."""

    PICTURE = "picture"
    PICTURES = "pictures"
    SHEET = "sheet"
    MASK = "mask"
    COMPONENTS = "components"
    CHOICE = "choice"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    DIRECTION = "direction"
    POINT = "point"
    PATH = "path"
    ENDPOINT = "endpoint"
    REGION = "region"


PREDICTIONS: dict[Kind, str] = {
    Kind.CHOICE: "choice",
    Kind.INTEGER: "integer",
    Kind.BOOLEAN: "boolean",
    Kind.DIRECTION: "direction",
    Kind.POINT: "point",
    Kind.PATH: "path",
    Kind.ENDPOINT: "endpoint",
    Kind.REGION: "mask",
}
"""Kinds that may leave a graph, and the prediction kind each becomes."""


class Params(BaseModel):
    """Base of an operator's parameters: unknown names and values out of range are refused when a protocol is loaded."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass
class View:
    """All that an operator may know beside its inputs, and where it writes down what it found.

    Parameters
    ----------
    aids : mapping
        The reading aids that the protocol declares, checked and parsed.
    n_choices : int
        Number of options of the question; 0 where it has none.
    frame : tuple of int
        Width and height, in pixels, of the grid the answer is read on (the source's own).
    """

    aids: Mapping[str, Any] = field(default_factory=dict)
    n_choices: int = 0
    frame: tuple[int, int] = (0, 0)
    numbers: dict[str, Any] = field(default_factory=dict)
    shapes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def scale(self) -> float:
        """Pixels of this frame for each pixel of a 640x480 frame: areas given at 640x480 are multiplied by it."""
        return self.frame[0] * self.frame[1] / (640 * 480)

    @property
    def diagonal(self) -> float:
        """Length of the frame's diagonal in pixels."""
        return float((self.frame[0] ** 2 + self.frame[1] ** 2) ** 0.5)

    def note(self, **numbers: Any) -> None:
        """Write down a finding (a number, a short list) for the evidence and ``--explain``."""
        self.numbers.update(numbers)

    def draw(self, shape: str, at: Any, label: str = "", **more: Any) -> None:
        """Write down a shape for the evidence picture.

        Parameters
        ----------
        shape : {"point", "box", "polyline", "polygon", "circle"}
            What to draw.
        at : list
            Normalised coordinates: ``[x, y]`` for a point or a circle (with ``radius`` as a share of the frame's
            width), ``[x0, y0, x1, y1]`` for a box, ``[[x, y], ...]`` for the others.
        label : str
            Short text set beside it.
        """
        self.shapes.append({"shape": shape, "at": at, "label": label, **more})


@dataclass(frozen=True)
class Operator:
    """One entry of the registry."""

    name: str
    version: int
    inputs: Mapping[str, Kind]
    output: Kind
    params: type[Params]
    aids: tuple[str, ...]
    function: Callable[..., Any]

    @property
    def summary(self) -> str:
        """First line of the operator's docstring."""
        return (self.function.__doc__ or "").strip().split("\n")[0]


_REGISTRY: dict[str, Operator] = {}
F = TypeVar("F", bound=Callable[..., Any])


def operator(
    name: str,
    *,
    inputs: Mapping[str, Kind],
    output: Kind,
    params: type[Params] = Params,
    aids: tuple[str, ...] = (),
    version: int = 1,
) -> Callable[[F], F]:
    """Register a function ``f(view, params, **inputs) -> output`` under a name.

    Parameters
    ----------
    name : str
        Name used by ``op:`` in a protocol.
    inputs : mapping of str to Kind
        Named inputs and what each must be.
    output : Kind
        What the function returns.
    params : type of Params
        The parameters, with their ranges.
    aids : tuple of str
        Reading aids the operator looks up; a protocol that uses it must declare them.
    version : int
        Raised with every change of behaviour: part of a protocol's fingerprint.
    """

    def register(function: F) -> F:
        if name in _REGISTRY:
            raise ValueError(f"operator {name!r} is registered twice")
        _REGISTRY[name] = Operator(name, version, dict(inputs), output, params, aids, function)
        return function

    return register


def operators() -> dict[str, Operator]:
    """Return all operators by name, importing the families on first use."""
    import importlib
    import pkgutil

    import provise.ops as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"provise.ops.{module.name}")
    return dict(sorted(_REGISTRY.items()))


def get_operator(name: str) -> Operator | None:
    """Return one operator, or None where the name is unknown."""
    return operators().get(name)


Pictures = tuple[Picture, ...]
