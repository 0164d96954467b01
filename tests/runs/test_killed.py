"""A run that is killed at any moment and started again ends as one that never was."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from provise.report import write_report
from tests.mini import make_mini

ROOT = Path(__file__).parents[2]
COMPARED = ("samples.jsonl", "summary.json", "run.json", "report.html")
FOLDERS = ("evidence", "responses", "tables", "figures")
IN_FLIGHT = 3

Undisturbed = tuple[Path, dict[str, bytes]]
"""A benchmark, and every file of an undisturbed run and its report."""


def start(benchmark: Path, out: Path, log: Path, *more: str) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(Path(__file__).with_name("worker.py")), str(benchmark), str(out), str(log), *more]
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
    """Report the run, and return every file that a person may look at."""
    written = write_report([out]).files
    files = [*(out / name for name in COMPARED), *(file for name in FOLDERS for file in sorted((out / name).iterdir()))]
    assert set(written) <= set(files)
    return {str(file.relative_to(out)): file.read_bytes() for file in files}


def assert_same(found: dict[str, bytes], expected: dict[str, bytes]) -> None:
    assert list(found) == list(expected)
    assert [name for name in found if found[name] != expected[name]] == []


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


def make_undisturbed(root: Path, n: int) -> Undisturbed:
    benchmark = make_mini(root / "mini", n)
    finished(start(benchmark, root / "undisturbed", root / "log"))
    assert len((root / "log").read_text().splitlines()) == 7 * n
    return benchmark, results(root / "undisturbed")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Return a benchmark of 21 samples, and the files of a run of it that nobody disturbed."""
    return make_undisturbed(tmp_path_factory.mktemp("undisturbed"), 3)


def check_kills(tmp_path: Path, undisturbed: Undisturbed, rounds: int, kills: int, seed: int) -> None:
    benchmark, expected = undisturbed
    samples = len((benchmark / "rows.jsonl").read_text().splitlines())
    rng, met = np.random.default_rng(seed), 0
    for number in range(rounds):
        out, log = tmp_path / f"run{number}", tmp_path / f"log{number}"
        at_work = killed_and_resumed(benchmark, out, log, list(rng.uniform(0, 0.25, kills)))
        met += at_work
        assert_same(results(out), expected)
        calls = Counter(line.split()[1] for line in log.read_text().splitlines())
        assert len(calls) == samples
        # What was in flight when it was killed is asked again, nothing else.
        assert calls.total() <= samples + IN_FLIGHT * at_work
    assert met >= 0.6 * rounds * kills


def test_killed_twice_and_started_again(tmp_path: Path, undisturbed: Undisturbed) -> None:
    check_kills(tmp_path, undisturbed, rounds=1, kills=2, seed=0)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_sixty_moments(tmp_path: Path) -> None:
    check_kills(tmp_path, make_undisturbed(tmp_path, 14), rounds=8, kills=12, seed=1)


def killed_at_work(benchmark: Path, out: Path, log: Path) -> None:
    """Kill a run that takes its time, once it has read three answers."""
    process = start(benchmark, out, log, "0.2")
    while process.poll() is None and len(list(out.glob("evidence/*-*.jpg"))) < 3:
        time.sleep(0.005)
    assert process.poll() is None
    kill(process)


def halve(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def test_killed_with_a_torn_journal_and_half_written_pictures(tmp_path: Path, undisturbed: Undisturbed) -> None:
    benchmark, expected = undisturbed
    out, log = tmp_path / "run", tmp_path / "log"
    killed_at_work(benchmark, out, log)
    tail = out / "journal.sqlite-wal"
    assert tail.stat().st_size > 3000, "the journal's tail holds what was committed last"
    os.truncate(tail, tail.stat().st_size - 1500)
    for name in ("responses", "evidence"):
        whole = sorted(file for file in (out / name).iterdir() if ".part" not in file.name)
        for file in whole[:2]:
            halve(file)
        shutil.copy(whole[0], out / name / ("x.part.jpg" if name == "evidence" else "x.png.77.part"))
    finished(start(benchmark, out, log))
    assert_same(results(out), expected)
    assert len({line.split()[1] for line in log.read_text().splitlines()}) == 21


def test_a_report_that_is_killed_while_it_writes_leaves_each_file_old_or_new(tmp_path: Path) -> None:
    benchmark = make_mini(tmp_path / "mini", 1)
    finished(start(benchmark, tmp_path / "run", tmp_path / "log"))
    whole = {}
    for label in ("one", "two"):
        written = write_report([tmp_path / "run"], tmp_path / label, labels=[label])
        whole[label] = {file.relative_to(tmp_path / label): file.read_bytes() for file in written.files}
    out, seen = tmp_path / "out", set()
    write_report([tmp_path / "run"], out, labels=["one"])
    # A disk that is slow to take a file in, so that the kill falls between two of them, or into one.
    code = (
        "import sys, time; from pathlib import Path; put = Path.write_bytes\n"
        "def slow(path, data):\n    put(path, data[:len(data) // 2]); print('.', flush=True); time.sleep(.05); put(path, data)\n"
        "Path.write_bytes = slow\nfrom provise.report import write_report\n"
        "write_report([sys.argv[1]], sys.argv[2], labels=[sys.argv[3]])"
    )
    for files, label in ((2, "two"), (9, "one")):
        paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "run"), str(out), label],
            env={**os.environ, "PYTHONPATH": paths}, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        for _ in range(files):
            process.stdout.readline()
        kill(process)
        found = {name: (out / name).read_bytes() for name in whole["one"]}
        for name, data in found.items():
            assert data in (whole["one"][name], whole["two"][name]), name
        seen.add(sum(found[name] == whole[label][name] for name in found))
    assert len(seen) > 1, "the kills fell at different moments"
    write_report([tmp_path / "run"], out, labels=["two"])
    assert {file.relative_to(out): file.read_bytes() for file in out.rglob("*") if file.is_file()} == whole["two"]
