"""What a benchmark gives for nothing: beside each task the best constant answer, and what `blank` and `copy` score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from provise.analysis.constant import Constant, best_constant
from provise.errors import InputError, ProtocolError, ProviseError
from provise.protocol.catalogue import open_protocol
from provise.protocol.compile import Protocol
from provise.protocol.route import Route, open_route
from provise.report.media import Questions
from provise.report.results import Results
from provise.report.runs import LoadedRun
from provise.report.tables import Table
from provise.report.texts import title
from provise.runs.floors import SYSTEMS, DoingNothing, score_doing_nothing
from provise.sample import Sample
from provise.truth import Truth, load_truth

__all__ = ["SAMPLES", "Floor", "Floors", "floor_table", "make_floors"]

SAMPLES = 8
"""Samples of each task on which `blank` and `copy` are read."""


@dataclass(frozen=True)
class Floor:
    """One task; scores in percent.

    Attributes
    ----------
    task : str
        Its name.
    n : int
        Its samples.
    blind : float or None
        What answers score that took no look at the picture: uniform chance among options.
    constant : Constant or None
        The best constant answer; None where the truths are not at hand.
    nothing : DoingNothing
        What `blank` and `copy` score, and on how many samples.
    top : float or None
        The highest score of a run of the report; None where the task is incomplete in all of them.
    """

    task: str
    n: int
    blind: float | None
    constant: Constant | None
    nothing: DoingNothing
    top: float | None = None

    @property
    def best(self) -> float | None:
        """The best constant answer's score in percent."""
        return None if self.constant is None else 100 * self.constant.score

    @property
    def answer(self) -> str:
        """The best constant answer."""
        return "" if self.constant is None else self.constant.answer


@dataclass(frozen=True)
class Floors:
    """All tasks, and what was read for them.

    Attributes
    ----------
    rows : tuple of Floor
        Empty where nothing is known.
    read : str
        What `blank` and `copy` were read on.
    """

    rows: tuple[Floor, ...] = ()
    read: str = ""


def make_floors(results: Results, questions: Mapping[str, Questions], *, limit: int = SAMPLES) -> Floors:
    """Score doing nothing.

    Parameters
    ----------
    results : Results
        Of the report; runs of `blank` and `copy` among them are taken as they are.
    questions : mapping of str to Questions
        By the run's name.
    limit : int
        Samples of each task on which `blank` and `copy` are read where no run of theirs is there; 0 reads none.

    Returns
    -------
    Floors
        In the order of the report's tasks. The same runs give the same.
    """
    run = next((r for r in results.runs if not r.unlike and r.interface == "image"), None) or next(
        r for r in results.runs if not r.unlike
    )
    asked = questions[run.name]
    ids = {row.id for row in run.rows}
    samples = [sample for sample in asked.samples.values() if sample.id in ids]
    protocols = _protocols(run, asked.route)
    constants = {task: _constant(samples, task, protocol) for task, protocol in protocols.items()}
    given = {name: found for name in SYSTEMS if (found := _run_of(name, results.runs))}
    nothing: dict[str, DoingNothing] = {}
    if limit and run.interface == "image" and len(given) < len(SYSTEMS):
        from provise.synth.builtin import cache_folder

        prints = run.about.get("fingerprints") or {}
        same = {task: protocol for task, protocol in protocols.items() if protocol.fingerprint == prints.get(task)}
        digest = str(run.about.get("digest"))
        nothing = score_doing_nothing(samples, same, digest=digest, limit=limit, cache=cache_folder())
    rows = []
    for task in results.tasks:
        if task in run.summary["tasks"]:
            part = run.summary["tasks"][task]
            done = _with_runs(task, nothing.get(task, DoingNothing(0)), given)
            top = max(
                (s for r in results.runs if (s := r.summary["tasks"].get(task, {}).get("score")) is not None),
                default=None,
            )
            rows.append(Floor(task, part["n"], part.get("null_score"), constants.get(task), done, top))
    known = any(row.constant or row.nothing.n or row.nothing.blank is not None for row in rows)
    return Floors(tuple(rows), _said(rows, given, nothing)) if known or given else Floors()


def floor_table(floors: Floors) -> Table:
    """Return the rows as a table."""
    head = ("task", "n", "blind", "best constant", "blank", "copy", "samples read", "the constant answer")
    rows = tuple(
        (title(f.task), f.n, f.blind, f.best, f.nothing.blank, f.nothing.copy, f.nothing.n, f.answer)
        for f in floors.rows
    )
    caption = (
        "What the benchmark gives for nothing, in percent: answers that took no look at the picture, one and the same answer to "
        f"every question, a blank canvas, the picture handed back. {floors.read}"
    )
    return Table("floors", caption.strip(), head, rows)


def _said(rows: Sequence[Floor], given: Mapping[str, LoadedRun], nothing: Mapping[str, DoingNothing]) -> str:
    """Say where the scores of the two systems come from."""
    parts = []
    if given:
        parts.append(f"{' and '.join(given)} as run{'s' if len(given) > 1 else ''} here")
    if others := [name for name in SYSTEMS if name not in given]:
        most = max((found.n for found in nothing.values()), default=0)
        whole = all(nothing[row.task].n == row.n for row in rows if row.task in nothing)
        first = f"read on the first {'sample' if most == 1 else f'{most} samples'} of each task"
        read = "not read" if not most else "read on all samples" if whole else first
        parts.append(f"{' and '.join(others)} {read}")
    return f"{'; '.join(parts)}."


def _run_of(name: str, runs: Sequence[LoadedRun]) -> LoadedRun | None:
    """Return a run of a system that does nothing, if one belongs to the report."""
    for run in runs:
        if not run.unlike and (run.about.get("system") or {}).get("kind") == name:
            return run
    return None


def _with_runs(task: str, found: DoingNothing, given: Mapping[str, LoadedRun]) -> DoingNothing:
    parts = {name: run.summary["tasks"].get(task, {}) for name, run in given.items()}
    if not parts:
        return found
    scores = {name: getattr(found, name) for name in SYSTEMS} | {name: p.get("score") for name, p in parts.items()}
    return DoingNothing(found.n or next(iter(parts.values())).get("n", 0), **scores)


def _protocols(run: LoadedRun, route: str) -> dict[str, Protocol]:
    """Return the protocol of each task, with the run's own settings where they are the route's or the stand-in's."""
    prints = run.about.get("fingerprints") or {}
    own = _route(run, route)
    asked = {row.task: row.protocol for row in reversed(run.rows)}
    found = {}
    for task, name in asked.items():
        protocol = _protocol(name, task, own)
        if protocol is not None and protocol.fingerprint != prints.get(task) and "encoder" in protocol.settings:
            stand_in = protocol.with_settings(encoder="descriptor")
            protocol = stand_in if stand_in.fingerprint == prints.get(task) else protocol
        if protocol is not None:
            found[task] = protocol
    return found


def _route(run: LoadedRun, named: str) -> Route | None:
    for name in dict.fromkeys((named, str(run.about.get("route") or ""))):
        try:
            route = open_route(name, run.about.get("set") or [])
        except (InputError, ProtocolError, OSError):
            continue
        if route.id == run.about.get("route"):
            return route
    return None


def _protocol(name: str, task: str, route: Route | None) -> Protocol | None:
    if route is not None and task in route.protocols and route.protocols[task].id == name:
        return route.protocols[task]
    try:
        return open_protocol(name)
    except (InputError, ProtocolError):
        return None


def _constant(samples: Sequence[Sample], task: str, protocol: Protocol) -> Constant | None:
    truths: list[Truth] = []
    for sample in samples:
        if sample.task == task:
            try:
                truths.append(load_truth(sample, protocol.spec.metric))
            except (ProviseError, OSError):
                continue
    return best_constant(truths, protocol.spec.metric, protocol.spec.metric_settings)
