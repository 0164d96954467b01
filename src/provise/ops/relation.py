"""A relation told by two translucent overlays, or denied by a grey picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.errors import Refusal
from provise.image import fit
from provise.ops.change import to_bytes
from provise.ops.colour import COLOURS, ColourName, novel_marks
from provise.ops.likeness import Likeness, cells, likeness, spread, tones
from provise.ops.mask_shape import outlined
from provise.ops.registration import shifted
from provise.ops.registry import Kind, Params, Pictures, View, operator
from provise.ops.repaint import repainted
from provise.ops.sheet import Sheet

__all__ = ["overlay", "role_overlays"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

SIDE = 200
"""Overlays are large: they are looked for in cells of 1/200 of the side, where noise has averaged out."""


LINE = 0.035
"""Widest line, as a share of the side, that frames a thing."""

HUES = {"green": (35, 88), "blue": (92, 135)}
"""Hues, 0 to 179, that mean a role where green and blue are the only two."""


class RelationParams(Params):
    """What an overlay is.

    Attributes
    ----------
    subject, reference : str
        The colours of the two roles.
    least : float
        Smallest share of the frame that a role covers.
    opacity : float
        Least opacity of an overlay.
    residual : float
        Levels within which the overlay's equation must hold in every channel.
    """

    subject: ColourName = "green"
    reference: ColourName = "blue"
    least: float = Field(default=0.005, gt=0, lt=1)
    opacity: float = Field(default=0.2, gt=0, le=1)
    residual: float = Field(default=25.0, gt=0, le=80)


@dataclass(frozen=True)
class _Pair:
    """Source and answer in cells, the source after the global change of colour, and what that did to pure colours."""

    before: Floats
    after: Floats
    gain: Floats
    offset: Floats

    def pure(self, colour: str) -> Floats:
        """Return the mark's colour as it looks in a recoloured answer, shape (3,)."""
        rgb = np.asarray(COLOURS[colour].rgb, np.float32)
        return np.asarray(np.clip(rgb * self.gain + self.offset, 0, 255), dtype=np.float32)


def overlay(before: Floats, after: Floats, colour: Floats) -> tuple[Floats, Floats]:
    """Solve ``after = (1 - a) before + a colour`` for the opacity a, at each pixel.

    Parameters
    ----------
    before, after : ndarray of float32, shape (h, w, 3)
        Source and answer.
    colour : ndarray of float32, shape (3,)
        The overlay's colour.

    Returns
    -------
    opacity, residual : ndarray of float32, shape (h, w)
        The least-squares opacity (not clipped), and the largest error of a channel in levels.

    Examples
    --------
    >>> import numpy as np
    >>> s, c = np.full((1, 1, 3), 100, np.float32), np.array([0, 255, 0], np.float32)
    >>> a, r = overlay(s, .6 * s + .4 * c, c)
    >>> round(float(a[0, 0]), 3), round(float(r[0, 0]), 3)
    (0.4, 0.0)
    """
    steps = cv2.split(after - before)
    ways = [float(level) - plane for level, plane in zip(colour, cv2.split(before), strict=True)]
    length = sum((way * way for way in ways[1:]), ways[0] * ways[0])
    along = sum((way * step for way, step in zip(ways[1:], steps[1:], strict=True)), ways[0] * steps[0])
    opacity = along / np.maximum(length, 1.0)
    errors = [np.abs(step - opacity * way) for way, step in zip(ways, steps, strict=True)]
    residual = np.maximum(np.maximum(errors[0], errors[1]), errors[2])
    return opacity, residual


@operator(
    "role_overlays",
    inputs={"sheet": Kind.SHEET, "sources": Kind.PICTURES},
    output=Kind.BOOLEAN,
    params=RelationParams,
    version=2,
)
def role_overlays(view: View, params: RelationParams, *, sheet: Sheet, sources: Pictures) -> bool:
    """Read true where both roles are overlaid, false where the picture was turned grey.

    Parameters
    ----------
    view : View
        Takes the shares found.
    params : RelationParams
        Colours and sizes.
    sheet : Sheet
        The answer on the source's grid.
    sources : tuple of Picture
        The first is the picture the statement is about.

    Raises
    ------
    Refusal
        ``missing_subject``, ``missing_object``, ``source_returned``, ``grey_source`` (grey was drawn, but the source
        is grey itself), ``other_picture`` (grey, but not this picture), ``no_mark``, or, where both roles have their
        colour, ``outline`` (one is framed by it) and ``recoloured`` (one was given it in place of an overlay).
    """
    answer = sheet.answer
    source = to_bytes(fit(sources[0], sheet.size)[0]) if sources else None
    if source is not None and any(sheet.shift):
        source = np.asarray(shifted(source, *sheet.shift), dtype=np.uint8)
    pair = _pair(source, sheet) if source is not None else None
    marks = _marks(sheet, pair, params)
    shares = {name: float(_solid(mark).mean()) for name, mark in marks.items()}
    view.note(**{name: round(share, 4) for name, share in shares.items()})
    subject, reference = (share >= params.least for share in shares.values())
    if subject and reference:
        _refuse_no_overlay(marks, pair, params)
        return True
    if source is not None:
        like = likeness(tones(answer), tones(source))
        view.note(follows_source=round(like.whole, 3), follows_detail=round(like.detail, 3))
        if _grey(answer) and not (subject or reference):
            return _grey_version(source, like)
    if subject or reference:
        missing, colour = ("object", params.reference) if subject else ("subject", params.subject)
        raise Refusal(f"missing_{missing}", f"no new {colour} overlay was found: the {missing} is not marked", shares)
    if source is not None and (sheet.returned or like.copy) and not sheet.touched:
        raise Refusal("source_returned", "the answer is the source picture: nothing was marked on it", shares)
    raise Refusal("no_mark", "neither overlay was found, and the picture was not turned grey", shares)


def _grey(rgb: Bytes) -> bool:
    """Tell whether a picture has next to no colour, noise and the codec's blocks averaged out."""
    return _chroma(rgb) < 10


def _chroma(rgb: Bytes) -> float:
    """Return the 98th percentile of a cell's distance between its channels, in levels."""
    return float(np.percentile(spread(cells(rgb, 96)), 98))


def _grey_version(source: Bytes, like: Likeness) -> bool:
    evidence = {"source_chroma": round(_chroma(source), 1), "follows_source": round(like.whole, 3)}
    if like.whole < 0.9:
        raise Refusal("other_picture", "the answer is grey, but it is not the grey version of this source", evidence)
    if _chroma(source) < 20:
        raise Refusal(
            "grey_source", "the source is grey already, so a grey answer cannot be told from a copy", evidence
        )
    return False


def _refuse_no_overlay(marks: dict[str, npt.NDArray[np.bool_]], pair: _Pair | None, params: RelationParams) -> None:
    """Refuse where a role has its colour, but not as an overlay over the whole of it."""
    for (name, mark), colour in zip(marks.items(), (params.subject, params.reference), strict=True):
        if outlined(mark, LINE):
            raise Refusal("outline", f"the {name} is framed in {colour}, not overlaid; an overlay covers all of it")
        channel = int(np.argmax(COLOURS[colour].rgb))
        if pair is not None and repainted(pair.before, pair.after, _solid(mark), channel):
            message = f"the {name} was turned {colour} itself, its light and shade untouched: that is no overlay"
            raise Refusal("recoloured", message)


def _marks(sheet: Sheet, pair: _Pair | None, params: RelationParams) -> dict[str, npt.NDArray[np.bool_]]:
    """Return where each role's overlay is, in cells."""
    colours = (params.subject, params.reference)
    if pair is None:
        found = [cells(novel_marks(sheet, colour, 36), SIDE) > 127 for colour in colours]
    else:
        ranges = [_tinted(pair, colour) for colour in colours]
        fits = [overlay(pair.before, pair.after, pair.pure(colour)) for colour in colours]
        moved = _largest(pair.after - pair.before)
        closer = fits[0][1] <= fits[1][1]
        # A red thing turned grey came nearer to blue, and so did a brightened one: what has no colour is no overlay.
        coloured = spread(pair.after) >= 14
        found = []
        for (opacity, residual), better, ranged in zip(fits, (closer, ~closer), ranges, strict=True):
            # A small step fits any colour within the residual, so the error must also be small beside the step.
            good = (
                (opacity >= params.opacity) & (opacity <= 1.15) & (residual <= np.minimum(params.residual, 0.5 * moved))
            )
            found.append(((good & coloured & (moved >= 24)) | ranged) & better)
    return dict(zip(("subject", "object"), found, strict=True))


def _tinted(pair: _Pair, colour: str) -> npt.NDArray[np.bool_]:
    """Return where the answer has a role's hue and moved well towards its colour.

    Image models rarely blend by the equation: over a dark thing their blue comes out teal. Where only two hues mean
    anything each may reach halfway to the other; saturation and value are the colour's own.
    """
    entry = COLOURS[colour]
    hue = HUES.get(colour, (entry.hues[0][0], entry.hues[-1][1]))
    hsv = cv2.cvtColor(np.rint(pair.after).astype(np.uint8), cv2.COLOR_RGB2HSV)
    inside = cv2.inRange(hsv, (hue[0], entry.saturation, entry.value), (hue[1], 255, 255)) > 0
    pure = np.asarray(entry.rgb, np.float32)
    moved = _largest(pair.before - pure) - _largest(pair.after - pure)
    return np.asarray(inside & (moved >= 36))


def _pair(source: Bytes, sheet: Sheet) -> _Pair:
    before = source if sheet.matched is None else sheet.matched
    gain, offset = _tone(source, before)
    return _Pair(cells(before, SIDE), cells(sheet.answer, SIDE), gain, offset)


def _largest(step: Floats) -> Floats:
    a, b, c = cv2.split(np.abs(step))
    return np.asarray(cv2.max(cv2.max(a, b), c), dtype=np.float32)


def _tone(source: Bytes, matched: Bytes) -> tuple[Floats, Floats]:
    """Return the gain and offset that were laid on a source, shape (3,) each, from a sample of its pixels."""
    step = max(1, min(source.shape[:2]) // 64)
    x, y = (p[::step, ::step].reshape(-1, 3).T.astype(np.float32) for p in (source, matched))
    gain, offset = np.ones(3, np.float32), np.zeros(3, np.float32)
    for channel in range(3):
        inside = (y[channel] > 1) & (y[channel] < 254)
        u, v = (x[channel][inside], y[channel][inside]) if inside.any() else (x[channel], y[channel])
        du = u - u.mean()
        spread = float((du * du).mean())
        if spread > 9:
            gain[channel] = float((du * v).mean()) / spread
        offset[channel] = float(v.mean() - gain[channel] * u.mean())
    return gain, offset


def _solid(mark: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return a mark's solid parts: rims and scatter do not cover anything."""
    opened = cv2.morphologyEx(mark.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(opened > 0)
