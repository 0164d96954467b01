"""A fault in the code of one's own system is told at once, with its line; a server's fault is still asked again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import provise
from provise.errors import InputError
from provise.systems import Answer, Request, System
from tests.mini import make_mini


class Wrong(System):
    kind = "wrong"
    calls = 0

    def answer(self, request: Request) -> Answer:
        type(self).calls += 1
        return Answer(image=request.image.read_bytes())  # type: ignore[attr-defined]


class Sometimes(Wrong):
    kind = "sometimes"

    def answer(self, request: Request) -> Answer:
        return super().answer(request) if request.sample.task == "depth" else Answer(text="5")


class Painter(System):
    kind = "painter"

    def answer(self, request: Request) -> Any:
        return [[0, 0, 0]]


class Refuses(System):
    kind = "refuses"

    def answer(self, request: Request) -> Answer:
        if request.sample.task != "trajectory":
            raise InputError("this model takes square pictures alone")
        return Answer(text="[(0.2, 0.3), (0.6, 0.6)]")


def test_what_a_system_refuses_by_itself_does_not_end_the_run(tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 2)
    done = provise.run(mini, Refuses("", {}), tmp_path / "run", jobs=1, concurrency=1)
    assert len(done.incomplete) == 12
    assert done.incomplete[0].message == "this model takes square pictures alone"
    assert [row.task for row in done.rows if row.outcome] == ["trajectory", "trajectory"]


def test_a_fault_in_every_answer_ends_the_run_and_names_the_line(tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 4)
    with pytest.raises(InputError, match=r"no attribute 'image' \(test_own_bugs.py, line \d+\).*put it right"):
        provise.run(mini, Wrong("", {}), tmp_path / "run", jobs=1, concurrency=2)
    assert Wrong.calls < 12, "nothing is asked again, and the other questions are not asked"


def test_an_answer_of_another_type_is_told_in_the_same_way(tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 2)
    with pytest.raises(
        InputError, match=r"the system returned a list; expected a provise.systems.Answer.*put it right"
    ):
        provise.run(mini, Painter("", {}), tmp_path / "run", jobs=1)


def test_a_fault_in_some_answers_leaves_those_without_outcome(tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 2)
    done = provise.run(mini, Sometimes("", {}), tmp_path / "run", jobs=1, concurrency=1)
    assert [row.task for row in done.incomplete] == ["depth", "depth"]
    assert "no attribute 'image'" in done.incomplete[0].message


def test_folders_and_names_are_opened_for_score(tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 1)
    (tmp_path / "answers").mkdir()
    opened = provise.open_benchmark(mini)
    (tmp_path / "answers" / f"{opened.samples[0].id}.txt").write_text(opened.samples[0].answer)
    done = provise.score(opened, tmp_path / "answers", "spatialgen-bench", missing="zero", jobs=1)
    assert done.rows[0].score == 1.0
    assert (
        done.summary
        == provise.score(
            opened.samples,
            provise.open_responses(tmp_path / "answers", [sample.id for sample in opened.samples]),
            provise.open_route("spatialgen-bench"),
            missing="zero",
            jobs=1,
        ).summary
    )
