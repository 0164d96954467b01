"""Ways round things: clear of them at full size, and no longer than the shortest that a plain search finds."""

from __future__ import annotations

import heapq
import itertools
import json
import math

import cv2
import numpy as np
import pytest

from provise.synth.item import Item, Level
from provise.synth.render import look
from provise.synth.tasks.trajectory import CLEAR
from tests.synth.answering import MANY
from tests.synth.rounds import best_path, made

CELL = 8


def truth(item: Item) -> np.ndarray:
    return np.array(json.loads(item.answer)) * (640, 480)


def bare(item: Item) -> np.ndarray:
    """Where the full-size picture shows the table, a mat or the gripper."""
    things = item.facts["things"]
    ok = [i for i, t in enumerate(things) if t.name in ("_table", "gripper") or t.name.endswith(" mat")]
    return np.isin(look(item.facts["camera"], things).thing, ok)


def searched(free: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    """The length of the shortest way over cells, with steps to sixteen neighbours, by Dijkstra's search."""
    steps = [(a, b) for a in range(-2, 3) for b in range(-2, 3) if math.gcd(a, b) == 1]
    source, target = (tuple(int(v) // CELL for v in p[::-1]) for p in (start, end))
    best, heap = {source: 0.0}, [(0.0, source)]
    while heap:
        far, (r, c) = heapq.heappop(heap)
        if (r, c) == target:
            return far * CELL
        if far > best[r, c]:
            continue
        for a, b in steps:
            to = (r + a, c + b)
            if 0 <= to[0] < free.shape[0] and 0 <= to[1] < free.shape[1] and free[to]:
                longer = far + math.hypot(a, b)
                if longer < best.get(to, math.inf):
                    best[to] = longer
                    heapq.heappush(heap, (longer, to))
    return math.inf


def check(item: Item) -> None:
    path, open_ = truth(item), bare(item)
    gaps = np.hypot(*np.diff(path, axis=0).T)
    dense = np.concatenate([np.linspace(a, b, 12) for a, b in itertools.pairwise(path)])
    columns, rows = np.floor(dense).astype(int).T
    assert open_[rows, columns].all()
    # Clear of things by most of what was asked for, at any point.
    away = cv2.distanceTransform(open_.astype(np.uint8), cv2.DIST_L2, 5)
    assert away[rows, columns].min() >= 0.6 * CLEAR
    assert np.hypot(*np.diff(np.array(json.loads(item.answer)), axis=0).T).max() <= 0.1
    assert item.metadata["start"] == json.loads(item.answer)[0]
    straight = np.floor(np.linspace(path[0], path[-1], 400)).astype(int)
    assert not open_[straight[:, 1], straight[:, 0]].all()
    near = (away > CLEAR - 2).astype(np.uint8)
    coarse = cv2.resize(near, (640 // CELL, 480 // CELL), interpolation=cv2.INTER_NEAREST) > 0
    assert gaps.sum() <= 1.05 * searched(coarse, path[0], path[-1]) + 2 * CELL
    goal = item.facts["camera"].project([(*item.facts["goal"], 0.0)])[0, :2]
    assert np.hypot(*(path[-1] - goal)) < 2


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_the_way_is_clear_and_short_and_the_straight_one_is_not(level: Level) -> None:
    for item in made("trajectory", 4, level=level):
        check(item)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_many_ways_are_clear_and_short(level: Level) -> None:
    for item in made("trajectory", MANY, seed=4, level=level):
        check(item)


@pytest.mark.slow
def test_no_constant_path_is_right_often() -> None:
    candidates = made("trajectory", 200, seed=11)
    for level in ("easy", "medium", "hard"):
        assert best_path(made("trajectory", 40, level=level), candidates) <= 0.25, level
