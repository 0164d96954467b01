"""The folders of the evaluate modules, as they are pushed as Spaces."""

from __future__ import annotations

from pathlib import Path

from provise.errors import InputError
from provise.evaluation.about import module_names
from provise.resources import data_folder

__all__ = ["chosen_modules", "module_folder"]


def chosen_modules(only: str) -> list[str]:
    """Return the modules that a list names, separated by commas; all where it is empty.

    Raises
    ------
    InputError
        If there is no such module.

    Examples
    --------
    >>> chosen_modules("depth, grounding")
    ['depth', 'grounding']
    """
    known = module_names()
    names = [name for part in only.split(",") if (name := part.strip())]
    for name in names:
        if name not in known:
            raise InputError(f"--only names {name!r}, and there is no such module; there are {', '.join(known)}")
    return [name for name in known if not names or name in names]


def module_folder(name: str) -> Path:
    """Return a module's folder.

    Raises
    ------
    InputError
        If it is not there.
    """
    folder = data_folder("metrics") / name
    if not (folder / f"{name}.py").is_file():
        raise InputError(f"{folder}: there is no module in it; install provise again")
    return folder
