"""Paired outcomes and visual rescue."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.analysis.matching import Matched, match_runs
from provise.analysis.paired import PairedOutcomes, paired_outcomes
from provise.analysis.published import published_results
from provise.errors import InputError
from tests.analysis.rows import made

PAPER = published_results()
SMALL = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=10)


def pair(first: dict[str, list[float | str]], second: dict[str, list[float | str]]) -> Matched:
    return match_runs({"text": made(first), "visual": made(second)})


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
