"""How two pieces face each other across a straight gap."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.ops.components import Blob, blobs
from provise.ops.slits import facing, rejoined
from tests.drawing import disc, flat


def cut_disc(radius: int, angle: float, thickness: int) -> list[Blob]:
    """Draw a disc with a bar across it, and return what is left."""
    image = flat((0, 0, 0), (160, 160))
    disc(image, 80, 80, radius, (255, 255, 255))
    along = np.array([np.cos(angle), np.sin(angle)]) * 2 * radius
    ends = [np.rint([80, 80] + side * along).astype(int).tolist() for side in (-1, 1)]
    cv2.line(image, ends[0], ends[1], (0, 0, 0), thickness)
    return blobs(np.where(image[..., 0] > 127, 255, 0).astype(np.uint8), 3)


@settings(max_examples=60, deadline=None)
@given(st.integers(12, 50), st.floats(0, 3.14), st.integers(3, 6))
def test_the_two_sides_of_a_cut_are_alike(radius: int, angle: float, thickness: int) -> None:
    pieces = cut_disc(radius, angle, thickness)
    assert len(pieces) == 2
    found = facing(*pieces, widest=radius)
    assert found is not None
    assert found.gap == pytest.approx(thickness, abs=2.5)
    assert found.alike > 0.7
    whole, _ = rejoined(*pieces)
    assert whole is not None
    assert whole.area == pytest.approx(np.pi * radius**2, rel=0.2)


def test_a_piece_beyond_the_widest_gap_faces_nothing() -> None:
    square = np.full((20, 20), 255, np.uint8)
    assert facing(Blob(square, 0, 0), Blob(square, 40, 0), 8) is None
    assert facing(Blob(square, 0, 0), Blob(square, 28, 0), 8) is not None


def test_two_bodies_that_overlap_in_every_direction_have_no_straight_gap() -> None:
    ring = np.zeros((41, 41), np.uint8)
    cv2.circle(ring, (20, 20), 18, 255, 5)
    core = np.full((11, 11), 255, np.uint8)
    assert facing(Blob(ring, 0, 0), Blob(core, 15, 15), 30) is None


def test_a_small_square_before_a_large_one_is_left_open() -> None:
    large, small = np.full((60, 60), 255, np.uint8), np.full((20, 20), 255, np.uint8)
    assert rejoined(Blob(large, 0, 0), Blob(small, 63, 20)) == (None, True)


def test_round_neighbours_are_two() -> None:
    image = flat((0, 0, 0), (300, 160))
    disc(image, 80, 80, 40, (255, 255, 255))
    disc(image, 80 + 40 + 28 + 4, 80, 28, (255, 255, 255))
    pieces = blobs(np.where(image[..., 0] > 127, 255, 0).astype(np.uint8), 3)
    assert rejoined(*pieces) == (None, False)
