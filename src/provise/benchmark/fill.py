"""Fill depth locations: find the circled letters in each picture once, and write them into the rows."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from provise.benchmark.checks.entry import make_entry
from provise.benchmark.finding import Finding
from provise.benchmark.open import load_rows
from provise.benchmark.paths import resolve_media
from provise.benchmark.place import is_folder
from provise.benchmark.rows import BOM, Row
from provise.errors import ImageError, InputError, Refusal

__all__ = ["Filled", "fill_coordinates"]

ORIGIN = "circled letters found in the picture (provise benchmark check --fill)"
"""Written beside the coordinates, so that nobody takes them for the source's own."""


@dataclass(frozen=True)
class Filled:
    """What was filled in.

    Parameters
    ----------
    filled : tuple of str
        Ids of the rows that have coordinates now.
    refused : tuple of Finding
        Rows whose picture did not show two circled letters beyond doubt, each with the reason.
    """

    filled: tuple[str, ...]
    refused: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"filled": list(self.filled), "refused": [asdict(item) for item in self.refused]}


def _locate(root: Path, path: str, known: dict[str, list[list[float]] | str]) -> list[list[float]] | str:
    """Return coordinates, or why there are none; each picture is looked at once."""
    if path not in known:
        from provise.benchmark.circles import find_marked_points
        from provise.image import decode, fit

        try:
            picture = decode(resolve_media(root, path).read_bytes())
            rgb, _ = fit(picture)
            known[path] = [[round(value, 6) for value in point] for point in find_marked_points(rgb.astype("uint8"))]
        except Refusal as refusal:
            known[path] = f"{refusal.message} [{refusal.code}]"
        except (InputError, ImageError, OSError) as error:
            known[path] = str(error)
    return known[path]


def _rewrite(path: Path, changed: dict[int, dict[str, Any]]) -> None:
    """Replace lines of a JSONL file in one step; every other line keeps its bytes."""
    real = path.resolve()
    data = real.read_bytes()
    mark = BOM if data.startswith(BOM) else b""
    lines = data.removeprefix(BOM).split(b"\n")
    for number, value in changed.items():
        ending = b"\r" if lines[number - 1].endswith(b"\r") else b""
        lines[number - 1] = json.dumps(value, ensure_ascii=False).encode("utf-8") + ending
    handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(mark + b"\n".join(lines))
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(real, name)
        os.replace(name, real)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _wants(row: Row, root: Path) -> tuple[str, str] | None:
    """Return id and picture of a depth row without coordinates."""
    if row.value is None:
        return None
    sample = make_entry(row, root).sample
    if sample.task != "depth" or sample.metadata.get("coordinates") is not None:
        return None
    return sample.id, sample.image_path


def fill_coordinates(folder: str | Path) -> Filled:
    """Give depth rows without ``coordinates`` the places of the two circled letters in their picture.

    Rows that have coordinates stay as they are. A file is rewritten in one step, and only the lines that gain
    coordinates change. A picture that does not show the two letters beyond doubt is refused with the reason.

    Parameters
    ----------
    folder : path
        A benchmark folder, or one JSONL file of it.

    Returns
    -------
    Filled

    Raises
    ------
    InputError
        If there is no such folder, it is not one's own to change, or no file in it belongs to a benchmark.
    """
    if not is_folder(folder):
        raise InputError(
            f"{folder}: rows are filled in a folder of your own; copy it first: "
            f"provise benchmark build folder --from {folder} --out DIR"
        )
    root, files, _ = load_rows(folder)
    known: dict[str, list[list[float]] | str] = {}
    filled: list[str] = []
    refused: list[Finding] = []
    for name, rows in files.items():
        changed: dict[int, dict[str, Any]] = {}
        for row in rows:
            wanted = _wants(row, root)
            if wanted is None or row.value is None:
                continue
            found = _locate(root, wanted[1], known)
            metadata = _metadata(row.value)
            if metadata is None:
                found = "metadata_json is not a JSON object; mend it first"
            if isinstance(found, str) or metadata is None:
                message = f"no coordinates for {wanted[1]!r}: {found}"
                refused.append(Finding(name, row.line, "error", "not_filled", wanted[0], message))
                continue
            text = json.dumps({**metadata, "coordinates": found, "coordinates_from": ORIGIN}, ensure_ascii=False)
            changed[row.line] = {**row.value, "metadata_json": text}
            filled.append(wanted[0])
        if changed:
            _rewrite(root / name, changed)
    return Filled(tuple(filled), tuple(refused))


def _metadata(value: dict[str, Any]) -> dict[str, Any] | None:
    """Return a row's metadata, or None where it is no object and would be lost."""
    text = value.get("metadata_json", "{}")
    if not isinstance(text, str):
        return None
    try:
        parsed = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None
