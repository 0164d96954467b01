"""Overlap of two boxes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from provise.errors import InputError

__all__ = ["box_iou"]


def box_iou(box: Sequence[float], truth: Sequence[float]) -> float:
    r"""Intersection over union of two axis-parallel boxes.

    .. math:: s = |\hat{B} \cap B| / |\hat{B} \cup B|

    Parameters
    ----------
    box, truth : sequence of four floats
        ``x0, y0, x1, y1`` in one unit, x0 < x1 and y0 < y1, edges without thickness.

    Returns
    -------
    float
        In [0, 1]; 0 where a box has no area, is turned inside out, or is not finite.

    Raises
    ------
    InputError
        If either has not four numbers.

    References
    ----------
    Jaccard index of the two areas, as in RefCOCO's IoU (where > .5 counts as found).

    Examples
    --------
    >>> box_iou((0, 0, 0.5, 1), (0.25, 0, 0.75, 1))
    0.3333333333333333
    """
    if len(box) != 4 or len(truth) != 4:
        raise InputError(f"boxes of {len(box)} and {len(truth)} numbers; expected four each: x0, y0, x1, y1")
    a, b = [float(value) for value in box], [float(value) for value in truth]
    areas = [(c[2] - c[0]) * (c[3] - c[1]) if c[2] > c[0] and c[3] > c[1] else 0.0 for c in (a, b)]
    if not all(math.isfinite(value) for value in (*a, *b, *areas)) or min(areas) <= 0:
        return 0.0
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    # The product of a rounded width and height may pass the area by its last bit; a share of a whole is at most 1.
    return min(1.0, shared / (sum(areas) - shared))
