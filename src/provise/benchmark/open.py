"""Open a benchmark: a folder with JSONL files, media beside them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from provise.benchmark.about import read_about
from provise.benchmark.aids import complete
from provise.benchmark.finding import Finding
from provise.benchmark.paths import resolve_media
from provise.benchmark.place import BUILT_IN, locate
from provise.benchmark.rows import NEEDED, Row, find_files, read_rows
from provise.errors import InputError
from provise.sample import Sample

__all__ = ["BUILT_IN", "Benchmark", "open_benchmark"]


@dataclass(frozen=True)
class Benchmark:
    """The samples of a benchmark, in the order of its files.

    Parameters
    ----------
    name : str
        From its ``benchmark.yaml``, else the folder's name.
    root : Path
        The folder, absolute; media paths are relative to it.
    samples : tuple of Sample
        Rows that could be read, aids filled in (see `provise.benchmark.aids.complete`).
    files : tuple of str
        The JSONL files that belong to it, relative to the root.
    problems : tuple of Finding
        Rows that could not be read (errors: they are no samples) and JSONL files that were left alone (warnings).
    route : str
        Name or file of the route that asks and reads its tasks, from its ``benchmark.yaml``.
    origin : str
        ``hf:NAMESPACE/NAME`` where it was opened from the Hub; empty else.
    revision : str
        Its commit there.
    """

    name: str
    root: Path
    samples: tuple[Sample, ...]
    files: tuple[str, ...]
    problems: tuple[Finding, ...]
    route: str = "spatialgen-bench"
    origin: str = ""
    revision: str = ""

    def media(self, sample: Sample, path: str | None = None) -> Path:
        """Return the file of a sample's primary picture, or of another of its paths.

        Parameters
        ----------
        sample : Sample
            Names the row in the message.
        path : str, optional
            Of ``media_paths``, ``mask_path`` or an aid; the primary picture where it is left out.

        Raises
        ------
        InputError
            If the path leaves the root: absolute, ``..``, an address, or a link. That the file exists is not asked.
        """
        return resolve_media(self.root, sample.image_path if path is None else path, where=sample.id)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the rows and the bytes of their media and masks, in the order of the samples.

        The folder's own name and place do not enter. A file that is missing enters as missing. It is
        computed when first asked for.
        """
        total = hashlib.sha256()
        seen: set[str] = set()
        for sample in self.samples:
            total.update(json.dumps(sample.to_row(), sort_keys=True).encode() + b"\n")
            for path in (sample.image_path, *sample.media_paths, sample.mask_path):
                if path and path not in seen:
                    seen.add(path)
                    total.update(json.dumps([path, self._file_digest(sample, path)]).encode() + b"\n")
        return total.hexdigest()

    def _file_digest(self, sample: Sample, path: str) -> str:
        try:
            with self.media(sample, path).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except (InputError, OSError):
            return "missing"

    def __len__(self) -> int:
        return len(self.samples)


def _sample(row: Row, root: Path, first: dict[str, str]) -> Sample | Finding:
    """Read one row; ``first`` holds where each id was met first."""
    if row.value is None:
        return Finding(row.file, row.line, "error", "malformed_line", "", row.problem)
    name = row.value.get("id")
    name = name if isinstance(name, str) else ""
    missing = [field for field in NEEDED if field not in row.value]
    if missing:
        text = f"field {missing[0]!r} is missing; a row needs {', '.join(NEEDED)}"
        return Finding(row.file, row.line, "error", "missing_field", name, text)
    try:
        sample = Sample.from_row(row.value, root=root, where=row.where)
    except InputError as error:
        return Finding(row.file, row.line, "error", "field_type", name, str(error).removeprefix(f"{row.where}: "))
    if sample.id in first:
        text = f"id {sample.id!r} is taken by {first[sample.id]}; give every row an id of its own"
        return Finding(row.file, row.line, "error", "duplicate_id", sample.id, text)
    first[sample.id] = row.where
    return complete(sample, row.value, root)


def load_rows(folder: str | Path) -> tuple[Path, dict[str, list[Row]], list[Finding]]:
    """Return root, rows by file, and warnings about files left alone; ``folder`` may be one JSONL file.

    Raises
    ------
    InputError
        If there is no such folder, or none of its JSONL files belongs to a benchmark.
    """
    path = Path(folder)
    if path.is_file():
        rows = list(read_rows(path, path.name))
        if not any(row.value is not None for row in rows):
            raise InputError(f"{path}: no benchmark: no line of it is a JSON object; give a folder, or its JSONL file")
        return path.parent.resolve(), {path.name: rows}, []
    if not path.is_dir():
        from provise.hub.address import hinted

        raise InputError(f"{path}: no such folder; expected a folder with JSONL files, media beside them{hinted(path)}")
    root = path.resolve()
    files, strangers = find_files(root)
    if not files:
        seen = "; ".join(f"{item.file}: {item.message}" for item in strangers) or "there is no .jsonl file in it"
        raise InputError(f"{path}: not a benchmark folder: {seen}")
    return root, files, strangers


def open_benchmark(folder: str | Path) -> Benchmark:
    r"""Open a benchmark: a folder with JSONL files, media beside them; one on the Hub; or the built-in one.

    A JSONL file belongs to the benchmark if its first row has id, task, image_path and answer; others are named in
    ``problems`` and left alone. A row that cannot be read is named there too, with file and line, and stops no other.

    Parameters
    ----------
    folder : path
        The folder, or one JSONL file of it; or ``hf:NAMESPACE/NAME[@REVISION]``, fetched into the user's cache once a
        commit. The bare text ``synth`` is the built-in benchmark, made on first use, and ``spatialgen-bench`` the
        published release on the Hub; folders of these names are ``./synth`` and ``./spatialgen-bench``.

    Returns
    -------
    Benchmark
        Samples in file order, their aids filled in.

    Raises
    ------
    InputError
        If there is no such folder, no file in it belongs to a benchmark, or it cannot be fetched.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> row = '{"id": "c1", "task": "counting", "image_path": "c1.png", "answer": "5"}'
    >>> _ = (folder / "rows.jsonl").write_text(row + "\nnot json\n")
    >>> opened = open_benchmark(folder)
    >>> [sample.id for sample in opened.samples], [problem.place for problem in opened.problems]
    (['c1'], ['rows.jsonl:2'])
    """
    place = locate(folder)
    root, files, problems = load_rows(place.folder)
    about = read_about(root)
    first: dict[str, str] = {}
    samples: list[Sample] = []
    for rows in files.values():
        for row in rows:
            made = _sample(row, root, first)
            if isinstance(made, Sample):
                samples.append(made)
            else:
                problems.append(made)
    return Benchmark(
        about.name or root.name,
        root,
        tuple(samples),
        tuple(files),
        tuple(problems),
        _route(about.route, root),
        place.origin,
        place.revision,
    )


def _route(named: str, root: Path) -> str:
    """Return a route's name; its file's place where the folder brings one of its own."""
    return str(root / named) if named.endswith((".yaml", ".yml")) and not Path(named).is_absolute() else named
