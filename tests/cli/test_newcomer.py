"""What a newcomer meets first: names not cut short, hints that fit the verb, nothing left out in silence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from provise.cli import app
from provise.errors import ProviseError
from tests.drawing import GREEN, disc, photo, png

TASKS = ("counting", "mental_modeling", "relationship")


def call(*args: str) -> tuple[int, str]:
    """Run the command line in this process: exit code, and both streams as one text."""
    done = CliRunner().invoke(app, list(args))
    if isinstance(done.exception, ProviseError):
        return 2, str(done.exception)
    return done.exit_code, done.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three tasks; one answer right, one no picture, one missing; a fourth row is broken."""
    source = photo(3, (320, 240))
    (tmp_path / "s.png").write_bytes(png(source))
    answers = tmp_path / "answers"
    answers.mkdir()
    disc(source, 100, 100, 12, GREEN)
    (answers / "counting-1.png").write_bytes(png(source))
    (answers / "mental_modeling-1.png").write_bytes(b"none")
    truths = dict(zip(TASKS, ("1", "A", "true"), strict=True))
    choices = {"mental_modeling": ["left", "right"]}
    rows = [
        {"id": f"{task}-1", "task": task, "image_path": "s.png", "question": "?", "answer": truths[task],
         "choices": choices.get(task, [])}
        for task in TASKS
    ]  # fmt: skip
    broken = {"id": "broken-1", "task": "counting", "image_path": "s.png", "question": "?", "answer": 0}
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*rows, broken]))
    return tmp_path


def score(folder: Path, monkeypatch: pytest.MonkeyPatch, columns: int) -> str:
    """Score on a terminal of some columns."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    code, text = call("score", "-b", str(folder), "-r", str(folder / "answers"), "-j", "1")
    assert code == 1
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_name_and_no_number_of_the_table_is_cut_short(folder, monkeypatch, columns) -> None:
    text = score(folder, monkeypatch, columns).partition("task ")[2]
    assert "…" not in text
    assert all(task in text for task in TASKS)


def test_the_table_of_a_usual_run_fits_eighty_columns(folder, monkeypatch) -> None:
    text = score(folder, monkeypatch, 80)
    table = text.partition("task ")[2].partition("\nread by")[0]
    assert max(len(line.rstrip()) for line in table.splitlines()) <= 80


def test_columns_of_trouble_stand_there_only_where_there_is_some(folder, monkeypatch) -> None:
    text = score(folder, monkeypatch, 140)
    assert "no image" in text
    assert "no outcome" in text
    assert "reader failed" not in text


def test_broken_rows_of_the_benchmark_are_told_beside_missing_answers(folder, monkeypatch) -> None:
    text = score(folder, monkeypatch, 140)
    assert "INCOMPLETE: 1 of 3 samples have no outcome" in text
    assert "INCOMPLETE: 1 rows of the benchmark itself are broken" in text


def test_prompts_name_the_rows_they_leave_out_and_end_with_1(folder: Path) -> None:
    code, text = call("prompts", "-b", str(folder), "-o", str(folder / "p.jsonl"))
    assert code == 1
    assert "left out: error: rows.jsonl:4 broken-1" in text
    assert "3 prompts" in text


def test_a_missing_aid_is_told_in_the_options_of_the_verb(folder: Path) -> None:
    code, text = call("read", str(folder / "s.png"), "-p", "trajectory_drawing", "-s", str(folder / "s.png"))
    assert code == 2
    assert "--aid start=0.2,0.3" in text


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("prompts", "-b", ".", "-o", "."), "--out . is a folder; give the JSONL file"),
        (("read", ".", "-p", "fixed_slots"), "is a folder; give a picture"),
        (("protocol", "check", "nowhere.yaml"), "no such file; expected a protocol in YAML"),
        (("benchmark", "show", "nowhere.yaml"), "no such file; expected a loader in YAML"),
    ],
)
def test_a_file_that_is_not_there_is_called_that(args: tuple[str, ...], words: str) -> None:
    code, text = call(*args)
    assert code == 2
    assert words in text


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_word_of_the_catalogue_is_cut_short_or_left_out(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    from provise.protocol import names, open_protocol

    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", call("protocol", "list")[1])
    assert "…" not in text
    for name in names():
        spec = open_protocol(name).spec
        assert all(word in text for word in (name, spec.metric, *spec.summary.split()))
    assert max(len(line.rstrip()) for line in text.splitlines()) <= columns


def test_no_loader_s_name_is_cut_short_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "…" not in call("benchmark", "list")[1]


@pytest.mark.parametrize("group", [(), ("protocol",), ("benchmark",)])
def test_no_line_of_a_list_of_verbs_is_cut_short(group: tuple[str, ...]) -> None:
    assert "..." not in call(*group, "--help")[1].partition("Commands:")[2]


def test_a_point_outside_the_frame_says_which_scale_was_assumed_and_how_to_name_another(folder: Path) -> None:
    from provise.answers.points import CoordinateSystem, read_points

    unit = read_points("[400, 390]", CoordinateSystem(), "point")
    assert "x 400, y 390 lies outside" in unit.message
    assert "--coordinates 100, 1000 or pixel" in unit.message
    pixels = read_points("(700, 20)", CoordinateSystem("pixel_source", size=(640, 480)), "point")
    assert "read as pixels of 640x480" in pixels.message


@pytest.mark.parametrize(("name", "has"), [("point_marker", True), ("binary_relation", True), ("region_mask", True)])
def test_a_reading_without_the_source_says_what_it_cannot_tell(folder: Path, name: str, has: bool) -> None:
    answer = photo(9, (320, 240))
    disc(answer, 200, 60, 10, (0, 255, 255))
    (folder / "a.png").write_bytes(png(answer))
    alone = call("read", str(folder / "a.png"), "-p", name)[1]
    assert ("without --source" in alone) is has
    beside = call("read", str(folder / "a.png"), "-p", name, "-s", str(folder / "s.png"))[1]
    assert "without --source" not in beside
    found = json.loads(call("read", str(folder / "a.png"), "-p", name, "--json")[1])
    assert ("no_source" in found["geometry"]["notes"]) is has


def test_a_misspelt_aid_is_told_and_one_that_is_not_read_is_noted(folder: Path) -> None:
    read = ("read", str(folder / "s.png"), "-p", "relative_depth", "-s", str(folder / "s.png"))
    code, text = call(*read, "--aid", "coordinate=0.2,0.3,0.8,0.6")
    assert code == 2
    assert "did you mean coordinates?" in text
    code, text = call(*read, "--aid", "coordinates=0.2,0.3,0.8,0.6", "--aid", "holes=4")
    assert code == 0
    assert "relative_depth reads no aid holes" in text


def test_one_picture_is_matched_with_the_descriptor_where_nothing_else_is_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "open_clip", None)
    for name, seed in (("b.png", 4), ("c.png", 5)):
        (folder / name).write_bytes(png(photo(seed, (320, 240))))
    read = (
        "read",
        str(folder / "c.png"),
        "-p",
        "state_matching",
        "-s",
        str(folder / "s.png"),
        "-c",
        "left",
        "-c",
        "right",
    )
    read += ("--media", str(folder / "b.png"), "--media", str(folder / "c.png"))
    code, text = call(*read)
    assert code == 0, text
    assert 'prediction  "B"' in text
    assert "deterministic:descriptor" in text
    assert "never ranked" in text
    # Who asked for an encoder gets that one or none.
    code, text = call(*read, "--set", "encoder=clip-vit-b-32")
    assert code == 2
    assert 'pip install "provise[clip]"' in text


def test_a_digit_reader_that_is_not_installed_is_told_before_anything_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    from provise.ops import ocr

    monkeypatch.setitem(sys.modules, "rapidocr", None)
    ocr._engine.cache_clear()
    read = ("read", str(folder / "s.png"), "-p", "trajectory_endpoint", "--aid", "holes=4", "--set", "numbers=rapidocr")
    code, text = call(*read)
    assert code == 2
    assert 'pip install "provise[ocr]"' in text


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Answers read by three readers under a long task name: a picture, a matched view, words."""
    for seed, name in enumerate(("now.png", "left.png", "right.png")):
        (tmp_path / name).write_bytes(png(photo(seed, (160, 120))))
    views = {"choices": ["left", "right"], "media_paths": ["now.png", "left.png", "right.png"], "answer": "B"}
    count = {"answer": "2"}
    rows = [
        {"id": "walk", "task": "navigation", "image_path": "now.png", "question": "?", **views},
        {"id": "mind", "task": "mental_modeling", "image_path": "now.png", "question": "?", **views},
        {"id": "count", "task": "counting", "image_path": "now.png", "question": "?", **count},
        {"id": "late", "task": "counting", "image_path": "now.png", "question": "?", **count},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "walk.png").write_bytes((tmp_path / "right.png").read_bytes())
    (tmp_path / "answers" / "count.png").write_bytes((tmp_path / "now.png").read_bytes())
    (tmp_path / "answers" / "mind.txt").write_text("B")
    return tmp_path


@pytest.mark.parametrize("columns", [80, 0])
def test_a_table_of_several_readers_fits_eighty_columns_and_still_names_them(mixed, monkeypatch, columns) -> None:
    choose = ("--set", "state_matching.encoder=descriptor", "-j", "1")
    if columns:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("FORCE_COLOR", "1")
    text = call("score", "-b", str(mixed), "-r", str(mixed / "answers"), *choose)[1]
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    table = text.partition("\nread by")[0].splitlines()
    assert max(len(line.rstrip()) for line in table) <= 80
    assert "read by: deterministic:descriptor (navigation)" in text
    assert "read by: text (mental_modeling)" in text


def test_a_long_list_of_refusals_is_cut_and_counted(tmp_path: Path) -> None:
    (tmp_path / "s.png").write_bytes(png(photo(2, (160, 120))))
    rows = [
        {"id": f"q{i:02}", "task": "counting", "image_path": "s.png", "question": "?", "answer": "3"} for i in range(50)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = [{"id": f"q{i:02}", "text": "none that I see"} for i in range(45)] + [{"id": f"z{i}"} for i in range(40)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))
    text = call("score", "-b", str(tmp_path), "-r", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "run"))[1]
    assert "  q19:" in text
    assert "  q20:" not in text
    assert "  and 30 more (25 no_answer, 5 missing)" in text
    assert "run/samples.jsonl has them" in text
    assert text.count("note: ") == 21
    assert re.search(r"and 2\d more like these", text)


def test_prompts_whose_answers_nothing_here_reads_say_so_before_they_are_made(tmp_path: Path) -> None:
    (tmp_path / "s.png").write_bytes(png(photo(2, (160, 120))))
    rows = [
        {"id": "s1", "task": "size", "image_path": "s.png", "question": "?", "answer": "A", "choices": ["a", "b"]},
        {"id": "f1", "task": "feasibility", "image_path": "s.png", "question": "?", "answer": "true"},
        {"id": "c1", "task": "counting", "image_path": "s.png", "question": "?", "answer": "1"},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    prompts = ("prompts", "-b", str(tmp_path), "-o", str(tmp_path / "p.jsonl"))
    code, text = call(*prompts)
    assert code == 0
    assert "--set size=dual_measure" in text
    assert "--set feasibility=placement_outline" in text
    assert "counting is asked" not in text
    assert "note:" not in call(*prompts, "--set", "size=dual_measure", "--set", "feasibility=placement_outline")[1]
