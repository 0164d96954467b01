"""What every system is: it gets a request and returns an answer, or says why there is none."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from provise.errors import InputError
from provise.sample import PublicSample, Sample

if TYPE_CHECKING:
    from provise.answers import Declared

__all__ = ["Answer", "Request", "System", "Unavailable", "plain_identity"]


class Unavailable(Exception):  # noqa: N818 - an outage, no fault of the call
    """The system gave no answer for now: a timeout, a full queue, a lost connection. The runner tries again.

    Parameters
    ----------
    message : str
        What happened.
    retry_after : float, optional
        Seconds to wait, where the system said so.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


@dataclass(frozen=True)
class Answer:
    """What a system handed over: exactly one of a picture, a text and an error.

    Parameters
    ----------
    image : bytes, optional
        A picture's file, exactly as received.
    text : str, optional
        Words.
    error : str
        The system's own failure: it refused, or produced nothing. It scores 0.
    cost : float, optional
        In US dollars, where the system says so.
    details : mapping
        What the system says beside it (model version, request id); JSON values.
    coordinates : Declared, optional
        How its words write points; shares of the frame, x first, where it is left out.
    """

    image: bytes | None = None
    text: str | None = None
    error: str = ""
    cost: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    coordinates: Declared | None = None


@dataclass(frozen=True)
class Request:
    """One question as a system gets it.

    Parameters
    ----------
    sample : PublicSample
        The row without its truth.
    prompt : str
        What to draw and how, or the question in words for a system that answers in words.
    images : tuple of Path
        Pictures, the primary one first.
    protocol : str
        The protocol's id.
    size : tuple of int
        Width and height of the primary picture, as seen.
    settings : mapping
        The protocol's settings.
    truth : Sample, optional
        The whole row; only for a system that declares `System.needs_truth`.
    """

    sample: PublicSample
    prompt: str
    images: tuple[Path, ...]
    protocol: str
    size: tuple[int, int]
    settings: Mapping[str, Any] = field(default_factory=dict)
    truth: Sample | None = None

    def digest(self, system: System) -> str:
        """Return the SHA-256 of all that decides what is asked: system, settings, prompt, picture bytes.

        The protocol's reading is no part of it: a protocol that reads otherwise asks the same.
        """
        pictures = []
        for path in self.images:
            with path.open("rb") as file:
                pictures.append(hashlib.file_digest(file, "sha256").hexdigest())
        asked = {
            "system": plain_identity(system),
            "sample": self.sample.id,
            "prompt": self.prompt,
            "images": pictures,
            "protocol": self.protocol,
            "stamp": system.stamp(self),
        }
        if self.truth is not None:
            asked["truth"] = self.truth.to_row()
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def plain_identity(system: System) -> Any:
    """Return a system's identity in the one form in which it is kept and compared.

    Parameters
    ----------
    system : System
        Any.

    Returns
    -------
    JSON values
        Tuples are lists, keys are texts: as the identity comes back from a file.

    Raises
    ------
    InputError
        If it holds what is no JSON value: a function or an object has another name in every process, so that a run could
        never go on.

    Examples
    --------
    >>> from provise.systems import open_system
    >>> plain_identity(open_system("blank"))
    {'kind': 'blank', 'name': '', 'settings': {}}
    """

    def refuse(value: Any) -> Any:
        raise InputError(
            f"system {getattr(system, 'kind', type(system).__name__)!r}: its settings hold a {type(value).__qualname__}; expected "
            "texts, numbers, true or false, None, lists and mappings of these. They tell one system from another, also in the "
            "next process: keep anything else as an attribute"
        )

    if not isinstance(getattr(system, "kind", None), str):
        raise InputError(f"system {type(system).__name__} has no kind; give the class a text of that name")
    try:
        return json.loads(json.dumps(system.identity(), default=refuse))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"system {system.kind!r}: its settings cannot be written as JSON ({error})") from error


class System(ABC):
    """Something that is evaluated. ``answer`` is called from several threads at once.

    Attributes
    ----------
    kind : str
        The part of a SPEC before the colon.
    interface : {"image", "text"}
        Whether it draws or writes.
    needs_truth : bool
        Whether it is given the truth: only the package's own trial systems may.
    concurrency : int
        Requests in flight where the caller names no number.
    """

    kind: ClassVar[str]
    interface: ClassVar[Literal["image", "text"]] = "image"
    needs_truth: ClassVar[bool] = False
    concurrency: ClassVar[int] = 4

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self.name = name
        self.settings = dict(settings)

    @property
    def spec(self) -> str:
        """The SPEC in its one normal form: settings sorted, defaults written out."""
        tail = "&".join(f"{key}={self.settings[key]}" for key in sorted(self.settings))
        return f"{self.kind}{':' + self.name if self.name else ''}{'?' + tail if tail else ''}"

    def identity(self) -> dict[str, Any]:
        """Return what tells this system from any other, as JSON values; it enters each request's digest."""
        return {"kind": self.kind, "name": self.name, "settings": self.settings}

    def prepare(self, samples: Sequence[Sample]) -> None:  # noqa: B027 - most systems have nothing to prepare
        """Get ready for a run over some samples; called once, before anything is asked."""

    def stamp(self, request: Request) -> str:
        """Return what else decides the answer to a request, and would have it asked again: an answer file's digest."""
        return ""

    @abstractmethod
    def answer(self, request: Request) -> Answer:
        """Answer one request.

        Raises
        ------
        Unavailable
            If there is no answer for now; the runner asks again, and at last counts it as an outage, never as a failure.
        """

    def close(self) -> None:  # noqa: B027 - most systems hold nothing
        """Let go of what the system holds: connections, memory. Called once, at the end."""
