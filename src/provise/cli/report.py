"""``provise report``: one run, or several side by side, as a page, tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from provise.report import Written

__all__ = ["report"]


def report(
    runs: list[Path] = typer.Argument(..., metavar="RUN...", help="Folders of runs."),
    out: Path = typer.Option(
        None, "--out", "-o", help="Where to write [default: one run: its own folder; several: report]."
    ),
    label: list[str] = typer.Option(
        [], "--label", "-l", help="The name of a run, in the order of the runs; again for more [default: its system]."
    ),
    benchmark: str = typer.Option(
        "", "--benchmark", "-b", help="Where the benchmark lies now, if it was moved since the run."
    ),
    force: bool = typer.Option(
        False,
        "--force",
        help="Set runs side by side that differ in benchmark, protocols or readers; every label says so.",
    ),
    with_: list[str] = typer.Option(
        [],
        "--with",
        help="paper: set runs of the 470-row release (by sizes and names) among the results that the paper printed.",
    ),
    floor: int = typer.Option(
        8,
        "--floor",
        min=0,
        help="Read blank and copy on so many samples of each task, to show what the benchmark gives for nothing; 0: none.",
    ),
    audit: int = typer.Option(
        0, "--audit", min=0, help="Instead of a report, write a sheet of so many readings for people to judge."
    ),
    audit_labels: Path = typer.Option(
        None, "--audit-labels", help="Instead of a report, print how far the people of this filled-in sheet agree."
    ),
    json_: bool = typer.Option(False, "--json", help="Print what was written, and the numbers, as JSON."),
) -> None:
    """Report runs: a page that opens offline, tables, figures.

    Tables come as Markdown, CSV and LaTeX, figures as SVG. With --audit and --audit-labels: how far the readings are
    what people read.
    """
    from provise.errors import InputError
    from provise.report import write_report

    unknown = [name for name in with_ if name != "paper"]
    if unknown:
        raise InputError(f"--with is {unknown[0]!r}; allowed is paper")

    if audit and audit_labels:
        raise InputError("--audit writes a sheet and --audit-labels reads one; give one of them")
    if audit or audit_labels:
        from provise.cli.report_audit import print_agreement, write_sheet

        if audit:
            write_sheet(runs, audit, out, labels=label, benchmark=benchmark, force=force, json_=json_)
        else:
            print_agreement(runs, audit_labels, labels=label, force=force, json_=json_)
        return
    written = write_report(runs, out, labels=label, benchmark=benchmark, force=force, paper=bool(with_), floor=floor)
    if json_:
        import json

        typer.echo(json.dumps(_said(written), ensure_ascii=False))
    else:
        _print(written)
    for note in written.notes:
        typer.echo(f"note: {note}", err=True)


def _said(written: Written) -> dict[str, Any]:
    return {
        "page": str(written.page),
        "files": [str(path) for path in written.files],
        "systems": [
            {"name": run.name, "notes": list(run.notes), "rank": written.results.ranks.get(run.name),
             "overall": run.summary["overall"]}
            for run in written.results.runs
        ],
        "notes": list(written.notes),
    }  # fmt: skip


def _print(written: Written) -> None:
    from rich.console import Console
    from rich.table import Table

    from provise.report.texts import interval, points

    table = Table(box=None, pad_edge=False)
    table.add_column("system", overflow="fold")
    for name in ("overall", "95 % interval", "rank"):
        table.add_column(name, justify="right", no_wrap=True)
    for run in written.results.runs:
        whole, rank = run.summary["overall"], written.results.ranks.get(run.name)
        table.add_row(_plain(run.label), points(whole["score"]), interval(whole), "" if rank is None else str(rank))
    console = Console()
    console.print(table)
    typer.echo(f"written: {written.page}, tables/, figures/")


def _plain(label: str) -> Any:
    from rich.text import Text

    return Text(label)
