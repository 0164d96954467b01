"""A run of the release among the paper's results: in its place, with what read it, and nothing else there."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from provise.analysis.published import published_results
from provise.cli import app
from provise.errors import InputError
from provise.report import write_report
from provise.report.paper import beside_paper
from provise.report.runs import load_runs
from provise.scoring import Row
from tests.report.many import write_run_files

PAPER = published_results()
PROTOCOLS = {
    "counting": "instance_marking", "depth": "relative_depth", "orientation": "direction_grid", "size": "size_evidence",
    "relationship": "binary_relation", "perspective": "direction_grid", "mental_modeling": "fixed_slots",
    "grounding": "point_marker", "multihop": "fixed_slots", "prediction": "trajectory_endpoint",
    "feasibility": "feasibility_evidence", "affordance": "region_mask", "navigation": "state_matching",
    "trajectory": "trajectory_drawing",
}  # fmt: skip


def release(folder: Path, right: float = 0.5, *, form: str = "{capability}_{task}_{i}", **about: str) -> Path:
    """Write a run of the release's sizes; ``right`` is the share of each task's first samples that are solved."""
    rows = []
    for task, n in PAPER.sizes.items():
        reader = {"navigation": "deterministic:clip-vit-b-32"}.get(
            task, "auxiliary:vlm" if task in ("size", "prediction", "feasibility") else "deterministic"
        )
        for i in range(n):
            solved = i < right * n
            rows.append(Row(
                form.format(capability=PAPER.capabilities[task], task=task, i=i), task, PAPER.capabilities[task],
                "correct" if solved else "incorrect", score=float(solved), correct=solved, protocol=PROTOCOLS[task],
                reader=about.get(task, reader) if about.get("interface") != "text" else "text",
            ))  # fmt: skip
    write_run_files(folder, rows, {"benchmark": "b", "digest": "d", "interface": about.get("interface", "image")})
    return folder


def test_a_run_stands_in_its_place_among_32(tmp_path: Path) -> None:
    run = release(tmp_path / "mine", 0.6)
    rows = beside_paper(load_runs([run]))
    assert len(rows) == 33
    scores = [row.overall for row in rows if row.overall is not None]
    assert scores == sorted(scores, reverse=True)
    assert rows[0].name == "Human"
    (mine,) = (row for row in rows if row.is_run)
    assert (mine.name, mine.interface, mine.notes) == ("mine", "visual", ())
    assert mine.interval is not None
    assert mine.interval[0] < (mine.overall or 0) < mine.interval[1]
    written = write_report([run], tmp_path / "out", paper=True)
    table = {(r["system"], r["interface"]): r for r in csv.DictReader((tmp_path / "out/tables/paper.csv").open())}
    for system in PAPER.systems:
        row = table[system.name, system.interface]
        assert {task: float(row[task.replace("_", " ")]) for task in PAPER.sizes} == dict(system.tasks)
        assert float(row["overall"]) == system.aggregates["overall"]
    assert "mine" in {name for name, interface in table if interface == "visual, run here"}
    assert "Beside the paper" in written.page.read_text()
    assert not (write_report([run], tmp_path / "without").page.parent / "tables/paper.csv").exists()


def test_another_reader_is_named_in_the_row(tmp_path: Path) -> None:
    run = release(
        tmp_path / "mine",
        navigation="deterministic:descriptor-1",
        prediction="deterministic",
        counting="deterministic:new",
    )
    (mine,) = (row for row in beside_paper(load_runs([run])) if row.is_run)
    assert mine.notes[-1] == (
        "not the paper's reader: counting by deterministic:new, prediction by deterministic, "
        "navigation by deterministic:descriptor-1"
    )
    write_report([run], tmp_path / "out", paper=True)
    assert "navigation by deterministic:descriptor-1" in (tmp_path / "out/tables/paper.md").read_text().replace(
        "\\", ""
    )
    words = release(tmp_path / "words", interface="text")
    (row,) = (row for row in beside_paper(load_runs([words])) if row.is_run)
    assert (row.interface, row.notes) == ("text", ())


def test_another_protocol_is_named_too(tmp_path: Path) -> None:
    run = release(tmp_path / "mine")
    text = (run / "samples.jsonl").read_text()
    (run / "samples.jsonl").write_text(text.replace("size_evidence", "dual_measure"))
    (mine,) = (row for row in beside_paper(load_runs([run])) if row.is_run)
    assert mine.notes == ("not the paper's reader: size by dual_measure",)


def test_any_other_benchmark_is_refused(tmp_path: Path, done: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="470 samples of SpatialGen-Bench, this run has 14"):
        write_report([done["right"]], tmp_path / "out", paper=True)
    with pytest.raises(InputError, match="is no id of SpatialGen-Bench"):
        write_report([release(tmp_path / "same-sizes", form="{task}-{i}")], tmp_path / "out", paper=True)
    other = release(tmp_path / "other-capability")
    text = (other / "samples.jsonl").read_text().replace('"capability": "perception"', '"capability": "seeing"')
    (other / "samples.jsonl").write_text(text)
    rows = [Row(**json.loads(line)) for line in text.splitlines()]
    write_run_files(other, rows, {"benchmark": "b", "digest": "d", "interface": "image"})
    with pytest.raises(InputError, match="has the capability 'seeing' and not perception"):
        write_report([other], tmp_path / "out", paper=True)
    assert not (tmp_path / "out").exists()


def test_it_says_what_was_checked_and_what_was_not(tmp_path: Path) -> None:
    page = write_report([release(tmp_path / "a")], tmp_path / "out", paper=True).page.read_text()
    table = (tmp_path / "out" / "tables" / "paper.md").read_text()
    for text in (page, table):
        assert "the pictures and questions are the same ones is not checked" in " ".join(text.split())


def test_only_the_paper_can_be_asked_for(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["report", str(release(tmp_path / "a")), "--with", "magazine"])
    assert isinstance(result.exception, InputError)
    assert "allowed is paper" in str(result.exception)
    assert CliRunner().invoke(app, ["report", str(tmp_path / "a"), "--with", "paper"]).exit_code == 0
    assert (tmp_path / "a" / "tables" / "paper.csv").is_file()
