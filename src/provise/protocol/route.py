"""Routes: which protocol asks and reads each task of a benchmark."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from provise.errors import InputError, ProtocolError
from provise.protocol.catalogue import open_protocol
from provise.protocol.compile import Protocol
from provise.resources import data_folder
from provise.schema_words import describe

__all__ = ["Route", "open_route", "protocol_files", "route_names"]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    protocol: str
    settings: dict[str, Any] = Field(default_factory=dict)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    title: str = ""
    tasks: dict[str, _Entry]


@dataclass(frozen=True)
class Route:
    """A benchmark's tasks, each with its protocol.

    Attributes
    ----------
    id : str
        Its name.
    protocols : mapping of str to Protocol
        By task.
    chosen : frozenset of str
        Protocols whose encoder somebody chose, in the route or on the command line: it is never replaced.
    overrides : tuple of str
        What was changed when it was opened, as ``--set`` takes it.
    """

    id: str
    protocols: Mapping[str, Protocol]
    chosen: frozenset[str] = frozenset()
    overrides: tuple[str, ...] = ()

    def with_descriptor(self, task: str) -> Route:
        """Return the route with the built-in descriptor as one task's encoder."""
        protocol = self.protocols[task].with_settings(encoder="descriptor")
        return replace(self, protocols={**self.protocols, task: protocol})

    def protocol(self, task: str) -> Protocol:
        """Return the protocol of a task.

        Raises
        ------
        InputError
            If the route has no such task.
        """
        if task not in self.protocols:
            known = ", ".join(self.protocols)
            raise InputError(
                f"route {self.id} has no task {task!r}; it has {known}. Leave it out with --tasks, "
                "or give a --route FILE.yaml that has it"
            )
        return self.protocols[task]


def route_names() -> list[str]:
    """Return the routes that come with the package."""
    return sorted(path.stem for path in data_folder("protocols").glob("*.yaml"))


def open_route(name: str, overrides: Iterable[str] = ()) -> Route:
    """Open a route by name or file.

    Parameters
    ----------
    name : str
        A name (``spatialgen-bench``) or a YAML file.
    overrides : iterable of str
        ``task=protocol`` or ``protocol.setting=value``: another protocol for a task, another setting wherever a
        protocol is used, e.g. ``size=dual_measure``, ``grounding=mine.yaml`` or ``state_matching.encoder=descriptor``.

    Raises
    ------
    InputError, ProtocolError
        If there is no such route, or a file or an override does not fit.
    """
    path = Path(name) if name.endswith((".yaml", ".yml")) else data_folder("protocols") / f"{name}.yaml"
    if not path.is_file():
        raise InputError(f"no route {name!r}; there are {', '.join(route_names())}, or give a .yaml file")
    try:
        parsed = _File.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        raise ProtocolError("\n".join(f"{path}: {sentence}" for sentence in describe(error, _File))) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # no UTF-8, or a date that is none, is a ValueError
        raise ProtocolError(f"{path}: not valid YAML: {error}") from error
    overrides = tuple(overrides)
    swaps, settings = _overrides(overrides, parsed)
    protocols = {}
    for task, entry in parsed.tasks.items():
        chosen = swaps.get(task, entry.protocol)
        own = entry.settings if chosen == entry.protocol else {}
        if task not in swaps:
            chosen = _beside(path, chosen)
        protocol = open_protocol(chosen, **own)
        extra = settings.get(protocol.id)
        protocols[task] = open_protocol(chosen, **{**own, **extra}) if extra else protocol
    _all_used(settings, protocols)
    given = {name for name, values in settings.items() if "encoder" in values}
    kept = {task: entry for task, entry in parsed.tasks.items() if swaps.get(task, entry.protocol) == entry.protocol}
    given |= {protocols[task].id for task, entry in kept.items() if "encoder" in entry.settings}
    return Route(parsed.id, protocols, frozenset(given), overrides)


def _beside(route: Path, protocol: str) -> str:
    """Return a protocol's file where it lies beside the route that names it; else the name as it stands."""
    if not protocol.endswith((".yaml", ".yml")):
        return protocol
    found = route.parent / protocol
    return str(found) if found.is_file() else protocol


def protocol_files(route: str | Path) -> list[str]:
    """Return the files of protocols that a route's file names, as it names them.

    Raises
    ------
    InputError, ProtocolError
        If the route cannot be opened.
    """
    open_route(str(route))
    parsed = _File.model_validate(yaml.safe_load(Path(route).read_text(encoding="utf-8")))
    return sorted({entry.protocol for entry in parsed.tasks.values() if entry.protocol.endswith((".yaml", ".yml"))})


def _all_used(settings: Mapping[str, Mapping[str, Any]], protocols: Mapping[str, Protocol]) -> None:
    """Refuse a setting of a protocol that no task uses: the run would go on as if nobody had asked for it."""
    used = sorted({protocol.id for protocol in protocols.values()})
    for name, values in settings.items():
        if name not in used:
            first = next(iter(values))
            if name in protocols:
                raise InputError(
                    f"override '{name}.{first}=...': no task is read by a protocol {name!r}; it is a task, and its "
                    f"protocol's settings go by the protocol's name: --set {protocols[name].id}.{first}=VALUE"
                )
            near = difflib.get_close_matches(name, used, n=1)
            hint = f"did you mean {near[0]}?" if near else f"tasks are read by {', '.join(used)}"
            raise InputError(
                f"override '{name}.{first}=...': no task is read by a protocol {name!r}; {hint} "
                f"(another reader for a task: --set TASK={name})"
            )


def _overrides(overrides: Iterable[str], parsed: _File) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    swaps: dict[str, str] = {}
    settings: dict[str, dict[str, Any]] = {}
    for text in overrides:
        left, mark, value = text.partition("=")
        if not mark or not value:
            raise InputError(f"override {text!r}: expected task=protocol or protocol.setting=value")
        protocol, dot, setting = left.partition(".")
        if dot:
            settings.setdefault(protocol, {})[setting] = yaml.safe_load(value)
        elif left in parsed.tasks:
            swaps[left] = value
        else:
            raise InputError(
                f"override {text!r}: {left!r} is no task of {parsed.id}; there are {', '.join(parsed.tasks)}"
            )
    return swaps, settings
