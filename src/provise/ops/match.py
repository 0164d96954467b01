"""State matching: which candidate picture does a drawn state look like most (paper, table 8)."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import Field

from provise.encoders import get_encoder
from provise.errors import DataError, Refusal
from provise.image import Picture, fit
from provise.ops.change import blank, to_bytes
from provise.ops.likeness import grainy
from provise.ops.registry import Kind, Params, Pictures, View, operator

__all__ = ["copy_distance", "nearest_candidate"]

Bytes = npt.NDArray[np.uint8]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GRID = 384
"""Side, in pixels, of the square on which two pictures are held to be copies."""

COMPARABLE = 0.65
"""Descriptor: cosine with a candidate from which an answer shows that view, whatever else.

Noise, colour cards and photos of other places stay under .64; candidates drawn anew and degraded keep above .74.
"""

ON_THE_WAY = (0.7, 0.55, 0.1)
"""Descriptor: cosine with the current view, with the best candidate, and its lead over the second, from which an answer
under `COMPARABLE` is still a view of this place, between the current one and that candidate."""

SAME_VIEW = 0.84
"""Descriptor: cosine from which an answer nearer to the current view than to any candidate is that view drawn anew."""


class MatchParams(Params):
    """How candidates are compared.

    Attributes
    ----------
    encoder : str
        ``clip-vit-b-32``, ``descriptor``, or ``local-dir:FOLDER`` for another open_clip model.
    margin : float
        The best cosine must beat the second by more than this; 0 refuses exact ties alone.
    """

    encoder: str = Field(default="clip-vit-b-32", pattern=r"^(clip-vit-b-32|descriptor|local-dir:.+)$")
    margin: float = Field(default=0.0, ge=0, le=1)


@operator(
    "nearest_candidate",
    inputs={"answer": Kind.PICTURE, "sources": Kind.PICTURES, "candidates": Kind.PICTURES},
    output=Kind.CHOICE,
    params=MatchParams,
    aids=("file_names",),
    version=2,
)
def nearest_candidate(
    view: View, params: MatchParams, *, answer: Picture, sources: Pictures, candidates: Pictures
) -> str:
    """Choose the candidate whose encoding has the best cosine with the answer's.

    Refuses ``blank`` (noise, too), ``source_returned`` (an exact or re-encoded copy of the current view; a next view
    close to it is an answer) and ``ambiguous`` (no margin, or the two best candidates are one picture). The built-in
    descriptor finds something nearest in anything, so with it also ``not_comparable`` (unlike all candidates), and
    ``source_returned`` for the current view drawn anew. The benchmark's fault is ``missing_candidates``.
    """
    source = sources[0] if sources else None
    options = [to_bytes(fit(picture)[0]) for picture in _options(view, source, candidates)]
    drawn = _drawn(view, answer, source)
    if blank(drawn):
        raise Refusal("blank", "the answer is one flat colour: no state was drawn", {"colour": drawn[0, 0].tolist()})
    if grainy(np.asarray(cv2.cvtColor(drawn, cv2.COLOR_RGB2GRAY), dtype=np.float32)):
        raise Refusal("blank", "the answer is noise: no state was drawn")
    if source is not None:
        _refuse_copy(view, drawn, to_bytes(fit(source)[0]), options)
    encoder = get_encoder(params.encoder)
    view.note(encoder=encoder.name, **encoder.details)
    current = [to_bytes(fit(source)[0])] if source is not None else []
    rows = encoder.encode([drawn, *options, *(current if encoder.name == "descriptor" else [])])
    lost = max(max(encoder.lost(_size(picture))) for picture in (drawn, *options))
    if lost > 0:
        view.note(side_loss=round(lost, 4))
    # Six places: what lies under them is the rounding of one processor or another, not a difference of pictures.
    found = [round(float(value), 6) for value in rows[1:] @ rows[0]]
    if encoder.name == "descriptor":
        _refuse_unlike(view, found[: len(options)], found[len(options)] if current else None)
    return _best(view, params.margin, found[: len(options)], options)


def _refuse_unlike(view: View, found: Sequence[float], current: float | None) -> None:
    """Refuse what shows no candidate by the descriptor: another place, or the current view drawn anew."""
    second, best = sorted(found)[-2:]
    own = -1.0 if current is None else current
    evidence = {"best": best, "lead": round(best - second, 6), "current": current}
    view.note(current_similarity=current)
    if own >= SAME_VIEW and own > best:
        message = (
            f"the answer is the current view drawn anew ({own:.2f}), nearer to it than to any candidate ({best:.2f})"
        )
        raise Refusal("source_returned", message, evidence)
    near, least, lead = ON_THE_WAY
    if best < COMPARABLE and not (own >= near and best >= least and best - second >= lead):
        message = f"the answer looks like no candidate: the best has a similarity of {best:.2f}, {COMPARABLE} is asked"
        raise Refusal("not_comparable", message, evidence)


def _size(picture: Bytes) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]


def _options(view: View, source: Picture | None, candidates: Pictures) -> Pictures:
    """Check the candidates; a current view that stands first among them once more is taken out."""
    n = view.n_choices
    extra = n > 1 and len(candidates) == n + 1 and source is not None
    if extra and source is not None and source.digest and candidates[0].digest == source.digest:
        candidates = candidates[1:]
    if len(candidates) < 2 or (n and len(candidates) != n):
        raise DataError(
            "missing_candidates",
            f"{len(candidates)} candidate pictures for {n or 'an unknown number of'} options; give metadata 'file_names' "
            "(or media_paths) as the current view, then one picture an option",
        )
    if len(candidates) > len(LETTERS):
        raise DataError(
            "missing_candidates", f"{len(candidates)} candidate pictures; at most {len(LETTERS)} have a letter"
        )
    return candidates


def _drawn(view: View, answer: Picture, source: Picture | None) -> Bytes:
    """Return the answer in 8 bits, stretched to the source's shape where a model gave it another one.

    Its own pixels are kept where the shape is right: the encoder resizes anyway, and once is better than twice.
    """
    frame = source.size if source is not None else view.frame
    stretched = 0 not in frame and abs(answer.size[0] * frame[1] / (answer.size[1] * frame[0]) - 1) > 0.02
    over = source if answer.alpha is not None else None
    return to_bytes(fit(answer, frame if stretched or over is not None else None, over=over)[0])


def _common(picture: Bytes) -> npt.NDArray[np.float32]:
    """Return a picture on the square that copies are compared on, softened beyond what a codec does to it."""
    shrink = picture.shape[0] * picture.shape[1] > GRID * GRID
    square = cv2.resize(picture, (GRID, GRID), interpolation=cv2.INTER_AREA if shrink else cv2.INTER_LINEAR)
    return np.asarray(cv2.blur(cv2.cvtColor(square, cv2.COLOR_RGB2YCrCb).astype(np.float32), (7, 7)), dtype=np.float32)


def copy_distance(one: Bytes, other: Bytes) -> tuple[float, float]:
    """Return how far two pictures are from being copies of each other.

    Parameters
    ----------
    one, other : ndarray of uint8, shape (h, w, 3)
        RGB, each of any size; both are stretched to one square.

    Returns
    -------
    mean, worst : float
        Levels: the mean absolute difference of the softened pictures, and that of the worst place of 1/48 of the side.
        A copy through JPEG 75 or WebP keeps the worst under about 7; an object that moved, or a step of the camera
        past any edge, does not.

    Examples
    --------
    >>> picture = np.tile(np.arange(240, dtype=np.uint8)[:, None, None], (1, 240, 3))
    >>> copy_distance(picture, picture)
    (0.0, 0.0)
    """
    return _distance(_common(one), _common(other))


def _distance(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> tuple[float, float]:
    difference = cv2.absdiff(one, other)
    cells = cv2.resize(difference, (48, 48), interpolation=cv2.INTER_AREA)
    return round(float(difference[..., 0].mean()), 4), round(float(cells.max()), 4)


def _is_copy(distance: tuple[float, float]) -> bool:
    return distance[0] <= 2.5 and distance[1] <= 12.0


def _refuse_copy(view: View, drawn: Bytes, source: Bytes, options: Sequence[Bytes]) -> None:
    """Refuse the current view handed back, unless some candidate is nearer still: then that is what was drawn."""
    common = _common(drawn)
    distance = _distance(common, _common(source))
    view.note(source_distance=distance[0], source_worst=distance[1])
    if not _is_copy(distance):
        return
    nearest = min(_distance(common, _common(option))[0] for option in options)
    if distance[0] <= nearest:
        raise Refusal(
            "source_returned",
            "the answer is a copy of the current view; the protocol asks for the state after the change",
            {"source_distance": distance[0], "nearest_candidate": nearest},
        )


def _best(view: View, margin: float, found: Sequence[float], options: Sequence[Bytes]) -> str:
    order = sorted(range(len(found)), key=lambda i: -found[i])
    first, second = order[0], order[1]
    gap = round(found[first] - found[second], 6)
    view.note(similarities=dict(zip(LETTERS, found, strict=False)), margin=gap)
    pair = f"{LETTERS[first]} and {LETTERS[second]}"
    if gap <= margin:
        raise Refusal("ambiguous", f"candidates {pair} are equally near ({gap} apart, more than {margin} is asked)")
    if _is_copy(copy_distance(options[first], options[second])):
        raise Refusal("ambiguous", f"candidates {pair} are the same picture, so the answer cannot name one of them")
    return LETTERS[first]
