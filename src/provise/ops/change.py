"""Lay an answer over its source: fit the size, take out a global change of colour, refuse what was only handed back."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.errors import Refusal
from provise.image import Picture, fit
from provise.ops.components import labelled
from provise.ops.framing import framing
from provise.ops.photometry import Match, match_colours
from provise.ops.registration import shift_between, shifted
from provise.ops.registry import Kind, Params, Pictures, View, operator
from provise.ops.sheet import Sheet

__all__ = ["blank", "compare", "to_bytes"]

Bytes = npt.NDArray[np.uint8]

LIKE_SHAPE = 0.02
"""Inputs whose aspect ratio differs less than this from the answer's are compared with it."""

WHOLE = 0.9
"""Share of the scene that a colour fit explains from which the answer shows the source over the whole frame."""

IN_REGISTER = 0.975
"""Share of the scene that a colour fit explains from which it is not asked whether the scene is set off."""


class CompareParams(Params):
    """How a copy is told from an answer.

    Attributes
    ----------
    tolerance : int
        Levels of brightness within which a pixel counts as unchanged.
    shown : float
        Where places in the picture are the answer: the least share of the width and of the height over which an answer
        shows the source, if it can be found there; 0 where places do not matter.
    """

    tolerance: int = Field(default=28, ge=4, le=96)
    shown: float = Field(default=0.0, ge=0, le=1)


def to_bytes(rgb: npt.NDArray[np.generic]) -> Bytes:
    """Return a picture in 8 bits, rounding a deeper one."""
    if rgb.dtype == np.uint8:
        return np.asarray(rgb, dtype=np.uint8)
    return np.asarray(np.clip(np.rint(rgb), 0, 255), dtype=np.uint8)


def blank(rgb: Bytes, *, spread: float = 6.0) -> bool:
    """Tell whether a picture is one flat colour.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        The picture.
    spread : float
        Largest standard deviation of a channel over a flat one, after averaging over cells of about 1/64 of the side.
    """
    small = cv2.resize(rgb, (64, 64), interpolation=cv2.INTER_AREA)
    deviation = small.reshape(-1, 3).astype(np.float32).std(axis=0).max()
    # One small dot on a flat canvas hardly moves the deviation, so the extremes are asked as well.
    reach = np.ptp(small.reshape(-1, 3).astype(np.int16), axis=0).max()
    return bool(deviation < spread and reach < 4 * spread)


def unchanged_share(answer: Bytes, matched: Bytes, tolerance: int) -> tuple[float, float]:
    """Return the share of pixels whose brightness is unchanged, and the largest changed blob as a share.

    Both pictures are smoothed by 5x5 first, so that the codec's noise and a pixel's shift along an edge do not count.
    """
    before = cv2.blur(cv2.cvtColor(matched, cv2.COLOR_RGB2GRAY), (5, 5))
    after = cv2.blur(cv2.cvtColor(answer, cv2.COLOR_RGB2GRAY), (5, 5))
    changed = cv2.compare(cv2.absdiff(before, after), tolerance, cv2.CMP_GT)
    total = changed.size
    share = 1.0 - cv2.countNonZero(changed) / total
    if share == 1.0 or share < 0.9:
        return share, 1.0 - share
    stats = labelled(np.asarray(changed, dtype=np.uint8))[1]
    return share, float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / total


def _like(answer: Picture, source: Picture) -> bool:
    a, b = answer.size[0] / answer.size[1], source.size[0] / source.size[1]
    return max(a, b) / min(a, b) - 1 <= LIKE_SHAPE


def _refuse_other_framing(view: View, params: CompareParams, answer: Picture, source: Picture) -> None:
    """Refuse an answer that shows the source padded, cropped or beside something else: its places are not the source's."""
    across, down, likeness = framing(to_bytes(answer.rgb), to_bytes(source.rgb))
    view.note(shows_width=round(across, 3), shows_height=round(down, 3), shown_likeness=round(likeness, 3))
    if params.shown <= min(across, down) and max(across, down) <= 2 - params.shown:
        return
    raise Refusal(
        "other_framing",
        f"the answer shows the source over {across:.0%} of its width and {down:.0%} of its height, so that places in it "
        "are not places in the source",
        {"width": round(across, 3), "height": round(down, 3), "likeness": round(likeness, 3)},
    )


def _registered(source: Bytes, answer: Bytes) -> tuple[Bytes, Match, tuple[float, float]]:
    """Return the source where the answer shows its scene, the colour fit, and by how much it was moved.

    Models that draw the whole picture anew set it off by a few pixels; unmended, a rim of each thing of a mark's colour
    is new in that colour.
    """
    match = match_colours(source, answer)
    if match.inliers >= IN_REGISTER:
        return source, match, (0.0, 0.0)
    dx, dy = shift_between(source, answer, match.apply)
    if dx == dy == 0:
        return source, match, (0.0, 0.0)
    moved = np.asarray(shifted(source, dx, dy), dtype=np.uint8)
    again = match_colours(moved, answer)
    return (moved, again, (dx, dy)) if again.inliers > match.inliers else (source, match, (0.0, 0.0))


@operator(
    "compare",
    inputs={"answer": Kind.PICTURE, "sources": Kind.PICTURES},
    output=Kind.SHEET,
    params=CompareParams,
    version=2,
)
def compare(view: View, params: CompareParams, *, answer: Picture, sources: Pictures) -> Sheet:
    """Fit the answer to the source and find what changed; refuse a blank canvas and a source handed back."""
    first = sources[0] if sources else None
    frame = first.size if first else answer.size
    rgb = to_bytes(fit(answer, frame, over=first)[0])
    if blank(rgb):
        raise Refusal("blank", "the answer is one flat colour: nothing was drawn", {"colour": rgb[0, 0].tolist()})
    if not sources:
        return Sheet(rgb)
    # One source is always compared: a stretched edit of it is still an edit. Among several, those of like shape.
    usable = sources if len(sources) == 1 else tuple(s for s in sources if _like(answer, s) or s is first)
    matched = []
    for source in usable:
        fitted, match, shift = _registered(to_bytes(fit(source, frame)[0]), rgb)
        matched.append((match.inliers, match.apply(fitted), match, shift))
    if params.shown and len(sources) == 1 and (matched[0][0] < WHOLE or not _like(answer, sources[0])):
        _refuse_other_framing(view, params, answer, sources[0])
    order = sorted(range(len(matched)), key=lambda i: -matched[i][0])
    best = matched[order[0]]
    share, largest = unchanged_share(rgb, best[1], params.tolerance)
    view.note(unchanged=round(share, 4), largest_change=round(largest, 5), inliers=round(best[0], 4))
    others = tuple(matched[i][1] for i in order[1:])
    inliers, source_like, match, shift = best
    if any(shift):
        view.note(scene_shift=[round(v, 2) for v in shift])
    return Sheet(rgb, source_like, others, inliers >= 0.25, share, largest, match, shift)
