"""What another reader, or another kernel, makes of the answers of runs: nothing is generated, no run is changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provise.analysis.kernels import KERNEL, KERNELS, KernelSensitivity, kernel_sensitivity
from provise.analysis.sensitivity import ReaderSensitivity, Rereading, compare_readings, reader_sensitivity
from provise.errors import InputError, ProviseError
from provise.protocol.catalogue import open_protocol
from provise.report.runs import LoadedRun, load_runs
from provise.runs.reread import Rereader, kept_answers, overridden, pictured, route_of
from provise.scoring import Row

if TYPE_CHECKING:
    from provise.benchmark import Benchmark
    from provise.protocol.compile import Protocol

__all__ = ["KernelsOfRuns", "ReadingsOfRuns", "compare_kernels", "compare_with", "reread_with"]

DEPTH = "relative_depth"
Progress = Callable[[Row], None] | None


@dataclass(frozen=True)
class KernelsOfRuns:
    """Runs read with several kernels.

    Attributes
    ----------
    found : KernelSensitivity
        By the runs' labels.
    notes : tuple of str
        What a person should know.
    """

    found: KernelSensitivity
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values; shares and scores in percent."""
        return {
            "default": KERNEL,
            "runs": {name: [asdict(one) for one in readings] for name, readings in self.found.runs.items()},
            "together": [asdict(one) for one in self.found.together],
            "spearman": {str(kernel): value for kernel, value in self.found.spearman.items()},
            "span": self.found.span,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class ReadingsOfRuns:
    """Two readings of each run.

    Attributes
    ----------
    runs : mapping of str to Rereading
        By the run's label.
    systems : ReaderSensitivity or None
        Over the runs' overall scores; None for one run.
    readers : mapping of str to mapping of str to (str, str)
        By run, then by task: what read it first and what read it second, for the tasks that were read in two ways.
    notes : tuple of str
        What a person should know.
    """

    runs: Mapping[str, Rereading]
    systems: ReaderSensitivity | None
    readers: Mapping[str, Mapping[str, tuple[str, str]]]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values; scores and shares in percent, changes in points."""
        return {
            "runs": {name: {**_rereading(one), "readers": self.readers[name]} for name, one in self.runs.items()},
            "systems": None if self.systems is None else _sensitivity(self.systems),
            "notes": list(self.notes),
        }


def _rereading(one: Rereading) -> dict[str, Any]:
    return {
        "overall": one.overall, "tasks": _sensitivity(one.tasks), "parsed": one.parsed,
        "parsed_of_available": one.parsed_of_available, "available": one.available, "n": one.n, "kept": one.kept,
        "moves": [{"first": a, "second": b, "n": n} for (a, b), n in sorted(one.moves.items())],
    }  # fmt: skip


def _sensitivity(found: ReaderSensitivity) -> dict[str, Any]:
    return {**asdict(found), "rank_changes": found.rank_changes}


def compare_kernels(
    folders: Sequence[str | Path],
    kernels: Sequence[int] = KERNELS,
    *,
    labels: Sequence[str] = (),
    benchmark: str | Path = "",
    responses: Sequence[Path] = (),
    jobs: int = 1,
    progress: Progress = None,
) -> KernelsOfRuns:
    """Read the depth answers of runs with several kernels.

    Parameters
    ----------
    folders : sequence of path
        Runs.
    kernels : sequence of int
        Odd, 1 to 11; the default, 5, is read with in any case.
    labels : sequence of str
        Names for the first of the runs.
    benchmark : path
        Where the benchmark lies now, if it was moved.
    responses : sequence of Path
        The answers of runs that kept none (``provise score``), as they were handed in.
    jobs : int
        Processes.
    progress : callable, optional
        Called with each row that was read.

    Raises
    ------
    InputError
        If a run has no depth answers in pictures, or they or the benchmark are not at hand.
    """
    protocols = {k: open_protocol(DEPTH, kernel=k) for k in sorted({*kernels, KERNEL})}
    runs = load_runs(folders, labels=labels, force=True)
    found: dict[str, dict[int, list[Row]]] = {}
    notes: list[str] = []
    for run in runs:
        rows, left_out = _depth(run)
        notes += [f"{run.name}: {left_out} depth samples without an outcome are left out"] if left_out else []
        tasks = dict.fromkeys(row.task for row in rows)
        notes += _own_kernel(run, tasks, protocols)
        reader = _rereader(run, _opened(run, benchmark), responses, jobs, rows)
        found[run.name] = {k: reader.read(dict.fromkeys(tasks, p), progress) for k, p in protocols.items()}
    return KernelsOfRuns(kernel_sensitivity(found), tuple(notes))


def _depth(run: LoadedRun) -> tuple[list[Row], int]:
    """Return a run's depth rows that came to an outcome, and how many did not."""
    rows = [row for row in run.rows if row.protocol == DEPTH]
    if not rows:
        raise InputError(f"{run.folder}: no task of this run is read by {DEPTH}, so there is no kernel to change")
    done = [row for row in rows if row.error is None]
    if not any(pictured(row) for row in done):
        why = "are words" if any(row.reader == "text" for row in done) else "hold no picture"
        raise InputError(f"{run.folder}: its depth answers {why}; a kernel reads pictures alone")
    return done, len(rows) - len(done)


def _own_kernel(run: LoadedRun, tasks: Mapping[str, None], protocols: Mapping[int, Protocol]) -> list[str]:
    """Say where the run itself was read otherwise than with the default kernel of this version."""
    prints = run.about.get("fingerprints") or {}
    found = []
    for task in tasks:
        held = prints.get(task)
        if held == protocols[KERNEL].fingerprint or held is None:
            continue
        own = [k for k, p in protocols.items() if p.fingerprint == held]
        how = f"with kernel {own[0]}" if own else f"by another version, or another kernel, of {DEPTH}"
        found.append(f"{run.name}: the run itself was read {how} ({task})")
    return found


def compare_with(
    folders: Sequence[str | Path], others: Sequence[str | Path], *, labels: Sequence[str] = ()
) -> ReadingsOfRuns:
    """Compare runs with other readings of them, each in a folder of its own.

    Parameters
    ----------
    folders, others : sequence of path
        As many of either: the n-th of the others holds the same answers as the n-th run.
    labels : sequence of str
        Names for the first of the runs.

    Raises
    ------
    InputError
        If the numbers differ, a folder is no run, or two folders are not two readings of the same answers.
    """
    if len(folders) != len(others):
        raise InputError(
            f"{len(folders)} runs and {len(others)} other readings: give --against once for each run, in their order"
        )
    runs = load_runs(folders, labels=labels, force=True)
    readings = [(run, load_runs([other])[0]) for run, other in zip(runs, others, strict=True)]
    for run, other in readings:
        if run.about.get("digest") != other.about.get("digest"):
            raise InputError(
                f"{run.folder} and {other.folder} are of two benchmarks: they are not two readings of one run"
            )
    pairs = {run.name: (run.rows, other.rows) for run, other in readings}
    differ = {run.name: _differ(run, other) for run, other in readings}
    notes = [f"{name}: both readings were made in the same way" for name, found in differ.items() if not found]
    return _compared(pairs, differ, notes)


def _differ(run: LoadedRun, other: LoadedRun) -> dict[str, tuple[str, str]]:
    prints = [one.about.get("fingerprints") or {} for one in (run, other)]
    told = [_told(one.rows) for one in (run, other)]
    found = {}
    for task in told[0]:
        if told[0][task] != told[1].get(task) or prints[0].get(task) != prints[1].get(task):
            names = told[0][task], told[1].get(task, "–")
            same = names[0] == names[1]
            marks = [f", {str(one.get(task))[:8]}" if same else "" for one in prints]
            found[task] = (names[0] + marks[0], names[1] + marks[1])
    return found


def _told(rows: Sequence[Row]) -> dict[str, str]:
    """Return protocol and reader of each task."""
    found: dict[str, str] = {}
    for row in rows:
        if row.task not in found or (row.reader and ":" not in found[row.task]):
            found[row.task] = f"{row.protocol}: {row.reader}" if row.reader else row.protocol
    return found


def reread_with(
    folders: Sequence[str | Path],
    overrides: Sequence[str],
    *,
    labels: Sequence[str] = (),
    benchmark: str | Path = "",
    route: str = "",
    responses: Sequence[Path] = (),
    jobs: int = 1,
    progress: Progress = None,
) -> ReadingsOfRuns:
    """Read the answers of runs with other readers, and compare with how the runs were read.

    Parameters
    ----------
    folders : sequence of path
        Runs.
    overrides : sequence of str
        ``task=protocol`` or ``protocol.setting=value``, as in ``--set``; the tasks they name are read again.
    labels, benchmark, responses, jobs, progress
        See `compare_kernels`.
    route : str
        The runs' route by name or file, where it is not at hand by itself.

    Raises
    ------
    InputError
        If the overrides change nothing, or a run's answers or benchmark are not at hand.
    MissingDependencyError
        If a reader needs what is not installed.
    """
    pairs, readers, notes = {}, {}, []
    for run in load_runs(folders, labels=labels, force=True):
        opened = _opened(run, benchmark)
        used = route_of(run.about, opened, overrides, route)
        prints = run.about.get("fingerprints") or {}
        named = overridden(used, overrides) & {row.task for row in run.rows}
        changed = {t: used.protocol(t) for t in sorted(named) if used.protocol(t).fingerprint != prints.get(t)}
        if not changed:
            why = "is how it was read already" if named else "names no task of it"
            raise InputError(f"{run.folder}: --set {' '.join(overrides)} {why}; there is nothing to compare")
        rows = _rereader(run, opened, responses, jobs).read(changed, progress)
        pairs[run.name] = (run.rows, rows)
        told = [_told(one) for one in pairs[run.name]]
        readers[run.name] = {task: (told[0][task], told[1][task] + _settings(p)) for task, p in changed.items()}
        notes += [f"{run.name}: {note}" for note in _prompts(run, changed)]
    return _compared(pairs, readers, notes)


def _settings(protocol: Protocol) -> str:
    """Return the settings that are not a protocol's defaults."""
    other = {name: value for name, value in protocol.settings.items() if value != protocol.spec.defaults.get(name)}
    return "".join(f", {name}={value}" for name, value in other.items())


def _prompts(run: LoadedRun, changed: Mapping[str, Protocol]) -> list[str]:
    """Say which answers were drawn for another prompt than that of the protocol that now reads them."""
    asked = {row.task: row.protocol for row in run.rows}
    found = []
    for task, protocol in changed.items():
        try:
            same = open_protocol(asked[task]).spec.prompt == protocol.spec.prompt
        except ProviseError:
            same = asked[task] == protocol.id
        if not same:
            found.append(f"{task} was asked with the prompt of {asked[task]}, not with that of {protocol.id}")
    return found


def _compared(
    pairs: Mapping[str, tuple[Sequence[Row], Sequence[Row]]],
    readers: Mapping[str, Mapping[str, tuple[str, str]]],
    notes: Sequence[str],
) -> ReadingsOfRuns:
    found = {}
    for name, (first, second) in pairs.items():
        try:
            found[name] = compare_readings(first, second)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
    scores = [{name: one.overall[side] for name, one in found.items()} for side in (0, 1)]
    return ReadingsOfRuns(
        found, reader_sensitivity(scores[0], scores[1]) if len(found) > 1 else None, readers, tuple(notes)
    )


def _opened(run: LoadedRun, benchmark: str | Path) -> Benchmark:
    """Open a run's benchmark, unchanged since."""
    from provise.benchmark import open_benchmark

    where = str(benchmark or run.about.get("root") or "")
    hint = "give the place where it lies: --benchmark FOLDER"
    if not where:
        raise InputError(f"{run.folder}: the run does not say where its benchmark lies; {hint}")
    try:
        opened = open_benchmark(where)
    except InputError as error:
        raise InputError(f"{run.folder}: its benchmark cannot be opened ({error}); {hint}") from error
    if opened.digest != run.about.get("digest"):
        raise InputError(f"{run.folder}: {where} is not the benchmark of this run, or has changed since; {hint}")
    return opened


def _rereader(
    run: LoadedRun, opened: Benchmark, responses: Sequence[Path], jobs: int, rows: Sequence[Row] = ()
) -> Rereader:
    chosen = rows or run.rows
    answers = kept_answers(run.folder, responses, [row.id for row in chosen])
    return Rereader(run.folder, chosen, {sample.id: sample for sample in opened.samples}, answers, jobs)
