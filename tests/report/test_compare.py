"""Two runs side by side: the numbers worked out by hand, and what is refused."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import provise
from provise.cli import app
from provise.errors import InputError
from provise.report.compare import compare_runs
from tests.mini import make_mini


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    root = tmp_path_factory.mktemp("compare")
    mini = make_mini(root / "mini", 3)
    systems = {"right": "draughtsman", "none": "blank", "some": "draughtsman?accuracy=.5&seed=4"}
    for name, system in systems.items():
        provise.run(mini, system, root / name, jobs=1, evidence=False)
    return root


def solved(folder):
    rows = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    return {row["id"]: row["correct"] for row in rows}


def test_the_counts_are_those_of_the_rows(runs):
    a, b = solved(runs / "some"), solved(runs / "right")
    found = compare_runs(runs / "some", runs / "right").outcomes["overall"]
    assert (found.both, found.first_only, found.second_only, found.neither) == (
        sum(a.values()),
        0,
        21 - sum(a.values()),
        0,
    )
    assert found.rescue == 1.0
    assert all(b.values())


def test_the_difference_is_second_minus_first(runs):
    found = compare_runs(runs / "none", runs / "right").levels
    assert {(one.points, one.low, one.high) for one in found.values()} == {(100.0, 100.0, 100.0)}
    back = compare_runs(runs / "right", runs / "none").levels["overall"]
    assert (back.points, back.clear) == (-100.0, True)


def test_it_prints_every_task_and_the_test(runs):
    result = CliRunner().invoke(app, ["compare", str(runs / "some"), str(runs / "right"), "-l", "old", "-l", "new"])
    assert result.exit_code == 0
    for said in ("old", "new", "counting", "trajectory", "exact McNemar", "rescue: the second solved 100.0% of what"):
        assert said in result.output
    told = json.loads(CliRunner().invoke(app, ["compare", str(runs / "some"), str(runs / "right"), "--json"]).output)
    assert told["outcomes"]["overall"]["n"] == 21
    assert told["visual_rescue"] is None


def test_runs_of_two_benchmarks_are_not_compared(runs, tmp_path):
    provise.run(make_mini(tmp_path / "mini", 2), "blank", tmp_path / "other", jobs=1, evidence=False)
    with pytest.raises(InputError, match="do not belong together"):
        compare_runs(runs / "right", tmp_path / "other")


def test_an_incomplete_run_is_not_compared(runs, tmp_path):
    empty = tmp_path / "answers.jsonl"
    empty.write_text('{"id": "depth-002", "text": "A"}\n')
    provise.run(runs / "mini", f"folder:{empty}", tmp_path / "part", jobs=1, evidence=False)
    with pytest.raises(InputError, match=r"is incomplete: \d+ samples have no outcome"):
        compare_runs(runs / "right", tmp_path / "part", force=True)
