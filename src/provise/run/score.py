"""Score answers made elsewhere: read, score and write them down, on several cores."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provise.analysis.aggregate import summarise
from provise.errors import MissingDependencyError, ProviseError
from provise.protocol.route import Route
from provise.run.responses import Responses, file_name
from provise.sample import Sample
from provise.scoring import Response, Row, score_response, stated_truth

if TYPE_CHECKING:
    from provise.protocol.compile import Protocol
    from provise.reading import Reading

__all__ = ["Run", "missing_reader", "score_responses", "write_run"]


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
    """

    rows: list[Row]
    problems: list[str] = field(default_factory=list)
    route: Route | None = None
    lost: list[str] = field(default_factory=list)

    @property
    def summary(self) -> dict[str, Any]:
        """Task, capability and overall scores; no overall score where rows of the benchmark were lost."""
        found = summarise(self.rows)
        if self.lost:
            found["overall"]["score"] = None
            found["incomplete"] += [{"id": None, "kind": "data_error", "reason": reason} for reason in self.lost]
        return found

    @property
    def incomplete(self) -> list[Row]:
        """The rows without an outcome."""
        return [row for row in self.rows if row.error]


@dataclass(frozen=True)
class _Job:
    sample: Sample
    response: Response | None
    protocol: Protocol
    missing: str
    evidence: str | None


def score_responses(
    samples: Sequence[Sample],
    responses: Responses,
    route: Route,
    *,
    missing: str = "error",
    jobs: int = 0,
    evidence: Path | None = None,
    skip_unreadable: bool = False,
    progress: Callable[[Row], None] | None = None,
) -> Run:
    """Read and score a benchmark's answers.

    Parameters
    ----------
    samples : sequence of Sample
        The benchmark, or a part of it.
    responses : Responses
        What was handed in.
    route : Route
        Which protocol reads each task.
    missing : {"error", "zero"}
        What a sample without an answer is.
    jobs : int
        Processes; 0 is one a core.
    evidence : Path, optional
        Folder for one evidence picture a sample.
    skip_unreadable : bool
        Leave tasks whose reader is not installed without an outcome, instead of refusing to start.
    progress : callable, optional
        Called with each row as it is done.

    Raises
    ------
    MissingDependencyError
        If a task's reader needs something that is not installed, before anything is read.
    """
    route, notes = _with_readers(samples, route)
    unreadable = _unreadable(samples, responses, route)
    if unreadable and not skip_unreadable:
        raise MissingDependencyError(_refused(unreadable))
    if evidence is not None:
        evidence.mkdir(parents=True, exist_ok=True)
    todo = [
        _Job(s, responses.by_id.get(s.id), route.protocol(s.task), missing, str(evidence) if evidence else None)
        for s in samples
    ]
    rows = _rows(todo, unreadable, jobs, progress)
    return Run(rows, [*notes, *responses.problems], route)


def _rows(todo: list[_Job], unreadable: dict[str, str], jobs: int, progress: Callable[[Row], None] | None) -> list[Row]:
    """Do the jobs and return their rows in order; those of a task without a reader are not done."""
    rows = []
    for row in _work([job for job in todo if job.sample.task not in unreadable], jobs):
        rows.append(row)
        if progress:
            progress(row)
    done = iter(rows)
    return [_skipped(j, unreadable[j.sample.task]) if j.sample.task in unreadable else next(done) for j in todo]


def _with_readers(samples: Sequence[Sample], route: Route) -> tuple[Route, list[str]]:
    """Let the built-in descriptor stand in for an encoder that is not here and that nobody chose; say so."""
    notes = []
    for task in dict.fromkeys(sample.task for sample in samples):
        protocol = route.protocol(task)
        reason = missing_reader(protocol)
        if reason and protocol.settings.get("encoder") and protocol.id not in route.chosen:
            route = route.with_descriptor(task)
            notes.append(f"{task} {stand_in(protocol, reason)}")
    return route, notes


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


def _refused(unreadable: dict[str, str]) -> str:
    lines = "\n".join(f"  {task}: {reason}" for task, reason in unreadable.items())
    return (
        f"these tasks cannot be read here:\n{lines}\n"
        "Install what is named, choose another reader (--set TASK=PROTOCOL), or leave them out: --skip-unreadable"
    )


def missing_reader(protocol: Protocol) -> str:
    """Return why a protocol cannot be read in this installation; empty if it can."""
    if protocol.spec.auxiliary:
        return f"{protocol.id} needs an auxiliary vision-language model, and none is configured"
    try:
        if protocol.settings.get("encoder") not in (None, "descriptor"):
            from provise.encoders import get_encoder

            get_encoder(str(protocol.settings["encoder"]))
        if protocol.settings.get("numbers") == "rapidocr":
            from provise.ops.ocr import ocr_name

            ocr_name()
    except ProviseError as error:
        return str(error)
    return ""


def stand_in(protocol: Protocol, reason: str) -> str:
    """Say that the descriptor reads in the place of a protocol's encoder, and why."""
    # The last piece of advice, to choose the descriptor, has been followed.
    cause = reason.partition(", or choose")[0]
    return f"is read with the built-in descriptor, and never ranked with {protocol.settings['encoder']}: {cause}"


def _skipped(job: _Job, reason: str) -> Row:
    s, protocol = job.sample, job.protocol
    truth = stated_truth(s, protocol.spec.metric)
    return Row(s.id, s.task, s.capability, error="unreadable", message=reason, truth=truth, protocol=protocol.id)


def _work(jobs: list[_Job], processes: int) -> Iterator[Row]:
    """Run jobs in order; a pool only where it pays for its start."""
    wanted = processes or os.cpu_count() or 1
    if wanted == 1 or len(jobs) < 8:
        yield from map(_one, jobs)
        return
    # Forked where that is sound, also where Python's own choice is another: a program that calls this from its top level
    # would be run again by every worker.
    context = get_context("fork") if sys.platform == "linux" else None
    with _one_thread(), ProcessPoolExecutor(min(wanted, len(jobs)), mp_context=context) as pool:
        yield from pool.map(_one, jobs, chunksize=2)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Keep OpenCV to one thread, in this process and in those it forks meanwhile.

    Its own threads are ended before the fork: a process forked beside them waits for ever for threads it does not have.
    """
    import cv2

    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def _one(job: _Job) -> Row:
    row, reading = score_response(job.sample, job.response, job.protocol, missing=job.missing)
    if job.evidence and reading is not None and reading.status != "generation_failure" and job.response is not None:
        row = _with_evidence(row, reading, job)
    return row


def _with_evidence(row: Row, reading: Reading, job: _Job) -> Row:
    from provise.evidence import save_answer

    path = Path(job.evidence or "") / f"{file_name(row.id)}.jpg"
    assert job.response is not None
    assert job.response.image is not None
    save_answer(path, job.response.image, reading.to_dict())
    details = {**row.details, "evidence": f"evidence/{path.name}"}
    prediction = row.prediction
    if isinstance(prediction, dict) and "sha256" in prediction and reading.region is not None:
        from provise.image import encode_png

        mask = path.with_name(path.stem + ".mask.png")
        mask.write_bytes(encode_png(reading.region))
        prediction = {**prediction, "png": f"evidence/{mask.name}"}
    return replace(row, details=details, prediction=prediction)


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
    _write(out / "samples.jsonl", lines)
    _write(out / "summary.json", json.dumps(run.summary, indent=1, ensure_ascii=False) + "\n")
    _write(out / "run.json", json.dumps({"provise": __version__, **about}, indent=1, ensure_ascii=False) + "\n")


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


def _write(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
