"""Where a benchmark lies: a folder, the built-in one, a repository on the Hub, or a Hub tree on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["BUILT_IN", "Place", "is_folder", "locate"]

BUILT_IN = "synth"
"""The name of the built-in benchmark."""


@dataclass(frozen=True)
class Place:
    """A benchmark's folder, and where it came from.

    Attributes
    ----------
    folder : Path
        The folder, or one JSONL file.
    origin : str
        ``hf:NAMESPACE/NAME``; empty where the folder was named itself.
    revision : str
        The commit on the Hub; empty where there is none.
    """

    folder: Path
    origin: str = ""
    revision: str = ""


def is_folder(named: str | Path) -> bool:
    """Tell whether a benchmark is named by its own folder or file, so that it is somebody's to change."""
    from provise.hub.address import is_address

    return named != BUILT_IN and not is_address(named) and not _is_tree(Path(named))


def locate(named: str | Path) -> Place:
    """Find a benchmark by its name; one on the Hub is fetched, the built-in one made, where that was not done before.

    Parameters
    ----------
    named : str or path
        A folder or JSONL file; ``synth``; ``hf:NAMESPACE/NAME[@REVISION]``; ``spatialgen-bench``; or the tree that
        ``provise benchmark build hub`` writes.

    Raises
    ------
    InputError
        If it cannot be fetched or made. That a folder exists is not asked.
    """
    from provise.hub.address import is_address

    if named == BUILT_IN:
        from provise.synth.builtin import built_in

        return Place(built_in())
    if is_address(named):
        from provise.hub.address import parse_address
        from provise.hub.fetch import fetch

        address = parse_address(named)
        folder, commit = fetch(address)
        return Place(folder, address.origin, commit)
    if _is_tree(Path(named)):
        from provise.hub.fetch import unpacked

        return Place(unpacked(Path(named)))
    return Place(Path(named))


def _is_tree(path: Path) -> bool:
    """Tell whether a folder is the tree of a Hub repository: a card, and tables or image folders by task under ``data/``."""
    if not (path / "README.md").is_file():
        return False
    return any(True for pattern in ("data/*/*.parquet", "data/*/metadata.jsonl") for _ in path.glob(pattern))
