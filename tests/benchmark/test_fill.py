"""Filling depth locations: written once, to the rows that lack them, and no byte of any other row is touched."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image
from skimage import data

from provise.benchmark import check_benchmark, fill_coordinates, open_benchmark

from .drawn import row
from .test_circles import draw

SPOTS = {"A": (120, 200), "B": (380, 230)}


def depth(**fields):
    return row(task="depth", answer="A", answer_type="choice", choices=["A", "B"], question="Nearer?", **fields)


@pytest.fixture
def marked(write) -> Path:
    folder = write()
    Image.fromarray(draw(data.coffee(), SPOTS)).save(folder / "marked.png")
    return folder


def test_rows_without_coordinates_get_them_and_others_keep_their_bytes(write, marked):
    strange = json.dumps(row(id="s", question="a\u2028b"), ensure_ascii=False).encode() + b"  "
    own = json.dumps(
        depth(id="own", image_path="marked.png", metadata_json='{"coordinates": [[0.1, 0.2], [0.3, 0.4]]}')
    )
    wanting = depth(id="d", image_path="marked.png", media_paths=["marked.png"], metadata_json='{"note": "x\u2028"}')
    write(strange, "not json", own, json.dumps(wanting), b'{"id": "d2", "task": "depth"')
    before = (marked / "rows.jsonl").read_bytes().split(b"\n")
    report = fill_coordinates(marked)
    after = (marked / "rows.jsonl").read_bytes().split(b"\n")
    assert report.filled == ("d",)
    assert report.refused == ()
    assert [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b] == [3]
    sample = next(one for one in open_benchmark(marked).samples if one.id == "d")
    (ax, ay), (bx, by) = sample.metadata["coordinates"]
    assert (ax * 600, ay * 400) == pytest.approx(SPOTS["A"], abs=2)
    assert (bx * 600, by * 400) == pytest.approx(SPOTS["B"], abs=2)
    assert sample.metadata["note"] == "x\u2028"


def test_filling_twice_changes_nothing_the_second_time(write, marked):
    write(depth(image_path="marked.png"))
    fill_coordinates(marked)
    once = (marked / "rows.jsonl").read_bytes()
    assert fill_coordinates(marked).filled == ()
    assert (marked / "rows.jsonl").read_bytes() == once
    assert sorted(path.name for path in marked.iterdir()) == ["a.png", "b.png", "marked.png", "rows.jsonl"]


def test_pictures_that_do_not_show_two_letters_are_refused_with_file_and_line(write, marked):
    write(
        row(id="x"), depth(id="plain"), depth(id="gone", image_path="none.png"), depth(id="out", image_path="../a.png")
    )
    before = (marked / "rows.jsonl").read_bytes()
    report = fill_coordinates(marked)
    assert [(item.line, item.id) for item in report.refused] == [(2, "plain"), (3, "gone"), (4, "out")]
    assert "circle" in report.refused[0].message
    assert (marked / "rows.jsonl").read_bytes() == before


def test_metadata_that_would_be_lost_is_not_overwritten(write, marked):
    write(depth(image_path="marked.png", metadata_json="[1, 2]"))
    assert "metadata_json" in fill_coordinates(marked).refused[0].message


def test_byte_order_mark_and_line_ends_stay(write, marked):
    write(b"\xef\xbb\xbf" + json.dumps(depth(image_path="marked.png")).encode() + b"\r")
    fill_coordinates(marked)
    raw = (marked / "rows.jsonl").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf{")
    assert raw.endswith(b"}\r\n")


def test_a_filled_folder_passes_the_check(write, marked):
    write(depth(image_path="marked.png", media_paths=["marked.png"]))
    assert "missing_aid" in check_benchmark(marked).counts()
    fill_coordinates(marked)
    assert check_benchmark(marked).ok


@pytest.mark.real
def test_the_real_depth_row_is_filled(real: Path, tmp_path: Path):
    rows = [json.loads(line) for line in (real / "examples" / "records.jsonl").read_text().splitlines()]
    wanting = {**next(one for one in rows if one["task"] == "depth"), "metadata_json": "{}"}
    (tmp_path / "images").mkdir()
    shutil.copy(real / "examples" / "images" / "depth_input.png", tmp_path / "images")
    (tmp_path / "rows.jsonl").write_text(json.dumps(wanting) + "\n")
    assert fill_coordinates(tmp_path).filled == ("example_depth",)
    (ax, ay), (bx, by) = open_benchmark(tmp_path).samples[0].metadata["coordinates"]
    assert (ax, ay, bx, by) == pytest.approx((0.44, 0.904, 0.564, 0.9067), abs=0.006)
