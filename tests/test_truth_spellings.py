"""Truths in spellings that answers may have, truths that no picture can have, and answers of another type or size."""

import json
import math
import time

import numpy as np
import pytest
from PIL import Image

from provise.errors import DataError, InputError
from provise.metrics import score_prediction
from provise.metrics.null import null_score
from provise.metrics.registry import METRICS
from provise.sample import Sample
from provise.truth import Truth, load_truth

HUGE = 10**400
MASK = np.zeros((30, 40), bool)
MASK[5:9, 6:12] = True
TRUTHS = {
    "label": Truth("integer", 6), "mask": Truth("mask", MASK), "path": Truth("path", np.array([[0.2, 0.2], [0.8, 0.7]])),
    "point": Truth("point", (0.4, 0.6)), "box": Truth("box", (0.2, 0.2, 0.6, 0.7)), "number": Truth("number", 45.0),
    "endpoint": Truth("endpoint", {"index": 2, "count": 5}), "measurement": Truth("measurement", 80.0), "quantity": Truth("number", 12.0),
}  # fmt: skip


@pytest.fixture
def row(tmp_path):
    folder = tmp_path / "benchmark"
    folder.mkdir()
    Image.new("RGB", (40, 30), (90, 120, 60)).save(folder / "photo.png")
    Image.fromarray(MASK).save(folder / "mask.png")
    Image.fromarray(MASK).save(tmp_path / "outside.png")

    def make(answer="", kind="", **more):
        return Sample("r1", "c", "t", "photo.png", answer=answer, answer_type=kind, **{"root": folder, **more})

    return make


def loaded(sample, metric):
    try:
        return load_truth(sample, metric).to_json()
    except DataError as error:
        return error.code


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("1,500", 1500), ("Twelve", 12), ("seven", 7), ("\u22124", -4), ("8" * 16, int("8" * 16)), ("8" * 400, "bad_truth"), ("2.5", "bad_truth")],
)  # fmt: skip
def test_integers(answer, expected, row):
    assert loaded(row(answer, "integer"), "exact") == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("2,500 mm", 250), ("6'1\"", 185.42), ("1 m 35 cm", 135), ("0,8 m", 80), ("2 m or 3 m", "bad_truth"), ("2 m²", "bad_truth"), ("0 cm", "bad_truth")],
)  # fmt: skip
def test_lengths(answer, expected, row):
    found = loaded(row(answer, "measurement"), "measurement_ratio")
    assert found == (pytest.approx(expected) if isinstance(expected, int | float) else expected)


@pytest.mark.parametrize(
    ("holes", "expected"), [(6.0, 6), ("6", 6), (6.5, "missing_aid"), (True, "missing_aid"), (HUGE, HUGE)]
)
def test_numbers_of_holes(holes, expected, row):
    found = loaded(row("three", "integer", metadata_json=json.dumps({"holes": holes})), "endpoint_score")
    assert found == ({"index": 3, "count": expected} if isinstance(expected, int) else expected)


def test_the_twenty_eighth_option_has_its_letters(row):
    texts = tuple(f"crate {n}" for n in range(30))
    for answer in ("AB", "ab", "crate 27"):
        truth = load_truth(row(answer, "choice", choices=texts), "exact")
        assert truth.value == "AB"
        assert score_prediction("exact", "AB", truth).correct
        assert not score_prediction("exact", "B", truth).correct


@pytest.mark.parametrize("text", ["[(0.2, 0.2), (0.8, 0.7)", "[[0.2, 0.2], [0.8, 0.7]", "[(0.2, 0.2), (0.8, 0.7), ("])
def test_a_path_that_breaks_off_is_no_truth(text, row):
    assert loaded(row(text, "path"), "dfd_success") == "bad_truth"


@pytest.mark.parametrize(
    "text",
    ["[[1e200, 2], [20, 2], [20, 20]]", "[[-900, -900], [900, -900], [2, 900]]", "[[60, 40], [70, 40], [70, 50]]"],
)
def test_polygons_far_outside_the_picture_are_no_target(text, row):
    assert loaded(row(text, "mask"), "mask_precision") == "bad_truth"


def test_files_outside_the_root_are_not_read(row, tmp_path):
    for path in ("../outside.png", str(tmp_path / "outside.png")):
        assert loaded(row("", "mask", mask_path=path), "mask_precision") == "unsafe_path"

    assert loaded(row("", "mask", mask_path="m" * 3000 + ".png"), "mask_precision") == "missing_mask"
    assert loaded(row("", "mask", mask_path="mask.png"), "mask_precision") == {"pixels": 24, "size": [40, 30]}


def test_a_point_without_brackets(row):
    assert loaded(row("0.25, 0.5", "point"), "point_distance") == [0.25, 0.5]


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize(
    "prediction",
    [
        HUGE, -HUGE, [HUGE, 0.5], [[HUGE, 0.5], [0.1, 0.2]], {"value": HUGE, "unit": "m"}, {"index": HUGE, "count": 5},
        {"index": 2, "count": HUGE}, [0.1, 0.2, 0.3, HUGE], np.array("word"), np.array([[1j, 2.0], [0.1, 0.2]]), 1j, set(), b"B",
        np.full((2, 2, 2), True), [math.nan, 0.5], [[0.1, math.inf], [0.2, 0.3]], {"value": math.nan, "unit": "cm"}, [None, None],
    ],
    ids=repr,
)  # fmt: skip
def test_odd_predictions_score_or_are_a_wrong_call(name, prediction):
    try:
        score = score_prediction(name, prediction, TRUTHS[METRICS[name].truth])
    except InputError:
        return
    assert score.value == 0
    assert not score.correct
    json.dumps(score.details, allow_nan=False)


@pytest.mark.parametrize(
    ("prediction", "truth"),
    [
        (np.int64(6), Truth("integer", 6)),
        (np.float32(6), Truth("integer", 6)),
        (np.bool_(True), Truth("boolean", True)),
    ],
)
def test_numpy_scalars_are_the_values_they_hold(prediction, truth):
    assert score_prediction("exact", prediction, truth).value == 1


def test_the_blind_score_of_many_holes_takes_no_time():
    started = time.perf_counter()
    assert 0 < null_score("endpoint_score", Truth("endpoint", {"index": 3, "count": 10**9})) < 1e-8
    assert null_score("endpoint_score", Truth("endpoint", {"index": 1, "count": 4})) == pytest.approx((1 + 0.55) / 4)
    assert time.perf_counter() - started < 1
