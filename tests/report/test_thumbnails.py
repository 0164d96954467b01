"""Thumbnails: small enough together, each once, as the picture is seen."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from provise.image import decode, encode_png
from provise.report.thumbnails import LEVELS, View, make_thumbnails
from tests.drawing import photo
from tests.report.many import picture


def save(path: Path, array: np.ndarray) -> View:
    path.write_bytes(encode_png(array))
    return View(path)


def test_few_pictures_keep_their_size_and_many_fit_the_budget(tmp_path: Path) -> None:
    views = [View(tmp_path / f"{i}.jpg") for i in range(40)]
    for i, view in enumerate(views):
        view.path.write_bytes(picture(i, (640, 480)))
    few = make_thumbnails(views[:2])
    assert few.longest == LEVELS[0][0]
    assert decode(few.data[0]).size == (480, 360)
    for budget in (400_000, 100_000, 45_000):
        made = make_thumbnails(views, budget=budget)
        assert sum(map(len, made.data)) <= budget
        assert len(made.index) == 40
        assert max(decode(made.data[0]).size) == made.longest
    assert make_thumbnails(views, budget=1).longest == LEVELS[-1][0]


def test_a_small_picture_is_not_enlarged(tmp_path: Path) -> None:
    view = save(tmp_path / "a.png", photo(1, (160, 120)))
    made = make_thumbnails([view])
    assert decode(made.data[made.index[view]]).size == (160, 120)


def test_the_same_picture_under_two_names_is_held_once(tmp_path: Path) -> None:
    a, b, c = (save(tmp_path / f"{name}.png", photo(seed, (160, 120))) for name, seed in (("a", 1), ("b", 1), ("c", 2)))
    made = make_thumbnails([a, b, c, a])
    assert len(made.data) == 2
    assert made.index[a] == made.index[b] != made.index[c]


def test_only_the_part_above_the_caption_is_shown(tmp_path: Path) -> None:
    array = np.zeros((100, 100, 3), np.uint8)
    array[:60] = 200
    path = save(tmp_path / "a.png", array).path
    made = make_thumbnails([View(path, (10, 6))])
    shown = decode(made.data[0])
    assert shown.size == (100, 60)
    assert shown.rgb.min() > 190
    # A shape that the picture does not have shows what there is.
    assert decode(make_thumbnails([View(path, (1, 9))]).data[0]).size == (100, 100)


def test_transparent_deep_and_turned_pictures_look_as_they_are_seen(tmp_path: Path) -> None:
    clear = np.zeros((20, 30, 4), np.uint8)
    cv2.imwrite(str(tmp_path / "deep.png"), np.full((20, 30), 40000, np.uint16))
    views = [save(tmp_path / "clear.png", clear), View(tmp_path / "deep.png")]
    made = make_thumbnails(views)
    assert decode(made.data[made.index[views[0]]]).rgb.min() > 250
    assert abs(float(decode(made.data[made.index[views[1]]]).rgb.mean()) - 40000 / 257) < 2


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture_is_left_out(content: bytes, tmp_path: Path) -> None:
    bad, good = View(tmp_path / "bad.png"), save(tmp_path / "good.png", photo(3, (160, 120)))
    bad.path.write_bytes(content)
    made = make_thumbnails([bad, View(tmp_path / "absent.png"), good])
    assert list(made.index) == [good]
    assert make_thumbnails([bad]).data == []
