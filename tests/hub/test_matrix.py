"""The dataset as its page promises: every config, from a folder, the Hub, streamed and offline, without a line of its code run.

Whatever version of `datasets` this runs in is tested; CI runs it in two (see .ci/run).
"""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import datasets
import pytest
from PIL import Image

from provise.benchmark import Benchmark, open_benchmark
from provise.hub.pictures import picture_names
from provise.hub.tree import build_tree
from provise.sample import FIELDS
from tests.hub.conftest import ROOT, Client
from tests.hub.load_all import pixels
from tests.mini import make_mini

SCRIPTS = int(datasets.__version__.split(".")[0]) < 4
REPOSITORY = "provise/SpatialGen-Bench"
COLUMNS = {
    **dict.fromkeys(FIELDS, "string"), "media_paths": ["string"], "choices": ["string"], "media": ["image"], "mask": "image"
}  # fmt: skip
PROGRAM = Path(__file__).with_name("load_all.py")


def shown(benchmark: Benchmark) -> list[dict[str, Any]]:
    """Return what the rows should hold, from the benchmark folder itself."""

    def picture(sample: Any, name: str) -> str:
        return pixels(Image.open(io.BytesIO(benchmark.media(sample, name).read_bytes())))

    return [
        {
            **sample.to_row(),
            "media": [picture(sample, name) for name in picture_names(sample)],
            "mask": picture(sample, sample.mask_path) if sample.mask_path else None,
        }
        for sample in benchmark.samples
    ]


def check(client: Client, how: str, source: str, expected: list[dict[str, Any]], **more: str) -> None:
    """Load every config in one process and hold it to the benchmark's rows."""
    configs = ["all", *dict.fromkeys(row["task"] for row in expected)]
    done = client.python(PROGRAM.read_text(), how, source, *configs, **more)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["version"] == datasets.__version__
    for config in configs:
        assert found["configs"][config]["columns"] == COLUMNS, config
        rows = {row["id"]: row for row in found["configs"][config]["rows"]}
        assert rows == {row["id"]: row for row in expected if config in ("all", row["task"])}, config


@pytest.fixture
def mini(tmp_path: Path) -> tuple[Path, list[dict[str, Any]]]:
    """A small tree, and the rows it was made of."""
    opened = open_benchmark(make_mini(tmp_path / "mini", 1))
    build_tree(opened, tmp_path / "tree")
    return tmp_path / "tree", shown(opened)


def test_every_config_of_a_small_tree_loads_from_its_folder(
    hub: Client, mini: tuple[Path, list[dict[str, Any]]]
) -> None:
    check(hub, "mapped", str(mini[0]), mini[1])


@pytest.mark.slow
def test_every_config_of_the_repository_loads_everywhere(hub: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVISE_CACHE", str(hub.home / "own"))
    tree = ROOT / "dataset_script"
    expected = shown(open_benchmark(tree))
    assert len(expected) == 56
    shutil.copytree(tree, hub.hub.root / "datasets" / REPOSITORY, ignore=shutil.ignore_patterns("__pycache__"))
    check(hub, "mapped", str(tree), expected)
    check(hub, "streamed", str(tree), expected)
    check(hub, "mapped", REPOSITORY, expected)
    check(hub, "streamed", REPOSITORY, expected)
    assert not any(".py" in request for request in hub.hub.log if request.startswith("GET /datasets"))
    # Everything was fetched; from here on any request is an error.
    hub.hub.heal()
    hub.hub.fail(".", 500)
    check(hub, "mapped", REPOSITORY, expected, HF_HUB_OFFLINE="1")
    check(hub, "streamed", REPOSITORY, expected, HF_HUB_OFFLINE="1")
    assert hub.hub.log == []


@pytest.mark.slow
def test_the_builder_class_gives_the_same(hub: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVISE_CACHE", str(hub.home / "own"))
    folder = shutil.copytree(ROOT / "dataset_script", hub.home / "copy")
    expected = shown(open_benchmark(folder))
    check(hub, "class", str(folder), expected)
    check(hub, "class-streamed", str(folder), expected)
    if SCRIPTS:
        check(hub, "script", str(folder), expected)
        check(hub, "script-streamed", str(folder), expected)


@pytest.mark.slow
def test_a_pushed_tree_loads_under_the_name_it_was_pushed_to(
    hub: Client, mini: tuple[Path, list[dict[str, Any]]]
) -> None:
    done = hub.provise("benchmark", "push", str(mini[0]), "--to", "somebody/Some.Bench-2")
    assert done.returncode == 0, done.stderr
    check(hub, "mapped", "somebody/Some.Bench-2", mini[1])
    check(hub, "streamed", "somebody/Some.Bench-2", mini[1])
