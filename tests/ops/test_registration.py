"""Scenes that a model drew anew, a few pixels off: what has a mark's colour there is no mark."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from provise import read
from provise.ops.registration import shift_between
from tests.drawing import BLUE, CYAN, GREEN, MAGENTA, RED, Bytes, disc, jpeg, photo, star

START = [0.15, 0.8]


def lawn(colour: tuple[int, int, int]) -> Bytes:
    """A photo with a jagged patch in a darker tone of a mark's colour."""
    scene = photo(3, (800, 600))
    corners = np.array([[420, 300], [520, 330], [600, 290], [690, 420], [560, 450], [540, 560], [450, 470], [380, 430]])
    cv2.fillPoly(scene, [corners], tuple(int(0.55 * level + 45) for level in colour), cv2.LINE_AA)
    return scene


def redrawn(scene: Bytes, dx: float, dy: float) -> Bytes:
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
    moved = cv2.warpAffine(scene, move, (800, 600), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    grain = np.random.default_rng(5).normal(0, 4, (600, 800, 1))
    return np.clip(cv2.bilateralFilter(moved, 5, 20, 3) * 1.03 + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("dx", "dy"), [(2, 1), (4, -3), (-6, 5)])
def test_a_redrawn_lawn_is_no_mark(dx: float, dy: float) -> None:
    scene = lawn(GREEN)
    answer = redrawn(scene, dx, dy)
    for x, y in ((100, 100), (300, 200), (250, 450), (700, 120)):
        star(answer, x, y, 14)
    found = read("instance_marking", jpeg(answer, 92), source=scene)
    assert (found.prediction, found.reason) == (4, "")


def test_a_redrawn_wall_is_no_point_and_no_collision() -> None:
    answer = redrawn(lawn(CYAN), 4, -3)
    disc(answer, 200, 150, 14, CYAN)
    found = read("point_marker", jpeg(answer, 92), source=lawn(CYAN))
    assert np.allclose(found.prediction, (200.5 / 800, 150.5 / 600), atol=0.004)
    answer = redrawn(lawn(RED), 4, -3)
    cv2.rectangle(answer, (500, 250), (640, 420), MAGENTA, -1)
    assert read("placement_outline", jpeg(answer, 92), source=lawn(RED)).prediction is True


def test_a_path_on_a_redrawn_scene_with_red_in_it() -> None:
    answer = redrawn(lawn(RED), -5, 4)
    cv2.polylines(answer, [np.array([[120, 480], [250, 300], [400, 250], [700, 200]])], False, RED, 6, cv2.LINE_AA)
    found = read("trajectory_drawing", jpeg(answer, 92), source=lawn(RED), aids={"start": START})
    assert found.ok
    assert np.allclose(found.prediction[-1], (700 / 800, 200 / 600), atol=0.01)


def test_a_grey_redrawing_is_the_grey_version_of_its_source() -> None:
    scene = lawn(BLUE)
    grey = np.repeat(cv2.cvtColor(redrawn(scene, 5, -4), cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2)
    assert read("binary_relation", jpeg(grey, 92), source=scene).prediction is False


def test_pictures_in_register_stay() -> None:
    scene = photo(1, (800, 600))
    assert shift_between(scene, scene) == (0.0, 0.0)
    assert shift_between(scene, cv2.GaussianBlur(scene, (0, 0), 2)) == (0.0, 0.0)
    assert shift_between(scene, photo(2, (800, 600))) == (0.0, 0.0)
    assert shift_between(scene[:9], scene[:9]) == (0.0, 0.0)
