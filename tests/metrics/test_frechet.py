"""The discrete Fréchet distance against shapely, the definition by brute force, and its own laws."""

import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.errors import InputError
from provise.metrics import dfd_success, discrete_frechet, score_prediction
from provise.truth import Truth

POINT = st.tuples(st.floats(0, 1), st.floats(0, 1))
PATH = st.lists(POINT, min_size=1, max_size=7)


def couplings(n, m):
    """Every monotone coupling of n and m points, as lists of index pairs."""
    if n == 0 and m == 0:
        return [[(0, 0)]]
    found = []
    for step in ((1, 0), (0, 1), (1, 1)):
        if n >= step[0] and m >= step[1]:
            found += [[*path, (n, m)] for path in couplings(n - step[0], m - step[1])]
    return found


def test_it_is_the_least_longest_leash_over_all_couplings():
    rng = np.random.default_rng(4)
    for n, m in itertools.product((1, 2, 4), (1, 3, 5)):
        p, q = rng.random((n, 2)), rng.random((m, 2))
        expected = min(max(math.dist(p[i], q[j]) for i, j in path) for path in couplings(n - 1, m - 1))
        assert discrete_frechet(p, q) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_shapely_agrees(seed):
    shapely = pytest.importorskip("shapely")
    rng = np.random.default_rng(seed)
    n, m = rng.integers(2, 90, 2)
    p, q = np.cumsum(rng.normal(size=(n, 2)), 0), np.cumsum(rng.normal(size=(m, 2)), 0)
    expected = shapely.frechet_distance(shapely.LineString(p), shapely.LineString(q))
    assert discrete_frechet(p, q) == pytest.approx(expected, abs=1e-9)


@given(PATH, PATH, PATH)
def test_it_is_a_distance(a, b, c):
    ab = discrete_frechet(a, b)
    assert ab == pytest.approx(discrete_frechet(b, a), abs=1e-12)
    assert discrete_frechet(a, a) == 0
    assert discrete_frechet(a, c) <= ab + discrete_frechet(b, c) + 1e-12
    ends = max(math.dist(a[0], b[0]), math.dist(a[-1], b[-1]))
    assert ends - 1e-12 <= ab <= math.sqrt(2) + 1e-12
    assert discrete_frechet(a[::-1], b[::-1]) == pytest.approx(ab, abs=1e-12)


@given(PATH, PATH, st.integers(-1000, 900))
def test_scale_passes_through(a, b, power):
    if power < 0:  # keep what is scaled down above the smallest numbers
        a, b = np.round(np.array(a), 3), np.round(np.array(b), 3)
    scaled = discrete_frechet(np.ldexp(a, power), np.ldexp(b, power))
    assert scaled == pytest.approx(math.ldexp(discrete_frechet(a, b), power), rel=1e-12, abs=0)


def test_one_point_is_as_far_as_the_farthest_vertex():
    assert discrete_frechet([[0.5, 0.5]], [[0.5, 0.5], [0.5, 0.2], [0.8, 0.9]]) == pytest.approx(0.5)


@pytest.mark.parametrize("bad", [[], [[0.1, math.nan], [0.2, 0.2]], [[0.1, 0.1], [math.inf, 0.2]], [["nan", 0.5]]])
def test_empty_or_not_finite_is_infinitely_far_and_scores_0(bad):
    good = [[0.1, 0.1], [0.2, 0.2]]
    assert discrete_frechet(bad, good) == discrete_frechet(good, bad) == math.inf
    assert dfd_success(bad, good)[0] == 0.0
    score = score_prediction("dfd_success", bad, Truth("path", np.array(good)))
    assert (score.value, score.correct, score.details["dfd"]) == (0.0, False, None)
    assert score.details["reason"] in ("empty_path", "non_finite")


def test_a_vertex_outside_the_frame_is_no_answer():
    score = score_prediction("dfd_success", [[0.1, 0.1], [1.2, 0.2]], Truth("path", np.array([[0.1, 0.1], [0.9, 0.2]])))
    assert (score.value, score.details["reason"]) == (0.0, "outside")


@pytest.mark.parametrize("bad", [[[1, 2, 3]], [[0.1, 0.2], [0.3]], "a line", [0.5, 0.5]])
def test_what_is_no_path_is_a_wrong_call(bad):
    with pytest.raises(InputError):
        discrete_frechet(bad, [[0, 0]])


@pytest.mark.parametrize("length", [700, 1000])
def test_long_paths_need_no_recursion_and_no_patience(length):
    turn = np.linspace(0, 6, length)
    p = np.column_stack([np.cos(turn), np.sin(turn)])
    started = time.perf_counter()
    assert discrete_frechet(p, p + np.array([0.25, 0])) <= 0.25 + 1e-12
    assert time.perf_counter() - started < 2.0  # some 12 ms where nothing else runs; a plain double loop takes 1 s


def test_a_long_pair_has_the_value_of_the_plain_recurrence():
    rng = np.random.default_rng(8)
    p, q = np.cumsum(rng.normal(size=(420, 2)), 0), np.cumsum(rng.normal(size=(610, 2)), 0)
    table = np.full((len(p) + 1, len(q) + 1), np.inf)
    table[0, 0] = 0
    for i, j in itertools.product(range(len(p)), range(len(q))):
        table[i + 1, j + 1] = max(min(table[i, j], table[i, j + 1], table[i + 1, j]), math.dist(p[i], q[j]))
    assert discrete_frechet(p, q) == pytest.approx(table[-1, -1], rel=1e-12)


def test_the_threshold_is_strict_and_the_distance_stands_beside():
    truth = Truth("path", np.array([[0.5, 0.0], [0.5, 0.4]]))
    at = score_prediction("dfd_success", [[0.5, 0.4]], truth)
    assert (at.value, at.details["dfd"]) == (0.0, 0.4)
    below = score_prediction("dfd_success", [[0.5, 0.3]], truth)
    assert (below.value, below.correct) == (1.0, True)
    assert score_prediction("dfd_success", [[0.5, 0.3]], truth, {"threshold": 0.3}).value == 0.0


def test_a_dot_at_the_start_of_a_short_truth_passes_by_the_metric():
    score = score_prediction("dfd_success", [[0.6, 0.2]], Truth("path", np.array([[0.6, 0.2], [0.7, 0.35]])))
    assert score.value == 1.0
    assert score.details["dfd"] == pytest.approx(math.hypot(0.1, 0.15))


def test_a_resampled_line_against_its_own_three_vertices():
    """The kind of the reading fault: a path drawn along a normalised truth is half a segment away, and a success."""
    truth = np.array([[0.23, 0.33], [0.32, 0.28], [0.39, 0.35]])
    along = np.concatenate([np.linspace(truth[i], truth[i + 1], 10) for i in (0, 1)])
    assert 0.04 < discrete_frechet(along, truth) < 0.06


def test_the_papers_figure_10_by_the_definition():
    """The paper prints the points of GPT-5.4 and of the truth (figure 10), not the distance: it is held to shapely."""
    shapely = pytest.importorskip("shapely")
    answer = [(0.266, 0.465), (0.330, 0.495), (0.395, 0.525), (0.455, 0.550), (0.510, 0.575)]
    truth = [(0.266, 0.465), (0.278, 0.465), (0.250, 0.422), (0.209, 0.348), (0.200, 0.320)]
    distance = discrete_frechet(answer, truth)
    assert distance == pytest.approx(math.dist(answer[-1], truth[-1]))
    assert distance == pytest.approx(shapely.frechet_distance(*map(shapely.LineString, (answer, truth))))
    assert distance == pytest.approx(0.4014, abs=1e-4)
    assert dfd_success(answer, truth)[0] == 0.0  # the end is a hair beyond the threshold


@settings(max_examples=30)
@given(PATH, PATH, st.floats(0.01, 1.5), st.floats(0.01, 1.5))
def test_a_wider_threshold_never_fails_what_a_narrow_one_passes(a, b, one, two):
    narrow, wide = sorted((one, two))
    assert dfd_success(a, b, narrow)[0] <= dfd_success(a, b, wide)[0]
