"""Paired outcomes, rescue, McNemar's test, differences with intervals, and what a benchmark can show."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from provise.analysis.bootstrap import percentile_interval
from provise.analysis.matching import Matched, match_runs
from provise.analysis.paired import (
    PairedOutcomes,
    detectable_difference,
    differences,
    mcnemar_exact,
    paired_outcomes,
    standard_error,
)
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


# --- who solved what -------------------------------------------------------------------------------------------------


def test_the_papers_rescue_follows_from_its_counts() -> None:
    for row in PAPER.paired:
        outcomes = PairedOutcomes(row["both"], row["text_only"], row["visual_only"], row["neither"])
        assert outcomes.n == 470
        assert outcomes.rescue is not None
        assert round(100 * outcomes.rescue, 1) == row["rescue"]


def test_the_papers_paired_counts_agree_with_its_attribution() -> None:
    for row in PAPER.paired:
        assert row["both"] + row["visual_only"] == PAPER.system(row["visual"], "visual").outcomes["correct"]


def test_correctness_is_the_declared_one_and_not_the_score() -> None:
    matched = pair(
        {"affordance": [0.5, 0.49, 1], "multihop": [0.8, 1, 0]},
        {"affordance": [0.2, 0.51, 0.9], "multihop": [1, 1, 0.99]},
    )
    assert paired_outcomes(matched, "text", "visual") == PairedOutcomes(both=2, first_only=1, second_only=2, neither=1)
    assert paired_outcomes(matched, "text", "visual", task="multihop") == PairedOutcomes(1, 0, 1, 1)


def test_an_unreadable_answer_solved_nothing() -> None:
    matched = pair({"size": [1, 0, "protocol_noncompliance"]}, {"size": ["parser_failure", 1, "generation_failure"]})
    outcomes = paired_outcomes(matched, "text", "visual")
    assert (outcomes, outcomes.rescue) == (PairedOutcomes(0, 1, 1, 1), 0.5)


def test_where_nothing_was_wrong_nothing_can_be_rescued() -> None:
    assert paired_outcomes(pair({"size": [1, 1]}, {"size": [0, 1]}), "text", "visual").rescue is None


@pytest.mark.parametrize(
    ("names", "task", "message"), [(("text", "b"), None, "'b'"), (("text", "visual"), "chess", "'chess'")]
)
def test_an_unknown_system_or_task_is_refused(names: tuple[str, str], task: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        paired_outcomes(pair({"size": [1]}, {"size": [0]}), *names, task=task)


@given(SMALL)
def test_the_four_counts_are_a_partition_and_turn_with_the_pair(scores: list[tuple[float, float]]) -> None:
    matched = pair({"affordance": [a for a, _ in scores]}, {"affordance": [b for _, b in scores]})
    there, back = paired_outcomes(matched, "text", "visual"), paired_outcomes(matched, "visual", "text")
    assert there.n == len(scores)
    assert (there.both, there.first_only, there.second_only, there.neither) == (
        back.both, back.second_only, back.first_only, back.neither,
    )  # fmt: skip
    assert there.p_value == back.p_value


# --- McNemar ---------------------------------------------------------------------------------------------------------


@given(st.integers(0, 120), st.integers(0, 120))
def test_mcnemar_is_the_exact_binomial_test(b: int, c: int) -> None:
    expected = binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert mcnemar_exact(b, c) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (5, 1), (3, 3), (7, 2), (0, 10)])
def test_mcnemar_counts_the_falls_of_the_coins(b: int, c: int) -> None:
    # By listing every way in which the disagreements could have fallen.
    as_uneven = sum(abs(2 * sum(coins) - (b + c)) >= abs(b - c) for coins in itertools.product((0, 1), repeat=b + c))
    assert mcnemar_exact(b, c) == pytest.approx(as_uneven / 2 ** (b + c))


def test_mcnemar_of_many_samples_does_not_overflow() -> None:
    assert mcnemar_exact(3000, 3000) == 1
    assert mcnemar_exact(2000, 2200) == pytest.approx(binomtest(2000, 4200, 0.5).pvalue, rel=1e-6)


def test_mcnemar_of_negative_counts_is_refused() -> None:
    with pytest.raises(InputError, match="-1"):
        mcnemar_exact(-1, 3)


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
