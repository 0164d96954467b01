"""The built-in benchmark's place: made once, whole, whoever asks first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from provise.benchmark import open_benchmark
from provise.errors import InputError
from provise.synth import builtin

CODE = (
    "from provise.synth import builtin; builtin.PER_TASK = 1\n"
    "from provise.benchmark import open_benchmark; print(len(open_benchmark('synth')))"
)


@pytest.mark.slow
def test_several_processes_that_ask_at_once_get_the_same_whole_one(tmp_path):
    env = {**os.environ, "PROVISE_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", CODE], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in started] == ["14"] * 4
    assert [folder.name for folder in tmp_path.iterdir()] == [f"synth-{builtin.VERSION}"]


@pytest.mark.slow
def test_a_program_that_opens_it_without_a_main_guard_is_not_run_again_by_the_workers(tmp_path):
    (tmp_path / "program.py").write_text(f"print('begun')\n{CODE.replace('; ', chr(10))}\n")
    env = {**os.environ, "PROVISE_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "program.py")], env=env, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["begun", "14"], done.stderr[-2000:]


def test_a_cache_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PROVISE_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match=r"cannot be made .* name another place in PROVISE_CACHE"):
        open_benchmark("synth")
