"""The built-in benchmark with the trial systems: what each must score."""

from __future__ import annotations

import pytest

import provise
from provise.benchmark import check_benchmark, open_benchmark
from provise.benchmark.tasks import TASKS
from provise.synth import builtin


@pytest.fixture(scope="module")
def synth(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROVISE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield open_benchmark("synth")


def run(synth, system, out, **more):
    return provise.run(synth, system, out, evidence=False, **more)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_it_has_all_tasks_and_no_faults(synth):
    assert [s.task for s in synth.samples] == [task for task in TASKS for _ in range(builtin.PER_TASK)]
    assert not check_benchmark(synth.root).errors
    assert (synth.name, synth.route) == ("synth", "synth")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("system", "score"), [("draughtsman", 100.0), ("blank", 0.0), ("copy", 0.0)])
def test_who_knows_all_scores_all_and_who_does_nothing_nothing(synth, tmp_path, system, score):
    done = run(synth, system, tmp_path / "run")
    assert {task: part["score"] for task, part in done.summary["tasks"].items()} == dict.fromkeys(TASKS, score)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_interval_holds_the_share_that_was_asked_for(synth, tmp_path):
    held = 0
    for seed in range(20):
        done = run(synth, f"draughtsman?accuracy=.7&seed={seed}", tmp_path / str(seed))
        overall = done.summary["overall"]
        held += overall["low"] <= 70 <= overall["high"]
    assert held >= 17
