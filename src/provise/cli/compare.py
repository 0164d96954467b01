"""``provise compare``: two runs on the same samples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from provise.report.compare import Comparison

__all__ = ["compare"]


def compare(
    first: Path = typer.Argument(..., help="A run's folder."),
    second: Path = typer.Argument(..., help="Another one; differences are second minus first."),
    label: list[str] = typer.Option([], "--label", "-l", help="The name of a run; again for the other."),
    force: bool = typer.Option(
        False, "--force", help="Compare runs that differ in benchmark, protocols or readers; every label says so."
    ),
    json_: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Compare two runs: who solved what, and by how much.

    Differences come with paired 95 % intervals; the outcomes with an exact McNemar test.
    """
    import json

    from provise.report.compare import compare_runs

    found = compare_runs(first, second, labels=tuple(label), force=force)
    if json_:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False))
    else:
        _print(found)


def _print(found: Comparison) -> None:
    from rich.console import Console
    from rich.table import Table

    from provise.report.texts import p_value, points

    typer.echo(f"first   {found.first.label}\nsecond  {found.second.label}")
    table = Table(box=None, pad_edge=False, collapse_padding=True)
    table.add_column("", no_wrap=True)
    for name in ("n", "first", "second", "diff.", "95 %", "", "both", "first\nonly", "second\nonly", "neither"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, difference in found.levels.items():
        kind, _, part = name.partition(".")
        scores = [
            run.summary[kind][part]["score"] if part else run.summary[kind]["score"]
            for run in (found.first, found.second)
        ]
        who = found.outcomes.get(name)
        counts = [str(v) for v in (who.both, who.first_only, who.second_only, who.neither)] if who else [""] * 4
        between = f"{points(difference.low, sign=True)} to {points(difference.high, sign=True)}"
        table.add_row(
            part or name, str(who.n) if who else "", *map(points, scores), points(difference.points, sign=True), between,
            "*" if difference.clear else "", *counts,
        )  # fmt: skip
    console = Console()
    Console(width=max(console.width, 100) if not console.is_terminal else None).print(table)
    whole = found.outcomes["overall"]
    typer.echo("* the interval leaves 0 out")
    typer.echo(
        f"of {whole.n} samples {whole.first_only + whole.second_only} were solved by one alone; "
        f"equally often by either: {p_value(whole.p_value)} (exact McNemar)"
    )
    if whole.rescue is not None:
        name = "visual rescue" if found.is_rescue else "rescue"
        typer.echo(f"{name}: the second solved {whole.rescue:.1%} of what the first missed")
    typer.echo(f"a benchmark of this size can show a difference of {points(found.detectable)} points")
