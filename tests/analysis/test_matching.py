"""Runs are compared only over the very same samples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.analysis.matching import match_runs, shared_availability
from provise.errors import InputError
from tests.analysis.rows import made

RUN = made({"size": [1, 0, 1], "multihop": [0.8, 0]})


def test_runs_are_lined_up_whatever_their_order() -> None:
    other = [replace(row, score=1.0, outcome="correct") for row in reversed(RUN)]
    matched = match_runs({"a": RUN, "b": iter(other)})
    assert matched.ids == ("multihop-00", "multihop-01", "size-00", "size-01", "size-02")
    assert matched.scores.tolist() == [[0.8, 0, 1, 0, 1], [1] * 5]
    assert matched.correct[0].tolist() == [False, False, True, False, True]
    assert matched.groups == {"size": "perception", "multihop": "reasoning"}
    assert matched.task_scores("a") == {"size": pytest.approx(200 / 3), "multihop": 40}


def test_failures_of_the_answer_are_zeros_and_not_errors() -> None:
    failed = made({"size": ["generation_failure", "parser_failure", "protocol_noncompliance"]})
    assert match_runs({"a": failed}).scores.tolist() == [[0, 0, 0]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: [*r, r[0]], r"b: 1 sample \(size-00\) more than once"),
        (lambda r: r[1:], r"b: 1 sample \(size-00\) missing"),
        (lambda r: [replace(r[0], id="x"), *r[1:]], r"1 sample \(x\) not in the benchmark"),
        (lambda r: [replace(r[0], id=r[0].id + " "), *r[1:]], r"1 sample \(size-00 \) not in the benchmark"),
        (lambda r: [replace(r[0], task="depth"), *r[1:]], "another task or capability"),
        (lambda r: [replace(r[0], capability="interaction"), *r[1:]], "another task or capability"),
        (lambda r: [replace(r[0], error="infrastructure", outcome=None, score=None), *r[1:]], r"size-00 \(infrastructure\)\) without an outcome"),
        (lambda r: [replace(r[0], outcome=None, score=None), *r[1:]], "without an outcome"),
        (lambda r: [replace(r[0], score=1.0001), *r[1:]], r"size-00 \(1\.0001\)\) with a score outside"),
        (lambda r: [replace(r[0], score=-0.1), *r[1:]], "with a score outside"),
        (lambda r: [replace(r[0], score=float("nan")), *r[1:]], r"\(nan\)\) with a score outside"),
        (lambda r: [replace(row, score=87.5) for row in r], r"b: 5 samples \(size-00 \(87\.5\), .*, \.\.\.\) with"),
        (lambda r: [replace(r[0], score=None), *r[1:]], "with a score outside"),
        (lambda r: [], "5 samples .* missing"),
    ],
)  # fmt: skip
def test_what_keeps_runs_apart_is_named_with_run_and_sample(change, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        match_runs({"a": RUN, "b": change(RUN)})


def test_everything_wrong_is_told_at_once() -> None:
    bad = [replace(RUN[0], score=2.0), RUN[1], RUN[1], RUN[2]]
    with pytest.raises(InputError) as caught:
        match_runs({"a": RUN, "b": bad, "c": RUN[:1]}, available=["nowhere"])
    told = str(caught.value)
    assert all(part in told for part in ("more than once", "missing", "outside 0..1", "c: 4 samples", "available: 1"))


def test_runs_that_lack_the_same_sample_are_not_the_whole_benchmark() -> None:
    short = RUN[:-1]
    assert len(match_runs({"a": short, "b": short}).ids) == 4
    with pytest.raises(InputError, match=r"a: 1 sample .* missing"):
        match_runs({"a": short, "b": short}, expected=[row.id for row in RUN])


@pytest.mark.parametrize("runs", [{}, {"a": []}])
def test_nothing_cannot_be_matched(runs: dict[str, list[object]]) -> None:
    with pytest.raises(InputError, match="no rows"):
        match_runs(runs)  # type: ignore[arg-type]


def test_the_mask_is_shared_and_what_it_hides_stays_in_the_denominator() -> None:
    matched = match_runs({"a": RUN, "b": RUN}, available={"size-00", "multihop-00"})
    assert matched.task_scores("a") == matched.task_scores("b") == {"size": pytest.approx(100 / 3), "multihop": 40}
    assert matched.correct.sum() == 2
    assert matched.available.tolist() == [True, False, True, False, False]


def test_an_answer_that_one_reading_lacked_is_available_to_none() -> None:
    first = made({"size": ["generation_failure", 1, 0], "counting": ["parser_failure"]})
    second = made({"size": [1, "generation_failure", 1], "counting": [1]})
    assert shared_availability([first, second]) == {"size-02", "counting-00"}
    assert shared_availability([]) == set()


def test_an_unknown_run_is_named() -> None:
    with pytest.raises(InputError, match="no run named 'z'"):
        match_runs({"a": RUN}).index("z")


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_matching_loses_and_changes_nothing(scores: list[float], random) -> None:  # type: ignore[no-untyped-def]
    rows = made({"affordance": scores, "size": scores[::-1]})
    mixed = random.sample(rows, len(rows))
    matched = match_runs({"a": rows, "b": mixed})
    assert (matched.scores[0] == matched.scores[1]).all()
    assert (matched.correct[0] == matched.correct[1]).all()
    assert sorted(matched.ids) == sorted(row.id for row in rows)
    assert {task: values[0].tolist() for task, values in matched.by_task().items()} == {
        "affordance": scores,
        "size": scores[::-1],
    }


def test_replicates_of_matched_runs_are_paired() -> None:
    better = [replace(row, score=min(1.0, (row.score or 0) + 0.1)) for row in RUN]
    drawn = match_runs({"a": RUN, "b": better}).bootstrap(replicates=50)
    assert (drawn.overall[1] >= drawn.overall[0]).all()
    assert np.isfinite(drawn.overall).all()
