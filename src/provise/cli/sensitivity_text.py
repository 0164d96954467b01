"""What ``provise sensitivity`` prints for a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import typer

from provise.report.texts import points

if TYPE_CHECKING:
    from provise.analysis.kernels import KernelSensitivity
    from provise.analysis.sensitivity import ReaderSensitivity, Rereading
    from provise.report.sensitivity import KernelsOfRuns, ReadingsOfRuns

__all__ = ["print_sensitivity"]


def print_sensitivity(found: KernelsOfRuns | ReadingsOfRuns) -> None:
    """Print the tables of either question."""
    from provise.report.sensitivity import KernelsOfRuns

    if isinstance(found, KernelsOfRuns):
        _print_kernels(found.found)
    elif found.systems is None:
        (name,) = found.runs
        _print_one(name, found.runs[name])
        _print_readers(found)
    else:
        _print_several(found, found.systems)
        _print_readers(found)


def _print_kernels(found: KernelSensitivity) -> None:
    from provise.analysis.kernels import KERNEL

    if len(found.runs) == 1:
        (name,) = found.runs
        typer.echo(f"depth answers of {name}, by the window in which brightness is sampled")
    else:
        typer.echo("depth scores by the window in which brightness is sampled")
        heads = [f"{one.kernel}x{one.kernel}" for one in found.together]
        rows = [(name, *(points(one.score) for one in readings)) for name, readings in found.runs.items()]
        agreement = [_decimal(found.spearman[one.kernel]) for one in found.together]
        _table(("run", *heads), [*rows, (f"Spearman with {KERNEL}x{KERNEL}", *agreement)])
        typer.echo("\nall runs together")
    _table(
        ("kernel", "n", "valid", "score", f"as {KERNEL}x{KERNEL}"),
        [
            (f"{one.kernel}x{one.kernel}", str(one.n), *(f"{points(v)} %" for v in (one.parsed, one.score, one.same)))
            for one in found.together
        ],
    )
    typer.echo(
        f"valid: a prediction was read; as {KERNEL}x{KERNEL}: the same prediction as with the default. "
        f"The scores span {found.span:.2f} points."
    )


def _print_one(name: str, one: Rereading) -> None:
    typer.echo(f"two readings of {name}")
    rows = [("overall", *map(points, one.overall), points(one.overall[1] - one.overall[0], sign=True), "", "")]
    for task, change in one.tasks.changes.items():
        before, after = one.tasks.ranks[task]
        scores = (
            points(one.tasks.reference[task]),
            points(one.tasks.reference[task] + change),
            points(change, sign=True),
        )
        rows.append((task, *scores, str(before), "" if before == after else f"→ {after}"))
    _table(("", "first", "second", "change", "rank", ""), rows)
    valid = " → ".join(f"{points(share)} %" for share in one.parsed)
    typer.echo(f"answers with a prediction: {valid}")
    typer.echo(f"answers that come to the same outcome: {points(one.kept)} % of {one.available}")
    for (before_, after_), n in sorted(one.moves.items(), key=lambda item: -item[1]):
        if before_ != after_:
            typer.echo(f"  {n} {before_.replace('_', ' ')} → {after_.replace('_', ' ')}")
    _print_agreement("tasks", one.tasks)


def _print_several(found: ReadingsOfRuns, systems: ReaderSensitivity) -> None:
    rows = []
    for name, one in found.runs.items():
        before, after = systems.ranks[name]
        scores = (*map(points, one.overall), points(systems.changes[name], sign=True))
        moved = "" if before == after else f"→ {after}"
        rows.append((name, *scores, str(before), moved, *(f"{points(v)} %" for v in (*one.parsed, one.kept))))
    typer.echo("two readings of each run")
    _table(("run", "first", "second", "change", "rank", "", "valid\nfirst", "valid\nsecond", "same\noutcome"), rows)
    _print_agreement("runs", systems)
    tasks = dict.fromkeys(task for one in found.runs.values() for task in one.tasks.changes)
    changes = {
        task: [one.tasks.changes[task] for one in found.runs.values() if task in one.tasks.changes] for task in tasks
    }
    leaning = [(task, points(_mean(c), sign=True), points(_mean(map(abs, c)))) for task, c in changes.items() if any(c)]
    if leaning:
        typer.echo("\nchanges by task, over the runs")
        _table(("task", "mean", "mean of sizes"), leaning)


def _print_agreement(what: str, found: ReaderSensitivity) -> None:
    moved = len(found.rank_changes)
    typer.echo(
        f"over the {len(found.changes)} {what}: Spearman {_decimal(found.spearman)}, mean absolute change "
        f"{found.mean_absolute_change:.2f} points, {moved or 'no'} rank{'s' if moved != 1 else ''} changed"
    )


def _print_readers(found: ReadingsOfRuns) -> None:
    """Say what read the tasks that were read in two ways; for runs that were read alike once."""
    lines: dict[str, list[str]] = {}
    for name, tasks in found.readers.items():
        for task, (first, second) in tasks.items():
            lines.setdefault(f"{task}: {first}  →  {second}", []).append(name)
    if lines:
        typer.echo("read in two ways:")
    for line, names in lines.items():
        typer.echo(f"  {line}" + ("" if len(names) == len(found.runs) else f"  ({', '.join(names)})"))


def _mean(values: Iterable[float]) -> float:
    held = list(values)
    return sum(held) / len(held)


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, collapse_padding=True)
    table.add_column(head[0], overflow="fold")
    for name in head[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console()
    Console(width=max(console.width, 100) if not console.is_terminal else None).print(table)
