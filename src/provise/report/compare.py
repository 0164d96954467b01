"""Two runs on the very same samples, in the order given: who solved what, and the points between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from provise.analysis.difference import Difference, detectable_difference, differences
from provise.analysis.matching import match_runs
from provise.analysis.paired import PairedOutcomes, paired_outcomes
from provise.errors import InputError
from provise.report.runs import LoadedRun, load_runs

__all__ = ["Comparison", "compare_runs"]


@dataclass(frozen=True)
class Comparison:
    """Second minus first.

    Attributes
    ----------
    first, second : LoadedRun
        The runs.
    levels : mapping of str to Difference
        ``"overall"``, ``"capabilities.X"`` and ``"tasks.X"``.
    outcomes : mapping of str to PairedOutcomes
        ``"overall"`` and ``"tasks.X"``.
    detectable : float
        The overall difference that a benchmark of this size can show, in points.
    """

    first: LoadedRun
    second: LoadedRun
    levels: Mapping[str, Difference]
    outcomes: Mapping[str, PairedOutcomes]
    detectable: float

    @property
    def is_rescue(self) -> bool:
        """Whether the first writes and the second draws: what the second solves alone is the paper's visual rescue."""
        return (self.first.interface, self.second.interface) == ("text", "image")

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values; scores and differences in points, shares in [0, 1]."""
        return {
            "first": self.first.label,
            "second": self.second.label,
            "differences": {name: {**asdict(found), "clear": found.clear} for name, found in self.levels.items()},
            "outcomes": {
                name: {**asdict(found), "n": found.n, "rescue": found.rescue, "p_value": found.p_value}
                for name, found in self.outcomes.items()
            },
            "visual_rescue": self.outcomes["overall"].rescue if self.is_rescue else None,
            "detectable": self.detectable,
        }


def compare_runs(
    first: str | Path, second: str | Path, *, labels: tuple[str, ...] = (), force: bool = False
) -> Comparison:
    """Compare two run folders.

    Parameters
    ----------
    first, second : path
        Folders of runs.
    labels : tuple of str
        Names for them.
    force : bool
        Compare runs that do not belong together; their labels say so.

    Raises
    ------
    InputError
        If a folder is no run or incomplete, or the runs differ in benchmark, samples, protocols or readers.
    """
    runs = load_runs([first, second], labels=labels, force=force)
    for run in runs:
        if not run.complete:
            missing = len(run.summary["incomplete"])
            raise InputError(f"{run.folder} is incomplete: {missing} samples have no outcome; finish it, then compare")
    a, b = runs
    matched = match_runs({run.name: run.rows for run in runs})
    levels = differences(matched, a.name, b.name)
    outcomes = {"overall": paired_outcomes(matched, a.name, b.name)}
    outcomes |= {f"tasks.{task}": paired_outcomes(matched, a.name, b.name, task=task) for task in matched.groups}
    sizes = {task: found.n for task in matched.groups for found in [outcomes[f"tasks.{task}"]]}
    return Comparison(a, b, levels, outcomes, detectable_difference(sizes))
