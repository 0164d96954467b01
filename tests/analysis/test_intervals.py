"""A run's summary with intervals."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from provise.analysis.aggregate import summarise
from provise.analysis.bootstrap import bootstrap, percentile_interval
from provise.analysis.exact import binomial_interval
from provise.analysis.intervals import summarise_with_intervals
from tests.analysis.rows import made


@pytest.mark.parametrize(("right", "n"), [(12, 40), (7, 25), (1, 30), (29, 30), (0, 8), (3, 3)])
def test_a_task_of_right_and_wrong_has_its_exact_interval_under_every_seed(right: int, n: int) -> None:
    rows = made({"counting": [1] * right + [0] * (n - right)})
    low, high = binomial_interval(right, n)
    for seed in range(12):
        task = summarise_with_intervals(rows, seed=seed, replicates=50)["tasks"]["counting"]
        assert (task["low"], task["high"]) == (100 * low, 100 * high)


def test_partial_scores_have_the_percentiles_of_their_replicates() -> None:
    scores = [0.1, 0.9, 0.45, 0.7]
    task = summarise_with_intervals(made({"affordance": scores}))["tasks"]["affordance"]
    drawn = bootstrap({"affordance": [scores]}, {"affordance": "interaction"})
    assert [task["low"], task["high"]] == (100 * percentile_interval(drawn.tasks["affordance"][0])).tolist()
    assert task["low"] < task["score"] < task["high"]


def test_a_task_of_thousands_is_summarised_at_once() -> None:
    task = summarise_with_intervals(made({"counting": [1, 0, 0, 0] * 1500}))["tasks"]["counting"]
    assert [task["low"], task["high"]] == pytest.approx([23.9, 26.1], abs=0.15)


def test_the_same_rows_in_any_order_give_the_same_bytes() -> None:
    rows = made({"affordance": np.linspace(0, 1, 17).tolist(), "size": [1, 0, 1], "counting": [0.5, 0.25]})
    first = summarise_with_intervals(rows)
    assert json.dumps(first) == json.dumps(summarise_with_intervals(iter(rows)))
    mixed = summarise_with_intervals(random.Random(3).sample(rows, len(rows)))
    for level in ("tasks", "capabilities"):
        assert {k: (p["low"], p["high"]) for k, p in first[level].items()} == {
            k: (p["low"], p["high"]) for k, p in mixed[level].items()
        }
    assert (first["overall"]["low"], first["overall"]["high"]) == (mixed["overall"]["low"], mixed["overall"]["high"])


def test_it_is_the_summary_and_says_what_drew_it() -> None:
    rows = made({"counting": [1, 0, 1], "multihop": [0, 0.8]})
    found = summarise_with_intervals(rows, seed=5, replicates=99)
    assert (found["seed"], found["replicates"], found["level"]) == (5, 99, 0.95)
    assert "PCG64" in found["generator"]
    plain = summarise(rows)
    assert found["tasks"]["multihop"].items() >= plain["tasks"]["multihop"].items()
    assert found["overall"]["score"] == plain["overall"]["score"]


def test_what_is_incomplete_has_no_interval_and_what_is_complete_keeps_its_own() -> None:
    found = summarise_with_intervals(made({"counting": [1, 0, 1], "size": [1, "missing"], "multihop": [0, 1]}))
    assert [found["tasks"]["size"][key] for key in ("score", "low", "high")] == [None] * 3
    assert [found["overall"][key] for key in ("score", "low", "high")] == [None] * 3
    assert [found["capabilities"]["perception"][key] for key in ("low", "high")] == [None] * 2
    assert found["capabilities"]["reasoning"]["low"] == 0
    assert found["mean_of_tasks"]["low"] < found["mean_of_tasks"]["score"] < found["mean_of_tasks"]["high"]


def test_one_sample_has_an_interval_of_no_width_and_shows_its_number() -> None:
    for score in (1, 0, 0.6):
        found = summarise_with_intervals(made({"size": [score]}))
        assert (found["tasks"]["size"]["n"], found["overall"]["n"]) == (1, 1)
        for part in (found["tasks"]["size"], found["overall"], found["capabilities"]["perception"]):
            assert [part["low"], part["high"]] == pytest.approx([100 * score] * 2, abs=1e-8)
        json.dumps(found, allow_nan=False)


def test_no_rows_have_no_scores() -> None:
    found = summarise_with_intervals([])
    assert (found["overall"]["score"], found["overall"]["low"], found["tasks"]) == (None, None, {})


def test_all_samples_lost_leave_no_interval() -> None:
    found = summarise_with_intervals(made({"size": ["infrastructure", "missing"]}))
    assert (found["mean_of_tasks"]["score"], found["mean_of_tasks"]["low"]) == (None, None)
