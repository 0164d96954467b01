"""The repository that is pushed is what ``make dataset`` makes of the drawn scenes today."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from provise.benchmark import open_benchmark
from provise.benchmark.tasks import TASKS
from provise.hub.push import check_tree
from provise.hub.tree import build_tree
from provise.image import decode
from provise.synth.build import build_synth
from tests.hub.conftest import ROOT

TREE = ROOT / "dataset_script"
LIMIT = 6_000_000


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVISE_CACHE", str(tmp_path / "cache"))


def test_it_is_sound_small_and_has_four_of_each_task() -> None:
    files = [path for path in TREE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(path.stat().st_size for path in files) < LIMIT
    assert check_tree(TREE, "provise/SpatialGen-Bench").ok
    opened = open_benchmark(TREE)
    assert {task: sum(sample.task == task for sample in opened.samples) for task in TASKS} == dict.fromkeys(TASKS, 4)
    assert (opened.name, opened.route) == ("synth", "synth")
    assert opened.digest in (TREE / "README.md").read_text()


@pytest.mark.slow
def test_it_is_what_the_package_draws_today(tmp_path: Path) -> None:
    build_synth(tmp_path / "synth", 4)
    drawn, kept = open_benchmark(tmp_path / "synth"), open_benchmark(TREE)
    assert [sample.to_row() for sample in drawn.samples] == [sample.to_row() for sample in kept.samples], (
        "run make dataset"
    )
    for sample in drawn.samples:
        for name in filter(None, (*sample.media_paths, sample.mask_path)):
            one, two = (decode(opened.media(sample, name).read_bytes()).rgb for opened in (drawn, kept))
            assert np.array_equal(one, two), f"{name}: run make dataset"
    # Packed bytes may differ with the version of the packer, so the digest alone is left out of the comparison.
    build_tree(kept, tmp_path / "again", repository="provise/SpatialGen-Bench", shrunk=True)
    for name in ("README.md", "benchmark.yaml", "spatialgen_bench.py"):
        one, two = (re.sub(r"[0-9a-f]{64}", "", (folder / name).read_text()) for folder in (TREE, tmp_path / "again"))
        assert one == two, f"{name}: run make dataset"
