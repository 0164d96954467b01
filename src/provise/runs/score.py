"""Score answers made elsewhere: read, score and write them down, on several cores."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from provise.analysis.intervals import summarise_with_intervals
from provise.benchmark import Benchmark
from provise.errors import MissingDependencyError
from provise.protocol.route import Route, open_route
from provise.runs.folder import write_whole
from provise.runs.pool import Job, work
from provise.runs.readers import missing_reader, refused, unreadable_row, with_readers
from provise.runs.responses import Responses, open_responses
from provise.sample import Sample
from provise.scoring import Row

__all__ = ["Run", "drop_copies", "score_responses", "write_run"]


@dataclass
class Run:
    """Scored rows in the benchmark's order, and their summary.

    Attributes
    ----------
    rows : list of Row
        One a sample.
    problems : list of str
        What a person should know: answers of no sample, a stand-in reader.
    route : Route or None
        The route as it was used.
    lost : list of str
        Rows of the benchmark that could not be read or repeat an id: they were never asked, so the run is incomplete.
    stand_ins : dict of str to str
        Task -> the encoder in whose place the built-in descriptor read.
    """

    rows: list[Row]
    problems: list[str] = field(default_factory=list)
    route: Route | None = None
    lost: list[str] = field(default_factory=list)
    stand_ins: dict[str, str] = field(default_factory=dict)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Task, capability and overall scores with 95 % intervals; no overall score where rows of the benchmark were lost."""
        found = summarise_with_intervals(self.rows)
        if self.lost:
            found["overall"]["score"] = None
            found["incomplete"] += [{"id": None, "kind": "data_error", "reason": reason} for reason in self.lost]
        return found

    @property
    def incomplete(self) -> list[Row]:
        """The rows without an outcome."""
        return [row for row in self.rows if row.error]


def score_responses(
    samples: Sequence[Sample] | Benchmark,
    responses: Responses | str | Path,
    route: Route | str,
    *,
    missing: str = "error",
    jobs: int = 0,
    evidence: Path | None = None,
    keep: Path | None = None,
    skip_unreadable: bool = False,
    progress: Callable[[Row], None] | None = None,
) -> Run:
    """Read and score a benchmark's answers.

    Parameters
    ----------
    samples : sequence of Sample, or Benchmark
        The benchmark, or a part of it.
    responses : Responses, str or Path
        What was handed in; a folder or a JSONL file is opened as `provise.open_responses` does.
    route : Route or str
        Which protocol reads each task; a name or a YAML file is opened as `provise.open_route` does.
    missing : {"error", "zero"}
        What a sample without an answer is.
    jobs : int
        Processes; 0 is one a core.
    evidence : Path, optional
        Folder for one evidence picture a sample.
    keep : Path, optional
        A run's folder, whose ``responses/`` gets a copy of each answer, named by its SHA-256.
    skip_unreadable : bool
        Leave tasks whose reader is not installed without an outcome, instead of refusing to start.
    progress : callable, optional
        Called with each row as it is done.

    Raises
    ------
    MissingDependencyError
        If a task's reader needs something that is not installed, before anything is read.
    """
    samples = samples.samples if isinstance(samples, Benchmark) else samples
    if isinstance(responses, str | Path):
        responses = open_responses(responses, [sample.id for sample in samples])
    readers = with_readers(samples, open_route(route) if isinstance(route, str) else route)
    route = readers.route
    unreadable = _unreadable(samples, responses, route)
    if unreadable and not skip_unreadable:
        raise MissingDependencyError(refused(unreadable))
    for folder in (evidence, keep / "responses" if keep else None):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    todo = [Job(s, responses.by_id.get(s.id), route.protocol(s.task), evidence, missing, keep) for s in samples]
    rows = _rows(todo, unreadable, jobs, progress)
    return Run(rows, [*readers.notes, *responses.problems], route, stand_ins=readers.stand_ins)


def _rows(todo: list[Job], unreadable: dict[str, str], jobs: int, progress: Callable[[Row], None] | None) -> list[Row]:
    """Do the jobs and return their rows in order; those of a task without a reader are not done."""
    rows = []
    for row in work([job for job in todo if job.sample.task not in unreadable], jobs or os.cpu_count() or 1):
        rows.append(row)
        if progress:
            progress(row)
    done = iter(rows)
    return [
        unreadable_row(j.sample, j.protocol, unreadable[j.sample.task]) if j.sample.task in unreadable else next(done)
        for j in todo
    ]


def _unreadable(samples: Sequence[Sample], responses: Responses, route: Route) -> dict[str, str]:
    """Return the tasks with a visual answer whose reader is not there, and why."""
    found: dict[str, str] = {}
    for sample in samples:
        protocol = route.protocol(sample.task)
        response = responses.by_id.get(sample.id)
        if sample.task in found or response is None or response.image is None:
            continue
        reason = missing_reader(protocol)
        if reason:
            found[sample.task] = reason
    return found


def write_run(run: Run, out: Path, **about: Any) -> None:
    """Write ``samples.jsonl``, ``summary.json`` and ``run.json``; each appears whole or not at all.

    Evidence pictures that a former run of this folder named, and this one does not, are taken away with its rows.

    Parameters
    ----------
    run : Run
        What was scored.
    out : Path
        The run's folder, made if it is not there.
    **about
        What ``run.json`` says beside the versions: benchmark digest, fingerprints, settings.
    """
    from provise import __version__

    out.mkdir(parents=True, exist_ok=True)
    rows = [row.to_dict() for row in run.rows]
    for name in _pictures(_former(out)) - _pictures(rows):
        (out / name).unlink(missing_ok=True)
    lines = "".join(json.dumps(row, ensure_ascii=False, sort_keys=False) + "\n" for row in rows)
    write_whole(out / "samples.jsonl", lines)
    write_whole(out / "summary.json", json.dumps(run.summary, indent=1, ensure_ascii=False) + "\n")
    about = {"provise": __version__, **about, "stand_ins": run.stand_ins, "notes": run.problems}
    write_whole(out / "run.json", json.dumps(about, indent=1, ensure_ascii=False) + "\n")


def drop_copies(run: Run, out: Path, responses: Responses, *, kept: bool) -> None:
    """Take away the copies of answers that a former ``provise score`` left in a folder, and that this run does not name.

    Nothing is taken from a folder of ``provise run``, whose journal names them, nor where the answers were read from there.

    Parameters
    ----------
    run : Run
        Not written yet.
    out : Path
        Its folder.
    responses : Responses
        What was handed in.
    kept : bool
        Whether this run keeps copies.
    """
    folder = (out / "responses").resolve()
    read = (response.image for response in responses.by_id.values())
    if (out / "journal.sqlite").exists() or any(isinstance(p, Path) and p.resolve().parent == folder for p in read):
        return
    named = {row.response for row in run.rows}
    former = {str(row.get("response")) for row in _former(out) if isinstance(row, dict)}
    for digest in former - named if kept else former | named:
        if re.fullmatch(r"[0-9a-f]{64}", digest):
            for file in folder.glob(f"{digest}.*"):
                file.unlink(missing_ok=True)


def _former(out: Path) -> list[Any]:
    """Return the rows that a former run left in a folder; none where they cannot be read."""
    try:
        text = (out / "samples.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except (OSError, ValueError):
        return []


def _pictures(rows: Iterable[Any]) -> set[str]:
    """Return the evidence files that rows name, relative to the run's folder; nothing outside of ``evidence/``."""
    found = set()
    for row in rows:
        parts = (row.get(key) for key in ("details", "prediction")) if isinstance(row, dict) else ()
        names = [part.get(key) for part in parts if isinstance(part, dict) for key in ("evidence", "png")]
        found |= {name for name in names if isinstance(name, str)}
    return {name for name in found if re.fullmatch(r"evidence/[^/\\]+\.(jpg|png)", name)}
