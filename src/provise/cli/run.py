"""``provise run``: ask a system, read and score its answers, keep everything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    import threading

    from provise.runs.runner import RunState

__all__ = ["run"]


def run(
    system: str = typer.Option(
        ..., "--system", "-s", help="kind:name?setting=value: draughtsman?accuracy=.7, blank, copy, folder:DIR."
    ),
    benchmark: str = typer.Option(
        "synth",
        "--benchmark",
        "-b",
        help="A benchmark folder, hf:NAMESPACE/NAME[@REVISION], or synth: the built-in one.",
    ),
    out: Path = typer.Option(None, "--out", "-o", help="The run's folder [default: runs/BENCHMARK-SYSTEM]."),
    route: str = typer.Option("", "--route", help="A route by name, or a YAML file [default: the benchmark's own]."),
    set_: list[str] = typer.Option(
        [], "--set", help="task=protocol (or task=FILE.yaml), or protocol.setting=value; again for more."
    ),
    tasks: str = typer.Option("", "--tasks", help="Only these tasks: counting,depth."),
    limit: int = typer.Option(
        0, "--limit", min=0, help="At most so many samples of each task, in file order; 0 is all."
    ),
    concurrency: int = typer.Option(
        0, "--concurrency", "-c", min=0, help="Requests in flight; 0 is the system's own number."
    ),
    jobs: int = typer.Option(0, "--jobs", "-j", min=0, help="Processes that read; 0 is one a core."),
    evidence: bool = typer.Option(True, "--evidence/--no-evidence", help="Write a picture of every reading."),
    skip_unreadable: bool = typer.Option(
        False, "--skip-unreadable", help="Leave out tasks whose reader is not installed."
    ),
    json_: bool = typer.Option(False, "--json", help="Print the summary as JSON."),
) -> None:
    """Run a benchmark: ask a system, read and score its answers.

    The same command again goes on where the last one stopped; nothing is asked twice. Exit code 1: some samples have no
    outcome, the run is incomplete; 130: stopped with Ctrl-C or SIGTERM.
    """
    from provise.benchmark import open_benchmark
    from provise.cli.score import show
    from provise.protocol.route import open_route
    from provise.runs.run import Stopped, default_folder
    from provise.runs.run import run as run_benchmark
    from provise.systems import open_system

    asked = open_system(system)
    opened = open_benchmark(benchmark)
    folder = out or default_folder(opened.name, asked)
    with _bar(quiet=json_) as bar, _stoppable() as stop:
        try:
            done = run_benchmark(
                opened,
                asked,
                folder,
                route=open_route(route or opened.route, set_),
                tasks=tasks,
                limit=limit,
                concurrency=concurrency,
                jobs=jobs,
                evidence=evidence,
                skip_unreadable=skip_unreadable,
                stop=stop,
                progress=bar,
            )
        except (Stopped, KeyboardInterrupt):
            typer.echo(
                f"stopped; what was answered is kept in {folder}. The same command goes on from there.", err=True
            )
            raise typer.Exit(130) from None
    show(done, folder, json_)
    if done.incomplete or done.lost:
        raise typer.Exit(1)


class _stoppable:  # noqa: N801 - a context manager used like a function
    """Ctrl-C once finishes what is in flight, twice stops at once; so does what a computer sends that is shut down."""

    def __init__(self) -> None:
        import threading

        self.stop = threading.Event()
        self.before: dict[int, Any] = {}

    def __enter__(self) -> threading.Event:
        import signal

        self.before = {number: signal.signal(number, self._asked) for number in (signal.SIGINT, signal.SIGTERM)}
        return self.stop

    def __exit__(self, *_: object) -> None:
        import signal

        for number, before in self.before.items():
            signal.signal(number, before)

    def _asked(self, *_: object) -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt
        self.stop.set()
        typer.echo("\nstopping: what is in flight is finished first; Ctrl-C again stops at once", err=True)


class _bar:  # noqa: N801 - a context manager used like a function
    """Progress on standard error: rate, time left, outcomes, cost; a line now and then where it is no terminal."""

    def __init__(self, quiet: bool) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        console = Console(stderr=True)
        self.bar = Progress(
            TextColumn("running"), BarColumn(20), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeElapsedColumn(),
            TextColumn("left"), TimeRemainingColumn(), TextColumn("{task.fields[seen]}"),
            console=console, disable=quiet or not console.is_terminal, transient=True,
        )  # fmt: skip
        self.task: Any = None

    def __enter__(self) -> _bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def __call__(self, state: RunState) -> None:
        from collections import Counter

        if self.task is None:
            # Only now: the readers are started, and a thread that draws is no hindrance to that.
            self.task = self.bar.add_task("running", total=state.total, seen="", rate="")
            self.bar.start()
        seen = Counter(row.outcome or row.error for row in state.rows.values())
        words = [f"{n} {str(name).replace('_', ' ')}" for name, n in seen.most_common()]
        words += [f"{state.waiting} in flight"] if state.waiting else []
        words += [f"${state.cost:.2f}"] if state.cost else []
        speed = self.bar.tasks[0].finished_speed or self.bar.tasks[0].speed
        self.bar.update(
            self.task, completed=len(state.rows), seen=", ".join(words), rate=f"{speed:.1f}/s" if speed else ""
        )
