"""Answers that show the source padded, cropped or as a panel: places in them are not places in the source."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from provise import read
from provise.ops.framing import framing
from tests.drawing import BLUE, CYAN, MAGENTA, Bytes, disc, jpeg, photo

SCENE = photo(11, (800, 600))


def marked() -> Bytes:
    answer = np.clip(SCENE.astype(np.float32) * 1.03 + np.random.default_rng(1).normal(0, 4, (600, 800, 1)), 0, 255)
    answer = answer.astype(np.uint8)
    disc(answer, 500, 220, 14, CYAN)
    return answer


def padded(answer: Bytes, top: int, left: int, level: int) -> Bytes:
    return np.pad(answer, ((top, top), (left, left), (0, 0)), constant_values=level)


@pytest.mark.parametrize(
    "answer",
    [
        padded(marked(), 100, 0, 0),
        padded(marked(), 0, 134, 255),
        padded(marked(), 60, 60, 255),
        np.ascontiguousarray(marked()[:, 100:700]),
        np.ascontiguousarray(marked()[60:540, 80:720]),
        np.hstack([SCENE, marked()]),
        np.vstack([marked(), SCENE]),
    ],
    ids=["letterbox", "pillars", "frame", "cropped", "zoomed", "beside", "below"],
)
def test_a_point_in_another_framing_is_refused(answer: Bytes) -> None:
    found = read("point_marker", jpeg(answer, 92), source=SCENE)
    assert (found.status, found.reason) == ("noncompliant", "other_framing")


@pytest.mark.parametrize("size", [(800, 600), (1024, 1024), (1024, 1536), (400, 300)])
def test_a_stretched_answer_is_read(size: tuple[int, int]) -> None:
    found = read("point_marker", jpeg(cv2.resize(marked(), size, interpolation=cv2.INTER_AREA), 92), source=SCENE)
    assert np.allclose(found.prediction, (500.5 / 800, 220.5 / 600), atol=0.004)


def test_a_cell_in_a_panel_is_refused_and_in_a_padded_picture_read() -> None:
    answer = marked()
    answer[400:, :266] = BLUE
    assert read("direction_grid", jpeg(np.hstack([SCENE, answer]), 92), source=SCENE).reason == "other_framing"
    assert read("direction_grid", jpeg(padded(answer, 60, 0, 0), 92), source=SCENE).prediction == "front-left"


def test_bars_in_a_padded_picture_are_not_compared() -> None:
    answer = SCENE.copy()
    cv2.line(answer, (100, 100), (340, 100), MAGENTA, 8)
    cv2.line(answer, (500, 150), (500, 350), CYAN, 8)
    assert read("dual_measure", jpeg(answer, 92), source=SCENE, choices=["a", "b"]).prediction == "A"
    found = read("dual_measure", jpeg(padded(answer, 0, 134, 0), 92), source=SCENE, choices=["a", "b"])
    assert found.reason == "other_framing"


def test_another_scene_is_no_other_framing() -> None:
    answer = photo(12, (1000, 600))
    disc(answer, 500, 220, 14, CYAN)
    assert read("point_marker", jpeg(answer, 92), source=SCENE).reason != "other_framing"


def test_an_empty_canvas_with_a_mark_is_no_other_framing() -> None:
    answer = np.zeros((600, 800, 3), np.uint8)
    disc(answer, 500, 220, 14, CYAN)
    assert framing(answer, SCENE)[:2] == (1.0, 1.0)
