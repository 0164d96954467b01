"""Score predictions against rows of a benchmark: what the metrics compute, and any program of one's own."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from provise.benchmark import open_benchmark
from provise.benchmark.aids import complete
from provise.benchmark.place import is_folder
from provise.errors import InputError, MissingDependencyError
from provise.evaluation.forms import is_drawn, packed_prediction, packed_reference, unpacked_prediction
from provise.protocol.route import Route, open_route
from provise.runs.pool import Job, read_job, reading_pool
from provise.runs.readers import missing_reader, refused, with_readers
from provise.sample import Sample
from provise.scoring import Row

if TYPE_CHECKING:
    from provise.benchmark import Benchmark
    from provise.protocol.compile import Protocol

__all__ = ["compute", "compute_packed", "packed"]

DEFAULT_ROUTE = "spatialgen-bench"


def compute(
    predictions: Sequence[Any],
    references: Sequence[Any],
    *,
    benchmark: str | Path | Benchmark | None = None,
    tasks: Sequence[str] = (),
    route: str = "",
    settings: Sequence[str] = (),
    jobs: int = 1,
    per_sample: bool = False,
    evidence: str | Path | None = None,
) -> dict[str, Any]:
    """Read and score predictions.

    Parameters
    ----------
    predictions : sequence
        Each a picture (a path, a PIL image, an array), the words of a text answer, or None for no answer.
    references : sequence of dict or str
        Rows of the benchmark, as dict or JSON text, one a prediction; decoded pictures in them are not looked at.
    benchmark : str, Path or Benchmark
        Where the rows' pictures and masks lie: a folder, ``synth``, or ``hf:NAMESPACE/NAME``.
    tasks : sequence of str
        The tasks that are expected; a row of another is an error. All where it is empty.
    route : str
        Which protocol reads each task; the benchmark's own where it is left out.
    settings : sequence of str
        Changes of the route, as ``--set`` of the command line takes them.
    jobs : int
        Processes that read; 0 is one a core.
    per_sample : bool
        Return the rows too.
    evidence : str or Path, optional
        A folder for one picture of every reading; implies ``per_sample``.

    Returns
    -------
    dict
        ``overall``, ``capabilities`` and ``tasks`` as in ``summary.json``: percentages with 95 % intervals, the share that
        could be scored, outcome counts. ``samples`` is there where it was asked for: the lines of ``samples.jsonl``.

    Raises
    ------
    InputError
        If the two differ in length, are empty, or one of them is not what is expected: the message says which.
    MissingDependencyError
        If a task's reader is not installed.

    Examples
    --------
    >>> row = {"id": "c1", "capability": "perception", "task": "counting", "image_path": "c1.png", "answer": "5",
    ...        "answer_type": "integer"}
    >>> compute(["There are five of them."], [row], benchmark=".")["overall"]["score"]
    100.0
    """
    with TemporaryDirectory(prefix="provise-") as scratch:
        texts = packed(predictions, references, Path(scratch))
        return compute_packed(
            *texts, benchmark=benchmark, tasks=tasks, route=route, settings=settings, jobs=jobs, per_sample=per_sample,
            evidence=evidence,
        )  # fmt: skip


def packed(
    predictions: Sequence[Any], references: Sequence[Any], scratch: Path, first: int = 0
) -> tuple[list[str], list[str]]:
    """Return predictions and references as JSON texts; see `provise.evaluation.forms`.

    Parameters
    ----------
    predictions, references : sequence
        Of one length, at least one.
    scratch : Path
        Folder for the pixels of pictures that have no file.
    first : int
        Number of the first one, for the messages.

    Raises
    ------
    InputError
        See `compute`.
    """
    answers, given_rows = _listed(predictions, "predictions"), _listed(references, "references")
    if len(answers) != len(given_rows):
        raise InputError(f"{len(answers)} predictions for {len(given_rows)} references; expected one for each")
    if not len(answers):
        raise InputError("predictions and references are empty; a score needs at least one sample")
    rows = [packed_reference(given, f"reference {i}") for i, given in enumerate(given_rows, first)]
    return [packed_prediction(given, f"prediction {i}", scratch) for i, given in enumerate(answers, first)], rows


def _listed(given: Any, name: str) -> Collection[Any]:
    """Return what is given one by one; a set has no order, and a mapping's entries are its keys."""
    unordered = isinstance(given, str | bytes | Mapping | Set) or hasattr(given, "iterrows")
    if unordered or not isinstance(given, Iterable):
        raise InputError(f"{name} is {type(given).__name__}; expected a list, one entry a sample")
    return given if isinstance(given, Collection) else list(given)


def compute_packed(
    predictions: Sequence[str],
    references: Sequence[str],
    *,
    benchmark: str | Path | Benchmark | None = None,
    tasks: Sequence[str] = (),
    route: str = "",
    settings: Sequence[str] = (),
    jobs: int = 1,
    per_sample: bool = False,
    evidence: str | Path | None = None,
    forget: bool = False,
) -> dict[str, Any]:
    """Do what `compute` does with what `packed` returned; `forget` removes the pixels' files as they are read."""
    from provise.analysis.intervals import summarise_with_intervals

    _check_options(jobs, settings)
    opened = _opened(benchmark)
    root = Path.cwd() if opened is None else opened.root
    samples = [_sample(json.loads(text), i, root, tasks) for i, text in enumerate(references)]
    _unique(samples)
    used = open_route(route or (opened.route if opened else DEFAULT_ROUTE), settings)
    readers = with_readers(samples, used)
    used = readers.route
    _readable(samples, predictions, used, opened is not None)
    folder = _evidence_folder(evidence)
    rows = list(_rows(samples, predictions, used, folder, jobs or os.cpu_count() or 1, forget))
    found = summarise_with_intervals(rows)
    found["notes"] = readers.notes
    if per_sample or folder:
        found["samples"] = [row.to_dict() for row in rows]
    return found


def _check_options(jobs: Any, settings: Any) -> None:
    if not isinstance(jobs, int) or jobs < 0:
        raise InputError(f"jobs is {jobs!r}; expected a number of processes, or 0 for one a core")
    if isinstance(settings, str) or not isinstance(settings, Iterable):
        raise InputError(f"settings is {settings!r}; expected a list of TASK=PROTOCOL or PROTOCOL.SETTING=VALUE")


def _evidence_folder(evidence: str | Path | None) -> Path | None:
    if evidence is None:
        return None
    if not isinstance(evidence, str | Path) or not str(evidence):
        raise InputError(f"evidence is {evidence!r}; expected a folder")
    folder = Path(evidence) / "evidence"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: the evidence cannot be kept there ({error.strerror or error})") from error
    return folder


def _opened(benchmark: str | Path | Benchmark | None) -> Benchmark | None:
    from provise.benchmark import Benchmark

    if benchmark is None or isinstance(benchmark, Benchmark):
        return benchmark
    if not isinstance(benchmark, str | Path) or not str(benchmark):
        raise InputError(f'benchmark is {benchmark!r}; expected a folder, "synth" or "hf:NAMESPACE/NAME"')
    folder = Path(benchmark)
    if is_folder(benchmark) and folder.is_dir() and not any(folder.rglob("*.jsonl")):
        # The rows are handed over; of the folder only the pictures are needed.
        return Benchmark(folder.name, folder.resolve(), (), (), ())
    return open_benchmark(benchmark)


def _sample(row: dict[str, Any], index: int, root: Path, tasks: Sequence[str]) -> Sample:
    where = f"reference {index}"
    sample = Sample.from_row(row, root=root, where=where)
    if tasks and sample.task not in tasks:
        raise InputError(f"{where} ({sample.id}) is of the task {sample.task!r}; expected {' or '.join(tasks)}")
    return complete(sample, row, root)


def _unique(samples: Sequence[Sample]) -> None:
    seen: dict[str, int] = {}
    for index, sample in enumerate(samples):
        if seen.setdefault(sample.id, index) != index:
            raise InputError(f"references {seen[sample.id]} and {index} are both of the sample {sample.id!r}")


def _readable(samples: Sequence[Sample], predictions: Sequence[str], route: Route, named: bool) -> None:
    """Refuse to start where a picture cannot be read: no reader, or no benchmark that its source lies in."""
    missing: dict[str, str] = {}
    for index, (sample, text) in enumerate(zip(samples, predictions, strict=True)):
        if not is_drawn(text):
            continue
        if not named:
            raise InputError(
                f"prediction {index} is a picture, and it is read against the picture the model was given: name the "
                "benchmark that the rows lie in (benchmark=FOLDER, synth or hf:NAMESPACE/NAME)"
            )
        if sample.task not in missing:
            reason = missing_reader(route.protocol(sample.task))
            if reason:
                missing[sample.task] = reason
    if missing:
        raise MissingDependencyError(refused(missing))


@dataclass(frozen=True)
class _Packed:
    """One answer to read, unpacked where it is read: a picture stays on disk until its turn comes."""

    sample: Sample
    text: str
    protocol: Protocol
    evidence: Path | None
    forget: bool


def _rows(
    samples: Sequence[Sample], predictions: Sequence[str], route: Route, evidence: Path | None, jobs: int,
    forget: bool,
) -> Iterator[Row]:  # fmt: skip
    todo = [
        _Packed(sample, text, route.protocol(sample.task), evidence, forget)
        for sample, text in zip(samples, predictions, strict=True)
    ]
    with reading_pool(jobs if jobs > 1 else 0, len(todo)) as pool:
        yield from pool.map(_read, todo, chunksize=2)


def _read(packed: _Packed) -> Row:
    response, path = unpacked_prediction(packed.text)
    row, _ = read_job(Job(packed.sample, response, packed.protocol, packed.evidence))
    if path is not None and packed.forget:
        with suppress(OSError):
            path.unlink()
    return row
