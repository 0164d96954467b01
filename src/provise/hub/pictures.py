"""Which pictures a row names, and in which order the Hub table holds them."""

from __future__ import annotations

from posixpath import normpath
from typing import Any

from provise.benchmark.about import FILE as ABOUT
from provise.errors import InputError
from provise.sample import Sample

__all__ = ["LISTS_OF_PICTURES", "ROWS", "check_name", "picture_names"]

ROWS = "rows.jsonl"
"""Where a tree's rows lie once it is a folder again."""

LISTS_OF_PICTURES = ("images", "file_names")
"""Aids that name pictures."""


def picture_names(sample: Sample) -> list[str]:
    """Return the paths of the pictures that the column ``media`` holds for a row, in its order.

    ``media[i]`` is ``media_paths[i]``. A primary picture, and pictures that the aids name, come after them where
    ``media_paths`` does not have them, so that a row is whole without its folder. The target mask is not among those.

    Examples
    --------
    >>> picture_names(Sample("n1", "", "navigation", "now.png", ("a.png", "b.png"), metadata_json='{"images": ["b.png"]}'))
    ['a.png', 'b.png', 'now.png']
    """
    names = list(sample.media_paths)
    known = {normpath(name) for name in names}
    if sample.mask_path:
        known.add(normpath(sample.mask_path))
    for name in [sample.image_path, *_named(sample)]:
        if normpath(name) not in known:
            known.add(normpath(name))
            names.append(name)
    return names


def check_name(name: str, where: str) -> None:
    """Refuse a picture's path that stands for something else in a benchmark folder: its rows, or what it says of itself.

    Raises
    ------
    InputError
        If it is such a path.

    Examples
    --------
    >>> check_name("data/benchmark.yaml", "a1")
    >>> check_name("benchmark.yaml", "a1")
    Traceback (most recent call last):
    ...
    provise.errors.InputError: a1: 'benchmark.yaml' cannot name a picture: a file of this name is read as rows or settings
    """
    parts = normpath(name.casefold()).split("/")
    settings = len(parts) == 1 and parts[0].endswith((".yaml", ".yml"))
    if settings or parts[0] in (ROWS, ABOUT) or parts[-1].endswith(".jsonl"):
        raise InputError(f"{where}: {name!r} cannot name a picture: a file of this name is read as rows or settings")


def _named(sample: Sample) -> list[str]:
    found: list[str] = []
    for aid in LISTS_OF_PICTURES:
        value: Any = sample.metadata.get(aid)
        if isinstance(value, list):
            found += [name for name in value if isinstance(name, str) and name.strip()]
    return found
