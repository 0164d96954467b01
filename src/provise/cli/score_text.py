"""What ``provise score`` prints: the table of tasks, what came to no prediction, and the overall score."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from provise.runs.score import Run

__all__ = ["print_run"]

TROUBLE = ("reader failed", "no image", "no outcome")
"""Columns that stand in the table only where one of their counts is not 0."""

WIDTH = 80
"""Columns of the table where it goes to no terminal."""


LISTED = 20
"""Samples without a prediction that are named one by one."""


def print_run(run: Run, out: Path | None) -> None:
    """Print a run for a person.

    Parameters
    ----------
    run : Run
        What was scored.
    out : Path, optional
        The folder it was written to.
    """
    _print_table(run)
    _print_unread(run, out)
    mean = run.summary["mean_of_tasks"]
    if run.incomplete or run.lost:
        if run.incomplete:
            typer.echo(
                f"INCOMPLETE: {len(run.incomplete)} of {len(run.rows)} samples have no outcome; no overall score."
            )
        if run.lost:
            typer.echo(
                f"INCOMPLETE: {len(run.lost)} rows of the benchmark itself are broken (see the notes) and in no count "
                "above; no overall score. `provise benchmark check` tells all"
            )
        if mean["score"] is not None:
            typer.echo(f"mean of the {mean['n_tasks']} complete tasks: {mean['score']:.2f}")
    else:
        typer.echo(f"overall (mean of {mean['n_tasks']} tasks): {run.summary['overall']['score']:.2f}")
    if out:
        pictures = ", evidence/" if any("evidence" in row.details for row in run.rows) else ""
        pictures += ", responses/" if any((out / "responses").glob("*")) else ""
        typer.echo(f"written: {out}/samples.jsonl, summary.json, run.json{pictures}")


def _print_unread(run: Run, out: Path | None) -> None:
    """Name the samples that came to no prediction, the first of them where there are many."""
    unread = [row for row in run.rows if row.error or row.outcome not in ("correct", "incorrect")]
    for row in unread[:LISTED]:
        what = (row.error or row.outcome or "").replace("_", " ")
        reason = f", {row.reason}" if row.reason and row.reason != row.error else ""
        typer.echo(f"  {row.id}: {what}{reason}: {row.message}")
    if len(unread) > LISTED:
        counts = Counter(row.reason or row.error or row.outcome for row in unread[LISTED:])
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
        where = f"{out}/samples.jsonl has them" if out else "--out writes them down"
        typer.echo(f"  and {len(unread) - LISTED} more ({kinds}); {where}")


def _print_table(run: Run) -> None:
    """Print the table in the loosest form that fits; who read what stands below it where no column is left for that."""
    from rich.console import Console
    from rich.measure import Measurement

    by_reader: dict[str, list[str]] = {}
    for name, task in run.summary["tasks"].items():
        if task["readers"]:
            by_reader.setdefault(", ".join(task["readers"]), []).append(name)
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    forms = [(True, False)] * (len(by_reader) > 1) + [(False, False), (False, True)]
    for with_reader, tight in forms:
        table = _table(run, with_reader=with_reader, tight=tight)
        needed = Measurement.get(console, console.options.update(width=1000), table).maximum
        if needed <= console.width:
            break
    # A number or a name cut short is worse than a line that the terminal wraps.
    console.width = max(console.width, needed)
    console.print(table)
    if not with_reader:
        for reader, tasks in by_reader.items():
            typer.echo(f"read by: {reader}" + (f" ({', '.join(tasks)})" if len(by_reader) > 1 else ""))


def _table(run: Run, *, with_reader: bool, tight: bool) -> Table:
    """Return the table; a tight one sets its columns one space apart and breaks the words of its head."""
    from rich.table import Table

    counts = {name: _counts(run, name) for name in run.summary["tasks"]}
    shown = [name for name in ("correct", "incorrect", "refused", *TROUBLE)
             if name not in TROUBLE or any(count[name] for count in counts.values())]  # fmt: skip
    table = Table(box=None, pad_edge=False, collapse_padding=tight)
    table.add_column("task", no_wrap=True)
    for name in ("n", "score", "blind", "scorable", *shown):
        table.add_column(name.replace(" ", "\n") if tight else name, justify="right", no_wrap=True)
    if with_reader:
        table.add_column("reader", no_wrap=True)
    for name, task in run.summary["tasks"].items():
        score, null = task["score"], task["null_score"]
        table.add_row(
            name, str(task["n"]), ("-" if tight else "incomplete") if score is None else f"{score:.1f}",
            "" if null is None else f"{null:.1f}", f"{task['scorable']:.0f} %", *(str(counts[name][c]) for c in shown),
            *([", ".join(task["readers"])] if with_reader else []),
        )  # fmt: skip
    return table


def _counts(run: Run, task: str) -> dict[str, int]:
    outcomes = run.summary["tasks"][task]["outcomes"]
    names = ("correct", "incorrect", "refused", "reader failed", "no image")
    rows = [row for row in run.rows if row.task == task]
    return {
        **dict(zip(names, outcomes.values(), strict=True)),
        "no outcome": sum(row.error is not None for row in rows),
    }
