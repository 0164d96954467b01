"""What a system handed over, brought into the form that can be kept: an adapter may hand over anything."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from provise.answers import parse_declared
from provise.errors import InputError
from provise.runs.folder import store_response
from provise.runs.journal import Answered
from provise.scoring import Response
from provise.systems.base import Answer

__all__ = ["COORDINATES", "as_response", "handed_over", "keep_answer", "said", "shortened", "whole_text"]

COORDINATES = "provise.coordinates"
"""Where the journal keeps, among an answer's details, how its words write points."""

LONGEST = 2000
"""Characters that are kept of an error message; some servers answer with a whole page."""


def said(error: BaseException) -> str:
    """Return what an exception says with its type's name, whatever it is; text that no file can keep is replaced."""
    name = type(error).__name__
    try:
        words = str(error)
    except Exception:  # noqa: BLE001 - an exception of somebody's own may have no words
        words = ""
    return shortened(f"{name}: {words}" if words else name)


def shortened(text: str) -> str:
    """Return a message as it is kept."""
    text = whole_text(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text)} characters)"


def whole_text(text: str) -> str:
    """Return a text in which halves of surrogate pairs, which no file can keep, are replacement characters.

    Examples
    --------
    >>> whole_text("cut in an emoji: " + chr(0xD83D))[-1] == chr(0xFFFD)
    True
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def handed_over(answer: Any) -> Answer:
    """Return an answer that can be kept.

    What is beside the answer is brought into form where it can be, and left out where not: nobody asks a second time for
    a cost that is no number. The picture, the words or the error must be what they should be.

    Parameters
    ----------
    answer : Any
        What ``System.answer`` returned.

    Raises
    ------
    InputError
        If it is no `Answer`, or its picture is no bytes, its text or error no text: the adapter's fault.

    Examples
    --------
    >>> handed_over(Answer(text="B", cost="free", details={"tokens": {1, 2}})).details
    {'tokens': '{1, 2}'}
    """
    if not isinstance(answer, Answer):
        raise InputError(f"the system returned {_form(answer)}; expected a provise.systems.Answer")
    # An adapter is held to no types.
    image, text, error = cast("tuple[Any, Any, Any]", (answer.image, answer.text, answer.error))
    if isinstance(image, bytearray | memoryview):
        image = bytes(image)
    if image is not None and not isinstance(image, bytes):
        raise InputError(
            f"the system's answer has {_form(image)} for its image; expected the bytes of a picture's file"
        )
    if text is not None and not isinstance(text, str):
        raise InputError(f"the system's answer has {_form(text)} for its text; expected a text")
    if error is not None and not isinstance(error, str):
        raise InputError(f"the system's answer has {_form(error)} for its error; expected a text")
    return replace(
        answer,
        image=image,
        text=None if text is None else whole_text(text),
        error=shortened(error or ""),
        cost=_cost(answer.cost),
        details=_details(answer.details),
    )


def _form(value: Any) -> str:
    return (
        "None" if value is None else f"a {type(value).__module__}.{type(value).__qualname__}".replace("builtins.", "")
    )


def _cost(cost: Any) -> float | None:
    """Return a cost in US dollars, None where it is no amount."""
    try:
        amount = float(cost)
    except (TypeError, ValueError, OverflowError):
        return None
    return amount if math.isfinite(amount) and amount >= 0 else None


def _details(details: Any) -> Mapping[str, Any]:
    """Return details as JSON values; what is none is written as text."""
    if not isinstance(details, Mapping):
        return {} if details is None else {"details": shortened(_text(details))}
    found = {}
    for key, value in details.items():
        try:
            found[key if isinstance(key, str) else _text(key)] = json.loads(json.dumps(value, default=_text))
        except (TypeError, ValueError, RecursionError):
            found[_text(key)] = shortened(_text(value))
    return found


def _text(value: Any) -> str:
    try:
        return str(value)
    except Exception:  # noqa: BLE001 - an object of somebody's own may have no words
        return type(value).__name__


def keep_answer(folder: Path, request: str, sample: str, answer: Answer, *, seconds: float, attempts: int) -> Answered:
    """Keep an answer's bytes in a run's folder and return what the journal says of it.

    Parameters
    ----------
    folder : Path
        The run's.
    request, sample : str
        Digest of what was asked, and of which sample.
    answer : Answer
        Of `handed_over`.
    seconds, attempts : float, int
        How long it took, and how often it was asked.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    given = [part for part in (answer.image, answer.text, answer.error or None) if part is not None]
    base: dict[str, Any] = {
        "details": dict(answer.details), "cost": answer.cost, "seconds": seconds, "attempts": attempts,
    }  # fmt: skip
    if len(given) != 1:
        error = f"the system handed over {len(given)} of picture, text and error; exactly one was expected"
        return Answered(request, sample, error=error, **base)
    if answer.image is not None:
        digest, file = store_response(folder, answer.image)
        return Answered(request, sample, digest, file, **base)
    if answer.text is not None:
        digest = hashlib.sha256(answer.text.encode()).hexdigest()
        if answer.coordinates is not None:
            base["details"][COORDINATES] = answer.coordinates.to_dict()
        return Answered(request, sample, digest, text=answer.text, **base)
    return Answered(request, sample, error=answer.error, **base)


def as_response(folder: Path, answer: Answered) -> Response:
    """Return a committed answer as it is read and scored."""
    if answer.file:
        return Response(image=folder / answer.file)
    if answer.text is not None:
        declared = answer.details.get(COORDINATES)
        return Response(text=answer.text, coordinates=None if declared is None else parse_declared(declared))
    return Response(error=answer.error, kind="generation")
