"""``provise protocol verify``: draw answers, degrade them, read them, and write the certificate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

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
        Exit code: 0 if every bar is met, 1 if not.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from provise.conformance import certificate as work
    from provise.conformance.report import to_json, to_markdown

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("answers drawn and read", total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        found = work.verify(names or None, answers, seed, jobs, show, str(dump) if dump else "")
    for path, text in ((out, to_markdown), (json_out, to_json)):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text(found), encoding="utf-8")
    _print(found)
    return 1 if found.failures() else 0


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
    console = Console()
    console.print(table)
    for failure in found.failures():
        console.print(f"not met: {failure}")
