"""Ask a system for one answer: again where it may help, never where its own code is wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from provise.errors import InputError
from provise.runs.handed import handed_over, said, shortened
from provise.runs.journal import Answered
from provise.runs.requests import Asked
from provise.systems.base import Answer, System, Unavailable

__all__ = ["ATTEMPTS", "BUGS", "Got", "ask_system"]

ATTEMPTS = 4
"""How often a request is asked that gets no answer."""

PATIENCE = 60.0
"""Longest wait before it is asked again, in seconds."""

BUGS = (AttributeError, NameError, TypeError, ImportError, NotImplementedError)
"""What an adapter's own code raises where it is wrong: asking again would not help."""


@dataclass(frozen=True)
class Got:
    """What a request came to: an answer, an outage, or nothing since the run was stopped before it was asked.

    Attributes
    ----------
    answer : Answer or None
        As it was handed over.
    seconds : float
        The last attempt took.
    attempts : int
        How often it was asked.
    outage : str
        Why there is no answer.
    given_up : bool
        The run was stopped before it was asked.
    kept : Answered or None
        The answer once it is committed.
    bug : bool
        The outage is a fault in the system's own code.
    """

    answer: Answer | None
    seconds: float = 0.0
    attempts: int = 1
    outage: str = ""
    given_up: bool = False
    kept: Answered | None = None
    bug: bool = False


def ask_system(system: System, asked: Asked, stop: threading.Event) -> Got:
    """Ask until there is an answer, at most `ATTEMPTS` times; a fault of the adapter is an outage with its name."""
    assert asked.request is not None
    outage = ""
    for attempt in range(1, ATTEMPTS + 1):
        if stop.is_set():
            return Got(None, given_up=True)
        start = time.perf_counter()
        try:
            answer = system.answer(asked.request)
            took = time.perf_counter() - start
        except Unavailable as error:
            outage, pause = shortened(str(error)), _pause(error.retry_after)
        except InputError as error:
            return Got(None, attempts=attempt, outage=shortened(str(error)))
        except BUGS as error:
            return Got(None, attempts=attempt, outage=f"{said(error)}{_place(error, system)}", bug=True)
        # An adapter may meet anything, also what would end the program (a command-line tool that exits); that the system
        # gave no answer is all it says about the model.
        except BaseException as error:  # noqa: BLE001
            outage, pause = said(error), None
        else:
            return _taken(answer, took, attempt)
        if pause == float("inf"):
            break
        if attempt < ATTEMPTS:
            stop.wait(min(PATIENCE, 2.0**attempt if pause is None else pause))
    return Got(None, attempts=attempt, outage=outage)


def _taken(answer: Answer, took: float, attempt: int) -> Got:
    """Return an answer in the form that can be kept; what is none is a fault of the adapter."""
    try:
        return Got(handed_over(answer), took, attempt)
    except InputError as error:
        return Got(None, attempts=attempt, outage=shortened(str(error)), bug=True)


def _place(error: BaseException, system: System) -> str:
    """Say in which line of the system's own file an exception came up; nothing where it came up elsewhere."""
    own = getattr(type(system).answer, "__code__", None)
    lines = [
        frame.tb_lineno for frame in _frames(error) if own and frame.tb_frame.f_code.co_filename == own.co_filename
    ]
    return f" ({Path(own.co_filename).name}, line {lines[-1]})" if own and lines else ""


def _frames(error: BaseException) -> Iterator[TracebackType]:
    frame = error.__traceback__
    while frame is not None:
        yield frame
        frame = frame.tb_next


def _pause(told: Any) -> float | None:
    """Return the seconds that a system asked to wait; a header is a text, and may hold a date."""
    try:
        seconds = float(told)
    except (TypeError, ValueError):
        return None
    return seconds if seconds >= 0 else None
