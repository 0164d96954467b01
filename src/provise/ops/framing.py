"""Whether an answer shows its source over the whole frame, or padded, cropped, or as one panel of several."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["Framing", "framing"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

SIDE = 160
"""Longest side of the answer, in pixels, on which the source is looked for."""

SCALES = np.exp(0.035 * np.arange(-22, 17))
"""Sizes of the source that are tried, 1 being the largest that fits into the answer."""

WHOLE = 0.8
"""Correlation with the source laid over the whole frame from which nothing else is looked for."""

WINDOW = 25
"""Side, in pixels, of what counts as broad."""

CAP = 30.0
"""Levels beyond which a step counts no more."""

FOUND = 0.75
"""Correlation from which the source is found at another place."""

EVEN = 3.0
"""Standard deviation, in levels, under which a scene is too even to be found anywhere."""

CLEARLY = 0.2
"""By how much that must exceed the correlation over the whole frame."""


class Framing(NamedTuple):
    """Width and height over which an answer shows its source, as shares of its own, and how sure that is.

    Both are 1 where the source fills the frame or cannot be found; they exceed 1 where the answer shows a part of it.
    """

    width: float
    height: float
    likeness: float


def framing(answer: Bytes, source: Bytes) -> Framing:
    """Find where an answer shows its source, in the source's own aspect ratio.

    Parameters
    ----------
    answer, source : ndarray of uint8, shape (h, w, 3)
        Each in its own size and shape.

    Examples
    --------
    >>> scene = cv2.resize(np.random.default_rng(0).integers(0, 255, (18, 24, 3), np.uint8), (160, 120))
    >>> framing(cv2.resize(scene, (160, 160)), scene)[:2]
    (1.0, 1.0)
    >>> [round(v, 1) for v in framing(np.pad(scene, ((20, 20), (0, 0), (0, 0))), scene)[:2]]
    [1.0, 0.8]
    """
    factor = SIDE / max(answer.shape[:2])
    w, h = (max(8, round(n * factor)) for n in (answer.shape[1], answer.shape[0]))
    shown = _tones(answer, (w, h))
    whole = float(cv2.matchTemplate(shown, _tones(source, (w, h)), cv2.TM_CCOEFF_NORMED)[0, 0])
    nothing = Framing(1.0, 1.0, whole)
    if whole >= WHOLE:
        return nothing
    best = nothing
    largest = min(w / source.shape[1], h / source.shape[0])
    for scale in SCALES:
        size = (round(source.shape[1] * largest * scale), round(source.shape[0] * largest * scale))
        if min(size) < 24:
            continue
        likeness = _found(shown, _tones(source, size))
        if likeness > best.likeness:
            best = Framing(size[0] / w, size[1] / h, likeness)
    return best if best.likeness >= max(FOUND, whole + CLEARLY) else nothing


def _found(shown: Floats, scene: Floats) -> float:
    """Return the best correlation of two pictures over all places where one holds the other."""
    (h, w), (sh, sw) = shown.shape, scene.shape
    # Where one is wider and the other higher, the scene's middle is compared over the extent they share.
    if sw > w and sh <= h:
        scene = scene[:, (sw - w) // 2 :][:, :w]
    elif sh > h and sw <= w:
        scene = scene[(sh - h) // 2 :][:h]
    elif sw > w:
        shown, scene = scene, shown
    # A frame's step reaches over the rim of what it frames.
    rim = min(WINDOW // 2, min(scene.shape) // 6)
    scene = scene[rim:-rim, rim:-rim]
    if scene.std() < EVEN:
        return 0.0
    found = cv2.matchTemplate(shown, scene, cv2.TM_CCOEFF_NORMED)
    # Of an even place a correlation says nothing.
    rows, columns = found.shape
    box = (scene.shape[1], scene.shape[0])
    mean = cv2.blur(shown, box, anchor=(0, 0))[:rows, :columns]
    power = cv2.blur(shown * shown, box, anchor=(0, 0))[:rows, :columns] - mean * mean
    return float(found[power >= EVEN * EVEN].max(initial=0.0))


def _tones(picture: Bytes, size: tuple[int, int]) -> Floats:
    grey = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY).astype(np.float32)
    # Broad light and shade say little about a place, and a mark's large step must not outvote the scene.
    fine = cv2.GaussianBlur(grey, (0, 0), 1.2) - cv2.blur(grey, (WINDOW, WINDOW))
    return np.asarray(np.clip(fine, -CAP, CAP), dtype=np.float32)
