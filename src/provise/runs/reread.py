"""Read the answers that a run kept once more, in another way. Nothing is asked again, and the run stays as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provise.errors import InputError, MissingDependencyError
from provise.runs.pool import Job, work
from provise.runs.readers import missing_reader, refused
from provise.runs.responses import open_responses
from provise.sample import Sample
from provise.scoring import Response, Row

if TYPE_CHECKING:
    from provise.benchmark import Benchmark
    from provise.protocol.compile import Protocol
    from provise.protocol.route import Route

__all__ = ["Rereader", "kept_answers", "overridden", "pictured", "route_of"]


def kept_answers(folder: Path, given: Iterable[Path] = (), ids: Iterable[str] = ()) -> dict[str, Path]:
    """Return pictures by the SHA-256 of their bytes: those a run kept, and those of answers that are handed in again.

    Parameters
    ----------
    folder : Path
        The run's; `provise run` keeps what it was given in ``responses/``, named by digest.
    given : iterable of Path
        Folders or JSONL files as ``provise score`` takes them.
    ids : iterable of str
        The run's samples.
    """
    known = list(ids)
    found: dict[str, Path] = {}
    for path in given:
        for response in open_responses(path, known).by_id.values():
            if isinstance(response.image, Path) and response.image.is_file():
                found[_digest(response.image)] = response.image
    kept = folder / "responses"
    for file in sorted(kept.iterdir()) if kept.is_dir() else ():
        if len(file.stem) == 64 and file.suffix != ".part":
            found[file.stem] = file
    return found


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def route_of(about: Mapping[str, Any], opened: Benchmark, overrides: Iterable[str] = (), named: str = "") -> Route:
    """Return the route of a run with overrides.

    Parameters
    ----------
    about : mapping
        The run's ``run.json``.
    opened : Benchmark
        Its benchmark.
    overrides : iterable of str
        As in ``--set``.
    named : str
        The route by name or file, where it is neither the benchmark's own nor one of the package's.

    Raises
    ------
    InputError
        If the run used a route that is not at hand, or an override does not fit.
    """
    from provise.protocol.route import open_route, route_names

    used = about.get("route")
    if named or open_route(opened.route).id == used:
        return open_route(named or opened.route, overrides)
    if used in route_names():
        return open_route(str(used), overrides)
    raise InputError(f"the run used a route {used!r:.60}, which is not at hand; give its file: --route FILE.yaml")


def overridden(route: Route, overrides: Iterable[str]) -> set[str]:
    """Return the tasks that overrides name, directly or by their protocol.

    Examples
    --------
    >>> from provise.protocol.route import open_route
    >>> texts = ["size=dual_measure", "relative_depth.kernel=3"]
    >>> sorted(overridden(open_route("spatialgen-bench", texts), texts))
    ['depth', 'size']
    """
    lefts = [text.partition("=")[0] for text in overrides]
    protocols = {left.partition(".")[0] for left in lefts if "." in left}
    return {task for task, protocol in route.protocols.items() if task in lefts or protocol.id in protocols}


@dataclass(frozen=True)
class Rereader:
    """A run's rows with the answers behind them.

    Parameters
    ----------
    folder : Path
        Of the run, for messages.
    rows : sequence of Row
        As the run read them.
    samples : mapping of str to Sample
        The benchmark's, by id.
    answers : mapping of str to Path
        Of `kept_answers`.
    jobs : int
        Processes.
    """

    folder: Path
    rows: Sequence[Row]
    samples: Mapping[str, Sample]
    answers: Mapping[str, Path]
    jobs: int = 1

    def read(self, protocols: Mapping[str, Protocol], progress: Callable[[Row], None] | None = None) -> list[Row]:
        """Return the rows with some tasks read by other protocols.

        Parameters
        ----------
        protocols : mapping of str to Protocol
            By task; the rows of other tasks stay as they are, and so do those without a picture: words, failures,
            outages.
        progress : callable, optional
            Called with each row that was read.

        Raises
        ------
        MissingDependencyError
            If a reader needs what is not installed.
        InputError
            If an answer is not at hand, or a sample is not in the benchmark.
        """
        reasons = {task: missing_reader(protocol) for task, protocol in protocols.items()}
        if lacking := {task: reason for task, reason in reasons.items() if reason}:
            raise MissingDependencyError(refused(lacking).partition(", or leave them out")[0])
        todo = [row for row in self.rows if row.task in protocols and pictured(row)]
        self._check(todo)
        jobs = [Job(self.samples[r.id], Response(image=self.answers[r.response]), protocols[r.task]) for r in todo]
        read: dict[str, Row] = {}
        for row in work(jobs, self.jobs):
            read[row.id] = row
            if progress:
                progress(row)
        return [read.get(row.id, row) for row in self.rows]

    def _check(self, todo: Sequence[Row]) -> None:
        foreign = [row.id for row in todo if row.id not in self.samples]
        if foreign:
            raise InputError(f"{self.folder}: sample {foreign[0]!r} is not in the benchmark")
        lost = [row.id for row in todo if row.response not in self.answers]
        if lost:
            raise InputError(
                f"{self.folder}: {len(lost)} of {len(todo)} answers to read are not kept in it ({', '.join(lost[:3])}"
                f"{', ...' if len(lost) > 3 else ''}). They are kept in responses/; after `provise score --no-evidence` give "
                "them again, the same files: --responses FOLDER"
            )


def pictured(row: Row) -> bool:
    """Tell whether a row was read from a picture: not words, not a failure to give one, not an outage."""
    return bool(row.response) and row.error is None and row.reader != "text" and row.outcome != "generation_failure"
