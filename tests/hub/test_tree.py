"""Any benchmark becomes a Hub tree, and comes back as it was."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

from provise.benchmark import open_benchmark
from provise.cli import app
from provise.errors import InputError, ProtocolError
from provise.hub.tree import build_tree, card_of
from provise.hub.unpack import layout_of
from provise.image import decode, encode_png
from provise.sample import FIELDS
from tests.drawing import photo
from tests.hub.conftest import ROOT
from tests.mini import make_mini


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVISE_CACHE", str(tmp_path / "cache"))


def files_of(folder: Path) -> dict[str, str]:
    """Return the digest of every file."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    """Write a benchmark of rows given in short; pictures that they name are drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, row in enumerate(rows):
        whole = {
            "id": f"r{number}",
            "task": "counting",
            "capability": "perception",
            "answer": "3",
            "answer_type": "integer",
            **row,
        }
        names = [
            whole.setdefault("image_path", f"p{number}.png"),
            *whole.get("media_paths", []),
            whole.get("mask_path") or "",
        ]
        for name in filter(None, names):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.write_bytes(encode_png(photo(number + len(name), (96, 80))))
        lines.append(json.dumps(whole) + "\n")
    (folder / "rows.jsonl").write_text("".join(lines))
    return folder


@pytest.mark.parametrize("layout", ["parquet", "imagefolder"])
def test_rows_and_bytes_come_back(tmp_path: Path, layout: str) -> None:
    before = open_benchmark(make_mini(tmp_path / "mini", 2))
    build_tree(before, tmp_path / "tree", layout=layout)
    after = open_benchmark(tmp_path / "tree")
    rows = {sample.id: sample.to_row() for sample in before.samples}
    assert {sample.id: sample.to_row() for sample in after.samples} == rows
    assert (after.name, after.route, after.problems) == ("mini", before.route, ())
    for sample in after.samples:
        for path in filter(None, (sample.image_path, sample.mask_path)):
            assert after.media(sample, path).read_bytes() == before.media(sample, path).read_bytes()


def test_tables_keep_the_order_of_rows_that_the_folder_mixes(tmp_path: Path) -> None:
    before = open_benchmark(make_mini(tmp_path / "mini", 2))
    assert [sample.task for sample in before.samples[:2]] != [before.samples[0].task] * 2
    build_tree(before, tmp_path / "tree")
    assert open_benchmark(tmp_path / "tree").digest == before.digest
    assert before.digest in (tmp_path / "tree" / "README.md").read_text()


def test_the_same_benchmark_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    make_mini(tmp_path / "mini", 1)
    build_tree(tmp_path / "mini", tmp_path / "one")
    command = [sys.executable, "-m", "provise", "benchmark", "build", "hub", "--from", "mini", "--out", "two"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, env=environment)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_the_card_names_configs_types_and_terms_that_are_known(tmp_path: Path) -> None:
    build_tree(make_mini(tmp_path / "mini", 1), tmp_path / "tree", repository="me/mine")
    head = card_of(tmp_path / "tree")
    names = [config["config_name"] for config in head["configs"]]
    assert names == ["all", "counting", "orientation", "depth", "grounding", "affordance", "trajectory", "multihop"]
    assert [config["config_name"] for config in head["configs"] if config.get("default")] == ["all"]
    for info in head["dataset_info"]:
        kinds = {column["name"]: column for column in info["features"]}
        assert list(kinds) == [*FIELDS, "media", "mask"]
        assert kinds["choices"] == {"name": "choices", "sequence": "string"}
    text = (tmp_path / "tree" / "README.md").read_text()
    assert "not stated" in text
    assert 'load_dataset("me/mine"' in text
    assert all(f"| `{name}` |" in text for name in [*FIELDS, "media", "mask"])


def test_the_card_of_published_rows_has_the_papers_table_of_sources(tmp_path: Path) -> None:
    rows = [
        {"task": "counting", "source": "CountBench"},
        {"task": "trajectory", "source": "ShareRobot-Bench", "answer": "[[0,0],[1,1]]"},
    ]
    build_tree(write(tmp_path / "b", *rows), tmp_path / "tree")
    text = (tmp_path / "tree" / "README.md").read_text()
    assert (
        "| `counting` | 1 | CountBench | object or category counting in one image | CC-BY-4.0 | project page |" in text
    )
    assert (
        "| `trajectory` | 1 | ShareRobot-Bench | planning of a manipulator's path | Apache-2.0 | Hugging Face |" in text
    )
    assert card_of(tmp_path / "tree")["license"] == "other"


def test_the_table_of_sources_is_the_papers() -> None:
    from provise.benchmark.tasks import TASKS
    from provise.hub.card import _tables

    tables = _tables()
    assert all(set(table["tasks"]) == set(TASKS) for table in tables.values())
    terms = {task: line["terms"] for task, line in tables["spatialgen-bench"]["tasks"].items()}
    none = {task for task, text in terms.items() if text == "N/A"}
    assert none == {"grounding", "multihop", "prediction"}
    assert {task for task, text in terms.items() if text == "MIT"} == {"orientation", "mental_modeling"}
    assert {task for task, text in terms.items() if text == "COCO terms"} == {"size", "feasibility"}


def test_a_route_of_the_folders_own_goes_along(tmp_path: Path) -> None:
    folder = make_mini(tmp_path / "mini", 1)
    (folder / "ways.yaml").write_text("id: mine\ntasks:\n  counting: {protocol: instance_marking}\n")
    (folder / "benchmark.yaml").write_text("name: Mine\nroute: ways.yaml\nversion: '7'\n")
    build_tree(folder, tmp_path / "tree")
    assert yaml.safe_load((tmp_path / "tree" / "benchmark.yaml").read_text()) == {
        "name": "Mine",
        "route": "route.yaml",
        "version": "7",
    }
    after = open_benchmark(tmp_path / "tree")
    assert after.name == "Mine"
    assert Path(after.route).read_text().startswith("id: mine")
    assert Path(after.route).is_relative_to(after.root)


def test_pictures_beyond_media_paths_are_in_the_table_too(tmp_path: Path) -> None:
    metadata = json.dumps({"file_names": ["now.png", "a.png", "b.png"], "image_size": [64, 48]})
    row = {
        "task": "navigation",
        "image_path": "now.png",
        "media_paths": ["b.png", "a.png"],
        "metadata_json": metadata,
        "answer": "A",
    }
    before = open_benchmark(write(tmp_path / "b", row))
    build_tree(before, tmp_path / "tree")
    after = open_benchmark(tmp_path / "tree")
    assert after.digest == before.digest
    assert {path.name for path in after.root.glob("*.png")} == {"now.png", "a.png", "b.png"}


def test_shrinking_keeps_every_pixel(tmp_path: Path) -> None:
    before = open_benchmark(make_mini(tmp_path / "mini", 1))
    plain = build_tree(before, tmp_path / "plain")
    small = build_tree(before, tmp_path / "small", shrunk=True)
    assert small.size < plain.size
    after = open_benchmark(tmp_path / "small")
    assert after.digest in (tmp_path / "small" / "README.md").read_text()
    for sample in before.samples:
        one, two = (decode(opened.media(sample).read_bytes()) for opened in (before, after))
        assert np.array_equal(one.rgb, two.rgb)


def test_a_row_that_a_table_cannot_hold_stops_the_build(tmp_path: Path) -> None:
    write(tmp_path / "b", {}, {})
    (tmp_path / "b" / "p1.png").unlink()
    with pytest.raises(InputError, match=r"r1: 'p1\.png' cannot be read .*benchmark check"):
        build_tree(tmp_path / "b", tmp_path / "tree")
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


@pytest.mark.parametrize("task", ["all", "my task", "a/b", "../up", "Default", ""])
def test_a_task_that_cannot_name_a_config_is_refused(tmp_path: Path, task: str) -> None:
    with pytest.raises(InputError, match="cannot name a config"):
        build_tree(write(tmp_path / "b", {"task": task}), tmp_path / "tree")


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    make_mini(tmp_path / "mini", 1)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    for replaced in (False, True):
        with pytest.raises(InputError, match="not empty"):
            build_tree(tmp_path / "mini", tmp_path / "full", replaced=replaced)
    assert (tmp_path / "full" / "letter.txt").read_text() == "mine"
    build_tree(tmp_path / "mini", tmp_path / "tree")
    with pytest.raises(InputError, match="--replace"):
        build_tree(tmp_path / "mini", tmp_path / "tree")
    build_tree(tmp_path / "mini", tmp_path / "tree", layout="imagefolder", replaced=True)
    assert layout_of(files_of(tmp_path / "tree")) == "imagefolder"


def test_a_large_task_goes_on_in_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_benchmark(write(tmp_path / "b", *({} for _ in range(7))))
    size = before.media(before.samples[0]).stat().st_size
    from provise.hub import tree

    real = tree.shards
    monkeypatch.setattr(tree, "shards", lambda rows, measure: real(rows, measure, limit=3 * size))
    build_tree(before, tmp_path / "tree")
    names = sorted(path.name for path in (tmp_path / "tree" / "data" / "counting").iterdir())
    assert len(names) > 1
    assert names[0] == f"test-00000-of-{len(names):05d}.parquet"
    assert open_benchmark(tmp_path / "tree").digest == before.digest


def test_the_command_line_builds_copies_and_shows(tmp_path: Path) -> None:
    mini, tree, copy = (str(tmp_path / name) for name in ("mini", "tree", "copy"))
    digest = open_benchmark(make_mini(Path(mini), 1)).digest
    run = CliRunner()
    built = run.invoke(app, ["benchmark", "build", "hub", "--from", mini, "--out", tree, "--json"])
    assert (json.loads(built.output)["rows"], built.exit_code) == (7, 0)
    assert run.invoke(app, ["benchmark", "check", tree]).exit_code == 0
    assert json.loads(run.invoke(app, ["benchmark", "show", tree, "--json"]).output)["digest"] == digest
    assert run.invoke(app, ["benchmark", "build", "folder", "--from", tree, "--out", copy]).exit_code == 0
    assert open_benchmark(copy).digest == digest
    refused = run.invoke(app, ["benchmark", "check", tree, "--fill"])
    assert "build folder --from" in str(refused.exception)
    lacking = run.invoke(app, ["benchmark", "build", "hub", "--out", copy])
    assert "--from BENCHMARK" in str(lacking.exception)


def test_what_cannot_be_opened_again_is_not_built(tmp_path: Path) -> None:
    for number, (row, match) in enumerate(
        [
            ({"image_path": "settings.yaml"}, "cannot name a picture"),
            ({"image_path": "in/p.jsonl"}, "cannot name a picture"),
            ({"image_path": ""}, "image_path is empty"),
            ({"task": "long" * 60}, "cannot name a config"),
        ]
    ):
        folder = write(tmp_path / f"b{number}", {}, row)
        with pytest.raises(InputError, match=match):
            build_tree(folder, tmp_path / f"tree{number}")
        assert not (tmp_path / f"tree{number}").exists()


@pytest.mark.parametrize("name", ['x"""\nraise SystemExit(3)\n"""', "a\n---\nlicense: mit", 'q" | <b>\\', "***"])
def test_a_name_stays_a_name_in_card_and_script(tmp_path: Path, name: str) -> None:
    import ast

    folder = write(tmp_path / "b", {})
    (folder / "benchmark.yaml").write_text(yaml.safe_dump({"name": name}))
    build_tree(folder, tmp_path / "tree")
    assert open_benchmark(tmp_path / "tree").name == name
    plain = write(tmp_path / "plain", {})
    build_tree(plain, tmp_path / "other")
    one, two = ((tmp_path / part / "spatialgen_bench.py").read_text() for part in ("tree", "other"))
    kinds = [[type(node) for node in ast.parse(text).body] for text in (one, two)]
    assert kinds[0] == kinds[1]
    assert card_of(tmp_path / "tree")["license"] == "other"
    page = (tmp_path / "tree" / "README.md").read_text()
    assert 'load_dataset("NAMESPACE/NAME"' in page
    with pytest.raises(InputError, match="is no repository"):
        build_tree(plain, tmp_path / "third", repository=name)


def test_pictures_of_every_kind_keep_their_bytes(tmp_path: Path) -> None:
    import io

    from PIL import Image

    rng = np.random.default_rng(5)
    base = Image.fromarray(rng.integers(0, 255, (60, 70, 3), dtype=np.uint8))
    turned = Image.Exif()
    turned[0x0112] = 8
    deep = Image.fromarray(rng.integers(0, 65535, (60, 70), dtype=np.uint16))
    kinds: dict[str, tuple[Image.Image, dict[str, Any]]] = {
        "cmyk.jpg": (base.convert("CMYK"), {"format": "JPEG"}),
        "turned.jpg": (base, {"format": "JPEG", "exif": turned}),
        "w.webp": (base, {"format": "WEBP"}),
        "moving.gif": (base, {"format": "GIF", "save_all": True, "append_images": [base.rotate(90)]}),
        "moving.png": (base, {"format": "PNG", "save_all": True, "append_images": [base.rotate(180)]}),
        "deep.png": (deep, {"format": "PNG"}),
        "b/name": (base.convert("P"), {"format": "PNG"}),
        "a/name": (base.convert("LA"), {"format": "PNG"}),
    }
    folder = tmp_path / "b"
    for name, (image, options) in kinds.items():
        packed = io.BytesIO()
        image.save(packed, **options)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(packed.getvalue())
    rows = [{"image_path": name, "media_paths": [name, "a/name"], "id": f"n/{name}/é"} for name in kinds]
    before = open_benchmark(write(folder, *rows))
    for layout in ("parquet", "imagefolder"):
        build_tree(before, tmp_path / layout, layout=layout)
        after = open_benchmark(tmp_path / layout)
        assert after.digest == before.digest
        assert [one.to_row() for one in after.samples] == [one.to_row() for one in before.samples]


def test_protocols_beside_a_route_go_along_and_others_are_refused(tmp_path: Path) -> None:
    from provise.protocol.route import open_route
    from provise.resources import data_folder

    folder = make_mini(tmp_path / "mini", 1)
    (folder / "benchmark.yaml").write_text("route: ways/way.yaml\n")
    (folder / "ways").mkdir()
    known = (data_folder("protocols") / "catalogue" / "instance_marking.yaml").read_text()
    (folder / "ways" / "stars.yaml").write_text(known.replace("id: instance_marking", "id: stars"))

    def route(protocol: str) -> None:
        (folder / "ways" / "way.yaml").write_text(f"id: mine\ntasks:\n  counting: {{protocol: {protocol}}}\n")

    route("stars.yaml")
    build_tree(folder, tmp_path / "tree")
    after = open_benchmark(tmp_path / "tree")
    assert open_route(after.route).protocol("counting").id == "stars"
    assert Path(after.route).with_name("stars.yaml").is_file()
    (folder / "stars.yaml").write_bytes((folder / "ways" / "stars.yaml").read_bytes())
    for protocol, match in [("../stars.yaml", "cannot go along"), ("gone.yaml", r"gone\.yaml"), ("no_such", "no_such")]:
        route(protocol)
        with pytest.raises((InputError, ProtocolError), match=match):
            build_tree(folder, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_the_card_tells_every_type_of_answer_and_calls_no_config_by_anothers_name(tmp_path: Path) -> None:
    from provise.benchmark.tasks import TASKS

    build_tree(write(tmp_path / "b", {}), tmp_path / "tree")
    text = (tmp_path / "tree" / "README.md").read_text()
    (line,) = [line for line in text.splitlines() if line.startswith("| `answer_type` |")]
    assert all(kind in line for task in TASKS.values() for kind in task.types)
    assert 'rows = load_dataset("NAMESPACE/b", "counting", split="test")' in text
