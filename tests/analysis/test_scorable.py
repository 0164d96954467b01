"""Scores over readable answers alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.analysis.published import published_results
from provise.analysis.scorable import Scorable, scorable_only, scorable_ranks
from provise.errors import InputError
from tests.analysis.rows import made

PAPER = published_results()
ANSWERS = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from(["protocol_noncompliance", "parser_failure"])), min_size=1, max_size=9
)


def test_unreadable_answers_leave_the_denominator_of_their_task_alone() -> None:
    found = scorable_only(made({"size": [1, 0, "parser_failure", "protocol_noncompliance"], "affordance": [0.3, 0.5]}))
    assert found.tasks == {"size": 50, "affordance": pytest.approx(40)}
    assert (found.percent, found.all_output, found.overall) == (
        pytest.approx(200 / 3),
        pytest.approx(32.5),
        pytest.approx(45),
    )


def test_a_task_with_no_scorable_prediction_stays_zero_and_in_the_average() -> None:
    found = scorable_only(
        made({"size": ["parser_failure"] * 3, "counting": [1, 1], "multihop": ["generation_failure"]})
    )
    assert found.tasks == {"size": 0, "counting": 100, "multihop": 0}
    assert found.overall == pytest.approx(100 / 3)


# SenseNova's Prediction in the paper: 4.00 of 25 samples in table 19 and 100.0 in table 16, so one answer was readable.
def test_one_readable_answer_makes_a_whole_task() -> None:
    found = scorable_only(made({"multihop": [1, *["parser_failure"] * 24]}))
    assert (found.all_output, found.overall, found.percent) == (4, 100, 4)


def test_the_rank_shifts_are_those_of_table_16() -> None:
    systems = {
        s.name: Scorable(s.scorable["percent"], s.aggregates["overall"], s.scorable["overall"], s.scorable["tasks"])
        for s in PAPER.of("visual")
    }
    assert scorable_ranks(systems) == {s.name: tuple(s.scorable["ranks"]) for s in PAPER.of("visual")}


@pytest.mark.parametrize(("rows", "message"), [([], "0 rows"), (made({"size": [1, "missing"]}), "2 rows, 1 of them")])
def test_an_incomplete_run_is_refused(rows, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        scorable_only(rows)


@given(ANSWERS, ANSWERS)
def test_it_is_never_below_the_score_over_everything(a: list[float | str], b: list[float | str]) -> None:
    found = scorable_only(made({"affordance": a, "size": b}))
    assert found.overall >= found.all_output - 1e-9
    assert 0 <= found.overall <= 100 + 1e-9
