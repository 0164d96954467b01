"""``provise benchmark build hub`` and ``push``: a benchmark as a Hub dataset repository."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from provise.hub.upload import Changes, Pushed

__all__ = ["build_folder", "build_hub", "push"]

SIGNS = {"added": "+", "changed": "~", "removed": "-", "left alone": " ", "unchanged": "="}


def build_hub(source: str, out: Path, layout: str, shrink: bool, replace: bool, repository: str, json_: bool) -> None:
    """Write a benchmark as a tree and say what was written."""
    import json

    from provise.hub.tree import build_tree

    tree = build_tree(source, out, layout=layout, shrunk=shrink, replaced=replace, repository=repository)
    if json_:
        typer.echo(json.dumps(tree.to_dict(), ensure_ascii=False))
        return
    typer.echo(f"{out}: {tree.rows} rows of {len(tree.tasks)} tasks, {tree.files} files, {_size(tree.size)}")
    typer.echo(f"read {Path(out) / 'README.md'} over, then: provise benchmark push {out} --to NAMESPACE/NAME --dry-run")


def build_folder(source: str, out: Path, json_: bool) -> None:
    """Copy a benchmark to a folder of one's own, which one may change."""
    import json
    import shutil

    from provise.benchmark import open_benchmark
    from provise.errors import InputError

    opened = open_benchmark(source)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"--out {out} is {'not empty' if out.is_dir() else 'a file'}; give a new or an empty folder")
    shutil.copytree(opened.root, out, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))
    if json_:
        typer.echo(json.dumps({"out": str(out), "rows": len(opened), "digest": opened.digest}))
    else:
        typer.echo(f"{out}: {len(opened)} rows, copied from {opened.origin or opened.root}")


def push(
    folder: Path = typer.Argument(..., help="What `provise benchmark build hub` made."),
    to: str = typer.Option(
        ..., "--to", help="NAMESPACE/NAME of the dataset repository; it is made if it is not there."
    ),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show what would change, and change nothing."),
    private: bool = typer.Option(False, "--private", help="Make a new repository private."),
    create_pr: bool = typer.Option(False, "--create-pr", help="Propose the change as a pull request."),
    message: str = typer.Option("", "--message", "-m", help="The commit's message."),
    json_: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Push a benchmark's tree to the Hub, as one commit.

    It is checked first, as `provise benchmark check` does, and refused if it fails. Needs a token that may write
    (`hf auth login`, or HF_TOKEN); a dry run of a public repository needs none.
    """
    import json

    from provise.hub.push import check_tree
    from provise.hub.upload import changes_of, upload

    report = check_tree(folder, to)
    changes = changes_of(folder, to)
    if not json_:
        _show(changes, report.rows, sum(finding.level == "warning" for finding in report.findings))
    pushed = None
    if not dry_run and changes.of("added", "changed", "removed"):
        pushed = upload(folder, changes, private=private, pull_request=create_pr, message=message)
    if json_:
        typer.echo(json.dumps({"changes": changes.to_dict(), "pushed": pushed.to_dict() if pushed else None}))
    else:
        _tell(changes, pushed, dry_run)


def _show(changes: Changes, rows: int, warnings: int) -> None:
    typer.echo(f"checked: {rows} rows, no errors, {warnings} warning{'s' if warnings != 1 else ''}")
    state = (
        f"at {changes.revision[:12]}"
        if changes.exists
        else "a new repository (none is there, or none that this token may see)"
    )
    typer.echo(f"{changes.repository}: {state}")
    for change in changes.of("added", "changed", "removed", "left alone"):
        note = "  (left alone)" if change.kind == "left alone" else ""
        typer.echo(f"  {SIGNS[change.kind]} {change.path}  {_size(change.size)}{note}")
    parts = [f"{len(found)} {kind}" for kind in SIGNS if (found := changes.of(kind))]
    size = sum(change.size for change in changes.of("added", "changed"))
    typer.echo(f"  {', '.join(parts)}; {_size(size)} to upload")


def _tell(changes: Changes, pushed: Pushed | None, dry_run: bool) -> None:
    if pushed:
        typer.echo(f"pushed: {pushed.address}\nrevision {pushed.revision}; open it as {pushed.benchmark}")
    elif dry_run:
        typer.echo("dry run: nothing was changed")
    else:
        typer.echo(f"nothing to change: {changes.repository} holds this tree already")


def _size(count: int) -> str:
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
