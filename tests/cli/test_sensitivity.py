"""``provise sensitivity`` as it is called: kept answers are read again, and no run is changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

from provise.benchmark import open_benchmark
from provise.cli import app
from provise.errors import InputError, MissingDependencyError
from provise.image import encode_png
from provise.protocol.route import open_route
from provise.runs.run import run
from tests.mini import make_mini


def depth_map(kind: str) -> bytes:
    """Draw a map that grows brighter to the right, so that B is near; at A a dot, or a ridge, is brighter still."""
    grey = np.tile(np.linspace(60, 200, 160), (120, 1))
    if kind == "flat":
        grey[:] = 255
    elif kind == "dot":
        grey[36, 32] = 240
    elif kind == "ridge":
        grey[:, 31:34] = 230
    return encode_png(np.repeat(grey.astype(np.uint8)[..., None], 3, axis=2))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a benchmark, answers to its depth questions (A, B, A, B), a run of them, and two of all tasks."""
    root = tmp_path_factory.mktemp("sensitivity")
    mini = make_mini(root / "mini", 4)
    depth = [sample.id for sample in open_benchmark(mini).samples if sample.task == "depth"]
    for folder, kinds in (("answers", ("dot", "plain", "ridge", "flat")), ("others", ("plain",) * 4)):
        (root / folder).mkdir()
        for name, kind in zip(depth, kinds, strict=True):
            (root / folder / f"{name}.png").write_bytes(depth_map(kind))
        run(mini, f"folder:{root / folder}", root / f"run-{folder}", tasks="depth", jobs=1)
    route = open_route("spatialgen-bench", ["state_matching.encoder=descriptor"])
    run(mini, "draughtsman?accuracy=.6&seed=1", root / "drawn", route=route, jobs=1)
    return {path.name: path for path in root.iterdir()}


def call(*args: Any) -> Result:
    return CliRunner().invoke(app, ["sensitivity", *map(str, args)])


def told(*args: Any) -> Any:
    result = call(*args, "--json", "-j", 1)
    assert result.exit_code == 0, result.exception
    return json.loads(result.stdout)


def test_kernels_read_the_kept_answers_as_each_window_sees_them(made: dict[str, Path]) -> None:
    found = told(made["run-answers"])["together"]
    # Right with every window: the plain map of a B. Wrong or right by the window: the dot and the ridge. Refused: the flat one.
    assert [(one["kernel"], one["n"], one["parsed"], one["score"], one["same"]) for one in found] == [
        (1, 4, 75.0, 75.0, 75.0), (3, 4, 75.0, 50.0, 100.0), (5, 4, 75.0, 50.0, 100.0),
        (7, 4, 75.0, 25.0, 75.0), (9, 4, 75.0, 25.0, 75.0), (11, 4, 75.0, 25.0, 75.0),
    ]  # fmt: skip
    printed = call(made["run-answers"], "--kernels", "1,7", "-j", 1).stdout
    assert [line.split()[:2] for line in printed.splitlines() if "x" in line.split()[0]] == [
        ["1x1", "4"], ["5x5", "4"], ["7x7", "4"],
    ]  # fmt: skip


def test_several_runs_have_a_row_each_and_a_rank_correlation(made: dict[str, Path]) -> None:
    found = told(made["run-answers"], made["run-others"], "--kernels", "1,7", "-l", "mine", "-l", "theirs")
    scores = {name: [one["score"] for one in readings] for name, readings in found["runs"].items()}
    assert scores == {"mine": [75.0, 50.0, 25.0], "theirs": [50.0, 50.0, 50.0]}
    assert found["spearman"] == {"1": None, "5": None, "7": None}, "equal scores under the default have no ranking"
    assert [one["n"] for one in found["together"]] == [8, 8, 8]


def test_no_run_is_changed(made: dict[str, Path]) -> None:
    before = {path: path.stat().st_mtime_ns for path in made["run-answers"].rglob("*")}
    told(made["run-answers"])
    told(made["run-answers"], "--set", "relative_depth.kernel=7")
    assert {path: path.stat().st_mtime_ns for path in made["run-answers"].rglob("*")} == before


def test_another_setting_is_compared_with_how_the_run_was_read(made: dict[str, Path]) -> None:
    (one,) = told(made["run-answers"], "--set", "relative_depth.kernel=7")["runs"].values()
    assert one["overall"] == [50.0, 25.0]
    assert one["tasks"]["changes"] == {"depth": -25.0}
    assert one["parsed"] == [75.0, 75.0]
    assert one["kept"] == 75.0
    assert {"first": "correct", "second": "incorrect", "n": 1} in one["moves"]
    assert one["readers"] == {"depth": ["relative_depth: deterministic", "relative_depth: deterministic, kernel=7"]}


def test_another_protocol_changes_its_task_alone_and_its_prompt_is_named(made: dict[str, Path]) -> None:
    result = call(made["drawn"], "--set", "orientation=fixed_slots", "-j", 1)
    assert result.exit_code == 0, result.exception
    assert "orientation was asked with the prompt of direction_grid, not with that of fixed_slots" in result.stderr
    (one,) = told(made["drawn"], "--set", "orientation=fixed_slots")["runs"].values()
    changed = [task for task, change in one["tasks"]["changes"].items() if change]
    assert set(changed) <= {"orientation"}
    assert set(one["readers"]) == {"orientation"}


def test_two_folders_with_the_same_answers_are_two_readings(made: dict[str, Path], tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(made["run-answers"], other)
    route = open_route("spatialgen-bench", ["relative_depth.kernel=7"])
    run(made["mini"], f"folder:{made['answers']}", other, tasks="depth", jobs=1, route=route)
    (one,) = told(made["run-answers"], "--against", other)["runs"].values()
    assert one["overall"] == [50.0, 25.0]
    first, second = one["readers"]["depth"]
    assert first != second
    same = call(made["run-answers"], "--against", made["run-answers"])
    assert "both readings were made in the same way" in same.stderr
    pair = told(made["run-answers"], made["run-others"], "--against", other, "--against", made["run-others"])
    assert pair["systems"]["mean_absolute_change"] == 12.5
    assert pair["systems"]["changes"] == dict(zip(pair["runs"], (-25.0, 0.0), strict=True))


def test_two_runs_are_not_two_readings(made: dict[str, Path]) -> None:
    result = call(made["run-answers"], "--against", made["run-others"])
    assert isinstance(result.exception, InputError)
    assert "these are two runs, not two readings of one" in str(result.exception)


def test_a_scored_folder_that_keeps_no_answers_takes_them_again(made: dict[str, Path], tmp_path: Path) -> None:
    scored = tmp_path / "scored"
    line = ["score", "-b", made["mini"], "-r", made["answers"], "-o", scored, "--tasks", "depth", "-j", "1"]
    assert CliRunner().invoke(app, list(map(str, line))).exit_code == 0
    assert [one["score"] for one in told(scored)["together"]] == [75.0, 50.0, 50.0, 25.0, 25.0, 25.0]
    scored = tmp_path / "without"
    line = [*line[:6], scored, *line[7:], "--no-evidence"]
    assert CliRunner().invoke(app, list(map(str, line))).exit_code == 0
    refused = call(scored)
    assert isinstance(refused.exception, InputError)
    assert "4 of 4 answers to read are not kept in it" in str(refused.exception)
    assert "--responses FOLDER" in str(refused.exception)
    again = told(scored, "--responses", made["answers"])
    assert [one["score"] for one in again["together"]] == [75.0, 50.0, 50.0, 25.0, 25.0, 25.0]
    changed = call(scored, "--responses", made["others"])
    assert "3 of 4 answers to read are not kept" in str(changed.exception), "only one answer is the same"


def test_a_route_of_one_s_own_must_be_at_hand(made: dict[str, Path], tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("id: own\ntasks:\n  depth: {protocol: relative_depth, settings: {kernel: 3}}\n")
    run(made["mini"], f"folder:{made['answers']}", tmp_path / "run", tasks="depth", jobs=1, route=str(own))
    line = (tmp_path / "run", "--set", "relative_depth.kernel=7")
    refused = call(*line)
    assert isinstance(refused.exception, InputError)
    assert "the run used a route 'own', which is not at hand" in str(refused.exception)
    (one,) = told(*line, "--route", own)["runs"].values()
    assert one["overall"] == [50.0, 25.0]
    result = call(tmp_path / "run", "-j", 1)
    assert "the run itself was read with kernel 3 (depth)" in result.stderr


def test_a_benchmark_that_moved_is_named_and_one_that_changed_is_refused(made: dict[str, Path], tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 4)
    run(mini, f"folder:{made['answers']}", tmp_path / "run", tasks="depth", jobs=1)
    moved = mini.rename(tmp_path / "moved")
    assert "give the place where it lies: --benchmark FOLDER" in str(call(tmp_path / "run").exception)
    assert [one["score"] for one in told(tmp_path / "run", "-b", moved, "--kernels", "1")["together"]] == [75.0, 50.0]
    rows = (moved / "rows.jsonl").read_text()
    (moved / "rows.jsonl").write_text(rows.replace("Question 2?", "Another question?"))
    assert "is not the benchmark of this run, or has changed since" in str(
        call(tmp_path / "run", "-b", moved).exception
    )
    run(moved, f"folder:{made['answers']}", tmp_path / "again", tasks="depth", jobs=1)
    other = call(tmp_path / "run", "--against", tmp_path / "again")
    assert "are of two benchmarks" in str(other.exception)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--kernels", "2"], "odd sizes from 1 to 11"),
        (["--kernels", "5", "--set", "depth=dual_measure"], "give one of them"),
        (["--set", "relative_depth.kernel=5"], "is how it was read already"),
        (["--set", "size=dual_measure"], "names no task of it"),
        (["--against", "x", "--against", "y"], "1 runs and 2 other readings"),
        (["--benchmark", "."], "its benchmark cannot be opened"),
    ],
)
def test_wrong_calls_say_what_to_do(made: dict[str, Path], args: list[str], said: str) -> None:
    result = call(made["run-answers"], *args)
    assert isinstance(result.exception, InputError)
    assert said in str(result.exception)


def test_runs_without_pictures_of_depth_are_told_so(made: dict[str, Path], tmp_path: Path) -> None:
    words = tmp_path / "words.jsonl"
    ids = [sample.id for sample in open_benchmark(made["mini"]).samples if sample.task == "depth"]
    words.write_text("".join(json.dumps({"id": name, "text": "A"}) + "\n" for name in ids))
    run(made["mini"], f"folder:{words}", tmp_path / "words", tasks="depth", jobs=1)
    assert "its depth answers are words" in str(call(tmp_path / "words").exception)
    run(made["mini"], "blank", tmp_path / "counts", tasks="counting", jobs=1)
    assert "no task of this run is read by relative_depth" in str(call(tmp_path / "counts").exception)


def test_a_reader_that_is_not_here_is_named(made: dict[str, Path]) -> None:
    result = call(made["drawn"], "--set", "orientation=size_evidence")
    assert isinstance(result.exception, MissingDependencyError)
    assert "auxiliary vision-language model" in str(result.exception)
    assert "--skip-unreadable" not in str(result.exception)


def test_a_sample_without_an_outcome_is_left_out_and_named(made: dict[str, Path], tmp_path: Path) -> None:
    part = tmp_path / "part"
    shutil.copytree(made["answers"], part)
    sorted(part.iterdir())[0].unlink()
    run(made["mini"], f"folder:{part}", tmp_path / "run", tasks="depth", jobs=1)
    result = call(tmp_path / "run", "-j", 1)
    assert "1 depth samples without an outcome are left out" in result.stderr
    assert [line.split()[1] for line in result.stdout.splitlines() if "x" in line.split()[0]] == ["3"] * 6
