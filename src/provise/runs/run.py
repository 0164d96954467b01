"""``provise.run``: a whole benchmark, from asking a system to the folder with its scores."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provise.errors import InputError, MissingDependencyError
from provise.protocol.route import Route, open_route
from provise.runs.folder import claimed, clean
from provise.runs.journal import Journal
from provise.runs.readers import missing_reader, refused, unreadable_row, with_readers
from provise.runs.responses import file_name
from provise.runs.runner import RunState, Stopped, run_samples
from provise.runs.score import Run, write_run
from provise.runs.select import select
from provise.systems import System, open_system
from provise.systems.base import plain_identity

if TYPE_CHECKING:
    from provise.benchmark import Benchmark
    from provise.sample import Sample

__all__ = ["Stopped", "default_folder", "run"]


def default_folder(benchmark: str, system: System) -> Path:
    """Return the folder of a run that names none: the same for the same benchmark and system.

    Examples
    --------
    >>> default_folder("synth", open_system("blank")).as_posix()
    'runs/synth-blank'
    """
    return Path("runs") / file_name(f"{benchmark}-{system.spec}").replace("%3A", "-").replace("%3F", "-").replace(
        "&", "-"
    )


@dataclass(frozen=True)
class _Plan:
    """What one call will do, all of it checked."""

    opened: Benchmark
    samples: Sequence[Sample]
    route: Route
    notes: list[str]
    stand_ins: dict[str, str]
    skipped: dict[str, str]


def run(
    benchmark: str | Path | Benchmark,
    system: str | System,
    out: str | Path | None = None,
    *,
    route: str | Route = "",
    tasks: str | Sequence[str] = "",
    limit: int = 0,
    concurrency: int = 0,
    jobs: int = 0,
    evidence: bool = True,
    skip_unreadable: bool = False,
    stop: threading.Event | None = None,
    progress: Callable[[RunState], None] | None = None,
) -> Run:
    """Ask a system every question of a benchmark, read and score its answers, and write the run's folder.

    The same call goes on where the last one stopped: nothing that was committed is asked or read again.

    Parameters
    ----------
    benchmark : str, Path or Benchmark
        A folder, or an opened benchmark.
    system : str or System
        A SPEC (``draughtsman?accuracy=.7``) or a system of your own.
    out : path, optional
        The run's folder; ``runs/BENCHMARK-SYSTEM`` where it is left out.
    route : str or Route
        Which protocol asks and reads each task; the benchmark's own where it is left out.
    tasks, limit
        A part of the benchmark, as in ``provise score``.
    concurrency : int
        Requests in flight; 0 is the system's own number.
    jobs : int
        Processes that read; 0 is one a core.
    evidence : bool
        Write a picture of every reading.
    skip_unreadable : bool
        Leave tasks whose reader is not installed without an outcome, instead of refusing to start.
    stop : Event, optional
        When it is set, what is in flight is finished and `Stopped` is raised.
    progress : callable, optional
        Is told after each step.

    Returns
    -------
    Run
        Its rows in the benchmark's order, its summary.

    Raises
    ------
    InputError
        If an argument is wrong, another process works in the folder, or the folder holds another run.
    MissingDependencyError
        If a task's reader is not installed.
    Stopped
        See ``stop``.
    """
    _in_range(limit=limit, concurrency=concurrency, jobs=jobs)
    given: object = system
    if not isinstance(given, str | System):
        made = f'; give an instance: {given.__name__}("", {{}})' if isinstance(given, type) else ""
        raise InputError(f"system is {given!r:.100}; expected a SPEC or a System{made}")
    asked = open_system(system) if isinstance(system, str) else system
    try:
        plain_identity(asked)
        plan = _planned(benchmark, asked, route, tasks, limit, skip_unreadable)
        # Absolute: a system may well change the working directory.
        folder = (Path(out) if out else default_folder(plan.opened.name, asked)).absolute()
        _free(folder, plan.opened.root)
        _made(folder)
        with claimed(folder):
            clean(folder)
            journal = Journal(folder / "journal.sqlite")
            try:
                _same_run(journal, folder, plan, asked)
                state = run_samples(
                    [sample for sample in plan.samples if sample.task not in plan.skipped],
                    plan.route,
                    asked,
                    journal,
                    folder,
                    concurrency=concurrency or asked.concurrency,
                    jobs=jobs or os.cpu_count() or 1,
                    readers=_readers(plan),
                    how=_how(evidence),
                    evidence=evidence,
                    stop=stop,
                    progress=progress,
                )
            finally:
                journal.close()
            return _written(folder, plan, asked, state)
    finally:
        asked.close()


def _in_range(**numbers: int) -> None:
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InputError(f"{name} is {value!r}; expected a whole number, 0 or more")


def _planned(
    benchmark: str | Path | Benchmark,
    system: System,
    route: str | Route,
    tasks: str | Sequence[str],
    limit: int,
    skip_unreadable: bool,
) -> _Plan:
    from provise.benchmark import Benchmark, open_benchmark

    opened = benchmark if isinstance(benchmark, Benchmark) else open_benchmark(benchmark)
    samples = select(opened.samples, tasks, limit)
    if not samples:
        raise InputError(f"{opened.root}: no samples")
    used = route if isinstance(route, Route) else open_route(route or opened.route)
    readers = with_readers(samples, used)
    used, notes = readers.route, readers.notes
    skipped: dict[str, str] = {}
    if system.interface == "image":
        reasons = {task: missing_reader(used.protocol(task)) for task in dict.fromkeys(s.task for s in samples)}
        skipped = {task: reason for task, reason in reasons.items() if reason}
    if skipped and not skip_unreadable:
        raise MissingDependencyError(refused(skipped))
    notes += [str(problem) for problem in opened.problems]
    if system.needs_truth:
        notes.append(f"{system.spec} is given the truth: it tries out the benchmark and the readers, and is no result.")
    return _Plan(opened, samples, used, notes, readers.stand_ins, skipped)


def _free(folder: Path, root: Path) -> None:
    """Refuse a folder whose files are another's: the benchmark's own, or a run of answers made elsewhere."""
    if folder.resolve() == root.resolve():
        raise InputError(f"--out {folder} is the folder of the benchmark; give one of its own")
    try:
        noted = json.loads((folder / "run.json").read_text("utf-8"))
    except (OSError, ValueError):
        return
    if "system" not in noted:
        raise InputError(f"{folder} holds a run that `provise score` made; give another --out")


def _made(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder} is a file; expected a folder")
    try:
        for part in (folder, folder / "responses", folder / "evidence"):
            part.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror or error})") from error


def _same_run(journal: Journal, folder: Path, plan: _Plan, system: System) -> None:
    """Refuse a folder that holds the run of another system or another benchmark."""
    for key, value, what in (
        ("system", plain_identity(system), "system"),
        ("benchmark", plan.opened.name, "benchmark"),
    ):
        held = journal.about(key)
        if held is None:
            journal.set_about(key, value)
        # As texts: a setting that is not a number equals nothing, itself included.
        elif json.dumps(held, sort_keys=True) != json.dumps(value, sort_keys=True):
            raise InputError(
                f"{folder} holds the run of another {what} ({_plain(held)}, now {_plain(value)}); give another --out"
            )


def _plain(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    settings = "&".join(f"{k}={v}" for k, v in sorted(value.get("settings", {}).items()))
    return f"{value.get('kind')}{':' + value['name'] if value.get('name') else ''}{'?' + settings if settings else ''}"


def _how(evidence: bool) -> str:
    from provise import __version__

    return f"{__version__}{'' if evidence else ', no evidence'}"


def _readers(plan: _Plan) -> dict[str, str]:
    from provise.reading import reader_name

    tasks = [task for task in dict.fromkeys(s.task for s in plan.samples) if task not in plan.skipped]
    return {task: reader_name(plan.route.protocol(task)) for task in tasks}


def _written(folder: Path, plan: _Plan, system: System, state: RunState) -> Run:
    rows = dict(state.rows)
    for sample in plan.samples:
        if sample.task in plan.skipped:
            rows[sample.id] = unreadable_row(sample, plan.route.protocol(sample.task), plan.skipped[sample.task])
    done = Run([rows[sample.id] for sample in plan.samples], list(plan.notes), plan.route, stand_ins=plan.stand_ins)
    done.lost = [str(problem) for problem in plan.opened.problems if problem.level == "error"]
    prints = {task: plan.route.protocol(task).fingerprint for task in dict.fromkeys(s.task for s in plan.samples)}
    write_run(
        done,
        folder,
        benchmark=plan.opened.name,
        root=str(plan.opened.root),
        digest=plan.opened.digest,
        origin=plan.opened.origin or None,
        revision=plan.opened.revision or None,
        route=plan.route.id,
        set=list(plan.route.overrides),
        fingerprints=prints,
        system=plain_identity(system),
        interface=system.interface,
        needs_truth=system.needs_truth,
    )
    # How often the run was taken up is no part of it: said, and not written down.
    done.problems.insert(0, f"{state.kept} answers reused, {state.asked} asked")
    return done
