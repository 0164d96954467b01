"""``provise score``: read and score answers made elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from provise.benchmark import Benchmark
    from provise.protocol.route import Route
    from provise.runs.score import Run

__all__ = ["score", "show"]

NOTES = 20
"""Notes that are printed; files and rows of no sample can be as many as the answers."""


def score(
    benchmark: str = typer.Option(
        ..., "--benchmark", "-b", help="A benchmark folder, hf:NAMESPACE/NAME[@REVISION], or synth: the built-in one."
    ),
    responses: Path = typer.Option(
        ...,
        "--responses",
        "-r",
        help="A folder of <sample id>.png (.jpg, .webp, ...; .txt for words), or a JSONL file.",
    ),
    out: Path = typer.Option(
        None, "--out", "-o", help="Write samples.jsonl, summary.json, run.json, evidence/ and responses/ here."
    ),
    route: str = typer.Option("", "--route", help="A route by name, or a YAML file [default: the benchmark's own]."),
    set_: list[str] = typer.Option(
        [], "--set", help="task=protocol (or task=FILE.yaml), or protocol.setting=value; again for more."
    ),
    tasks: str = typer.Option("", "--tasks", help="Only these tasks: counting,depth."),
    limit: int = typer.Option(
        0, "--limit", min=0, help="At most so many samples of each task, in file order; 0 is all."
    ),
    missing: str = typer.Option(
        "error", "--missing", help="error: a missing answer leaves the run incomplete; zero: it scores 0."
    ),
    coordinates: str = typer.Option(
        "1",
        "--coordinates",
        help="How texts write points, by the value at the right edge: 1, 100, 1000, or pixel (of the source).",
    ),
    order: str = typer.Option("xy", "--order", help="xy or yx: which comes first in a pair."),
    seen_size: str = typer.Option(
        "", "--seen-size", help="With pixel: WIDTHxHEIGHT of the pictures as the model was given them."
    ),
    jobs: int = typer.Option(0, "--jobs", "-j", min=0, help="Processes; 0 is one a core."),
    evidence: bool = typer.Option(
        True,
        "--evidence/--no-evidence",
        help="With --out: keep a picture of every reading in evidence/ and a copy of every answer in responses/.",
    ),
    skip_unreadable: bool = typer.Option(
        False, "--skip-unreadable", help="Leave out tasks whose reader is not installed."
    ),
    json_: bool = typer.Option(False, "--json", help="Print the summary as JSON."),
) -> None:
    """Read and score answers made elsewhere.

    Exit code 1: some samples have no outcome, the run is incomplete.
    """
    from provise.answers.declared import Declared, parse_size
    from provise.benchmark import open_benchmark
    from provise.errors import InputError
    from provise.protocol.route import open_route
    from provise.runs.folder import clean
    from provise.runs.memory import keep_memory
    from provise.runs.responses import open_responses
    from provise.runs.score import drop_copies, score_responses
    from provise.runs.select import select

    if missing not in ("error", "zero"):
        raise InputError(f"--missing is {missing!r}; allowed are error and zero")
    if out and out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file; expected a folder to write the run to")
    if out and (out / "journal.sqlite").exists():
        raise InputError(f"--out {out} holds a run that `provise run` made; give another --out")
    declared = Declared(coordinates, order, parse_size(seen_size) if seen_size else None)
    opened = open_benchmark(benchmark)
    if out and out.resolve() in (opened.root.resolve(), responses.resolve()):
        raise InputError(f"--out {out} is the folder of the benchmark or of the answers; give one of its own")
    chosen = select(opened.samples, tasks, limit)
    if not chosen:
        raise InputError(f"{benchmark}: no samples")
    handed = open_responses(responses, [sample.id for sample in opened.samples], coordinates=declared)
    used = open_route(route or opened.route, set_)
    keep_memory()
    kept = out if evidence else None
    if out:
        clean(out)
    with _bar(len(chosen), quiet=json_) as step:
        run = score_responses(
            chosen, handed, used, missing=missing, jobs=jobs, skip_unreadable=skip_unreadable,
            evidence=kept / "evidence" if kept else None, keep=kept, progress=step,
        )  # fmt: skip
    run.lost = [str(problem) for problem in opened.problems if problem.level == "error"]
    run.problems[:0] = [str(problem) for problem in opened.problems]
    if out:
        drop_copies(run, out, handed, kept=evidence)
        _write(
            run, out, opened, run.route or used,
            missing=missing, coordinates=declared.to_dict(), responses=str(responses),
        )  # fmt: skip
    show(run, out, json_)
    if run.incomplete or run.lost:
        raise typer.Exit(1)


def _write(run: Run, out: Path, opened: Benchmark, route: Route, **settings: Any) -> None:
    """Write the run's folder, with what is needed to repeat it."""
    from provise.runs.score import write_run

    prints = {task: route.protocol(task).fingerprint for task in dict.fromkeys(row.task for row in run.rows)}
    write_run(
        run,
        out,
        benchmark=opened.name,
        root=str(opened.root),
        digest=opened.digest,
        origin=opened.origin or None,
        revision=opened.revision or None,
        route=route.id,
        set=list(route.overrides),
        fingerprints=prints,
        **settings,
    )


def show(run: Run, out: Path | None, json_: bool) -> None:
    """Print the result, and what a person should know on standard error."""
    import json

    if json_:
        typer.echo(json.dumps(run.summary, ensure_ascii=False))
    else:
        from provise.cli.score_text import print_run

        print_run(run, out)
    for problem in run.problems[:NOTES]:
        typer.echo(f"note: {problem}", err=True)
    if len(run.problems) > NOTES:
        typer.echo(f"note: and {len(run.problems) - NOTES} more like these", err=True)


class _bar:  # noqa: N801 - a context manager used like a function
    """A progress bar on standard error, with the count of outcomes; nothing where it is not a terminal."""

    def __init__(self, total: int, quiet: bool) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self.bar = Progress(
            TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            TextColumn("{task.fields[seen]}"),
            console=console, disable=quiet or not console.is_terminal, transient=True,
        )  # fmt: skip
        self.task = self.bar.add_task("reading", total=total, seen="")
        self.seen: dict[str, int] = {}

    def __enter__(self) -> Any:
        self.bar.start()
        return self.step

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def step(self, row: Any) -> None:
        name = row.outcome or row.error
        self.seen[name] = self.seen.get(name, 0) + 1
        self.bar.update(
            self.task, advance=1, seen=", ".join(f"{v} {k.replace('_', ' ')}" for k, v in self.seen.items())
        )
