"""Turn a benchmark into the tree of a Hub dataset repository: card, tables or folders, builder class."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from provise.benchmark.about import FILE as ABOUT
from provise.benchmark.about import read_about
from provise.benchmark.open import Benchmark, open_benchmark
from provise.errors import InputError
from provise.hub.address import parse_repository
from provise.hub.card import SCRIPT, Plan, card, script
from provise.hub.imagefolder import write_imagefolder
from provise.hub.parquet import Numbered, shards, write_parquet
from provise.hub.pictures import check_name, picture_names
from provise.hub.shrink import shrink
from provise.protocol.route import protocol_files
from provise.sample import Sample

__all__ = ["LAYOUTS", "Tree", "build_tree", "card_of", "configs_of"]

ROUTE = "route.yaml"
"""A route of the benchmark's own, in its tree."""

LAYOUTS = ("parquet", "imagefolder")

TASK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
RESERVED = ("all", "default")


@dataclass(frozen=True)
class Tree:
    """A tree that was made.

    Attributes
    ----------
    folder : str
        Where it is.
    rows, size : int
        Rows, and bytes of all files.
    tasks : mapping of str to int
        Rows by task.
    files : int
        Number of files.
    """

    folder: str
    rows: int
    size: int
    tasks: Mapping[str, int]
    files: int

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


def build_tree(
    benchmark: str | Path | Benchmark,
    out: str | Path,
    *,
    layout: str = "parquet",
    shrunk: bool = False,
    replaced: bool = False,
    repository: str = "",
) -> Tree:
    """Write a benchmark as the tree of a Hub dataset repository; the same benchmark gives the same bytes.

    The folder appears whole or not at all.

    Parameters
    ----------
    benchmark : str, path or Benchmark
        What is written: a folder, ``synth``, ``hf:NAMESPACE/NAME``.
    out : path
        The folder to make; it must be new or empty.
    layout : {"parquet", "imagefolder"}
        Tables with the pictures' bytes in them, which every version of `datasets` reads for every config; or a
        ``metadata.jsonl`` a task with the pictures beside it.
    shrunk : bool
        Repack PNG pictures without loss.
    replaced : bool
        Put the tree in the place of one that was made before.
    repository : str
        ``NAMESPACE/NAME`` for the card's examples.

    Raises
    ------
    InputError
        If a row cannot be read, a picture is missing, a task's name cannot be a config's, or the folder holds something.
    """
    opened = benchmark if isinstance(benchmark, Benchmark) else open_benchmark(benchmark)
    target = Path(out)
    if layout not in LAYOUTS:
        raise InputError(f"--layout is {layout!r}; allowed are {', '.join(LAYOUTS)}")
    tasks = _by_task(opened)
    _check_target(target, replaced)
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        _write(_Writer(opened, made, shrunk), tasks, layout, _repository(repository, opened.name))
        made.chmod(0o755)
        _put(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    files = [path for path in target.rglob("*") if path.is_file()]
    counts = {task: len(rows) for task, rows in tasks.items()}
    return Tree(str(target), len(opened), sum(path.stat().st_size for path in files), counts, len(files))


def _repository(given: str, name: str) -> str:
    """Return what the card's examples call the repository; a benchmark's name need not be one that a repository may have."""
    if given:
        return parse_repository(given)
    try:
        return parse_repository(f"NAMESPACE/{name}")
    except InputError:
        return "NAMESPACE/NAME"


def _put(made: Path, target: Path) -> None:
    """Move a tree to its place; one that was there goes away only when the new one stands."""
    old = target.with_name(f".{target.name}-old-{made.name[-8:]}")
    if target.exists():
        target.rename(old)
    made.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def _check_target(target: Path, replaced: bool) -> None:
    stem = SCRIPT.removesuffix(".py")
    if target.resolve().name.casefold() == stem:
        raise InputError(
            f"--out {target}: a folder of this name beside {SCRIPT} in it makes every new version of datasets refuse to load it; "
            "give another name"
        )
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError(f"--out {target} is a file; give a new or an empty folder")
    entries = {path.name for path in target.iterdir()}
    if entries and not (replaced and {"README.md", ABOUT, "data"} <= entries):
        hint = "" if replaced else " (--replace puts it in the place of a tree that was made before)"
        raise InputError(f"--out {target} is not empty; give a new or an empty folder{hint}")


def _by_task(opened: Benchmark) -> dict[str, list[Numbered]]:
    """Return the rows by task, in the benchmark's order; every fault of the benchmark that a table cannot hold is named."""
    faults = [str(problem) for problem in opened.problems if problem.level == "error"]
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise InputError(f"{opened.root}: {faults[0]}{more}; see `provise benchmark check`")
    if not opened.samples:
        raise InputError(f"{opened.root}: no samples")
    tasks: dict[str, list[Numbered]] = {}
    for place, sample in enumerate(opened.samples):
        if not sample.image_path.strip():
            raise InputError(f"{sample.id}: image_path is empty; a row needs a picture")
        for name in (*picture_names(sample), sample.mask_path):
            check_name(name, sample.id)
        tasks.setdefault(sample.task, []).append((place, sample))
    for task in tasks:
        if not TASK_NAME.fullmatch(task) or task.casefold() in RESERVED:
            raise InputError(
                f"task {task[:120]!r} cannot name a config: letters, digits, '_', '.' and '-' are allowed, at most 100, and not "
                f"{' or '.join(RESERVED)}"
            )
    return tasks


class _Writer:
    """Reads a benchmark's media for a tree, repacked if wished."""

    def __init__(self, opened: Benchmark, folder: Path, shrunk: bool) -> None:
        self.opened, self.folder, self.shrunk = opened, folder, shrunk

    def read(self, sample: Sample, name: str) -> bytes:
        path = self.opened.media(sample, name)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"{sample.id}: {name!r} cannot be read ({error.strerror or error}); see `provise benchmark check`"
            ) from error
        if not data:
            raise InputError(f"{sample.id}: {name!r} is an empty file; see `provise benchmark check`")
        return shrink(data) if self.shrunk else data

    def size(self, sample: Sample) -> int:
        names = [*picture_names(sample), *([sample.mask_path] if sample.mask_path else [])]
        paths = [self.opened.media(sample, name) for name in names]
        return sum(path.stat().st_size for path in paths if path.is_file())


def _write(writer: _Writer, tasks: Mapping[str, list[Numbered]], layout: str, repository: str) -> None:
    files: dict[str, list[str]] = {}
    places = [place for rows in tasks.values() for place, _ in rows]
    mixed = places != sorted(places)
    for task, rows in tasks.items():
        folder = writer.folder / "data" / task
        folder.mkdir(parents=True)
        if layout == "imagefolder":
            write_imagefolder(folder, rows, writer.read)
            files[task] = [f"data/{task}/metadata.jsonl"]
            continue
        parts = shards(rows, writer.size)
        names = [f"test-{i:05d}-of-{len(parts):05d}.parquet" for i in range(len(parts))]
        for name, part in zip(names, parts, strict=True):
            write_parquet(folder / name, part, writer.read, ordered=mixed)
        files[task] = [f"data/{task}/{name}" for name in names]
    _write_about(writer)
    plan = Plan(writer.opened, tasks, files, layout, writer.shrunk, "", repository)
    page = writer.folder / "README.md"
    page.write_text(
        card(plan), encoding="utf-8", newline="\n"
    )  # it tells the order of the tasks, which the digest follows
    page.write_text(card(replace(plan, digest=_digest(writer, layout))), encoding="utf-8", newline="\n")
    if layout == "parquet":
        (writer.folder / SCRIPT).write_text(script(plan), encoding="utf-8", newline="\n")


def _digest(writer: _Writer, layout: str) -> str:
    """Return the digest of the benchmark as it will be opened: from the folder where nothing was changed, else from the tree."""
    if layout == "parquet" and not writer.shrunk:
        return writer.opened.digest
    from provise.hub.unpack import unpack

    with tempfile.TemporaryDirectory(prefix=".unpacked-", dir=writer.folder.parent) as folder:
        unpack(writer.folder, Path(folder) / "benchmark")
        return open_benchmark(Path(folder) / "benchmark").digest


def _write_about(writer: _Writer) -> None:
    """Write ``benchmark.yaml``, so that name and route outlive the way over the Hub; a route of the folder's own goes along."""
    opened = writer.opened
    about = read_about(opened.root)
    told = {"name": opened.name, "route": about.route, "version": about.version}
    if about.route.endswith((".yaml", ".yml")):
        path = Path(opened.route)
        if not path.is_file():
            raise InputError(f"{opened.root / ABOUT}: route {about.route!r} is no file")
        (writer.folder / ROUTE).write_bytes(path.read_bytes())
        told["route"] = ROUTE
        for name in protocol_files(path):
            if Path(name).name != name or name in (ROUTE, ABOUT) or not (path.parent / name).is_file():
                raise InputError(
                    f"{path}: protocol {name!r} cannot go along; put its file beside the route, not named {ROUTE} or {ABOUT}"
                )
            (writer.folder / name).write_bytes((path.parent / name).read_bytes())
    text = yaml.safe_dump({key: value for key, value in told.items() if value}, sort_keys=False, allow_unicode=True)
    (writer.folder / ABOUT).write_text(text, encoding="utf-8", newline="\n")


def card_of(folder: Path) -> dict[str, Any]:
    """Return the YAML at the head of a tree's card.

    Raises
    ------
    InputError
        If there is no card, or it has no YAML head.
    """
    path = folder / "README.md"
    if not path.is_file():
        raise InputError(
            f"{folder}: there is no README.md in it; make the tree with `provise benchmark build hub --from BENCHMARK --out DIR`"
        )
    try:
        found = re.match(r"\A---\n(.*?)\n---\n", path.read_text(encoding="utf-8"), re.DOTALL)
        head = yaml.safe_load(found[1]) if found else None
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # no UTF-8, or a date that is none, is a ValueError
        raise InputError(f"{path}: its head is not valid YAML: {error}") from error
    if not isinstance(head, dict):
        raise InputError(f"{path}: it has no head between two lines '---'; the Hub reads the configs there")
    return head


def configs_of(head: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the configs of a card's head, or none where they have another form."""
    configs = head.get("configs")
    return [one for one in configs if isinstance(one, dict)] if isinstance(configs, list) else []
