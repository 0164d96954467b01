"""Mask precision and IoU against pycocotools, scikit-learn and counting by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from provise.errors import InputError
from provise.metrics import mask_iou, mask_precision, score_prediction
from provise.truth import Truth

SHAPES = st.tuples(st.integers(1, 9), st.integers(1, 9))


def target(mask):
    return Truth("mask", np.asarray(mask, dtype=bool))


@pytest.mark.parametrize("seed", range(8))
def test_overlap_agrees_with_pycocotools_and_scikit_learn(seed):
    coco = pytest.importorskip("pycocotools.mask")
    sklearn = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, 31, 47)) < rng.uniform(0.05, 0.9, (2, 1, 1))
    encoded = [coco.encode(np.asfortranarray(mask.astype(np.uint8))) for mask in (a, b)]
    assert mask_iou(a, b) == pytest.approx(coco.iou(encoded[:1], encoded[1:], [0])[0, 0], abs=1e-12)
    assert mask_iou(a, b) == pytest.approx(sklearn.jaccard_score(b.ravel(), a.ravel()), abs=1e-12)
    assert mask_precision(a, b) == pytest.approx(sklearn.precision_score(b.ravel(), a.ravel()), abs=1e-12)
    shared = coco.area(coco.merge(encoded, intersect=True))
    assert mask_precision(a, b) == pytest.approx(shared / coco.area(encoded[0]), abs=1e-12)


@given(SHAPES.flatmap(lambda shape: st.tuples(arrays(bool, shape), arrays(bool, shape))))
def test_bounds_symmetry_and_the_perfect_answer(pair):
    a, b = pair
    assert 0 <= mask_iou(a, b) <= mask_precision(a, b) <= 1
    assert mask_iou(a, b) == mask_iou(b, a)
    assert mask_precision(b, b) == float(b.any())


@given(SHAPES.flatmap(lambda shape: st.tuples(arrays(bool, shape), arrays(bool, shape), arrays(bool, shape))))
def test_a_larger_target_never_lowers_precision(masks):
    prediction, truth, more = masks
    assert mask_precision(prediction, truth | more) >= mask_precision(prediction, truth)


def test_bytes_of_0_and_255_count_like_flags():
    a, b = np.array([[255, 255, 0, 0]], np.uint8), np.array([[0, 1, 1, 0]], np.uint8)
    assert mask_precision(a, b) == 0.5  # 255 & 1 as bits would do, 254 & 1 would not
    assert mask_precision(np.array([[254, 0]], np.uint8), np.array([[1, 0]], np.uint8)) == 1.0


def test_an_empty_prediction_scores_0_and_stays_finite():
    truth = np.zeros((16, 12), bool)
    truth[3:9, 2:8] = True
    for name in ("mask_precision", "mask_iou"):
        score = score_prediction(name, np.zeros((16, 12), bool), target(truth))
        assert (score.value, score.correct, score.details["reason"]) == (0.0, False, "empty_mask")


def test_one_right_pixel_has_precision_1_and_its_support_says_so():
    truth = np.zeros((80, 90), bool)
    truth[10:60, 20:70] = True
    dot = np.zeros_like(truth)
    dot[30, 30] = True
    score = score_prediction("mask_precision", dot, target(truth))
    assert score.value == 1.0
    assert score.details == {"support": 1, "shared": 1, "target": 2500}


def test_half_inside_is_correct_and_less_is_not():
    truth = np.zeros((1, 10), bool)
    truth[0, :5] = True
    half, less = np.ones((1, 10), bool), np.ones((1, 10), bool)
    less[0, 0] = False
    assert score_prediction("mask_precision", half, target(truth)).correct
    assert not score_prediction("mask_precision", less, target(truth)).correct


def test_a_prediction_of_another_grid_is_brought_to_the_target_and_noted():
    truth = np.zeros((20, 30), bool)
    truth[5:10, 5:20] = True
    double = np.kron(truth, np.ones((2, 2), bool))
    score = score_prediction("mask_precision", double, target(truth))
    assert score.value == 1.0
    assert score.details["resized_from"] == [60, 40]


def test_masks_of_two_shapes_are_a_wrong_call():
    with pytest.raises(InputError, match=r"\(2, 3\) and \(3, 2\)"):
        mask_precision(np.ones((2, 3)), np.ones((3, 2)))
    with pytest.raises(InputError):
        mask_iou(np.ones(3), np.ones(3))
