"""``provise read``: one picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provise.protocol.compile import Protocol
    from provise.reading import Reading

__all__ = ["read"]

AID = "here aids are given as --aid start=0.2,0.3  --aid coordinates=0.4,0.9,0.6,0.9  --aid holes=7"
HINTS = {
    "missing_aid": AID,
    "bad_aid": AID,
    "aid_outside": AID,
    "missing_source": "here the source is given as --source PICTURE",
    "missing_candidates": "here candidates are given as --media PICTURE, once an option, in order",
}
"""What a message that speaks of a benchmark's row means for a single picture."""


def read(
    answer: Path = typer.Argument(..., help="The picture a model drew."),
    protocol: str = typer.Option(
        ..., "--protocol", "-p", help="A name (`provise protocol list` shows all), or a YAML file."
    ),
    source: Path = typer.Option(
        None,
        "--source",
        "-s",
        help="The picture the model was given; without it, colours of the scene cannot be told from marks.",
    ),
    media: list[Path] = typer.Option(
        [], "--media", help="A further picture it was given (candidate, view); again for each, in order."
    ),
    aid: list[str] = typer.Option(
        [], "--aid", help="A reading aid: start=0.2,0.3 or coordinates=0.4,0.9,0.6,0.9 or holes=7; again for more."
    ),
    choice: list[str] = typer.Option([], "--choice", "-c", help="An option of the question; again for each, in order."),
    setting: list[str] = typer.Option(
        [], "--set", help="A setting of the protocol: kernel=3 or encoder=descriptor; again for more."
    ),
    evidence: Path = typer.Option(None, "--evidence", help="Write a picture (.jpg, .png) of what the reader saw."),
    explain: bool = typer.Option(False, "--explain", help="Print what each step found."),
    json_: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Read one answer: the prediction, or why there is none.

    Exit code 0 also where the answer is refused; 2 where the call or an input is wrong.
    """
    import json

    from provise.errors import InputError
    from provise.protocol import open_protocol
    from provise.reading import read as read_answer

    for path in (answer, *([source] if source else []), *media):
        if not path.is_file():
            raise InputError(f"{path}: is a folder; give a picture" if path.is_dir() else f"{path}: no such file")
    settings = dict(_pair(text) for text in setting)
    opened, notes = _readable(open_protocol(protocol, **settings), chosen="encoder" in settings)
    aids = dict(_pair(text) for text in aid)
    notes += _check_aid_names(opened, aids)
    found = read_answer(opened, answer, source=source, media=media, aids=aids, choices=choice)
    if evidence:
        from provise.evidence import save_answer

        save_answer(evidence, answer, found.to_dict())
    if json_:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False))
    else:
        _print(found, explain, evidence)
        for note in notes:
            typer.echo(f"note        {note}")
    if found.status == "data_error":
        raise typer.Exit(2)


def _readable(protocol: Protocol, *, chosen: bool) -> tuple[Protocol, list[str]]:
    """Return the protocol as it can be read here, as a run does: the descriptor stands in where nobody chose an encoder."""
    from provise.errors import MissingDependencyError
    from provise.runs.readers import missing_reader, stand_in

    reason = "" if protocol.spec.auxiliary else missing_reader(protocol)
    if not reason:
        return protocol, []
    if protocol.settings.get("encoder") and not chosen:
        return protocol.with_settings(encoder="descriptor"), [f"{protocol.id} {stand_in(protocol, reason)}"]
    raise MissingDependencyError(reason)


def _check_aid_names(protocol: Protocol, aids: Mapping[str, Any]) -> list[str]:
    """Refuse an aid that no protocol has, which is a slip; note one that this protocol does not read."""
    import difflib

    from provise.errors import InputError
    from provise.sample import AIDS

    for name in aids:
        if name not in AIDS:
            near = difflib.get_close_matches(name, AIDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(AIDS)}"
            raise InputError(f"there is no reading aid {name!r}; {hint}")
    unread = [name for name in aids if name not in protocol.spec.aids]
    return [f"{protocol.id} reads no aid {name}; it was not used" for name in unread]


def _pair(text: str) -> tuple[str, Any]:
    """Parse ``key=value``; numbers by commas become a list, four of them two points."""
    import yaml

    from provise.errors import InputError

    name, mark, value = text.partition("=")
    if not mark:
        raise InputError(f"{text!r}: expected key=value, e.g. start=0.2,0.3")
    try:
        parts = [float(part) for part in value.split(",")]
    except ValueError:
        parts = []
    if len(parts) == 4:
        return name, [parts[:2], parts[2:]]
    if len(parts) > 1:
        return name, parts
    try:
        return name, yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise InputError(f"{text!r}: the value cannot be read: {error}") from error


def _print(found: Reading, explain: bool, evidence: Path | None) -> None:
    import json

    if found.ok:
        typer.echo(f"prediction  {json.dumps(found.prediction, ensure_ascii=False)}")
    else:
        typer.echo(f"{found.status}  {found.reason}: {found.message}")
    if found.reason in HINTS:
        typer.echo(f"hint        {HINTS[found.reason]}")
    typer.echo(f"read by     {found.protocol} ({found.reader}), fingerprint {found.fingerprint[:12]}")
    if "aspect_changed" in found.geometry.get("notes", ()):
        a, s = found.geometry["answer_size"], found.geometry["source_size"]
        typer.echo(f"note        the answer is {a[0]}x{a[1]} for a source of {s[0]}x{s[1]}: its shape was changed")
    if "no_source" in found.geometry.get("notes", ()):
        typer.echo(
            "note        read without --source: what the scene already showed cannot be told from what was drawn"
        )
    if explain:
        for step, numbers in found.evidence.get("numbers", {}).items():
            typer.echo(f"  {step:<10} " + ", ".join(f"{k}={json.dumps(v)}" for k, v in numbers.items()))
    if evidence:
        typer.echo(f"evidence    {evidence}")
