"""Run folders of many systems, made without running anything: what a large report has to hold."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from provise.analysis.intervals import summarise_with_intervals
from provise.benchmark import open_benchmark
from provise.scoring import OUTCOMES, Row

__all__ = ["make_benchmark", "make_run"]

TASKS = {
    "perception": ("counting", "depth", "orientation", "size"),
    "understanding": ("relationship", "perspective", "mental_modeling", "grounding"),
    "reasoning": ("multihop", "prediction", "feasibility"),
    "interaction": ("affordance", "navigation", "trajectory"),
}
REASONS = {"protocol_noncompliance": "blank", "parser_failure": "parser_failure", "generation_failure": "no_image"}


def make_benchmark(root: Path, samples: int, *, size: tuple[int, int] = (160, 120)) -> Path:
    """Write a benchmark of 14 tasks, as equal in size as they can be."""
    root.mkdir(parents=True)
    places = [(task, capability) for capability, tasks in TASKS.items() for task in tasks]
    rows = []
    for i in range(samples):
        task, capability = places[i * len(places) // samples]
        name = f"{task}-{i:04d}"
        (root / f"{name}.jpg").write_bytes(picture(i, size))
        rows.append({
            "id": name, "task": task, "capability": capability, "image_path": f"{name}.jpg",
            "media_paths": [f"{name}.jpg"], "answer": "AB"[i % 2], "answer_type": "choice", "choices": ["left", "right"],
            "question": f"Question {i}: which of the two is it?", "mask_path": "", "source": "made", "source_id": name,
            "metadata_json": "{}",
        })  # fmt: skip
    (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return root


def make_run(folder: Path, benchmark: Path, seed: int, *, size: tuple[int, int] = (160, 120), **about: Any) -> Path:
    """Write a run over it: every answer a picture of its own, outcomes drawn with the seed."""
    opened = open_benchmark(benchmark)
    for part in ("responses", "evidence"):
        (folder / part).mkdir(parents=True)
    draw = np.random.default_rng(seed)
    chances = np.array([0.2 + 0.025 * (seed % 20), 0.25, 0.15, 0.03, 0.05])
    rows = []
    for i, sample in enumerate(opened.samples):
        outcome = str(draw.choice(OUTCOMES, p=chances / chances.sum()))
        base = {"task": sample.task, "capability": sample.capability, "truth": sample.answer, "protocol": "made"}
        extra: dict[str, Any] = {}
        if outcome != "generation_failure":
            answer = picture(1000 * seed + i, size)
            digest = hashlib.sha256(answer).hexdigest()
            (folder / "responses" / f"{digest}.jpg").write_bytes(answer)
            evidence = cv2.imdecode(np.frombuffer(answer, np.uint8), cv2.IMREAD_COLOR)
            cv2.circle(evidence, (size[0] // 2, size[1] // 2), 9, (20, 20, 230), 2)
            (folder / "evidence" / f"{sample.id}.jpg").write_bytes(cv2.imencode(".jpg", evidence)[1].tobytes())
            extra = {"response": digest, "reader": "deterministic", "geometry": {"source_size": list(size)},
                     "details": {"evidence": f"evidence/{sample.id}.jpg"}}  # fmt: skip
        if outcome in REASONS:
            extra |= {"reason": REASONS[outcome], "message": f"no prediction in answer {i} of system {seed}"}
        else:
            extra["prediction"] = sample.answer if outcome == "correct" else "C"
        right = outcome == "correct"
        rows.append(Row(sample.id, outcome=outcome, score=float(right), correct=right, **base, **extra))
    write_run_files(folder, rows, {
        "benchmark": opened.name, "root": str(opened.root), "digest": opened.digest, "route": "made",
        "fingerprints": {task: hashlib.sha256(task.encode()).hexdigest() for tasks in TASKS.values() for task in tasks},
        "system": {"kind": "made", "name": f"system-{seed:02d}", "settings": {}}, "interface": "image", "needs_truth": False,
        **about,
    })  # fmt: skip
    return folder


def write_run_files(folder: Path, rows: list[Row], about: dict[str, Any]) -> None:
    """Write the three files of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "samples.jsonl").write_text("".join(json.dumps(row.to_dict()) + "\n" for row in rows))
    (folder / "summary.json").write_text(json.dumps(summarise_with_intervals(rows)))
    (folder / "run.json").write_text(json.dumps({"provise": "0.1.0", **about}))


def picture(seed: int, size: tuple[int, int]) -> bytes:
    """Draw a picture with about the detail of a photo: soft grounds, shapes, some grain."""
    draw = np.random.default_rng(seed)
    w, h = size
    ground = cv2.resize(draw.integers(30, 220, (4, 5, 3)).astype(np.uint8), size, interpolation=cv2.INTER_CUBIC)
    for _ in range(14):
        centre = (int(draw.integers(0, w)), int(draw.integers(0, h)))
        colour = tuple(int(c) for c in draw.integers(0, 255, 3))
        cv2.ellipse(ground, centre, (int(draw.integers(4, w // 5)), int(draw.integers(3, h // 5))), float(draw.integers(0, 180)),
                    0, 360, colour, -1, cv2.LINE_AA)  # fmt: skip
    grain = draw.normal(0, 6, (h, w, 1))
    grainy = np.clip(ground + grain, 0, 255).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", grainy, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())
