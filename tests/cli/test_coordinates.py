"""Points of a text model through the command line: as declared for the run or the row, never guessed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.drawing import photo, png

SIZE = (400, 200)
TARGET = [300, 50]
"""Centre of the target in pixels of the source; at (.75, .25) in shares."""


def provise(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "provise", *args], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("bench")
    (root / "photo.png").write_bytes(png(photo(3, SIZE)))
    mask = np.zeros(SIZE[::-1], np.uint8)
    mask[TARGET[1] - 8 : TARGET[1] + 8, TARGET[0] - 8 : TARGET[0] + 8] = 255
    (root / "mask.png").write_bytes(png(mask))
    base = {
        "image_path": "photo.png", "media_paths": ["photo.png"], "mask_path": "mask.png", "question": "Where is it?",
        "answer": "mask.png", "answer_type": "mask", "choices": [], "source": "x", "metadata_json": "{}",
    }  # fmt: skip
    path = {"mask_path": "", "answer": "[(0.1, 0.2), (0.5, 0.2), (0.5, 0.9)]", "answer_type": "path"}
    start = {"metadata_json": '{"start": [0.1, 0.2]}'}
    rows = [
        {**base, "id": "g1", "source_id": "g1", "capability": "understanding", "task": "grounding"},
        {**base, "id": "a1", "source_id": "a1", "capability": "interaction", "task": "affordance"},
        {**base, **path, **start, "id": "t1", "source_id": "t1", "capability": "interaction", "task": "trajectory"},
    ]
    (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return root


def score(benchmark: Path, out: Path, texts: list[dict[str, Any]], *args: str) -> dict[str, dict[str, Any]]:
    """Score texts; return the written rows by sample, and the run itself as ``run``."""
    out.mkdir()
    (out / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in texts))
    done = provise("score", "-b", str(benchmark), "-r", str(out / "answers.jsonl"), "-o", str(out / "run"), *args)
    assert "Traceback" not in done.stderr, done.stderr
    rows = [json.loads(line) for line in (out / "run" / "samples.jsonl").read_text().splitlines()]
    return {**{row["id"]: row for row in rows}, "run": json.loads((out / "run" / "run.json").read_text())}


@pytest.mark.parametrize(
    ("args", "scale", "used"),
    [
        ((), (1, 1), {"scale": "1", "order": "xy"}),
        (("--coordinates", "100"), (100, 100), {"scale": "100", "order": "xy"}),
        (("--coordinates", "1000"), (1000, 1000), {"scale": "1000", "order": "xy"}),
        (("--coordinates", "1000", "--order", "yx"), (1000, 1000), {"scale": "1000", "order": "yx"}),
        (("--coordinates", "pixel"), SIZE, {"scale": "pixel", "order": "xy", "size": list(SIZE)}),
        (
            ("--coordinates", "pixel", "--order", "yx", "--seen-size", "1024x768"),
            (1024, 768),
            {"scale": "pixel", "order": "yx", "size": [1024, 768]},
        ),
    ],
)
def test_a_run_declares_how_points_are_written(
    benchmark: Path, tmp_path: Path, args: tuple[str, ...], scale: tuple[int, int], used: dict[str, Any]
) -> None:
    def written(*points: tuple[float, float]) -> str:
        pairs = [(x * scale[0], y * scale[1])[:: -1 if used["order"] == "yx" else 1] for x, y in points]
        return ", ".join(f"({a:g}, {b:g})" for a, b in pairs)

    texts = [
        {"id": "g1", "text": f"The point is {written((0.75, 0.25))}."},
        {"id": "a1", "text": f"[{written((0.75, 0.25), (0.74, 0.26))}]"},
        {"id": "t1", "text": f"[{written((0.1, 0.2), (0.5, 0.2), (0.5, 0.9))}]"},
    ]
    found = score(benchmark, tmp_path / "out", texts, *args)
    assert [found[name]["score"] for name in ("g1", "a1", "t1")] == [1, 1, 1], found
    assert found["g1"]["prediction"] == pytest.approx([0.75, 0.25])
    assert found["t1"]["geometry"] == {"coordinates": used}
    declared = found["run"]["coordinates"]
    assert (declared["scale"], declared["order"]) == (used["scale"], used["order"])
    assert declared["seen_size"] == ([1024, 768] if "--seen-size" in args else None)


def test_a_row_declares_its_own_and_the_run_speaks_for_the_others(benchmark: Path, tmp_path: Path) -> None:
    texts = [
        {"id": "g1", "text": "(192, 768)", "coordinates": {"scale": "pixel", "order": "yx", "seen_size": [1024, 768]}},
        {"id": "a1", "text": "(75, 25)", "coordinates": 100},
        {"id": "t1", "text": "[(100, 200), (500, 200), (500, 900)]"},
    ]
    found = score(benchmark, tmp_path / "out", texts, "--coordinates", "1000")
    assert [found[name]["score"] for name in ("g1", "a1", "t1")] == [1, 1, 1], found
    assert found["a1"]["geometry"]["coordinates"] == {"scale": "100", "order": "xy"}


def test_nothing_is_guessed_from_the_numbers(benchmark: Path, tmp_path: Path) -> None:
    texts = [
        {"id": "g1", "text": "(300, 50)"},
        {"id": "a1", "text": "(0.75, 0.25)"},
        {"id": "t1", "text": "[(0.1, 0.2), (0.5, 0.9)]"},
    ]
    undeclared = score(benchmark, tmp_path / "one", texts)
    assert (undeclared["g1"]["outcome"], undeclared["g1"]["reason"]) == ("protocol_noncompliance", "out_of_range")
    pixels = score(benchmark, tmp_path / "two", texts, "--coordinates", "pixel")
    # Shares that are read as pixels lie in the first pixel: wrong as declared, not quietly put right.
    assert (pixels["g1"]["score"], pixels["a1"]["score"]) == (1, 0)


def test_a_folder_of_texts_is_read_as_declared(benchmark: Path, tmp_path: Path) -> None:
    (tmp_path / "g1.txt").write_text("750, 250")
    args = ("--tasks", "grounding", "--coordinates", "1000", "--json")
    done = provise("score", "-b", str(benchmark), "-r", str(tmp_path), *args)
    assert json.loads(done.stdout)["overall"]["score"] == 100


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--coordinates", "512"), "allowed are 1, 100, 1000, pixel"),
        (("--coordinates", "pixels"), "allowed are 1, 100, 1000, pixel"),
        (("--order", "wh"), "allowed are xy and yx"),
        (("--coordinates", "pixel", "--seen-size", "1024"), "WIDTHxHEIGHT"),
        (("--coordinates", "1000", "--seen-size", "1024x768"), "goes with pixel alone"),
    ],
)
def test_a_wrong_declaration_of_a_run_is_one_message(
    benchmark: Path, tmp_path: Path, args: tuple[str, ...], words: str
) -> None:
    (tmp_path / "g1.txt").write_text("750, 250")
    done = provise("score", "-b", str(benchmark), "-r", str(tmp_path), *args)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_declaration_of_a_row_is_named_with_its_line(benchmark: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "a1", "text": "(0.75, 0.25)"}\n{"id": "g1", "text": "(750, 250)", "coordinates": 512}\n')
    done = provise("score", "-b", str(benchmark), "-r", str(answers), "--tasks", "grounding,affordance")
    assert done.returncode == 1
    assert "answers.jsonl:2" in done.stderr
    assert "allowed are 1, 100, 1000, pixel" in done.stderr
