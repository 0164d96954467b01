"""The results the paper printed, as data: 31 systems and people on the 470 samples of SpatialGen-Bench.

They are the paper's own readings of answers that were never released, so a run can stand beside them, never be paired
with them. All numbers are percentages as printed (two decimals in tables 2, 18 and 19, one in tables 13 and 16).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from provise.errors import InputError

__all__ = ["Published", "PublishedReading", "PublishedSystem", "published_results"]


@dataclass(frozen=True)
class PublishedSystem:
    """One row of the paper's tables.

    Attributes
    ----------
    name : str
        As printed; SenseNova-Vision-7B-MoT stands there twice, once an interface.
    interface : str
        ``"human"``, ``"text"`` or ``"visual"``.
    tasks : mapping of str to float
        Table 19: score of each of the 14 tasks.
    aggregates : mapping of str to float
        Table 2: ``overall`` and the four capabilities.
    intervals : mapping of str to (float, float)
        Table 18: the 95 % interval of each aggregate; empty for Human.
    outcomes : mapping of str to int
        Table 14: how many of the 470 answers came to what; empty unless visual.
    scorable : mapping
        Table 16: ``percent`` scorable, ``overall`` and ``tasks`` of the scorable only, ``ranks`` before and after;
        empty unless visual.
    """

    name: str
    interface: str
    tasks: Mapping[str, float]
    aggregates: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    outcomes: Mapping[str, int] = field(default_factory=dict)
    scorable: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name with its interface, which is unique: ``"GPT Image 2 (visual)"``; ``"Human"`` stands alone."""
        return self.name if self.interface == "human" else f"{self.name} ({self.interface})"


@dataclass(frozen=True)
class PublishedReading:
    """One row of table 13: the answers of one system read by one reader, after the shared availability mask."""

    system: str
    reader: str
    overall: float
    rank: int
    parsed: float | None
    tasks: Mapping[str, float]


@dataclass(frozen=True)
class Published:
    """Everything of the paper that this package ships.

    Attributes
    ----------
    source : str
        Where the numbers were printed.
    sizes : mapping of str to int
        Number of samples of each task, in the paper's order; 470 in all.
    capabilities : mapping of str to str
        The capability of each task.
    systems : tuple of PublishedSystem
        Human, 20 text systems, 11 visual systems, in the paper's order.
    readings : tuple of PublishedReading
        Table 13: six systems, four readers.
    outcomes_by_task : mapping of str to mapping of str to int
        Table 15, over the 11 visual systems.
    paired : tuple of mapping
        Table 3: two pairs with their counts and ``rescue`` in percent.
    reader_sensitivity : mapping of str to mapping of str to float
        Table 5 and section 4.5: ``spearman`` and ``mean_absolute_change`` of each universal reader.
    depth_kernel : tuple of mapping
        Table 12: ``kernel`` in pixels, ``parsed`` and ``accuracy`` in percent.
    """

    source: str
    sizes: Mapping[str, int]
    capabilities: Mapping[str, str]
    systems: tuple[PublishedSystem, ...]
    readings: tuple[PublishedReading, ...]
    outcomes_by_task: Mapping[str, Mapping[str, int]]
    paired: tuple[Mapping[str, Any], ...]
    reader_sensitivity: Mapping[str, Mapping[str, float]]
    depth_kernel: tuple[Mapping[str, float], ...]

    def of(self, interface: str) -> tuple[PublishedSystem, ...]:
        """Return the systems of one interface, ``"human"``, ``"text"`` or ``"visual"``."""
        return tuple(system for system in self.systems if system.interface == interface)

    def system(self, name: str, interface: str | None = None) -> PublishedSystem:
        """Return one system by its printed name or its label.

        Raises
        ------
        InputError
            If no system has that name, or both interfaces have it and none was asked for.
        """
        found = [s for s in self.systems if name in (s.name, s.label) and interface in (None, s.interface)]
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(f"{name!r} is published for {[s.interface for s in found]}: say which interface")
        wanted = f" with the interface {interface!r}" if interface else ""
        raise InputError(f"no published system {name!r}{wanted}; there are: {', '.join(s.label for s in self.systems)}")

    def require_benchmark(self, sizes: Mapping[str, int]) -> None:
        """Refuse to set anything but the 470-sample release beside these results.

        Equal counts do not prove equal samples: a caller who has the benchmark's digest compares that too.

        Parameters
        ----------
        sizes : mapping of str to int
            Number of samples of each task of the run.

        Raises
        ------
        InputError
            If a task is missing, foreign or of another size.
        """
        wrong = [
            f"{task} {sizes.get(task, 0)} instead of {self.sizes.get(task, 0)}"
            for task in dict.fromkeys([*self.sizes, *sizes])
            if sizes.get(task, 0) != self.sizes.get(task, 0)
        ]
        if wrong:
            raise InputError(
                f"the published results are of the {sum(self.sizes.values())} samples of SpatialGen-Bench, this run has "
                f"{sum(sizes.values())} ({'; '.join(wrong)}): only a run of that release can stand beside them"
            )


@cache
def published_results() -> Published:
    """Return the paper's published results.

    Returns
    -------
    Published
        Read once, then shared; treat it as read-only.

    References
    ----------
    "Show, Don't Tell: Evaluating Spatial Cognition in Generative Pixels Rather Than LLM Text", arXiv 2607.21072v1,
    tables 2, 3, 5, 12 to 16, 18 and 19.

    Examples
    --------
    >>> paper = published_results()
    >>> len(paper.of("text")), len(paper.of("visual")), sum(paper.sizes.values())
    (20, 11, 470)
    >>> paper.system("GPT Image 2").intervals["overall"]
    (50.38, 58.62)
    """
    raw = json.loads(files("provise.analysis").joinpath("published.json").read_text(encoding="utf-8"))
    tasks = raw["tasks"]
    return Published(
        source=raw["source"],
        sizes={name: task["n"] for name, task in tasks.items()},
        capabilities={name: task["capability"] for name, task in tasks.items()},
        systems=tuple(_system(row) for row in raw["systems"]),
        readings=tuple(PublishedReading(**row) for row in raw["readings"]),
        outcomes_by_task=raw["outcomes_by_task"],
        paired=tuple(raw["paired"]),
        reader_sensitivity=raw["reader_sensitivity"],
        depth_kernel=tuple(raw["depth_kernel"]),
    )


def _system(row: dict[str, Any]) -> PublishedSystem:
    intervals = {name: (low, high) for name, (low, high) in row.pop("intervals", {}).items()}
    return PublishedSystem(**row, intervals=intervals)
