"""The built-in descriptor: views are told apart through what codecs, cameras and generators do to a picture."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from provise.encoders import get_encoder
from provise.encoders.descriptor import describe

Picture = np.ndarray
rng = np.random.default_rng(5)


def _jpeg(x: Picture, quality: int) -> Picture:
    return cv2.imdecode(cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)


def _linear(x: Picture, gain: float, offset: float = 0.0) -> Picture:
    return np.clip(x.astype(np.float32) * gain + offset, 0, 255).astype(np.uint8)


def _gamma(x: Picture, power: float) -> Picture:
    return (255 * (x / 255.0) ** power).astype(np.uint8)


def _hsv(x: Picture, turn: float, saturation: float) -> Picture:
    hsv = cv2.cvtColor(x, cv2.COLOR_RGB2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + turn) % 180
    hsv[..., 1] *= saturation
    return cv2.cvtColor(hsv.clip(0, 255).astype(np.uint8), cv2.COLOR_HSV2RGB)


DAMAGE: dict[str, Callable[[Picture], Picture]] = {
    "none": lambda x: x,
    "jpeg 30": lambda x: _jpeg(x, 30),
    "blur 2.5": lambda x: cv2.GaussianBlur(x, (0, 0), 2.5),
    "noise 12": lambda x: np.clip(x + rng.normal(0, 12, x.shape), 0, 255).astype(np.uint8),
    "dark": lambda x: _linear(x, 0.7),
    "bright": lambda x: _linear(x, 1.3),
    "low contrast": lambda x: _linear(x, 0.6, 51),
    "high contrast": lambda x: _linear(x, 1.4, -51),
    "gamma .7": lambda x: _gamma(x, 0.7),
    "gamma 1.4": lambda x: _gamma(x, 1.4),
    "pale": lambda x: _hsv(x, 0, 0.7),
    "hue 4": lambda x: _hsv(x, 4, 1),
    "half": lambda x: cv2.resize(x, None, fx=0.5, fy=0.5),
    "double": lambda x: cv2.resize(x, None, fx=2, fy=2),
    "square": lambda x: cv2.resize(x, (512, 512)),
}


def _views() -> list[list[Picture]]:
    """Four overlapping windows, 80 % of the width each, over several photographs: near views of one place."""
    groups = []
    for photo in (data.astronaut(), data.coffee(), data.cat(), data.rocket(), data.immunohistochemistry()):
        w = photo.shape[1]
        groups.append(
            [np.ascontiguousarray(photo[:, round(a * w) : round((a + 0.8) * w)]) for a in (0, 0.066, 0.133, 0.2)]
        )
    return groups


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_view_is_matched_to_itself_among_near_views(name: str) -> None:
    for views in _views():
        rows = np.stack([describe(view) for view in views])
        found = [int((rows @ describe(DAMAGE[name](view))).argmax()) for view in views]
        assert found == [0, 1, 2, 3]


@settings(max_examples=25, deadline=None)
@given(gain=st.floats(0.5, 1.0), offset=st.floats(0, 40))
def test_gain_and_offset_of_the_light_hardly_count(gain: float, offset: float) -> None:
    photo = data.chelsea()
    assert describe(photo) @ describe(_linear(photo, gain, offset)) > 0.95


def test_vectors_have_length_one_whatever_the_picture() -> None:
    for picture in (data.coffee(), np.zeros((3, 5, 3), np.uint8), np.full((1, 1, 3), 255, np.uint8)):
        row = get_encoder("descriptor").encode([picture])[0]
        assert row.shape == (1169,)
        assert np.isclose(np.linalg.norm(row), 1)


def test_flat_grey_tells_nothing_about_a_photograph() -> None:
    assert abs(describe(np.full((90, 90, 3), 120, np.uint8)) @ describe(data.astronaut())) < 0.5


def test_the_same_pixels_give_the_same_bits() -> None:
    assert np.array_equal(describe(data.cat()), describe(data.cat().copy()))
