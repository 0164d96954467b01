"""The paper's printed tables agree with each other, as far as their digits go, and are read as they were printed."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import pytest

from provise.analysis.aggregate import macro_average
from provise.analysis.published import published_results
from provise.errors import InputError

PAPER = published_results()


def test_it_holds_the_systems_people_and_tasks_of_the_paper() -> None:
    assert [len(PAPER.of(kind)) for kind in ("human", "text", "visual")] == [1, 20, 11]
    assert (len(PAPER.sizes), sum(PAPER.sizes.values())) == (14, 470)
    assert len({system.label for system in PAPER.systems}) == 32
    assert all(list(system.tasks) == list(PAPER.sizes) for system in PAPER.systems)


def test_table_2_is_the_macro_average_of_table_19() -> None:
    for system in PAPER.systems:
        macro = macro_average(system.tasks, PAPER.capabilities)
        found = {"overall": macro.overall, **macro.capabilities}
        assert found == pytest.approx(dict(system.aggregates), abs=0.011)


def test_table_16_is_the_macro_average_of_its_tasks() -> None:
    for system in PAPER.of("visual"):
        macro = macro_average(system.scorable["tasks"], PAPER.capabilities)
        assert macro.overall == pytest.approx(system.scorable["overall"], abs=0.03)


def test_table_13_is_the_macro_average_of_its_tasks_to_their_one_digit() -> None:
    for reading in PAPER.readings:
        assert macro_average(reading.tasks, PAPER.capabilities).overall == pytest.approx(reading.overall, abs=0.05)


def test_an_interval_holds_its_estimate() -> None:
    for system in (*PAPER.of("text"), *PAPER.of("visual")):
        for name, (low, high) in system.intervals.items():
            assert low < system.aggregates[name] < high


def test_a_name_of_both_interfaces_must_say_which() -> None:
    with pytest.raises(InputError, match="say which interface"):
        PAPER.system("SenseNova-Vision-7B-MoT")
    assert PAPER.system("SenseNova-Vision-7B-MoT", "text").aggregates["overall"] == 46.78
    assert PAPER.system("SenseNova-Vision-7B-MoT (visual)").aggregates["overall"] == 32.7
    assert PAPER.system("Human").interface == "human"


@pytest.mark.parametrize(("name", "interface"), [("GPT Image 3", None), ("GPT Image 2", "text"), ("", None)])
def test_an_unknown_name_lists_those_there_are(name: str, interface: str | None) -> None:
    with pytest.raises(InputError, match=r"there are: Human, GPT-5\.4"):
        PAPER.system(name, interface)


def test_another_benchmark_cannot_stand_beside_it() -> None:
    PAPER.require_benchmark(dict(reversed(PAPER.sizes.items())))
    for sizes in (dict.fromkeys(PAPER.sizes, 8), {**PAPER.sizes, "depth": 29}, {**PAPER.sizes, "chess": 3}, {}):
        with pytest.raises(InputError, match="470 samples of SpatialGen-Bench"):
            PAPER.require_benchmark(sizes)


def test_it_is_read_once_and_cannot_be_changed_by_assignment() -> None:
    assert published_results() is PAPER
    with pytest.raises(dataclasses.FrozenInstanceError):
        PAPER.source = "elsewhere"  # type: ignore[misc]


@pytest.mark.real
def test_every_printed_number_is_the_one_that_was_collected() -> None:
    real = Path(os.environ.get("PROVISE_REAL") or Path(__file__).resolve().parents[3] / "shared" / "real")
    file = real.parent / "published" / "show_dont_tell.json"
    if not file.is_file():
        pytest.skip(f"no published tables at {file}: they lie beside the real data")
    given = json.loads(file.read_text(encoding="utf-8"))
    systems = {(s.name, s.interface): s for s in PAPER.systems}
    for row in given["table19_task_scores"]:
        assert {k: v for k, v in row.items() if k not in ("model", "interface")} == systems[
            row["model"], row["interface"]
        ].tasks
    for row in given["table2_main"]:
        assert {k: row[k] for k in row if k not in ("model", "interface")} == systems[
            row["model"], row["interface"]
        ].aggregates
    for row in given["table18_intervals"]:
        for name, interval in systems[row["model"], row["interface"]].intervals.items():
            assert row[name][1:] == list(interval)
    short = {"protocol_noncompliance": "noncompliance"}
    for row in given["table14_attribution_by_system"][:-1]:
        found = systems[row["model"], "visual"].outcomes
        assert found == {name: row[short.get(name, name)] for name in found}
    for row in given["table16_scorable_only"]:
        scorable = systems[row["model"], "visual"].scorable
        assert (scorable["percent"], scorable["overall"]) == (row["scorable_percent"], row["scorable_only"])
        assert scorable["tasks"] == {task: row[task] for task in PAPER.sizes}
        assert scorable["ranks"] == [int(part) for part in row["rank_shift"].split("\\rightarrow")]
    for row, reading in zip(given["table13_reader_sensitivity"], PAPER.readings, strict=True):
        assert (row["model"], row["reader"], row["overall"], row["rank"]) == dataclasses.astuple(reading)[:4]
        assert reading.tasks == {task: row[task] for task in PAPER.sizes}
    assert list(PAPER.paired) == given["table3_paired"]
