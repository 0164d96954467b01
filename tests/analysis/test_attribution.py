"""Outcome attribution, held to the paper's tables 14 and 15 and to what its text says of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.analysis.attribution import Attribution, Outcomes, attribute
from provise.analysis.published import published_results
from provise.scoring import OUTCOMES
from tests.analysis.rows import made

PAPER = published_results()
BY_TASK = {task: Outcomes(counts) for task, counts in PAPER.outcomes_by_task.items()}
ANSWERS = st.lists(
    st.sampled_from([1, 0, "protocol_noncompliance", "parser_failure", "generation_failure", "missing"]), max_size=9
)


def test_table_14_and_table_15_count_the_same_answers() -> None:
    by_system = Attribution({s.label: {"all": Outcomes(s.outcomes)} for s in PAPER.of("visual")})
    by_task = Attribution({"all": BY_TASK})
    assert by_system.total == by_task.total
    assert by_task.total.counts == {
        "correct": 1779, "incorrect": 2985, "protocol_noncompliance": 287, "parser_failure": 117, "generation_failure": 2,
    }  # fmt: skip
    assert all(outcomes.n == 470 for outcomes in by_system.by_system.values())
    assert {task: outcomes.n for task, outcomes in BY_TASK.items()} == {task: 11 * n for task, n in PAPER.sizes.items()}


def test_the_shares_of_failures_are_those_of_section_4_6() -> None:
    failures = Attribution({"all": BY_TASK}).total.failure_shares
    assert [round(failures[name], 2) for name in OUTCOMES[1:]] == [88.03, 8.46, 3.45, 0.06]
    before_a_prediction = {task: 100 - outcomes.failure_shares["incorrect"] for task, outcomes in BY_TASK.items()}
    printed = {"size": 54.64, "feasibility": 55.22, "prediction": 27.02, "grounding": 17.52}
    assert {task: round(before_a_prediction[task], 2) for task in printed} == printed
    assert BY_TASK["depth"].counts["parser_failure"] == 0


def test_the_scorable_share_is_that_of_table_16() -> None:
    for system in PAPER.of("visual"):
        assert round(Outcomes(system.outcomes).scorable, 1) == system.scorable["percent"]


def test_row_percentages_are_those_of_table_14() -> None:
    shares = Outcomes(PAPER.system("SenseNova-Vision-7B-MoT", "visual").outcomes).shares
    assert [round(shares[name], 1) for name in OUTCOMES] == [32.1, 46.4, 15.5, 6.0, 0.0]


def test_outcomes_are_counted_by_system_and_task() -> None:
    found = attribute(
        {
            "a": made({"size": [1, 0, "parser_failure"], "counting": [1]}),
            "b": made({"size": ["generation_failure", 1, 1], "multihop": [0.8]}),
        }
    )
    assert found.cells["a"]["size"].counts == {
        "correct": 1, "incorrect": 1, "protocol_noncompliance": 0, "parser_failure": 1, "generation_failure": 0,
    }  # fmt: skip
    assert list(found.by_task) == ["size", "counting", "multihop"]
    assert found.by_task["size"].counts["correct"] == 3
    assert found.by_system["b"].counts["incorrect"] == 1  # a partly right endpoint is not correct
    assert found.total.n == 8


def test_outages_are_no_outcomes_and_in_no_share() -> None:
    found = attribute({"a": made({"size": [1, "infrastructure", "missing", "data_error", 0]})}).total
    assert (found.n, found.unresolved) == (2, 3)
    assert sum(found.shares.values()) == 100
    assert found.shares["correct"] == 50


def test_where_nothing_was_answered_or_nothing_failed_there_are_no_shares() -> None:
    nothing = attribute({"a": made({"size": ["missing"]})}).total
    assert set(nothing.shares.values()) == set(nothing.failure_shares.values()) == {0.0}
    assert attribute({}).total.n == 0
    assert set(attribute({"a": made({"size": [1, 1]})}).total.failure_shares.values()) == {0.0}


@given(st.dictionaries(st.sampled_from("abc"), st.fixed_dictionaries({"size": ANSWERS, "multihop": ANSWERS})))
def test_rows_and_columns_add_up_and_outcomes_exclude_each_other(runs: dict[str, dict[str, list[float | str]]]) -> None:
    rows = {name: made(scores) for name, scores in runs.items()}
    found = attribute(rows)
    assert found.total.n + found.total.unresolved == sum(map(len, rows.values()))
    for table in (found.by_system, found.by_task):
        assert {name: sum(o.counts[name] for o in table.values()) for name in OUTCOMES} == found.total.counts
        for outcomes in table.values():
            assert sum(outcomes.shares.values()) == pytest.approx(100 if outcomes.n else 0)
            assert outcomes.scorable == pytest.approx(outcomes.shares["correct"] + outcomes.shares["incorrect"])
