"""A region painted as a mask: white on black, or opaque on transparent."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.errors import Refusal
from provise.image import Picture, fit
from provise.ops.change import to_bytes
from provise.ops.likeness import cells, detail_within, likeness, spread, tones
from provise.ops.mask_shape import framed, outlined, surrounds, thresholded
from provise.ops.registry import Kind, Params, Pictures, View, operator

__all__ = ["Levels", "two_level_mask", "two_levels"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Region = npt.NDArray[np.bool_]


class MaskParams(Params):
    """What counts as a two-valued picture.

    Attributes
    ----------
    threshold : int
        Brightness above it is marked (paper, table 8).
    gap : int
        Least distance between the two fitted levels.
    reach : float
        A pixel belongs to a level if it lies within this share of the gap.
    stray : float
        Largest share of pixels that belong to neither.
    """

    threshold: int = Field(default=127, ge=1, le=254)
    gap: int = Field(default=60, ge=1, le=255)
    reach: float = Field(default=0.2, gt=0, lt=0.5)
    stray: float = Field(default=0.2, ge=0, lt=1)


@dataclass(frozen=True)
class Levels:
    """Two brightness levels fitted to a histogram.

    Attributes
    ----------
    low, high : float
        The medians of the two classes, 0 to 255; equal where the picture has one value.
    stray : float
        Share of the pixels farther from both than the reach.
    """

    low: float
    high: float
    stray: float

    @property
    def gap(self) -> float:
        """Distance between the levels."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """Halfway between them."""
        return (self.low + self.high) / 2


def two_levels(luma: Bytes, reach: float = 0.2) -> Levels:
    """Fit two levels to a grey picture: two-means from the extremes, then the class medians.

    Parameters
    ----------
    luma : ndarray of uint8, shape (h, w)
        Brightness.
    reach : float
        Share of the gap within which a pixel belongs to a level.

    Examples
    --------
    >>> import numpy as np
    >>> picture = np.zeros((20, 20), np.uint8); picture[3, 3] = 255
    >>> two_levels(picture)
    Levels(low=0.0, high=255.0, stray=0.0)
    """
    counts = cv2.calcHist([luma], [0], None, [256], [0, 256]).ravel().astype(np.float64)
    used = np.flatnonzero(counts)
    low, high = float(used[0]), float(used[-1])
    values = np.arange(256, dtype=np.float64)
    for _ in range(32):
        below = values <= (low + high) / 2
        n, m = counts[below].sum(), counts[~below].sum()
        if not (n and m):
            break
        new = float((counts * values)[below].sum() / n), float((counts * values)[~below].sum() / m)
        if new == (low, high):
            break
        low, high = new
    below = values <= (low + high) / 2
    if low < high:
        low, high = _median(counts * below), _median(counts * ~below)
    far = np.minimum(np.abs(values - low), np.abs(values - high)) > reach * (high - low)
    return Levels(low, high, float(counts[far].sum() / counts.sum()))


def _median(counts: npt.NDArray[np.float64]) -> float:
    total = np.cumsum(counts)
    return float(np.searchsorted(total, total[-1] / 2))


@operator(
    "two_level_mask",
    inputs={"answer": Kind.PICTURE, "sources": Kind.PICTURES},
    output=Kind.REGION,
    params=MaskParams,
    version=3,
)
def two_level_mask(view: View, params: MaskParams, *, answer: Picture, sources: Pictures) -> Region:
    """Take the bright part of a two-valued picture as the region, on the source's grid.

    Parameters
    ----------
    view : View
        Its frame is the grid.
    params : MaskParams
        Threshold and what counts as two-valued.
    answer : Picture
        As decoded. An alpha channel of two levels over one colour is the mask itself: opaque is marked.
    sources : tuple of Picture
        The first is what a copy is told by; may be empty.

    Returns
    -------
    ndarray of bool, shape (h, w)
        True where marked.

    Raises
    ------
    Refusal
        ``source_returned`` (reduced to two levels, too), ``empty_mask``, ``full_mask``, ``blank``, ``not_binary``,
        ``coloured``, ``other_framing``, ``inverted`` or ``outline``.
    """
    source = sources[0] if sources else None
    carried = None if source is not None and _same_alpha(answer, source) else alpha_mask(answer)
    rgb = to_bytes(fit(carried if carried is not None else answer, view.frame, over=source)[0])
    luma = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    # What an alpha channel carries is not the source's colours, however like them it looks.
    compared = source if carried is None else None
    drawn = tones(rgb) if compared is not None else None
    under = tones(to_bytes(fit(compared, view.frame)[0])) if compared is not None else None
    if drawn is not None and under is not None:
        _refuse_copy(view, drawn, under)
    levels = two_levels(luma, params.reach)
    view.note(low=levels.low, high=levels.high, stray=round(levels.stray, 4), from_alpha=carried is not None)
    region = luma > params.threshold
    support = int(np.count_nonzero(region))
    _refuse_flat(luma, levels, support, params)
    _refuse_unclear(rgb, luma, levels, params, view.scale)
    if drawn is not None and under is not None:
        _refuse_overlay(drawn, under, luma > levels.middle)
        if thresholded(drawn, under):
            raise Refusal(
                "source_returned", "the answer is the source picture in black and white, not a mask of a region"
            )
    _refuse_shape(luma, region)
    view.note(support=support, area=round(support / region.size, 6))
    return region


def _refuse_shape(luma: Bytes, region: Region) -> None:
    """Refuse shapes that say no region, or one at another place."""
    if framed(luma):
        raise Refusal("other_framing", "the mask stands in a margin, so that places in it are not places in the source")
    if surrounds(region):
        message = "white lies all round and leaves something out: the mask is inverted, or its framing is another"
        raise Refusal("inverted", message)
    if outlined(region):
        raise Refusal(
            "outline", "the region is outlined, not filled; the protocol asks for filled shapes without outlines"
        )


def _same_alpha(answer: Picture, source: Picture) -> bool:
    """Tell whether an answer's transparency is the source's own, so that nothing was marked by it."""
    if answer.alpha is None or source.alpha is None:
        return False
    brought = cv2.resize(answer.alpha, source.size, interpolation=cv2.INTER_AREA)
    return float(cv2.absdiff(brought, source.alpha).mean()) < 4


def alpha_mask(answer: Picture) -> Picture | None:
    """Return a picture's alpha channel as a grey picture where it is the mask, else None.

    That is: two levels of opacity, at least 60 apart, over one constant colour; transparent pixels may hold colours of
    their own (many writers store black there, some the photo). A cut-out is one, too: opaque is a piece of a photo,
    which no threshold could make a mask of. What is opaque over most of the frame is a photo with a trimmed edge and
    cuts nothing out; what is black and white where it is opaque is read by its own levels.
    """
    if answer.alpha is None:
        return None
    levels = two_levels(answer.alpha)
    if levels.gap < 60 or levels.stray > 0.2:
        return None
    opaque = answer.alpha > levels.middle
    shown, hidden = (answer.rgb[part].astype(np.float32) for part in (opaque, ~opaque))
    if np.ptp(shown, axis=0).max() > 8:
        return _grey(answer) if opaque.mean() <= 0.85 and not _drawn(shown) else None
    # Under what is not quite transparent, shapes whose own colour already shows the mask are read by colour.
    seen = levels.low > 8
    if seen and (np.ptp(hidden, axis=0).max() > 8 or np.abs(shown.mean(axis=0) - hidden.mean(axis=0)).max() > 8):
        return None
    return _grey(answer)


def _grey(answer: Picture) -> Picture:
    """Return a picture's alpha channel as a grey picture."""
    assert answer.alpha is not None
    return Picture(np.repeat(answer.alpha[..., None], 3, axis=2), None, answer.digest, answer.format, answer.notes)


def _drawn(colours: Floats) -> bool:
    """Tell whether colours, shape (n, 3), are black beside white, a mask of their own; an edge's soft rim is neither."""
    luma = cv2.cvtColor(np.ascontiguousarray(colours[:, None]), cv2.COLOR_RGB2GRAY)
    levels = two_levels(np.clip(np.rint(luma), 0, 255).astype(np.uint8))
    share = float((luma > levels.middle).mean())
    return levels.low <= 127 < levels.high and levels.gap >= 60 and levels.stray <= 0.2 and 0.02 <= share <= 0.98


def _refuse_copy(view: View, drawn: Floats, under: Floats) -> None:
    like = likeness(drawn, under)
    view.note(follows_source=round(like.whole, 3), follows_detail=round(like.detail, 3))
    if like.copy:
        raise Refusal("source_returned", "the answer is the source picture (or its grey version), not a mask of it")


def _refuse_overlay(drawn: Floats, under: Floats, bright: Region) -> None:
    """Refuse a white overlay on a dark or even photo, whose few levels pass for one: the photo's texture is there."""
    follows = max(detail_within(drawn, under, part) for part in (bright, ~bright))
    if follows >= 0.6:
        message = "the source picture shows beside the marked region; a mask is white on plain black"
        raise Refusal("not_binary", message, {"follows_beside": round(follows, 3)})


def _refuse_flat(luma: Bytes, levels: Levels, support: int, params: MaskParams) -> None:
    mean = float(luma.mean())
    if levels.gap >= params.gap and 0 < support < luma.size:
        return
    evidence = {"mean": round(mean, 1), "low": levels.low, "high": levels.high}
    if support == 0 and mean < 64 and levels.gap < params.gap:
        raise Refusal("empty_mask", "the mask is black everywhere: no region is marked", evidence)
    if support == luma.size and mean > 191 and levels.gap < params.gap:
        raise Refusal("full_mask", "the mask is white everywhere: it marks no region of the picture", evidence)
    if levels.gap < params.gap and float(luma.std()) < 6:
        raise Refusal("blank", f"the answer is one flat tone (level {mean:.0f}); a mask is white on black", evidence)
    raise Refusal("not_binary", "the answer's levels do not part into a dark and a bright one", evidence)


def _refuse_unclear(rgb: Bytes, luma: Bytes, levels: Levels, params: MaskParams, scale: float) -> None:
    evidence = {"low": levels.low, "high": levels.high, "stray": round(levels.stray, 4)}
    if not levels.low <= params.threshold < levels.high:
        message = f"both levels ({levels.low:.0f}, {levels.high:.0f}) lie on one side of {params.threshold}"
        raise Refusal("not_binary", message, evidence)
    if levels.stray > params.stray:
        raise Refusal("not_binary", f"{levels.stray:.0%} of the picture is neither of its two levels", evidence)
    worst = _inner_stray(luma, levels, params.reach, scale)
    if worst > params.stray:
        raise Refusal(
            "not_binary", "one of the two parts is a picture, not one level", {**evidence, "inner": round(worst, 4)}
        )
    # Only a mark the size of the support can be coloured through and through; grain and the codec's rims are not.
    sampled = np.ascontiguousarray(rgb[::4, ::4]).astype(np.float32)
    share = float((spread(cells(rgb, 256)) > 60).mean()) if spread(sampled).max() > 60 else 0.0
    if share > 0.002:
        raise Refusal("coloured", f"{share:.1%} of the answer is coloured; the mask is white on black", evidence)


def _inner_stray(luma: Bytes, levels: Levels, reach: float, scale: float) -> float:
    """Return the larger share of strays in the inside of a part, its soft rim left out.

    A photo under a large white overlay is a small part of the frame, but it is a picture inside its part.
    """
    side = max(3, round(9 * scale**0.5) | 1)
    bright = cv2.inRange(cv2.blur(luma, (5, 5)), levels.middle + 0.5, 255)
    kernel = np.ones((side, side), np.uint8)
    worst = 0.0
    for part, level in ((bright, levels.high), (cv2.bitwise_not(bright), levels.low)):
        inside = cv2.erode(part, kernel)
        n = cv2.countNonZero(inside)
        if n < 0.005 * luma.size:
            continue
        near = cv2.inRange(luma, level - reach * levels.gap, level + reach * levels.gap)
        worst = max(worst, 1 - cv2.countNonZero(cv2.bitwise_and(near, inside)) / n)
    return worst
