"""One form a field: what a row may hold, what is refused with its place, and the same from any working directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import provise
from provise.benchmark import check_benchmark
from tests.mini import make_mini

ABSENT = object()


def with_field(folder: Path, line: int, field: str, value: Any) -> Path:
    """Write the small benchmark with one field of one row changed."""
    root = make_mini(folder / "mini", 1)
    rows = [json.loads(text) for text in (root / "rows.jsonl").read_text().split("\n") if text]
    if value is ABSENT:
        del rows[line][field]
    else:
        rows[line][field] = value
    (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return root


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("answer", value) for value in (3, 3.0, -0.0, True, None, ["3"], {}, float("nan"))),
        *(("choices", value) for value in (None, "A-B", [1, 2], [["a"]], ["a", None], {"A": "a"})),
        *(("media_paths", value) for value in (None, "a.png", [None])),
        *(("mask_path", value) for value in (0, False, [], {})),
        *((name, None) for name in ("id", "task", "image_path", "question", "capability", "source", "metadata_json")),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_an_error_of_its_row_for_every_command(
    tmp_path: Path, field: str, value: Any
) -> None:
    root = with_field(tmp_path, 2, field, value)
    found = [item for item in check_benchmark(root).errors if item.line == 3]
    assert "field_type" in [item.code for item in found]
    opened = provise.open_benchmark(root)
    assert [(problem.line, problem.code) for problem in opened.problems] == [(3, "field_type")]
    assert field in opened.problems[0].message
    done = provise.run(opened, "draughtsman", tmp_path / "run", jobs=1)
    assert {row.outcome for row in done.rows} == {"correct"}
    assert (len(done.rows), len(done.lost), done.summary["overall"]["score"]) == (6, 1, None)


@pytest.mark.parametrize("value", ["", None, ABSENT], ids=["empty", "null", "absent"])
def test_no_mask_is_written_in_three_ways_and_means_the_same(tmp_path: Path, value: Any) -> None:
    root = with_field(tmp_path, 0, "mask_path", value)
    opened = provise.open_benchmark(root)
    assert (opened.problems, opened.samples[0].mask_path, opened.samples[0].to_row()["mask_path"]) == ((), "", "")
    assert not [item for item in check_benchmark(root).errors if item.line == 1]
    # Where the mask is the truth, none is the benchmark's fault, and no zero.
    root = with_field(tmp_path / "needed", 3, "mask_path", value)
    assert "missing_mask" in {item.code for item in check_benchmark(root).errors if item.line == 4}
    row = provise.run(root, "blank", tmp_path / "run", jobs=1, tasks="grounding").rows[0]
    assert (row.error, row.score) == ("data_error", None)


@pytest.mark.parametrize("value", [[], ABSENT], ids=["empty", "absent"])
def test_no_choices_are_an_empty_list_in_every_row(tmp_path: Path, value: Any) -> None:
    opened = provise.open_benchmark(with_field(tmp_path, 0, "choices", value))
    assert (opened.problems, opened.samples[0].choices, opened.samples[0].to_row()["choices"]) == ((), (), [])


def test_pictures_are_found_from_any_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_mini(tmp_path / "data/mini", 1)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path / "data")
    opened = provise.open_benchmark("mini")
    digest = opened.digest
    monkeypatch.chdir(elsewhere)
    # Opened there, used here; and opened from here by a path that climbs.
    for benchmark in (opened, "../data/mini", "../data/mini/rows.jsonl"):
        done = provise.run(benchmark, "draughtsman", f"run-{len(list(elsewhere.iterdir()))}", jobs=1)
        assert {row.outcome for row in done.rows} == {"correct"}
    assert provise.open_benchmark("../data/mini").digest == digest


def test_a_task_whose_rows_name_several_capabilities_or_none_counts_under_one(tmp_path: Path) -> None:
    """The last row's, the first row's, one that is absent: a run of them ends with its summary."""
    for line, value in ((0, "memory"), (7, ""), (13, ABSENT), (14, None)):
        root = make_mini(tmp_path / str(line), 3)
        rows = [json.loads(text) for text in (root / "rows.jsonl").read_text().split("\n") if text]
        rows[line].pop("capability") if value is ABSENT else rows[line].update(capability=value or "")
        (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        summary = provise.run(root, "blank", tmp_path / f"run{line}", jobs=1).summary
        assert list(summary["capabilities"]) == ["perception", "understanding", "interaction", "reasoning"]
        assert all(part["low"] is not None for part in summary["capabilities"].values())
