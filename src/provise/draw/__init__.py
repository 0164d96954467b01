"""The draughtsman: draws a protocol's answer for a known truth, a wrong one, or one that holds no answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.draw import endpoint, evidence, invalid, marks, paths, regions, views
from provise.draw.board import Board, make_board
from provise.draw.drawing import DRAWERS, RULES, Drawing, Job
from provise.draw.style import PURE, Style, tinted
from provise.errors import InputError

__all__ = [
    "PURE",
    "Board",
    "Drawing",
    "Style",
    "draw",
    "draw_invalid",
    "invalid_rules",
    "make_board",
    "protocols",
    "tinted",
    "wrong_truth",
]

_PARTS = (endpoint, evidence, invalid, marks, paths, regions, views)


def protocols() -> list[str]:
    """Return the protocols that the draughtsman knows, in alphabetical order."""
    return sorted(DRAWERS)


def invalid_rules(protocol_id: str) -> list[str]:
    """Return the invalid drawings of a protocol.

    Examples
    --------
    >>> invalid_rules("fixed_slots")
    ['source', 'blank', 'two_slots', 'middle']
    """
    _known(protocol_id)
    return list(RULES.get(protocol_id, {}))


def draw(
    protocol_id: str,
    photo: npt.NDArray[np.uint8],
    truth: Any,
    style: Style | None,
    rng: np.random.Generator,
    **aids: Any,
) -> Drawing:
    """Draw the answer that says ``truth``.

    Parameters
    ----------
    protocol_id : str
        One of `protocols`.
    photo : ndarray of uint8, shape (h, w, 3)
        The source picture, RGB; it is not changed.
    truth : JSON value
        A prediction in the protocol's own form. For ``region_mask`` a bool array of the photo's size, for
        ``trajectory_drawing`` normalised vertices; for these two None draws one of the draughtsman's own.
    style : Style or None
        How it looks; None is the usual look.
    rng : Generator
        Decides everything else: the same state draws the same pixels.
    **aids
        What the protocol's drawing may use: ``points`` (instance_marking), ``choices`` (fixed_slots, a number),
        ``coordinates`` (relative_depth), ``start`` (trajectory_drawing), ``board`` (trajectory_endpoint),
        ``candidates`` (state_matching), ``subject`` and ``object`` (binary_relation, masks), ``boxes`` or ``bars``
        (dual_measure: corners, or ends),
        ``outline`` (placement_outline). All coordinates are normalised.

    Returns
    -------
    Drawing
        The picture, the prediction it should give, and the reading aids that go with it.

    Raises
    ------
    InputError
        If the protocol is unknown, or the truth is none of its kind.

    Examples
    --------
    >>> photo = np.full((90, 120, 3), 128, np.uint8)
    >>> drawing = draw("point_marker", photo, [.5, .5], Style(size=.1), np.random.default_rng(0))
    >>> drawing.image[45, 60].tolist(), drawing.expected
    ([0, 255, 255], [0.5, 0.5])
    """
    _known(protocol_id)
    return DRAWERS[protocol_id](Job(_checked(photo), truth, style or Style(), rng, aids))


def draw_invalid(
    protocol_id: str,
    name: str,
    photo: npt.NDArray[np.uint8],
    style: Style | None,
    rng: np.random.Generator,
    **aids: Any,
) -> Drawing:
    """Draw an answer that a reader must refuse.

    Parameters
    ----------
    protocol_id, name : str
        A protocol, and one of its `invalid_rules`.
    photo, style, rng, **aids
        As for `draw`.

    Returns
    -------
    Drawing
        ``expected`` is None; ``reasons`` are the codes a refusal may carry.
    """
    _known(protocol_id)
    rules = RULES.get(protocol_id, {})
    if name not in rules:
        raise InputError(f"{protocol_id} has no invalid drawing {name!r}; there are {', '.join(rules)}")
    function, reasons = rules[name]
    return replace(function(Job(_checked(photo), None, style or Style(), rng, aids)), reasons=reasons)


def wrong_truth(protocol_id: str, truth: Any, rng: np.random.Generator, **aids: Any) -> Any:
    """Return another answer of the same kind, which `draw` then draws.

    Parameters
    ----------
    protocol_id : str
        One of `protocols`.
    truth : JSON value
        The right answer.
    rng : Generator
        Chooses.
    **aids
        As for `draw`; ``choices`` is the number of options.

    Examples
    --------
    >>> wrong_truth("binary_relation", True, np.random.default_rng(0))
    False
    """
    _known(protocol_id)
    if isinstance(truth, bool):
        return not truth
    if protocol_id == "instance_marking":
        return int(truth) + (1 if truth < 2 else int(rng.choice([-1, 1])))
    if protocol_id == "point_marker":
        x, y = truth
        return [float((x + rng.uniform(0.35, 0.65)) % 1), float((y + rng.uniform(0.35, 0.65)) % 1)]
    if protocol_id == "region_mask":
        outside = ~np.asarray(truth, dtype=bool)
        if not outside.any():
            raise InputError("the mask covers the whole picture: no region lies outside it")
        return outside
    if protocol_id == "trajectory_drawing":
        path = np.asarray(truth, np.float64)
        # The same start, the opposite way: kept inside the frame by folding at its border.
        away = 2 * path[0] - path + rng.uniform(-0.02, 0.02, 2) * (np.arange(len(path)) > 0)[:, None]
        return np.abs(1 - np.abs(1 - away)).tolist()
    if protocol_id == "trajectory_endpoint":
        return {"index": _other(list(range(1, truth["count"] + 1)), truth["index"], rng), "count": truth["count"]}
    return _other(_labels(protocol_id, aids), truth, rng)


def _labels(protocol_id: str, aids: dict[str, Any]) -> list[Any]:
    if protocol_id == "direction_grid":
        return [cell for cell in marks.CELLS if cell]
    n = (
        2
        if protocol_id in ("relative_depth", "dual_measure")
        else len(aids.get("candidates", ())) or aids.get("choices", 4)
    )
    return list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:n])


def _other(labels: list[Any], truth: Any, rng: np.random.Generator) -> Any:
    rest = [label for label in labels if label != truth]
    return rest[int(rng.integers(len(rest)))]


def _known(protocol_id: str) -> None:
    if protocol_id not in DRAWERS:
        raise InputError(f"the draughtsman cannot draw {protocol_id!r}; it knows {', '.join(protocols())}")


def _checked(photo: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    if photo.dtype != np.uint8 or photo.ndim != 3 or photo.shape[2] != 3 or min(photo.shape[:2]) < 16:
        raise InputError(f"a photo is a uint8 array (h, w, 3) of 16 pixels or more; got {photo.dtype} {photo.shape}")
    return photo
