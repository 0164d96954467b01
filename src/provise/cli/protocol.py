"""``provise protocol``: list, show, check and verify protocols."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from provise.protocol import Protocol

__all__ = ["app"]

app = typer.Typer(help="Protocols: how to draw, and how it is read.", no_args_is_help=True)


@app.command("list")
def list_(json_: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List the protocols of the catalogue."""
    import json

    from provise.protocol import names, open_protocol

    opened = [open_protocol(name) for name in names()]
    if json_:
        rows = [
            {
                "id": p.id,
                "title": p.spec.title,
                "prediction": p.spec.prediction,
                "metric": p.spec.metric,
                "reader": p.reader,
                "fingerprint": p.fingerprint,
            }
            for p in opened
        ]
        typer.echo(json.dumps(rows))
        return
    _print_list(opened)


WIDE = 110
"""Columns from which a protocol's line has room for what is drawn."""


def _print_list(opened: list[Protocol]) -> None:
    """Print a line a protocol; what is drawn stands below it where there is no room beside."""
    import textwrap

    from rich.console import Console
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    if console.width < WIDE:
        typer.echo("protocol: prediction, metric, reader, and what is drawn")
        for p in opened:
            typer.echo(f"{p.id}: {p.spec.prediction}, {p.spec.metric}, {p.reader.split(':')[0]}")
            typer.echo(
                textwrap.fill(p.spec.summary, console.width - 1, initial_indent="    ", subsequent_indent="    ")
            )
        return
    table = Table(box=None, pad_edge=False)
    for column in ("protocol", "prediction", "metric", "reader", "what is drawn"):
        table.add_column(column, no_wrap=column != "what is drawn")
    for p in opened:
        table.add_row(p.id, p.spec.prediction, p.spec.metric, p.reader.split(":")[0], p.spec.summary)
    console.print(table)


@app.command()
def show(
    name: str = typer.Argument(..., help="Name in the catalogue, or a YAML file."),
    json_: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show a protocol: prompt, aids, steps, refusals, fingerprint."""
    import json

    from provise.protocol import open_protocol

    p = open_protocol(name)
    spec = p.spec
    if json_:
        typer.echo(
            json.dumps(
                {**spec.model_dump(mode="json", by_alias=True), "fingerprint": p.fingerprint}, ensure_ascii=False
            )
        )
        return
    typer.echo(f"{spec.id} (version {spec.version}): {spec.title}\n" + (f"{spec.summary}\n" if spec.summary else ""))
    typer.echo(
        f"prediction {spec.prediction}, metric {spec.metric}, "
        f"sees {spec.inputs} picture(s), aids: {', '.join(spec.aids) or 'none'}"
    )
    typer.echo(f"fingerprint {p.fingerprint}\n\nprompt:")
    typer.echo("".join(f"  {line}\n" for line in spec.prompt.splitlines()))
    typer.echo("steps:")
    for step in p.steps:
        given = ", ".join(f"{k}={v}" for k, v in step.inputs.items())
        params = ", ".join(f"{k}={v}" for k, v in step.params.model_dump().items())
        typer.echo(f"  {step.id} = {step.operator.name}({given}; {params})\n      {step.operator.summary}")
    typer.echo("\nrefused with:")
    for code, meaning in spec.invalid.items():
        typer.echo(f"  {code:<18} {meaning}")
    for text in spec.unchecked:
        typer.echo(f"not checked: {text}")


@app.command()
def check(files: list[Path] = typer.Argument(..., help="Protocol files in YAML.")) -> None:
    """Check protocol files.

    Unknown operators, wrong kinds, parameters out of range, prompt slots: every problem with file and step.
    """
    from provise.errors import ProtocolError
    from provise.protocol import load_protocol

    wrong = 0
    for file in files:
        try:
            p = load_protocol(file)
        except ProtocolError as error:
            wrong += 1
            typer.echo(str(error), err=True)
        else:
            typer.echo(f"{file}: ok, {len(p.steps)} steps, {p.spec.prediction}, fingerprint {p.fingerprint[:12]}")
    if wrong:
        raise typer.Exit(2)


@app.command()
def verify(
    names: list[str] = typer.Argument(None, help="Protocols; all deterministic ones by default."),
    answers: int = typer.Option(1000, "--answers", "-n", min=1, help="Answers a protocol and severity."),
    seed: int = typer.Option(0, "--seed", help="Seed of all that is drawn."),
    jobs: int = typer.Option(0, "--jobs", "-j", min=0, help="Processes; 0 is one a core."),
    out: Path = typer.Option(None, "--out", help="Write the page (docs/CONFORMANCE.md) here."),
    json_out: Path = typer.Option(None, "--json-out", help="Write the numbers as JSON here."),
    dump: Path = typer.Option(None, "--dump", help="Write what was not read right, as pictures, into this folder."),
) -> None:
    """Draw answers, damage them, read them, tell how many came right.

    Prints the share read right, refused and read wrong, of answers drawn on bundled photos, and whether the bars are
    met. Exit code 1: a bar is missed. A quick look (-n 20) shows whether something is broken; the bars take 736 or more.
    """
    import os

    from provise.cli.verify import verify as run

    code = run(names or (), answers, seed, jobs or os.cpu_count() or 1, out, json_out, dump)
    if code:
        raise typer.Exit(code)
