"""The best constant answer of a task: what one and the same answer to every question scores.

A task's score means little below it. For labels it is the most frequent truth; for holes, every hole is tried; for numbers,
every true one; for places, regions and paths 200 are drawn with a fixed seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from provise.choices import options
from provise.metrics.registry import get_metric, score_prediction
from provise.truth import Truth

__all__ = ["CANDIDATES", "Constant", "best_constant", "constant_boxes", "constant_paths", "constant_points"]

Floats = npt.NDArray[np.float64]

CANDIDATES = 200
"""Places, regions or paths that are tried."""

SEED = 200
VERTICES = 20
"""Of a path that is tried."""


@dataclass(frozen=True)
class Constant:
    """The best of the constant answers that were tried.

    Attributes
    ----------
    score : float
        Its mean over the truths by the task's metric, in [0, 1].
    answer : str
        What it is, for a person; empty where every one that was tried scores 0.
    n : int
        Truths.
    tried : int
        How many answers were tried.
    """

    score: float
    answer: str
    n: int
    tried: int


def best_constant(truths: Sequence[Truth], metric: str, settings: Mapping[str, Any] | None = None) -> Constant | None:
    """Find the constant answer that scores best.

    Parameters
    ----------
    truths : sequence of Truth
        Of one task, as `provise.truth.load_truth` gives them for the metric.
    metric : str
        A name of `provise.metrics.METRICS`.
    settings : mapping, optional
        The metric's.

    Returns
    -------
    Constant or None
        None without truths. Among equals, the first that was tried.

    Examples
    --------
    >>> best_constant([Truth("integer", n) for n in (3, 5, 3, 4)], "exact")
    Constant(score=0.5, answer='3', n=4, tried=3)
    """
    if not truths:
        return None
    kind = truths[0].kind
    if metric == "exact":
        return _label(truths)
    if kind == "mask" and metric != "point_in_mask":
        return _region(truths, metric)
    if kind == "path":
        return _way(truths, metric, settings)
    said = {
        "endpoint": lambda: _holes(truths),
        "mask": lambda: [(_place(p), p) for p in constant_points().tolist()],
        "point": lambda: [(_place(p), p) for p in constant_points().tolist()],
        "box": lambda: [(f"box {_corners(b)}", b) for b in constant_boxes().tolist()],
    }.get(kind, lambda: _numbers(truths))()
    means = [_mean(answer, truths, metric, settings) for _, answer in said]
    best = int(np.argmax(means))
    return Constant(means[best], said[best][0] if means[best] else "", len(truths), len(said))


def constant_points() -> Floats:
    """Return the places that are tried, of shape (200, 2), normalised."""
    return np.random.default_rng(SEED).uniform(0.05, 0.95, (CANDIDATES, 2))


def constant_boxes() -> Floats:
    """Return the rectangles that are tried, small and large, all over the frame: x0, y0, x1, y1, of shape (200, 4), normalised."""
    rng = np.random.default_rng(SEED)
    middles = rng.uniform(0.1, 0.9, (CANDIDATES, 2))
    halves = np.exp(rng.uniform(np.log(0.01), np.log(0.4), (CANDIDATES, 2)))
    boxes: Floats = np.concatenate([middles - halves, middles + halves], axis=1).clip(0, 1)
    return boxes


def constant_paths() -> list[list[list[float]]]:
    """Return the paths that are tried: from one place to another, straight or bent, 20 vertices each, normalised."""
    rng = np.random.default_rng(SEED)
    ends = rng.uniform(0.05, 0.95, (CANDIDATES, 2, 2))
    way = ends[:, 1] - ends[:, 0]
    bend = rng.uniform(-0.5, 0.5, (CANDIDATES, 1)) * np.stack([-way[:, 1], way[:, 0]], axis=1)
    middles = ends.mean(axis=1) + bend
    t = np.linspace(0, 1, VERTICES)[None, :, None]
    paths = (1 - t) ** 2 * ends[:, None, 0] + 2 * t * (1 - t) * middles[:, None] + t**2 * ends[:, None, 1]
    found: list[list[list[float]]] = paths.clip(0, 1).tolist()
    return found


def _label(truths: Sequence[Truth]) -> Constant:
    """Count the truths: an exact match is right as often as its label is the truth.

    Of a choice both the letters and the texts of the options are tried, since options may stand in another order each time.
    """
    counts: Counter[str] = Counter()
    for truth in truths:
        counts[str(truth.value).lower() if truth.kind == "boolean" else str(truth.value)] += 1
    if truths[0].kind == "choice":
        counts.update(f"“{text}”" for truth in truths if (text := _text(truth)) not in ("", truth.value))
    answer, times = min(counts.items(), key=lambda item: (-item[1], item[0].startswith("“"), item[0]))
    return Constant(times / len(truths), answer, len(truths), len(counts))


def _text(truth: Truth) -> str:
    return next((option.text for option in options(truth.choices) if option.label == truth.value), "")


def _holes(truths: Sequence[Truth]) -> list[tuple[str, Any]]:
    return [(f"hole {i}", i) for i in range(1, max(int(truth.value["count"]) for truth in truths) + 1)]


def _numbers(truths: Sequence[Truth]) -> list[tuple[str, Any]]:
    """Try every true number, or as many of them as of other answers."""
    values = sorted({float(truth.value) for truth in truths})
    if len(values) > CANDIDATES:
        values = sorted(np.random.default_rng(SEED).choice(values, CANDIDATES, replace=False).tolist())
    if truths[0].kind == "measurement":
        return [(f"{value:g} cm", {"value": value, "unit": "cm"}) for value in values]
    return [(f"{value:g}", {"value": value, "unit": ""}) for value in values]


def _region(truths: Sequence[Truth], metric: str) -> Constant:
    """Try rectangles against masks; sums over a rectangle come from the mask's summed table, whatever its size."""
    total = np.zeros(CANDIDATES)
    for truth in truths:
        height, width = truth.value.shape
        x0, y0, x1, y1 = pixels(constant_boxes(), (width, height)).T
        table = cv2.integral(truth.value.astype(np.uint8)).astype(np.int64)
        shared = table[y1, x1] - table[y0, x1] - table[y1, x0] + table[y0, x0]
        support = (x1 - x0) * (y1 - y0)
        total += shared / (support if metric == "mask_precision" else support + table[-1, -1] - shared)
    means = total / len(truths)
    best = int(means.argmax())
    answer = f"box {_corners(constant_boxes()[best].tolist())}" if means[best] else ""
    return Constant(float(means[best]), answer, len(truths), CANDIDATES)


def _way(truths: Sequence[Truth], metric: str, settings: Mapping[str, Any] | None) -> Constant:
    """Try paths; one whose ends lie too far from the true ones is wrong at sight, as no distance of paths is below theirs."""
    reach = get_metric(metric).resolve(settings)["threshold"]
    paths = np.array(constant_paths())
    total = np.zeros(CANDIDATES)
    for truth in truths:
        ends = np.stack([truth.value[0], truth.value[-1]])
        near = np.linalg.norm(paths[:, [0, -1]] - ends, axis=2).max(axis=1) < reach
        for i in np.flatnonzero(near):
            total[i] += score_prediction(metric, paths[i].tolist(), truth, settings).value
    best = int(total.argmax())
    answer = f"path {_place(paths[best][0])} to {_place(paths[best][-1])}" if total[best] else ""
    return Constant(float(total[best]) / len(truths), answer, len(truths), CANDIDATES)


def pixels(boxes: Floats, size: tuple[int, int]) -> npt.NDArray[np.int64]:
    """Return rectangles in pixels of a grid, the ends excluded, at least a pixel each way."""
    scale = np.array([*size, *size])
    found = np.rint(boxes * scale).astype(np.int64)
    low = np.minimum(found[:, :2], np.array(size) - 1)
    return np.concatenate([low, np.maximum(found[:, 2:], low + 1)], axis=1)


def _mean(answer: Any, truths: Sequence[Truth], metric: str, settings: Mapping[str, Any] | None) -> float:
    return float(np.mean([score_prediction(metric, answer, truth, settings).value for truth in truths]))


def _place(point: Sequence[float]) -> str:
    return f"({point[0]:.2f}, {point[1]:.2f})"


def _corners(box: Sequence[float]) -> str:
    return f"{_place(box[:2])} to {_place(box[2:])}"
