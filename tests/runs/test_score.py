"""A run in one's own program: nothing that was done before it may make it hang."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from provise.image import decode
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


@pytest.fixture
def answered(folder: Path) -> Path:
    """The questions with answers that all differ: three stars, and a dot of its own each."""
    for i in range(10):
        path = folder / "answers" / f"q{i}.png"
        picture = decode(path).rgb.copy()
        picture[i, i] = 255
        path.write_bytes(png(picture))
    return folder


def scored(folder: Path, *more: str, responses: str = "answers") -> subprocess.CompletedProcess[str]:
    args = ["score", "-b", str(folder), "-r", str(folder / responses), "-o", str(folder / "run"), "--tasks", "counting"]
    return subprocess.run(
        [sys.executable, "-m", "provise", *args, *more], capture_output=True, text=True, check=False, timeout=120
    )


def kept(folder: Path) -> set[str]:
    return {path.name for path in (folder / "run" / "responses").glob("*")}


def named(folder: Path) -> set[str]:
    rows = map(json.loads, (folder / "run" / "samples.jsonl").read_text().splitlines())
    return {f"{row['response']}.png" for row in rows}


def test_a_scored_folder_can_be_moved_and_still_shows_its_answers(answered: Path, tmp_path: Path) -> None:
    from provise.report import write_report

    done = scored(answered, "-j", "2")
    assert done.returncode == 0, done.stderr
    assert "evidence/, responses/" in done.stdout
    assert kept(answered) == named(answered)
    assert len(kept(answered)) == 10
    run = (answered / "run").rename(tmp_path / "elsewhere")
    shutil.rmtree(answered / "answers")
    written = write_report([run], benchmark=answered)
    assert written.notes == ()
    for path in (run / "responses").iterdir():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == path.stem


def test_copies_follow_the_answers_and_can_be_left_out(answered: Path) -> None:
    scored(answered)
    first = kept(answered)
    (answered / "answers" / "q3.png").write_bytes((answered / "answers" / "q4.png").read_bytes())
    (answered / "run" / "responses" / "ab.png.77.part").write_bytes(b"of a killed process")
    scored(answered)
    assert kept(answered) == named(answered)
    assert len(first - kept(answered)) == 1
    # What a killed or an earlier run holds may be the only copy: from there nothing is taken.
    rows = [{"id": f"q{i}", "image": f"run/responses/{sorted(kept(answered))[i]}"} for i in range(9)]
    (answered / "again.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    before = kept(answered)
    scored(answered, "--limit", "2", responses="again.jsonl")
    assert len(named(answered)) == 2
    assert kept(answered) == before
    scored(answered, "--no-evidence", "--limit", "2")
    assert not kept(answered) & named(answered)


def test_words_are_kept_too(folder: Path, tmp_path: Path) -> None:
    from provise.report import write_report
    from tests.report.test_page import Page

    for i in range(10):
        (folder / "answers" / f"q{i}.png").unlink()
        (folder / "answers" / f"q{i}.txt").write_text(f"I count {i}.")
    assert scored(folder).returncode == 0
    data = Page(write_report([folder / "run"]).page).data
    assert [data["texts"][row[9]] for row in data["rows"]] == [f"I count {i}." for i in range(10)]


def test_what_was_noted_is_in_the_run_and_in_its_report(answered: Path) -> None:
    from provise.report import write_report
    from tests.report.test_page import Page

    (answered / "answers" / "stranger.png").write_bytes((answered / "answers" / "q1.png").read_bytes())
    done = scored(answered)
    said = "answers/stranger.png: belongs to no sample of the benchmark"
    assert f"{answered}/{said}" in done.stderr
    about = json.loads((answered / "run" / "run.json").read_text())
    assert about["notes"] == [f"{answered}/{said}"]
    assert about["stand_ins"] == {}
    text = Page(write_report([answered / "run"]).page).text
    assert f"What the run noted {said}" in text
    assert str(answered) not in text


def test_a_stand_in_is_written_down_and_a_chosen_encoder_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from provise.protocol.route import open_route
    from provise.runs import readers
    from provise.runs.readers import with_readers

    monkeypatch.setattr(
        readers, "missing_reader", lambda p: "not here" if p.settings.get("encoder") != "descriptor" else ""
    )
    sample = Sample("n", "interaction", "navigation", "n.png")
    found = with_readers([sample], open_route("spatialgen-bench"))
    assert found.stand_ins == {"navigation": "clip-vit-b-32"}
    assert found.notes == [
        "navigation is read with the built-in descriptor, and never ranked with clip-vit-b-32: not here"
    ]
    assert with_readers([sample], open_route("synth")).stand_ins == {}
