"""``provise report`` as it is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from provise.cli import app
from provise.errors import InputError
from provise.scoring import Row
from tests.report.many import write_run_files


def make(folder: Path, digest: str = "d") -> Path:
    rows = [
        Row("a", "size", "perception", "correct", score=1.0),
        Row("b", "size", "perception", "incorrect", score=0.0),
    ]
    write_run_files(folder, rows, {"benchmark": "b", "digest": digest, "system": {"kind": "x", "name": folder.name}})
    return folder


def test_one_run_is_written_beside_it_and_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["report", str(make(tmp_path / "one"))])
    assert result.exit_code == 0
    assert "x:one" in result.stdout
    assert "50.0 0.0 to 100.0" in " ".join(result.stdout.split())
    assert f"written: {tmp_path}/one/report.html" in result.stdout.replace("\n", "")
    assert (tmp_path / "one" / "report.html").is_file()


def test_several_go_to_the_folder_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    one, two = make(tmp_path / "one"), make(tmp_path / "two")
    result = CliRunner().invoke(app, ["report", str(one), str(two), "--label", "First", "--json"])
    found = json.loads(result.stdout)
    assert found["page"] == "report/report.html"
    assert [(s["name"], s["rank"], s["overall"]["score"]) for s in found["systems"]] == [
        ("First", 1, 50.0),
        ("x:two", 1, 50.0),
    ]
    assert all(Path(path).is_file() for path in found["files"])


def test_unlike_runs_need_force(tmp_path: Path) -> None:
    call = ["report", str(make(tmp_path / "one")), str(make(tmp_path / "two", "other")), "--out", str(tmp_path / "out")]
    refused = CliRunner().invoke(app, call)
    assert isinstance(refused.exception, InputError)
    assert "other benchmark" in str(refused.exception)
    forced = CliRunner().invoke(app, [*call, "--force"])
    assert forced.exit_code == 0
    assert "other benchmark" in " ".join(forced.stdout.split())
