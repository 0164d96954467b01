"""Reading in other processes: one job is one answer, read, scored and drawn for the evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provise.errors import InputError
from provise.processes import process_pool
from provise.runs.folder import keep_response
from provise.runs.memory import keep_memory
from provise.runs.responses import file_name
from provise.sample import Sample
from provise.scoring import Response, Row, score_response

if TYPE_CHECKING:
    from provise.protocol.compile import Protocol
    from provise.reading import Reading

__all__ = ["Job", "read_job", "reading_pool", "work"]

FEW = 8
"""Jobs up to which starting processes costs more than it saves."""


@dataclass(frozen=True)
class Job:
    """One answer to read.

    Parameters
    ----------
    sample : Sample
        With its truth.
    response : Response or None
        None where there is none.
    protocol : Protocol
        Reads it.
    evidence : Path or None
        The folder for a picture of the reading.
    missing : {"error", "zero"}
        What a sample without an answer is.
    keep : Path or None
        The run's folder that keeps a copy of the answer; None where it is kept already, or is not to be.
    """

    sample: Sample
    response: Response | None
    protocol: Protocol
    evidence: Path | None = None
    missing: str = "error"
    keep: Path | None = None


def read_job(job: Job) -> tuple[Row, float]:
    """Return the row of an answer, and the seconds it took."""
    start = time.perf_counter()
    row, reading = score_response(job.sample, job.response, job.protocol, missing=job.missing)
    if job.evidence and reading is not None and reading.status != "generation_failure" and job.response:
        row = _with_evidence(row, reading, job.response, job.evidence)
    if job.keep and row.response and job.response:
        keep_response(job.keep, job.response, row.response)
    return row, time.perf_counter() - start


def _with_evidence(row: Row, reading: Reading, response: Response, folder: Path) -> Row:
    from provise.evidence import save_answer

    assert response.image is not None
    path = folder / f"{file_name(row.id)}.jpg"
    # The part's name ends as the picture's does: the ending tells the format.
    part = path.with_name(f"{file_name(row.id)}.part.jpg")
    try:
        save_answer(part, response.image, reading.to_dict())
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; what was committed before is kept") from error
    details = {**row.details, "evidence": f"evidence/{path.name}"}
    prediction = row.prediction
    if isinstance(prediction, dict) and "sha256" in prediction and reading.region is not None:
        from provise.image import encode_png
        from provise.runs.folder import write_whole

        mask = path.with_name(f"{file_name(row.id)}.mask.png")
        write_whole(mask, encode_png(reading.region))
        prediction = {**prediction, "png": f"evidence/{mask.name}"}
    return replace(row, details=details, prediction=prediction)


class _Here(Executor):
    """Does each job at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - a future carries whatever was raised
            future.set_exception(error)
        return future


@contextmanager
def reading_pool(jobs: int, samples: int) -> Iterator[Executor]:
    """Give what reads: processes, already starting, or this one where there is little to do.

    Parameters
    ----------
    jobs : int
        Processes.
    samples : int
        Answers there may be.
    """
    if jobs < 1 or samples < FEW:
        yield _Here()
        return
    with process_pool(min(jobs, samples), keep_memory) as pool:
        # The first job starts all processes.
        pool.submit(time.perf_counter)
        yield pool


def work(jobs: Sequence[Job], processes: int) -> Iterator[Row]:
    """Yield the rows of jobs, in their order."""
    with reading_pool(processes if processes > 1 else 0, len(jobs)) as pool:
        for row, _ in pool.map(read_job, jobs, chunksize=2):
            yield row
