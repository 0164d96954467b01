"""A run's folder is its own: neither the benchmark's, nor the answers', nor that of a run of the other verb."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import provise
from provise.cli import app
from provise.errors import InputError
from provise.systems import Answer, Request, System
from tests.mini import make_mini


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_mini(tmp_path_factory.mktemp("own") / "mini")


@pytest.fixture
def answers(mini: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "answers"
    folder.mkdir()
    name = provise.open_benchmark(mini).samples[0].id
    (folder / f"{name}.txt").write_text("6")
    return folder


def scored(mini: Path, answers: Path, out: Path) -> object:
    return CliRunner().invoke(app, ["score", "-b", str(mini), "-r", str(answers), "-o", str(out)]).exception


def test_score_overwrites_no_run_and_no_input(mini: Path, answers: Path, tmp_path: Path):
    provise.run(mini, "blank", tmp_path / "run", limit=1)
    before = (tmp_path / "run/samples.jsonl").read_bytes()
    for out, said in (("run", "`provise run` made"), ("answers", "of the benchmark or of the answers")):
        assert said in str(scored(mini, answers, tmp_path / out))
    assert "of the benchmark or of the answers" in str(scored(mini, answers, mini))
    assert (tmp_path / "run/samples.jsonl").read_bytes() == before
    assert sorted(path.name for path in answers.iterdir()) == sorted(path.name for path in answers.glob("*.txt"))


def test_run_overwrites_no_scored_answers_and_no_benchmark(mini: Path, answers: Path, tmp_path: Path):
    scored(mini, answers, tmp_path / "scored")
    with pytest.raises(InputError, match="`provise score` made"):
        provise.run(mini, "blank", tmp_path / "scored", limit=1)
    with pytest.raises(InputError, match="folder of the benchmark"):
        provise.run(mini, "blank", mini, limit=1)
    scored(mini, answers, tmp_path / "scored")  # again with the same verb is how answers are added


def test_a_class_in_place_of_a_system_is_told_so(mini: Path, tmp_path: Path):
    with pytest.raises(InputError, match=r'give an instance: Slow\("", \{\}\)'):
        provise.run(mini, Slow, tmp_path / "run")  # type: ignore[arg-type]


class Slow(System):
    kind = "slow"
    calls = 0

    def answer(self, request: Request) -> Answer:
        type(self).calls += 1
        time.sleep(0.3)
        return Answer(image=request.images[0].read_bytes())


def test_an_interrupt_in_a_program_keeps_what_is_in_flight(mini: Path, tmp_path: Path):
    Slow.calls = 0
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        provise.run(mini, Slow("", {}), tmp_path / "run", concurrency=1, jobs=1)
    timer.join()
    first = Slow.calls
    total = len(provise.open_benchmark(mini).samples)
    assert 0 < first < total
    provise.run(mini, Slow("", {}), tmp_path / "run", concurrency=4, jobs=1)
    assert Slow.calls == total
