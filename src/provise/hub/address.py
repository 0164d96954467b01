"""How a benchmark on the Hub is named: ``hf:NAMESPACE/NAME``, with ``@REVISION`` where one is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from provise.errors import InputError

__all__ = ["PUBLISHED", "Address", "hinted", "is_address", "parse_address", "parse_repository"]

PREFIX = "hf:"

PUBLISHED = {"spatialgen-bench": "hf:wx91726/SpatialGen-Bench"}
"""Short names of published benchmarks."""

PART = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
REVISION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*")

SPELT = re.compile(
    r"(?:hf:\s*(?://?)?(?:datasets/)?|(?:https?:/?/)?(?:www\.)?(?:huggingface\.co|hf\.co)/datasets/)"
    r"(?P<repository>[^/@\s]+/[^/@\s?#]+)(?:/tree/(?P<tree>[^?#\s]+?)|@(?P<at>\S+))?/?\s*(?:[?#].*)?$",
    re.IGNORECASE,
)
"""Other spellings of an address: as a URL, in capitals, with blanks. A path loses one of two slashes on its way here."""


@dataclass(frozen=True)
class Address:
    """A dataset repository on the Hub.

    Attributes
    ----------
    repository : str
        ``NAMESPACE/NAME``.
    revision : str
        A branch, a tag or a commit; ``main`` where none is named.
    """

    repository: str
    revision: str = "main"

    @property
    def name(self) -> str:
        """The repository without its namespace."""
        return self.repository.rpartition("/")[2]

    @property
    def origin(self) -> str:
        """The address without its revision: ``hf:NAMESPACE/NAME``."""
        return PREFIX + self.repository


def is_address(named: str | Path) -> bool:
    """Tell whether a benchmark is named by its place on the Hub.

    Examples
    --------
    >>> is_address("hf:provise/SpatialGen-Bench"), is_address("spatialgen-bench"), is_address("./spatialgen-bench")
    (True, True, False)
    """
    return str(named).startswith(PREFIX) or (isinstance(named, str) and named in PUBLISHED)


def _meant(named: str | Path) -> str:
    """Return the address that somebody may have meant with another spelling of it, or an empty text.

    Examples
    --------
    >>> _meant("https://huggingface.co/datasets/somebody/Bench/tree/v1"), _meant("HF:somebody/Bench"), _meant("a/b")
    ('hf:somebody/Bench@v1', 'hf:somebody/Bench', '')
    """
    text = str(named).strip()
    if text.casefold() in PUBLISHED:
        return text.casefold()
    found = SPELT.match(text)
    if not found:
        return ""
    revision = found["tree"] or found["at"] or ""
    address = f"{PREFIX}{found['repository']}{'@' if revision else ''}{revision}"
    try:
        _apart(address)
    except InputError:
        return ""
    return address


def parse_repository(text: str) -> str:
    """Return ``NAMESPACE/NAME``, or say what is wrong with it.

    Raises
    ------
    InputError
        If it has another form.
    """
    parts = text.split("/")
    if len(parts) != 2 or not all(PART.fullmatch(part) and "--" not in part and ".." not in part for part in parts):
        raise InputError(
            f"{text!r} is no repository; expected NAMESPACE/NAME, each of letters, digits, '-', '_' and '.', "
            "e.g. provise/SpatialGen-Bench"
        )
    return text


def parse_address(named: str | Path) -> Address:
    """Take an address apart.

    Parameters
    ----------
    named : str
        ``hf:NAMESPACE/NAME[@REVISION]``, or the short name of a published benchmark.

    Raises
    ------
    InputError
        If it has another form.

    Examples
    --------
    >>> parse_address("hf:provise/SpatialGen-Bench@v1.1")
    Address(repository='provise/SpatialGen-Bench', revision='v1.1')
    >>> parse_address("spatialgen-bench").repository
    'wx91726/SpatialGen-Bench'
    """
    try:
        return _apart(PUBLISHED.get(str(named), str(named)))
    except InputError as error:
        raise InputError(f"{error}{hinted(named)}") from error


def _apart(address: str) -> Address:
    repository, at, revision = address.removeprefix(PREFIX).partition("@")
    if at and (not REVISION.fullmatch(revision) or ".." in revision):
        raise InputError(f"{address!r}: {revision!r} is no revision; name a branch, a tag or a commit after the '@'")
    return Address(parse_repository(repository), revision if at else "main")


def hinted(named: str | Path) -> str:
    """Return the end of a message about a benchmark that is not there: what may have been meant, where it looks like that."""
    address = _meant(named)
    return f"; a benchmark on the Hub is named {address}" if address else ""
