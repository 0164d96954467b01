"""Counting marks: the number that was drawn, or a refusal, never another number."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from provise.image import decode
from provise.reading import read
from tests.drawing import CYAN, GREEN, Bytes, disc, flat, jpeg, photo, star


@pytest.mark.parametrize("n", [1, 2, 7, 12])
@pytest.mark.parametrize("radius", [6, 15, 40])
def test_stars_are_counted(n: int, radius: int) -> None:
    source = photo(n)
    answer = source.copy()
    for i in range(n):
        star(answer, 70 + (i % 4) * 160, 60 + (i // 4) * 150, radius)
    assert read("instance_marking", answer, source=source).prediction == n


def test_green_stars_on_a_meadow() -> None:
    meadow = flat((70, 150, 50))
    answer = meadow.copy()
    for x in (90, 210, 330, 450):
        star(answer, x, 240, 24)
    assert read("instance_marking", answer, source=meadow).prediction == 4


def test_small_marks_beside_large_ones_are_kept() -> None:
    source = flat()
    answer = source.copy()
    for x, r in ((60, 9), (150, 9), (240, 36), (400, 36), (520, 9)):
        star(answer, x, 200, r)
    assert read("instance_marking", answer, source=source).prediction == 5


@pytest.mark.parametrize("radius", [12, 20, 32])
@pytest.mark.parametrize("thickness", [2, 4])
def test_a_thin_bar_across_each_mark_does_not_double_it(radius: int, thickness: int) -> None:
    source = flat()
    answer = source.copy()
    for i in range(4):
        star(answer, 100 + i * 130, 200, radius)
    answer[198 : 198 + thickness] = (40, 40, 40)
    found = read("instance_marking", answer, source=source)
    assert found.prediction == 4, found


@pytest.mark.parametrize("angle", [15, 30, 40, 75, 105, 150])
@pytest.mark.parametrize("aside", [0, 0.2])
@pytest.mark.parametrize(("radius", "thickness"), [(10, 2), (14, 3), (20, 5), (26, 5), (33, 7), (40, 7)])
def test_a_slanted_bar_across_each_mark_never_doubles_it(radius: int, thickness: int, aside: float, angle: int) -> None:
    answer = flat()
    turn = np.radians(angle)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    for x in (90, 250, 410, 570):
        star(answer, x, 200, radius)
        middle = np.array([x, 200]) + across * aside * radius
        ends = [np.rint(middle + side * (radius + 6) * along).astype(int).tolist() for side in (-1, 1)]
        cv2.line(answer, ends[0], ends[1], (40, 40, 40), thickness, cv2.LINE_AA)
    found = read("instance_marking", answer, source=flat())
    assert found.prediction == 4 or found.reason == "merged_marks", found
    if thickness <= radius / 6 and not aside:
        assert found.prediction == 4


@pytest.mark.parametrize("gap", [4, 6, 9])
@pytest.mark.parametrize("radius", [10, 18, 30])
@pytest.mark.parametrize("angle", [0, 20, 54, 90])
def test_stars_that_nearly_touch_are_two(radius: int, gap: int, angle: int) -> None:
    answer = flat()
    turn = np.radians(angle)
    reach = 2 * radius + gap
    star(answer, 200, 240, radius)
    star(answer, 200 + reach * np.cos(turn), 240 + reach * np.sin(turn), radius)
    assert read("instance_marking", answer, source=flat()).prediction == 2


@pytest.mark.parametrize("gap", [3, 5, 9])
def test_neighbours_are_not_taken_for_one(gap: int) -> None:
    source = flat()
    answer = source.copy()
    for x in (200, 200 + 40 + gap):
        cv2.rectangle(answer, (x, 200), (x + 39, 239), GREEN, -1)
    assert read("instance_marking", answer, source=source).prediction == 2


@pytest.mark.parametrize("distance", [14, 18, 22])
def test_touching_marks_are_refused_not_miscounted(distance: int) -> None:
    source = flat()
    answer = source.copy()
    disc(answer, 100, 100, 12, GREEN)
    disc(answer, 100 + distance, 100, 12, GREEN)
    for x in (200, 300, 400):
        disc(answer, x, 300, 12, GREEN)
    found = read("instance_marking", answer, source=source)
    assert (found.prediction, found.reason) == (None, "merged_marks")


def test_marks_of_another_colour_are_none() -> None:
    source = photo(3)
    answer = source.copy()
    for x in (100, 300, 500):
        disc(answer, x, 240, 20, CYAN)
    found = read("instance_marking", answer, source=source)
    assert (found.status, found.reason) == ("noncompliant", "no_mark")


def test_small_marks_survive_a_jpeg() -> None:
    source = photo(5)
    answer = source.copy()
    for i in range(40):
        disc(answer, 40 + (i % 8) * 75, 50 + (i // 8) * 90, 4, GREEN)
    assert read("instance_marking", jpeg(answer), source=source).prediction == 40


def test_marks_partly_on_the_scenes_own_green() -> None:
    source = photo(6)
    source[240:] = (48, 152, 44)
    answer = source.copy()
    for x, y in ((100, 100), (300, 120), (150, 350), (320, 400), (500, 330)):
        disc(answer, x, y, 14, GREEN)
    assert read("instance_marking", jpeg(answer, 85), source=source).prediction == 5


def test_another_size_than_the_source() -> None:
    source = photo(7)
    answer = cv2.resize(source, (1024, 1024))
    for i in range(5):
        star(answer, 100 + i * 180, 500, 30)
    found = read("instance_marking", answer, source=source)
    assert found.prediction == 5
    assert "aspect_changed" in found.geometry["notes"]


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_source_that_its_file_holds_turned(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    buffer = io.BytesIO()
    Image.fromarray(photo(11)).save(buffer, "JPEG", exif=exif, quality=90)
    upright = decode(buffer.getvalue())
    answer = upright.rgb.copy()
    for i in range(4):
        star(answer, 80 + 100 * i, 150 + 60 * i, 22)
    found = read("instance_marking", jpeg(answer, 85), source=buffer.getvalue())
    assert found.prediction == 4
    assert found.geometry["answer_size"] == found.geometry["source_size"] == list(upright.size)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 5)), min_size=1, max_size=20, unique=True), st.integers(5, 30)
)
def test_any_layout_without_contact(cells: list[tuple[int, int]], radius: int) -> None:
    source = photo(8)
    answer = source.copy()
    for column, row in cells:
        star(answer, 40 + column * 80, 40 + row * 80, radius)
    assert read("instance_marking", answer, source=source).prediction == len(cells)


def test_evidence_numbers_the_marks() -> None:
    source = flat()
    answer = source.copy()
    for x in (100, 300):
        star(answer, x, 240, 20)
    shapes = read("instance_marking", answer, source=source).evidence["shapes"]
    assert [s["label"] for s in shapes] == ["1", "2"]
    assert np.allclose(shapes[0]["at"], [80 / 640, 220 / 480, 120 / 640, 257 / 480], atol=0.01)


def _numbered(answer: Bytes, x: int, y: int, number: int) -> None:
    cv2.putText(answer, str(number), (x + 18, y + 6), cv2.FONT_HERSHEY_SIMPLEX, 0.7, GREEN, 2, cv2.LINE_AA)


@pytest.mark.parametrize("beside", ["digits", "boxes", "rings"])
def test_strokes_beside_the_marks_are_not_counted_as_marks(beside: str) -> None:
    scene = photo(4, (800, 600))
    answer = scene.copy()
    for number, (x, y) in enumerate(((100, 90), (330, 220), (250, 450), (690, 120), (560, 480)), 1):
        star(answer, x, y, 14)
        if beside == "digits":
            _numbered(answer, x, y, number)
        elif beside == "boxes":
            cv2.rectangle(answer, (x - 28, y - 28), (x + 28, y + 28), GREEN, 2)
        else:
            cv2.circle(answer, (x, y), 28, GREEN, 2, cv2.LINE_AA)
    found = read("instance_marking", jpeg(answer, 92), source=scene)
    assert found.status == "noncompliant"
    assert found.reason in ("unlike_marks", "merged_marks")


def test_marks_of_unlike_size_and_make_are_counted() -> None:
    scene = photo(4, (800, 600))
    answer = scene.copy()
    for (x, y), r in zip(((100, 90), (330, 220), (250, 450), (690, 120)), (7, 11, 16, 24), strict=True):
        star(answer, x, y, r)
    disc(answer, 560, 480, 12, GREEN)
    assert read("instance_marking", jpeg(answer, 92), source=scene).prediction == 5
