"""The folder that is built: whole or not there, whatever happens to the process that builds it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from provise.errors import InputError
from provise.synth import build
from provise.synth.build import build_synth

SRC = Path(__file__).parents[2] / "src"


def started(out: Path, *more: str) -> subprocess.Popen[str]:
    """Start a build that takes a while, and wait until it has drawn something."""
    command = [
        sys.executable,
        "-m",
        "provise",
        "benchmark",
        "build",
        "synth",
        "--per-task",
        "40",
        "--out",
        str(out),
        *more,
    ]
    process = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(SRC)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that starts something in the background lets it ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and not list(out.parent.glob(".*/pictures/*.png")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


@pytest.mark.slow
def test_ctrl_c_leaves_nothing_and_says_so(tmp_path: Path) -> None:
    process = started(tmp_path / "b")
    process.send_signal(signal.SIGINT)
    out, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert f"stopped: {tmp_path / 'b'} is not made" in told
    assert "Traceback" not in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_killed_build_is_never_taken_for_a_whole_one(tmp_path: Path) -> None:
    process = started(tmp_path / "b")
    process.kill()
    process.communicate(timeout=60)
    (half,) = tmp_path.iterdir()
    assert half.name.startswith(".b-")
    assert build_synth(tmp_path / "b", 1, tasks=["size"], workers=1) == 1
    # What is left of the killed one may be another build's that is still at work; an hour later it cannot.
    assert half.is_dir()
    for path in (half, *half.iterdir()):
        os.utime(path, (0, 0))
    assert build_synth(tmp_path / "c", 1, tasks=["size"], workers=1) == 1
    assert half.is_dir()
    (tmp_path / "b").rename(tmp_path / "d")
    assert build_synth(tmp_path / "b", 1, tasks=["size"], workers=1) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "c", "d"]


def test_a_fault_midway_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> bytes:
        raise OSError(28, "No space left on device", "picture")

    monkeypatch.setattr(build, "encode_png", full)
    with pytest.raises(OSError, match="No space left"):
        build_synth(tmp_path / "b", 1, tasks=["size"], workers=1)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file/b cannot be made in .*file: .* give a place to write in"):
        build_synth(tmp_path / "file" / "b", 1)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"per_task": 0}, "allowed are 1 to 10000"),
        ({"per_task": -4}, "allowed are 1 to 10000"),
        ({"per_task": 10_001}, "allowed are 1 to 10000"),
        ({"seed": -1}, "whole numbers from 0"),
        ({"level": "Hard"}, "easy, medium, hard"),
        ({"tasks": ["counting", "chess"]}, "'chess' is not made here"),
    ],
)
def test_wrong_values_are_told_before_anything_is_made(tmp_path: Path, given: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        build_synth(tmp_path / "b", **{"per_task": 1, **given})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "full folder"])
def test_what_is_there_already_is_left_alone(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "b"
    if kind == "file":
        out.write_text("mine")
    else:
        out.mkdir()
        (out / "mine").write_text("mine")
    with pytest.raises(InputError, match="give a new or an empty folder"):
        build_synth(out, 1)
    assert [path.name for path in tmp_path.rglob("*")] == (["b"] if kind == "file" else ["b", "mine"])


@pytest.mark.slow
def test_other_hash_seeds_and_processes_give_the_same_bytes(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from provise.synth.build import build_synth\n"
        "build_synth(Path(sys.argv[1]), 2, seed=11, level='hard', workers=int(sys.argv[2]))"
    )
    for name, seed, workers in (("one", "0", "1"), ("two", "4711", "2")):
        env = {**os.environ, "PYTHONPATH": str(SRC), "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(tmp_path / name), workers], env=env, check=True)
    one, two = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) > 28


@pytest.mark.slow
def test_a_script_that_asks_from_its_top_level_gets_the_built_in_one(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from provise.synth import builtin\nbuiltin.PER_TASK = 1\n"
        "import provise\nprint(len(provise.open_benchmark('synth')))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(SRC), "PROVISE_CACHE": str(tmp_path / "cache")}
    run = subprocess.run([sys.executable, str(script)], env=env, capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "14", run.stderr
