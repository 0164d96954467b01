"""Opening: which files belong, which rows can be read, which aids are filled in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from provise.benchmark import open_benchmark, resolve_media
from provise.errors import InputError

from .drawn import picture, row


def test_several_files_are_one_benchmark_in_the_order_of_their_names(write):
    write(row(id="z"), file="b.jsonl")
    folder = write(row(id="y"), row(id="x"), file="a.jsonl")
    opened = open_benchmark(folder)
    assert [sample.id for sample in opened.samples] == ["y", "x", "z"]
    assert opened.files == ("a.jsonl", "b.jsonl")
    assert opened.problems == ()
    assert opened.name == "bench"


def test_a_file_of_something_else_is_named_and_left_alone(write):
    write({"id": "c1", "image": "x.png"}, file="answers.jsonl")
    opened = open_benchmark(write(row()))
    assert opened.files == ("rows.jsonl",)
    assert [(item.file, item.level) for item in opened.problems] == [("answers.jsonl", "warning")]
    assert "task" in opened.problems[0].message


def test_the_first_readable_row_decides_whether_a_file_belongs(write):
    opened = open_benchmark(write("{broken", row()))
    assert [sample.id for sample in opened.samples] == ["c1"]
    assert opened.problems[0].place == "rows.jsonl:1"


@pytest.mark.parametrize("bad", ["{", "[1]", '"text"', "NULL", '{"id": "q"', "\x00", "{" * 3, "[" * 100_000])
def test_a_malformed_line_stops_no_other(write, bad):
    opened = open_benchmark(write(row(id="p"), bad, row(id="r")))
    assert [sample.id for sample in opened.samples] == ["p", "r"]
    assert [(item.file, item.line, item.code) for item in opened.problems] == [("rows.jsonl", 2, "malformed_line")]


def test_bytes_that_are_not_utf8_and_half_surrogates_are_malformed(write):
    folder = write(row(), b'{"id": "\xff\xfe"}', '{"id": "\\ud800", "task": "t", "image_path": "a.png", "answer": "1"}')
    assert [item.line for item in open_benchmark(folder).problems] == [2, 3]


@pytest.mark.parametrize("strange", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_only_a_line_feed_ends_a_row(write, strange):
    text = json.dumps(row(question=f"a{strange}b"), ensure_ascii=False)
    opened = open_benchmark(write(text, row(id="c2")))
    assert opened.samples[0].question == f"a{strange}b"
    assert len(opened) == 2


def test_byte_order_mark_blank_lines_and_carriage_returns_are_tolerated(write):
    folder = write(
        b"\xef\xbb\xbf" + json.dumps(row()).encode() + b"\r", b"", b"  ", json.dumps(row(id="c2")).encode() + b"\r"
    )
    opened = open_benchmark(folder)
    assert [sample.id for sample in opened.samples] == ["c1", "c2"]
    assert opened.problems == ()


@pytest.mark.parametrize(
    ("field", "value"), [("answer", 3), ("answer", None), ("choices", "A-D"), ("choices", [1]), ("id", 7)]
)
def test_a_field_of_another_type_is_a_problem_of_its_row(write, field, value):
    opened = open_benchmark(write(row(id="p"), row(**{"id": "q", field: value})))
    assert [sample.id for sample in opened.samples] == ["p"]
    assert opened.problems[0].line == 2
    assert field in opened.problems[0].message


def test_the_second_of_two_equal_ids_is_a_problem_that_names_the_first(write):
    write(row(answer="6"), file="z.jsonl")
    opened = open_benchmark(write(row(answer="5"), file="a.jsonl"))
    assert [sample.answer for sample in opened.samples] == ["5"]
    assert "a.jsonl:1" in opened.problems[0].message
    assert opened.problems[0].file == "z.jsonl"


def test_no_folder_and_no_rows_are_wrong_calls(tmp_path, write):
    with pytest.raises(InputError, match="no such folder"):
        open_benchmark(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"no \.jsonl file"):
        open_benchmark(tmp_path / "bench")
    with pytest.raises(InputError, match=r"x\.jsonl.*no task"):
        open_benchmark(write({"id": "c1"}, file="x.jsonl"))


def test_one_file_of_a_folder_can_be_opened(write):
    write(row(id="other"), file="other.jsonl")
    assert [sample.id for sample in open_benchmark(write(row()) / "rows.jsonl").samples] == ["c1"]


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../a.png",
        "x/../../a.png",
        "..\\a.png",
        "C:\\a.png",
        "C:a.png",
        "https://h/a.png",
        "file:///a",
        "",
        " ",
        "a\0.png",
        "~/a.png",
    ],
)
def test_paths_out_of_the_root_are_refused(tmp_path, path):
    with pytest.raises(InputError, match="refused"):
        resolve_media(tmp_path, path)


def test_a_link_out_of_the_root_is_refused_and_one_within_is_not(tmp_path):
    root = tmp_path / "root"
    inside = picture(root / "in.png")
    outside = picture(tmp_path / "out.png")
    (root / "good.png").symlink_to(inside)
    (root / "bad.png").symlink_to(outside)
    (root / "loop.png").symlink_to(root / "loop.png")
    assert resolve_media(root, "good.png") == inside.resolve()
    with pytest.raises(InputError, match="leaves"):
        resolve_media(root, "bad.png")


def test_media_names_the_sample_in_its_message(write):
    opened = open_benchmark(write(row(image_path="../up.png")))
    with pytest.raises(InputError, match="c1"):
        opened.media(opened.samples[0])


def test_media_default_to_the_primary_picture(write):
    fields = row()
    del fields["media_paths"]
    assert open_benchmark(write(fields)).samples[0].media_paths == ("a.png",)


@pytest.mark.parametrize(("task", "aid"), [("mental_modeling", "images"), ("navigation", "file_names")])
def test_picture_lists_default_to_the_media_without_the_mask(write, task, aid):
    fields = row(task=task, media_paths=["a.png", "b.png", "m.png"], mask_path="m.png")
    assert open_benchmark(write(fields)).samples[0].metadata[aid] == ["a.png", "b.png"]
    own = row(task=task, media_paths=["a.png", "b.png"], metadata_json=json.dumps({aid: ["b.png"]}))
    assert open_benchmark(write(own)).samples[0].metadata[aid] == ["b.png"]


def _start(write, answer: str, **fields) -> object:
    sample = open_benchmark(write(row(task="trajectory", answer_type="path", answer=answer, **fields))).samples[0]
    return sample.metadata.get("start")


def test_a_trajectory_starts_where_its_truth_starts(write):
    assert _start(write, "[(0.25, 0.5), (0.75, .5)]") == [0.25, 0.5]
    assert _start(write, "[[0.25, 0.5], [1.0, 0.5]]") == [0.25, 0.5]
    assert _start(write, "[[16, 12], [32, 24]]") == [0.25, 0.25]
    assert _start(write, "[[0.5, 0.9], [32, 24]]") == [0.5 / 64, 0.9 / 48]
    assert _start(write, "[[0.2, 0.2]]", metadata_json='{"start": [0.1, 0.1]}') == [0.1, 0.1]
    assert _start(write, "no path") is None
    assert _start(write, "[[NaN, 0.5], [0.1, 0.2]]") is None


def test_a_turned_picture_gives_its_size_as_it_is_shown(write, tmp_path):
    turned = Image.new("RGB", (64, 48))
    turned.getexif()[0x0112] = 6
    turned.save(tmp_path / "bench" / "t.jpg", exif=turned.getexif())
    assert _start(write, "[[12, 16], [24, 60]]", image_path="t.jpg") == [0.25, 0.25]


def test_aids_of_a_richer_row_are_lifted_into_the_metadata(write):
    spots = [[0.1, 0.2], [0.3, 0.4]]
    for extra in (
        {"evaluation": {"coordinates": spots}},
        {"metadata": {"metadata_json": json.dumps({"coordinates": spots})}},
    ):
        sample = open_benchmark(write(row(task="depth", **extra))).samples[0]
        assert sample.metadata["coordinates"] == spots
    sample = open_benchmark(write(row(metadata_json="not json", evaluation={"coordinates": spots}))).samples[0]
    assert sample.metadata_json == "not json"


def test_an_answer_that_is_a_masks_path_is_the_mask(write):
    assert open_benchmark(write(row(answer="m/1.PNG", answer_type="mask"))).samples[0].mask_path == "m/1.PNG"


def test_the_digest_follows_rows_and_media_and_not_the_place(write, tmp_path):
    folder = write(row())
    first = open_benchmark(folder).digest
    assert open_benchmark(folder).digest == first
    moved = folder.rename(tmp_path / "moved")
    assert open_benchmark(moved).digest == first
    picture(moved / "a.png", seed=9)
    changed = open_benchmark(moved).digest
    assert changed != first
    (moved / "a.png").unlink()
    assert open_benchmark(moved).digest not in (first, changed)


def test_a_sample_opened_keeps_its_truth_out_of_the_public_view(write):
    sample = open_benchmark(
        write(row(task="trajectory", answer_type="path", answer="[[0.25, 0.5], [0.7, 0.8]]"))
    ).samples[0]
    assert "0.7" not in repr(sample.public())


@pytest.mark.real
def test_the_examples_of_the_page_open(real: Path):
    opened = open_benchmark(real / "examples")
    assert len(opened) == 11
    assert opened.files == ("records.jsonl",)
    assert opened.samples[-1].metadata["start"] == [0.414773, 0.25]
    assert all(opened.media(sample).is_file() for sample in opened.samples)


def test_a_picture_or_an_empty_file_given_as_a_benchmark_is_one_message(write):
    folder = write(row())
    (folder / "empty.jsonl").write_bytes(b"\r\n")
    for name in ("a.png", "empty.jsonl"):
        with pytest.raises(InputError, match="no line of it is a JSON object"):
            open_benchmark(folder / name)
    assert len(open_benchmark(folder / "rows.jsonl")) == 1
