"""Take out a global change of colour between a source and its edit: gain and offset a channel, then what is left."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from provise.ops.toning import Toning, fit_toning

__all__ = ["Match", "match_colours"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

TOLERANCE = 14.0
"""Levels within which a pixel counts as explained by a fit."""

LEFT = 1.0
"""Mean levels left over, counted up to `TOLERANCE`, from which it is asked whether a curve explains them."""

THINNED = 3
"""One cell of so many is enough to fit a curve of eight terms."""

EXTRAPOLATED = 90.0
"""Most levels by which a correction, fitted to the scene's colours, moves a colour that the scene does not have."""


@dataclass(frozen=True)
class Match:
    """A colour fit from source to answer.

    Attributes
    ----------
    gain, offset : tuple of float
        A channel each: ``answer = gain * source + offset``.
    inliers : float
        Share of the pixels that the fit explains in all three channels.
    toning : Toning or None
        What is added to that where hue, saturation or gamma changed as well.
    """

    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inliers: float = 0.0
    toning: Toning | None = None

    def recoloured(self, rgb: tuple[int, int, int]) -> tuple[float, float, float]:
        """Return what the change makes of one colour: a dimmed answer dims its marks too."""
        levels = [k * v + o for k, v, o in zip(self.gain, rgb, self.offset, strict=True)]
        if self.toning is not None:
            shift = self.toning.shift(rgb)
            levels = [v + min(EXTRAPOLATED, max(-EXTRAPOLATED, d)) for v, d in zip(levels, shift, strict=True)]
        r, g, b = (min(255.0, max(0.0, v)) for v in levels)
        return r, g, b

    def apply(self, source: Bytes) -> Bytes:
        """Lay the fit on a picture, rounding and clipping to 8 bits."""
        fitted = source
        if self.gain != (1.0, 1.0, 1.0) or self.offset != (0.0, 0.0, 0.0):
            levels = np.arange(256, dtype=np.float32)
            table = np.stack(
                [np.clip(np.rint(g * levels + o), 0, 255) for g, o in zip(self.gain, self.offset, strict=True)], -1
            )
            fitted = np.asarray(cv2.LUT(source, table.astype(np.uint8)[None]), dtype=np.uint8)
        return fitted if self.toning is None else self.toning.apply(source, fitted)


def match_colours(source: Bytes, answer: Bytes, *, side: int = 96, trials: int = 60) -> Match:
    """Fit one gain and one offset a channel, robustly; then hue, saturation and gamma, where they explain more.

    Parameters
    ----------
    source, answer : ndarray of uint8, shape (h, w, 3)
        Two pictures of one size.
    side : int
        Both are brought to at most this side first; marks smaller than a cell then blur into it and count as outliers.
    trials : int
        Pairs of cells that are tried, drawn from a generator of fixed seed.

    Returns
    -------
    Match
        The identity unless another fit explains clearly more. Fits that no global recolouring makes are not
        considered: gains beyond .5 to 1.7, or an offset that tints (its channels more than 40 levels apart), since a
        translucent overlay over most of the frame looks just like that.
    """
    h, w = answer.shape[:2]
    factor = side / max(h, w)
    small = (max(8, round(w * factor)), max(8, round(h * factor)))
    x, y = (_planes(_reduced(p, small)) for p in (source, answer))
    weights = _weights(x)
    best = _score(x, y, np.ones(3, np.float32), np.zeros(3, np.float32), weights)
    identity = best
    for gain, offset in _candidates(x, y, trials):
        if _plausible(gain, offset):
            found = _score(x, y, gain, offset, weights)
            if found.inliers > best.inliers:
                best = found
    best = _refine(x, y, best, weights)
    clearly = best.inliers > identity.inliers + 0.01 or _error(x, y, best, weights) < 0.8 * _error(
        x, y, identity, weights
    )
    chosen = best if clearly else identity
    return _toned(x, y, chosen, weights)


def _reduced(picture: Bytes, size: tuple[int, int]) -> Bytes:
    """Return the mean colours of a picture's cells; halved first, which costs a third."""
    while min(picture.shape[1] // size[0], picture.shape[0] // size[1]) >= 4:
        half = ((picture.shape[1] + 1) // 2, (picture.shape[0] + 1) // 2)
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _planes(small: Bytes) -> Floats:
    """Return the cells as three rows, a channel each: reductions over channels are then fast."""
    return np.ascontiguousarray(small.reshape(-1, 3).T, dtype=np.float32)


def _toned(x: Floats, y: Floats, match: Match, weights: Floats) -> Match:
    """Add the correction for hue, saturation and gamma, where it explains clearly more than the linear fit."""
    left = _error(x, y, match, weights)
    if left < LEFT:
        return match
    gain, offset = np.asarray(match.gain, np.float32), np.asarray(match.offset, np.float32)
    base = np.clip(x * gain[:, None] + offset[:, None], 0, 255)
    cells, answer, fitted = (np.asarray(part.T, np.float64) for part in (x, y, base))
    some = slice(None, None, THINNED)
    toning = fit_toning(cells[some], answer[some], fitted[some], weights[some].astype(np.float64))
    if toning is None:
        return match
    residual = np.abs(toning.corrected(cells, fitted) - answer).max(axis=1)
    if float((weights * np.minimum(residual, TOLERANCE)).sum()) > 0.75 * left:
        return match
    return replace(match, inliers=float(weights[residual <= TOLERANCE].sum()), toning=toning)


def _weights(x: Floats) -> Floats:
    """Return a weight a cell, 1 in all: a large black sky tells little about a gain, and must not outvote the rest."""
    bins = (x.mean(axis=0) // 22).astype(np.int64)
    counts = np.bincount(bins, minlength=12)
    weights = 1 / np.sqrt(counts[bins].astype(np.float32))
    return np.asarray(weights / weights.sum(), dtype=np.float32)


def _candidates(x: Floats, y: Floats, trials: int) -> list[tuple[Floats, Floats]]:
    rng = np.random.default_rng(20260)
    found: list[tuple[Floats, Floats]] = [
        (np.ones(3, np.float32), np.asarray(np.median(y - x, axis=1), dtype=np.float32))
    ]
    for a, b in rng.integers(0, x.shape[1], size=(trials, 2)):
        span = x[:, a] - x[:, b]
        # Two cells of nearly equal brightness say nothing about a gain.
        if np.abs(span).min() >= 24:
            gain = np.asarray((y[:, a] - y[:, b]) / span, dtype=np.float32)
            found.append((gain, np.asarray(y[:, a] - gain * x[:, a], dtype=np.float32)))
    order = np.argsort(x.sum(axis=0), kind="stable")
    quarter = max(1, x.shape[1] // 4)
    low, high = order[:quarter], order[-quarter:]
    span = x[:, high].mean(axis=1) - x[:, low].mean(axis=1)
    if np.abs(span).min() >= 8:
        gain = (y[:, high].mean(axis=1) - y[:, low].mean(axis=1)) / span
        found.append(
            (np.asarray(gain, dtype=np.float32), np.asarray(y.mean(axis=1) - gain * x.mean(axis=1), dtype=np.float32))
        )
    return found


def _plausible(gain: Floats, offset: Floats) -> bool:
    middle = gain * 128 + offset - 128
    return bool(((gain >= 0.5) & (gain <= 1.7)).all() and np.ptp(middle) <= 40 and np.abs(middle).max() <= 80)


def _residual(x: Floats, y: Floats, gain: Floats, offset: Floats) -> Floats:
    worst = np.zeros(x.shape[1], np.float32)
    for channel in range(3):
        fitted = np.clip(x[channel] * gain[channel] + offset[channel], 0, 255)
        np.maximum(worst, np.abs(fitted - y[channel]), out=worst)
    return worst


def _score(x: Floats, y: Floats, gain: Floats, offset: Floats, weights: Floats) -> Match:
    share = float(weights[_residual(x, y, gain, offset) <= TOLERANCE].sum())
    return Match(_triple(gain), _triple(offset), share)


def _triple(values: Floats) -> tuple[float, float, float]:
    a, b, c = (float(v) for v in values)
    return a, b, c


def _error(x: Floats, y: Floats, match: Match, weights: Floats) -> float:
    residual = _residual(x, y, np.asarray(match.gain, np.float32), np.asarray(match.offset, np.float32))
    return float((weights * np.minimum(residual, TOLERANCE)).sum())


def _refine(x: Floats, y: Floats, match: Match, weights: Floats) -> Match:
    """Fit the inliers by least squares, three times over."""
    for _ in range(3):
        gain, offset = np.asarray(match.gain, np.float32), np.asarray(match.offset, np.float32)
        inside = _residual(x, y, gain, offset) <= TOLERANCE
        if inside.sum() < 24:
            return match
        u, v = x[:, inside], y[:, inside]
        mean_u, mean_v = u.mean(axis=1), v.mean(axis=1)
        du, dv = u - mean_u[:, None], v - mean_v[:, None]
        spread = (du * du).mean(axis=1)
        slope = np.where(spread > 25, (du * dv).mean(axis=1) / np.maximum(spread, 25), gain)
        slope = np.asarray(slope, np.float32)
        shift = np.asarray(mean_v - slope * mean_u, np.float32)
        if not _plausible(slope, shift):
            return match
        found = _score(x, y, slope, shift, weights)
        if found.inliers < match.inliers - 0.02:
            return match
        match = found
    return match
