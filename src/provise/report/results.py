"""What a report says in numbers, computed once for the page, the tables and the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from provise.analysis.aggregate import task_capabilities
from provise.analysis.attribution import Attribution, attribute
from provise.analysis.bootstrap import Bootstrap, percentile_interval
from provise.analysis.difference import Difference, detectable_difference, differences
from provise.analysis.interfaces import group_means, interface_gap
from provise.analysis.matching import Matched, match_runs
from provise.analysis.paired import PairedOutcomes, paired_outcomes
from provise.analysis.ranks import ranks
from provise.errors import InputError
from provise.report.runs import LoadedRun

__all__ = ["Pair", "Results", "compute"]

LEVEL_TASKS = 6
"""Up to so many pairs are compared task by task as well."""


@dataclass(frozen=True)
class Pair:
    """Two runs on the same samples: second minus first."""

    first: LoadedRun
    second: LoadedRun
    levels: Mapping[str, Difference]
    outcomes: PairedOutcomes

    @property
    def overall(self) -> Difference:
        """Difference of the overall scores."""
        return self.levels["overall"]

    @property
    def is_rescue(self) -> bool:
        """Whether the first writes and the second draws, so that its rescue is the paper's visual rescue."""
        return (self.first.interface, self.second.interface) == ("text", "image")


@dataclass(frozen=True)
class Results:
    """Everything a report shows, apart from the gallery.

    Attributes
    ----------
    runs : tuple of LoadedRun
        The highest score first; runs without an overall score last, by the mean of their complete tasks.
    ranks : mapping of str to int
        Of the runs that may be ranked together, where there are two or more: complete, not given the truth, not forced in.
    tasks : mapping of str to str
        Task -> capability, capability by capability.
    attribution : Attribution
        Outcomes by system and task.
    pairs : tuple of Pair
        Every two complete runs, the better one second.
    unpaired : tuple of str
        Why runs stand in no pair.
    detectable : float
        The overall difference that a benchmark of this size can show, in points.
    gap : mapping
        ``text``, ``visual`` and ``gap`` -> task -> points, where both interfaces are there.
    """

    runs: tuple[LoadedRun, ...]
    ranks: Mapping[str, int]
    tasks: Mapping[str, str]
    attribution: Attribution
    pairs: tuple[Pair, ...] = ()
    unpaired: tuple[str, ...] = ()
    detectable: float = 0.0
    gap: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def capabilities(self) -> list[str]:
        """In the order of the tasks."""
        return list(dict.fromkeys(self.tasks.values()))


def compute(runs: Sequence[LoadedRun]) -> Results:
    """Compare and rank runs.

    Parameters
    ----------
    runs : sequence of LoadedRun
        Of `provise.report.runs.load_runs`.
    """
    ordered = tuple(sorted(runs, key=_standing))
    fit_for_rank = {
        run.name: run.summary["overall"]["score"]
        for run in ordered
        if run.complete and not run.given_truth and not run.unlike and run.summary["overall"]["score"] is not None
    }
    tasks = _tasks(runs)
    pairs, unpaired = _pairs(ordered)
    sizes = {name: task["n"] for name, task in runs[0].summary["tasks"].items()}
    ranked = ranks(fit_for_rank) if len(fit_for_rank) > 1 else {}
    return Results(
        ordered, ranked, tasks, attribute({run.name: run.rows for run in ordered}), tuple(pairs), tuple(unpaired),
        detectable_difference(sizes), _gap(ordered),
    )  # fmt: skip


def _standing(run: LoadedRun) -> tuple[bool, float]:
    overall, mean = run.summary["overall"]["score"], run.summary["mean_of_tasks"]["score"]
    score = overall if overall is not None else mean
    return overall is None, -(score if score is not None else -1.0)


def _tasks(runs: Sequence[LoadedRun]) -> dict[str, str]:
    """Return each task's capability; tasks of one capability stand together, in the order in which they first came."""
    found = task_capabilities(row for run in runs for row in run.rows)
    order = list(dict.fromkeys(found.values()))
    return dict(sorted(found.items(), key=lambda item: order.index(item[1])))


def _pairs(runs: Sequence[LoadedRun]) -> tuple[list[Pair], list[str]]:
    whole = [run for run in runs if run.complete]
    why = [f"{run.name}: {_why_open(run)}; only complete runs are compared" for run in runs if run not in whole]
    if len(runs) < 2:
        return [], []
    if len(whole) < 2:
        return [], why
    try:
        matched = match_runs({run.name: run.rows for run in whole})
    except InputError as error:
        return [], [*why, str(error)]
    drawn = matched.bootstrap()
    couples = [(whole[j], whole[i]) for i in range(len(whole)) for j in range(i + 1, len(whole))]
    # A text system comes first wherever the other one draws: what the second rescues is then the visual rescue.
    couples = [(b, a) if (a.interface, b.interface) == ("image", "text") else (a, b) for a, b in couples]
    deep = len(couples) <= LEVEL_TASKS
    return [
        Pair(a, b, _levels(matched, a, b, drawn, deep=deep), paired_outcomes(matched, a.name, b.name))
        for a, b in couples
    ], why


def _why_open(run: LoadedRun) -> str:
    return next(note for note in run.notes if note.startswith("incomplete"))


def _levels(
    matched: Matched, first: LoadedRun, second: LoadedRun, drawn: Bootstrap, *, deep: bool
) -> Mapping[str, Difference]:
    """Return the differences at every level, or of many pairs the overall one alone: 190 pairs of 20 systems take a while."""
    if deep:
        return differences(matched, first.name, second.name, drawn=drawn)
    a, b = matched.index(first.name), matched.index(second.name)
    points = second.summary["overall"]["score"] - first.summary["overall"]["score"]
    low, high = percentile_interval(100 * (drawn.overall[b] - drawn.overall[a]))
    return {"overall": Difference(points, float(low), float(high))}


def _gap(runs: Sequence[LoadedRun]) -> dict[str, dict[str, float]]:
    """Return the mean of each interface by task, and visual minus text, over the complete runs but trial systems."""
    complete = [run for run in runs if run.complete and not run.unlike and not run.given_truth]
    kinds = {run.name: "visual" if run.interface == "image" else "text" for run in complete}
    if len(set(kinds.values())) < 2:
        return {}
    scores = {run.name: {name: task["score"] for name, task in run.summary["tasks"].items()} for run in complete}
    means = group_means(scores, kinds)
    return {**means, "gap": interface_gap(means)}
