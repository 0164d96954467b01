"""A drawn trajectory is read in its order, to its end, or refused with a reason."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.errors import Refusal
from provise.metrics import discrete_frechet
from provise.ops.paths import StrokeParams, stroke_path
from provise.ops.registry import View
from provise.ops.skeleton import resample
from provise.reading import Reading, read
from tests.drawing import RED, disc, flat, jpeg, photo

Vertices = list[tuple[int, int]]
BEND: Vertices = [(90, 390), (220, 310), (340, 270), (520, 100)]


def stroke(image: np.ndarray, vertices: Vertices, width: int) -> None:
    points = [np.round(np.array(vertices) * 16).astype(np.int32)]
    cv2.polylines(image, points, False, RED, width, cv2.LINE_AA, 4)


def read_path(answer: np.ndarray | bytes, source: np.ndarray, start: tuple[float, float]) -> Reading:
    return read("trajectory_drawing", answer, source=source, aids={"start": list(start)})


def distance(found: Reading, vertices: Vertices, size: tuple[int, int] = (640, 480)) -> float:
    """Discrete Fréchet distance to what was drawn, both sampled at the same arc lengths."""
    drawn = resample(np.array(vertices, float) + 0.5, 20) / size
    return discrete_frechet(found.prediction, drawn)


@pytest.mark.parametrize("width", [3, 6, 12, 20])
@pytest.mark.parametrize("quality", [None, 75, 30])
def test_a_bent_line_is_followed_to_its_end(width: int, quality: int | None) -> None:
    source = photo(2)
    answer = source.copy()
    stroke(answer, BEND, width)
    found = read_path(jpeg(answer, quality) if quality else answer, source, (90 / 640, 390 / 480))
    assert len(found.prediction) == 20
    assert found.prediction[-1] == pytest.approx([520.5 / 640, 100.5 / 480], abs=0.008)
    assert distance(found, BEND) < 0.012


def test_the_order_runs_from_the_given_start() -> None:
    source = flat()
    answer = source.copy()
    stroke(answer, BEND, 8)
    found = read_path(answer, source, (520 / 640, 100 / 480))
    assert distance(found, BEND[::-1]) < 0.012


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(3, 14))
def test_any_open_line_without_crossings(seed: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    xs = np.linspace(60, 580, int(rng.integers(3, 6)))
    vertices = [(int(x), int(y)) for x, y in zip(xs, rng.integers(60, 420, len(xs)), strict=True)]
    source = photo(4)
    answer = source.copy()
    stroke(answer, vertices, width)
    found = read_path(answer, source, (vertices[0][0] / 640, vertices[0][1] / 480))
    assert distance(found, vertices) < 0.03, found


def test_a_dashed_line_is_one_path() -> None:
    source = flat()
    answer = source.copy()
    stroke(answer, BEND, 8)
    for x in range(110, 510, 28):
        answer[:, x : x + 11] = source[:, x : x + 11]
    assert distance(read_path(answer, source, (90 / 640, 390 / 480)), BEND) < 0.025


def test_a_dot_at_the_start_and_the_line_a_little_further() -> None:
    source = flat()
    answer = source.copy()
    stroke(answer, BEND, 8)
    answer[:, :108] = source[:, :108]
    disc(answer, 90, 390, 6, RED)
    assert distance(read_path(answer, source, (90 / 640, 390 / 480)), BEND) < 0.025


@pytest.mark.parametrize("radius", [3, 6, 12, 25])
def test_a_dot_is_no_path(radius: int) -> None:
    answer = flat()
    disc(answer, 100, 300, radius, RED)
    found = read_path(answer, flat(), (100 / 640, 300 / 480))
    assert (found.prediction, found.reason) == (None, "no_path")


def test_a_gap_too_wide_to_bridge() -> None:
    answer = flat()
    stroke(answer, [(60, 240), (250, 240)], 8)
    stroke(answer, [(330, 240), (600, 240)], 8)
    found = read_path(answer, flat(), (60 / 640, 0.5))
    assert (found.prediction, found.reason) == (None, "disconnected")


@pytest.mark.parametrize("start", [(0.9, 0.9), (0.5, 0.6), (0.1, 0.2)])
def test_a_stroke_that_begins_elsewhere(start: tuple[float, float]) -> None:
    answer = flat()
    stroke(answer, BEND, 8)
    found = read_path(answer, flat(), start)
    assert (found.prediction, found.reason) == (None, "wrong_start")


@pytest.mark.parametrize("length", [5, 8, 10])
def test_a_barb_is_not_the_end(length: int) -> None:
    answer = flat()
    stroke(answer, [(50, 240), (590, 240)], 8)
    stroke(answer, [(320, 240), (320, 240 - length)], 4)
    found = read_path(answer, flat(), (50 / 640, 0.5))
    assert distance(found, [(50, 240), (590, 240)]) < 0.01


@pytest.mark.parametrize("head", [0.12, 0.2, 0.3])
def test_an_arrow_ends_at_its_tip(head: float) -> None:
    answer = flat()
    stroke(answer, BEND, 8)
    cv2.arrowedLine(answer, BEND[2], BEND[3], RED, 8, cv2.LINE_AA, 0, head)
    found = read_path(answer, flat(), (90 / 640, 390 / 480))
    assert found.prediction[-1] == pytest.approx([520 / 640, 100 / 480], abs=0.02)


@pytest.mark.parametrize("width", [5, 8])
@pytest.mark.parametrize("head", [24, 36, 50])
@pytest.mark.parametrize("line", [BEND, [(60, 200), (330, 330), (500, 120)], [(100, 400), (150, 140), (480, 160)]])
def test_a_drawn_arrow_head_is_not_followed_into_a_barb(line: Vertices, head: int, width: int) -> None:
    answer = flat()
    stroke(answer, line, width)
    tip = np.array(line[-1], float)
    back = np.array(line[-2], float) - tip
    back *= head / np.hypot(*back)
    for turn in (0.5, -0.5):
        c, s = np.cos(turn), np.sin(turn)
        x, y = tip + np.array([[c, -s], [s, c]]) @ back
        stroke(answer, [line[-1], (round(x), round(y))], width)
    found = read_path(answer, flat(), (line[0][0] / 640, line[0][1] / 480))
    assert distance(found, line) < 0.025, found.prediction[-1]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("width", [3, 5, 9])
def test_a_zig_zag_is_followed_through_all_its_corners(seed: int, width: int) -> None:
    zigzag = [(300 + (60 if i % 2 else -60), 40 + 36 * i) for i in range(12)]
    source = photo(seed)
    answer = source.copy()
    stroke(answer, zigzag, width)
    found = read_path(answer, source, (240 / 640, 40 / 480))
    assert distance(found, zigzag) < 0.03
    assert found.prediction[-1] == pytest.approx([360 / 640, 436 / 480], abs=0.01)


def test_a_ring_round_the_start_is_a_dot_there() -> None:
    source = photo(3)
    for radius in (8, 14, 20):
        answer = source.copy()
        stroke(answer, BEND, 6)
        cv2.circle(answer, BEND[0], radius, RED, 4, cv2.LINE_AA)
        assert distance(read_path(answer, source, (90 / 640, 390 / 480)), BEND) < 0.03


@pytest.mark.parametrize("radius", [15, 30, 60])
def test_a_small_loop_in_a_long_line_is_not_skipped(radius: int) -> None:
    turns = np.linspace(0, 2 * np.pi, 60)
    loop = [(round(320 + radius * np.sin(t)), round(240 - radius + radius * np.cos(t))) for t in turns]
    answer = flat()
    stroke(answer, [(40, 240), (320, 240), *loop, (600, 240)], 6)
    found = read_path(answer, flat(), (40 / 640, 0.5))
    assert (found.prediction, found.reason) == (None, "branching")


@pytest.mark.parametrize(
    "vertices",
    [
        [(60, 60), (400, 400), (400, 60), (60, 400)],
        [(100, 240), (500, 240), (300, 60), (300, 420)],
        [(100, 100), (500, 100), (500, 400), (100, 400), (100, 100)],
    ],
)
def test_a_crossing_or_a_loop_is_refused_not_cut_short(vertices: Vertices) -> None:
    answer = flat()
    stroke(answer, vertices, 8)
    found = read_path(answer, flat(), (vertices[0][0] / 640, vertices[0][1] / 480))
    assert (found.prediction, found.reason) == (None, "branching")


def test_red_specks_beside_the_line_are_noise() -> None:
    rng = np.random.default_rng(1)
    source = photo(5)
    answer = source.copy()
    stroke(answer, BEND, 9)
    for x, y in zip(rng.integers(0, 638, 900), rng.integers(0, 478, 900), strict=True):
        answer[y : y + 2, x : x + 2] = RED
    found = read_path(answer, source, (90 / 640, 390 / 480))
    assert distance(found, BEND) < 0.03


def test_the_scenes_own_red_is_no_stroke() -> None:
    source = photo(6)
    disc(source, 150, 350, 30, (220, 30, 40))
    found = read_path(jpeg(source), source, (0.2, 0.7))
    assert (found.prediction, found.reason) == (None, "source_returned")


def test_points_follow_the_stroke_at_equal_distances() -> None:
    source = flat(size=(1000, 500))
    answer = source.copy()
    stroke(answer, [(60, 60), (343, 343), (743, 343)], 8)
    points = np.array(read_path(answer, source, (0.06, 0.12)).prediction) * (1000, 500)
    steps = np.hypot(*np.diff(points, axis=0).T)
    # The one step across the corner is a chord, a little shorter than the arc.
    assert np.ptp(np.sort(steps)[1:]) < 0.5
    assert np.ptp(steps) < 4


def test_a_start_outside_the_picture_is_the_benchmarks_fault() -> None:
    answer = flat()
    stroke(answer, BEND, 8)
    assert read_path(answer, flat(), (1.2, 0.5)).status == "data_error"
    assert read("trajectory_drawing", answer, source=flat()).reason == "missing_aid"


def test_a_scribble_all_over_the_frame_is_refused_before_it_is_followed() -> None:
    mask = np.zeros((480, 640), np.uint8)
    mask[::4, 10:630] = 255
    for row in range(0, 476, 8):
        mask[row : row + 5, 10] = 255
        mask[row + 4 : row + 9, 629] = 255
    view = View(frame=(640, 480), aids={"start": [10 / 640, 0.0]})
    with pytest.raises(Refusal) as caught:
        stroke_path(view, StrokeParams(), mask=mask)
    assert caught.value.code == "branching"
    assert "scribble" in caught.value.message


def test_a_dotted_line_that_breaks_off_is_refused_and_not_read_in_part() -> None:
    source = photo(3)
    answer = source.copy()
    points = resample(np.array(BEND, np.float64), 15)
    for i, (x, y) in enumerate(points):
        if i not in (8, 9):
            disc(answer, x, y, 6, RED)
    found = read_path(jpeg(answer, 92), source, (BEND[0][0] / 640, BEND[0][1] / 480))
    assert (found.prediction, found.reason) == (None, "disconnected")
