"""Whatever an adapter raises or hands over: the run ends in rows, and nothing that was paid for is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import provise
from provise.runs import asking
from provise.runs.handed import LONGEST
from provise.runs.journal import Journal
from provise.systems import Answer, Unavailable
from tests.mini import make_mini
from tests.runs.scripted import Told

ROUND: dict[str, Any] = {}
ROUND["again"] = ROUND


class WordlessError(Exception):
    """Cannot even say what it is."""

    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_mini(tmp_path_factory.mktemp("mini") / "mini", 2)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "PATIENCE", 0.01)


def twice(mini: Path, act: Any, out: Path) -> tuple[list[Any], list[Any]]:
    """Run two times; return both runs' rows."""
    first, second = (provise.run(mini, Told(act), out, tasks="depth", jobs=1).rows for _ in range(2))
    return first, second


@pytest.mark.parametrize(
    "error",
    [
        SystemExit(0), SystemExit("usage: model"), KeyboardInterrupt(), GeneratorExit(), MemoryError(), StopIteration(3), WordlessError(),
        RecursionError("deep"), OSError(28, "No space left"), UnicodeError("\ud800"), RuntimeError("caf\udce9"),
        RuntimeError("<html>" * 500_000), Unavailable("busy \udcff", "Wed, 21 Oct 2026 07:28:00 GMT"), Unavailable("busy", -4),  # type: ignore[arg-type]
        Unavailable("busy", float("nan")), Unavailable("busy", "3"),  # type: ignore[arg-type]
    ],
    ids=repr,
)  # fmt: skip
def test_whatever_an_adapter_raises_is_an_outage_with_its_name(
    mini: Path, tmp_path: Path, error: BaseException
) -> None:
    for rows in twice(mini, error, tmp_path / "run"):
        assert {row.error for row in rows} == {"infrastructure"}
        assert all(row.message and len(row.message) < LONGEST + 100 for row in rows)
        if not isinstance(error, Unavailable):
            assert all(row.message.startswith(type(error).__name__) for row in rows)
    lines = (tmp_path / "run/samples.jsonl").read_bytes().decode("utf-8").split("\n")
    assert [json.loads(line)["error"] for line in lines if line] == ["infrastructure"] * 2


@pytest.mark.parametrize(
    "wrong",
    [
        None, "B", b"\x89PNG", 3, {"text": "B"}, ("B",), Image.new("RGB", (8, 8)), Path("a.png"), Answer, np.zeros((4, 4, 3), np.uint8),
        Answer(image="a.png"), Answer(image=Image.new("L", (2, 2))), Answer(image=Path("a.png")), Answer(image=np.zeros(3)),
        Answer(text=b"B"), Answer(text=4), Answer(text=["B"]), Answer(error=True), Answer(error=ValueError("no")),
    ],  # type: ignore[arg-type,list-item]
    ids=lambda wrong: repr(wrong)[:40],
)  # fmt: skip
def test_what_is_no_answer_is_the_adapters_fault_and_is_asked_once(mini: Path, tmp_path: Path, wrong: Any) -> None:
    system = Told(lambda request: wrong)
    done = provise.run(mini, system, tmp_path / "run", tasks="depth", jobs=1)
    assert {row.error for row in done.rows} == {"infrastructure"}
    assert all("expected" in row.message for row in done.rows)
    assert len(system.asked) == 2


@pytest.mark.parametrize(
    "beside",
    [
        {"details": {"ids": {1, 2}}}, {"details": {"raw": object()}}, {"details": {(1, 2): "pair"}}, {"details": ROUND},
        {"details": {"raw": b"\xff"}}, {"details": {"p": np.float32(0.5)}}, {"details": None}, {"details": [1]}, {"details": "v2"},
        {"cost": "0.03"}, {"cost": "free"}, {"cost": float("nan")}, {"cost": float("inf")}, {"cost": -1.0}, {"cost": 10**400}, {"cost": [1]},
    ],
    ids=lambda beside: repr(beside)[:40],
)  # fmt: skip
def test_what_stands_beside_a_good_answer_never_loses_it(mini: Path, tmp_path: Path, beside: dict[str, Any]) -> None:
    system = Told(Answer(text="A", **beside))
    costs: list[float] = []
    provise.run(mini, system, tmp_path / "run", tasks="depth", jobs=1, progress=lambda state: costs.append(state.cost))
    again = Told(None)
    done = provise.run(mini, again, tmp_path / "run", tasks="depth", jobs=1)
    assert [row.prediction for row in done.rows] == ["A", "A"]
    assert (len(system.asked), again.asked) == (2, [])
    assert costs[-1] == (0.06 if beside.get("cost") == "0.03" else 0.0)


def test_a_system_may_hand_over_a_buffer(mini: Path, tmp_path: Path) -> None:
    png = (mini / "mask.png").read_bytes()
    for number, image in enumerate((bytearray(png), memoryview(png))):
        out = tmp_path / str(number)
        provise.run(mini, Told(Answer(image=image)), out, tasks="depth", jobs=1)  # type: ignore[arg-type]
        assert [file.read_bytes() for file in (out / "responses").iterdir()] == [png]


@pytest.mark.parametrize("words", ["B \ud83d", "B\0\x7f", "B\r\n\u2028\x85", "\ufeffB", "B" + " " * 1_000_000])
def test_words_of_any_kind_are_kept_and_read_the_same_again(mini: Path, tmp_path: Path, words: str) -> None:
    first, second = twice(mini, Answer(text=words), tmp_path / "run")
    assert [row.to_dict() for row in first] == [row.to_dict() for row in second]
    assert {row.prediction for row in first} == {"B"}


def test_what_a_system_says_beside_its_answer_comes_back_whole(mini: Path, tmp_path: Path) -> None:
    said = {
        "image_size": [640, 480], "image": None, "my_image_url": "a\u2028b\x85c\x1c", "nested": {"images": [{"image": 1}]}, "big": 10**400,
        "nul": "a\0b", "half": "\ud800", "share": 0.1, "true": True,
    }  # fmt: skip
    provise.run(mini, Told(Answer(text="A", details=said)), tmp_path / "run", tasks="depth", jobs=1)
    journal = Journal(tmp_path / "run/journal.sqlite")
    assert [answer.details for answer in journal.answers().values()] == [said, said]
    journal.close()


def test_the_same_picture_from_many_threads_at_once_is_kept_once(mini: Path, tmp_path: Path) -> None:
    png = (mini / "mask.png").read_bytes()
    for number in range(5):
        done = provise.run(mini, Told(Answer(image=png)), tmp_path / str(number), jobs=1, concurrency=14)
        assert not done.incomplete
        assert len(list((tmp_path / str(number) / "responses").iterdir())) == 1
