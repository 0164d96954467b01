"""System SPECs: ``kind:name?setting=value&setting=value``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from provise.errors import InputError
from provise.systems.base import System

__all__ = ["KINDS", "Kind", "Setting", "kind", "open_system", "parse_spec"]


@dataclass(frozen=True)
class Setting:
    """A setting of a kind of system.

    Parameters
    ----------
    default : bool, int, float or str
        Its type is the setting's.
    low, high : float, optional
        Least and greatest value, both allowed.
    doc : str
        One line for a person.
    """

    default: Any
    low: float | None = None
    high: float | None = None
    doc: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of system: how it is made, what may be set, whether it has a name.

    Parameters
    ----------
    make : callable
        ``make(name, settings)``.
    settings : mapping of str to Setting
        By name.
    named : str
        What its name is (``a folder``); empty where it has none.
    doc : str
        One line for a person.
    """

    make: Callable[[str, Mapping[str, Any]], System]
    settings: Mapping[str, Setting]
    named: str
    doc: str


KINDS: dict[str, Kind] = {}
"""By the part of a SPEC before the colon."""


def kind(
    name: str, *, doc: str, named: str = "", **settings: Setting
) -> Callable[[Callable[[str, Mapping[str, Any]], System]], Callable[[str, Mapping[str, Any]], System]]:
    """Register a kind of system."""

    def register(make: Callable[[str, Mapping[str, Any]], System]) -> Callable[[str, Mapping[str, Any]], System]:
        KINDS[name] = Kind(make, settings, named, doc)
        return make

    return register


def parse_spec(spec: str) -> tuple[str, str, dict[str, str]]:
    """Return kind, name and settings of a SPEC, as text.

    Raises
    ------
    InputError
        If a setting has no value or comes twice.

    Examples
    --------
    >>> parse_spec("draughtsman?accuracy=.7&seed=3")
    ('draughtsman', '', {'accuracy': '.7', 'seed': '3'})
    >>> parse_spec("folder:my answers/v2")
    ('folder', 'my answers/v2', {})
    """
    head, _, tail = spec.strip().partition("?")
    what, _, name = head.partition(":")
    settings: dict[str, str] = {}
    for part in filter(None, tail.split("&")):
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise InputError(f"system {spec!r}: {part!r} is no setting; expected kind:name?setting=value&setting=value")
        if key in settings:
            raise InputError(f"system {spec!r}: {key} is set twice")
        settings[key] = unquote(value)
    return what.strip(), name.strip(), settings


def open_system(spec: str) -> System:
    """Make the system that a SPEC names.

    Parameters
    ----------
    spec : str
        ``kind:name?setting=value``, e.g. ``draughtsman?accuracy=.7``, ``folder:answers``, ``blank``.

    Raises
    ------
    InputError
        If the kind or a setting is unknown, a value is not allowed, or a name is missing or too many.

    Examples
    --------
    >>> open_system("draughtsman?accuracy=.7").spec
    'draughtsman?accuracy=0.7&seed=0'
    """
    what, name, given = parse_spec(spec)
    if what not in KINDS:
        raise InputError(f"system {spec!r}: there is no kind {what!r}; allowed are {', '.join(sorted(KINDS))}")
    known = KINDS[what]
    if known.named and not name:
        raise InputError(f"system {spec!r} lacks its name, {known.named}: {what}:NAME")
    if name and not known.named:
        raise InputError(f"system {spec!r}: {what} has no name; settings follow a question mark: {what}?setting=value")
    unknown = [key for key in given if key not in known.settings]
    if unknown:
        allowed = ", ".join(known.settings) or "none"
        raise InputError(f"system {spec!r}: {what} has no setting {unknown[0]!r}; allowed are {allowed}")
    values = {key: _value(spec, key, one, given.get(key)) for key, one in known.settings.items()}
    return known.make(name, values)


def _value(spec: str, key: str, setting: Setting, text: str | None) -> Any:
    """Return a setting's value in the type of its default."""
    if text is None:
        return setting.default
    form = type(setting.default)
    try:
        if form is bool:
            value: Any = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[text.lower()]
        else:
            value = form(text)
    except (ValueError, KeyError):
        raise InputError(f"system {spec!r}: {key} is {text!r}; expected {_FORMS[form]}") from None
    low, high = setting.low, setting.high
    # Not a number compares false with everything.
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        raise InputError(
            f"system {spec!r}: {key} is {text}; allowed are {low:g} to {'any' if high is None else f'{high:g}'}"
        )
    return value


_FORMS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
