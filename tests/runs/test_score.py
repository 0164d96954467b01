"""A run in one's own program: nothing that was done before it may make it hang."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from provise.sample import Sample
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
    # Its lines stand at the top level, as a newcomer writes them: with another start method workers would repeat them.
    program = program.replace(
        "import os, sys\n", "import os, sys, multiprocessing\nmultiprocessing.set_start_method('spawn')\n"
    )
    (folder / "program.py").write_text(program)
    # Hangs, and is ended, where workers are forked beside OpenCV's threads.
    done = subprocess.run(
        [sys.executable, str(folder / "program.py"), str(folder)],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.stdout.split() == ["100.0", "4"], done.stderr


def test_every_row_tells_its_truth_also_where_a_mask_holds_it(tmp_path: Path) -> None:
    from provise.protocol.route import open_route
    from provise.runs.responses import Responses
    from provise.runs.score import score_responses
    from provise.scoring import Response

    (tmp_path / "s.png").write_bytes(png(photo(6, (200, 150))))
    (tmp_path / "masks").mkdir()
    mask = np.zeros((150, 200), np.uint8)
    mask[40:80, 60:120] = 255
    (tmp_path / "masks" / "cup.png").write_bytes(png(mask))

    def row(name: str, answer: str, mask_path: str = "masks/cup.png") -> Sample:
        base = {"capability": "understanding", "task": "grounding", "image_path": "s.png", "question": "The cup?"}
        return Sample.from_row({"id": name, "answer": answer, "mask_path": mask_path, **base}, root=tmp_path)

    polygon = "[[0.1, 0.1], [0.5, 0.1], [0.5, 0.5]]"
    samples = [row("blank", " "), row("both", polygon), row("polygon", polygon, ""), row("missing", "")]
    answers = Responses({name: Response(text="(0.45, 0.4)") for name in ("blank", "both", "polygon")})
    rows = score_responses(samples, answers, open_route("spatialgen-bench"), jobs=1).rows
    assert [r.truth for r in rows] == ["masks/cup.png", "masks/cup.png", polygon, "masks/cup.png"]
    assert rows[0].outcome == "correct"


def test_a_run_written_again_leaves_no_picture_of_the_former_one(folder: Path) -> None:
    from provise.benchmark import open_benchmark
    from provise.protocol.route import open_route
    from provise.runs.responses import open_responses
    from provise.runs.score import score_responses, write_run

    samples = open_benchmark(folder).samples
    answers = open_responses(folder / "answers", [sample.id for sample in samples])
    out = folder / "run"

    def run(chosen: list[Sample], evidence: bool) -> list[str]:
        where = out / "evidence" if evidence else None
        write_run(score_responses(chosen, answers, open_route("spatialgen-bench"), jobs=1, evidence=where), out)
        return sorted(path.name for path in (out / "evidence").iterdir())

    assert run(list(samples[:4]), True) == ["q0.jpg", "q1.jpg", "q2.jpg", "q3.jpg"]
    (out / "evidence" / "mine.jpg").write_bytes(b"a file of one's own")
    assert run(list(samples[2:5]), True) == ["mine.jpg", "q2.jpg", "q3.jpg", "q4.jpg"]
    assert run(list(samples[2:5]), False) == ["mine.jpg"]
    outside = folder / "keep.jpg"
    outside.write_bytes(b"x")
    (out / "samples.jsonl").write_text(json.dumps({"details": {"evidence": "evidence/../../keep.jpg"}}) + "\n3\n")
    assert run(list(samples[:1]), True) == ["mine.jpg", "q0.jpg"]
    assert outside.exists()
