"""CLIP's preprocessing: the arithmetic by an independent reference, the bits against open_clip where it is installed."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.encoders.preprocess import MEAN, STD, lost_shares, preprocess
from provise.errors import InputError


def _noise(h: int, w: int) -> np.ndarray:
    """Photo-like noise: blobs of all sizes."""
    generator = np.random.default_rng(h * 10_000 + w)
    layers = [cv2.resize(generator.normal(0, 40, (max(2, h // k), max(2, w // k), 3)), (w, h)) for k in (1, 4, 16, 64)]
    return np.clip(sum(layers) + 128, 0, 255).astype(np.uint8)


SIZES = [(768, 1024), (1024, 768), (480, 640), (224, 224), (225, 223), (100, 60), (512, 1024), (333, 1000), (37, 911)]


@pytest.mark.parametrize("size", SIZES)
def test_bits_equal_open_clips_transform(size: tuple[int, int]) -> None:
    open_clip = pytest.importorskip("open_clip")
    from PIL import Image

    transform = open_clip.image_transform(224, is_train=False, mean=MEAN, std=STD)
    picture = _noise(*size)
    assert np.array_equal(preprocess(picture), transform(Image.fromarray(picture)).numpy())


def test_a_resize_without_antialiasing_would_differ_visibly() -> None:
    picture = _noise(768, 1024)
    careless = cv2.resize(picture, (298, 224), interpolation=cv2.INTER_CUBIC)[:, 37:261].astype(np.float32) / 255
    careless = ((careless - np.float32(MEAN)) / np.float32(STD)).transpose(2, 0, 1)
    assert np.abs(preprocess(picture) - careless).max() > 0.3


def test_levels_are_standardised_by_channel() -> None:
    found = preprocess(np.full((224, 224, 3), (255, 0, 51), np.uint8))
    expected = [(1 - MEAN[0]) / STD[0], -MEAN[1] / STD[1], (0.2 - MEAN[2]) / STD[2]]
    assert np.allclose(found.mean(axis=(1, 2)), expected, atol=1e-5)


def test_what_stands_at_the_edge_of_a_long_picture_is_not_seen_and_that_is_told() -> None:
    plain = np.full((512, 1024, 3), 90, np.uint8)
    marked = plain.copy()
    marked[200:300, 0:200] = (255, 0, 0)
    assert np.array_equal(preprocess(plain), preprocess(marked))
    assert lost_shares((1024, 512)) == (0.5, 0.0)
    assert lost_shares((512, 1024)) == (0.0, 0.5)
    assert lost_shares((700, 700)) == (0.0, 0.0)


@settings(max_examples=40, deadline=None)
@given(h=st.integers(1, 400), w=st.integers(1, 400))
def test_any_size_gives_the_square(h: int, w: int) -> None:
    found = preprocess(np.full((h, w, 3), 7, np.uint8), side=32)
    assert found.shape == (3, 32, 32)
    assert np.isfinite(found).all()


@pytest.mark.parametrize(
    "array", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32), np.zeros((0, 4, 3), np.uint8)]
)
def test_other_arrays_are_refused_with_what_was_got(array: np.ndarray) -> None:
    with pytest.raises(InputError, match="expected"):
        preprocess(array)
