"""The check: every fault alone is found, with file, line and id, and all faults of a folder at once."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from provise.benchmark import check_benchmark
from provise.cli.benchmark import app

from .drawn import picture, row


def path_row(answer: str, **fields):
    return row(task="trajectory", capability="interaction", answer_type="path", answer=answer, **fields)


def mask_row(**fields):
    return row(
        task="affordance", capability="interaction", answer_type="mask", answer="m.png", mask_path="m.png", **fields
    )


def choice_row(task="multihop", capability="reasoning", **fields):
    base = {"answer": "B", "answer_type": "choice", "choices": ["left", "right"]}
    return row(task=task, capability=capability, **{**base, **fields})


def meta(**values):
    return json.dumps(values)


def codes(folder, level="error"):
    report = check_benchmark(folder)
    return sorted({item.code for item in report.findings if item.level == level})


def save(folder, name, array):
    Image.fromarray(np.asarray(array, dtype=np.uint8)).save(folder / name)


def test_a_sound_folder_has_no_findings(write):
    report = check_benchmark(write(row(), choice_row(id="m1", image_path="b.png", media_paths=["b.png"])))
    assert report.ok
    assert report.findings == ()
    assert (report.rows, report.pictures) == (2, 2)


FAULTS = {
    "answer int": (row(answer=3), "field_type"),
    "no answer": ({k: v for k, v in row().items() if k != "answer"}, "missing_field"),
    "choices as a string": (row(choices="A-D"), "field_type"),
    "empty answer": (row(answer=" "), "empty_answer"),
    "count in words beyond numbers": (row(answer="4.5"), "bad_truth"),
    "negative count": (row(answer="-3"), "bad_truth"),
    "address": (row(image_path="https://h/a.png"), "unsafe_path"),
    "climbing": (row(media_paths=["a.png", "../b.png"]), "unsafe_path"),
    "missing picture": (row(image_path="none.png"), "missing_media"),
    "no picture named": (row(image_path="", media_paths=[]), "unsafe_path"),
    "path cut off": (path_row("[(0.1, 0.2), (0.3, 0.4)", metadata_json=meta(start=[0.1, 0.2])), "bad_truth"),
    "mask beyond the root": ({**mask_row(), "mask_path": "../mask.png"}, "unsafe_path"),
    "polygon beyond the picture": ({**mask_row(), "answer": "[[900, 2], [2000, 2], [2000, 900]]", "mask_path": ""}, "bad_truth"),
    "count beyond numbers": (row(answer="7" * 500), "bad_truth"),
    "letter beyond the options": (choice_row(answer="C"), "bad_truth"),
    "equal options": (choice_row(choices=["left", "right", " Left"]), "duplicate_choices"),
    "capability": (row(capability="reasoning"), "capability_mismatch"),
    "metadata list": (row(metadata_json="[1]"), "bad_metadata"),
    "metadata broken": (row(metadata_json="{"), "bad_metadata"),
    "depth without places": (choice_row("depth", "perception"), "missing_aid"),
    "depth place outside": (
        choice_row("depth", "perception", metadata_json=meta(coordinates=[[0.1, 0.2], [1.2, 0.3]])), "aid_outside"),
    "depth places equal": (
        choice_row("depth", "perception", metadata_json=meta(coordinates=[[0.1, 0.2]] * 2)), "aid_impossible"),
    "no holes": (row(task="prediction", capability="reasoning"), "missing_aid"),
    "hole beyond": (row(task="prediction", capability="reasoning", metadata_json=meta(holes=4)), "bad_truth"),
    "views": (choice_row("mental_modeling", "understanding"), "missing_aid"),
    "candidates": (choice_row("navigation", "interaction", media_paths=["a.png", "b.png"]), "missing_aid"),
    "candidate first": (
        choice_row("navigation", "interaction", media_paths=["a.png", "b.png"],
                   metadata_json=meta(file_names=["b.png", "a.png", "a.png"])), "candidate_order"),
    "path of words": (path_row("from left to right"), "bad_truth"),
    "path of one point": (path_row("[[0.1, 0.2]]"), "bad_truth"),
    "path standing still": (path_row("[[0.1, 0.2], [0.1, 0.2]]"), "flat_path"),
    "start elsewhere": (path_row("[[0.1, 0.2], [0.4, 0.2]]", metadata_json=meta(start=[0.6, 0.6])), "start_far"),
    "vertices far apart": (path_row("[[0.02, 0.02], [0.98, 0.98]]"), "truth_too_coarse"),
    "no mask": (mask_row(), "missing_mask"),
    "direction off the grid": (choice_row("perspective", "understanding", choices=["left", "down-left"]), "not_on_the_grid"),
    "empty id": (row(id=" "), "empty_id"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_an_error_with_its_place(write, name):
    fields, code = FAULTS[name]
    report = check_benchmark(write(row(id="sound"), {**fields, "id": fields["id"].replace("c1", "bad")}))
    found = [item for item in report.errors if item.code == code]
    assert found, report.findings
    assert all((item.file, item.line) == ("rows.jsonl", 2) for item in report.errors)
    assert not report.ok


def test_all_faults_are_reported_at_once(write):
    rows = [{**fields, "id": f"r{i}"} for i, (fields, _) in enumerate(FAULTS.values())]
    report = check_benchmark(write("{", *rows, rows[0]))
    assert {code for _, code in FAULTS.values()} - {"empty_id"} <= {item.code for item in report.errors}
    assert {"malformed_line", "duplicate_id"} <= {item.code for item in report.errors}


def test_a_key_that_stands_twice_is_no_row(write):
    twice = json.dumps(row(id="first"))[:-1] + ', "answer": "9"}'
    report = check_benchmark(write(row(id="sound"), twice))
    assert [(item.code, item.line) for item in report.errors] == [("malformed_line", 2)]
    assert "'answer' stands twice" in report.errors[0].message


def test_ids_that_differ_in_the_form_of_an_accent_alone(write):
    rows = [row(id=name, question=f"How many on {name}?") for name in ("caf\u00e9", "cafe\u0301", "cafe")]
    report = check_benchmark(write(*rows))
    assert [item.line for item in report.findings if item.code == "id_case"] == [2]


def test_one_row_shows_all_of_its_faults(write):
    bad = row(answer=3, image_path="none.png", capability="reasoning", metadata_json="[]")
    assert set(codes(write(bad))) == {"field_type", "missing_media", "capability_mismatch", "bad_metadata"}


def test_a_count_of_zero_that_no_drawing_can_give_is_a_warning(write):
    assert codes(write(row(answer="0")), "warning") == ["zero_cannot_be_drawn"]
    assert codes(write(row(answer="1")), "warning") == []


def test_a_path_with_vertices_close_enough_passes(write):
    steps = [[0.02 + 0.16 * i, 0.02 + 0.16 * i] for i in range(7)]
    assert codes(write(path_row(json.dumps(steps)))) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "undecodable_media"), (b"GIF89a", "undecodable_media"), (b"no picture at all", "undecodable_media")],
)
def test_files_that_are_no_pictures(write, data, code):
    folder = write(row(image_path="x.png", media_paths=["x.png"]))
    (folder / "x.png").write_bytes(data)
    assert codes(folder) == [code]


def test_masks_empty_full_and_of_another_size(write):
    folder = write(mask_row())
    spot = np.zeros((48, 64))
    spot[10:20, 10:20] = 255
    save(folder, "m.png", spot)
    assert check_benchmark(folder).findings == ()
    save(folder, "m.png", np.zeros((48, 64)))
    assert codes(folder) == ["empty_mask"]
    save(folder, "m.png", np.full((48, 64), 255))
    assert codes(folder, "warning") == ["full_mask"]
    save(folder, "m.png", np.kron(spot, np.ones((2, 2))))
    assert codes(folder, "warning") == ["mask_size"]
    assert codes(folder) == []


def test_flat_and_tiny_pictures_look_like_placeholders(write):
    flat, tiny = (row(id=name, image_path=f"{name}.png", media_paths=[f"{name}.png"]) for name in ("flat", "tiny"))
    folder = write(flat, tiny, row())
    save(folder, "flat.png", np.full((100, 100, 3), 200))
    picture(folder / "tiny.png", size=(8, 8))
    assert [(item.id, item.level) for item in check_benchmark(folder).findings] == [
        ("flat", "warning"),
        ("tiny", "warning"),
    ]


def test_one_photo_may_serve_many_questions_but_not_the_same_twice(write):
    copy = row(id="copy", image_path="c.png", media_paths=["c.png"])
    folder = write(row(), row(id="other", question="How many cups?"), row(id="again"), copy)
    Image.open(folder / "a.png").save(folder / "c.png", compress_level=1)
    found = {item.id: item.code for item in check_benchmark(folder).findings}
    assert found == {"again": "duplicate_question", "copy": "duplicate_picture"}


WARNINGS = {
    "unknown task": (row(task="tidying"), "unknown_task"),
    "answer type": (choice_row("counting", "perception"), "answer_type_mismatch"),
    "id characters": (row(id="a\tb"), "id_characters"),
    "long id": (row(id="é" * 100), "long_id"),
    "truth by key": (row(metadata_json=meta(extra={"gt_answer": "5"})), "truth_in_metadata"),
    "truth by value": (
        path_row("[[0.1, 0.2], [0.2, 0.3]]", metadata_json=meta(way="[[0.1, 0.2], [0.2, 0.3]]")), "truth_in_metadata"),
    "primary not listed": (row(media_paths=["b.png"]), "primary_not_listed"),
    "pixels in doubt": (path_row("[[0.5, 0.5], [0.6, 1.02]]"), "pixels_in_doubt"),
    "question": (row(question=""), "empty_question"),
    "choices in the question": (choice_row(choices=[]), "no_choices"),
}  # fmt: skip


@pytest.mark.parametrize("name", WARNINGS)
def test_each_doubt_is_a_warning(write, name):
    fields, code = WARNINGS[name]
    assert code in codes(write(fields), "warning")


def test_the_command_prints_all_and_fails_on_errors_alone(write):
    runner = CliRunner()
    folder = write(row(id="a\tb"))
    assert runner.invoke(app, ["check", str(folder)]).exit_code == 0
    folder = write(row(answer="x1"), row(id="g", image_path="none.png"))
    told = runner.invoke(app, ["check", str(folder)])
    assert told.exit_code == 2
    assert "rows.jsonl:2 g" in told.output
    parsed = json.loads(runner.invoke(app, ["check", str(folder), "--json"]).output)
    assert parsed["ok"] is False
    assert {"file", "line", "id", "code", "level", "message"} == set(parsed["findings"][0])


def test_the_command_shows_a_folder_and_a_loader(write):
    runner = CliRunner()
    assert "counting: 1" in runner.invoke(app, ["show", str(write(row()))]).output
    assert "Apache-2.0" in runner.invoke(app, ["show", "vsr"]).output
    assert {one["id"] for one in json.loads(runner.invoke(app, ["list", "--json"]).output)} >= {"vsr", "sphere"}


@pytest.mark.slow
def test_five_thousand_rows_over_shared_pictures_are_checked_in_seconds(write):
    folder = write(*(row(id=f"r{i}", question=f"How many {i}?") for i in range(5000)))
    began = time.perf_counter()
    assert check_benchmark(folder).ok
    assert time.perf_counter() - began < 20


@pytest.mark.real
def test_the_examples_of_the_page_pass(real):
    assert check_benchmark(real / "examples").ok


def test_a_row_that_lacks_many_fields_is_one_finding_and_a_misspelt_one_is_named(write):
    short = {"id": "s1", "task": "counting", "image_path": "a.png", "answer": "3", "anwser_type": "integer"}
    typo = {"id": "s2", "tsk": "counting", "image_path": "b.png", "answer": "3"}
    report = check_benchmark(write(row(), short, typo))
    warned = [item for item in report.warnings if item.code == "missing_field"]
    assert [item.id for item in warned] == ["s1", "s2"]
    assert "answer_type (the row has 'anwser_type')" in warned[0].message
    for name in ("capability", "media_paths", "metadata_json"):
        assert name in warned[0].message
    (error,) = [item for item in report.errors if item.code == "missing_field"]
    assert "task (the row has 'tsk')" in error.message
