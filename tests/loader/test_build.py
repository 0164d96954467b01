"""Building: rows as the loader says, absent pictures counted, a changed source refused by file, row and field."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from provise.benchmark import check_benchmark, open_benchmark
from provise.errors import InputError
from provise.loader import build_benchmark, loader_names, open_loader


@pytest.fixture
def real() -> Path:
    folder = Path(os.environ.get("PROVISE_REAL", Path(__file__).parents[3] / "shared" / "real"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set PROVISE_REAL")
    return folder


def photo(path: Path, seed: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.random.default_rng(seed).integers(0, 256, (48, 64, 3), dtype=np.uint8)).save(path)


def vsr_row(n: int, **fields: object) -> dict[str, object]:
    return {
        "image": f"{n:012d}.jpg", "image_link": "", "caption": "The red cup is next to a dog.", "label": 1,
        "relation": "next to", "vote_true_validator_id": "[]", **fields,
    }  # fmt: skip


@pytest.fixture
def vsr(tmp_path: Path) -> Path:
    source = tmp_path / "source"
    for n in (1, 2):
        photo(source / "images" / f"{n:012d}.jpg", n)
    rows = [vsr_row(1), vsr_row(2, label=0), vsr_row(3)]
    (source / "all_vsr_validated_data.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    return source


def test_rows_without_a_picture_are_counted_and_left_out_unless_asked_for(vsr, tmp_path):
    built = build_benchmark("vsr", vsr, tmp_path / "out")
    assert (built.read, built.written, built.without_picture, built.pictures) == (3, 2, 1, 2)
    assert built.first_missing == "images/000000000003.jpg"
    assert check_benchmark(tmp_path / "out").ok
    kept = build_benchmark("vsr", vsr, tmp_path / "all", keep_missing=True)
    assert (kept.written, kept.without_picture) == (3, 1)
    assert not check_benchmark(tmp_path / "all").ok


def test_a_statement_is_split_at_its_relation(vsr, tmp_path):
    build_benchmark("vsr", vsr, tmp_path / "out")
    first, second = open_benchmark(tmp_path / "out").samples
    assert (first.metadata["subj"], first.metadata["obj"]) == ("red cup", "dog")
    assert (first.answer, second.answer) == ("true", "false")


def test_limit_counts_rows_that_are_written(vsr, tmp_path):
    assert build_benchmark("vsr", vsr, tmp_path / "out", limit=1).tasks == {"relationship": 1}


def test_the_licence_lies_beside_the_rows(vsr, tmp_path):
    build_benchmark("vsr", vsr, tmp_path / "out")
    note = (tmp_path / "out" / "LICENCE.md").read_text()
    assert "Apache-2.0" in note
    assert "1 rows left out whose pictures were absent" in note


@pytest.mark.parametrize(
    ("change", "told"),
    [({"label": "1"}, "label"), ({"caption": None}, "caption"), ({"label": 2}, "label"),
     ({"relation": "above"}, "caption"),
     ({"image": "../up.jpg"}, "refused")],
)  # fmt: skip
def test_a_changed_source_names_file_row_and_field(vsr, tmp_path, change, told):
    path = vsr / "all_vsr_validated_data.jsonl"
    row = vsr_row(7, **change)
    if change.get("image"):
        row["caption"] = "The x is next to y."
    path.write_text(path.read_text() + json.dumps(row) + "\n")
    if "image" in change:  # the loader puts a folder before the name; climbing out of it is refused all the same
        with pytest.raises(InputError, match=r"validated_data\.jsonl: row 4"):
            build_benchmark("vsr", vsr, tmp_path / "out")
        return
    with pytest.raises(InputError, match=rf"validated_data\.jsonl: row 4.*{told}"):
        build_benchmark("vsr", vsr, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_absent_files_used_folders_and_unknown_loaders_are_wrong_calls(vsr, tmp_path):
    with pytest.raises(InputError, match="CountBench"):
        build_benchmark("countbench", vsr, tmp_path / "out")
    with pytest.raises(InputError, match="not an empty folder"):
        build_benchmark("vsr", vsr, vsr)
    with pytest.raises(InputError, match="unknown; there are"):
        open_loader("nothing")


def test_every_loader_that_comes_with_the_package_opens():
    assert loader_names() == ["countbench", "roboafford", "sphere", "viewspatial", "vsr"]
    for name in loader_names():
        assert open_loader(name).id == name


def test_a_loader_with_an_unknown_transform_or_parameter_is_refused(tmp_path):
    text = (Path(__file__).parents[2] / "loaders" / "vsr.yaml").read_text()
    for old, new, told in (
        ("do: [stem]", "do: [steam]", "steam"), ("{length: 8}", "{length: eight}", "length"),
        ("side: before", "side: left", "side"), ("label: integer", "label: whole", "whole"),
    ):  # fmt: skip
        (tmp_path / "bad.yaml").write_text(text.replace(old, new))
        with pytest.raises(InputError, match=told):
            open_loader(tmp_path / "bad.yaml")


def test_the_count_of_a_caption_is_in_no_field(tmp_path):
    source = tmp_path / "source"
    rows = [
        {"image_url": "http://a/1.jpg", "text": "photo of three light bulbs on wood", "number": 3},
        {"image_url": "http://a/2.jpg", "text": "a family of five", "number": 5},
    ]
    source.mkdir()
    (source / "CountBench.json").write_text(json.dumps(rows))
    photo(source / "images" / "001.png")
    built = build_benchmark("countbench", source, tmp_path / "out", keep_missing=True)
    sample = open_benchmark(tmp_path / "out").samples[0]
    assert sample.question == "How many light bulbs are there in the image?"
    assert "three" not in json.dumps({**sample.to_row(), "answer": ""})
    assert built.written == 1
    assert sum(built.left_out.values()) == 1


@pytest.mark.real
def test_all_roboafford_rows_build_and_pass_the_check(real, tmp_path):
    built = build_benchmark("roboafford", real / "roboafford", tmp_path / "out")
    assert (built.read, built.written, built.without_picture) == (193, 193, 0)
    report = check_benchmark(tmp_path / "out")
    assert report.ok, report.errors[:3]
    for sample in open_benchmark(tmp_path / "out").samples:
        assert "formatted" not in sample.question
        assert "the the" not in sample.question.lower()


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "file", "read", "written"),
    [("viewspatial", "viewspatial", 5712, 4914), ("vsr", "vsr", 10972, 10972), ("sphere", "sphere", 798, 573)],
)
def test_the_real_files_convert_whole(real, tmp_path, name, file, read, written):
    built = build_benchmark(name, real / file, tmp_path / "out", keep_missing=True)
    assert (built.read, built.written) == (read, written)
