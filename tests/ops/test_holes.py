"""The circled hole: its number by reading the row, or a refusal."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from provise.ops.digits import read_digit
from provise.reading import Reading, read
from tests.drawing import BLUE, YELLOW, jpeg


def box(holes: int, size: tuple[int, int] = (640, 800), font_size: int = 26) -> np.ndarray:
    """A box with a row of numbered holes along its upper wall, and a ball."""
    w, h = size
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    left, right, top = 0.08 * w, 0.92 * w, 0.06 * h
    pen.rectangle([left, top, right, 0.94 * h], outline="black", width=3)
    pen.line([left, top + 0.06 * h, right, top + 0.06 * h], fill="black", width=3)
    font = ImageFont.load_default(font_size)
    for i in range(holes):
        x0, x1 = (left + (right - left) * k / holes for k in (i, i + 1))
        pen.line([x1, top, x1, top + 0.06 * h], fill="black", width=3)
        pen.text(((x0 + x1) / 2, top + 0.03 * h), str(i + 1), fill="black", font=font, anchor="mm")
    pen.ellipse([0.5 * w - 9, 0.8 * h - 9, 0.5 * w + 9, 0.8 * h + 9], fill="red")
    return np.asarray(image).copy()


def centre(index: float, holes: int, size: tuple[int, int] = (640, 800)) -> tuple[int, int]:
    w, h = size
    return round(0.08 * w + 0.84 * w * (index - 0.5) / holes), round(0.09 * h)


def draw(source: np.ndarray, index: float, holes: int, radius: int = 22) -> np.ndarray:
    answer = source.copy()
    x, y = centre(index, holes, (source.shape[1], source.shape[0]))
    cv2.line(answer, (320, 640), (580, 400), YELLOW, 7, cv2.LINE_AA)
    cv2.line(answer, (580, 400), (x, y + 25), YELLOW, 7, cv2.LINE_AA)
    cv2.circle(answer, (x, y), radius, BLUE, 4, cv2.LINE_AA)
    return answer


def endpoint(answer: np.ndarray | bytes, source: np.ndarray, holes: int) -> Reading:
    return read("trajectory_endpoint", answer, source=source, aids={"holes": holes})


@pytest.mark.parametrize("holes", range(3, 13))
def test_each_hole_of_a_row(holes: int) -> None:
    source = box(holes)
    for index in sorted({1, 2, (holes + 1) // 2, holes - 1, holes}):
        found = endpoint(draw(source, index, holes), source, holes)
        assert found.prediction == {"index": index, "count": holes}, found


@pytest.mark.parametrize("quality", [75, 30])
def test_a_jpeg_of_it(quality: int) -> None:
    source = box(7)
    for index in (1, 4, 7):
        assert endpoint(jpeg(draw(source, index, 7), quality), source, 7).prediction == {"index": index, "count": 7}


def test_a_number_drawn_again_within_the_circle() -> None:
    source = box(6)
    answer = draw(source, 3, 6)
    cv2.putText(answer, "3", (centre(3, 6)[0] - 8, centre(3, 6)[1] + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.8, BLUE, 2)
    assert endpoint(answer, source, 6).prediction == {"index": 3, "count": 6}


def test_what_is_missing_has_its_own_reason() -> None:
    source = box(5)
    no_path = source.copy()
    cv2.circle(no_path, centre(2, 5), 22, BLUE, 4)
    assert endpoint(no_path, source, 5).reason == "no_path"
    no_ring = source.copy()
    cv2.line(no_ring, (320, 640), (580, 400), YELLOW, 7)
    assert endpoint(no_ring, source, 5).reason == "no_circle"
    two = draw(source, 2, 5)
    cv2.circle(two, centre(4, 5), 22, BLUE, 4)
    assert endpoint(two, source, 5).reason == "multiple_circles"
    between = draw(source, 2.5, 5)
    assert endpoint(between, source, 5).reason == "ambiguous_circle"
    away = source.copy()
    cv2.line(away, (320, 640), (580, 400), YELLOW, 7)
    cv2.circle(away, (320, 500), 22, BLUE, 4)
    assert endpoint(away, source, 5).reason == "no_hole"


def test_another_number_of_holes_than_the_question_has() -> None:
    found = endpoint(draw(box(6), 3, 6), box(7), 7)
    assert (found.prediction, found.reason) == (None, "wrong_hole_count")


def test_a_redrawn_picture_is_read_by_its_own_numbers() -> None:
    answer = np.ascontiguousarray(draw(box(6), 2, 6))
    for i in range(6):
        x, y = centre(i + 1, 6)
        if i != 1:
            answer[y - 18 : y + 18, x - 25 : x + 25] = 255
            cv2.putText(answer, str(6 - i), (x - 9, y + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (0, 0, 0), 2, cv2.LINE_AA)
    assert endpoint(answer, box(6), 6).prediction == {"index": 5, "count": 6}
    # The row went to the lower wall: the source's upper row says nothing about it.
    turned = np.full_like(box(6), 255)
    turned[400:] = draw(box(6), 4, 6)[:400]
    turned[:400, 300:307] = YELLOW
    assert endpoint(turned, box(6), 6).prediction == {"index": 4, "count": 6}


@pytest.mark.parametrize("index", [1, 2, 5])
def test_numbers_too_blurred_to_read_stand_where_the_sources_stand(index: int) -> None:
    source = box(5, font_size=14)
    answer = cv2.GaussianBlur(draw(source, index, 5), (0, 0), 2.5)
    assert endpoint(answer, source, 5).prediction == {"index": index, "count": 5}


def test_unreadable_numbers_of_another_drawing_are_not_the_sources() -> None:
    source = box(5, font_size=14)
    answer = np.roll(draw(source, 2, 5), 60, axis=0)
    found = endpoint(cv2.GaussianBlur(answer, (0, 0), 4), source, 5)
    assert found.prediction is None, found


@pytest.mark.parametrize("index", [1, 2, 4])
def test_a_wide_bold_four_is_the_last_of_four(index: int) -> None:
    source = box(4, font_size=1)
    for i in range(1, 5):
        x, y = centre(i, 4)
        cv2.putText(source, str(i), (x - 10, y + 9), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 4, cv2.LINE_AA)
    assert endpoint(draw(source, index, 4), source, 4).prediction == {"index": index, "count": 4}


def test_holes_are_a_reading_aid_that_must_be_there() -> None:
    assert endpoint(box(5), box(5), 0).status == "data_error"


def glyph(digit: int, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> np.ndarray:
    image = Image.new("L", (120, 120), 0)
    ImageDraw.Draw(image).text((30, 30), str(digit), fill=255, font=font)
    ink = np.asarray(image)
    x, y, w, h = cv2.boundingRect((ink > 96).astype(np.uint8))
    return ink[y : y + h, x : x + w]


@pytest.mark.parametrize("size", [12, 18, 30, 44])
@pytest.mark.parametrize("face", ["DejaVuSans", "DejaVuSans-Oblique", "DejaVuSerif-Bold", "STIXGeneral", "cmr10"])
def test_digits_are_read_or_left_open_never_misread(face: str, size: int) -> None:
    import matplotlib

    font = ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / f"{face}.ttf"), size)
    read_as = [read_digit(glyph(digit, font))[0] for digit in range(10)]
    assert all(found in (None, digit) for digit, found in enumerate(read_as))
    assert sum(found is not None for found in read_as) >= 6


def test_what_is_no_digit_is_left_open() -> None:
    rng = np.random.default_rng(0)
    noise = [read_digit(rng.integers(0, 255, (24, 14)))[0] for _ in range(50)]
    assert sum(found is not None for found in noise) <= 2
    assert read_digit(np.full((20, 14), 255))[0] is None
