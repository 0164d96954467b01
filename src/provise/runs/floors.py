"""What `blank` and `copy` score on a benchmark: they are asked and read like any system, once, and remembered."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provise.errors import InputError
from provise.runs.folder import write_whole
from provise.runs.pool import Job, work
from provise.runs.readers import missing_reader
from provise.runs.requests import ask
from provise.sample import Sample
from provise.scoring import Response

if TYPE_CHECKING:
    from provise.protocol.compile import Protocol
    from provise.systems import System

__all__ = ["SYSTEMS", "DoingNothing", "score_doing_nothing"]

SYSTEMS = ("blank", "copy")
"""The two systems that do nothing."""

REMEMBERED = 60
"""Readings from which on the scores are kept in the user's cache: fewer are made as fast as they are looked up."""


@dataclass(frozen=True)
class DoingNothing:
    """What the two systems score on a task, in percent.

    Attributes
    ----------
    n : int
        Samples that were read.
    blank, copy : float or None
        None where no sample came to an outcome.
    """

    n: int
    blank: float | None = None
    copy: float | None = None


def score_doing_nothing(
    samples: Sequence[Sample],
    protocols: Mapping[str, Protocol],
    *,
    digest: str,
    limit: int,
    jobs: int = 0,
    cache: Path | None = None,
) -> dict[str, DoingNothing]:
    """Ask `blank` and `copy` the first questions of each task, read what they hand over, and score it.

    Parameters
    ----------
    samples : sequence of Sample
        In the benchmark's order.
    protocols : mapping of str to Protocol
        By task; other tasks, and those whose reader is not installed, are left out.
    digest : str
        Of the benchmark.
    limit : int
        Samples of each task.
    jobs : int
        Processes; 0 is one a core.
    cache : Path, optional
        Folder in which many scores are remembered, by all that decides them.

    Returns
    -------
    dict of str to DoingNothing
        By task.
    """
    usable = {task: protocol for task, protocol in protocols.items() if not missing_reader(protocol)}
    chosen: dict[str, list[Sample]] = {}
    for sample in samples:
        if sample.task in usable and len(chosen.setdefault(sample.task, [])) < limit:
            chosen[sample.task].append(sample)
    todo = [sample for group in chosen.values() for sample in group]
    place = cache / "floors" / f"{_key(todo, usable, digest)}.json" if cache and 2 * len(todo) >= REMEMBERED else None
    if place and (known := _recalled(place, chosen)) is not None:
        return known
    scores = _scores(todo, usable, jobs)
    found = {
        task: DoingNothing(len(group), *(_percent(scores[name, s.id] for s in group) for name in SYSTEMS))
        for task, group in chosen.items()
    }
    if place:
        _remember(place, found)
    return found


def _scores(
    samples: Sequence[Sample], protocols: Mapping[str, Protocol], jobs: int
) -> dict[tuple[str, str], float | None]:
    from provise.systems import open_system

    found: dict[tuple[str, str], float | None] = {}
    for name in SYSTEMS:
        system = open_system(name)
        todo = [job for s in samples if (job := _job(s, protocols[s.task], system)) is not None]
        found |= {(name, s.id): None for s in samples}
        found |= {(name, row.id): row.score for row in work(todo, jobs or os.cpu_count() or 1)}
    return found


def _job(sample: Sample, protocol: Protocol, system: System) -> Job | None:
    """Return what is to be read; None where nothing can be asked, which is the benchmark's fault."""
    asked = ask(sample, protocol, system)
    if asked.request is None:
        return None
    try:
        return Job(sample, Response(image=system.answer(asked.request).image), protocol)
    except OSError:
        return None


def _percent(scores: Iterable[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return 100 * sum(known) / len(known) if known else None


def _key(samples: Sequence[Sample], protocols: Mapping[str, Protocol], digest: str) -> str:
    from provise import __version__
    from provise.reading import reader_name

    tasks = dict.fromkeys(sample.task for sample in samples)
    read = [(task, protocols[task].fingerprint, reader_name(protocols[task])) for task in tasks]
    whole = [__version__, digest, read, [sample.id for sample in samples]]
    return hashlib.sha256(json.dumps(whole).encode()).hexdigest()


def _recalled(place: Path, chosen: Mapping[str, Sequence[Sample]]) -> dict[str, DoingNothing] | None:
    """Return what is remembered; None where that is nothing, or cannot be understood."""
    try:
        held: Any = json.loads(place.read_text("utf-8"))
        found = {task: DoingNothing(**held[task]) for task in chosen}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found


def _remember(place: Path, found: Mapping[str, DoingNothing]) -> None:
    """Keep scores for the next time; where they cannot be kept, they are made again then."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, json.dumps({task: asdict(one) for task, one in found.items()}))
    except (OSError, InputError):
        return
