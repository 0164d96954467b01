"""Media paths: relative to the benchmark's root, and never out of it."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from provise.errors import InputError

__all__ = ["resolve_media"]


def _unsafe(path: str) -> str:
    """Return why a path cannot be relative to a root, or an empty string."""
    if not path.strip():
        return "it is empty"
    if "\0" in path:
        return "it holds a NUL character"
    if "://" in path:
        return "it is an address; media lie beside the JSONL file"
    if path.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z]:", path):
        return "it is absolute; paths are relative to the benchmark's root"
    if ".." in re.split(r"[/\\]", path):
        return "it holds '..'; media lie under the root"
    return ""


@lru_cache(maxsize=8)
def _followed(root: str) -> Path:
    """Return a root with its links followed, once for all of its media."""
    return Path(root).resolve()


def resolve_media(root: str | Path, path: str, *, where: str = "media path") -> Path:
    """Return the file a media path names; it need not exist.

    Parameters
    ----------
    root : path
        The benchmark's folder.
    path : str
        As written in the row: relative, forward slashes.
    where : str
        Sample id or file and line, for the message.

    Raises
    ------
    InputError
        If the path is empty, absolute, an address (``://``), climbs with ``..``, or is a symlink that leaves the root.

    Examples
    --------
    >>> resolve_media("/data", "../secret.png")
    Traceback (most recent call last):
    ...
    provise.errors.InputError: media path: '../secret.png' is refused: it holds '..'; media lie under the root
    """
    reason = _unsafe(path)
    if not reason:
        base = _followed(os.path.abspath(root))
        try:
            found = (base / path).resolve()
        except (OSError, RuntimeError) as error:
            reason = f"it cannot be followed ({error})"
        else:
            if found.is_relative_to(base):
                return found
            reason = f"it is a link that leaves the benchmark's root {base}"
    raise InputError(f"{where}: {path!r} is refused: {reason}")
