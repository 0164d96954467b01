"""Check a tree before it is pushed to the Hub."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provise.errors import InputError
from provise.hub.card import SCRIPT
from provise.hub.fetch import unpacked
from provise.hub.imagefolder import METADATA
from provise.hub.tree import card_of, configs_of
from provise.hub.unpack import layout_of
from provise.hub.upload import OURS, files_of

if TYPE_CHECKING:
    from provise.benchmark.finding import Report

__all__ = ["check_tree"]


def check_tree(tree: str | Path, repository: str = "") -> Report:
    """Check a tree as it would be opened, and return the report.

    Raises
    ------
    InputError
        If it is no tree, its benchmark fails its check, or the repository's name is that of its script.
    """
    from provise.benchmark.check import check_benchmark

    folder = Path(tree)
    if not folder.is_dir():
        raise InputError(
            f"{folder}: no such folder; make it with `provise benchmark build hub --from BENCHMARK --out {folder}`"
        )
    head = card_of(folder)
    if layout_of(files_of(folder)) not in ("parquet", "imagefolder"):
        raise InputError(
            f"{folder}: not the tree of a repository (no data/TASK/*.parquet in it); make one with "
            f"`provise benchmark build hub --from {folder} --out DIR`"
        )
    if repository.rpartition("/")[2].casefold() == SCRIPT.removesuffix(".py"):
        raise InputError(
            f"--to {repository}: with {SCRIPT} in it, a repository of this name is refused by every new version of datasets; "
            "give it another name"
        )
    _check_configs(folder, head)
    report = check_benchmark(unpacked(folder))
    if not report.ok:
        errors = [finding for finding in report.findings if finding.level == "error"]
        first = "; ".join(f"{item.id or item.place}: {item.message}" for item in errors[:3])
        raise InputError(
            f"{folder}: the benchmark fails its check with {len(errors)} error{'s' if len(errors) != 1 else ''}, so it is not "
            f"pushed: {first}. `provise benchmark check {folder}` lists all"
        )
    return report


def _check_configs(folder: Path, head: Mapping[str, Any]) -> None:
    """Refuse a card whose configs and the tree's tables do not go together."""
    tables = [name for name in files_of(folder) if name.startswith(OURS) and name.endswith((".parquet", METADATA))]
    covered: set[str] = set()
    for config in configs_of(head):
        for pattern in _patterns(config.get("data_files")):
            found = fnmatch.filter(tables, pattern)
            if not found:
                raise InputError(
                    f"{folder / 'README.md'}: config {config.get('config_name')!r} names {pattern}, and there is no such file; "
                    "build the tree again"
                )
            covered.update(found)
    lost = [name for name in tables if name not in covered]
    if lost:
        raise InputError(f"{folder / 'README.md'}: {lost[0]} is in no config; build the tree again")


def _patterns(files: Any) -> list[str]:
    """Return the patterns of a config in any form a card may write them: a text, a list, by split, with ``split`` and ``path``."""
    if isinstance(files, str):
        return [files]
    if isinstance(files, dict):
        return _patterns(files["path"] if "path" in files else list(files.values()))
    return [pattern for part in files for pattern in _patterns(part)] if isinstance(files, list) else []
