"""How a benchmark on the Hub is named: ``hf:NAMESPACE/NAME``, with ``@REVISION`` where one is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from provise.errors import InputError

__all__ = ["PUBLISHED", "Address", "is_address", "parse_address", "parse_repository"]

PREFIX = "hf:"

PUBLISHED = {"spatialgen-bench": "hf:wx91726/SpatialGen-Bench"}
"""Short names of published benchmarks."""

PART = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
REVISION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*")


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
    text = PUBLISHED.get(str(named), str(named)).removeprefix(PREFIX)
    repository, at, revision = text.partition("@")
    if at and (not REVISION.fullmatch(revision) or ".." in revision):
        raise InputError(f"{str(named)!r}: {revision!r} is no revision; name a branch, a tag or a commit after the '@'")
    return Address(parse_repository(repository), revision if at else "main")
