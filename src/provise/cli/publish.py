"""``provise publish``: bring what this project has to the Hub."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from provise.hub.upload import Changes, Pushed

__all__ = ["app"]

app = typer.Typer(help="Push the evaluate modules to the Hub, as Spaces.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Push to the Hub."""


@app.command()
def metrics(
    to: str = typer.Option(..., "--to", help="The namespace on the Hub; each module is NAMESPACE/MODULE there."),
    only: str = typer.Option("", "--only", help="Only these modules: depth,grounding."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show what would change, and change nothing."),
    private: bool = typer.Option(False, "--private", help="Make new Spaces private."),
    create_pr: bool = typer.Option(False, "--create-pr", help="Propose the changes as pull requests."),
    message: str = typer.Option("", "--message", "-m", help="The commits' message."),
    json_: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Push the evaluate modules as Spaces, one commit each.

    A module that the Hub has already is left alone, so the same command again goes on after a failure. Needs a token that
    may write (`hf auth login`, or HF_TOKEN); a dry run needs none.
    """
    import json

    from provise.hub.spaces import chosen_modules, module_folder
    from provise.hub.upload import changes_of, upload

    told: list[dict[str, Any]] = []
    for name in chosen_modules(only):
        folder = module_folder(name)
        changes = changes_of(folder, f"{to}/{name}", "space")
        pushed = None
        if not dry_run and changes.of("added", "changed"):
            pushed = upload(folder, changes, private=private, pull_request=create_pr, message=message)
        if json_:
            told.append({"changes": changes.to_dict(), "pushed": pushed.to_dict() if pushed else None})
        else:
            _tell(changes, pushed, folder)
    if json_:
        typer.echo(json.dumps(told))
    elif dry_run:
        typer.echo("dry run: nothing was changed")


def _tell(changes: Changes, pushed: Pushed | None, folder: Path) -> None:
    named = ", ".join(change.path for change in changes.of("added", "changed"))
    state = "new, " if not changes.exists else ""
    if not named:
        typer.echo(f"{changes.repository}: as in {folder.name}/ already")
    elif pushed:
        typer.echo(f"{changes.repository}: pushed {named} to {pushed.address}")
    else:
        typer.echo(f"{changes.repository}: {state}would push {named}")
