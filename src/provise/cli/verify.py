"""``provise protocol verify``: draw answers, degrade them, read them, and write the certificate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

__all__ = ["verify"]


def verify(
    names: Sequence[str] = (),
    answers: int = 1000,
    seed: int = 0,
    jobs: int = 2,
    out: Path | None = None,
    json_out: Path | None = None,
    dump: Path | None = None,
) -> int:
    """Verify protocols, print the pooled shares and write the certificate.

    Parameters
    ----------
    names : sequence of str
        Protocols; all that can be drawn where there is none.
    answers, seed, jobs : int
        As for `provise.conformance.certificate.verify`.
    out, json_out : Path, optional
        Where the page and the JSON go; not written where they are None.
    dump : Path, optional
        Folder for the pictures of what was not read right.

    Returns
    -------
    int
        Exit code: 1 if a bar is missed, else 0 (also where too little was drawn to show that they are met).

    Raises
    ------
    InputError
        If a path is taken by something else, before anything is drawn.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from provise.conformance import certificate as work
    from provise.conformance.report import to_json, to_markdown

    _check_paths(out, json_out, dump)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("answers drawn and read", total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        found = work.verify(names or None, answers, seed, jobs, show, str(dump) if dump else "")
    _print(found)
    for path, text in ((out, to_markdown), (json_out, to_json)):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text(found), encoding="utf-8")
            typer.echo(f"written: {path}")
    if dump is not None:
        answers_there = len(list(dump.glob("*.answer.*")))
        typer.echo(f"pictures of what was not read right: {answers_there} in {dump}")
    return 1 if found.failures() else 0


def _check_paths(out: Path | None, json_out: Path | None, dump: Path | None) -> None:
    """Refuse what could not be written after minutes of work; make the folder of pictures."""
    from provise.errors import InputError

    for option, path in (("--out", out), ("--json-out", json_out)):
        if path is not None and path.is_dir():
            raise InputError(f"{option} {path} is a folder; give the file to write")
    if dump is not None:
        if dump.exists() and not dump.is_dir():
            raise InputError(f"--dump {dump} is a file; give a folder for the pictures")
        dump.mkdir(parents=True, exist_ok=True)


def _print(found: object) -> None:
    from rich.console import Console
    from rich.table import Table

    from provise.conformance.certificate import Certificate

    assert isinstance(found, Certificate)
    table = Table(box=None, pad_edge=False)
    for column in ("protocol", "severity", "n", "right", "refused", "wrong", "copies refused"):
        table.add_column(column, justify="left" if column in ("protocol", "severity") else "right")
    for protocol in found.protocols:
        for part in ("mild", "strong"):
            whole, copies = found.pooled(protocol, part), found.pooled(protocol, "copy")
            shares = [f"{whole.share(verdict):.2%}" for verdict in ("right", "refused", "wrong")]
            table.add_row(
                protocol, part, str(whole.n), *shares, f"{copies.share('refused'):.2%}" if part == "mild" else ""
            )
    Console().print(table)
    for failure in found.failures():
        typer.echo(f"not met: {failure}")
    typer.echo(found.verdict())
