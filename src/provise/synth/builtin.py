"""The built-in benchmark: made on first use, kept in the user's cache."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from provise.benchmark.tasks import TASKS
from provise.errors import InputError
from provise.synth.build import VERSION, build_synth

__all__ = ["PER_TASK", "built_in", "cache_folder"]

PER_TASK = 8


def cache_folder() -> Path:
    """Return where provise keeps what it made once: ``PROVISE_CACHE``, or ``provise`` in the user's cache."""
    if named := os.environ.get("PROVISE_CACHE"):
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "provise"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "provise"


def built_in() -> Path:
    """Return the folder of the built-in benchmark, 14 tasks of 8 questions; make it where it is not there yet.

    Raises
    ------
    InputError
        If the cache cannot be written.
    """
    folder = cache_folder() / f"synth-{VERSION}"
    if (folder / "rows.jsonl").is_file():
        return folder
    about = f"{PER_TASK * len(TASKS)} drawn questions, well under a minute"
    print(f"making the built-in benchmark in {folder} ({about}); this happens once", file=sys.stderr)
    try:
        build_synth(folder, PER_TASK)
    except (OSError, InputError) as error:
        # Another process may have made it in the meantime.
        if not (folder / "rows.jsonl").is_file():
            raise InputError(f"{folder}: cannot be made ({error}); name another place in PROVISE_CACHE") from error
    return folder
