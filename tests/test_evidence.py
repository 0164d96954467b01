"""Evidence pictures: every shape is seen on any ground, the caption says what came of it, the bytes repeat."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.errors import InputError
from provise.evidence import render, save

SHAPES: list[dict[str, Any]] = [
    {"shape": "point", "at": [0.5, 0.5], "label": "A"},
    {"shape": "box", "at": [0.3, 0.3, 0.7, 0.7], "label": "1"},
    {"shape": "polyline", "at": [[0.2, 0.2], [0.5, 0.6], [0.8, 0.3]], "label": "path"},
    {"shape": "polygon", "at": [[0.2, 0.2], [0.8, 0.2], [0.5, 0.8]], "label": "region"},
    {"shape": "circle", "at": [0.5, 0.5], "radius": 0.1, "label": "hole 4"},
]


def _reading(*shapes: dict[str, Any], **more: Any) -> dict[str, Any]:
    found = {"protocol": "point_marker", "status": "ok", "prediction": "A", "evidence": {"shapes": list(shapes)}}
    return found | more


def _flat(level: int = 128, size: tuple[int, int] = (640, 480)) -> np.ndarray:
    return np.full((size[1], size[0], 3), level, np.uint8)


@pytest.mark.parametrize("level", [0, 20, 128, 255])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["shape"])
def test_every_shape_shows_dark_and_light_on_any_ground(shape: dict[str, Any], level: int) -> None:
    picture = render(_flat(level), _reading(shape))[:480].astype(int)
    luma = picture.mean(axis=2)
    changed = np.abs(picture - level).max(axis=2) > 40
    assert changed.sum() > 60
    assert (luma[changed] > 225).any() or level > 200
    assert (luma[changed] < 60).any() or level < 40


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["shape"])
def test_a_shape_lies_where_it_was_seen(shape: dict[str, Any]) -> None:
    bare = {**shape, "label": ""}
    changed = (render(_flat(), _reading(bare))[:480] != render(_flat(), _reading())[:480]).any(axis=2)
    ys, xs = np.nonzero(changed)
    at = np.array(shape["at"], float).reshape(-1, 2)
    reach = shape.get("radius", 0)
    assert abs(xs.min() / 640 - (at[:, 0].min() - reach)) < 0.03
    assert abs(ys.max() / 480 - (at[:, 1].max() + reach * 640 / 480)) < 0.04 + 0.02 * (shape["shape"] == "polyline")


def _arc(length: float, n: int = 20) -> list[list[float]]:
    """A gentle arc across the middle, of a length in shares of the frame's width."""
    turn = np.linspace(-0.4, 0.4, n)
    return [[0.5 + length * t / 0.8, 0.5 + 0.3 * length * (t * t - 0.08)] for t in turn]


@pytest.mark.parametrize("length", [0.03, 0.06, 0.12])
def test_a_short_stroke_is_not_hidden_by_the_numbers_of_its_vertices(length: float) -> None:
    """What the labels add lies off the stroke, so its colour is seen along it as without them."""
    path = _arc(length)
    shape = {"shape": "polyline", "at": path, "label": "path"}
    seen = render(_flat(60), _reading(shape))[:480].astype(int)
    bluish = (seen[..., 2] > 150) & (seen[..., 0] < 90)
    shown = [bool(bluish[round(y * 480) - 3 : round(y * 480) + 4, round(x * 640)].any()) for x, y in _arc(length, 60)]
    assert sum(shown) >= 0.45 * 60, sum(shown)


@pytest.mark.parametrize("turn", [0, 35, 45, 90, 145])
def test_numbers_stand_beside_a_stroke_of_any_direction(turn: float) -> None:
    """A stroke towards the upper right runs where a label would stand first."""
    along = np.linspace(-0.35, 0.35, 20)
    x, y = 0.5 + along * np.cos(np.radians(turn)), 0.5 - along * np.sin(np.radians(turn))
    shape = {"shape": "polyline", "at": np.stack([x, y], axis=1).tolist()}
    seen = render(_flat(60), _reading(shape))[:480].astype(int)
    bluish = (seen[..., 2] > 150) & (seen[..., 0] < 90)
    fine = np.linspace(-0.35, 0.35, 200)
    spots = [
        (round((0.5 + t * np.cos(np.radians(turn))) * 640), round((0.5 - t * np.sin(np.radians(turn))) * 480))
        for t in fine
    ]
    shown = [bool(bluish[max(0, r - 2) : r + 3, c - 2 : c + 3].any()) for c, r in spots]
    assert sum(shown) >= 0.87 * len(shown), sum(shown)


def test_a_long_path_keeps_its_twenty_numbers_and_a_short_one_its_two_ends() -> None:
    from provise.evidence import _texts

    def numbers(length: float, n: int) -> list[int]:
        return [int(text) for text, _ in _texts([{"shape": "polyline", "at": _arc(length, n)}], (640, 480))]

    assert numbers(0.9, 20)[0] == 1
    assert len(numbers(0.9, 20)) >= 10
    assert numbers(0.05, 20) == [1, 20]
    assert len(numbers(0.9, 300)) <= 21
    assert numbers(0.2, 1) == [1]
    assert numbers(0.0, 5) == [1, 5]


def test_the_vertices_of_a_path_carry_their_order() -> None:
    path = [[0.1 + 0.2 * i, 0.5] for i in range(5)]
    there = render(_flat(), _reading({"shape": "polyline", "at": path}))
    back = render(_flat(), _reading({"shape": "polyline", "at": path[::-1]}))
    assert (there[:480] != back[:480]).any()


def test_shapes_lie_on_the_sources_grid_where_the_answer_has_another_shape() -> None:
    geometry = {"answer_size": [512, 512], "source_size": [800, 400]}
    picture = render(_flat(100, (512, 512)), _reading(geometry=geometry))
    assert picture.shape[1] == 800
    assert (picture[:400, 100] == 100).all()


def test_a_refusal_is_told_apart_and_its_message_makes_the_bar_no_higher_than_two_lines() -> None:
    good = render(_flat(), _reading())
    bad = _reading(
        status="noncompliant", prediction=None, reason="multiple_slots", message="two slots are marked " * 40
    )
    refused = render(_flat(), bad)
    assert 480 < good.shape[0] < refused.shape[0] < 600
    assert not np.array_equal(refused[482, 2], good[482, 2])


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (4000, 30), (3000, 2000)])
def test_odd_sizes_come_out_at_a_size_people_can_look_at(size: tuple[int, int]) -> None:
    picture = render(_flat(90, size), _reading(*SHAPES))
    assert picture.dtype == np.uint8
    assert max(picture.shape[:2]) <= 1024 + 400
    assert max(picture.shape[:2]) >= 400


@settings(max_examples=25, deadline=None)
@given(text=st.text(max_size=300), label=st.text(max_size=60))
def test_any_words_can_be_set(text: str, label: str) -> None:
    shape = {"shape": "point", "at": [0.99, 0.01], "label": label}
    picture = render(_flat(), _reading(shape, status="noncompliant", reason=text, message=text, protocol=label))
    assert picture.shape[1] == 640


@pytest.mark.parametrize(
    "prediction",
    [
        True,
        5,
        "back-right",
        [0.25, 0.5],
        [[0.1, 0.2], [0.3, 0.4]],
        {"index": 4, "count": 7},
        {"area": 0.25, "png": None},
    ],
)
def test_every_kind_of_prediction_can_be_said(prediction: Any) -> None:
    assert (render(_flat(), _reading(prediction=prediction))[480:] < 200).any()


def test_similarities_are_told_beside_their_encoder() -> None:
    numbers = {"choice": {"encoder": "descriptor", "similarities": {"A": 0.42, "B": 0.56}}}
    told = render(_flat(), _reading(evidence={"numbers": numbers, "shapes": []}))
    assert told.shape[0] > render(_flat(), _reading()).shape[0]


def test_an_answer_of_more_than_eight_bits_is_shown() -> None:
    assert render(np.full((480, 640, 3), 127.6, np.float32), _reading())[5, 5].tolist() == [128, 128, 128]


@pytest.mark.parametrize("ending", [".png", ".jpg"])
def test_files_are_small_and_repeat_byte_for_byte(tmp_path: Path, ending: str) -> None:
    answer = np.asarray(cv2.resize(np.random.default_rng(2).integers(0, 255, (12, 16, 3), np.uint8), (1600, 1200)))
    first = save(tmp_path / "new" / f"a{ending}", answer, _reading(*SHAPES))
    second = save(tmp_path / f"b{ending}", answer, _reading(*SHAPES))
    assert first.read_bytes() == second.read_bytes()
    assert first.stat().st_size < 1_500_000
    assert cv2.imread(str(first)).shape[1] == 1024


def test_another_ending_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.jpg or \.png"):
        save(tmp_path / "a.tiff", _flat(), _reading())


def test_a_box_goes_round_a_small_mark_and_leaves_it_to_be_seen() -> None:
    answer = _flat()
    answer[100:116, 200:216] = (0, 255, 0)
    box = {"shape": "box", "at": [200 / 640, 100 / 480, 216 / 640, 116 / 480]}
    picture = render(answer, _reading(box))
    assert (picture[100:116, 200:216] == (0, 255, 0)).all(axis=2).mean() > 0.9
