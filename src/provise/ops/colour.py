"""Marks by colour: the fixed HSV ranges, and what of them is new in the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, Field

from provise.errors import Refusal
from provise.ops.registry import Kind, Params, View, operator
from provise.ops.sheet import Sheet

__all__ = ["COLOURS", "Colour", "ColourName", "colour_mask", "novel_marks"]

ColourName = Literal["green", "blue", "magenta", "cyan", "red", "yellow"]


@dataclass(frozen=True)
class Colour:
    """A mark's colour: what the prompt asks for, and the OpenCV HSV ranges it is found by.

    Parameters
    ----------
    rgb : tuple of int
        The pure colour.
    hues : tuple of (low, high)
        Inclusive hue ranges, 0 to 179; red has two, because hue wraps.
    saturation, value : int
        Least S and V, 0 to 255.
    """

    rgb: tuple[int, int, int]
    hues: tuple[tuple[int, int], ...]
    saturation: int
    value: int

    def __post_init__(self) -> None:
        for low, high in self.hues:
            if not 0 <= low <= high <= 179:
                raise ValueError(f"hue range [{low}, {high}] is outside OpenCV's 0-179 (not 0-255, not 0-360)")


# The paper's ranges overlap at 80-90 (green, cyan), 100 (cyan, blue) and 170-175 (magenta, red); there the nearest
# pure hue wins, which is written down here as ranges that touch.
COLOURS: dict[str, Colour] = {
    "green": Colour((0, 255, 0), ((35, 79),), 80, 80),
    "cyan": Colour((0, 255, 255), ((80, 100),), 70, 70),
    "blue": Colour((0, 0, 255), ((101, 130),), 120, 50),
    "magenta": Colour((255, 0, 255), ((140, 169),), 80, 80),
    "red": Colour((255, 0, 0), ((0, 10), (170, 179)), 100, 80),
    "yellow": Colour((255, 255, 0), ((22, 34),), 100, 100),
}


def _known(name: str) -> str:
    if name not in COLOURS:
        raise ValueError(f"colour {name!r} is unknown; there are {', '.join(COLOURS)}")
    return name


FOLLOWED = 12.0
"""Least approach, in levels, by which a mark is followed over what had its colour already."""

TAKEN = 0.4
"""Share of the way to the pure colour's purity by which a pixel is the mark's, however far it is from the pure colour."""

ROOM = 30
"""Least way, in levels, that is measured against: in a scene of the pure colour itself nothing can be told."""

OUTDONE = 40.0
"""Levels of purity by which a small mark exceeds everything in the source that lies within `AROUND` of it."""

AROUND = 15.0
"""Side, in pixels at 640x480, of the surroundings over which a codec spreads a colour."""

SPREADS = (5, 11)
"""Sides, in pixels, over which an answer's blur is allowed to have mixed the scene."""

Bytes = npt.NDArray[np.uint8]


class ColourParams(Params):
    """Which colour, and how far a pixel must have moved towards it.

    Attributes
    ----------
    colour : str
        One of `COLOURS`.
    change : int
        Least approach to the pure colour, in levels of the channel that is farthest from it.
    least : float
        Fewest pixels, at 640x480, that are a mark at all.
    missing : str
        The reason code where there are fewer.
    paleness : float
        Share of the range's least saturation that is enough for an edit of a known source: blur washes thin lines out,
        and that they are new there says more than how strong they are.
    """

    colour: Annotated[str, AfterValidator(_known)]
    change: int = Field(default=36, ge=1, le=255)
    least: float = Field(default=0.0, ge=0, le=10_000)
    missing: str = Field(default="no_mark", pattern=r"^[a-z][a-z0-9_]*$")
    paleness: float = Field(default=1.0, gt=0, le=1)


def colour_mask(hsv: npt.NDArray[np.uint8], colour: str, paleness: float = 1.0) -> npt.NDArray[np.uint8]:
    """Return where a picture has a colour.

    Parameters
    ----------
    hsv : ndarray of uint8, shape (h, w, 3)
        OpenCV HSV.
    colour : str
        One of `COLOURS`.
    paleness : float
        Factor on the least saturation.

    Returns
    -------
    ndarray of uint8, shape (h, w)
        255 where hue, saturation and value lie in the colour's ranges, else 0 (paper, table 8).

    Examples
    --------
    >>> import numpy as np
    >>> colour_mask(np.array([[[60, 255, 255], [120, 255, 255]]], np.uint8), "green").tolist()
    [[255, 0]]
    """
    entry = COLOURS[colour]
    found: npt.NDArray[np.uint8] | None = None
    for low, high in entry.hues:
        part = cv2.inRange(hsv, (low, round(paleness * entry.saturation), entry.value), (high, 255, 255))
        found = part if found is None else cv2.bitwise_or(found, part)
    return np.asarray(found, dtype=np.uint8)


def distance_to(rgb: Bytes, pure: tuple[float, float, float]) -> Bytes:
    """Return the largest channel difference to a colour, shape (h, w), uint8."""
    # A level as a plane of its own: cv2 takes a window of four pixels, one wide, for four scalars and fails.
    levels = [np.full(rgb.shape[:2], round(level), np.uint8) for level in pure]
    planes = [cv2.absdiff(plane, level) for plane, level in zip(cv2.split(rgb), levels, strict=True)]
    return np.asarray(cv2.max(cv2.max(planes[0], planes[1]), planes[2]), dtype=np.uint8)


def purity(rgb: Bytes, colour: str) -> Bytes:
    """Return by how much a colour's own channels exceed the others.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        A picture.
    colour : str
        One of `COLOURS`.

    Returns
    -------
    ndarray of uint8, shape (h, w)
        The least of the pure colour's full channels less the largest of its empty ones, at least 0: 255 for the pure
        colour, 0 for greys and for its complement. Paint of a given opacity moves it by that share of the way.

    Examples
    --------
    >>> purity(np.array([[[0, 255, 255], [90, 90, 90], [40, 200, 120]]], np.uint8), "cyan").tolist()
    [[255, 0, 80]]
    """
    full = COLOURS[colour].rgb
    planes = cv2.split(rgb)
    high = [plane for plane, level in zip(planes, full, strict=True) if level]
    low = [plane for plane, level in zip(planes, full, strict=True) if not level]
    least = high[0] if len(high) == 1 else cv2.min(high[0], high[1])
    largest = low[0] if len(low) == 1 else cv2.max(low[0], low[1])
    return np.asarray(cv2.subtract(least, largest), dtype=np.uint8)


def novel_marks(sheet: Sheet, colour: str, change: int, paleness: float = 1.0) -> Bytes:
    """Return the pixels that have a colour in the answer and came closer to it than they were in the source.

    A scene's own grass or sky has the colour too, but did not move; a recoloured copy moved less than ``change``.
    Where a mark crosses what had its colour already, it moved less as well: there it is followed from its clear part
    as far as it moved more than the scene's own colour did elsewhere.
    """
    found = colour_mask(sheet.hsv, colour, paleness if sheet.edited else 1.0)
    own = sheet.matched_hsv
    if sheet.matched is None or own is None or not found.any():
        return found
    x, y, w, h = cv2.boundingRect(found)
    window = (slice(y, y + h), slice(x, x + w))
    held = cv2.bitwise_and(colour_mask(np.ascontiguousarray(own[window]), colour), found[window])
    crossing = cv2.countNonZero(held) >= 30
    moved = _moved(sheet, colour, window, held if crossing else None)
    # In an answer of less contrast a mark moves less, in proportion.
    change = round(change * min(1.0, max(0.55, sheet.contrast)))
    # cv2.compare takes a window of one pixel for a scalar and fails; inRange does not.
    clear = cv2.bitwise_and(found[window], cv2.bitwise_or(moved.vivid, cv2.inRange(moved.near, change, 32767)))
    if crossing:
        clear = _followed(clear, held, moved.near)
    if sheet.returned:
        clear = _outdone(sheet, clear, moved)
    found[:] = 0
    found[window] = clear
    return found


class _Moved(NamedTuple):
    """How the pixels of a window changed: levels by which they came closer to a colour, where they took on much of it,
    and its purity in the answer and in the source."""

    near: npt.NDArray[np.int16]
    vivid: Bytes
    after: Bytes
    before: Bytes


def _moved(sheet: Sheet, colour: str, window: tuple[slice, slice], held: Bytes | None) -> _Moved:
    """Return how a window changed towards a colour, the least over the sources.

    The distance to the pure colour falls short where an answer was faded, since a grey then stays nearly as far from it
    as the mark is; how much a pixel took on of the colour (`purity`) does not. ``held`` marks where the scene had the
    colour itself, or is None where it hardly had.
    """
    pure = sheet.recoloured(COLOURS[colour].rgb)
    most = int(purity(np.array([[pure]], np.float32).round().astype(np.uint8), colour)[0, 0])
    needed = np.ceil(TAKEN * np.maximum(most - np.arange(256), ROOM)).astype(np.uint8)
    answer = np.ascontiguousarray(sheet.answer[window])
    distance, after = distance_to(answer, pure), purity(answer, colour)
    found: _Moved | None = None
    for source in (sheet.matched, *sheet.others):
        assert source is not None
        scene = np.ascontiguousarray(source[window])
        before = purity(scene, colour)
        apart, own = distance_to(scene, pure), before
        if held is not None:
            # A blurred answer mixes the scene's own colour into its surroundings: that is nothing new either.
            for side in SPREADS:
                mixed = np.asarray(cv2.blur(scene, (side, side)), dtype=np.uint8)
                apart = np.asarray(cv2.min(apart, distance_to(mixed, pure)), dtype=np.uint8)
                own = np.asarray(cv2.max(own, purity(mixed, colour)), dtype=np.uint8)
        near = np.asarray(cv2.subtract(apart, distance, dtype=cv2.CV_16S), dtype=np.int16)
        taken = np.asarray(cv2.subtract(after, own, dtype=cv2.CV_16S), dtype=np.int16)
        if held is not None:
            # What the fit of colours did not express moves all of the scene's own colour alike.
            inside = held > 0
            near[inside] -= np.int16(np.clip(np.median(near[inside]), -60, 60))
            taken[inside] -= np.int16(np.clip(np.median(taken[inside]), -60, 60))
        enough = cv2.subtract(taken, cv2.LUT(own, needed), dtype=cv2.CV_16S)
        vivid = np.asarray(cv2.inRange(enough, 0, 32767), dtype=np.uint8)
        if found is not None:
            near = np.minimum(near, found.near)
            vivid = np.asarray(cv2.bitwise_and(vivid, found.vivid), dtype=np.uint8)
        found = _Moved(near, vivid, after, before if found is None else found.before)
    assert found is not None
    return found


def _followed(clear: Bytes, held: Bytes, approach: npt.NDArray[np.int16]) -> Bytes:
    """Grow the clear part of a mark over what had its colour in the source, as far as it stands out from the noise."""
    smooth = np.asarray(cv2.blur(approach, (5, 5)))
    level = max(FOLLOWED, 3.5 * 1.4826 * float(np.median(np.abs(smooth[held > 0]))))
    # The mean reaches two pixels beyond a mark's rim: what did not move itself is not the mark's.
    held = cv2.bitwise_and(held, cv2.inRange(approach, round(level / 2), 255))
    sure = cv2.bitwise_and(held, cv2.compare(smooth, 2 * level, cv2.CMP_GE))
    clear = cv2.bitwise_or(clear, sure)
    both = cv2.bitwise_or(clear, cv2.bitwise_and(held, cv2.compare(smooth, level, cv2.CMP_GE)))
    n, labels = cv2.connectedComponents(both, connectivity=8)
    kept = np.zeros(n, np.uint8)
    kept[labels[clear > 0]] = 255
    kept[0] = 0
    return np.asarray(kept[labels], dtype=np.uint8)


def _outdone(sheet: Sheet, marks: Bytes, moved: _Moved) -> Bytes:
    """Keep the marks that have more of the colour than anything of the source round about.

    In a copy, a codec spreads the colour of a thin line or a field, and a turned hue takes its rim into another
    colour's range; but no pixel becomes purer than its surroundings were.
    """
    x, y, w, h = cv2.boundingRect(marks)
    side = max(3, round(AROUND * (sheet.size[0] * sheet.size[1] / (640 * 480)) ** 0.5) | 1)
    left, top = max(0, x - side), max(0, y - side)
    near = (slice(top, y + h + side), slice(left, x + w + side))
    about = cv2.dilate(np.ascontiguousarray(moved.before[near]), np.ones((side, side), np.uint8))
    more = cv2.subtract(np.ascontiguousarray(moved.after[near]), about)
    more = cv2.inRange(more, OUTDONE * min(1.0, max(0.55, sheet.contrast)), 255)
    own = np.ascontiguousarray(marks[near])
    sure = cv2.bitwise_and(more, own)
    n, labels = cv2.connectedComponents(own, connectivity=8)
    kept = np.zeros(n, np.uint8)
    kept[labels[sure > 0]] = 255
    kept[0] = 0
    out = marks.copy()
    # Nearly always all of them are kept.
    if not kept[1:].all():
        out[near] = kept[labels]
    return out


@operator("novel_colour", inputs={"sheet": Kind.SHEET}, output=Kind.MASK, params=ColourParams, version=3)
def novel_colour(view: View, params: ColourParams, *, sheet: Sheet) -> npt.NDArray[np.uint8]:
    """Find the pixels of a colour that the source did not have there; refuse an answer with too few of them."""
    mask = novel_marks(sheet, params.colour, params.change, params.paleness)
    pixels = cv2.countNonZero(mask)
    least = params.least * view.scale
    view.note(colour=params.colour, pixels=pixels, least=round(least, 1))
    if pixels < least:
        evidence = {"colour": params.colour, "pixels": pixels, "least": round(least, 1)}
        if sheet.returned and not sheet.touched:
            raise Refusal("source_returned", "the answer is the source picture: nothing was drawn on it", evidence)
        raise Refusal(params.missing, f"no new {params.colour} mark was found ({pixels} pixels)", evidence)
    return mask
