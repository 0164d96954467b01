"""Kernels over the same answers: what each reads, what they agree on, how they rank runs."""

from __future__ import annotations

import pytest

from provise.analysis.kernels import KERNELS, kernel_readings, kernel_sensitivity
from provise.analysis.published import published_results
from provise.errors import InputError
from provise.scoring import Row

TRUTHS = "AABB"


def read(found: str, start: int = 0) -> list[Row]:
    """Rows of answers read as these letters; a dash is refused."""
    rows = []
    for i, letter in enumerate(found, start):
        right = letter == TRUTHS[i % 4]
        outcome = "protocol_noncompliance" if letter == "-" else "correct" if right else "incorrect"
        rows.append(
            Row(
                f"d{i}",
                "depth",
                "perception",
                outcome,
                score=float(right),
                prediction=None if letter == "-" else letter,
            )
        )
    return rows


def test_shares_are_of_all_answers_and_a_refusal_agrees_with_a_refusal() -> None:
    one, three, five = kernel_readings({5: read("AB-B"), 1: read("AA-A"), 3: read("--BB")})
    assert (one.kernel, one.n, one.parsed, one.score, one.same) == (1, 4, 75.0, 50.0, 50.0)
    assert (three.kernel, three.parsed, three.score, three.same) == (3, 50.0, 50.0, 25.0)
    assert (five.kernel, five.parsed, five.score, five.same) == (5, 75.0, 50.0, 100.0)


def test_runs_stand_together_and_are_ranked_by_each_kernel() -> None:
    found = kernel_sensitivity({
        "best": {1: read("AABB"), 5: read("AABB")},
        "middle": {1: read("BBAA"), 5: read("AABA")},
        "worst": {1: read("AAAA"), 5: read("BBBA")},
    })  # fmt: skip
    assert [[one.score for one in readings] for readings in found.runs.values()] == [[100, 100], [0, 75], [50, 25]]
    # Places by kernel 1: 3, 1, 2; by kernel 5: 3, 2, 1.
    assert found.spearman == {1: 0.5, 5: 1.0}
    assert [(one.n, one.score) for one in found.together] == [(12, 50.0), (12, pytest.approx(100 * 8 / 12))]
    assert found.span == pytest.approx(100 / 6)


def test_the_paper_s_table_has_the_same_kernels_and_the_span_it_names() -> None:
    table = published_results().depth_kernel
    assert tuple(int(row["kernel"]) for row in table) == KERNELS
    scores = [row["accuracy"] for row in table]
    assert max(scores) - min(scores) == pytest.approx(1.21)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(InputError, match="default kernel 5"):
        kernel_readings({1: read("AB")})
    with pytest.raises(InputError, match="kernel 1 read other samples"):
        kernel_readings({1: read("AB", 1), 5: read("AB")})
    lost = [Row("d0", "depth", "perception", error="missing"), *read("A", 1)]
    with pytest.raises(InputError, match="'d0' has no outcome"):
        kernel_readings({1: lost, 5: lost})
    with pytest.raises(InputError, match="different kernels"):
        kernel_sensitivity({"a": {5: read("A")}, "b": {1: read("A"), 5: read("A")}})
    with pytest.raises(InputError, match="no run"):
        kernel_sensitivity({})
