"""The report's page: its template filled with the numbers and the gallery."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from provise.analysis.attribution import Outcomes
from provise.analysis.difference import Difference
from provise.report.floors import Floors
from provise.report.gallery import Gallery
from provise.report.paper import CHECKED, Standing
from provise.report.results import Results
from provise.report.template import data_block, fill
from provise.report.texts import OUTCOME_NAMES, clean, interval, p_value, points, scrubbed, title, without_folders

__all__ = ["render_page"]

MANY = 12
"""From so many pairs on, the page shows those with the highest run, and the rest folded away."""

NOTES = 20
"""Notes of a run that the page shows."""


def render_page(
    results: Results, gallery: Gallery, standings: Sequence[Standing] = (), floors: Floors | None = None
) -> str:
    """Fill the page.

    Parameters
    ----------
    results : Results
        What the tables and charts say.
    gallery : Gallery
        What the script shows.
    standings : sequence of Standing
        The paper's results with the runs among them; empty where they are not asked for.
    floors : Floors, optional
        What the benchmark gives for nothing.

    Returns
    -------
    str
        HTML in one file: it asks for nothing outside, and its policy forbids it to.
    """
    # What runs have in common is said by the first that was not forced in: the others may differ in it.
    base = next(run for run in results.runs if not run.unlike)
    return fill(
        "report.html.j2", "report.css", "report.js",
        _FILTERS,
        results=results,
        runs=results.runs,
        base=base,
        single=base if len(results.runs) == 1 else None,
        benchmark=clean(str(base.about.get("benchmark") or "a benchmark")),
        names=OUTCOME_NAMES,
        many=MANY,
        gallery=gallery,
        data=data_block(gallery.data),
        blocks=[data_block(block) for block in gallery.blocks],
        readers=_readers(results),
        said=_said(results),
        standings=standings,
        checked=CHECKED,
        floors=floors or Floors(),
    )  # fmt: skip


def _said(results: Results) -> dict[str, list[str]]:
    """Return the notes that runs were written with, by run; of many the first."""
    found = {}
    for run in results.runs:
        if run.said:
            notes = [without_folders(scrubbed(note, run)) for note in run.said[:NOTES]]
            more = len(run.said) - NOTES
            found[run.name] = [*notes, f"and {more} more like these, all of them in run.json"] if more > 0 else notes
    return found


def _step(score: float | None) -> str:
    """Return the class of a cell's shade: one of eleven, or that of no score."""
    return "h-none" if score is None else f"h{round(max(0.0, min(100.0, score)) / 10)}"


def _counts(found: Outcomes) -> list[tuple[str, int]]:
    """Return all outcomes and none, in the order of their names."""
    return [*found.counts.items(), ("none", found.unresolved)]


def _reach(found: Iterable[Difference]) -> int:
    """Return the end of a chart of differences: the farthest interval's, rounded up to five points."""
    far = max((max(abs(d.low), abs(d.high), abs(d.points)) for d in found), default=0.0)
    return max(5, 5 * math.ceil(far / 5))


def _readers(results: Results) -> dict[str, list[str]]:
    """Return what read each task, over all runs."""
    found: dict[str, set[str]] = {}
    for run in results.runs:
        for task, reader in run.readers.items():
            found.setdefault(task, set()).add(reader)
    return {task: sorted(found.get(task, set())) for task in results.tasks}


_FILTERS: Mapping[str, Callable[..., Any]] = {
    "points": points, "interval": interval, "p_value": p_value, "title": title, "step": _step, "counts": _counts,
    "reach": _reach,
}  # fmt: skip
