"""``provise sensitivity``: what another kernel or another reader makes of the answers of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from provise.report.sensitivity import KernelsOfRuns, ReadingsOfRuns

__all__ = ["sensitivity"]


def sensitivity(
    runs: list[Path] = typer.Argument(..., metavar="RUN...", help="Folders of runs."),
    kernels: str = typer.Option(
        "", "--kernels", help="Read the depth answers with windows of these sizes: 1,3,5,7,9,11."
    ),
    against: list[Path] = typer.Option(
        [], "--against", help="The folder of another reading of the same answers; once for each run, in their order."
    ),
    set_: list[str] = typer.Option(
        [],
        "--set",
        help="Read again with task=protocol (or task=FILE.yaml), or protocol.setting=value; again for more.",
    ),
    route: str = typer.Option("", "--route", help="With --set: the runs' route, where it is a file of your own."),
    benchmark: str = typer.Option(
        "", "--benchmark", "-b", help="Where the benchmark lies now, if it was moved since the run."
    ),
    responses: list[Path] = typer.Option(
        [], "--responses", "-r", help="The answers, where the run kept none (provise score); again for more."
    ),
    label: list[str] = typer.Option([], "--label", "-l", help="The name of a run, in the order of the runs."),
    jobs: int = typer.Option(0, "--jobs", "-j", min=0, help="Processes that read; 0 is one a core."),
    json_: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show how far scores lean on how answers are read.

    Give one of --kernels, --set and --against; without any, --kernels 1,3,5,7,9,11. The answers that a run kept are read
    again; nothing is generated and no run is changed.
    """
    import json
    import os

    from provise.errors import InputError
    from provise.report.sensitivity import compare_kernels, compare_with, reread_with

    given = [name for name, value in (("--kernels", kernels), ("--set", set_), ("--against", against)) if value]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} ask different questions; give one of them")
    found: KernelsOfRuns | ReadingsOfRuns
    if against:
        found = compare_with(runs, against, labels=label)
    else:
        more: dict[str, Any] = {"labels": label, "benchmark": benchmark, "responses": responses}
        sizes = _kernels(kernels)
        with _bar(json_) as step:
            more |= {"jobs": jobs or os.cpu_count() or 1, "progress": step}
            found = reread_with(runs, set_, route=route, **more) if set_ else compare_kernels(runs, sizes, **more)
    if json_:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False))
    else:
        from provise.cli.sensitivity_text import print_sensitivity

        print_sensitivity(found)
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)


def _kernels(text: str) -> list[int]:
    from provise.analysis.kernels import KERNELS
    from provise.errors import InputError

    parts = [part.strip() for part in text.split(",") if part.strip()] or [str(k) for k in KERNELS]
    wrong = [part for part in parts if part not in {str(size) for size in range(1, 12, 2)}]
    if wrong:
        raise InputError(f"--kernels holds {wrong[0]!r}; allowed are odd sizes from 1 to 11, by commas: 1,3,5,7,9,11")
    return [int(part) for part in parts]


def _bar(quiet: bool) -> Any:
    """Return a count of answers read on standard error; nothing where it is not a terminal."""
    from contextlib import contextmanager

    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = TextColumn("reading again: {task.completed} answers"), TimeElapsedColumn()
    bar = Progress(*columns, console=console, disable=quiet or not console.is_terminal, transient=True)
    task = bar.add_task("reading", total=None)

    @contextmanager
    def shown() -> Any:
        with bar:
            yield lambda row: bar.advance(task)

    return shown()
