"""Exact match after normalisation: the metric of counting and of every discrete answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["exact"]


def exact(prediction: Any, truth: Any, kind: str, choices: Sequence[str] = ()) -> bool:
    r"""Say whether a prediction and a truth name the same answer.

    .. math:: s = \mathbf{1}[\hat{y} \equiv y]

    where the equivalence is that of `provise.labels.same`, the one canonicaliser of the project: letters, option
    texts, booleans and directions meet in one form, and an integer is a value before it is an index.

    Parameters
    ----------
    prediction : str, int, bool or None
        What was read. None (nothing was read) equals no truth.
    truth : str, int or bool
        The right answer, in any spelling.
    kind : str
        ``choice``, ``integer``, ``boolean`` or ``direction``: how the truth is to be understood.
    choices : sequence of str, optional
        The options in order.

    Returns
    -------
    bool
        True where both are the same answer.

    References
    ----------
    Paper, appendix E.4: "exact-match accuracy after answer normalization".

    Examples
    --------
    >>> exact(None, "B", "choice", ("left", "right"))
    False
    """
    if prediction is None:
        return False
    if isinstance(prediction, np.generic):
        prediction = prediction.item()  # NumPy's 5 and True are 5 and True
    # The canonicaliser is imported where it is used: the numeric metrics need none of it.
    from provise.labels import same

    return bool(same(prediction, truth, kind, tuple(choices)))
