"""Exact intervals and the exact McNemar test, held to scipy and to counting everything out."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from provise.analysis.exact import binomial_interval, mcnemar_exact
from provise.errors import InputError


@given(
    st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.5, 0.9, 0.95])
)
def test_the_closed_form_is_the_binomial_quantile(case: tuple[int, int], level: float) -> None:
    k, n = case
    low, high = binomial_interval(k, n, level=level)
    for share, found in (((1 - level) / 2, low), (1 - (1 - level) / 2, high)):
        at = round(found * n)
        assert binom.cdf(at, n, k / n) >= share - 1e-9
        assert at == 0 or binom.cdf(at - 1, n, k / n) < share + 1e-9


def test_the_closed_form_holds_for_large_tasks() -> None:
    assert binomial_interval(600, 2000) == (binom.ppf(0.025, 2000, 0.3) / 2000, binom.ppf(0.975, 2000, 0.3) / 2000)


def test_the_ends_are_whole_where_every_answer_is_right_or_wrong() -> None:
    assert binomial_interval(1, 1) == (1, 1)
    assert binomial_interval(0, 5) == (0, 0)


@pytest.mark.parametrize(("correct", "n", "level"), [(3, 2, 0.95), (-1, 2, 0.95), (0, 0, 0.95), (1, 2, 0), (1, 2, 95)])
def test_numbers_out_of_range_are_refused(correct: int, n: int, level: float) -> None:
    with pytest.raises(InputError, match=f"{correct} of {n} at level {level}"):
        binomial_interval(correct, n, level=level)


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


def test_mcnemar_of_a_large_benchmark_is_quick() -> None:
    """Twenty systems on 5,000 samples are 190 pairs."""
    began = time.perf_counter()
    found = [mcnemar_exact(2500 + shift, 2500 - shift) for shift in (0, 10, 100)]
    assert time.perf_counter() - began < 3
    assert found == [pytest.approx(binomtest(2500 + shift, 5000).pvalue) for shift in (0, 10, 100)]
