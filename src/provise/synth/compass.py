"""Eight directions, from angles."""

from __future__ import annotations

import numpy as np

__all__ = ["AWAY", "LABELS", "heading", "off"]

LABELS = ("front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left")
"""As a reader names them, an eighth of a turn apart, clockwise seen from above for whom front is ahead."""

AWAY: dict[str, float] = {
    "back": 0.0, "back-left": 45.0, "left": 90.0, "front-left": 135.0, "front": 180.0, "front-right": 225.0,
    "right": 270.0, "back-right": 315.0,
}  # fmt: skip
"""The yaw of what faces a direction as its viewer sees it: front is towards the viewer, who looks along +y."""


def heading(yaw: float, at: tuple[float, float], to: tuple[float, float]) -> float:
    """Return by how many degrees one must turn clockwise from where one looks, to look at something.

    Parameters
    ----------
    yaw : float
        Where one looks: degrees from +y, anticlockwise seen from above.
    at, to : tuple of float
        x and y of oneself and of what one is to look at.

    Returns
    -------
    float
        0 to 360: 0 ahead, 90 to the right, 180 behind.

    Examples
    --------
    >>> round(heading(0, (0, 0), (1, 0))), round(heading(180, (0, 0), (1, 0)))
    (90, 270)
    """
    x, y = to[0] - at[0], to[1] - at[1]
    return float((np.degrees(np.arctan2(x, y)) + yaw) % 360)


def off(angle: float, other: float) -> float:
    """Return how far two angles are apart, 0 to 180 degrees.

    Examples
    --------
    >>> off(350, 15)
    25.0
    """
    return float(abs((angle - other + 180) % 360 - 180))
