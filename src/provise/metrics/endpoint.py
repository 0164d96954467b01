"""The partial credit of ball-state prediction."""

from __future__ import annotations

__all__ = ["endpoint_score"]


def endpoint_score(index: int, truth: int, holes: int, *, count: int | None = None) -> float:
    r"""Full credit for the right hole, partial credit for its neighbour.

    .. math::

        s = \begin{cases} 1 & |\hat{y} - y| = 0 \\ \max(0, .8 - 1/H) & |\hat{y} - y| = 1 \\ 0 & \text{else}
        \end{cases}

    Parameters
    ----------
    index : int
        The predicted hole, 1 to H; another number names no hole and scores 0.
    truth : int
        The right hole, 1 to H.
    holes : int
        H, the benchmark's own number of holes.
    count : int, optional
        The number of holes the answer shows; another one than H scores 0. None where an answer in words gives none.

    Returns
    -------
    float
        In [0, 1].

    References
    ----------
    Paper, appendix E.4, equation 3.

    Examples
    --------
    >>> endpoint_score(4, 4, 5), round(endpoint_score(3, 4, 5), 12), endpoint_score(2, 4, 5)
    (1.0, 0.6, 0.0)
    >>> endpoint_score(6, 5, 5), endpoint_score(4, 4, 5, count=6)
    (0.0, 0.0)
    """
    if not 1 <= index <= holes or (count is not None and count != holes):
        return 0.0
    if index == truth:
        return 1.0
    return max(0.0, 0.8 - 1.0 / holes) if abs(index - truth) == 1 else 0.0
