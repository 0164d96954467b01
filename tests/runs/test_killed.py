"""A run that is killed at any moment and started again ends as one that never was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.mini import make_mini

ROOT = Path(__file__).parents[2]
COMPARED = ("samples.jsonl", "summary.json")
IN_FLIGHT = 3


def start(benchmark: Path, out: Path, log: Path) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(Path(__file__).with_name("worker.py")), str(benchmark), str(out), str(log)]
    # A group of its own, so that the reading processes die with it as in a crash of the machine.
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": paths}, start_new_session=True, stderr=subprocess.PIPE
    )


def finished(process: subprocess.Popen[bytes]) -> None:
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said.decode()


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def results(out: Path) -> dict[str, bytes]:
    files = [
        *(out / name for name in COMPARED),
        *sorted((out / "evidence").iterdir()),
        *sorted((out / "responses").iterdir()),
    ]
    return {str(file.relative_to(out)): file.read_bytes() for file in files}


def killed_and_resumed(benchmark: Path, out: Path, log: Path, moments: list[float]) -> int:
    """Kill at moments after the first request of each start; return how many kills met a run at work."""
    met = 0
    for moment in moments:
        process = start(benchmark, out, log)
        began = log.stat().st_size if log.exists() else 0
        while process.poll() is None and (not log.exists() or log.stat().st_size == began):
            time.sleep(0.005)
            if out.joinpath("samples.jsonl").exists():
                break
        time.sleep(moment)
        met += process.poll() is None
        kill(process)
    finished(start(benchmark, out, log))
    return met


def check_kills(tmp_path: Path, rounds: int, kills: int, n: int, seed: int) -> None:
    benchmark = make_mini(tmp_path / "mini", n)
    undisturbed, log = tmp_path / "undisturbed", tmp_path / "log"
    finished(start(benchmark, undisturbed, log))
    expected = results(undisturbed)
    samples = len(log.read_text().splitlines())
    assert samples == 7 * n
    rng, met = np.random.default_rng(seed), 0
    for number in range(rounds):
        out, log = tmp_path / f"run{number}", tmp_path / f"log{number}"
        at_work = killed_and_resumed(benchmark, out, log, list(rng.uniform(0, 0.25, kills)))
        met += at_work
        assert results(out) == expected
        calls = Counter(line.split()[1] for line in log.read_text().splitlines())
        assert len(calls) == samples
        # What was in flight when it was killed is asked again, nothing else.
        assert calls.total() <= samples + IN_FLIGHT * at_work
    assert met >= 0.6 * rounds * kills


def test_killed_twice_and_started_again(tmp_path: Path) -> None:
    check_kills(tmp_path, rounds=1, kills=2, n=3, seed=0)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_sixty_moments(tmp_path: Path) -> None:
    check_kills(tmp_path, rounds=8, kills=12, n=14, seed=1)
