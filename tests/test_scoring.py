"""From a response to its row: one outcome each, outages apart, zeros in the denominator."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from provise.analysis.aggregate import summarise
from provise.protocol import open_protocol
from provise.sample import Sample
from provise.scoring import Response, Row, score_response
from tests.drawing import GREEN, disc, jpeg, photo, png

COUNT = open_protocol("instance_marking")


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    (tmp_path / "a.png").write_bytes(png(photo(1)))
    return Sample(
        "c1",
        "perception",
        "counting",
        "a.png",
        ("a.png",),
        question="How many?",
        answer="3",
        answer_type="integer",
        root=tmp_path,
    )


def marked(n: int) -> bytes:
    answer = photo(1)
    for i in range(n):
        disc(answer, 80 + 90 * i, 200, 14, GREEN)
    return png(answer)


@pytest.mark.parametrize(
    ("response", "outcome", "score"),
    [
        (Response(image=marked(3)), "correct", 1.0),
        (Response(image=marked(4)), "incorrect", 0.0),
        (Response(image=png(photo(1))), "protocol_noncompliance", 0.0),
        (Response(image=b"<html>"), "generation_failure", 0.0),
        (Response(error="refused by the provider", kind="generation"), "generation_failure", 0.0),
        (Response(text="There are three."), "correct", 1.0),
        (Response(text="2"), "incorrect", 0.0),
        (Response(text="a dog"), "protocol_noncompliance", 0.0),
    ],
)
def test_each_response_has_one_outcome(sample: Sample, response: Response, outcome: str, score: float) -> None:
    row, _ = score_response(sample, response, COUNT)
    assert (row.outcome, row.score, row.error) == (outcome, score, None)
    assert row.correct is (outcome == "correct")


@pytest.mark.parametrize(
    "image", [b"\x07", b"<svg/>", marked(3)[:400], jpeg(photo(1))[:900]], ids=["byte", "svg", "png", "jpeg"]
)
@pytest.mark.parametrize(
    ("protocol", "answer", "kind"),
    [
        ("binary_relation", "false", "boolean"),
        ("binary_relation", "B. no", "boolean"),
        ("instance_marking", "0", "integer"),
    ],
)
def test_an_answer_that_is_no_picture_is_right_about_nothing(
    sample: Sample, protocol: str, answer: str, kind: str, image: bytes
) -> None:
    from dataclasses import replace

    asked = replace(sample, answer=answer, answer_type=kind, choices=("A. yes", "B. no") if "." in answer else ())
    row, _ = score_response(asked, Response(image=image), open_protocol(protocol))
    assert (row.outcome, row.score, row.correct, row.prediction) == ("generation_failure", 0.0, False, None)


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (None, "missing"),
        (Response(image=Path("nowhere.png")), "missing"),
        (Response(error="503", kind="infrastructure"), "infrastructure"),
    ],
)
def test_an_outage_is_no_outcome(sample: Sample, response: Response | None, error: str) -> None:
    row, _ = score_response(sample, response, COUNT)
    assert (row.outcome, row.score, row.error) == (None, None, error)


@pytest.mark.parametrize("response", [Response(), Response(image=Path("no/such/picture.png"))])
def test_an_answer_that_names_no_picture_is_missing_too(sample: Sample, response: Response) -> None:
    assert score_response(sample, response, COUNT)[0].error == "missing"
    row, _ = score_response(sample, response, COUNT, missing="zero")
    assert (row.outcome, row.score, row.error) == ("generation_failure", 0.0, None)


def test_missing_answers_count_as_zero_where_asked(sample: Sample) -> None:
    row, _ = score_response(sample, None, COUNT, missing="zero")
    assert (row.outcome, row.score) == ("generation_failure", 0.0)


@pytest.mark.parametrize(
    "response", [Response(image=marked(3)), Response(image=b"x"), Response(text="3"), Response(text="?")]
)
def test_a_truth_that_is_none_is_the_benchmarks_fault(sample: Sample, response: Response) -> None:
    from dataclasses import replace

    row, _ = score_response(replace(sample, answer="many"), response, COUNT)
    assert (row.error, row.score) == ("data_error", None)


def test_pixels_of_a_source_that_is_not_there_are_the_benchmarks_fault(sample: Sample) -> None:
    from dataclasses import replace

    from provise.answers import Declared

    point = open_protocol("point_marker")
    lost = replace(sample, image_path="lost.png", task="grounding")
    row, _ = score_response(lost, Response(text="(3, 4)", coordinates=Declared("pixel")), point)
    assert (row.error, row.reason, row.score) == ("data_error", "missing_media", None)
    # Where the size that the model saw is declared, the source's is not asked for.
    seen = Declared("pixel", "xy", (640, 480))
    row, _ = score_response(lost, Response(text="nowhere", coordinates=seen), point)
    assert row.geometry["coordinates"]["size"] == [640, 480]


def row(task: str, score: float | None, capability: str = "c", outcome: str = "", error: str | None = None) -> Row:
    named = outcome or ("correct" if score == 1 else "incorrect")
    return Row(f"{task}-{id(object())}", task, capability, None if error else named, error, score=score)


def test_the_overall_score_is_a_macro_average() -> None:
    rows = [row("a", 1.0) for _ in range(40)] + [row("b", 0.0) for _ in range(25)] + [row("c", 0.0) for _ in range(35)]
    assert round(summarise(rows)["overall"]["score"], 1) == 33.3


def test_failures_stay_in_the_denominator_and_are_shown() -> None:
    rows = [row("a", 1.0) for _ in range(4)] + [row("a", 0.0, outcome="protocol_noncompliance") for _ in range(6)]
    task = summarise(rows)["tasks"]["a"]
    assert (task["score"], task["scorable"], task["scorable_only"]) == (40.0, 40.0, 100.0)


def test_what_a_blind_answer_would_have_scored_stands_beside_the_score(sample: Sample) -> None:
    from dataclasses import replace

    def one(number: int, end: list[float], image: bytes) -> Row:
        path = json.dumps([[0.25, 0.5], end])
        asked = replace(
            sample, id=f"t{number}", task="trajectory", answer=path, answer_type="path", metadata_json='{"start": [0.25, 0.5]}'
        )  # fmt: skip
        return score_response(asked, Response(image=image), open_protocol("trajectory_drawing"))[0]

    right, unread = photo(1), png(photo(1))
    cv2.line(right, (160, 240), (600, 240), (255, 0, 0), 8)
    rows = [
        one(0, [0.94, 0.5], png(right)),
        one(1, [0.3, 0.6], unread),
        one(2, [0.9, 0.5], unread),
        one(3, [0.9, 0.5], b""),
    ]
    task = summarise(rows)["tasks"]["trajectory"]
    assert [r.outcome for r in rows] == ["correct", *["protocol_noncompliance"] * 2, "generation_failure"]
    assert (task["score"], task["null_score"]) == (25.0, 25.0)  # a dot at the start passes the short one
    assert task["readers"] == ["deterministic"]


def test_a_count_has_no_blind_answer(sample: Sample) -> None:
    row, _ = score_response(sample, Response(text="3"), COUNT)
    assert summarise([row])["tasks"]["counting"]["null_score"] is None


def test_answers_that_could_not_be_read_are_told_from_wrong_ones(sample: Sample) -> None:
    said = ["3", "three", "There are 3.", "2", "no idea", "cups", "it depends", "<think>3"]
    rows = [score_response(sample, Response(text=text), COUNT)[0] for text in said]
    task = summarise(rows)["tasks"]["counting"]
    assert (task["score"], task["scorable"]) == (37.5, 50.0)
    assert (task["outcomes"]["incorrect"], task["outcomes"]["protocol_noncompliance"]) == (1, 4)
    assert {row.reason for row in rows[4:]} == {"no_answer", "truncated"}


def test_a_large_task_outweighs_no_small_one() -> None:
    rows = [row("a", float(i < 9)) for i in range(90)] + [row("b", 1.0)] + [row("c", float(i < 1)) for i in range(5)]
    assert round(summarise(rows)["overall"]["score"], 4) == round((10 + 100 + 20) / 3, 4)


def test_an_incomplete_task_has_no_score_and_no_overall() -> None:
    rows = [row("a", 1.0), row("b", None, error="missing"), row("b", 1.0)]
    summary = summarise(rows)
    assert summary["tasks"]["b"]["score"] is None
    assert summary["overall"]["score"] is None
    assert summary["mean_of_tasks"] == {"score": 100.0, "n_tasks": 1}
    assert [item["kind"] for item in summary["incomplete"]] == ["missing"]
