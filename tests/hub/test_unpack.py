"""What comes from the Hub is not trusted: it stays in its folder, and says so where it is not sound."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from provise.errors import InputError
from provise.hub.parquet import read_parquet
from provise.hub.schema import ORDER_KEY, arrow_schema
from provise.hub.unpack import layout_of, unpack
from provise.image import encode_png
from tests.drawing import photo

PICTURE = encode_png(photo(0, (96, 80)))
OTHER = encode_png(photo(1, (96, 80)))


def row(**more: Any) -> dict[str, Any]:
    """Return a row of the table."""
    text = dict.fromkeys(("capability", "mask_path", "question", "answer_type", "source", "source_id"), "")
    base = {
        **text,
        "id": "a",
        "task": "counting",
        "image_path": "a.png",
        "answer": "2",
        "metadata_json": "{}",
        "choices": [],
    }
    return {**base, "media_paths": ["a.png"], "media": [{"bytes": PICTURE, "path": "a.png"}], "mask": None, **more}


def tree(folder: Path, *rows: dict[str, Any], schema: Any = None) -> Path:
    """Write rows as a tree's only table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / "data" / "counting" / "test-00000-of-00001.parquet"
    path.parent.mkdir(parents=True)
    schema = schema or arrow_schema(list(range(len(rows))))
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), path)
    return folder


@pytest.mark.parametrize(
    "name",
    [
        "../up.png",
        "/tmp/up.png",
        "~/up.png",
        "C:\\up.png",
        "sub/../../up.png",
        "http://x/y.png",
        "rows.jsonl",
        "benchmark.yaml",
        "",
    ],
)
def test_a_path_that_leaves_the_folder_or_takes_the_rows_place_is_refused(tmp_path: Path, name: str) -> None:
    tree(tmp_path / "tree", row(image_path=name, media_paths=[name]))
    with pytest.raises(InputError):
        unpack(tmp_path / "tree", tmp_path / "out")
    assert not (tmp_path / "up.png").exists()


def test_two_pictures_of_one_name_are_refused(tmp_path: Path) -> None:
    second = row(id="b", media=[{"bytes": OTHER, "path": "a.png"}])
    with pytest.raises(InputError, match=r"b: 'a\.png' is another picture here"):
        unpack(tree(tmp_path / "tree", row(), second), tmp_path / "out")


def test_a_picture_that_was_not_embedded_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'a': a picture has no bytes"):
        unpack(tree(tmp_path / "tree", row(media=[{"bytes": None, "path": "a.png"}])), tmp_path / "out")


@pytest.mark.parametrize("more", [{"media": []}, {"mask": {"bytes": PICTURE, "path": "m.png"}}, {"mask_path": "m.png"}])
def test_rows_and_pictures_must_agree(tmp_path: Path, more: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="row 'a': it names"):
        unpack(tree(tmp_path / "tree", row(**more)), tmp_path / "out")


def test_a_table_of_something_else_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa

    with pytest.raises(InputError, match="column 'capability' is missing"):
        unpack(tree(tmp_path / "tree", {"id": "a"}, schema=pa.schema([("id", pa.string())])), tmp_path / "out")
    path = tmp_path / "bad" / "data" / "x" / "test.parquet"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"PAR1 and then nothing")
    with pytest.raises(InputError, match="cannot be read as parquet"):
        unpack(tmp_path / "bad", tmp_path / "out2")


@pytest.mark.parametrize("route", ["../../elsewhere.yaml", "/etc/route.yaml"])
def test_a_route_that_lies_elsewhere_is_refused(tmp_path: Path, route: str) -> None:
    folder = tree(tmp_path / "tree", row())
    (folder / "benchmark.yaml").write_text(f"route: {route}\n")
    with pytest.raises(InputError, match="refused"):
        unpack(folder, tmp_path / "out")


@pytest.mark.parametrize("order", ["", "no json", "[0]", '["x", "y"]', "{}"])
def test_a_table_without_places_keeps_its_own_order(tmp_path: Path, order: str) -> None:
    schema = arrow_schema([])
    schema = schema.with_metadata({**schema.metadata, ORDER_KEY: order.encode()})
    folder = tree(tmp_path / "tree", row(id="b"), row(id="a"), schema=schema)
    unpack(folder, tmp_path / "out", name="named")
    lines = (tmp_path / "out" / "rows.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["b", "a"]
    assert "name: named" in (tmp_path / "out" / "benchmark.yaml").read_text()


def test_places_decide_where_there_are_some(tmp_path: Path) -> None:
    folder = tree(tmp_path / "tree", row(id="b"), row(id="a"), schema=arrow_schema([1, 0]))
    (path,) = folder.glob("data/*/*.parquet")
    assert [place for place, *_ in read_parquet(path)] == [1, 0]
    unpack(folder, tmp_path / "out")
    assert json.loads((tmp_path / "out" / "rows.jsonl").read_text().splitlines()[0])["id"] == "a"


@pytest.mark.parametrize(
    ("names", "layout"),
    [
        (["README.md"], ""),
        (["data/x/test-0.parquet", "all.jsonl"], "parquet"),
        (["data/x/metadata.jsonl", "data/x/images/1.png"], "imagefolder"),
        (["metadata.jsonl", "images.zip"], "flat"),
        (["test.parquet"], ""),
    ],
)
def test_how_a_repository_holds_its_rows(names: list[str], layout: str) -> None:
    assert layout_of(names) == layout
