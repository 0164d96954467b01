"""A run in one's own program: nothing that was done before it may make it hang."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.drawing import GREEN, photo, png, star


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ten counting questions over one photo, and an answer of three stars to each."""
    source = photo(5, (320, 240))
    (tmp_path / "s.png").write_bytes(png(source))
    for x in (60, 160, 260):
        star(source, x, 120, 12, GREEN)
    rows = [
        {"id": f"q{i}", "task": "counting", "image_path": "s.png", "question": "?", "answer": "3"} for i in range(10)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "answers").mkdir()
    for row in rows:
        (tmp_path / "answers" / f"{row['id']}.png").write_bytes(png(source))
    return tmp_path


def test_a_program_that_has_read_a_picture_may_score_a_folder_on_two_cores(folder: Path) -> None:
    program = """
import os, sys
import cv2, numpy as np, provise
os.chdir(sys.argv[1])
cv2.setNumThreads(4)
cv2.GaussianBlur(np.zeros((1500, 1500, 3), np.uint8), (0, 0), 3)
assert provise.read("instance_marking", "answers/q0.png", source="s.png").prediction == 3
benchmark = provise.open_benchmark(".")
answers = provise.open_responses("answers", [sample.id for sample in benchmark.samples])
run = provise.score(benchmark.samples, answers, provise.open_route("spatialgen-bench"), jobs=2)
print(run.summary["overall"]["score"], cv2.getNumThreads())
"""
    # Hangs, and is ended, where workers are forked beside OpenCV's threads.
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)], capture_output=True, text=True, timeout=90, check=False
    )
    assert done.stdout.split() == ["100.0", "4"], done.stderr
