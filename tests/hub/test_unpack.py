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


def test_a_path_that_another_row_or_the_folder_needs_is_refused_in_words(tmp_path: Path) -> None:
    def named(name: str, row_id: str) -> dict[str, Any]:
        return row(id=row_id, image_path=name, media_paths=[name])

    pairs = [("d", "d/in.png"), ("d/in.png", "d"), ("ok.png", "n" * 300 + ".png"), ("ok.png", ".")]
    reserved = ["rows.jsonl/x.png", "more.jsonl", "deep/More.JSONL", "benchmark.yaml/x.png", "Benchmark.YML"]
    for number, (one, two) in enumerate([*pairs, *(("ok.png", name) for name in reserved)]):
        with pytest.raises(InputError, match=r"b: .* cannot name a picture"):
            unpack(tree(tmp_path / f"t{number}", named(one, "a"), named(two, "b")), tmp_path / f"out{number}")


def test_columns_of_another_type_are_named(tmp_path: Path) -> None:
    import pyarrow as pa

    text = pa.struct([("bytes", pa.string()), ("path", pa.string())])
    cases: list[tuple[str, Any, Any]] = [
        ("media", 5, pa.int64()),
        ("media", "a.png", pa.string()),
        ("media", {"bytes": "x", "path": "y"}, text),
        ("media", [{"bytes": "x", "path": "y"}], pa.list_(text)),
        ("mask", 7, pa.int64()),
        ("mask", {"bytes": "x", "path": "y"}, text),
        ("id", 3, pa.int64()),
        ("question", b"\xff\xfe", pa.binary()),
    ]
    for number, (name, value, kind) in enumerate(cases):
        schema = pa.schema([(one.name, kind if one.name == name else one.type) for one in arrow_schema()])
        with pytest.raises(InputError):
            unpack(tree(tmp_path / f"t{number}", row(**{name: value}), schema=schema), tmp_path / f"out{number}")


def test_text_that_is_no_utf8_and_tables_without_rows_are_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tree(tmp_path / "tree", row())
    (path,) = folder.glob("data/*/*.parquet")
    table = pq.read_table(path)
    raw = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xc3\x28")])
    pq.write_table(table.set_column(table.schema.get_field_index("question"), "question", raw), path)
    with pytest.raises(InputError, match="cannot be read as parquet"):
        unpack(folder, tmp_path / "out")
    with pytest.raises(InputError, match="no rows"):
        unpack(tree(tmp_path / "none"), tmp_path / "out2")


HEADS = [
    "\u00ff",
    "a: 2026-99-99",
    f"a: {'[' * 4000}",
    "configs: 5",
    "configs: [5]",
    "configs: {a: b}",
    "a: !!python/x y",
]


@pytest.mark.parametrize("head", HEADS)
def test_a_card_that_is_not_sound_does_not_keep_its_tables_from_being_read(tmp_path: Path, head: str) -> None:
    folder = tree(tmp_path / "tree", row())
    (folder / "README.md").write_bytes(f"---\n{head}\n---\n".encode("latin-1"))
    unpack(folder, tmp_path / "out")
    assert (tmp_path / "out" / "rows.jsonl").is_file()


@pytest.mark.parametrize(
    ("about", "match"),
    [
        ("version: 2026-99-99", "not valid YAML"),
        ("route: ../other", "neither a name nor"),
        ("route: a\\b", "neither a name nor"),
        ("name: [", "not valid YAML"),
    ],
)
def test_what_a_benchmark_says_of_itself_is_held_to_its_form(tmp_path: Path, about: str, match: str) -> None:
    folder = tree(tmp_path / "tree", row())
    (folder / "benchmark.yaml").write_text(about + "\n")
    with pytest.raises(InputError, match=match):
        unpack(folder, tmp_path / "out")


def test_a_fault_is_told_of_the_tree_and_leaves_nothing_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from provise.benchmark import open_benchmark

    monkeypatch.setenv("PROVISE_CACHE", str(tmp_path / "cache"))
    folder = tree(tmp_path / "tree", row())
    (folder / "README.md").write_text("# x\n")
    (folder / "benchmark.yaml").write_text("- 1\n")
    with pytest.raises(InputError, match=r"/tree: benchmark\.yaml: ") as raised:
        open_benchmark(folder)
    assert ".making-" not in str(raised.value)
    (home,) = (tmp_path / "cache").glob("hub-*/trees")
    (home / ".making-of-a-process-that-was-killed" / "benchmark").mkdir(parents=True)
    (folder / "benchmark.yaml").unlink()
    assert len(open_benchmark(folder)) == 1
    assert not list(home.glob(".making-*"))
