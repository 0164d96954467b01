"""Real photos that need no download, and scenes made of them that already hold a mark's colour."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from provise.draw.brush import blob_outline, polygon, soften
from provise.draw.style import PURE
from provise.errors import MissingDependencyError

__all__ = ["COLOUR", "GREY", "PLACES", "frame_size", "framed", "load", "scenery"]

Bytes = npt.NDArray[np.uint8]

_FILES = {
    "astronaut": "astronaut.png",
    "chelsea": "chelsea.png",
    "coffee": "coffee.png",
    "hubble": "hubble_deep_field.jpg",
    "ihc": "ihc.png",
    "motorcycle": "motorcycle_left.png",
    "retina": "retina.jpg",
    "rocket": "rocket.jpg",
    "brick": "brick.png",
    "camera": "camera.png",
    "clock": "clock_motion.png",
    "coins": "coins.png",
    "grass": "grass.png",
    "gravel": "gravel.png",
    "moon": "moon.png",
    "page": "page.png",
    "text": "text.png",
}

COLOUR = ("astronaut", "chelsea", "coffee", "hubble", "ihc", "motorcycle", "retina", "rocket")
"""Colour photos of scikit-image."""

GREY = ("brick", "camera", "clock", "coins", "grass", "gravel", "moon", "page", "text")
"""Its grey ones."""

PLACES = (
    "astronaut",
    "chelsea",
    "coffee",
    "motorcycle",
    "rocket",
    "camera",
    "coins",
    "hubble",
    "ihc",
    "retina",
)
"""Photos whose parts differ from each other, unlike a texture's, and none of which is flat."""

_ASPECTS = (1.0, 4 / 3, 3 / 4, 3 / 2, 2 / 3, 16 / 9)


@lru_cache(maxsize=32)
def load(name: str) -> Bytes:
    """Return a photo as RGB; a grey one has three equal channels.

    Raises
    ------
    MissingDependencyError
        If the installed scikit-image does not carry the file.
    """
    import skimage.data

    path = Path(skimage.data.__file__).parent / _FILES[name]
    if not path.is_file():
        raise MissingDependencyError(f"{path.name} is not in the installed scikit-image: pip install -U scikit-image")
    with Image.open(path) as opened:
        pixels = np.array(opened.convert("RGB"))
    pixels.setflags(write=False)
    return np.asarray(pixels, dtype=np.uint8)


def frame_size(rng: np.random.Generator, side: tuple[int, int] = (480, 1024)) -> tuple[int, int]:
    """Return width and height of a random frame, its longer side within ``side``, in one of six aspect ratios."""
    aspect = _ASPECTS[int(rng.integers(len(_ASPECTS)))]
    longer = int(rng.integers(side[0], side[1] + 1))
    return (longer, round(longer / aspect)) if aspect >= 1 else (round(longer * aspect), longer)


def framed(
    rng: np.random.Generator, name: str, size: tuple[int, int], *, zoom: tuple[float, float] = (0.7, 1.0)
) -> Bytes:
    """Return a random part of a photo, brought to a size.

    Parameters
    ----------
    rng : Generator
        Decides which part.
    name : str
        One of `COLOUR` and `GREY`.
    size : tuple of int
        Width and height in pixels.
    zoom : tuple of float
        Range of the part's share of the largest one of that aspect ratio.
    """
    photo = load(name)
    h, w = photo.shape[:2]
    aspect = size[0] / size[1]
    pw, ph = (w, w / aspect) if w / h < aspect else (h * aspect, h)
    share = rng.uniform(*zoom)
    pw, ph = max(8, int(pw * share)), max(8, int(ph * share))
    x, y = int(rng.integers(0, max(1, w - pw + 1))), int(rng.integers(0, max(1, h - ph + 1)))
    part = photo[y : y + ph, x : x + pw]
    method = cv2.INTER_AREA if pw > size[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(part, size, interpolation=method), dtype=np.uint8)


# Hue, saturation and value ranges (OpenCV) of things that have a mark's colour: lawn, sky, flower, teal cloth, brick
# red, sunflower; all lie inside the ranges that marks are found by.
_NATURE: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "green": ((40, 75), (95, 200), (90, 200)),
    "blue": ((102, 122), (130, 200), (90, 220)),
    "magenta": ((146, 166), (90, 190), (110, 230)),
    "cyan": ((84, 98), (85, 180), (90, 210)),
    "red": ((-6, 8), (110, 200), (95, 210)),
    "yellow": ((23, 33), (110, 200), (115, 225)),
}

APART = 80
"""Levels by which a scene's own colour differs from the pure one: less could not be told from a mark by eye either."""


def scenery(rng: np.random.Generator, photo: Bytes, colours: tuple[str, ...]) -> Bytes:
    """Return a photo into which irregular, textured patches of the given colours are painted, as part of the scene.

    Parameters
    ----------
    rng : Generator
        Decides shapes, places and tones.
    photo : ndarray of uint8, shape (h, w, 3)
        The scene.
    colours : tuple of str
        Marks' colours, as in `provise.draw.PURE`; each gets one to three patches of 8 to 55 % of the frame's side.
    """
    h, w = photo.shape[:2]
    out = photo.astype(np.float32)
    for colour in colours:
        for _ in range(int(rng.integers(1, 4))):
            across = rng.uniform(0.08, 0.55, 2) * min(w, h)
            centre = rng.uniform(0, 1, 2) * (w, h)
            outline = blob_outline(rng, (centre[0], centre[1]), (across[0], across[1]), rough=0.5)
            cover = soften(polygon((w, h), outline), rng.uniform(0.5, 3))[..., None]
            out = out * (1 - cover) + cover * _cloth(rng, (w, h), colour)
    return np.asarray(np.clip(np.rint(out), 0, 255), dtype=np.uint8)


def _cloth(rng: np.random.Generator, size: tuple[int, int], colour: str) -> npt.NDArray[np.float32]:
    """Return a frame filled with a natural tone of a colour, its light uneven and grainy."""
    w, h = size
    while True:
        hue, saturation, value = (rng.uniform(*limits) for limits in _NATURE[colour])
        hsv = np.array([[[2 * hue % 360, saturation / 255, value / 255]]], np.float32)
        tone = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0] * 255
        if np.abs(tone - PURE[colour]).max() >= APART:
            break
    coarse = rng.normal(0, 0.06, (9, 9)).astype(np.float32)
    light = 1 + cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC) + rng.normal(0, 0.03, (h, w)).astype(np.float32)
    return np.asarray(light[..., None] * tone, dtype=np.float32)
