"""Real questions and real answers of image models."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from provise.benchmark import open_benchmark
from provise.coordinates import pixel_of
from provise.image import Picture, decode
from provise.loader import build_benchmark
from provise.metrics import point_in_mask
from provise.protocol import open_protocol
from provise.protocol.route import open_route
from provise.reading import read
from provise.runs.responses import open_responses
from provise.runs.score import score_responses
from provise.scoring import Response, score_response
from provise.target_mask import read_mask
from tests.drawing import CYAN, png

pytestmark = pytest.mark.real


def test_the_published_answers(real_data: Path) -> None:
    benchmark = open_benchmark(real_data / "examples")
    handed = open_responses(real_data / "examples" / "responses.jsonl", [s.id for s in benchmark.samples])
    run = score_responses(
        benchmark.samples, handed, open_route("spatialgen-bench", ["state_matching.encoder=descriptor"]), jobs=1
    )
    rows = {row.id.removeprefix("example_"): row for row in run.rows}
    read_as = {name: row.prediction for name, row in rows.items() if row.prediction is not None}
    assert read_as == {
        "counting": 8, "depth": "B", "relationship": True, "perspective": "back",
        "prediction": {"index": 4, "count": 7}, "navigation": "C",
    }  # fmt: skip
    assert all(rows[name].outcome == "correct" for name in read_as)
    assert rows["navigation"].reader == "deterministic:descriptor"
    for name in ("mental_modeling", "multihop"):
        assert rows[name].outcome == "protocol_noncompliance"
    assert [row.id for row in run.incomplete] == ["example_affordance", "example_trajectory", "example_trajectory_2"]


@pytest.fixture(scope="module")
def roboafford(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import os

    real = Path(os.environ.get("PROVISE_REAL", Path(__file__).parents[1].parent / "shared" / "real"))
    if not (real / "roboafford").is_dir():
        pytest.skip(f"no real data at {real}: set PROVISE_REAL")
    out = tmp_path_factory.mktemp("roboafford") / "bench"
    build_benchmark("roboafford", real / "roboafford", out)
    return out


@pytest.mark.slow
def test_targets_as_answers_score_one_and_photos_are_refused(roboafford: Path) -> None:
    benchmark = open_benchmark(roboafford)
    assert len(benchmark.samples) == 193
    protocol = open_protocol("region_mask")
    for sample in benchmark.samples:
        mask, photo = roboafford / sample.mask_path, roboafford / sample.image_path
        row, _ = score_response(sample, Response(image=mask), protocol)
        assert (row.score, row.outcome) == (1.0, "correct"), row
        row, _ = score_response(sample, Response(image=photo), protocol)
        assert (row.score, row.outcome) == (0.0, "protocol_noncompliance"), row


@pytest.mark.slow
def test_the_largest_disc_in_a_target_is_read_back(roboafford: Path) -> None:
    missed = []
    for sample in open_benchmark(roboafford).samples:
        source = decode(roboafford / sample.image_path)
        target = read_mask(roboafford / sample.mask_path, source.size)
        depth = cv2.distanceTransform(np.pad(target.astype(np.uint8), 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
        y, x = np.unravel_index(int(depth.argmax()), depth.shape)
        radius = min(15, int(depth[y, x]) - 1)
        if radius < 3:
            continue
        answer = source.rgb.copy()
        cv2.circle(answer, (int(x), int(y)), radius, CYAN, -1)
        found = read("point_marker", png(answer), source=Picture(source.rgb))
        if not found.ok:
            missed.append((sample.id, found.reason))
            continue
        px, py = pixel_of(found.prediction[0], 640), pixel_of(found.prediction[1], 480)
        assert max(abs(px - x), abs(py - y)) <= 1, (sample.id, px, py, x, y)
        assert point_in_mask(found.prediction, target) == 1
    assert missed == [], json.dumps(missed)
