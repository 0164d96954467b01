"""Answers to made questions, right ones and wrong ones, drawn, read and scored as a run would do it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from provise.benchmark import open_benchmark
from provise.benchmark.check import check_benchmark
from provise.draw import Style, draw, wrong_truth
from provise.image import encode_png
from provise.protocol.route import open_route
from provise.sample import Sample
from provise.scoring import Response, score_response
from provise.synth.build import make_items, write_items
from provise.synth.item import Item, Level

ROUTE = open_route("synth")

MANY = int(os.environ.get("PROVISE_MANY", "12"))
"""Questions a level in the slow tests; 40 is the size at which a split is balanced, and takes a quarter of an hour."""


@lru_cache(maxsize=64)
def made(task: str, n: int, seed: int = 0, level: Level = "medium") -> tuple[Item, ...]:
    """Return questions; those of one call are made once."""
    return tuple(item for _, _, item in make_items(n, seed=seed, level=level, tasks=[task]))


def samples(items: Sequence[Item], task: str, folder: Path) -> tuple[Sample, ...]:
    """Write questions and open them again; the folder must pass the check without an error or a warning of a row."""
    write_items(((task, i, item) for i, item in enumerate(items)), folder)
    report = check_benchmark(folder)
    # Pictures of few rows are never so alike; what the check says of too few rows is no fault of a row.
    assert not [finding for finding in report.findings if finding.id], report.findings
    assert report.ok
    return open_benchmark(folder).samples


def truth_of(item: Item, protocol: str) -> Any:
    """Return what a right drawing says, in the protocol's own form."""
    if item.answer_type == "integer":
        return int(item.answer)
    if item.answer_type == "boolean":
        return item.answer == "true"
    if item.answer_type == "mask":
        return inmost(item.mask)
    if protocol == "direction_grid" and item.choices:
        return item.choices["ABCDEFGH".index(item.answer)]
    return item.answer


def inmost(mask: Any) -> list[float]:
    """Return the place of a mask that is farthest from its rim, normalised."""
    away = cv2.distanceTransform(np.pad(mask.astype(np.uint8), 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    row, column = np.unravel_index(int(away.argmax()), away.shape)
    h, w = mask.shape
    return [(float(column) + 0.5) / w, (float(row) + 0.5) / h]


def drawn(item: Item, task: str, truth: Any, rng: np.random.Generator, style: Style | None = None) -> bytes:
    """Return the picture that answers with a truth, as PNG."""
    protocol = ROUTE.protocol(task).id
    aids: dict[str, Any] = {k: v for k, v in item.metadata.items() if k in ("coordinates", "bars")}
    if task == "counting" and len(item.metadata["points"]) == truth:
        aids["points"] = item.metadata["points"]
    if task == "relationship":
        fine = item.facts["stage"].fine()
        aids |= {name: fine.mask(item.facts[name]) for name in ("subject", "object")}
    return encode_png(draw(protocol, item.pictures[0], truth, style, rng, **aids).image)


def scores(
    task: str, items: Sequence[Item], folder: Path, *, right: bool, styled: bool = False, seed: int = 0
) -> list[tuple[float | None, str]]:
    """Return score and reason of each answer; all answers are right ones, or all are wrong ones."""
    protocol = ROUTE.protocol(task)
    rng = np.random.default_rng(seed)
    found = []
    for item, sample in zip(items, samples(items, task, folder), strict=True):
        truth = truth_of(item, protocol.id)
        said = truth if right else wrong_truth(protocol.id, truth, rng, choices=len(item.choices))
        opacity = (0.35, 0.8) if task == "relationship" else (0.8, 1.0)
        style = Style.sample(rng, opacity=opacity) if styled else Style(opacity=0.5 if task == "relationship" else 1.0)
        row, _ = score_response(sample, Response(image=drawn(item, task, said, rng, style)), protocol)
        found.append((row.score, row.reason))
    return found
