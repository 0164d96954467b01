"""From made questions to scores and back: draw the right answer, or a wrong one, and read it by the route."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from provise.benchmark.open import open_benchmark
from provise.draw import Style, draw, wrong_truth
from provise.image import encode_png
from provise.metrics.frechet import dfd_success
from provise.protocol.route import open_route
from provise.scoring import Response, Row, score_response
from provise.synth.build import make_items, write_items
from provise.synth.item import Item, Level

ROUTE = open_route("synth")


def made(task: str, n: int, *, seed: int = 0, level: Level = "medium") -> list[Item]:
    return [item for _, _, item in make_items(n, seed=seed, level=level, tasks=[task])]


def truth_of(item: Item) -> Any:
    """The answer in the form that the draughtsman takes."""
    if item.mask is not None:
        return item.mask
    if item.answer_type == "path":
        return json.loads(item.answer)
    if item.answer_type == "endpoint":
        return {"index": int(item.answer), "count": item.metadata["holes"]}
    return item.answer == "true" if item.answer_type == "boolean" else item.answer


def aids_of(item: Item, task: str) -> dict[str, Any]:
    aids: dict[str, Any] = {"choices": len(item.choices)} if item.choices else {}
    if task == "navigation":
        aids["candidates"] = item.pictures[1:]
    return {**aids, **{name: item.facts[name] for name in ("board", "outline") if name in item.facts}}


def scored(task: str, items: Sequence[Item], folder: Path, *, right: bool, styled: bool = True) -> list[Row]:
    """Scores of drawn answers, each in a look of its own."""
    write_items(((task, i, item) for i, item in enumerate(items)), folder)
    protocol = ROUTE.protocol(task)
    rows = []
    for i, (sample, item) in enumerate(zip(open_benchmark(folder).samples, items, strict=True)):
        rng = np.random.default_rng([7, i])
        truth, aids = truth_of(item), aids_of(item, task)
        if not right:
            truth = wrong_truth(protocol.id, truth, rng, **aids)
        style = Style.sample(rng) if styled else None
        drawing = draw(protocol.id, item.pictures[0], truth, style, rng, **aids)
        rows.append(score_response(sample, Response(image=encode_png(drawing.image)), protocol)[0])
    return rows


def best_constant(answers: Sequence[Any]) -> float:
    """The share that the commonest answer is right in."""
    return max(Counter(answers).values()) / len(answers)


def constant_masks(size: tuple[int, int], n: int = 200) -> list[np.ndarray]:
    """Rectangles all over the frame, small and large, as (x0, y0, x1, y1) in pixels."""
    rng = np.random.default_rng(200)
    middles, halves = rng.uniform(0.1, 0.9, (n, 2)), np.exp(rng.uniform(np.log(0.01), np.log(0.4), (n, 2)))
    boxes = np.concatenate([middles - halves, middles + halves], axis=1).clip(0, 1) * np.tile(size, 2)
    return [np.rint(box).astype(int) for box in boxes]


def best_mask(items: Sequence[Item]) -> float:
    """The mean precision of the best of 200 masks that are the same for every question."""
    h, w = items[0].mask.shape
    best = 0.0
    for x0, y0, x1, y1 in constant_masks((w, h)):
        best = max(best, float(np.mean([item.mask[y0 : y1 + 1, x0 : x1 + 1].mean() for item in items])))
    return best


def best_path(items: Sequence[Item], others: Sequence[Item]) -> float:
    """The share that the best of some paths gets right that is the same for every question."""
    truths = [np.array(json.loads(item.answer)) for item in items]
    return max(
        float(np.mean([dfd_success(json.loads(other.answer), truth)[0] for truth in truths])) for other in others
    )
