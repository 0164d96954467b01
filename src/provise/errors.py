"""The ways a call, an input or an answer can go wrong, each a type of its own.

A `Refusal` is about the answer that is judged: the picture holds no prediction. Everything else is about the
caller's side (a wrong call, a broken file, a missing package) and is never held against a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = [
    "DataError",
    "ImageError",
    "InputError",
    "MissingDependencyError",
    "ProtocolError",
    "ProviseError",
    "Refusal",
]


class ProviseError(Exception):
    """A wrong call or input; its text is a message for the person at the keyboard (exit code 2)."""


class InputError(ProviseError):
    """An argument, a file or a row is not what was expected."""


class ProtocolError(ProviseError):
    """A protocol's YAML cannot be compiled; the message names file, step and what was expected."""


class MissingDependencyError(ProviseError):
    """A package that the work needs is not installed; the message holds the line that installs it."""


class ImageError(ProviseError):
    """Bytes that are not a picture this project reads.

    Parameters
    ----------
    code : str
        One of ``empty``, ``undecodable``, ``truncated``, ``too_large``: the reason code of the outcome.
    message : str
        What was got, what is allowed.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class DataError(ProviseError):
    """The benchmark's own fault: a truth or a reading aid that is absent or impossible.

    Parameters
    ----------
    code : str
        Reason code, e.g. ``missing_aid``, ``aid_outside``, ``missing_mask``.
    message : str
        What is missing, where, and what would be right.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Refusal(Exception):  # noqa: N818 - not an error of the program: the reader's typed "no prediction here"
    """No prediction can be read from this answer; the sample scores 0 with this reason.

    Parameters
    ----------
    code : str
        Reason code, snake case, e.g. ``no_mark``, ``source_returned``, ``multiple_slots``.
    message : str
        One sentence for a person: what was found, what the protocol asks for.
    evidence : mapping, optional
        Numbers that explain the refusal (counts, areas, distances).
    """

    def __init__(self, code: str, message: str, evidence: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.evidence: dict[str, Any] = dict(evidence or {})
