"""A benchmark that was edited between two runs: what the second keeps of the first never shows in a score."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import provise
from provise.errors import InputError
from provise.image import encode_png
from provise.protocol.route import open_route
from provise.systems import Answer, Request
from tests.drawing import photo
from tests.mini import SIZE, make_mini
from tests.runs.scripted import Told

Rows = list[dict[str, Any]]


def edited(change: Callable[[Rows], Any]) -> Callable[[Path], None]:
    """Return what rewrites a benchmark's rows; a change returns the new rows, or none where it edits them in place."""

    def edit(root: Path) -> None:
        rows = [json.loads(line) for line in (root / "rows.jsonl").read_text().split("\n") if line]
        rows = change(rows) or rows
        (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    return edit


def moved_mask(root: Path) -> None:
    region = np.zeros(SIZE[::-1], bool)
    region[90:110, 100:150] = True
    (root / "mask.png").write_bytes(encode_png(region))


EDITS: dict[str, tuple[Callable[[Path], Any], list[str]]] = {
    "question": (edited(lambda rows: rows[0].update(question="How many cups?")), ["counting-000"]),
    "truth": (edited(lambda rows: rows[0].update(answer="9")), []),
    "spelling of a truth": (edited(lambda rows: rows[1].update(answer="(E) front")), []),
    "picture": (lambda root: (root / "depth-002.png").write_bytes(encode_png(photo(77, SIZE))), ["depth-002"]),
    "mask": (moved_mask, []),
    "capability": (edited(lambda rows: rows[0].update(capability="memory")), []),
    "one row without capability": (edited(lambda rows: rows[-1].pop("capability") and None), []),
    "reading aid": (edited(lambda rows: rows[2].update(metadata_json='{"coordinates": [[0.8, 0.7], [0.2, 0.3]]}')), []),
    "source": (edited(lambda rows: rows[3].update(source="elsewhere", source_id="9")), []),
    "option": (edited(lambda rows: rows[6].update(choices=["a cup", "a pan", "a car", "a dog"])), ["multihop-006"]),
    "row taken out": (edited(lambda rows: rows[1:]), []),
    "row put first": (edited(lambda rows: [{**rows[0], "id": "new"}, *rows]), ["new"]),
    "order": (edited(lambda rows: rows[::-1]), []),
    "id": (edited(lambda rows: rows[0].update(id="counting/000")), ["counting/000"]),
}  # fmt: skip


def results(out: Path) -> dict[str, bytes]:
    named = [out / "samples.jsonl", out / "summary.json", *sorted((out / "evidence").iterdir())]
    return {file.relative_to(out).as_posix(): file.read_bytes() for file in named}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return right answers to the benchmark as it first was, by sample."""
    folder = tmp_path_factory.mktemp("drawn")
    done = provise.run(make_mini(folder / "mini", 2), "draughtsman", folder / "run", jobs=1)
    return {row.id: (folder / "run/responses" / f"{row.response}.png").read_bytes() for row in done.rows}


@pytest.mark.parametrize("name", EDITS)
def test_going_on_gives_what_a_fresh_run_gives_to_the_byte(name: str, drawn: dict[str, bytes], tmp_path: Path) -> None:
    root, (edit, asked) = make_mini(tmp_path / "mini", 2), EDITS[name]

    def answer(request: Request) -> Answer:
        return Answer(image=drawn.get(request.sample.id, drawn["counting-000"]))

    provise.run(root, Told(answer), tmp_path / "run", jobs=1)
    before = results(tmp_path / "run")
    edit(root)
    again, fresh = Told(answer), Told(answer)
    provise.run(root, again, tmp_path / "run", jobs=1)
    provise.run(root, fresh, tmp_path / "fresh", jobs=1)
    assert results(tmp_path / "run") == results(tmp_path / "fresh")
    if name in ("truth", "mask", "capability", "row taken out", "order", "id"):
        assert results(tmp_path / "run") != before
    assert again.asked == asked
    assert len(fresh.asked) == len(provise.open_benchmark(root))


def test_a_part_and_then_the_whole_is_the_whole(drawn: dict[str, bytes], tmp_path: Path) -> None:
    """Whatever of the call changes that does not change a question: nothing is asked again, and the end is the same."""
    root = make_mini(tmp_path / "mini", 2)
    answer = lambda request: Answer(image=drawn[request.sample.id])  # noqa: E731
    provise.run(root, Told(answer), tmp_path / "fresh", jobs=1)
    provise.run(root, Told(answer), tmp_path / "run", jobs=1, limit=1, concurrency=1)
    calls: list[dict[str, Any]] = [
        {"tasks": ["depth", " counting "]}, {"tasks": "depth,trajectory", "concurrency": 9}, {"evidence": False, "jobs": 2},
        {"route": open_route("spatialgen-bench", ["relative_depth.kernel=9"])}, {"jobs": 3, "limit": 10**9},
    ]  # fmt: skip
    asked: list[str] = []
    for call in calls:
        system = Told(answer)
        provise.run(root, system, tmp_path / "run", **{"jobs": 1, **call})
        asked += system.asked
    assert sorted(asked) == sorted(name for name in drawn if int(name[-3:]) >= 7)
    assert results(tmp_path / "run") == results(tmp_path / "fresh")


def test_a_row_never_stands_beside_the_picture_of_another_reading(drawn: dict[str, bytes], tmp_path: Path) -> None:
    """There and back: the first protocol's rows are in the journal, the second one's pictures are in the folder."""
    root = make_mini(tmp_path / "mini", 2)
    answer = lambda request: Answer(image=drawn[request.sample.id])  # noqa: E731
    provise.run(root, Told(answer), tmp_path / "run", jobs=1, tasks="depth")
    before = results(tmp_path / "run")
    other = open_route("spatialgen-bench", ["relative_depth.kernel=11"])
    provise.run(root, Told(answer), tmp_path / "run", jobs=1, tasks="depth", route=other)
    assert results(tmp_path / "run") != before
    provise.run(root, Told(None), tmp_path / "run", jobs=1, tasks="depth")
    assert results(tmp_path / "run") == before


def test_two_splits_of_one_name_with_the_same_ids_share_no_answer(tmp_path: Path) -> None:
    """Positional ids repeat from split to split; the pictures and the words tell them apart."""
    for split in ("val", "test"):
        make_mini(tmp_path / split / "split", 1)
    edited(lambda rows: rows[0].update(question="And how many here?"))(tmp_path / "test/split")
    (tmp_path / "test/split/depth-002.png").write_bytes(encode_png(photo(31, SIZE)))
    provise.run(tmp_path / "val/split", Told(Answer(text="A")), tmp_path / "run", jobs=1)
    second = Told(Answer(text="B"))
    done = provise.run(tmp_path / "test/split", second, tmp_path / "run", jobs=1, tasks="depth")
    assert second.asked == ["depth-002"]
    assert done.rows[0].prediction == "B"


def test_two_folders_of_answers_in_one_run_share_nothing(drawn: dict[str, bytes], tmp_path: Path) -> None:
    root = make_mini(tmp_path / "mini", 2)
    for name, shift in (("right", 0), ("wrong", 7)):
        folder = tmp_path / name
        folder.mkdir()
        ids = sorted(drawn)
        for sample in ids:
            other = next(i for i in ids if i[:4] == sample[:4] and (i != sample) == bool(shift))
            (folder / f"{sample}.png").write_bytes(drawn[other])
        done = provise.run(root, f"folder:{folder}", tmp_path / "run", jobs=1, tasks="counting,depth,multihop")
        assert {row.outcome == "correct" for row in done.rows} == {not shift}


@pytest.mark.parametrize("name", ["limit", "concurrency", "jobs"])
@pytest.mark.parametrize("value", [-1, 1.5, "2", True, None])
def test_a_number_out_of_range_is_refused_before_anything_is_done(name: str, value: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"{name} is .*expected a whole number, 0 or more"):
        provise.run(tmp_path, "blank", tmp_path / "run", **{name: value})
    assert not (tmp_path / "run").exists()
