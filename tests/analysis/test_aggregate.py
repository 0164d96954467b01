"""Eq. 5: task, then capability, then overall."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.analysis.aggregate import macro_average, summarise, task_capabilities
from provise.analysis.intervals import summarise_with_intervals
from provise.analysis.matching import match_runs
from provise.errors import InputError
from provise.scoring import Row

SCORES = st.dictionaries(st.text("abcdefg", min_size=1, max_size=3), st.floats(0, 100), min_size=1, max_size=9)


def test_overall_averages_the_tasks_and_not_the_capabilities() -> None:
    macro = macro_average({"a": 100.0, "b": 100.0, "c": 100.0, "d": 0.0}, {"a": "x", "b": "x", "c": "x", "d": "y"})
    assert macro.overall == 75
    assert macro.capabilities == {"x": 100, "y": 0}


def test_a_task_without_a_score_leaves_its_capability_and_the_overall_without_one() -> None:
    macro = macro_average({"a": 40.0, "b": None, "c": 10.0}, {"a": "x", "b": "x", "c": "y"})
    assert macro.overall is None
    assert macro.capabilities == {"x": None, "y": 10}


def test_a_task_of_no_capability_is_named() -> None:
    with pytest.raises(InputError, match="no capability is given for b"):
        macro_average({"a": 1.0, "b": 2.0}, {"a": "x"})


def test_nothing_has_no_average() -> None:
    assert macro_average({}, {}).overall is None


@given(SCORES)
def test_averages_stay_within_their_scores_whatever_the_order(scores: dict[str, float]) -> None:
    groups = {name: f"c{len(name)}" for name in scores}
    macro = macro_average(scores, groups)
    shuffled = dict(sorted(scores.items(), reverse=True))
    again = macro_average(shuffled, groups)
    assert macro.overall == pytest.approx(again.overall)
    for group, value in macro.capabilities.items():
        members = [score for name, score in scores.items() if groups[name] == group]
        assert value is not None
        assert min(members) - 1e-9 <= value <= max(members) + 1e-9
    # Weighted by their numbers of tasks, the capabilities give the overall score back.
    weights = [sum(groups[name] == group for name in scores) for group in macro.capabilities]
    total = sum(w * (v or 0) for w, v in zip(weights, macro.capabilities.values(), strict=True))
    assert total / len(scores) == pytest.approx(macro.overall)


def test_a_summary_is_the_macro_average_of_its_tasks() -> None:
    rows = [
        Row(f"{task}{i}", task, group, "correct" if i < right else "incorrect", score=float(i < right))
        for task, group, n, right in (("a", "x", 10, 3), ("b", "x", 4, 4), ("c", "y", 5, 1))
        for i in range(n)
    ]
    summary = summarise(rows)
    macro = macro_average({name: t["score"] for name, t in summary["tasks"].items()}, {"a": "x", "b": "x", "c": "y"})
    assert summary["overall"] == {"n": 19, "score": macro.overall}
    assert summary["capabilities"] == {"x": {"n": 14, "score": 65.0}, "y": {"n": 5, "score": 20.0}}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -0.001, 1.001, "1", [1.0]])
def test_a_score_out_of_range_is_refused_with_its_sample(bad: object) -> None:
    rows = [
        Row("s1", "depth", "perception", "correct", score=1.0),
        Row("s2", "depth", "perception", "correct", score=bad),
    ]  # type: ignore[arg-type]
    for count in (summarise, summarise_with_intervals):
        with pytest.raises(InputError, match=r"score of sample 's2' is .*expected a number in 0..1"):
            count(rows)


def test_a_task_counts_under_the_capability_that_most_of_its_rows_name_in_any_order() -> None:
    rows = [Row(f"d{i}", "depth", name, "correct", score=1.0) for i, name in enumerate(["", "b", "a", "a", "c"])]
    rows += [Row("s", "mine", "", "incorrect", score=0.0)]
    for order in (rows, rows[::-1]):
        found = summarise_with_intervals(order)
        assert {name: part["score"] for name, part in found["capabilities"].items()} == {"a": 100.0, "none": 0.0}
        assert found["capabilities"]["a"]["low"] == 100.0
    tied = [Row("1", "depth", "b", "correct", score=1.0), Row("2", "depth", "a", "correct", score=1.0)]
    assert task_capabilities(tied) == task_capabilities(tied[::-1]) == {"depth": "a"}
    assert match_runs({"x": rows}).groups == {"depth": "a", "mine": "none"}
    assert task_capabilities([Row("s", "size", "")]) == {"size": "perception"}, "as in SpatialGen-Bench"
