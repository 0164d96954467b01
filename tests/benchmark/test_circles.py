"""Circled letters: found where they are drawn in many styles, refused where they are not there or not two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from skimage import data

from provise.benchmark.circles import find_marked_points
from provise.errors import Refusal
from provise.image import decode

PHOTOS = {"astronaut": data.astronaut, "coffee": data.coffee, "cat": data.chelsea, "rocket": data.rocket}
RED, WHITE, BLACK = (255, 0, 0), (255, 255, 255), (0, 0, 0)


def draw(
    rgb: np.ndarray,
    spots: dict[str, tuple[int, int]],
    *,
    radius: int = 7,
    style: str = "ring",
    ink: tuple[int, int, int] = RED,
    label: str = "box",
    offset: tuple[int, int] = (0, -24),
    scale: float = 0.5,
) -> np.ndarray:
    """Draw a circle and a letter at each spot, as depth questions show them."""
    picture = np.ascontiguousarray(rgb.copy())
    for letter, (x, y) in spots.items():
        thick = -1 if style == "disc" else max(2, radius // 3)
        if style == "rimmed":
            cv2.circle(picture, (x, y), radius, WHITE, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), radius, ink, thick, cv2.LINE_AA)
        (w, h), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_SIMPLEX, scale, 1 + (scale > 0.8))
        corner = (x + offset[0] - w // 2, y + offset[1] + h // 2)
        colour = {"box": WHITE, "red": RED, "white": WHITE, "black": BLACK}[label]
        if label == "box":
            cv2.rectangle(picture, (corner[0] - 4, corner[1] + 4), (corner[0] + w + 4, corner[1] - h - 4), BLACK, -1)
        if label in ("red", "white"):
            cv2.putText(
                picture, letter, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, BLACK if label == "white" else WHITE, 5
            )
        cv2.putText(picture, letter, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 1 + (scale > 0.8), cv2.LINE_AA)
    return picture


def assert_found(picture: np.ndarray, spots: dict[str, tuple[int, int]], within: float = 1.6) -> None:
    height, width = picture.shape[:2]
    found = dict(zip("AB", find_marked_points(picture), strict=True))
    for letter, (x, y) in spots.items():
        got = found[letter][0] * width - 0.5, found[letter][1] * height - 0.5
        assert np.hypot(got[0] - x, got[1] - y) <= within, (letter, got, (x, y))


STYLES: dict[str, dict[str, Any]] = {
    "blink": {},
    "large": {"radius": 14, "scale": 0.9, "offset": (0, -40)},
    "red disc": {"style": "disc"},
    "white disc, black letter inside": {
        "style": "disc",
        "ink": WHITE,
        "radius": 15,
        "label": "black",
        "offset": (0, 0),
        "scale": 0.6,
    },
    "red rim, black letter inside": {"style": "rimmed", "radius": 15, "label": "black", "offset": (0, 0), "scale": 0.6},
    "red disc, white letter beside": {
        "style": "disc",
        "radius": 16,
        "label": "white",
        "offset": (-26, -18),
        "scale": 0.7,
    },
    "letter at the right": {"offset": (22, 0), "scale": 0.6},
    "plain red letter": {"label": "red", "offset": (18, -18), "scale": 0.7},
}


@pytest.mark.parametrize("photo", PHOTOS)
@pytest.mark.parametrize("style", STYLES)
def test_circles_of_many_styles_are_found_on_photos(photo, style):
    rgb = PHOTOS[photo]()
    height, width = rgb.shape[:2]
    spots = {"A": (int(width * 0.3), int(height * 0.6)), "B": (int(width * 0.72), int(height * 0.45))}
    assert_found(draw(rgb, spots, **STYLES[style]), spots)


def test_the_letters_decide_which_is_which():
    spots = {"A": (400, 300), "B": (120, 200)}
    assert_found(draw(data.astronaut(), spots), spots)


def test_circles_beside_each_other_keep_their_letters():
    spots = {"A": (220, 300), "B": (275, 302)}
    assert_found(draw(data.coffee(), spots), spots)


@pytest.mark.parametrize("quality", [95, 80])
def test_jpeg_does_not_hide_them(quality):
    spots = {"A": (150, 250), "B": (380, 170)}
    picture = draw(data.chelsea(), spots, radius=9)
    _, raw = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert_found(decode(raw.tobytes()).rgb, spots, within=2)


@pytest.mark.parametrize("photo", PHOTOS)
def test_a_photo_without_circles_is_refused(photo):
    with pytest.raises(Refusal):
        find_marked_points(PHOTOS[photo]())


def test_one_circle_two_equal_letters_or_no_letter_are_refused():
    rgb = data.coffee()
    with pytest.raises(Refusal):
        find_marked_points(draw(rgb, {"A": (200, 200)}))
    twice = draw(draw(rgb, {"A": (200, 200)}), {"A": (400, 260)})
    with pytest.raises(Refusal, match="letters"):
        find_marked_points(twice)
    bare = np.ascontiguousarray(rgb.copy())
    for spot in ((200, 200), (400, 260)):
        cv2.circle(bare, spot, 7, RED, 2, cv2.LINE_AA)
    with pytest.raises(Refusal):
        find_marked_points(bare)


def test_two_pairs_are_ambiguous():
    picture = draw(data.rocket(), {"A": (100, 100), "B": (200, 300)})
    with pytest.raises(Refusal) as caught:
        find_marked_points(draw(picture, {"A": (400, 100), "B": (500, 300)}))
    assert caught.value.code == "ambiguous"


def test_flat_and_tiny_pictures_are_refused_not_crashed():
    for shape in ((1, 1, 3), (5, 300, 3), (200, 200, 3)):
        with pytest.raises(Refusal):
            find_marked_points(np.full(shape, 255, np.uint8))


@pytest.mark.real
def test_the_real_depth_question(real: Path):
    rgb = decode(real / "examples" / "images" / "depth_input.png").rgb
    (ax, ay), (bx, by) = find_marked_points(rgb)
    assert np.hypot((ax - 0.44) * 500, (ay - 0.904) * 375) <= 2
    assert np.hypot((bx - 0.564) * 500, (by - 0.9067) * 375) <= 2
