"""``provise benchmark``: list, show, check and build benchmarks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from provise.cli.benchmark_hub import build_folder, build_hub, push

__all__ = ["app"]

app = typer.Typer(help="Benchmarks: list, check, build, push to the Hub.", no_args_is_help=True)
app.command()(push)


@app.command()
def check(
    folder: Annotated[
        str,
        typer.Argument(help="A folder with JSONL files, media beside them; synth; or hf:NAMESPACE/NAME[@REVISION]."),
    ],
    fill: Annotated[
        bool, typer.Option("--fill", help="First write depth locations found in the pictures into the rows.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    every: Annotated[bool, typer.Option("--all", help="List every finding, not the first eight of a kind.")] = False,
) -> None:
    """Report every problem of a benchmark.

    Exit code 2 if one is an error; warnings do not fail.
    """
    import json

    from rich.console import Console

    from provise.benchmark import check_benchmark, fill_coordinates
    from provise.benchmark.console import print_report

    filled = fill_coordinates(folder) if fill else None
    report = check_benchmark(folder)
    if json_:
        extra = {"fill": filled.to_dict()} if filled else {}
        typer.echo(json.dumps({**report.to_dict(), **extra}, ensure_ascii=False))
    else:
        console = Console()
        if filled:
            console.print(f"filled {len(filled.filled)} row(s) with coordinates", highlight=False)
            for item in filled.refused:
                console.print(f"  {item.place}: {item.message}", markup=False, highlight=False, soft_wrap=True)
        print_report(report, console, every=every)
    if not report.ok:
        raise typer.Exit(2)


@app.command("list")
def list_(json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the source benchmarks that can be built."""
    import json

    from provise.loader import loader_names, open_loader

    loaders = [open_loader(name) for name in loader_names()]
    if json_:
        typer.echo(json.dumps([one.summary() for one in loaders], ensure_ascii=False))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("loader", "builds", "tasks", "licence"):
        table.add_column(column, overflow="fold")
    for one in loaders:
        table.add_row(one.id, one.title, ", ".join(sorted(one.tasks)), one.licence.name)
    Console().print(table)


@app.command()
def show(
    name: Annotated[
        str, typer.Argument(help="A loader, a loader's YAML file, a benchmark folder, synth, or hf:NAMESPACE/NAME.")
    ],
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show a loader or a benchmark.

    A loader: what it reads, what it makes of it, its licence. A benchmark: its tasks and their rows.
    """
    import json

    from provise.benchmark.place import is_folder

    if Path(name).is_dir() or not is_folder(name):
        from provise.benchmark import open_benchmark
        from provise.benchmark.summary import summarise_folder

        summary = summarise_folder(open_benchmark(name))
    else:
        from provise.loader import open_loader

        summary = open_loader(name).summary()
    if json_:
        typer.echo(json.dumps(summary, ensure_ascii=False))
        return
    import yaml

    typer.echo(yaml.safe_dump(summary, sort_keys=False, allow_unicode=True, width=120).rstrip())


@app.command()
def build(
    loader: Annotated[
        str,
        typer.Argument(
            help="A loader's name (see `provise benchmark list`), a YAML file; synth: drawn scenes; hub: the tree of a Hub "
            "repository; folder: a copy of one's own."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder to make; it must be new or empty.")],
    source: Annotated[
        str | None,
        typer.Option("--from", help="The folder that holds the source benchmark's files; hub, folder: any benchmark."),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Rows of each task, in file order.")] = None,
    keep_missing: Annotated[
        bool, typer.Option("--keep-missing", help="Write rows whose pictures are absent, too.")
    ] = False,
    per_task: Annotated[int, typer.Option("--per-task", min=1, help="synth: questions of each task.")] = 8,
    seed: Annotated[int, typer.Option("--seed", min=0, help="synth: the same seed gives the same questions.")] = 0,
    difficulty: Annotated[str, typer.Option("--difficulty", help="synth: easy, medium or hard.")] = "medium",
    layout: Annotated[str, typer.Option("--layout", help="hub: parquet or imagefolder.")] = "parquet",
    shrink: Annotated[bool, typer.Option("--shrink", help="hub: pack PNG pictures again, without loss.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="hub: put it in the place of a tree made before.")] = False,
    repository: Annotated[str, typer.Option("--repository", help="hub: NAMESPACE/NAME for the card's examples.")] = "",
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Build a benchmark folder from a source, or draw one.

    A source benchmark is read from its own files (--from); `synth` draws scenes with exact truth; `hub` writes any
    benchmark (--from) as a Hub dataset repository.
    """
    import json

    from provise.errors import InputError

    if loader == "synth":
        if source is not None or limit is not None or keep_missing:
            raise InputError("benchmark build synth takes --out, --per-task, --seed and --difficulty; it has no source")
        _build_synth(out, per_task, seed, difficulty, json_)
        return
    if source is None:
        what = "BENCHMARK"
        if loader not in ("hub", "folder"):
            from provise.loader import open_loader

            open_loader(loader)  # a name that nobody knows is told first
            what = "FOLDER, the source benchmark's own files"
        raise InputError(f"benchmark build {loader} needs --from {what}")
    if loader == "hub":
        build_hub(source, out, layout, shrink, replace, repository, json_)
        return
    if loader == "folder":
        build_folder(source, out, json_)
        return
    from provise.loader import build_benchmark

    built = build_benchmark(loader, source, out, limit=limit, keep_missing=keep_missing)
    if json_:
        typer.echo(json.dumps(built.to_dict(), ensure_ascii=False))
        return
    typer.echo(f"{out}: {built.written} of {built.read} rows, {built.pictures} pictures and masks; {built.licence}")
    for reason, count in built.left_out.items():
        typer.echo(f"  {count} left out: {reason}")
    if built.without_picture:
        kept = "kept without it" if keep_missing else "left out (--keep-missing writes them)"
        typer.echo(
            f"  {built.without_picture} rows without a picture under {source}: {kept}; first {built.first_missing}"
        )


def _build_synth(out: Path, per_task: int, seed: int, difficulty: str, json_: bool) -> None:
    """Draw scenes, with a bar on standard error."""
    import json

    from rich.console import Console
    from rich.progress import Progress

    from provise.errors import InputError
    from provise.synth.build import VERSION, build_synth
    from provise.synth.item import LEVELS

    level = next((one for one in LEVELS if one == difficulty), None)
    if level is None:
        raise InputError(f"--difficulty is {difficulty!r}; allowed are {', '.join(LEVELS)}")
    console = Console(stderr=True)
    if not json_ and not console.is_terminal:
        typer.echo(f"drawing {per_task} questions of each task", err=True)
    with Progress(console=console, transient=True, disable=json_ or not console.is_terminal) as bar:
        task = bar.add_task("drawing scenes", total=None)
        try:
            rows = build_synth(
                out,
                per_task,
                seed=seed,
                level=level,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
        except KeyboardInterrupt:
            typer.echo(f"stopped: {out} is not made, and nothing is left beside it", err=True)
            raise typer.Exit(130) from None
    if json_:
        told = {"out": str(out), "rows": rows, "seed": seed, "difficulty": level, "version": VERSION}
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        typer.echo(f"{out}: {rows} questions, {per_task} of each task, seed {seed}, {level}")
