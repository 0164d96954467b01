"""What a gain and an offset cannot express of a recolouring: turned hues, faded colours, a gamma curve."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["Toning", "fit_toning"]

Bytes = npt.NDArray[np.uint8]
Doubles = npt.NDArray[np.float64]

TERMS = 8
"""Constant, red, green, blue, the largest and the least of them, the channel's own square and its root."""

RIDGE = 1e-4
"""Pull towards no correction, for colours that the scene does not show."""

FAR = 70.0
"""Levels from the linear fit beyond which a cell is a mark, whatever the recolouring."""

NEUTRAL = 16.0
"""Levels by which greys may be tinted: hue, saturation and gamma leave them grey, a translucent overlay does not."""


@dataclass(frozen=True)
class Toning:
    """A smooth correction of the colours that a linear fit gives.

    Parameters
    ----------
    terms : tuple of 3 tuples of 8 float
        A channel each: weights, on a scale of 0 to 1, of 1, red, green, blue, their largest, their least, the channel's
        square and its square root. The largest is what a change of HSV saturation leaves in place; square and root bend
        like a gamma curve.
    """

    terms: tuple[tuple[float, ...], ...]

    def apply(self, source: Bytes, base: Bytes) -> Bytes:
        """Return ``base``, the linear fit of ``source``, with the correction added, rounded and clipped to 8 bits."""
        planes = cv2.split(source)
        largest = cv2.max(cv2.max(planes[0], planes[1]), planes[2])
        least = cv2.min(cv2.min(planes[0], planes[1]), planes[2])
        out = []
        for channel, fitted in enumerate(cv2.split(base)):
            total = fitted.astype(np.float32)
            for plane, table in zip((*planes, largest, least), self._tables(channel), strict=True):
                cv2.add(total, cv2.LUT(plane, table), dst=total)
            out.append(np.clip(np.rint(total), 0, 255).astype(np.uint8))
        return np.asarray(cv2.merge(out), dtype=np.uint8)

    def _tables(self, channel: int) -> list[npt.NDArray[np.float32]]:
        """Return what each level of red, green, blue, the largest and the least adds to a channel, in levels."""
        level = np.arange(256) / 255
        weights = self.terms[channel]
        tables = [weights[1 + i] * level for i in range(5)]
        tables[channel] = tables[channel] + weights[0] + weights[6] * level**2 + weights[7] * np.sqrt(level)
        return [(255 * table).astype(np.float32) for table in tables]

    def shift(self, rgb: tuple[float, float, float]) -> tuple[float, float, float]:
        """Return what the correction adds to one colour, in levels."""
        cell = np.array([rgb], np.float64) / 255
        r, g, b = (255 * float((_design(cell, i) @ np.array(self.terms[i]))[0]) for i in range(3))
        return r, g, b

    def corrected(self, cells: Doubles, base: Doubles) -> Doubles:
        """Return the linear fit of some colours with the correction added and clipped, in levels, shape (n, 3)."""
        x = cells / 255
        shift = np.stack([_design(x, i) @ np.array(self.terms[i]) for i in range(3)], axis=1)
        return np.asarray(np.clip(base + 255 * shift, 0, 255), dtype=np.float64)


def fit_toning(source: Doubles, answer: Doubles, base: Doubles, weights: Doubles) -> Toning | None:
    """Fit what is left between a linear fit and the answer, robustly.

    Parameters
    ----------
    source, answer, base : ndarray of float, shape (n, 3)
        Cells of the source, of the answer, and of the source under the linear fit, in levels.
    weights : ndarray of float, shape (n,)
        How much each cell counts.

    Returns
    -------
    Toning or None
        None where too few cells are near the linear fit, or where the correction would tint greys.

    Notes
    -----
    Iteratively reweighted least squares with a ridge: marks differ by far more than the rest and soon weigh nothing.
    """
    x, rest = source / 255, (answer - base) / 255
    near = np.abs(answer - base).max(axis=1) <= FAR
    if near.sum() < 0.3 * len(near):
        return None
    weights = np.where(near, weights, 0.0)
    designs = [_design(x, channel) for channel in range(3)]
    residual = np.abs(rest).max(axis=1) * 255
    terms = np.zeros((3, TERMS))
    corrected = base
    for scale in (12.0, 6.0, 6.0, 6.0, 6.0):
        trust = weights / (1 + (residual / scale) ** 4)
        total = trust.sum()
        if total <= 0:
            return None
        for channel, design in enumerate(designs):
            pulled = design * (trust / total)[:, None]
            normal = pulled.T @ design + RIDGE * np.eye(TERMS)
            terms[channel] = np.linalg.solve(normal, pulled.T @ rest[:, channel])
        fitted = np.stack([design @ terms[i] for i, design in enumerate(designs)], axis=1)
        corrected = np.clip(base + 255 * fitted, 0, 255)
        residual = np.abs(answer - corrected).max(axis=1)
    toning = Toning(tuple(tuple(round(float(v), 5) for v in row) for row in terms))
    return toning if _keeps_greys(toning) else None


def _design(x: Doubles, channel: int) -> Doubles:
    one = np.ones(len(x))
    r, g, b = x.T
    own = x[:, channel]
    return np.stack([one, r, g, b, x.max(axis=1), x.min(axis=1), own * own, np.sqrt(own)], axis=1)


def _keeps_greys(toning: Toning) -> bool:
    return all(np.ptp(toning.shift((level, level, level))) <= NEUTRAL for level in (64.0, 128.0, 192.0))
