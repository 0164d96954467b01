"""State matching: the nearest candidate, and every way an answer or a benchmark row can fail it."""

import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from provise.image import Picture
from provise.ops.match import MatchParams, copy_distance
from provise.protocol import Protocol, open_protocol
from provise.reading import Reading, read

Array = np.ndarray


def _protocol(**more: Any) -> Protocol:
    return open_protocol("state_matching", encoder="descriptor", **more)


def _window(photo: Array, left: float, top: float = 0.0, share: float = 0.7) -> Array:
    h, w = photo.shape[:2]
    x, y = round(left * w), round(top * h)
    cut = photo[y : y + round(share * h), x : x + round(share * w)]
    return cv2.resize(np.ascontiguousarray(cut), (480, 360), interpolation=cv2.INTER_AREA)


CURRENT = _window(data.coffee(), 0.1, 0.1)
VIEWS = [_window(data.coffee(), x, y) for x, y in ((0.0, 0.0), (0.3, 0.0), (0.0, 0.3), (0.3, 0.3))]


def _read(answer: Array, views: list[Array] | None = None, current: Array = CURRENT, **more: Any) -> Reading:
    options = VIEWS if views is None else views
    letters = [chr(65 + i) for i in range(len(options))]
    return read(_protocol(**more), answer, media=[current, *options], choices=letters)


def _encode(x: Array, ending: str, quality: int) -> Array:
    flag = cv2.IMWRITE_WEBP_QUALITY if ending == ".webp" else cv2.IMWRITE_JPEG_QUALITY
    return cv2.imdecode(cv2.imencode(ending, x, [flag, quality])[1], cv2.IMREAD_COLOR)


def _moved(x: Array, share: float) -> Array:
    """The camera a step forward: the middle of the picture, at the old size."""
    h, w = x.shape[:2]
    dy, dx = max(1, round(h * share)), max(1, round(w * share))
    return cv2.resize(x[dy : h - dy, dx : w - dx], (w, h), interpolation=cv2.INTER_CUBIC)


@pytest.mark.parametrize("index", range(4))
def test_each_view_is_matched_to_itself_with_the_similarities_told(index: int) -> None:
    reading = _read(_encode(VIEWS[index], ".jpg", 60))
    assert reading.prediction == "ABCD"[index]
    numbers = reading.evidence["numbers"]["choice"]
    assert numbers["encoder"] == "descriptor"
    assert list(numbers["similarities"]) == ["A", "B", "C", "D"]
    assert max(numbers["similarities"], key=numbers["similarities"].get) == reading.prediction
    assert reading.reader == "deterministic:descriptor"


def test_a_square_answer_is_stretched_to_the_shape_of_the_view() -> None:
    assert _read(cv2.resize(VIEWS[1], (512, 512))).prediction == "B"


@pytest.mark.parametrize("level", [0, 127, 255])
def test_a_flat_answer_is_blank(level: int) -> None:
    assert _read(np.full((300, 400, 3), level, np.uint8)).reason == "blank"


def test_a_flat_answer_with_a_sensors_noise_is_blank() -> None:
    noise = np.random.default_rng(1).normal(118, 5, (360, 480, 3))
    assert _read(np.clip(noise, 0, 255).astype(np.uint8)).reason == "blank"


def _redrawn(x: Array, turn: float, zoom: float, light: float) -> Array:
    """A picture as a model repeats it: turned, nearer, softer, its light off."""
    h, w = x.shape[:2]
    moved = cv2.warpAffine(
        x, cv2.getRotationMatrix2D((w / 2, h / 2), turn, zoom), (w, h), borderMode=cv2.BORDER_REFLECT
    )
    return np.clip(cv2.GaussianBlur(moved, (0, 0), 1.5).astype(np.float32) * light, 0, 255).astype(np.uint8)


def _bars(h: int, w: int) -> Array:
    colours = np.random.default_rng(3).integers(0, 256, (1, 7, 3)).astype(np.uint8)
    return cv2.resize(colours, (w, h), interpolation=cv2.INTER_NEAREST)


UNLIKE = {
    "bars": _bars(360, 480),
    "ramp": np.tile(np.linspace(0, 255, 480)[None, :, None], (360, 1, 3)).astype(np.uint8),
    "cat": _window(data.chelsea(), 0.1),
    "text": _window(cv2.cvtColor(data.page(), cv2.COLOR_GRAY2RGB), 0.1),
    "coarse noise": cv2.resize(np.random.default_rng(4).integers(0, 256, (45, 60, 3)).astype(np.uint8), (480, 360)),
    "mirrored": np.ascontiguousarray(VIEWS[1][::-1]),
}


@pytest.mark.parametrize("name", UNLIKE)
def test_a_picture_of_something_else_is_no_candidate(name: str) -> None:
    reading = _read(UNLIKE[name])
    assert (reading.status, reading.reason) == ("noncompliant", "not_comparable")
    assert reading.prediction is None


@pytest.mark.parametrize("sigma", [40, 90])
def test_noise_is_no_state(sigma: float) -> None:
    noise = np.random.default_rng(5).normal(128, sigma, (360, 480, 3))
    assert _read(np.clip(noise, 0, 255).astype(np.uint8)).reason == "blank"


@pytest.mark.parametrize("light", [0.8, 1.1])
@pytest.mark.parametrize(("turn", "zoom"), [(0, 1.05), (1.5, 1.06), (-1, 1.0)])
def test_the_current_view_drawn_anew_is_no_next_view(turn: float, zoom: float, light: float) -> None:
    assert _read(_redrawn(CURRENT, turn, zoom, light)).reason == "source_returned"
    assert _read(_redrawn(VIEWS[2], turn, zoom, light)).prediction == "C"


COPIES = {
    "exact": lambda x: x.copy(),
    "jpeg 75": lambda x: _encode(x, ".jpg", 75),
    "jpeg 40": lambda x: _encode(x, ".jpg", 40),
    "webp": lambda x: _encode(x, ".webp", 80),
    "larger": lambda x: cv2.resize(x, (1024, 768), interpolation=cv2.INTER_LINEAR),
    "smaller": lambda x: cv2.resize(x, (320, 240), interpolation=cv2.INTER_AREA),
    "square": lambda x: cv2.resize(x, (512, 512), interpolation=cv2.INTER_LINEAR),
}


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize("photo", ["coffee", "astronaut", "rocket", "cat"])
def test_a_copy_of_the_current_view_is_refused(photo: str, name: str) -> None:
    whole = getattr(data, photo)()
    current = _window(whole, 0.1, 0.1)
    views = [_window(whole, x, y) for x, y in ((0.0, 0.0), (0.3, 0.0), (0.0, 0.3), (0.3, 0.3))]
    assert _read(COPIES[name](current), views, current).reason == "source_returned"


@pytest.mark.parametrize("step", [0.01, 0.02, 0.05])
def test_a_next_view_close_to_the_current_one_is_an_answer(step: float) -> None:
    views = [_moved(CURRENT, step), *VIEWS[:3]]
    assert _read(_encode(views[0], ".jpg", 75), views).prediction == "A"


def test_a_state_that_differs_by_one_small_object_is_an_answer() -> None:
    after = CURRENT.copy()
    cv2.circle(after, (240, 150), 9, (240, 240, 30), -1)
    assert _read(after, [VIEWS[0], after, VIEWS[1]]).prediction == "B"


def test_two_identical_candidates_name_nothing() -> None:
    assert _read(VIEWS[0], [VIEWS[0], VIEWS[0]]).reason == "ambiguous"
    other = _encode(VIEWS[0], ".jpg", 90)
    assert _read(VIEWS[0], [VIEWS[1], VIEWS[0], other]).reason == "ambiguous"


def test_identical_candidates_that_are_not_the_nearest_do_no_harm() -> None:
    assert _read(VIEWS[3], [VIEWS[0], VIEWS[0], VIEWS[3]]).prediction == "C"


def test_a_margin_that_is_not_reached_is_ambiguous_and_both_are_named() -> None:
    reading = _read(_window(data.coffee(), 0.02, 0.0), margin=0.9)
    assert reading.reason == "ambiguous"
    assert reading.evidence["numbers"]["choice"]["margin"] < 0.9


@pytest.mark.parametrize("n", [0, 1, 3])
def test_candidates_that_are_missing_are_the_benchmarks_fault(n: int) -> None:
    reading = read(_protocol(), VIEWS[0], media=[CURRENT, *VIEWS[:n]], choices=list("ABCD"))
    assert (reading.status, reading.reason) == ("data_error", "missing_candidates")


def test_no_pictures_at_all_is_the_benchmarks_fault() -> None:
    assert read(_protocol(), VIEWS[0], choices=list("ABCD")).status == "data_error"


def test_a_candidate_that_cannot_be_read_is_the_benchmarks_fault(tmp_path: Path) -> None:
    broken = tmp_path / "b.png"
    broken.write_bytes(b"<html>not found</html>")
    reading = read(_protocol(), VIEWS[0], media=[CURRENT, VIEWS[0], broken], choices=["A", "B"])
    assert reading.status == "data_error"


def test_the_current_view_listed_once_more_is_no_candidate() -> None:
    current = Picture(CURRENT, digest="view")
    reading = read(_protocol(), VIEWS[2], source=current, media=[current, *VIEWS], choices=list("ABCD"))
    assert reading.prediction == "C"


@settings(max_examples=15, deadline=None)
@given(order=st.permutations(range(4)), quality=st.integers(30, 95))
def test_the_order_of_the_candidates_moves_the_letter_and_nothing_else(order: list[int], quality: int) -> None:
    answer = _encode(VIEWS[2], ".jpg", quality)
    assert _read(answer, [VIEWS[i] for i in order]).prediction == "ABCD"[order.index(2)]


def test_copy_distance_is_symmetric_and_sees_a_shift_of_one_per_cent() -> None:
    one, other = CURRENT, np.roll(CURRENT, 5, axis=1)
    assert copy_distance(one, other) == copy_distance(other, one)
    assert copy_distance(one, other)[1] > 12


@pytest.mark.parametrize("encoder", ["resnet", "", "local-dir:"])
def test_other_encoders_are_refused_when_the_protocol_is_loaded(encoder: str) -> None:
    with pytest.raises(ValueError, match="encoder"):
        MatchParams(encoder=encoder)


@pytest.mark.real
def test_the_published_navigation_answer_reads_c() -> None:
    default = Path(__file__).resolve().parents[2].parent / "shared" / "real"
    folder = Path(os.environ.get("PROVISE_REAL", default)) / "examples" / "images"
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}")
    names = ["current", *(f"option_{letter}" for letter in "abcd")]
    media = [folder / f"navigation_{name}.jpg" for name in names]
    reading = read(_protocol(), folder / "navigation_generated.png", media=media, choices=list("ABCD"))
    assert reading.prediction == "C"
    for index in range(1, 5):
        assert read(_protocol(), media[index], media=media, choices=list("ABCD")).prediction == "ABCD"[index - 1]
    assert read(_protocol(), media[0], media=media, choices=list("ABCD")).reason == "source_returned"
