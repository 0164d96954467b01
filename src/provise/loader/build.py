"""Build a benchmark folder from a source benchmark's own files."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from provise.benchmark.paths import resolve_media
from provise.benchmark.rows import read_rows
from provise.errors import InputError
from provise.loader.engine import SourceRow, convert
from provise.loader.schema import Loader, open_loader
from provise.sample import Sample

__all__ = ["Built", "build_benchmark"]


@dataclass(frozen=True)
class Built:
    """What a build made.

    Parameters
    ----------
    out : str
        The folder.
    read, written : int
        Rows of the source, and of the folder.
    pictures : int
        Pictures and masks that were copied.
    left_out : dict of str to int
        Rows that the loader leaves out, by reason.
    without_picture : int
        Rows with a picture or mask that is absent.
    first_missing : str
        One of those files.
    tasks : dict of str to int
        Rows written, by task.
    licence : str
        The source's licence as reported.
    """

    out: str
    read: int
    written: int
    pictures: int
    left_out: dict[str, int]
    without_picture: int
    first_missing: str
    tasks: dict[str, int]
    licence: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


def _source_rows(loader: Loader, source: Path) -> Iterator[SourceRow]:
    """Yield the rows of the loader's files: all of those that exist, or the first."""
    present = [name for name in loader.files if (source / name).is_file()]
    if not present:
        raise InputError(
            f"{source}: none of {', '.join(loader.files)} is there; {loader.title} has them ({loader.homepage})"
        )
    for name in present if loader.read == "all" else present[:1]:
        if name.endswith(".jsonl"):
            for row in read_rows(source / name, name):
                if row.value is None:
                    raise InputError(f"{row.where}: {row.problem}")
                yield SourceRow(name, row.line, row.value)
            continue
        try:
            parsed = json.loads((source / name).read_bytes().decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{source / name}: not JSON ({error})") from error
        if not isinstance(parsed, list):
            raise InputError(f"{source / name}: a JSON {type(parsed).__name__}; expected a list of rows")
        for number, value in enumerate(parsed, start=1):
            yield SourceRow(name, number, value)


def find_media(loader: Loader, source: Path, path: str) -> Path | None:
    """Return the file of a source that a media path of ours stands for, or None."""
    pure = PurePosixPath(path)
    names = [path, *(str(pure.with_suffix(ending)) for ending in loader.media.endings)]
    places = [source / folder / name for folder in loader.media.folders for name in names]
    by_name = loader.media.by_name
    if by_name and re.fullmatch(by_name.pattern, pure.name):
        places += [source / folder / pure.name for folder in by_name.folders]
    return next((place for place in places if place.is_file()), None)


def _prepare(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: is there already and not an empty folder; give a new one")
    out.mkdir(parents=True, exist_ok=True)


class _Build:
    """The state of one build: what was read, kept, left out."""

    def __init__(self, loader: Loader, source: Path, limit: int | None, keep_missing: bool) -> None:
        self.loader, self.source, self.limit, self.keep_missing = loader, source, limit, keep_missing
        self.read = 0
        self.left_out: Counter[str] = Counter()
        self.tasks: Counter[str] = Counter()
        self.missing: list[str] = []
        self.samples: list[Sample] = []
        self.files: dict[str, Path] = {}
        self.ids: dict[str, str] = {}

    def add(self, row: SourceRow) -> None:
        """Convert one row and keep it, or count why not."""
        self.read += 1
        made = convert(self.loader, row)
        if isinstance(made, str):
            self.left_out[made] += 1
            return
        if made.id in self.ids:
            raise InputError(
                f"{row.where}: id {made.id!r} is taken by {self.ids[made.id]}; the source may have changed"
            )
        self.ids[made.id] = row.where
        if self.limit is not None and self.tasks[made.task] >= self.limit:
            return
        paths = [path for path in dict.fromkeys((made.image_path, *made.media_paths, made.mask_path)) if path]
        for path in paths:
            resolve_media(self.source, path, where=row.where)
        found = {path: find_media(self.loader, self.source, path) for path in paths}
        absent = [path for path, file in found.items() if file is None]
        self.missing += absent[:1]
        if absent and not self.keep_missing:
            return
        self.files |= {path: file for path, file in found.items() if file is not None}
        self.samples.append(made)
        self.tasks[made.task] += 1

    def nothing_left(self) -> str:
        """Say why there is no row to write, and where pictures were looked for."""
        gone = f"; {len(self.missing)} lack their picture, the first {self.missing[0]!r}" if self.missing else ""
        media = self.loader.media
        looked = ", ".join(dict.fromkeys(media.folders + (media.by_name.folders if media.by_name else ())))
        return (
            f"{self.source}: of {self.read} rows none is left{gone}. Pictures are looked for under {looked}; "
            "--keep-missing writes rows without them"
        )

    def write(self, out: Path) -> None:
        """Copy the media, then write the rows in one step: a build that was broken off is no benchmark."""
        _prepare(out)
        for path, file in self.files.items():
            target = resolve_media(out, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
        (out / "LICENCE.md").write_text(self.licence_note(), "utf-8")
        lines = [json.dumps(sample.to_row(), ensure_ascii=False) for sample in self.samples]
        partial = out / f".{self.loader.id}.partial"
        partial.write_bytes(("\n".join(lines) + "\n").encode("utf-8"))
        os.replace(partial, out / f"{self.loader.id}.jsonl")

    def licence_note(self) -> str:
        """Return the note that lies beside the rows: whose data this is, on which terms, what was done to it."""
        loader = self.loader
        counts = [f"* {n} rows left out: {reason}" for reason, n in self.left_out.items()]
        if self.missing:
            kept = "kept" if self.keep_missing else "left out"
            counts.append(f"* {len(self.missing)} rows {kept} whose pictures were absent")
        lines = [
            f"# {loader.title}", "",
            f"Built by provise from the source's own files ({loader.homepage}).", "",
            f"Licence: {loader.licence.name}, as reported by {loader.licence.reported_by}.", loader.licence.note, "",
            f"{self.read} rows read, {len(self.samples)} written:",
            *(f"* {n} rows of task {task}" for task, n in self.tasks.items()), *counts,
            *(f"* {note}" for note in loader.notes),
        ]  # fmt: skip
        return "\n".join(lines) + "\n"


def build_benchmark(
    loader: str | Path | Loader,
    source: str | Path,
    out: str | Path,
    *,
    limit: int | None = None,
    keep_missing: bool = False,
) -> Built:
    """Build a benchmark folder: rows as JSONL, pictures and masks beside them, a licence note.

    Parameters
    ----------
    loader : str, Path or Loader
        Name of a loader that comes with the package, a YAML file, or an opened one.
    source : path
        The folder with the source benchmark's files.
    out : path
        The folder to make; new or empty.
    limit : int, optional
        Rows of each task, in file order, counted after rows without a picture are left out.
    keep_missing : bool
        Write rows whose picture or mask is absent, too; a check reports them then.

    Returns
    -------
    Built
        What was read, written and left out, and why.

    Raises
    ------
    InputError
        If files are absent, a row is not as the loader describes it (file, row, field), ``out`` is in use, or no row is
        left.
    """
    opened = loader if isinstance(loader, Loader) else open_loader(loader)
    base, target = Path(source), Path(out)
    if not base.is_dir():
        raise InputError(f"{base}: no such folder; --from names the folder with the files of {opened.title}")
    build = _Build(opened, base, limit, keep_missing)
    for row in _source_rows(opened, base):
        build.add(row)
    if not build.samples:
        raise InputError(build.nothing_left())
    build.write(target)
    return Built(
        str(target), build.read, len(build.samples), len(build.files), dict(build.left_out), len(build.missing),
        build.missing[0] if build.missing else "", dict(build.tasks), opened.licence.name,
    )  # fmt: skip
