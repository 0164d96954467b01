"""Make the questions of the built-in benchmark and write them as a folder: rows, pictures, masks."""

from __future__ import annotations

import glob
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provise.benchmark.tasks import TASKS
from provise.errors import InputError
from provise.image import encode_png
from provise.processes import FORKS, process_pool
from provise.synth.item import LEVELS, Item, Level, generator
from provise.synth.likeness import NEAR, apart, signature
from provise.synth.tasks import MAKERS

__all__ = ["ATTEMPTS", "VERSION", "build_synth", "make_items", "write_items"]

VERSION = 2
"""Raised when the same seed gives other questions."""

ATTEMPTS = 400
"""Draws after which a wanted answer is given up as impossible."""

STALE = 3600.0
"""Seconds after which a build that wrote nothing has died: a living one writes a picture every second."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class _Wanted:
    """One question to be made: its task, its place among the task's questions, and the answer it shall have."""

    task: str
    place: int
    answer: Any
    seed: int
    level: Level
    attempt: int = 0


def _made(wanted: _Wanted) -> tuple[Item, int]:
    """Return the question, and the attempt after the one that gave it."""
    maker = MAKERS[wanted.task]
    for attempt in range(wanted.attempt, ATTEMPTS):
        rng = generator(wanted.seed, wanted.task, 1 + wanted.place, attempt)
        item = maker.make(wanted.answer, rng, wanted.level)
        if item is not None:
            return item, attempt + 1
    raise RuntimeError(
        f"{wanted.task} {wanted.place}: no scene with the answer {wanted.answer!r} in {ATTEMPTS} draws (seed {wanted.seed}, "
        f"{wanted.level}); this is a fault of provise, please report it"
    )


def make_items(
    per_task: int,
    *,
    seed: int = 0,
    level: Level = "medium",
    tasks: Sequence[str] | None = None,
    workers: int = 1,
) -> Iterator[tuple[str, int, Item]]:
    """Yield task, place and question, task by task.

    Parameters
    ----------
    per_task : int
        Questions a task, at least 1. Answers are spread evenly over them.
    seed : int
        The same seed gives the same questions, whatever ``tasks`` and ``workers`` are.
    level : {"easy", "medium", "hard"}
        How crowded and how close the scenes are.
    tasks : sequence of str, optional
        Some of the fourteen; all of them where it is left out.
    workers : int
        Processes that draw.

    Raises
    ------
    InputError
        For a number, level or task that is not allowed.
    """
    chosen = _checked(per_task, seed, level, tasks)
    wanted = [
        _Wanted(task, i, answer, seed, level)
        for task in chosen
        for i, answer in enumerate(MAKERS[task].answers(per_task, generator(seed, task, 0), level))
    ]
    if workers == 1:
        yield from _unlike(wanted, map(_made, wanted))
        return
    with process_pool(workers) as pool:
        yield from _unlike(wanted, pool.map(_made, wanted, chunksize=2))


def _checked(per_task: int, seed: int, level: str, tasks: Sequence[str] | None) -> list[str]:
    if not 1 <= per_task <= 10_000:
        raise InputError(f"{per_task} questions a task; allowed are 1 to 10000")
    if seed < 0:
        raise InputError(f"seed is {seed}; allowed are whole numbers from 0")
    if level not in LEVELS:
        raise InputError(f"difficulty is {level!r}; allowed are {', '.join(LEVELS)}")
    unknown = [task for task in tasks or () if task not in MAKERS]
    if unknown:
        raise InputError(f"task {unknown[0]!r} is not made here; allowed are {', '.join(MAKERS)}")
    return [task for task in MAKERS if tasks is None or task in tasks]


def _unlike(wanted: Iterable[_Wanted], made: Iterable[tuple[Item, int]]) -> Iterator[tuple[str, int, Item]]:
    """Yield the questions; draw again those that show nearly what an earlier one of the same task showed."""
    seen: dict[str, list[Any]] = {}
    for want, (first, following) in zip(wanted, made, strict=True):
        item, attempt = first, following
        before = seen.setdefault(want.task, [])
        mark = signature(item.pictures[0])
        while any(apart(mark, other) <= NEAR for other in before):
            item, attempt = _made(_Wanted(want.task, want.place, want.answer, want.seed, want.level, attempt))
            mark = signature(item.pictures[0])
        before.append(mark)
        yield want.task, want.place, item


def _row(task: str, name: str, item: Item, paths: list[str], mask: str, level: Level) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        key: [paths[place] for place in value] if key in ("images", "file_names") else value
        for key, value in item.metadata.items()
    }
    return {
        "id": name,
        "capability": TASKS[task].capability,
        "task": task,
        "image_path": paths[0],
        "media_paths": paths,
        "mask_path": mask,
        "question": item.question,
        "answer": item.answer,
        "answer_type": item.answer_type,
        "choices": list(item.choices),
        "source": "synth",
        "source_id": f"{VERSION}/{level}/{name}",
        "metadata_json": json.dumps(metadata),
    }


def write_items(items: Iterable[tuple[str, int, Item]], folder: Path, level: Level = "medium") -> int:
    """Write questions as a benchmark folder and return their number: ``rows.jsonl``, ``pictures/``, ``masks/``."""
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    rows = []
    for task, place, item in items:
        name = f"{task}-{place:04d}"
        paths = []
        for i, picture in enumerate(item.pictures):
            path = f"pictures/{name}.png" if len(item.pictures) == 1 else f"pictures/{name}-{i}.png"
            (folder / path).write_bytes(encode_png(picture))
            paths.append(path)
        mask = ""
        if item.mask is not None:
            mask = f"masks/{name}.png"
            (folder / "masks").mkdir(exist_ok=True)
            (folder / mask).write_bytes(encode_png(item.mask))
        rows.append(_row(task, name, item, paths, mask, level))
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "rows.jsonl").write_text(text, encoding="utf-8", newline="\n")
    about = f"name: synth\nroute: synth\nversion: '{VERSION}, {level}'\n"
    (folder / "benchmark.yaml").write_text(about, encoding="utf-8", newline="\n")
    return len(rows)


def build_synth(
    out: Path,
    per_task: int = 8,
    *,
    seed: int = 0,
    level: Level = "medium",
    tasks: Sequence[str] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Make a benchmark folder of drawn scenes whose truths follow from their geometry, and return its number of rows.

    The folder appears whole or not at all: it is made beside its place and then moved there.

    Parameters
    ----------
    out : Path
        The folder to make; it must be new or empty.
    per_task, seed, level, tasks
        As in `make_items`.
    workers : int, optional
        Processes that draw; where it is left out, one a core if they can be started from anywhere, else one.
    progress : callable, optional
        Is told how many questions are made, and of how many.

    Raises
    ------
    InputError
        If the folder holds something, or an argument is not allowed.
    """
    total = per_task * len(_checked(per_task, seed, level, tasks))
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is {'not empty' if out.is_dir() else 'a file'}; give a new or an empty folder")
    cores = workers or (min(len(os.sched_getaffinity(0)), total) if FORKS else 1)
    made = _beside(out)
    try:
        items = make_items(per_task, seed=seed, level=level, tasks=tasks, workers=cores)
        rows = write_items(_told(items, total, progress), made, level)
        made.chmod(0o755)
        if out.exists():
            out.rmdir()
        made.rename(out)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return rows


def _beside(out: Path) -> Path:
    """Make the folder that is to become ``out``; clear away what builds that were killed have left of theirs."""
    start = f".{out.name}-"
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        for old in out.parent.glob(f"{glob.escape(start)}*"):
            if time.time() - max(one.stat().st_mtime for one in (old, *old.glob("*"))) > STALE:
                shutil.rmtree(old, ignore_errors=True)
        return Path(tempfile.mkdtemp(prefix=start, dir=out.parent))
    except OSError as error:
        raise InputError(f"{out} cannot be made in {out.parent}: {error.strerror}; give a place to write in") from error


def _told(
    items: Iterable[tuple[str, int, Item]], total: int, progress: Progress | None
) -> Iterator[tuple[str, int, Item]]:
    for i, item in enumerate(items, 1):
        yield item
        if progress:
            progress(i, total)
