"""How much faster a folder of answers is scored on two cores than on one, through the command itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import cv2
from scenes import CASES, N_SCENES, scene

__all__ = ["BAR", "SAMPLES", "cores", "write_folder"]

BAR = 1.7
"""Least gain of a second core."""

TASKS = {"counting, 50 marks": ("counting", 50), "point marker": ("grounding", None)}
"""Cases whose answers are scored, with the task that is read so and the truth; None is a mask that holds the point."""

CAPABILITY = {"counting": "perception", "grounding": "interaction"}

SAMPLES = 320
"""Answers: two thirds of a whole benchmark."""


def cores(folder: Path, repeats: int = 2) -> tuple[float, float]:
    """Return the seconds that ``provise score`` takes on one core and on two, the best of a few repeats in turn.

    Parameters
    ----------
    folder : Path
        Empty; a benchmark of 320 samples of 1024x1024 and its answers are written there.
    repeats : int
        Runs of each.
    """
    write_folder(folder, SAMPLES)
    times: dict[int, list[float]] = {1: [], 2: []}
    for turn in range(repeats):
        for jobs in times:
            out = folder / f"run-{jobs}-{turn}"
            command = ["score", "--benchmark", folder, "--responses", folder / "responses.jsonl", "--jobs", jobs]
            command += ["--out", out, "--no-evidence", "--tasks", "counting,grounding"]
            began = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "provise", *map(str, command)],
                capture_output=True,
                text=True,
                check=False,
                preexec_fn=_on_one_core if jobs == 1 else None,
            )
            times[jobs].append(time.perf_counter() - began)
            if done.returncode:
                raise SystemExit(f"provise score failed: {done.stdout[-500:]} {done.stderr[-500:]}")
            _check(out)
    return min(times[1]), min(times[2])


def _on_one_core() -> None:
    """Keep this process to one core: OpenCV's own threads would take the other one as well."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _check(out: Path) -> None:
    score = json.loads((out / "summary.json").read_text(encoding="utf-8"))["overall"]["score"]
    if score != 100.0:
        raise SystemExit(f"the folder's answers are all right, but scored {score}: a quick refusal is no quick reading")


def write_folder(folder: Path, samples: int) -> None:
    """Write a benchmark of so many samples and right answers to it: ``samples.jsonl``, ``responses.jsonl``, ``media/``."""
    (folder / "media").mkdir(parents=True)
    mask = folder / "media" / "mask.png"
    rows, responses = [], []
    cases = [case for case in CASES if case.label in TASKS]
    for i in range(samples):
        case = cases[i % len(cases)]
        task, truth = TASKS[case.label]
        source = scene(i % N_SCENES, case.colour)
        answer = source.copy()
        case.draw(answer)
        shown = f"media/source-{i % (N_SCENES * len(cases))}.png"  # a photo serves many questions
        for name, picture in ((shown, source), (f"media/answer-{i}.png", answer)):
            if not (folder / name).exists():
                cv2.imwrite(str(folder / name), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
        if truth is None and not mask.exists():
            inside = cv2.circle(source[..., 0] * 0, (300, 340), 40, 255, -1)
            cv2.imwrite(str(mask), inside)
        rows.append(_row(i, shown, task, truth))
        responses.append({"id": f"s{i}", "image": f"media/answer-{i}.png"})
    for name, entries in (("samples.jsonl", rows), ("responses.jsonl", responses)):
        text = "".join(json.dumps(entry) + "\n" for entry in entries)
        (folder / name).write_text(text, encoding="utf-8")


def _row(i: int, source: str, task: str, truth: int | None) -> dict[str, object]:
    return {
        "id": f"s{i}",
        "capability": CAPABILITY[task],
        "task": task,
        "image_path": source,
        "media_paths": [source],
        "mask_path": "" if truth else "media/mask.png",
        "question": "How many are there?" if truth else "Point at the thing on the left.",
        "answer": str(truth) if truth else "media/mask.png",
        "answer_type": "integer" if truth else "mask",
        "choices": [],
        "source": "bench",
        "source_id": str(i),
        "metadata_json": "{}",
    }
