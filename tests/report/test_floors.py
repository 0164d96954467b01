"""What a benchmark gives for nothing, beside each task: constant answers, a blank canvas, the picture handed back."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from provise.cli import app
from provise.protocol.route import open_route
from provise.report import write_report
from provise.report.runs import load_runs
from provise.runs import floors
from provise.runs.run import run
from tests.mini import make_mini
from tests.report.test_page import Page

HEADING = "What this benchmark gives for nothing"


def table(folder: Path) -> dict[str, dict[str, str]]:
    return {row["task"]: row for row in csv.DictReader((folder / "tables" / "floors.csv").open())}


def test_the_best_constant_answer_is_that_of_the_truths(done: dict[str, Path], tmp_path: Path) -> None:
    page = Page(write_report([done["right"]], tmp_path).page)
    rows = table(tmp_path)
    # Two questions a task, with two truths: 2 and 3, front and back-left, A and B, A and B.
    told = {task: (float(rows[task]["best constant"]), rows[task]["the constant answer"]) for task in rows}
    assert told["counting"] == (50.0, "2")
    assert told["orientation"] == (50.0, "back-left")
    assert told["depth"] == (50.0, "A")
    assert told["multihop"] == (50.0, "A")
    # One mask for all, of a ninth of the frame: places and small rectangles lie in it.
    assert told["grounding"][0] == told["affordance"][0] == 100.0
    assert rows["depth"]["blind"] == "50.0"
    assert rows["counting"]["blind"] == ""
    assert HEADING in page.text
    assert "50.0 0.0 0.0 back-left" in page.text


def test_blank_and_copy_are_read_and_score_nothing(done: dict[str, Path], tmp_path: Path) -> None:
    page = Page(write_report([done["right"]], tmp_path).page)
    rows = table(tmp_path)
    assert {(row["blank"], row["copy"], row["samples read"]) for row in rows.values()} == {("0.0", "0.0", "2")}
    assert "blank and copy read on all samples." in page.text
    write_report([done["right"]], tmp_path, floor=1)
    assert {row["samples read"] for row in table(tmp_path).values()} == {"1"}
    assert "blank and copy read on the first sample of each task." in (tmp_path / "tables/floors.md").read_text()
    write_report([done["right"]], tmp_path, floor=0)
    assert {(row["blank"], row["copy"], row["samples read"]) for row in table(tmp_path).values()} == {("", "", "0")}


def test_a_run_of_blank_in_the_report_is_taken_as_it_is(
    done: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_report(list(done.values()), tmp_path / "one")
    assert "blank as run here; copy read on all samples." in (tmp_path / "one/tables/floors.md").read_text()
    root = Path(str(load_runs([done["blank"]])[0].about["root"]))
    write_report(list(done.values()), tmp_path / "none", floor=0)
    assert "blank as run here; copy not read." in (tmp_path / "none/tables/floors.md").read_text()
    run(root, "copy", tmp_path / "copy", jobs=1)
    monkeypatch.setattr("provise.report.floors.score_doing_nothing", lambda *_, **__: pytest.fail("read again"))
    write_report([*done.values(), tmp_path / "copy"], tmp_path / "two")
    assert "blank and copy as runs here." in (tmp_path / "two/tables/floors.md").read_text()
    assert {(row["blank"], row["copy"]) for row in table(tmp_path / "two").values()} == {("0.0", "0.0")}


def test_only_what_the_run_asked_is_counted(tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 3)
    run(mini, "blank", tmp_path / "run", tasks="counting,depth", limit=1, jobs=1)
    write_report([tmp_path / "run"], floor=0)
    rows = table(tmp_path / "run")
    assert {task: (row["n"], row["best constant"]) for task, row in rows.items()} == {
        "counting": ("1", "100.0"), "depth": ("1", "100.0"),
    }  # fmt: skip


def test_a_task_read_with_a_setting_that_nobody_wrote_down_has_no_blank_and_no_copy(tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 1)
    route = open_route("spatialgen-bench", ["relative_depth.kernel=3", "state_matching.encoder=descriptor"])
    run(mini, "draughtsman", tmp_path / "run", tasks="counting,depth", route=route, jobs=1)
    write_report([tmp_path / "run"])
    assert table(tmp_path / "run")["depth"]["blank"] == "0.0", "the run's own settings are written down with it"
    about = json.loads((tmp_path / "run/run.json").read_text())
    assert about.pop("set") == ["relative_depth.kernel=3", "state_matching.encoder=descriptor"]
    (tmp_path / "run/run.json").write_text(json.dumps(about))
    write_report([tmp_path / "run"])
    rows = table(tmp_path / "run")
    assert (rows["counting"]["blank"], rows["counting"]["copy"], rows["counting"]["samples read"]) == (
        "0.0",
        "0.0",
        "1",
    )
    assert (rows["depth"]["blank"], rows["depth"]["copy"], rows["depth"]["samples read"]) == ("", "", "0")
    assert rows["depth"]["best constant"] == "100.0", "the truths do not depend on the reader"


def test_without_the_benchmark_there_is_no_table(tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 1)
    run(mini, "draughtsman", tmp_path / "run", jobs=1)
    shutil.rmtree(mini)
    page = Page(write_report([tmp_path / "run"]).page)
    assert HEADING not in page.text
    assert not (tmp_path / "run/tables/floors.csv").exists()


def test_a_system_that_writes_has_constant_answers_alone(tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 1)
    (tmp_path / "words.jsonl").write_text('{"id": "counting-000", "text": "2"}\n')
    call = ["score", "-b", mini, "-r", tmp_path / "words.jsonl", "-o", tmp_path / "run", "--tasks", "counting"]
    CliRunner().invoke(app, list(map(str, call)))
    write_report([tmp_path / "run"])
    (row,) = table(tmp_path / "run").values()
    assert (row["best constant"], row["blank"], row["copy"]) == ("100.0", "", "")


def test_what_is_remembered_gives_the_same_bytes(
    done: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROVISE_CACHE", str(tmp_path / "cache"))
    first = [path.read_bytes() for path in write_report([done["right"]], tmp_path / "a").files]
    assert not (tmp_path / "cache").exists(), "few readings are not remembered"
    monkeypatch.setattr(floors, "REMEMBERED", 1)
    for _ in range(2):
        assert [path.read_bytes() for path in write_report([done["right"]], tmp_path / "b").files] == first
    (kept,) = (tmp_path / "cache" / "floors").iterdir()
    text = kept.read_text()
    for broken in ("", "[]", '{"counting": {"n": "2", "odd": 1}}'):
        kept.write_text(broken)
        assert [path.read_bytes() for path in write_report([done["right"]], tmp_path / "b").files] == first
        assert kept.read_text() == text
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PROVISE_CACHE", str(tmp_path / "file"))
    assert [path.read_bytes() for path in write_report([done["right"]], tmp_path / "b").files] == first


def test_the_command_line_can_leave_it_out(done: dict[str, Path], tmp_path: Path) -> None:
    call = ["report", str(done["right"]), "-o", str(tmp_path), "--floor", "0"]
    assert CliRunner().invoke(app, call).exit_code == 0
    assert "blank and copy not read." in (tmp_path / "tables/floors.md").read_text()
