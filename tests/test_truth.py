"""Truths as rows spell them: parsed once, checked, and refused with a code where they are impossible."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from provise.errors import DataError, InputError
from provise.metrics import discrete_frechet, mask_iou, mask_precision, score_prediction
from provise.sample import Sample
from provise.target_mask import fill_polygons
from provise.truth import DIRECTIONS, Truth, load_truth, parse_points

REAL = Path(os.environ.get("PROVISE_REAL") or Path(__file__).parents[2] / "shared" / "real")


@pytest.fixture
def row(tmp_path):
    """Make a sample over a picture of 80x60."""
    Image.new("RGB", (80, 60), (128, 128, 128)).save(tmp_path / "photo.png")

    def make(answer="", answer_type="", choices=(), mask_path="", image_path="photo.png", **metadata):
        return Sample(
            "s1", "cap", "task", image_path, answer=answer, answer_type=answer_type, choices=tuple(choices),
            mask_path=mask_path, metadata_json=json.dumps(metadata), root=tmp_path,
        )  # fmt: skip

    return make


def code_of(sample, metric):
    with pytest.raises(DataError, match="s1") as caught:
        load_truth(sample, metric)
    return caught.value.code


def mask_file(folder, name="mask.png", size=(80, 60)):
    mask = np.zeros(size[::-1], bool)
    mask[size[1] // 3 : size[1] // 2, size[0] // 4 : size[0] // 2] = True
    Image.fromarray(mask).save(folder / name)
    return mask


# -- labels ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["8", " 8 ", "8.0", "08", "+8"])
def test_an_integer_is_a_value(answer, row):
    truth = load_truth(row(answer, "integer"), "exact")
    assert (truth.kind, truth.value) == ("integer", 8)


@pytest.mark.parametrize("answer", ["B", "(B)", "b", "B.", "[B]", "**B**"])
@pytest.mark.parametrize("choices", [("(A) A is closer", "(B) B is closer"), ("left", "right"), ()])
def test_a_letter_is_that_option(answer, choices, row):
    truth = load_truth(row(answer, "choice", choices), "exact")
    assert (truth.kind, truth.value, truth.choices) == ("choice", "B", choices)


def test_an_empty_truth_is_the_benchmarks_fault(row):
    assert code_of(row("", "choice", ("a", "b")), "exact") == "bad_truth"
    assert code_of(row("  ", "integer"), "exact") == "bad_truth"


def test_texts_words_and_directions_meet_the_canonical_form(row):
    pytest.importorskip("provise.labels")
    choices = ("a blue ball", "a dog", "A red cube")
    assert load_truth(row("A red cube", "choice", choices), "exact").value == "C"
    assert load_truth(row("B. back", "choice", ("right", "back", "front")), "exact").value == "B"
    assert (
        load_truth(row("D. right", "choice", ("A. front", "B. front-left", "C. back-left", "D. right")), "exact").value
        == "D"
    )
    assert load_truth(row("true", "boolean"), "exact").value is True
    assert load_truth(row("false", "boolean"), "exact").value is False
    assert load_truth(row("B", "boolean", ("A. no", "B. yes")), "exact").value is True
    assert load_truth(row("B", "integer", ("2", "3", "4", "5")), "exact").value == 3
    for spelling in ("H. front-left", "(H)", "H", "front left", "front-left"):
        truth = load_truth(row(spelling, "direction"), "exact")
        assert (truth.kind, truth.value) == ("direction", "front-left")
    for direction in DIRECTIONS:
        assert load_truth(row(direction, "direction"), "exact").value == direction


def test_a_label_that_no_choice_has_is_the_benchmarks_fault(row):
    pytest.importorskip("provise.labels")
    assert code_of(row("D", "choice", ("left", "right")), "exact") == "bad_truth"
    assert code_of(row("a green cone", "choice", ("a blue ball", "a red cube")), "exact") == "bad_truth"
    assert code_of(row("sideways", "direction"), "exact") == "bad_truth"
    assert code_of(row("perhaps", "boolean"), "exact") == "bad_truth"
    assert code_of(row("many", "integer"), "exact") == "bad_truth"


# -- paths, points, boxes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["[(0.2, 0.3), (0.40, 0.5)]", "[[0.2,0.3],[0.4,0.5]]", "(.2,.3)->(.4,.5)", "(0.2, 0.3) → (0.4, 0.5)",
     "(2e-1, 0.3); (0.4, 5E-1)", "[\n  [0.2, 0.3],\n  [0.4, 0.5]\n]\n", "[(0.2, 0.3), (0.4, 0.5),]"],
)  # fmt: skip
def test_a_path_in_any_spelling(text, row):
    truth = load_truth(row(text, "path"), "dfd_success")
    assert truth.kind == "path"
    assert truth.value.tolist() == [[0.2, 0.3], [0.4, 0.5]]
    assert truth.to_json() == [[0.2, 0.3], [0.4, 0.5]]


def test_pixels_are_told_from_shares_by_the_whole_path(row):
    pixels = load_truth(row("[(0, 30), (1, 45), (80, 60)]", "path"), "dfd_success").value
    assert np.allclose(pixels, [[0, 0.5], [1 / 80, 0.75], [1, 1]])
    shares = load_truth(row("[(0, 1), (0.5, 0.5), (1, 0.25)]", "path"), "dfd_success").value
    assert shares.tolist() == [[0, 1], [0.5, 0.5], [1, 0.25]]


def test_pixels_follow_the_picture_as_it_is_seen(row, tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 8
    Image.new("RGB", (80, 60)).save(tmp_path / "turned.jpg", exif=exif)
    truth = load_truth(row("[(30, 40), (60, 80)]", "path", image_path="turned.jpg"), "dfd_success")
    assert truth.value.tolist() == [[0.5, 0.5], [1, 1]]
    assert code_of_media(row("[(30, 40), (60, 80)]", "path", image_path="none.jpg")) == "missing_media"


def code_of_media(sample):
    with pytest.raises(DataError) as caught:
        load_truth(sample, "dfd_success")
    return caught.value.code


def test_a_line_along_a_normalised_truth_is_near_it(row):
    truth = load_truth(row("[(0.2, 0.8), (0.5, 0.3), (0.9, 0.35)]", "path"), "dfd_success").value
    along = np.concatenate([np.linspace(truth[i], truth[i + 1], 10) for i in (0, 1)])
    assert discrete_frechet(along, truth) < 0.35
    assert score_prediction("dfd_success", along.tolist(), Truth("path", truth)).correct


@pytest.mark.parametrize(
    "text",
    ["", "[", "[(0.1, 0.2)", "(0.1, 0.2)", "no path", "[(0.1, 0.2), (nan, 0.3)]", "[(0.1, 0.2), (0.3)]",
     "[(0.1, 0.2), (0.3, 1e999)]", "[(0.1, 0.2, 0.3), (0.4, 0.5, 0.6)]", "[(10, 20), (400, 30)]",
     "[(0.1, 0.2), (-0.4, 0.3)]", "__import__('os')", "[" * 5000],
)  # fmt: skip
def test_what_is_no_path_in_the_picture_is_the_benchmarks_fault(text, row):
    assert code_of(row(text, "path"), "dfd_success") == "bad_truth"


def test_parse_points_reads_all_or_nothing():
    assert parse_points("[(1, 2), x]") is None
    assert parse_points("") is None
    assert parse_points("(1,2)(3,4)").tolist() == [[1, 2], [3, 4]]
    assert parse_points("[-1, 2]").tolist() == [[-1, 2]]


def test_points_and_boxes(row):
    assert load_truth(row("(0.3, 0.4)", "point"), "point_distance").value == (0.3, 0.4)
    assert load_truth(row("[40, 30]", "point"), "point_distance").value == (0.5, 0.5)
    assert code_of(row("[(0.3, 0.4), (0.5, 0.6)]", "point"), "point_distance") == "bad_truth"
    assert load_truth(row("[0.1, 0.2, 0.3, 0.4]", "box"), "box_iou").value == (0.1, 0.2, 0.3, 0.4)
    assert load_truth(row("(8, 6, 40, 30)", "box"), "box_iou").value == (0.1, 0.1, 0.5, 0.5)
    for bad in ("", "[1, 2, 3]", "[0.5, 0, 0.1, 1]", "[0.1, 0.1, 0.1, 0.4]", "[nan, 0, 1, 1]"):
        assert code_of(row(bad, "box"), "box_iou") == "bad_truth"


# -- endpoint, quantities ----------------------------------------------------------------------------------------------


def test_an_endpoint_needs_the_benchmarks_number_of_holes(row):
    truth = load_truth(row("3", "integer", holes=6), "endpoint_score")
    assert (truth.kind, truth.value, truth.to_json()) == (
        "endpoint",
        {"index": 3, "count": 6},
        {"index": 3, "count": 6},
    )
    assert load_truth(row("(3)", "integer", holes="6"), "endpoint_score").value == {"index": 3, "count": 6}
    for holes in ({}, {"holes": 0}, {"holes": "many"}, {"holes": True}, {"holes": None}, {"holes": [7]}):
        assert code_of(row("3", "integer", **holes), "endpoint_score") == "missing_aid"
    for answer in ("0", "7", "-1", "B", "", "2.5"):
        assert code_of(row(answer, "integer", holes=6), "endpoint_score") == "bad_truth"


def test_lengths_and_numbers(row):
    assert load_truth(row("3.5 m", "measurement"), "measurement_ratio").value == 350
    assert load_truth(row("12", "measurement", answer_unit="in"), "measurement_ratio").value == pytest.approx(30.48)
    for bad in ("", "far", "0 cm", "-3 m", "3 parsecs", "3", "1e999 m"):
        assert code_of(row(bad, "measurement"), "measurement_ratio") == "bad_truth"
    assert load_truth(row("-45", "number"), "angle_error").value == -45
    assert load_truth(row("7", "number"), "mean_relative_accuracy").kind == "number"
    length = load_truth(row("7", "number", answer_unit="feet"), "mean_relative_accuracy")
    assert (length.kind, length.value) == ("measurement", pytest.approx(213.36))


# -- masks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["mask_path", "answer", "metadata"])
@pytest.mark.parametrize("metric", ["mask_precision", "point_in_mask", "mask_iou"])
def test_a_mask_wherever_the_row_names_it(where, metric, row, tmp_path):
    mask = mask_file(tmp_path)
    sample = {
        "mask_path": row("whatever", "mask", mask_path="mask.png"),
        "answer": row("mask.png", "mask"),
        "metadata": row("", "point", mask="mask.png"),
    }[where]
    truth = load_truth(sample, metric)
    assert np.array_equal(truth.value, mask)
    assert truth.path == tmp_path / "mask.png"
    assert truth.to_json() == {"pixels": int(mask.sum()), "size": [80, 60]}


def test_a_mask_of_another_size_comes_to_the_sources_grid(row, tmp_path):
    mask_file(tmp_path, size=(160, 120))
    assert np.array_equal(load_truth(row(mask_path="mask.png"), "mask_precision").value, mask_file(tmp_path, "own.png"))


@pytest.mark.parametrize(
    "answer",
    [
        "[[8.0, 6.0, 40.0, 6.0, 40.0, 30.0, 8.0, 30.0]]",
        "[8, 6, 40, 6, 40, 30, 8, 30]",
        "[[8, 6], [40, 6], [40, 30], [8, 30]]",
        "[(0.1, 0.1), (0.5, 0.1), (0.5, 0.5), (0.1, 0.5)]",
        "[[[8, 6], [40, 6], [40, 30], [8, 30]]]",
    ],
)
def test_polygons_in_the_answer_are_a_target_too(answer, row):
    expected = np.zeros((60, 80), bool)
    expected[6:30, 8:40] = True
    assert np.array_equal(load_truth(row(answer, "point"), "point_in_mask").value, expected)


def test_faults_of_masks_have_their_codes(row, tmp_path):
    Image.new("L", (80, 60)).save(tmp_path / "black.png")
    (tmp_path / "text.png").write_text("no picture")
    assert code_of(row("", "mask"), "mask_precision") == "missing_mask"
    assert code_of(row("", "mask", mask_path="none.png"), "mask_precision") == "missing_mask"
    assert code_of(row("the left mug", "point"), "point_in_mask") == "bad_truth"
    assert code_of(row("[[1, 2], [3, 4]]", "point"), "point_in_mask") == "bad_truth"
    assert code_of(row("[[10.6, 10.6], [10.9, 10.6], [10.9, 10.9]]", "point"), "point_in_mask") == "empty_mask"
    for name, code in (("black.png", "empty_mask"), ("text.png", "bad_truth")):
        with pytest.raises(DataError, match=name) as caught:
            load_truth(row("", "mask", mask_path=name), "mask_precision")
        assert caught.value.code == code


def test_an_unknown_metric_is_a_wrong_call(row):
    with pytest.raises(InputError, match="mask_recall"):
        load_truth(row("1", "integer"), "mask_recall")


# -- real data ---------------------------------------------------------------------------------------------------------


@pytest.mark.real
def test_every_roboafford_target_loads_and_scores_1_against_itself():
    folder = REAL / "roboafford"
    if not folder.is_dir():
        pytest.skip(f"no real data at {REAL}; PROVISE_REAL names its folder")
    rows = json.loads((folder / "annotations_normxy.json").read_text())
    assert len(rows) == 193
    for index, entry in enumerate(rows):
        sample = Sample(
            f"r{index}",
            "interaction",
            "affordance",
            f"images/{entry['img']}",
            mask_path=f"masks/{entry['mask']}",
            root=folder,
        )
        truth = load_truth(sample, "mask_precision")
        assert truth.value.shape == (480, 640)
        assert truth.value.any()
        assert mask_precision(truth.value, truth.value) == mask_iou(truth.value, truth.value) == 1.0
        assert score_prediction("mask_precision", truth.value, truth).correct


@pytest.mark.real
def test_roboafford_outlines_fill_to_their_masks():
    """Polygons and mask of one question are one region, up to what three decimals and border pixels move."""
    folder = REAL / "roboafford"
    if not folder.is_dir():
        pytest.skip(f"no real data at {REAL}; PROVISE_REAL names its folder")
    rows = json.loads((folder / "annotations_normxy.json").read_text())
    found = []
    for entry in (row for row in rows if row["category"] != "spatial affordance"):
        with Image.open(folder / "masks" / entry["mask"]) as image:
            mask = np.asarray(image) > 127
        rings = [np.array(ring) * [640, 480] for ring in entry["answer"]]
        found.append(mask_iou(fill_polygons(rings, (640, 480)), mask))
    assert np.median(found) > 0.9


@pytest.mark.real
def test_every_example_record_has_a_truth():
    file = REAL / "examples" / "records.jsonl"
    if not file.is_file():
        pytest.skip(f"no real data at {REAL}; PROVISE_REAL names its folder")
    metrics = {"affordance": "mask_precision", "trajectory": "dfd_success", "prediction": "endpoint_score"}
    kinds = {}
    for line in file.read_text().splitlines():
        sample = Sample.from_row(json.loads(line), root=file.parent)
        if sample.answer_type == "boolean":
            pytest.importorskip("provise.labels")
        kinds[sample.id] = load_truth(sample, metrics.get(sample.task, "exact")).to_json()
    assert kinds["example_counting"] == 8
    assert kinds["example_depth"] == kinds["example_perspective"] == "B"
    assert kinds["example_prediction"] == {"index": 4, "count": 7}
    assert len(kinds["example_trajectory"]) == 3
