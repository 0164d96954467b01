"""The ways in which datasets of this kind were found broken elsewhere, each with an input of its own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import datasets
import pytest

from provise.benchmark import open_benchmark
from provise.errors import InputError
from provise.hub.card import SCRIPT
from provise.hub.push import check_tree
from provise.hub.tree import build_tree
from tests.hub.conftest import ROOT, Client
from tests.hub.test_tree import write
from tests.mini import make_mini


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVISE_CACHE", str(tmp_path / "cache"))


def load(client: Client, source: str, config: str, shown: str) -> str:
    """Return what an expression over the loaded rows prints."""
    code = f"import datasets; rows = datasets.load_dataset({source!r}, {config!r}, split='test'); print(({shown}))"
    done = client.python(code)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def test_data_01_no_script_has_the_name_of_its_folder_or_repository(tmp_path: Path) -> None:
    make_mini(tmp_path / "mini", 1)
    for name in ("spatialgen_bench", "SpatialGen_Bench"):
        with pytest.raises(InputError, match="refuse to load it"):
            build_tree(tmp_path / "mini", tmp_path / name)
    build_tree(tmp_path / "mini", tmp_path / "tree")
    with pytest.raises(InputError, match="refused by every new version of datasets"):
        check_tree(tmp_path / "tree", "somebody/spatialgen_bench")
    assert (ROOT / "dataset_script" / SCRIPT).is_file()
    assert not (ROOT / "dataset_script" / "dataset_script.py").exists()


@pytest.mark.slow
@pytest.mark.skipif(int(datasets.__version__.split(".")[0]) < 4, reason="3.6 still runs scripts")
def test_data_01_such_a_name_would_break_new_versions(hub: Client, tmp_path: Path) -> None:
    build_tree(make_mini(tmp_path / "mini", 1), tmp_path / "tree")
    shutil.move(tmp_path / "tree", tmp_path / "spatialgen_bench")
    done = hub.python(f"import datasets; datasets.load_dataset({str(tmp_path / 'spatialgen_bench')!r}, 'depth')")
    assert "scripts are no longer supported" in done.stderr


@pytest.mark.slow
def test_data_02_an_image_folder_has_its_pictures_where_load_dataset_looks(hub: Client, tmp_path: Path) -> None:
    folder = write(
        tmp_path / "b",
        {"task": "size", "media_paths": ["a/one.png", "a/two.png"], "image_path": "a/one.png", "choices": ["x", "y"]},
    )
    build_tree(folder, tmp_path / "tree", layout="imagefolder")
    told = load(
        hub, str(tmp_path / "tree"), "size", "[image.size for image in rows[0]['media']], rows[0]['media_paths']"
    )
    assert told == "([(96, 80), (96, 80)], ['a/one.png', 'a/two.png'])"


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["parquet", "imagefolder"])
def test_data_04_pictures_open_from_any_working_folder(hub: Client, tmp_path: Path, layout: str) -> None:
    folder = write(
        tmp_path / "b", {"image_path": "perception/counting/7.png", "media_paths": ["perception/counting/7.png"]}
    )
    build_tree(folder, tmp_path / "tree", layout=layout)
    assert not (hub.home / "perception").exists()
    assert load(hub, str(tmp_path / "tree"), "counting", "rows[0]['media'][0].size, rows[0]['image_path']") == (
        "((96, 80), 'perception/counting/7.png')"
    )
    opened = open_benchmark(tmp_path / "tree")
    assert opened.media(opened.samples[0]).is_file()


@pytest.mark.slow
@pytest.mark.parametrize("mask", ["", None])
def test_data_05_no_mask_is_null_in_the_table_and_empty_in_the_row(
    hub: Client, tmp_path: Path, mask: str | None
) -> None:
    rows = [{"mask_path": mask}, {"mask_path": "m/1.png", "task": "grounding", "answer": "", "answer_type": "mask"}]
    build_tree(write(tmp_path / "b", *rows), tmp_path / "tree")
    told = load(
        hub, str(tmp_path / "tree"), "all", "[(row['mask_path'], row['mask'] and row['mask'].size) for row in rows]"
    )
    assert told == "[('', None), ('m/1.png', (96, 80))]"
    assert [sample.mask_path for sample in open_benchmark(tmp_path / "tree").samples] == ["", "m/1.png"]


@pytest.mark.slow
def test_data_07_a_task_without_options_goes_together_with_others(hub: Client, tmp_path: Path) -> None:
    rows = [{"choices": []}, {"choices": []}, {"task": "size", "choices": ["left", "right"], "answer": "A"}]
    build_tree(write(tmp_path / "b", *rows), tmp_path / "tree")
    told = load(
        hub, str(tmp_path / "tree"), "all", "[row['choices'] for row in rows], rows.features['choices'].feature.dtype"
    )
    assert told == "([[], [], ['left', 'right']], 'string')"
    assert load(hub, str(tmp_path / "tree"), "counting", "rows.features['choices'].feature.dtype") == "string"


def test_data_08_an_answer_that_is_no_text_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rows\.jsonl:1 r0: answer is 4; expected a string"):
        build_tree(write(tmp_path / "b", {"answer": 4}, {"answer": "B"}), tmp_path / "tree")
    assert not (tmp_path / "tree").exists()


@pytest.mark.slow
def test_data_10_several_jobs_may_unpack_the_same_tree(hub: Client, tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    build_tree(make_mini(tmp_path / "mini", 1), tmp_path / "tree")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: hub.provise("benchmark", "show", str(tmp_path / "tree"), "--json"), range(4)))
    assert {json.loads(done.stdout)["digest"] for done in found} == {open_benchmark(tmp_path / "mini").digest}
    (home,) = (hub.home / "provise").glob("hub-*/trees")
    assert len([path for path in home.iterdir() if path.is_dir()]) == 1


def test_data_11_fields_with_image_in_their_name_come_through(tmp_path: Path) -> None:
    metadata = json.dumps({"image_size": [96, 80], "image_id": 7, "n_images": 1, "images": ["p0.png"]})
    build_tree(write(tmp_path / "b", {"metadata_json": metadata}), tmp_path / "tree")
    (sample,) = open_benchmark(tmp_path / "tree").samples
    assert sample.image_path == "p0.png"
    assert sample.metadata == json.loads(metadata)
