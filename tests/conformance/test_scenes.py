"""Photos come without a download; scenes hold the mark's colour where they should."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from provise.conformance.photos import APART, COLOUR, GREY, frame_size, framed, load, scenery
from provise.conformance.scenes import MARK_COLOURS, TRUTHS, draw_answer, make_scene
from provise.draw import protocols
from provise.draw.style import PURE
from provise.ops.colour import COLOURS, colour_mask


@pytest.mark.parametrize("name", [*COLOUR, *GREY])
def test_every_photo_is_there_and_grey_where_it_is_said_to_be(name: str) -> None:
    photo = load(name)
    assert photo.ndim == 3
    assert min(photo.shape[:2]) > 150
    assert np.array_equal(photo[..., 0], photo[..., 1]) == (name in GREY)


def test_frames_vary_and_keep_to_their_limits() -> None:
    rng = np.random.default_rng(0)
    sizes = [frame_size(rng) for _ in range(300)]
    assert min(max(s) for s in sizes) >= 480
    assert max(max(s) for s in sizes) <= 1024
    assert len({round(w / h, 1) for w, h in sizes}) >= 5
    assert framed(rng, "coins", (500, 333)).shape == (333, 500, 3)


@pytest.mark.parametrize("colour", sorted(COLOURS))
def test_painted_patches_have_the_marks_colour_yet_are_no_pure_colour(colour: str) -> None:
    grey = np.full((300, 400, 3), 120, np.uint8)
    for seed in range(8):
        scene = scenery(np.random.default_rng(seed), grey, (colour,))
        painted = (np.ptp(scene.astype(int), axis=2) > 20) & (scene != grey).any(axis=2)
        core = cv2.erode(painted.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
        if not core.any():
            continue
        held = colour_mask(cv2.cvtColor(scene, cv2.COLOR_RGB2HSV), colour) > 0
        assert held[core].mean() > 0.6, seed
        apart = np.abs(scene[core].astype(int) - np.array(PURE[colour])).max(axis=1)
        assert np.median(apart) > APART - 25


@pytest.mark.parametrize("protocol", protocols())
def test_a_scene_and_its_drawing_come_from_one_generator(protocol: str) -> None:
    pictures = []
    for _ in range(2):
        rng = np.random.default_rng(11)
        scene = make_scene(protocol, rng, holds_colour=True)
        pictures.append((scene.source, draw_answer(scene, rng).image))
    assert np.array_equal(pictures[0][0], pictures[1][0])
    assert np.array_equal(pictures[0][1], pictures[1][1])
    assert scene.holds_colour == (protocol in MARK_COLOURS)


def test_each_truth_comes_up() -> None:
    rng = np.random.default_rng(0)
    assert {TRUTHS["direction_grid"](rng)[0] for _ in range(200)} == {
        *("front", "back", "left", "right", "front-left", "front-right", "back-left", "back-right"),
    }
    counts = [TRUTHS["instance_marking"](rng)[0] for _ in range(2000)]
    assert min(counts) == 1
    assert max(counts) == 50
    assert {TRUTHS["binary_relation"](rng)[0] for _ in range(50)} == {True, False}
