"""Signals at a run: Ctrl-C once and twice, a computer that shuts down, a parent that is killed, a reader that is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import provise
from provise.errors import InputError
from provise.systems import Answer, Request, open_system
from tests.mini import make_mini
from tests.runs.scripted import Told

ROOT = Path(__file__).parents[2]
CODE = """
import sys, time, provise.cli
from provise.systems.plain import Blank
answer, log, seconds = Blank.answer, sys.argv[1], float(sys.argv[2])
def slow(self, request):
    open(log, "a").write(request.sample.id + "\\n")
    time.sleep(seconds)
    return answer(self, request)
Blank.answer = slow
sys.argv = ["provise", *sys.argv[3:]]
provise.cli.main()
"""


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_mini(tmp_path_factory.mktemp("mini") / "mini", 3)


def start(mini: Path, folder: Path, seconds: float) -> subprocess.Popen[str]:
    """Start a run in a group of its own and return when its first question was asked."""
    log = folder / "log"
    run = ["run", "-b", str(mini), "-s", "blank", "-o", str(folder / "run"), "-j", "2", "-c", "2"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, str(log), str(seconds), *run], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while not log.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(0.3)
    return process


def said_by(process: subprocess.Popen[str]) -> str:
    try:
        return process.communicate(timeout=30)[1]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_twice_it_stops_at_once_whatever_the_system_does(mini: Path, tmp_path: Path, number: int) -> None:
    """A request that never comes back must not hold the program, nor the signal that all processes of the group get."""
    process = start(mini, tmp_path, 1000)
    began = time.monotonic()
    os.killpg(process.pid, number)
    time.sleep(0.3)
    os.killpg(process.pid, number)
    said = said_by(process)
    assert process.returncode == 130, said
    assert time.monotonic() - began < 15
    assert "The same command goes on from there" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("whole_group", [True, False])
def test_a_shutdown_keeps_what_is_in_flight(mini: Path, tmp_path: Path, whole_group: bool) -> None:
    process = start(mini, tmp_path, 0.3)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGTERM)
    said = said_by(process)
    assert (process.returncode, "Traceback" in said) == (130, False), said
    rest = start(mini, tmp_path, 0.0)
    assert rest.communicate(timeout=60)[0]
    assert rest.returncode == 0
    asked = (tmp_path / "log").read_text().split()
    assert len(asked) == len(set(asked)) == 21


@pytest.mark.skipif(sys.platform == "win32", reason="processes have other parents there")
def test_readers_do_not_outlive_a_run_that_was_killed(mini: Path, tmp_path: Path) -> None:
    process = start(mini, tmp_path, 0.3)
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    pairs = [tuple(map(int, line.split())) for line in listed if line.strip()]
    readers = [pid for pid, parent in pairs if parent == process.pid]
    assert len(readers) == 2
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    end = time.monotonic() + 20
    while any(alive(pid) for pid in readers) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(alive(pid) for pid in readers)


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that is dead and not yet fetched by anybody does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.strip().startswith("Z")


def test_a_reader_that_is_killed_ends_the_run_in_one_message_and_it_goes_on(mini: Path, tmp_path: Path) -> None:
    import multiprocessing

    blank = open_system("blank").answer

    def answer(request: Request) -> Answer:
        if request.sample.id.startswith("multihop"):
            for child in multiprocessing.active_children():
                child.kill()
        return blank(request)

    with pytest.raises(InputError, match=r"a reading process was ended from outside.*the same command goes on"):
        provise.run(mini, Told(answer), tmp_path / "run", jobs=2, concurrency=1)
    again = Told(blank)
    assert not provise.run(mini, again, tmp_path / "run", jobs=2).incomplete
    assert "counting-000" not in again.asked
