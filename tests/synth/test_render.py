"""What the camera sees: places, depths, objects and shadows, held to geometry worked out apart."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from provise.synth.camera import Camera
from provise.synth.models import FACING, MODELS, place
from provise.synth.render import Light, Thing, look, render, show, views
from provise.synth.shapes import Part

FLOOR = Thing("_floor", (Part("box", (0, 0, -0.05), (9, 9, 0.05), colour=(200, 200, 200)),))
CAMERA = Camera((0, -5, 2), (0, 0, 0.5), (320, 240))


def test_a_point_is_seen_along_the_ray_of_its_pixel() -> None:
    rays = CAMERA.rays(slice(None), slice(None))
    points = np.asarray(CAMERA.eye) + 4.0 * rays.reshape(-1, 3)
    column, row, depth = CAMERA.project(points).T
    assert np.allclose(column.reshape(240, 320)[7], np.arange(320) + 0.5, atol=1e-3)
    assert np.allclose(row.reshape(240, 320)[:, 9], np.arange(240) + 0.5, atol=1e-3)
    assert np.allclose(depth, 4.0, atol=1e-5)


def test_the_nearer_ball_hides_the_other_whatever_their_order() -> None:
    near = Thing("near", (Part("ball", (0, -2, 0.5), (0.4, 0.4, 0.4)),))
    far = Thing("far", (Part("ball", (0.1, 2, 0.5), (0.4, 0.4, 0.4)),))
    for things in ([near, far], [far, near]):
        seen = look(CAMERA, things)
        x, y, depth = CAMERA.project([(0, -2, 0.5)])[0]
        at = seen.thing[int(y), int(x)]
        assert things[at].name == "near"
        assert seen.depth[int(y), int(x)] == pytest.approx(depth - 0.4, abs=0.02)


def test_a_mask_is_as_large_as_the_solid_looks() -> None:
    """A ball of radius r at a distance d covers a cone of half angle asin(r / d)."""
    camera = Camera((0, -6, 0), (0, 0, 0), (400, 400), 40)
    area = look(camera, [Thing("ball", (Part("ball", (0, 0, 0), (1, 1, 1)),))]).mask(0).sum()
    radius = camera.focal * np.tan(np.arcsin(1 / 6))
    assert area == pytest.approx(np.pi * radius**2, rel=0.01)


def test_a_shadow_falls_away_from_the_sun() -> None:
    post = Thing("post", (Part("tube", (0, 0, 0.5), (0.1, 0.1, 0.5), colour=(10, 10, 200)),))
    above = Camera((0, -0.01, 8), (0, 0, 0), (400, 400), 40)
    picture = render(above, [FLOOR, post], Light(towards=(-1, 0, 1)))
    grey = picture.mean(axis=2)
    middle, lit = int(grey.shape[0] / 2), float(np.median(grey))
    # The sun is half way up in the west: a metre of post throws a metre of shadow to the east.
    pixel = above.focal / 8
    assert grey[middle, int(200 + 0.6 * pixel)] < 0.75 * lit
    assert grey[middle, int(200 + 1.5 * pixel)] > 0.95 * lit
    assert grey[middle, int(200 - 0.6 * pixel)] > 0.95 * lit


@pytest.mark.parametrize("name", list(MODELS))
def test_a_model_stands_on_the_floor(name: str) -> None:
    lowest = min(float(part.corners[:, 2].min()) for part in place(name, name, (0, 0)).parts)
    assert -0.02 <= lowest <= 0.03
    seen = look(CAMERA, [FLOOR, place(name, name, (0, 0), yaw=160)])
    assert seen.mask(1).sum() > 300


@pytest.mark.parametrize("name", FACING)
def test_a_model_with_a_front_looks_different_from_behind(name: str) -> None:
    front, back = (look(CAMERA, [place(name, name, (0, 0), yaw=yaw)]) for yaw in (180, 0))
    seen = front.mask(0) | back.mask(0)
    assert (front.part != back.part)[seen].mean() > 0.1


def test_the_same_scene_gives_the_same_bytes() -> None:
    things = [FLOOR, place("mug", "mug", (0, 0), colour=(180, 60, 50))]
    assert render(CAMERA, things).tobytes() == render(CAMERA, things).tobytes()


def test_what_stands_behind_the_camera_is_not_seen() -> None:
    assert not look(CAMERA, [place("cube", "cube", (0, -9))]).mask(0).any()


def test_few_rays_give_the_picture_that_many_would() -> None:
    things = [FLOOR, place("chair", "chair", (0, 0), yaw=160), place("mug", "mug", (0.8, -0.5), colour=(180, 60, 50))]
    picture = render(CAMERA, things).astype(float)
    many = render(CAMERA.resized((1280, 960)), things)
    expected = cv2.resize(many, (320, 240), interpolation=cv2.INTER_AREA).astype(float)
    assert np.abs(picture - expected).mean() < 0.8
    # On edges, where one ray would be off by up to the whole contrast.
    edges = np.abs(cv2.Laplacian(expected.mean(axis=2), cv2.CV_64F)) > 40
    assert edges.sum() > 300
    assert np.abs(picture - expected)[edges].mean() < 12


def test_one_work_gives_picture_and_masks() -> None:
    things = [FLOOR, place("pot", "pot", (0, 0)), place("ball", "ball", (0.2, -1.4))]
    picture, seen = show(CAMERA, things)
    assert picture.tobytes() == render(CAMERA, things).tobytes()
    assert (seen.thing == look(CAMERA, things).thing).all()
    alone = look(CAMERA, [FLOOR, things[1]]).mask(1).sum()
    assert seen.share(1) == pytest.approx(seen.mask(1).sum() / alone)
    assert seen.share(1) < 0.9 < seen.share(2)


def test_several_cameras_see_what_each_sees_alone() -> None:
    things = [Thing("_floor", (Part("box", (0, 0, -0.1), (20, 20, 0.1)),)), place("robot", "robot", (0.3, 0.2))]
    cameras = [Camera(eye, (0, 0, 0.4), (96, 72)) for eye in ((0.0, -4.0, 1.5), (3.0, 2.0, 1.0))]
    for camera, picture in zip(cameras, views(cameras, things, Light()), strict=True):
        assert picture.tobytes() == render(camera, things, Light()).tobytes()


def test_a_floor_that_reaches_behind_the_camera_takes_the_part_of_the_picture_that_it_fills() -> None:
    camera = Camera((0, 0, 1.5), (0, 5, 1.5), (80, 60))
    floor = Part("box", (0, 0, -0.1), (30, 30, 0.1))
    rows, columns = camera.window(floor.corners)
    seen = look(camera, [Thing("floor", (floor,))]).mask(0)
    assert (columns.start, columns.stop, rows.stop) == (0, 80, 60)
    assert rows.start == int(np.flatnonzero(seen.any(axis=1))[0])
    # Straight ahead is the horizon: nothing of the floor is above it.
    assert rows.start >= 30
