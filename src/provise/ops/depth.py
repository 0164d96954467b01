"""Relative depth: which of two places is brighter on a grey map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field, field_validator

from provise.errors import DataError, Refusal
from provise.image import Picture, fit
from provise.ops.change import to_bytes
from provise.ops.charted import charted
from provise.ops.likeness import Likeness, cells, grainy, likeness, softened_copy, spread, tones
from provise.ops.overdrawn import overdrawn
from provise.ops.registration import shift_between, shifted
from provise.ops.registry import Kind, Params, Pictures, View, operator

__all__ = ["local_depth", "window_mean"]

WEIGHTS = np.array([0.299, 0.587, 0.114])
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

FOLLOWS = 0.6
"""Correlation at large from which it is asked whether the photo was drawn anew a few pixels off."""

CHROMA = 32.0
"""Levels between a cell's channels above which it is coloured; a grey map's own tint after recolouring stays below."""


class DepthParams(Params):
    """Where brightness is sampled.

    Attributes
    ----------
    kernel : int
        Side of the window in pixels of the source's grid; odd, 1 to 11 (paper, table 12).
    """

    kernel: int = Field(default=5, ge=1, le=11)

    @field_validator("kernel")
    @classmethod
    def _odd(cls, value: int) -> int:
        if value % 2 == 0:
            raise ValueError(f"the kernel must be odd, so that it has a middle pixel; got {value}")
        return value


def window_mean(rgb: npt.NDArray[Any], x: float, y: float, kernel: int) -> npt.NDArray[np.float64]:
    """Average a window around a place, in each channel.

    Parameters
    ----------
    rgb : ndarray, shape (h, w, 3)
        A picture.
    x, y : float
        The place, normalised; 1 is the last pixel.
    kernel : int
        Odd side in pixels. At the border only the part inside counts.

    Returns
    -------
    ndarray of float64, shape (3,)

    Raises
    ------
    DataError
        ``aid_outside`` if the place is not in the picture.

    Examples
    --------
    >>> import numpy as np
    >>> picture = np.zeros((4, 4, 3), np.uint8); picture[0, 0] = 80
    >>> window_mean(picture, 0, 0, 3).tolist()
    [20.0, 20.0, 20.0]
    """
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise DataError("aid_outside", f"the depth location [{x}, {y}] is outside the picture; expected [x, y] in 0..1")
    h, w = rgb.shape[:2]
    column, row, half = min(int(x * w), w - 1), min(int(y * h), h - 1), kernel // 2
    window = rgb[max(0, row - half) : row + half + 1, max(0, column - half) : column + half + 1]
    return np.asarray(window.reshape(-1, 3).astype(np.float64).mean(axis=0))


@operator(
    "local_depth",
    inputs={"answer": Kind.PICTURE, "sources": Kind.PICTURES},
    output=Kind.CHOICE,
    params=DepthParams,
    aids=("coordinates",),
    version=2,
)
def local_depth(view: View, params: DepthParams, *, answer: Picture, sources: Pictures) -> str:
    """Choose the location whose surroundings are brighter: brighter is nearer.

    Parameters
    ----------
    view : View
        Its aid ``coordinates`` holds the locations of A and B; its frame is the source's grid.
    params : DepthParams
        The window.
    answer : Picture
        The depth map as decoded; more than 8 bits a channel are kept.
    sources : tuple of Picture
        The first is what a copy is told by; may be empty.

    Returns
    -------
    str
        ``"A"`` or ``"B"``.

    Raises
    ------
    Refusal
        ``source_returned``, ``not_grey``, ``blank``, ``indistinguishable`` where both means are equal, ``other_framing``
        where the map stands in a margin or beside a legend, or ``marked_places`` where ink lies on A or B.
    DataError
        ``aid_outside`` where a location is not in the picture.
    """
    source = sources[0] if sources else None
    rgb = fit(answer, view.frame, over=source)[0]
    places = dict(zip("AB", view.aids["coordinates"], strict=True))
    means = {name: window_mean(rgb, x, y, params.kernel) for name, (x, y) in places.items()}
    near = {name: float(mean @ WEIGHTS) for name, mean in means.items()}
    view.note(A=round(near["A"], 4), B=round(near["B"], 4), kernel=params.kernel)
    for name, (x, y) in places.items():
        view.draw("point", [x, y], f"{name} {near[name]:.1f}")
    _refuse_copy(view, rgb, source)
    _refuse_colour(view, rgb, means)
    # Grey pixels have three equal channels: compare the sums exactly, without the rounding of the weights.
    a, b = ((m[0] if np.ptp(m) == 0 else m @ WEIGHTS) for m in means.values())
    _refuse_blank(rgb, float(a), float(b), params.kernel)
    if a == b:
        raise Refusal(
            "indistinguishable", f"the map is equally bright at A and B ({a:.2f}): no order can be read", near
        )
    _refuse_chart(answer, source)
    _refuse_ink(rgb, places.values())
    return "A" if a > b else "B"


def _refuse_chart(answer: Picture, source: Picture | None) -> None:
    """Refuse a map that does not fill its frame, unless the source does not either."""
    aspect = source.size[0] / source.size[1] if source is not None else 0.0
    found = charted(_grey(answer), aspect)
    if found and not (source is not None and charted(_grey(source))):
        where = "beside a legend" if found == "legend" else "inside a margin"
        raise Refusal(
            "other_framing",
            f"the map stands {where}, so that places in it are not places in the source",
            {"sign": found},
        )


def _grey(picture: Picture) -> Bytes:
    return np.asarray(cv2.cvtColor(to_bytes(picture.rgb), cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def _refuse_ink(rgb: npt.NDArray[Any], places: Iterable[tuple[float, float]]) -> None:
    found = overdrawn(np.asarray(cv2.cvtColor(to_bytes(rgb), cv2.COLOR_RGB2GRAY), dtype=np.uint8), places)
    if found:
        what = "a letter or a ring" if found == "stroke" else "equal dots"
        raise Refusal(
            "marked_places",
            f"{what} drawn over A or B: the brightness there is the ink's, not the depth's",
            {"ink": found},
        )


def _refuse_copy(view: View, rgb: npt.NDArray[Any], source: Picture | None) -> None:
    if source is None:
        return
    drawn, scene = to_bytes(rgb), to_bytes(fit(source, view.frame)[0])
    planes = tones(drawn), tones(scene)
    like = _likeness(drawn, scene, *planes)
    view.note(follows_source=round(like.whole, 3), follows_detail=round(like.detail, 3))
    if like.copy or softened_copy(*planes):
        message = "the answer is the source picture (or its grey version, sharp or blurred), not a depth map"
        raise Refusal("source_returned", message)


def _likeness(drawn: Bytes, source: Bytes, own: Floats, its: Floats) -> Likeness:
    """Return how far a map follows its source, also where a model drew the photo anew and set it off by a few pixels.

    ``own`` and ``its`` are the tones of the two.
    """
    like = likeness(own, its)
    if like.copy or abs(like.whole) < FOLLOWS:
        return like
    shift = shift_between(source if like.whole > 0 else cv2.bitwise_not(source), drawn)
    if not any(shift):
        return like
    moved = np.asarray(shifted(source, *shift), dtype=np.uint8)
    return likeness(own, tones(moved))


def _refuse_colour(view: View, rgb: npt.NDArray[Any], means: dict[str, npt.NDArray[np.float64]]) -> None:
    # Cells of about 1/96 of the side: the codec's and a sensor's chroma noise average out, a colour map does not.
    share = float((spread(cells(rgb, 96)) > CHROMA).mean())
    local = max(float(np.ptp(mean)) for mean in means.values())
    view.note(coloured=round(share, 4), chroma_at_places=round(local, 2))
    if share > 0.1 or (share > 0.001 and local > CHROMA):
        message = (
            f"{share:.0%} of the map is coloured (up to {local:.0f} levels at A and B); brightness then has no order"
        )
        raise Refusal("not_grey", message, {"coloured": round(share, 4), "chroma_at_places": round(local, 2)})


def _refuse_blank(rgb: npt.NDArray[Any], a: float, b: float, kernel: int) -> None:
    """Refuse a flat canvas, with or without noise on it; a map of few but clean levels is none."""
    small = cells(cv2.cvtColor(to_bytes(rgb), cv2.COLOR_RGB2GRAY), 48)
    level = float(small.mean())
    deep = np.asarray(rgb[..., 0], dtype=np.float32)
    if float(np.ptp(small)) >= 8 and not grainy(deep):
        return
    noise = float((deep - cv2.blur(deep, (5, 5))).std())
    if float(np.ptp(small)) >= 8:
        raise Refusal("blank", "the answer is noise: there is no depth map in it", {"noise": round(noise, 1)})
    flat = float(np.ptp(deep)) == 0
    if (flat and not 8 < level < 247) or (not flat and abs(a - b) <= 4 * noise / kernel and noise > 0.3):
        evidence = {"level": round(level, 2), "noise": round(noise, 3)}
        raise Refusal("blank", f"the answer is a flat canvas (level {level:.0f}): there is no depth map", evidence)
