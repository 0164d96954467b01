"""Answers made elsewhere: a folder of pictures named by sample, or a JSONL file."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from provise.answers import Declared, parse_declared
from provise.errors import InputError
from provise.scoring import Response

__all__ = ["Responses", "file_name", "open_responses"]

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif")
TEXTS = (".txt",)
HINTED = 20
"""Files of no sample for which the likely name is looked for."""
LONGEST_STEM = 200
"""Characters of a file's stem that are kept; file systems take 255 bytes, endings included."""
KINDS = ("generation", "infrastructure")


@dataclass
class Responses:
    """Responses by sample id, and what was found that belongs to none.

    Attributes
    ----------
    by_id : dict of str to Response
        At most one a sample.
    problems : list of str
        Rows and files that could not be used, each with where it is.
    """

    by_id: dict[str, Response] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def file_name(sample_id: str) -> str:
    """Return the file stem of a sample's answer: unsafe characters are percent-encoded, long names cut and told apart.

    Examples
    --------
    >>> file_name("scene/1")
    'scene%2F1'
    """
    stem = quote(sample_id, safe=" !#$&'()+,;=@[]^_`{}~-.", errors="surrogatepass")
    if len(stem) > LONGEST_STEM:
        stem = f"{stem[:LONGEST_STEM]}~{hashlib.sha256(stem.encode()).hexdigest()[:12]}"
    return stem if stem.strip(". ") else stem.replace(".", "%2E").replace(" ", "%20")


def open_responses(path: Path | str, ids: Iterable[str], *, coordinates: Declared | None = None) -> Responses:
    """Open a folder of ``<sample id>.<ext>`` or a JSONL file.

    Parameters
    ----------
    path : Path or str
        Folder or file.
    ids : iterable of str
        The benchmark's sample ids; an answer of no such id is named among the problems.
    coordinates : Declared, optional
        How texts write points where their row has no ``coordinates`` of its own; 0..1 and x first by default.

    Raises
    ------
    InputError
        If there is nothing at the path, or one sample has two answers.
    """
    path, known = Path(path), list(ids)
    if not path.exists():
        raise InputError(f"no responses at {path}: expected a folder of <sample id>.png or a .jsonl file")
    found = _folder(path, known) if path.is_dir() else _jsonl(path, set(known))
    for sample_id, response in found.by_id.items():
        if response.text is not None and response.coordinates is None:
            found.by_id[sample_id] = replace(response, coordinates=coordinates)
    return found


def _folder(path: Path, ids: list[str]) -> Responses:
    found = Responses()
    stems: dict[str, list[Path]] = {}
    for file in sorted(path.iterdir()):
        if file.is_file() and file.suffix.lower() in (*PICTURES, *TEXTS):
            stems.setdefault(file.stem, []).append(file)
    if not stems:
        raise InputError(f"{path} holds no answers: expected <sample id>.png (or .jpg, .webp, ..., .txt for texts)")
    for sample_id in ids:
        # A file named by the bare id is taken too where the id has no unsafe character.
        files = stems.pop(file_name(sample_id), None) or stems.pop(sample_id, None)
        if files is None:
            continue
        if len(files) > 1:
            names = ", ".join(f.name for f in files)
            raise InputError(f"{path}: sample {sample_id!r} has {len(files)} answers ({names}); keep one")
        file = files[0]
        if file.suffix.lower() in TEXTS:
            found.by_id[sample_id] = Response(text=file.read_text(encoding="utf-8", errors="replace"))
        else:
            found.by_id[sample_id] = Response(image=file)
    strangers = [file for files in stems.values() for file in files]
    open_ids = [file_name(sample_id) for sample_id in ids if sample_id not in found.by_id]
    for index, file in enumerate(strangers):
        # A name is looked for only for the first: each costs a look at every sample that has no answer.
        near = difflib.get_close_matches(file.stem, open_ids, n=1, cutoff=0.8) if index < HINTED else []
        hint = f"; is it {near[0]}{file.suffix}?" if near else ""
        found.problems.append(f"{path / file.name}: belongs to no sample of the benchmark{hint}")
    return found


def _jsonl(path: Path, ids: set[str]) -> Responses:
    found, lines = Responses(), dict[str, int]()
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    rows = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            found.problems.append(f"{where}: not JSON ({error})")
            continue
        rows += isinstance(row, dict) and "id" in row
        problem = _row(row, path.parent, ids, found.by_id)
        if not problem and lines.setdefault(row["id"], number) != number:
            raise InputError(
                f"{where}: sample {row['id']!r} has two answers, the other in line {lines[row['id']]}; keep one"
            )
        if problem:
            found.problems.append(f"{where}: {problem}")
    if not rows:
        first = f"; the first problem: {found.problems[0]}" if found.problems else ""
        raise InputError(
            f'{path} holds no answers: expected a row a sample, as {{"id": "c1", "image": "c1.png"}} or '
            f'{{"id": "c1", "text": "B"}}{first}'
        )
    return found


def _row(row: Any, root: Path, ids: set[str], by_id: dict[str, Response]) -> str:
    """Take one row; return what is wrong with it, or nothing."""
    if not isinstance(row, dict) or not isinstance(row.get("id"), str):
        return 'expected an object with "id" and one of "image", "text", "error"'
    sample_id = row["id"]
    if sample_id not in ids:
        return f"id {sample_id!r} is no sample of the benchmark"
    given = [name for name in ("image", "text", "error") if row.get(name) is not None]
    if len(given) != 1:
        return f"expected exactly one of image, text, error for {sample_id!r}, got {', '.join(given) or 'none'}"
    if not isinstance(row[given[0]], str):
        return f"{given[0]} of {sample_id!r} is {row[given[0]]!r:.60}; expected a string"
    if given[0] == "image":
        by_id[sample_id] = Response(image=root / row["image"])
    elif given[0] == "text":
        try:
            declared = None if row.get("coordinates") is None else parse_declared(row["coordinates"])
        except InputError as error:
            return f"{sample_id!r}: {error}"
        by_id[sample_id] = Response(text=row["text"], coordinates=declared)
    else:
        kind = row.get("kind", "generation")
        if kind not in KINDS:
            return f"kind is {kind!r}; allowed are {', '.join(KINDS)}"
        by_id[sample_id] = Response(error=row["error"] or "failed", kind=kind)
    return ""
