"""The runs of a report: named, with what a reader must know of each, and refused where they do not belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from provise.errors import InputError
from provise.report.folder import read_folder
from provise.report.texts import clean, cut
from provise.scoring import Row

__all__ = ["LoadedRun", "load_runs"]


@dataclass(frozen=True)
class LoadedRun:
    """One run as a report shows it.

    Attributes
    ----------
    folder : Path
        Where it lies; it enters no output.
    name : str
        Of its system, unique in the report.
    notes : tuple of str
        What every label of it says, in a word or two, then a colon and more where there is more: given the truth,
        incomplete, stand-in reader.
    about, summary : mapping
        ``run.json`` and ``summary.json``.
    rows : tuple of Row
        In the benchmark's order.
    unlike : bool
        Whether it was taken in by ``--force`` though it differs from the first run; it has no rank.
    """

    folder: Path
    name: str
    notes: tuple[str, ...]
    about: Mapping[str, Any]
    rows: tuple[Row, ...]
    summary: Mapping[str, Any]
    unlike: bool = False

    @property
    def label(self) -> str:
        """The name with its notes."""
        return f"{self.name} [{'; '.join(self.notes)}]" if self.notes else self.name

    @property
    def short_label(self) -> str:
        """The name, shortened, with the first words of each note: for a chart, where a note must not be cut off."""
        name = cut(self.name, 48)
        return f"{name} [{'; '.join(note.split(':')[0] for note in self.notes)}]" if self.notes else name

    @property
    def interface(self) -> str:
        """``"image"`` or ``"text"``; of answers made elsewhere the readers tell."""
        if self.about.get("interface") in ("image", "text"):
            return str(self.about["interface"])
        readers = {row.reader for row in self.rows if row.reader}
        return "text" if readers == {"text"} else "image"

    @property
    def given_truth(self) -> bool:
        """Whether it is a trial system that was told the answers."""
        return bool(self.about.get("needs_truth"))

    @property
    def said(self) -> tuple[str, ...]:
        """What the run said for a person to know: stand-ins, rows and answers that could not be used."""
        return tuple(notes) if isinstance(notes := self.about.get("notes"), list) else ()

    @property
    def complete(self) -> bool:
        """Whether every sample came to an outcome and every row of the benchmark could be asked."""
        return not self.summary["incomplete"]

    @property
    def readers(self) -> dict[str, str]:
        """What read each task, by task; nothing for a task of which nothing was read."""
        found: dict[str, set[str]] = {}
        for row in self.rows:
            if row.reader:
                found.setdefault(row.task, set()).add(row.reader)
        return {task: ", ".join(sorted(names)) for task, names in found.items()}


def load_runs(folders: Sequence[str | Path], *, labels: Sequence[str] = (), force: bool = False) -> list[LoadedRun]:
    """Open the runs of a report.

    Parameters
    ----------
    folders : sequence of path
        At least one.
    labels : sequence of str
        Names for the first of them; a run without one is named by its system, else by its folder.
    force : bool
        Take in runs that do not belong together, and say so in their labels.

    Returns
    -------
    list of LoadedRun
        In the order given.

    Raises
    ------
    InputError
        If a folder is no run or is given twice, or if the runs differ in the benchmark's digest, the samples, a
        protocol's fingerprint or a reader.
    """
    if not folders:
        raise InputError("no run is given; expected one folder or more")
    if len(labels) > len(folders):
        raise InputError(f"{len(labels)} labels for {len(folders)} runs; give at most one a run")
    paths = [Path(folder) for folder in folders]
    places = [path.resolve() for path in paths]
    twice = [str(path) for path, place in zip(paths, places, strict=True) if places.count(place) > 1]
    if twice:
        raise InputError(f"{twice[0]} is given more than once; each run stands in a report once")
    runs = [_load(path, labels[i] if i < len(labels) else "") for i, path in enumerate(paths)]
    differ = {i: _differences(runs[0], run) for i, run in enumerate(runs)}
    if any(differ.values()) and not force:
        lines = [f"* {paths[i]}: {'; '.join(found)}" for i, found in differ.items() if found]
        raise InputError(
            f"these runs do not belong together; beside {paths[0]}:\n" + "\n".join(lines) + "\n"
            "Report them apart, or give --force to set them side by side with that in every label"
        )
    named = _unique(runs)
    return [replace(r, notes=(*r.notes, *map(clean, differ[i])), unlike=bool(differ[i])) for i, r in enumerate(named)]


def _load(folder: Path, label: str) -> LoadedRun:
    about, rows, summary = read_folder(folder)
    run = LoadedRun(folder, clean(label or _name(about, folder)), (), about, tuple(rows), summary)
    return replace(run, notes=tuple(map(clean, _caveats(run))))


def _name(about: Mapping[str, Any], folder: Path) -> str:
    """Name a run by its system as a SPEC, without the folders of this machine; else by its folder."""
    system = about.get("system")
    if not isinstance(system, Mapping) or not system.get("kind"):
        return folder.resolve().name or "run"
    given = str(system.get("name") or "")
    name = _without_folder(given)
    settings = system.get("settings")
    pairs = sorted(settings.items()) if isinstance(settings, Mapping) else []
    tail = "&".join(f"{key}={_without_folder(str(value))}" for key, value in pairs)
    return f"{system['kind']}{':' + name if name else ''}{'?' + tail if tail else ''}"


def _without_folder(name: str) -> str:
    """Return a file's own name where a text is a path of this machine, else the text."""
    if "\\" in name:
        return PureWindowsPath(name).name
    return PurePosixPath(name).name if name.startswith(("/", "./", "../", "~")) else name


def _caveats(run: LoadedRun) -> list[str]:
    notes = []
    if run.given_truth:
        notes.append("given the truth")
    if not run.complete:
        open_ = sum(row.error is not None for row in run.rows)
        lost = sum(entry.get("id") is None for entry in run.summary["incomplete"])
        parts = [f"{open_} of {len(run.rows)} samples without an outcome"] if open_ else []
        parts += [f"{lost} broken row{'s' if lost > 1 else ''} in the benchmark"] if lost else []
        notes.append(f"incomplete: {', '.join(parts)}")
    if run.about.get("missing") == "zero":
        notes.append("missing as 0: answers that were not handed in score 0")
    asked = run.about.get("stand_ins") or {}
    # A task whose answers came in words was read by no encoder at all.
    stand_ins = {task: asked[task] for task, reader in run.readers.items() if task in asked and "descriptor" in reader}
    for encoder in dict.fromkeys(stand_ins.values()):
        tasks = ", ".join(task for task in stand_ins if stand_ins[task] == encoder)
        notes.append(f"stand-in reader: {tasks} read with the built-in descriptor in the place of {encoder}")
    return notes


def _differences(first: LoadedRun, run: LoadedRun) -> list[str]:
    """Return in what a run is unlike the first one."""
    found = []
    if run.about.get("digest") != first.about.get("digest"):
        found.append(f"other benchmark: {run.about.get('benchmark')!s:.40}, {run.about.get('digest')!s:.8}")
    elif sorted(row.id for row in run.rows) != sorted(row.id for row in first.rows):
        found.append("other samples: not the same part of the benchmark")
    prints = [r.about.get("fingerprints") for r in (first, run)]
    ours, theirs = (p if isinstance(p, Mapping) else {} for p in prints)
    other = [task for task in theirs if task in ours and ours[task] != theirs[task]]
    if other:
        found.append(f"other protocol: {', '.join(other)}")
    if run.interface == first.interface:
        read = first.readers
        odd = [f"{task} ({reader})" for task, reader in run.readers.items() if read.get(task, reader) != reader]
        if odd:
            found.append(f"other reader: {', '.join(odd)}")
    return found


def _unique(runs: Sequence[LoadedRun]) -> list[LoadedRun]:
    """Tell runs of one name apart, by their folder where that does it."""
    times = Counter(run.name for run in runs)
    named = [
        replace(r, name=f"{r.name} ({r.folder.resolve().name})") if times[r.name] > 1 else r for r in runs
    ]  # fmt: skip
    seen: Counter[str] = Counter()
    result = []
    for run in named:
        seen[run.name] += 1
        result.append(run if seen[run.name] == 1 else replace(run, name=f"{run.name} #{seen[run.name]}"))
    return result
