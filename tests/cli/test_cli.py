"""The command line as a person meets it: output, exit codes, no traceback, no heavy import for help."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.drawing import GREEN, disc, photo, png


def provise(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "provise", *args], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("bench")
    rows = []
    (root / "answers").mkdir()
    for i in range(10):
        source = photo(i, (320, 240))
        (root / f"{i}.png").write_bytes(png(source))
        for k in range(i % 3 + 1):
            disc(source, 60 + 80 * k, 120, 12, GREEN)
        (root / "answers" / f"c{i}.png").write_bytes(png(source))
        rows.append(
            {
                "id": f"c{i}", "capability": "perception", "task": "counting", "image_path": f"{i}.png",
                "media_paths": [f"{i}.png"], "mask_path": "", "question": "How many?", "answer": str(i % 3 + 1),
                "answer_type": "integer", "choices": [], "source": "x", "source_id": f"c{i}", "metadata_json": "{}",
            }
        )  # fmt: skip
    (root / "rows.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return root


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['provise', '--help']\n"
        "from provise.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('HEAVY', [m for m in ('numpy', 'cv2', 'datasets', 'torch', 'pydantic', 'PIL') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "score" in done.stdout
    assert "HEAVY []" in done.stdout


def test_read_one_picture(tmp_path: Path) -> None:
    source, answer = photo(1), photo(1)
    disc(answer, 100, 100, 15, GREEN)
    (tmp_path / "s.png").write_bytes(png(source))
    (tmp_path / "a.png").write_bytes(png(answer))
    evidence = tmp_path / "e.jpg"
    args = ("read", str(tmp_path / "a.png"), "-p", "instance_marking", "-s", str(tmp_path / "s.png"))
    done = provise(*args, "--explain", "--evidence", str(evidence))
    assert done.returncode == 0, done.stderr
    assert "prediction  1" in done.stdout
    assert "marks" in done.stdout
    assert evidence.stat().st_size > 1000
    assert json.loads(provise(*args, "--json").stdout)["prediction"] == 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("read", "none.png", "-p", "fixed_slots"), "no such file"),
        (("protocol", "show", "fixed_slot"), "did you mean"),
        (("score", "-b", "nowhere", "-r", "nowhere"), "nowhere"),
    ],
)
def test_a_wrong_call_is_one_message(args: tuple[str, ...], words: str) -> None:
    done = provise(*args)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_score_writes_a_run_and_says_it_is_complete(benchmark: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = provise("score", "-b", str(benchmark), "-r", str(benchmark / "answers"), "-o", str(out))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "100.00" in done.stdout
    rows = [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]
    assert [r["id"] for r in rows] == [f"c{i}" for i in range(10)]
    assert {r["outcome"] for r in rows} == {"correct"}
    assert json.loads((out / "summary.json").read_text())["overall"]["score"] == 100
    assert len(list((out / "evidence").iterdir())) == 10
    again = tmp_path / "again"
    provise("score", "-b", str(benchmark), "-r", str(benchmark / "answers"), "-o", str(again), "-j", "1")
    for name in ("samples.jsonl", "summary.json"):
        assert (out / name).read_bytes() == (again / name).read_bytes()


def test_a_reader_that_is_not_installed_stops_a_run_before_it_starts(benchmark: Path, tmp_path: Path) -> None:
    """Nothing is read and nothing counts against the model; who wants the rest says so."""
    code = "import sys; sys.modules['open_clip'] = None; from provise.cli import main; main()"
    out = tmp_path / "run"
    more = ("--set", "counting=state_matching", "--set", "state_matching.encoder=clip-vit-b-32", "-o", str(out))
    call = [sys.executable, "-c", code, "score", "-b", str(benchmark), "-r", str(benchmark / "answers"), *more]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'pip install "provise[clip]"' in done.stderr
    assert not out.exists()
    done = subprocess.run([*call, "--skip-unreadable"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    rows = [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]
    assert {(r["error"], r["score"]) for r in rows} == {("unreadable", None)}


def test_a_missing_answer_leaves_the_run_incomplete(benchmark: Path, tmp_path: Path) -> None:
    (tmp_path / "c1.png").write_bytes((benchmark / "answers" / "c1.png").read_bytes())
    done = provise("score", "-b", str(benchmark), "-r", str(tmp_path), "--limit", "2")
    assert done.returncode == 1
    assert "INCOMPLETE: 1 of 2" in done.stdout
    zero = provise("score", "-b", str(benchmark), "-r", str(tmp_path), "--limit", "2", "--missing", "zero", "--json")
    assert zero.returncode == 0
    assert json.loads(zero.stdout)["tasks"]["counting"]["score"] == 50


def test_prompts_are_written_for_every_sample(benchmark: Path, tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    done = provise("prompts", "-b", str(benchmark), "-o", str(out))
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(rows) == 10
    assert rows[0]["images"] == ["0.png"]
    assert rows[0]["size"] == [320, 240]
    assert "RGB 0, 255, 0" in rows[0]["prompt"]


def test_the_catalogue_passes_its_own_check() -> None:
    from provise.resources import data_folder

    files = sorted(str(p) for p in (data_folder("protocols") / "catalogue").glob("*.yaml"))
    done = provise("protocol", "check", *files)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": ok") == len(files) == 14
    assert provise("doctor").returncode == 0


@pytest.mark.parametrize(
    "broken", ['{"id": "c1", ', '{"id": "c0", "task": "counting", "image_path": "0.png", "answer": "1"}']
)
def test_a_broken_or_repeated_row_of_the_benchmark_leaves_the_run_incomplete(
    benchmark: Path, tmp_path: Path, broken: str
) -> None:
    rows = (benchmark / "rows.jsonl").read_text().splitlines()[:3]
    for i in range(3):
        (tmp_path / f"{i}.png").write_bytes((benchmark / f"{i}.png").read_bytes())
    (tmp_path / "rows.jsonl").write_text("\n".join([*rows, broken]) + "\n")
    done = provise("score", "-b", str(tmp_path), "-r", str(benchmark / "answers"), "-o", str(tmp_path / "run"))
    assert done.returncode == 1, done.stdout
    assert "INCOMPLETE" in done.stdout
    assert "rows.jsonl:4" in done.stderr
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["overall"]["score"] is None
    assert summary["tasks"]["counting"]["score"] == 100
    assert [item["kind"] for item in summary["incomplete"]] == ["data_error"]


def test_a_file_where_the_run_should_go_is_one_message(benchmark: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    done = provise("score", "--benchmark", str(benchmark), "--responses", str(tmp_path), "--out", str(taken))
    assert done.returncode == 2
    assert "is a file; expected a folder" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("verb", ["score", "prompts", "read"])
def test_a_place_that_cannot_be_written_is_one_message(benchmark: Path, tmp_path: Path, verb: str) -> None:
    (tmp_path / "taken").write_text("")
    inside = str(tmp_path / "taken" / "inside")
    answer = str(benchmark / "answers" / "c0.png")
    calls = {
        "score": ("-b", str(benchmark), "-r", str(benchmark / "answers"), "--limit", "1", "-o", inside),
        "prompts": ("-b", str(benchmark), "-o", inside),
        "read": (answer, "-p", "instance_marking", "--evidence", f"{inside}.png"),
    }
    done = provise(verb, *calls[verb])
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert str(tmp_path / "taken") in done.stderr
