"""The page: a template filled with texts that are escaped, one style, one script, and data that neither runs nor loads."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

from provise.analysis.attribution import Outcomes
from provise.analysis.difference import Difference
from provise.report.gallery import Gallery
from provise.report.paper import Standing
from provise.report.results import Results
from provise.report.texts import OUTCOME_NAMES, clean, interval, p_value, points, title

__all__ = ["render_page"]

MANY = 12
"""From so many pairs on, the page shows those with the highest run, and the rest folded away."""


def render_page(results: Results, gallery: Gallery, standings: Sequence[Standing] = ()) -> str:
    """Fill the page.

    Parameters
    ----------
    results : Results
        What the tables and charts say.
    gallery : Gallery
        What the script shows.
    standings : sequence of Standing
        The paper's results with the runs among them; empty where they are not asked for.

    Returns
    -------
    str
        HTML in one file: it asks for nothing outside, and its policy forbids it to.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_source), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "points": points, "interval": interval, "p_value": p_value, "title": title, "clean": clean, "step": _step,
        "counts": _counts, "reach": _reach,
    }  # fmt: skip
    style, script = _source("report.css"), _source("report.js")
    first = results.runs[0]
    page = environment.get_template("report.html.j2").render(
        results=results,
        runs=results.runs,
        single=first if len(results.runs) == 1 else None,
        benchmark=clean(str(first.about.get("benchmark") or "a benchmark")),
        names=OUTCOME_NAMES,
        many=MANY,
        policy=f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'",
        style=style,
        script=script,
        gallery=gallery,
        data=_data(gallery.data),
        blocks=[_data(block) for block in gallery.blocks],
        readers=_readers(results),
        standings=standings,
    )
    return page.encode("utf-8", "replace").decode()


def _source(name: str) -> str:
    return files("provise.report").joinpath("page", name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _data(value: Any) -> str:
    """Return JSON that no text in it can end: the page's parser sees no angle bracket, no ampersand."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


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
