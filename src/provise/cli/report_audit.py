"""``provise report --audit`` and ``--audit-labels``: a sheet of readings for people, and how far they agree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

__all__ = ["print_agreement", "write_sheet"]


def write_sheet(runs: Sequence[Path], n: int, out: Path | None, *, json_: bool, **more: Any) -> None:
    """Write the sheet and say where."""
    from provise.report.audit_sheet import write_audit

    page, table = write_audit(runs, n, out, **more)
    if json_:
        typer.echo(json.dumps({"page": str(page), "table": str(table)}))
    else:
        typer.echo(f"written: {page} to judge on, {table} for a spreadsheet")
        typer.echo(f"then: provise report {' '.join(map(str, runs))} --audit-labels FILE")


def print_agreement(runs: Sequence[Path], sheet: Path, *, labels: Sequence[str], force: bool, json_: bool) -> None:
    """Print the agreement of each task with its limits, and of all together."""
    from provise.report.audit import Agreement, agreement, read_labels
    from provise.report.runs import load_runs

    found = agreement(read_labels(sheet, load_runs(runs, labels=labels, force=force)))
    counts = [(one.right, one.wrong, one.unclear, one.open) for one in found.values()]
    found["all"] = Agreement(*map(sum, zip(*counts, strict=True)))
    if json_:
        rows = {task: {**one.__dict__, "share": one.share, "limits": one.limits} for task, one in found.items()}
        typer.echo(json.dumps(rows))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("task", no_wrap=True)
    for name in ("right", "wrong", "agree", "95 % limits", "unclear", "not judged"):
        table.add_column(name, justify="right", no_wrap=True)
    for task, one in found.items():
        share = "–" if one.share is None else f"{one.share:.1f} %"
        low, high = one.limits
        counted = str(one.right), str(one.wrong), share, f"{low:.1f} to {high:.1f}", str(one.unclear), str(one.open)
        table.add_row(task.replace("_", " "), *counted)
    Console().print(table)
    typer.echo(
        "agree: of the readings judged right or wrong, the share that is right; limits are exact (Clopper-Pearson)"
    )
