"""Scores in a program: the same as on the command line, to the last digit, and a wrong call is told where it is wrong."""

from __future__ import annotations

import datetime
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from provise.errors import InputError, MissingDependencyError
from provise.evaluation import compute
from tests.evaluation.conftest import Scored

ROW = {
    "id": "c1", "capability": "perception", "task": "counting", "image_path": "c1.png", "answer": "5", "answer_type": "integer",
}  # fmt: skip


def test_paths_score_as_on_the_command_line(scored: Scored) -> None:
    found = compute(scored.pictures(), scored.rows(), benchmark=scored.benchmark, per_sample=True)
    for part in ("overall", "capabilities", "tasks"):
        assert found[part] == scored.summary[part]
    assert found["samples"] == scored.lines


def _pil(path: Path) -> Any:
    with Image.open(path) as image:
        image.load()
    return image


def _array(path: Path) -> Any:
    with Image.open(path) as image:
        return np.asarray(image)


def _floats(path: Path) -> Any:
    return (_array(path) / 255).astype(np.float32)


@pytest.mark.parametrize(
    "form",
    [str, lambda path: {"image": path}, _pil, _array, _floats],
    ids=["text", "mapping", "pil", "array", "floats"],
)
def test_every_form_of_a_picture_scores_alike(scored: Scored, form: Any) -> None:
    found = compute([form(path) for path in scored.pictures()], scored.rows(), benchmark=scored.benchmark)
    assert found["tasks"] == scored.summary["tasks"]


def test_a_picture_of_jpeg_bytes_is_not_encoded_again(scored: Scored, tmp_path: Path) -> None:
    path = scored.pictures("grounding")[0]
    with Image.open(path) as image:
        image.convert("RGB").save(tmp_path / "a.jpg", quality=35)
    data = (tmp_path / "a.jpg").read_bytes()
    rows = scored.rows("grounding")[:1]
    import io

    from_object = compute([Image.open(io.BytesIO(data))], rows, benchmark=scored.benchmark, per_sample=True)
    from_file = compute([tmp_path / "a.jpg"], rows, benchmark=scored.benchmark, per_sample=True)
    a, b = from_object["samples"][0], from_file["samples"][0]
    assert a["prediction"] == b["prediction"]
    assert a["score"] == b["score"]


def test_processes_do_not_change_the_numbers(scored: Scored) -> None:
    pictures = [_array(path) for path in scored.pictures()]
    found = compute(pictures, scored.rows(), benchmark=scored.benchmark, jobs=2, per_sample=True)
    assert found["tasks"] == scored.summary["tasks"]


def test_rows_may_be_json_and_may_carry_decoded_pictures(scored: Scored) -> None:
    rows: list[Any] = [{**row, "media": [object()], "mask": None} for row in scored.rows()]
    rows[0] = json.dumps(scored.rows()[0])
    found = compute(scored.pictures(), rows, benchmark=scored.benchmark)
    assert found["overall"] == scored.summary["overall"]


def test_words_need_no_benchmark() -> None:
    found = compute(["I count 5.", "<think>4</think> It is four."], [ROW, {**ROW, "id": "c2"}])
    assert found["tasks"]["counting"]["score"] == 50


def test_none_is_an_answer_that_scores_0(scored: Scored) -> None:
    found = compute([None, "5"], [ROW, {**ROW, "id": "c2"}], per_sample=True)
    assert found["tasks"]["counting"]["score"] == 50
    assert found["samples"][0]["outcome"] == "generation_failure"
    assert not found["incomplete"]


def test_evidence_is_a_picture_a_reading(scored: Scored, tmp_path: Path) -> None:
    rows = scored.rows("depth")
    found = compute(scored.pictures("depth"), rows, benchmark=scored.benchmark, evidence=tmp_path)
    named = [sample["details"]["evidence"] for sample in found["samples"]]
    assert len(named) == len(rows)
    assert all(Image.open(tmp_path / name).size[0] > 0 for name in named)


@pytest.mark.parametrize(
    ("predictions", "references", "said"),
    [
        ([], [], "empty"),
        (["5"], [ROW, ROW], "1 predictions for 2 references"),
        (["5", "5"], [ROW, ROW], "references 0 and 1 are both of the sample 'c1'"),
        ("5", [ROW], "predictions is str"),
        ([5], [ROW], "prediction 0 is int (5)"),
        ([True], [ROW], "as words it is 'true'"),
        ([np.int64(5)], [ROW], "as words it is '5'"),
        (["5", ["a.png"]], [ROW, {**ROW, "id": "c2"}], "prediction 1 is list"),
        ([{"picture": "a.png"}], [ROW], "prediction 0 is a mapping of picture"),
        (["nowhere/a.png"], [ROW], "prediction 0 names the picture nowhere/a.png"),
        (["5"], ["not a row"], "reference 0 is str"),
        (["5"], [{"id": "c1"}], "reference 0: field 'task' is missing"),
        (["5"], [{**ROW, "answer": 5}], "reference 0: answer is 5"),
        ([np.zeros((4, 4), np.uint8)], [ROW], "name the benchmark"),
    ],
)  # fmt: skip
def test_a_wrong_call_says_which_one_and_what_is_expected(predictions: Any, references: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        compute(predictions, references)
    assert said in str(caught.value)


def test_a_row_of_another_task_is_refused() -> None:
    with pytest.raises(InputError, match="reference 0 \\(c1\\) is of the task 'counting'; expected depth"):
        compute(["5"], [ROW], tasks=["depth"])


def test_a_picture_of_values_that_cannot_be_seen_is_a_failed_answer(scored: Scored) -> None:
    rows = scored.rows("counting")[:2]
    found = compute(
        [np.zeros((0, 3, 3), np.uint8), np.full((4, 4), np.nan)], rows, benchmark=scored.benchmark, per_sample=True
    )
    assert [sample["outcome"] for sample in found["samples"]] == ["generation_failure"] * 2


def test_a_reader_that_is_not_installed_is_named_before_anything_is_read(scored: Scored) -> None:
    row = {**scored.rows("depth")[0], "task": "size", "choices": ["a", "b"]}
    with pytest.raises(MissingDependencyError, match="size"):
        compute([scored.pictures("depth")[0]], [row], benchmark=scored.benchmark, route="spatialgen-bench")


def test_nothing_is_left_behind(scored: Scored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    pictures = [_array(path) for path in scored.pictures("counting")]
    compute(pictures, scored.rows("counting"), benchmark=scored.benchmark)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("said", ["true", "True", "yes", "It is true.", "(true)"])
def test_a_truth_value_is_said_in_words(said: str) -> None:
    row = {**ROW, "task": "relationship", "answer": "true", "answer_type": "boolean"}
    assert compute([said], [row])["overall"]["score"] == 100


@pytest.mark.parametrize("given", [True, 1, np.True_, 1.0, ["true"], b"true"])
def test_a_truth_value_of_the_program_is_told_how_to_be_said(given: Any) -> None:
    row = {**ROW, "task": "relationship", "answer": "true", "answer_type": "boolean"}
    with pytest.raises(InputError, match="prediction 0 is"):
        compute([given], [row])


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((3, 8, 9), np.uint8),
        np.zeros((1, 8, 9, 3), np.uint8),
        np.zeros((3, 3, 7), np.uint8),
        np.array("5"),
        np.array(["5"], dtype=object),
        np.zeros(5),
        np.zeros((8, 9), complex),
        np.zeros((8, 9), "M8[s]"),
    ],
    ids=["channels first", "batch", "seven channels", "word", "words", "numbers", "complex", "times"],
)
def test_an_array_that_is_no_picture_is_a_wrong_call(array: Any, scored: Scored) -> None:
    with pytest.raises(InputError, match=r"prediction 0 is an array of .*expected"):
        compute([array], scored.rows("counting")[:1], benchmark=scored.benchmark)


def test_a_picture_that_was_closed_unread_is_a_wrong_call(scored: Scored) -> None:
    with Image.open(scored.pictures("counting")[0]) as image:
        pass
    with pytest.raises(InputError, match="prediction 0 is a PIL image that was closed"):
        compute([image], scored.rows("counting")[:1], benchmark=scored.benchmark)


@pytest.mark.parametrize(
    "form",
    [
        lambda path: {"image": str(path), "text": None},
        lambda path: {"image": _pil(path)},
        lambda path: {"image": _array(path)},
        lambda path: {"bytes": path.read_bytes(), "path": None},
        lambda path: {"bytes": None, "path": str(path)},
        lambda path: {"image": {"bytes": path.read_bytes(), "path": "a.png"}},
    ],
    ids=["struct", "pil", "array", "bytes", "path", "nested"],
)
def test_a_picture_said_outright_may_come_from_a_column(scored: Scored, form: Any) -> None:
    found = compute([form(path) for path in scored.pictures()], scored.rows(), benchmark=scored.benchmark)
    assert found["tasks"] == scored.summary["tasks"]


def test_a_mapping_of_nothing_is_no_answer() -> None:
    found = compute([{"image": None, "text": None}], [ROW], per_sample=True)
    assert found["samples"][0]["outcome"] == "generation_failure"


def test_a_file_of_the_caller_stays_whatever_its_name(scored: Scored, tmp_path: Path) -> None:
    mine = [tmp_path / name for name in ("a.npz", "b", "c\n.png")]
    for path in mine:
        shutil.copyfile(scored.pictures("counting")[0], path)
    rows = [{**scored.rows("counting")[0], "id": path.name} for path in mine]
    found = compute(mine, rows, benchmark=scored.benchmark)
    assert found["overall"]["score"] in (0, 100)
    assert not found["incomplete"]
    assert all(path.is_file() for path in mine)


def test_a_name_that_no_file_system_takes_is_no_such_file() -> None:
    with pytest.raises(InputError, match=r"prediction 0 names the picture xx.*no such file") as caught:
        compute(["x" * 5000 + ".png"], [ROW])
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("form", [tuple, iter, lambda given: np.array(given, dtype=object)])
def test_predictions_come_in_anything_that_has_an_order(form: Any) -> None:
    assert compute(form(["5", "4"]), [ROW, {**ROW, "id": "c2"}])["overall"]["score"] == 50


@pytest.mark.parametrize("given", [{"5", "4"}, frozenset(["5", "4"]), {0: "5", 1: "4"}, Path("a.png"), 7])
def test_what_has_no_order_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match=r"predictions is .*expected a list"):
        compute(given, [ROW, {**ROW, "id": "c2"}])


@pytest.mark.parametrize(
    "more",
    [
        {"score": np.float32(1), "vector": np.arange(3)},
        {"seen": datetime.datetime(2026, 1, 1)},
        {"picture": Image.new("L", (2, 2)), "data": b"x"},
        {"choices": np.array([], dtype=object), "media_paths": np.array(["c1.png"])},
        {"image_path": Path("c1.png")},
        {"metadata": {"coordinates": np.zeros((2, 2))}},
        {"mask_path": None},
    ],
    ids=["numbers", "time", "pictures", "lists", "path", "nested", "null mask"],
)
def test_a_row_may_come_from_a_table_with_columns_of_its_own(more: Any) -> None:
    assert compute(["5"], [{**ROW, **more}])["overall"]["score"] == 100


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"jobs": -1}, "jobs is -1"),
        ({"jobs": "2"}, "jobs is '2'"),
        ({"settings": "a.b=1"}, "settings is 'a.b=1'"),
        ({"settings": None}, "settings is None"),
        ({"benchmark": ""}, "benchmark is ''"),
        ({"benchmark": 5}, "benchmark is 5"),
        ({"evidence": ""}, "evidence is ''"),
        ({"evidence": Path(__file__)}, "the evidence cannot be kept there"),
    ],
)
def test_a_wrong_option_says_what_is_expected(options: Any, said: str) -> None:
    with pytest.raises(InputError, match=r"expected|cannot") as caught:
        compute(["5"], [ROW], **options)
    assert said in str(caught.value)


def test_a_tree_of_the_hub_is_unpacked_for_its_pictures(scored: Scored) -> None:
    tree = Path(__file__).parents[2] / "dataset_script"
    import provise

    samples = [sample for sample in provise.open_benchmark(tree).samples if sample.task == "counting"]
    opened = provise.open_benchmark(tree)
    found = compute([opened.media(sample) for sample in samples], [s.to_row() for s in samples], benchmark=tree)
    assert not found["incomplete"]
    assert found["tasks"]["counting"]["outcomes"]["protocol_noncompliance"] == len(samples)


def test_words_may_declare_how_they_write_points(scored: Scored, tmp_path: Path) -> None:
    import provise

    rows = scored.rows("grounding")
    given = [
        {"text": "(500, 400)", "coordinates": 1000},
        {"text": "(40, 50)", "coordinates": {"scale": "100", "order": "yx"}},
        {"text": "(80, 60)", "coordinates": {"scale": "pixel", "seen_size": [320, 240]}},
        {"text": "(0.2, 0.3)", "coordinates": None},
    ]
    lines = [
        {"id": row["id"], **{k: v for k, v in one.items() if v is not None}}
        for row, one in zip(rows, given, strict=True)
    ]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    samples = [sample for sample in scored.benchmark.samples if sample.task == "grounding"]
    responses = provise.open_responses(tmp_path / "r.jsonl", [sample.id for sample in samples])
    run = provise.score(samples, responses, provise.open_route(scored.benchmark.route), jobs=1)
    found = compute(given, rows, benchmark=scored.benchmark, per_sample=True)
    assert found["samples"] == [row.to_dict() for row in run.rows]
    with pytest.raises(InputError, match=r"prediction 0: .*order"):
        compute([{"text": "(1, 2)", "coordinates": {"order": "zx"}}], rows[:1], benchmark=scored.benchmark)
