"""Grid and slots: the one cell that is marked, or a refusal."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from provise.ops.cells import DIRECTIONS, SlotParams, slot_boxes
from provise.reading import read
from tests.drawing import BLUE, MAGENTA, disc, flat, jpeg, photo

CELLS = [(name, i) for i, name in enumerate(DIRECTIONS) if name]


def cell(image: np.ndarray, index: int, colour: tuple[int, int, int] = BLUE, spill: int = 0) -> None:
    h, w = image.shape[:2]
    row, column = divmod(index, 3)
    image[row * h // 3 : (row + 1) * h // 3, column * w // 3 : (column + 1) * w // 3 + spill] = colour


@pytest.mark.parametrize(("name", "index"), CELLS)
def test_each_outer_cell_names_its_direction(name: str, index: int) -> None:
    source = photo(1)
    answer = source.copy()
    cell(answer, index)
    assert read("direction_grid", answer, source=source).prediction == name


@pytest.mark.parametrize(("name", "index"), CELLS)
def test_a_small_mark_in_a_cell_is_enough(name: str, index: int) -> None:
    source = photo(2)
    answer = source.copy()
    row, column = divmod(index, 3)
    disc(answer, 640 * (column + 0.5) / 3, 480 * (row + 0.5) / 3, 12, BLUE)
    assert read("direction_grid", jpeg(answer), source=source).prediction == name


def test_a_grid_drawn_on_a_white_canvas_with_blue_lines() -> None:
    source = photo(3)
    answer = flat((255, 255, 255))
    for k in (1, 2):
        answer[k * 160 - 1 : k * 160 + 2] = BLUE
        answer[:, k * 213 - 1 : k * 213 + 2] = BLUE
    cell(answer, 6)
    assert read("direction_grid", answer, source=source).prediction == "front-left"


def test_the_scenes_own_sky_is_no_mark() -> None:
    source = photo(4)
    source[:160] = (40, 90, 220)
    for answer in (source, jpeg(source), jpeg(source, 40)):
        found = read("direction_grid", answer, source=source)
        assert (found.prediction, found.reason) == (None, "source_returned")


def test_a_mark_below_the_scenes_own_sky() -> None:
    source = photo(4)
    source[:160] = (40, 90, 220)
    answer = source.copy()
    cell(answer, 7)
    assert read("direction_grid", jpeg(answer), source=source).prediction == "front"


@pytest.mark.parametrize(
    ("cells", "reason"),
    [([1, 7], "multiple_cells"), ([0, 1], "multiple_cells"), (list(range(9)), "every_cell"), ([4], "centre_cell")],
)
def test_layouts_that_name_nothing(cells: list[int], reason: str) -> None:
    source = photo(5)
    answer = source.copy()
    for index in cells:
        cell(answer, index, (0, 0, 250), spill=8 if cells == [4] else 0)
    if len(cells) == 9:
        answer[::7] = source[::7]
    found = read("direction_grid", answer, source=source)
    assert (found.prediction, found.reason) == (None, reason)


@pytest.mark.parametrize(("letter", "x", "y"), [("A", 0, 0), ("B", 984, 0), ("C", 0, 984), ("D", 984, 984)])
def test_a_square_flush_in_a_corner(letter: str, x: int, y: int) -> None:
    source = photo(6, (1024, 1024))
    answer = source.copy()
    answer[y : y + 40, x : x + 40] = MAGENTA
    assert read("fixed_slots", answer, source=source, choices=list("abcd")).prediction == letter


@pytest.mark.parametrize("n", [2, 3, 5, 7])
def test_other_numbers_of_options_use_the_strip(n: int) -> None:
    source = photo(7)
    for i in range(n):
        answer = source.copy()
        x = int((i + 0.5) / n * 640)
        answer[430:460, x - 15 : x + 15] = MAGENTA
        assert read("fixed_slots", answer, source=source, choices=["x"] * n).prediction == "ABCDEFG"[i]


@pytest.mark.parametrize(
    ("boxes", "reason"),
    [
        ([(10, 10), (590, 430)], "multiple_slots"),
        ([(300, 220)], "outside_slots"),
        ([(300, 10)], "outside_slots"),
        ([(10, 10), (300, 220)], "multiple_slots"),
    ],
)
def test_marks_in_two_slots_or_in_none(boxes: list[tuple[int, int]], reason: str) -> None:
    source = photo(8)
    answer = source.copy()
    for x, y in boxes:
        answer[y : y + 36, x : x + 36] = MAGENTA
    found = read("fixed_slots", answer, source=source, choices=list("abcd"))
    assert (found.prediction, found.reason) == (None, reason)


def test_a_flower_in_a_corner_is_no_mark() -> None:
    source = photo(9)
    disc(source, 60, 60, 30, (230, 60, 200))
    for answer in (source, jpeg(source), jpeg(source, 50)):
        found = read("fixed_slots", answer, source=source, choices=list("abcd"))
        assert (found.prediction, found.reason) == (None, "source_returned")


def test_an_edit_of_another_view_is_compared_with_that_view() -> None:
    views = [photo(seed) for seed in (20, 21, 22)]
    disc(views[1], 60, 60, 30, (230, 60, 200))
    answer = views[1].copy()
    answer[430:470, 590:630] = MAGENTA
    assert read("fixed_slots", jpeg(answer), media=views, choices=list("abcd")).prediction == "D"
    assert read("fixed_slots", jpeg(views[1]), media=views, choices=list("abcd")).reason == "source_returned"


def test_slots_need_options() -> None:
    found = read("fixed_slots", photo(1), source=photo(2))
    assert (found.status, found.reason) == ("noncompliant", "no_mark") or found.status == "data_error"
    marked = photo(2)
    marked[:40, :40] = MAGENTA
    assert read("fixed_slots", marked, source=photo(2)).status == "data_error"


def test_slot_layouts_tile_the_strip() -> None:
    for n in (2, 3, 5, 9):
        boxes = slot_boxes(n, SlotParams())
        assert boxes[0][0] == 0
        assert boxes[-1][2] == 1
        assert all(a[2] == b[0] for a, b in itertools.pairwise(boxes))


def inset(image: np.ndarray, corner: tuple[int, int], side: int, index: int, line: tuple[int, int, int]) -> None:
    """Draw a small 3x3 grid with its corner at (x, y), one of its cells filled."""
    x, y = corner
    third = side // 3
    row, column = divmod(index, 3)
    image[y + row * third : y + (row + 1) * third, x + column * third : x + (column + 1) * third] = BLUE
    for k in range(4):
        image[y + k * third - 1 : y + k * third + 2, x - 1 : x + side + 2] = line
        image[y - 1 : y + side + 2, x + k * third - 1 : x + k * third + 2] = line


@pytest.mark.parametrize("index", [0, 1, 5, 7])
@pytest.mark.parametrize("side", [90, 150, 240])
@pytest.mark.parametrize("line", [(255, 255, 255), (0, 0, 0), BLUE])
def test_a_small_grid_in_a_corner_is_no_grid_of_the_frame(line: tuple[int, int, int], side: int, index: int) -> None:
    source = photo(6)
    for answer in (source.copy(), flat((255, 255, 255)) if line != (255, 255, 255) else source.copy()):
        for corner in ((20, 20), (620 - side, 20), (20, 460 - side)):
            drawn = answer.copy()
            inset(drawn, corner, side, index, line)
            for made in (drawn, jpeg(drawn, 75)):
                found = read("direction_grid", made, source=source)
                assert found.prediction is None
                assert found.reason in ("inset_grid", "centre_cell", "multiple_cells", "other_framing")


def test_a_panel_with_a_mark_in_it_is_no_cell() -> None:
    source = photo(6)
    answer = source.copy()
    answer[30:200, 400:600] = 245
    answer[90:140, 420:470] = BLUE
    assert read("direction_grid", answer, source=source).reason == "inset_grid"


def test_a_ruled_frame_and_an_edged_cell_are_no_inset() -> None:
    source = photo(6)
    ruled = source.copy()
    for k in (1, 2):
        ruled[k * 160 - 1 : k * 160 + 2] = 255
        ruled[:, k * 213 - 1 : k * 213 + 2] = 255
    disc(ruled, 530, 80, 40, BLUE)
    assert read("direction_grid", ruled, source=source).prediction == "back-right"
    edged = source.copy()
    edged[:160, 426:] = (255, 255, 255)
    edged[6:154, 432:634] = BLUE
    assert read("direction_grid", edged, source=source).prediction == "back-right"


@pytest.mark.parametrize("small", [12, 20, 40])
def test_a_small_mark_in_another_slot_is_a_mark_too(small: int) -> None:
    source = photo(5)
    answer = source.copy()
    answer[10:130, 10:170] = MAGENTA
    assert read("fixed_slots", answer, source=source, choices=list("abcd")).prediction == "A"
    answer[420 : 420 + small, 590 : 590 + small] = MAGENTA
    for made in (answer, jpeg(answer, 75)):
        assert read("fixed_slots", made, source=source, choices=list("abcd")).reason == "multiple_slots"


def test_specks_beside_a_mark_are_none() -> None:
    source = photo(5)
    answer = source.copy()
    answer[10:90, 10:90] = MAGENTA
    answer[300:303, 400:403] = answer[100:102, 500:560] = MAGENTA
    assert read("fixed_slots", answer, source=source, choices=list("abcd")).prediction == "A"
