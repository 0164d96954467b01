"""Ranks and their correlation, held to scipy."""

from __future__ import annotations

import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from provise.analysis.ranks import ranks, spearman
from provise.errors import InputError

# Few distinct values, so that ties are common; and floats of every size.
VALUES = st.one_of(st.integers(0, 4).map(float), st.floats(-1e6, 1e6))
PAIRS = st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=14)


@given(PAIRS)
def test_the_correlation_is_scipys_and_none_where_scipy_has_nan(pairs: list[tuple[float, float]]) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = spearmanr(a, b).statistic
    found = spearman(a, b)
    if math.isnan(expected):
        assert found is None
    else:
        assert found == pytest.approx(expected, abs=1e-12)


@given(PAIRS)
def test_the_correlation_turns_its_sign_and_keeps_its_size(pairs: list[tuple[float, float]]) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    found = spearman(a, b)
    assert spearman(b, a) == found
    if found is not None:
        assert -1 <= found <= 1
        assert spearman([-x for x in a], b) == -found


@given(st.lists(VALUES, min_size=1, max_size=12))
def test_ranks_are_scipys_with_the_best_first(values: list[float]) -> None:
    named = {str(i): value for i, value in enumerate(values)}
    assert list(ranks(named).values()) == rankdata([-value for value in values], method="min").tolist()


@pytest.mark.parametrize("sides", [([], []), ([1.0], [2.0]), ([3.0, 3.0], [1.0, 2.0]), ([0.1, 0.2], [5.0, 5.0])])
def test_where_there_is_no_ranking_there_is_no_correlation(sides: tuple[list[float], list[float]]) -> None:
    assert spearman(*sides) is None


def test_what_cannot_be_ranked_is_refused() -> None:
    with pytest.raises(InputError, match="2 and 1"):
        spearman([1, 2], [1])
    with pytest.raises(InputError, match="nan cannot be ranked"):
        spearman([1, math.nan], [1, 2])
    with pytest.raises(InputError, match="inf cannot be ranked"):
        ranks({"a": math.inf})
