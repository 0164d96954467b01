"""The sheet of an audit: a page to judge on, and the same as CSV for a spreadsheet."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Sequence
from pathlib import Path

from provise.errors import InputError
from provise.report.audit import COLUMNS, JUDGEMENTS, Item, choose
from provise.report.media import Questions, answers_of, evidence_of, inputs_of, open_questions
from provise.report.runs import load_runs
from provise.report.template import data_block, fill
from provise.report.texts import clean, cut, title
from provise.report.thumbnails import Thumbnails, View, make_thumbnails
from provise.runs.folder import write_whole

__all__ = ["write_audit"]


def write_audit(
    folders: Sequence[str | Path],
    n: int,
    out: str | Path | None = None,
    *,
    labels: Sequence[str] = (),
    benchmark: str | Path = "",
    force: bool = False,
    seed: int = 0,
) -> tuple[Path, ...]:
    """Write ``audit.html`` and ``audit.csv``: readings drawn by lot, for a person to judge.

    Parameters
    ----------
    folders, out, labels, benchmark, force
        As for `provise.report.write_report`.
    n : int
        How many readings.
    seed : int
        Another one draws others.

    Returns
    -------
    tuple of Path
        The page and the table.

    Raises
    ------
    InputError
        If a folder is no run, nothing was read from a picture, or nothing can be written. A sheet that is there already is
        never written over: somebody may have filled it in.
    """
    runs = load_runs(folders, labels=labels, force=force)
    target = Path(out) if out else runs[0].folder if len(runs) == 1 else Path("report")
    page, table = target / "audit.html", target / "audit.csv"
    if table.exists():
        raise InputError(f"{table} is there already, perhaps filled in; move it away or give another --out")
    items = choose(runs, n, seed=seed)
    text = render_audit(items, {run.name: open_questions(run, benchmark) for run in runs}, seed)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error})") from error
    write_whole(table, _csv(items))
    write_whole(page, text)
    return page, table


def render_audit(items: Sequence[Item], questions: dict[str, Questions], seed: int) -> str:
    """Fill the page to judge on."""
    answers = {item.run.name: answers_of(item.run) for item in items}
    views: list[list[tuple[str, View]]] = []
    asked = []
    for item in items:
        sample = questions[item.run.name].samples.get(item.row.id)
        found = [("input", view) for view in (inputs_of(sample) if sample else [])]
        answer, evidence = answers[item.run.name].get(item.row.response), evidence_of(item.run, item.row)
        found += [("answer", answer)] if answer else []
        found += [("what the reader saw", evidence)] if evidence else []
        views.append(found)
        asked.append(cut(clean(sample.question), 800) if sample else "")
    thumbs = make_thumbnails(view for found in views for _, view in found)
    cards = [
        {
            "item": item,
            "question": asked[i],
            "pictures": _pictures(views[i], thumbs),
            "protocol": _protocol(item.row.protocol),
        }
        for i, item in enumerate(items)
    ]
    rows = [list(COLUMNS), *(list(item.cells(i)) for i, item in enumerate(items, 1))]
    notes = sorted({note for found in questions.values() if (note := found.note)})
    return fill(
        "audit.html.j2", "report.css", "audit.js", {"title": title}, cards=cards, judgements=JUDGEMENTS, seed=seed,
        data=data_block(rows), notes=notes,
    )  # fmt: skip


def _pictures(views: Sequence[tuple[str, View]], thumbs: Thumbnails) -> list[tuple[str, str]]:
    """Return captions with pictures as data addresses."""
    return [
        (name, f"data:image/jpeg;base64,{base64.b64encode(thumbs.data[thumbs.index[view]]).decode()}")
        for name, view in views
        if view in thumbs.index
    ]


def _protocol(name: str) -> str:
    """Return what a protocol has the system draw, as far as the catalogue knows it."""
    from provise.errors import ProviseError
    from provise.protocol.catalogue import open_protocol

    try:
        return f"{name}: {open_protocol(name).spec.summary}"
    except ProviseError:
        return clean(name)


def _csv(items: Sequence[Item]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(item.cells(i) for i, item in enumerate(items, 1))
    return out.getvalue()
