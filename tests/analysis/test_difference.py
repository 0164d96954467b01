"""Differences with paired intervals, and what a benchmark can show."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from provise.analysis.bootstrap import percentile_interval
from provise.analysis.difference import detectable_difference, differences, standard_error
from provise.analysis.matching import Matched, match_runs
from provise.analysis.published import published_results
from provise.errors import InputError
from tests.analysis.rows import made

PAPER = published_results()
SMALL = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=10)


def pair(first: dict[str, list[float | str]], second: dict[str, list[float | str]]) -> Matched:
    return match_runs({"text": made(first), "visual": made(second)})


def drawn_pair(n: int = 40) -> Matched:
    random = np.random.default_rng(3)
    sizes = {"counting": n, "size": n - 5, "affordance": n - 10, "multihop": n - 15}
    a, b = (
        {task: (random.random(k) < share).astype(float).tolist() for task, k in sizes.items()} for share in (0.4, 0.6)
    )
    return pair(a, b)


# --- differences -----------------------------------------------------------------------------------------------------


def test_a_difference_is_that_of_the_scores_at_every_level() -> None:
    found = differences(
        pair({"size": [0, 1], "multihop": [0.5]}, {"size": [1, 1], "multihop": [0.25]}), "text", "visual"
    )
    assert list(found) == [
        "overall",
        "capabilities.perception",
        "capabilities.reasoning",
        "tasks.size",
        "tasks.multihop",
    ]
    assert found["tasks.size"].points == 50
    assert (found["tasks.multihop"].points, found["tasks.multihop"].low) == (-25, pytest.approx(-25))
    assert found["overall"].points == 12.5
    assert not found["overall"].clear


def test_the_interval_of_a_difference_is_paired() -> None:
    hard = np.random.default_rng(0).random(40)
    a = {"affordance": (0.8 * hard).tolist()}
    b = {"affordance": (0.8 * hard + 0.1).tolist()}
    found = differences(pair(a, b), "text", "visual")["overall"]
    assert [found.points, found.low, found.high] == pytest.approx([10] * 3)
    assert found.clear


def test_the_interval_agrees_with_a_plain_paired_loop() -> None:
    matched = drawn_pair(30)
    tasks = list(matched.by_task().values())
    random = np.random.default_rng(1)
    plain = []
    for _ in range(4000):
        picks = [random.integers(0, s.shape[1], s.shape[1]) for s in tasks]
        plain.append(np.mean([100 * np.mean(s[1, i] - s[0, i]) for s, i in zip(tasks, picks, strict=True)]))
    found = differences(matched, "text", "visual")["overall"]
    assert [found.low, found.high] == pytest.approx(np.percentile(plain, [2.5, 97.5]), abs=0.7)


def test_many_pairs_can_share_one_draw() -> None:
    matched = drawn_pair()
    assert differences(matched, "text", "visual", drawn=matched.bootstrap()) == differences(matched, "text", "visual")


@settings(max_examples=30, deadline=None)
@given(SMALL)
def test_a_difference_turns_its_sign_with_the_pair(scores: list[tuple[float, float]]) -> None:
    matched = pair({"affordance": [a for a, _ in scores]}, {"affordance": [b for _, b in scores]})
    drawn = matched.bootstrap(replicates=200)
    there = differences(matched, "text", "visual", drawn=drawn)["overall"]
    back = differences(matched, "visual", "text", drawn=drawn)["overall"]
    assert [there.points, there.low, there.high] == pytest.approx([-back.points, -back.high, -back.low], abs=1e-9)
    assert there.low - 1e-9 <= 100 * max(b - a for a, b in scores)
    assert there.high + 1e-9 >= 100 * min(b - a for a, b in scores)


# --- what a benchmark can show ---------------------------------------------------------------------------------------


def test_the_standard_error_is_the_spread_of_the_replicates() -> None:
    matched = drawn_pair()
    drawn = matched.bootstrap()
    assert standard_error(matched, "text", "visual") == pytest.approx(
        100 * (drawn.overall[1] - drawn.overall[0]).std(), rel=0.03
    )


def test_a_difference_of_that_size_is_found_as_often_as_it_says() -> None:
    sizes, share = {"counting": 40, "size": 35, "multihop": 30}, 0.3
    gap = detectable_difference(sizes, disagreement=share, power=0.8) / 100
    error = math.sqrt(sum(share / n for n in sizes.values())) / 3
    random, found = np.random.default_rng(2), 0
    chances = [(share + gap) / 2, (share - gap) / 2, 1 - share]
    for _ in range(2000):
        mean = np.mean([random.choice([1, -1, 0], n, p=chances).mean() for n in sizes.values()])
        found += abs(mean) > norm.ppf(0.975) * error
    assert found / 2000 == pytest.approx(0.8, abs=0.03)


def test_the_papers_benchmark_shows_differences_of_eight_points() -> None:
    assert detectable_difference(PAPER.sizes) == pytest.approx(7.7, abs=0.05)
    # Four times the samples show half of it.
    assert detectable_difference({t: 4 * n for t, n in PAPER.sizes.items()}) == pytest.approx(3.85, abs=0.05)


@given(st.floats(0.01, 1), st.floats(0.5, 0.99), st.integers(1, 200))
def test_more_power_or_disagreement_needs_a_larger_difference(share: float, power: float, n: int) -> None:
    base = detectable_difference({"a": n, "b": n}, disagreement=share, power=power)
    assert base > 0
    assert detectable_difference({"a": n, "b": n}, disagreement=share, power=power + 0.005) > base
    assert detectable_difference({"a": n, "b": n}, disagreement=share / 2, power=power) == pytest.approx(
        base / math.sqrt(2)
    )
    assert detectable_difference({"a": 2 * n, "b": n}, disagreement=share, power=power) < base


@pytest.mark.parametrize(
    ("sizes", "more"),
    [
        ({}, {}),
        ({"a": 0}, {}),
        ({"a": 5}, {"power": 1.0}),
        ({"a": 5}, {"disagreement": 0.0}),
        ({"a": 5}, {"level": 95.0}),
    ],
)
def test_sizes_and_shares_out_of_range_are_refused(sizes: dict[str, int], more: dict[str, float]) -> None:
    with pytest.raises(InputError, match="expected"):
        detectable_difference(sizes, **more)


def test_one_sample_gives_no_nan() -> None:
    matched = pair({"size": [1]}, {"size": [0]})
    found = differences(matched, "text", "visual")["overall"]
    assert (found.points, found.low, found.high) == (-100, -100, -100)
    assert standard_error(matched, "text", "visual") == 0
    assert percentile_interval(matched.bootstrap().overall).tolist() == [[1, 1], [0, 0]]
