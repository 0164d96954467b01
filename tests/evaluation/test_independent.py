"""The modules' numbers against independent implementations, on a thousand random cases each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from provise.evaluation import compute, module_info, module_names
from provise.image import encode_png
from provise.synth.build import build_synth

pytestmark = pytest.mark.slow

CASES = 1000


def _rows(task: str, answers: list[str], **others: Any) -> list[dict[str, Any]]:
    return [
        {"id": f"{task}-{i}", "capability": "any", "task": task, "image_path": f"{i}.png", "answer": answer, **others}
        for i, answer in enumerate(answers)
    ]


def test_counts_agree_with_scikit_learn() -> None:
    from sklearn.metrics import accuracy_score

    random = np.random.default_rng(1)
    truths, said = random.integers(0, 9, CASES), random.integers(0, 9, CASES)
    found = compute(
        [f"There are {n}." for n in said], _rows("counting", [str(n) for n in truths], answer_type="integer")
    )
    assert found["overall"]["score"] == pytest.approx(100 * accuracy_score(truths, said), abs=1e-12)


def test_choices_agree_with_scikit_learn() -> None:
    from sklearn.metrics import accuracy_score

    random = np.random.default_rng(2)
    truths, said = random.choice(list("ABCD"), CASES), random.choice(list("ABCD"), CASES)
    rows = _rows("multihop", list(truths), answer_type="choice", choices=["a cup", "a pot", "a car", "a dog"])
    found = compute([f"({letter})" for letter in said], rows)
    assert found["overall"]["score"] == pytest.approx(100 * accuracy_score(truths, said), abs=1e-12)


def test_trajectories_agree_with_shapely() -> None:
    import shapely

    random = np.random.default_rng(3)
    truths, said = [], []
    for _ in range(CASES):
        path = np.clip(np.cumsum(random.normal(0, 0.07, (random.integers(3, 12), 2)), axis=0) + 0.5, 0, 1)
        other = np.clip(path + random.normal(0, random.choice([0.02, 0.25]), path.shape), 0, 1)
        truths.append(np.round(path, 4).tolist())
        said.append(np.round(other, 4).tolist())
    rows = _rows("trajectory", [json.dumps(path) for path in truths], answer_type="path")
    found = compute([str([tuple(point) for point in path]) for path in said], rows, per_sample=True)
    expected = [
        shapely.frechet_distance(shapely.LineString(a), shapely.LineString(b))
        for a, b in zip(truths, said, strict=True)
    ]
    # A path in words is taken as it was said: no points are added to it.
    measured = [sample["details"]["dfd"] for sample in found["samples"]]
    np.testing.assert_allclose(measured, expected, atol=1e-9)
    assert found["overall"]["score"] == pytest.approx(100 * np.mean(np.array(expected) < 0.4))


def test_drawn_masks_agree_with_pycocotools(tmp_path: Path) -> None:
    from pycocotools import mask as coco

    random, size = np.random.default_rng(4), 96
    photo = random.integers(0, 255, (size, size, 3), np.uint8)
    (tmp_path / "photo.png").write_bytes(encode_png(photo))

    def region() -> np.ndarray[Any, Any]:
        drawn = np.zeros((size, size), np.uint8)
        centre, axes = random.integers(25, 70, 2), random.integers(10, 24, 2)
        return np.asarray(
            cv2.ellipse(drawn, centre.tolist(), axes.tolist(), int(random.integers(180)), 0, 360, 255, -1)
        )

    rows, answers, expected = [], [], []
    for i in range(CASES):
        target, drawn = region(), region()
        (tmp_path / f"mask-{i}.png").write_bytes(encode_png(target > 0))
        rows.append(
            {"id": str(i), "capability": "interaction", "task": "affordance", "image_path": "photo.png", "answer": "",
             "answer_type": "mask", "mask_path": f"mask-{i}.png"}
        )  # fmt: skip
        answers.append(drawn)
        a, b = (coco.encode(np.asfortranarray((one > 0).astype(np.uint8))) for one in (drawn, target))
        expected.append(float(coco.area(coco.merge([a, b], intersect=True))) / float(coco.area(a)))
    found = compute(answers, rows, benchmark=tmp_path, per_sample=True)
    np.testing.assert_allclose([sample["score"] for sample in found["samples"]], expected, atol=1e-12)


def test_every_module_scores_drawn_answers_of_the_built_in_questions(tmp_path: Path) -> None:
    import evaluate

    import provise

    folder = tmp_path / "synth"
    build_synth(folder, 1, seed=5, level="easy")
    run = provise.run(folder, "draughtsman?accuracy=.6&seed=2", tmp_path / "run", evidence=False)
    answers = {row.id: next((tmp_path / "run/responses").glob(f"{row.response}.*")) for row in run.rows}
    samples = provise.open_benchmark(folder).samples
    for name in module_names():
        tasks = module_info(name).tasks
        chosen = [sample for sample in samples if not tasks or sample.task in tasks]
        metric = evaluate.load(str(Path(__file__).parents[2] / "metrics" / name))
        found = metric.compute(
            predictions=[answers[sample.id] for sample in chosen],
            references=[s.to_row() for s in chosen],
            benchmark=folder,
        )
        expected = run.summary["tasks"][tasks[0]] if tasks else run.summary["overall"]
        got = found if tasks else found["overall"]
        assert {key: got[key] for key in expected} == expected, name
