"""Where the package's data files are: inside an installed wheel, or at the root of an editable checkout."""

from __future__ import annotations

from pathlib import Path

__all__ = ["data_folder"]


def data_folder(name: str) -> Path:
    """Return the folder ``protocols``, ``loaders`` or ``metrics``.

    Parameters
    ----------
    name : str
        ``"protocols"``, ``"loaders"`` or ``"metrics"``.

    Returns
    -------
    Path
        The wheel's copy where there is one, else the folder of the checkout the package is installed from.

    Raises
    ------
    FileNotFoundError
        If neither exists: the installation is broken.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "_data" / name, package.parents[1] / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no {name}/ beside the package at {package}: install provise again")
