"""Thumbnails: each picture once, small enough that the page stays one file that opens."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.errors import ProviseError
from provise.image import Picture, decode, fit
from provise.runs.folder import is_whole

__all__ = ["BUDGET", "LEVELS", "Thumbnails", "View", "make_thumbnails"]

BUDGET = 26_000_000
"""Bytes of all JPEG files together: written as text they take a third more, and the rows come on top."""

LEVELS = (
    (480, 80), (400, 78), (320, 75), (256, 72), (208, 70), (176, 66), (144, 62), (132, 60), (120, 58), (108, 55), (96, 52),
    (80, 45), (64, 40),
)  # fmt: skip
"""Longest side in pixels and JPEG quality, best first."""

_PROBES = 48
_MARGIN = 1.05


@dataclass(frozen=True)
class View:
    """A picture to be shown.

    Parameters
    ----------
    path : Path
        Its file.
    shape : tuple of int, optional
        Width and height in proportion of the part to show, from the top: an evidence picture carries a caption
        below, which the page says in words.
    digest : str
        SHA-256 that the file must have to be shown; empty for any.
    """

    path: Path
    shape: tuple[int, int] | None = None
    digest: str = ""


@dataclass(frozen=True)
class Thumbnails:
    """Thumbnails of a report.

    Attributes
    ----------
    data : list of bytes
        JPEG files, each there once.
    index : dict of View to int
        Which one shows a picture; a picture that cannot be opened is not there.
    longest : int
        Their longest side in pixels at most.
    """

    data: list[bytes]
    index: dict[View, int]
    longest: int


def make_thumbnails(views: Iterable[View], *, budget: int = BUDGET) -> Thumbnails:
    """Make the thumbnails of many pictures, the smaller the more there are.

    Parameters
    ----------
    views : iterable of View
        Repeats are done once.
    budget : int
        Bytes for all of them.

    Returns
    -------
    Thumbnails
        The same files give the same bytes.
    """
    wanted = [view for view in dict.fromkeys(views) if view.path.is_file()]
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        for level in _levels(wanted, budget):
            files = list(pool.map(lambda view, at=level: _jpeg(view, *at), wanted))
            data = list(dict.fromkeys(file for file in files if file))
            # The smallest level is taken however large: a page that is heavy is better than none.
            if sum(map(len, data)) <= budget or level == LEVELS[-1]:
                break
        else:
            return Thumbnails([], {}, LEVELS[0][0])
    place = {file: i for i, file in enumerate(data)}
    return Thumbnails(data, {view: place[f] for view, f in zip(wanted, files, strict=True) if f}, level[0])


def _levels(views: Sequence[View], budget: int) -> Sequence[tuple[int, int]]:
    """Return the levels to try: from the first that a few pictures let one expect to fit."""
    if not views:
        return ()
    probes = views[:: max(1, len(views) // _PROBES)]
    pictures = [array for array in map(_open, probes) if array is not None]
    for i, (longest, quality) in enumerate(LEVELS):
        sizes = [len(_encode(array, longest, quality)) for array in pictures]
        if _MARGIN * sum(sizes) / max(1, len(sizes)) * len(views) <= budget:
            return LEVELS[i:]
    return LEVELS[-1:]


def _jpeg(view: View, longest: int, quality: int) -> bytes:
    """Return a thumbnail; empty where the file cannot be opened as a picture."""
    array = _open(view)
    return b"" if array is None else _encode(array, longest, quality)


def _open(view: View) -> npt.NDArray[np.uint8] | None:
    """Open a picture as all pictures here are opened, over white where it is transparent."""
    if view.digest and not is_whole(view.path, view.digest):
        return None
    try:
        picture = decode(view.path)
    except (ProviseError, OSError):
        return None
    rgb: npt.NDArray[Any] = fit(picture)[0]
    if rgb.dtype != np.uint8:
        rgb = np.clip(np.rint(rgb), 0, 255).astype(np.uint8)
    if view.shape is not None:
        rows = round(rgb.shape[1] * view.shape[1] / view.shape[0])
        rgb = rgb[: max(1, min(rows, rgb.shape[0]))]
    # Brought down at once to the largest size that any level needs: the probes are held, the large arrays are not.
    return _smaller(rgb, LEVELS[0][0])


def _smaller(rgb: npt.NDArray[np.uint8], longest: int) -> npt.NDArray[np.uint8]:
    height, width = rgb.shape[:2]
    factor = longest / max(width, height)
    if factor >= 1:
        return rgb
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    return np.asarray(fit(Picture(np.ascontiguousarray(rgb)), size)[0], np.uint8)


def _encode(rgb: npt.NDArray[np.uint8], longest: int, quality: int) -> bytes:
    small = cv2.cvtColor(_smaller(rgb, longest), cv2.COLOR_RGB2BGR)
    settings = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1]
    return bytes(cv2.imencode(".jpg", small, settings)[1].tobytes())
