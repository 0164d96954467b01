"""Turn a Hub dataset repository back into a benchmark folder: rows in one file, media under their released paths."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

from provise.benchmark.about import FILE as ABOUT
from provise.benchmark.about import read_about
from provise.benchmark.paths import resolve_media
from provise.errors import InputError
from provise.hub.imagefolder import METADATA, read_imagefolder
from provise.hub.parquet import read_parquet
from provise.hub.pictures import ROWS, check_name, picture_names
from provise.sample import Sample

__all__ = ["ROWS", "layout_of", "unpack"]

NO_NAME = (errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG)
"""What the system says where a path, and not the disk, is at fault."""

Packed = tuple[int | None, dict[str, Any], list[bytes], bytes | None]


def layout_of(names: Iterable[str]) -> str:
    """Tell by the names of its files how a repository holds its rows.

    Returns
    -------
    str
        ``parquet``, ``imagefolder``, ``flat``, or an empty string where there are no rows.

    Examples
    --------
    >>> layout_of(["README.md", "data/depth/test-00000-of-00001.parquet"]), layout_of(["all.jsonl", "images/1.jpg"])
    ('parquet', 'flat')
    """
    found = list(names)
    parts = [name.split("/") for name in found]
    if any(part[0] == "data" and len(part) == 3 and part[2].endswith(".parquet") for part in parts):
        return "parquet"
    if any(part[0] == "data" and len(part) == 3 and part[2] == METADATA for part in parts):
        return "imagefolder"
    return "flat" if any(name.endswith(".jsonl") for name in found) else ""


def unpack(tree: Path, out: Path, *, name: str = "") -> None:
    """Write a tree as a benchmark folder; what lies in ``out`` afterwards has no links and nothing of the tree's beside.

    Parameters
    ----------
    tree : Path
        A folder as `layout_of` knows it. A flat one is moved, not copied.
    out : Path
        The folder to make.
    name : str
        The benchmark's name, where the tree does not say it.

    Raises
    ------
    InputError
        If a table or a path in it is not sound.
    """
    files = [path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()]
    layout = layout_of(files)
    if layout == "flat":
        shutil.move(tree, out)
    elif layout:
        out.mkdir(parents=True)
        _write(_packed(tree, layout), out)
        for extra in (path for path in tree.glob("*.y*ml") if path.is_file()):
            shutil.copyfile(extra, out / extra.name)
    else:
        raise InputError(
            f"{tree}: no rows in it: neither data/TASK/*.parquet, nor data/TASK/{METADATA}, nor a JSONL file"
        )
    _check_about(out, name)


def _packed(tree: Path, layout: str) -> Iterator[Packed]:
    if layout == "parquet":
        for path in _in_order(tree, list(tree.glob("data/*/*.parquet"))):
            yield from read_parquet(path)
    else:
        for path in _in_order(tree, list(tree.glob(f"data/*/{METADATA}"))):
            yield from read_imagefolder(path.parent)


def _in_order(tree: Path, paths: list[Path]) -> list[Path]:
    """Return the tables in the order of the card's configs, which is that of the tasks; by name where it has none."""
    from provise.hub.tree import card_of, configs_of

    try:
        configs = configs_of(card_of(tree))
    except InputError:
        configs = []
    names = [config.get("config_name") for config in configs]
    return sorted(paths, key=lambda path: (_place(names, path.parent.name), path.as_posix()))


def _place(names: list[Any], name: str) -> int:
    return names.index(name) if name in names else len(names)


def _write(packed: Iterable[Packed], out: Path) -> None:
    lines: list[tuple[int | None, str]] = []
    written: dict[Path, bytes] = {}
    for number, (place, row, media, mask) in enumerate(packed):
        row = {key: value for key, value in row.items() if value is not None}
        sample = Sample.from_row(row, where=f"row {number + 1}")
        names = picture_names(sample)
        if len(names) != len(media) or bool(sample.mask_path) != (mask is not None):
            raise InputError(
                f"row {sample.id!r}: it names {len(names)} pictures and {'a' if sample.mask_path else 'no'} mask, and holds "
                f"{len(media)} and {'none' if mask is None else 'one'}"
            )
        pairs = [*zip(names, media, strict=True), *([(sample.mask_path, mask)] if mask is not None else [])]
        for name, data in pairs:
            _put(out, name, data, sample.id, written)
        lines.append((place, json.dumps(sample.to_row(), ensure_ascii=False) + "\n"))
    if not lines:
        raise InputError("no rows: its tables are empty")
    if all(place is not None for place, _ in lines):
        lines.sort(key=lambda line: line[0] or 0)
    (out / ROWS).write_text("".join(line for _, line in lines), encoding="utf-8", newline="\n")


def _put(out: Path, name: str, data: bytes, where: str, written: dict[Path, bytes]) -> None:
    """Write a picture under its released path, which must not leave the folder nor take the place of the rows."""
    import hashlib

    target = resolve_media(out, name, where=where)
    check_name(name, where)
    digest = hashlib.sha256(data).digest()
    if target in written:
        if written[target] != digest:
            raise InputError(f"{where}: {name!r} is another picture here than in an earlier row")
        return
    written[target] = digest
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    except OSError as error:
        if error.errno not in NO_NAME:
            raise
        reason = "it is too long" if error.errno == errno.ENAMETOOLONG else "another row has a folder, or a file, there"
        raise InputError(f"{where}: {_short(name)} cannot name a picture: {reason}") from error


def _short(name: str) -> str:
    return repr(name if len(name) < 100 else f"{name[:60]}...")


def _check_about(out: Path, name: str) -> None:
    """Give the folder its name, and refuse a route that lies elsewhere: a benchmark from the Hub brings its own or none."""
    about = read_about(out)
    if about.route.endswith((".yaml", ".yml")):
        resolve_media(out, about.route, where=ABOUT)
    elif "/" in about.route or "\\" in about.route:
        raise InputError(f"{ABOUT}: route {about.route!r} is refused: it is neither a name nor a .yaml file beside it")
    if not about.name and name:
        told = {"name": name, "route": about.route, "version": about.version}
        text = yaml.safe_dump({key: value for key, value in told.items() if value}, sort_keys=False, allow_unicode=True)
        (out / ABOUT).write_text(text, encoding="utf-8", newline="\n")
