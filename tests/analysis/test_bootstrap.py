"""Bootstrap intervals: held to plain loops, to exact distributions and to the paper's own table."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from provise.analysis.bootstrap import Bootstrap, bootstrap, percentile_interval, resample
from provise.analysis.exact import binomial_interval
from provise.analysis.published import PublishedSystem, published_results
from provise.errors import InputError

PAPER = published_results()
BINARY = ("perception", "understanding")  # every task of these two has 0/1 scores, so a task's score tells its samples
UNIT = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def drawn_scores(systems: int, sizes: dict[str, int], seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {task: random.random((systems, n)) for task, n in sizes.items()}


# --- against plain loops ---------------------------------------------------------------------------------------------


def test_a_replicate_is_what_a_plain_loop_over_the_named_generator_draws() -> None:
    scores = np.random.default_rng(5).random((3, 7))
    found = resample(scores, task="Größe", replicates=40, seed=9)
    generator = np.random.default_rng([9, *"Größe".encode()])
    for replicate in range(40):
        picked = [int(generator.integers(0, 7)) for _ in range(7)]
        for system in range(3):
            assert found[system, replicate] == pytest.approx(sum(scores[system, i] for i in picked) / 7, abs=1e-10)


def test_the_interval_of_a_whole_benchmark_is_that_of_a_plain_bootstrap() -> None:
    sizes, groups = {"a": 9, "b": 25, "c": 4}, {"a": "x", "b": "x", "c": "y"}
    scores = drawn_scores(1, sizes)
    found = percentile_interval(bootstrap(scores, groups).overall)[0]
    random = np.random.default_rng(77)
    plain = []
    for _ in range(10_000):
        means = [float(np.mean(random.choice(scores[task][0], n))) for task, n in sizes.items()]
        plain.append(sum(means) / 3)
    assert found == pytest.approx(np.percentile(plain, [2.5, 97.5]), abs=0.006)


# --- against exact distributions -------------------------------------------------------------------------------------


# Where a step of the distribution lies within chance of 2.5 % (four standard errors of 10,000 replicates), either
# neighbour is right; the others must agree. Those that are not clear-cut are why a task's interval is exact where it
# can be (see test_intervals.py).
def clear_cut(k: int, n: int) -> bool:
    cdf = binom.cdf(range(n + 1), n, k / n)
    return all(min(abs(cdf - tail)) > 4 * math.sqrt(0.025 * 0.975 / 10_000) for tail in (0.025, 0.975))


CLEAR = [(k, n) for n in (1, 8, 25, 30, 35, 40, 60) for k in range(n + 1) if clear_cut(k, n)]


def test_one_task_of_right_and_wrong_has_the_exact_interval() -> None:
    assert len(CLEAR) > 50
    for k, n in CLEAR:
        found = percentile_interval(resample([[1] * k + [0] * (n - k)], task="counting"))[0]
        assert 100 * found == pytest.approx(100 * np.array(binomial_interval(k, n)), abs=0.5), (k, n)


def exact_interval(counts: list[tuple[int, int]]) -> list[float]:
    """Return the interval of the mean of task shares, by convolving binomials on their common grid."""
    common = math.lcm(*(n for _, n in counts))
    mass = np.ones(1)
    for k, n in counts:
        steps = np.zeros(common + 1)
        steps[:: common // n] = binom.pmf(range(n + 1), n, k / n)
        mass = np.convolve(mass, steps)
    cdf = np.cumsum(mass)
    return [100 * float(np.searchsorted(cdf, tail)) / (common * len(counts)) for tail in (0.025, 0.975)]


def right_of(system: PublishedSystem, capability: str) -> list[tuple[int, int]]:
    found = []
    for task, n in PAPER.sizes.items():
        if PAPER.capabilities[task] == capability:
            right = round(Fraction(str(system.tasks[task])) * n / 100)
            assert round(100 * right / n, 2) == system.tasks[task]  # the printed score is a whole number of samples
            found.append((right, n))
    return found


PAIRS = [(s, c) for s in (*PAPER.of("text"), *PAPER.of("visual")) for c in BINARY]


def test_all_62_intervals_of_perception_and_understanding_come_out_as_printed() -> None:
    systems = [*PAPER.of("text"), *PAPER.of("visual")]
    tasks = [task for task in PAPER.sizes if PAPER.capabilities[task] in BINARY]
    scores = {}
    for task in tasks:
        n = PAPER.sizes[task]
        rights = [round(s.tasks[task] * n / 100) for s in systems]
        scores[task] = np.array([[100.0] * right + [0.0] * (n - right) for right in rights])
    drawn = bootstrap(scores, PAPER.capabilities)
    compared = 0
    for capability in BINARY:
        found = percentile_interval(drawn.capabilities[capability])
        for system, interval in zip(systems, found, strict=True):
            assert interval == pytest.approx(system.intervals[capability], abs=0.75), (system.label, capability)
            compared += 1
    assert compared == 62


@pytest.mark.parametrize(("system", "capability"), PAIRS[::6], ids=lambda x: x if isinstance(x, str) else x.label)
def test_a_capability_of_right_and_wrong_has_the_exact_interval(system: PublishedSystem, capability: str) -> None:
    counts = right_of(system, capability)
    names = [f"t{i}" for i in range(len(counts))]
    scores = {name: [[100] * k + [0] * (n - k)] for name, (k, n) in zip(names, counts, strict=True)}
    found = percentile_interval(bootstrap(scores, dict.fromkeys(names, "c")).overall)[0]
    assert found == pytest.approx(exact_interval(counts), abs=0.75)


# --- the kinds of the collected cases --------------------------------------------------------------------------------

PROGRAM = """
import numpy as np
np.random.seed(None); np.random.random(3)
from provise.analysis.bootstrap import bootstrap
scores = {"a": np.random.default_rng(1).random((2, 9)), "b": np.random.default_rng(2).random((2, 4))}
drawn = bootstrap(scores, {"a": "x", "b": "y"}, seed=4, replicates=300)
import hashlib
print(hashlib.sha256(drawn.overall.tobytes()).hexdigest())
"""


def test_another_process_draws_the_same_bytes_whatever_the_global_generator_did() -> None:
    first, second = (
        subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert first == second
    assert len(first.strip()) == 64


def test_the_global_generator_is_left_alone() -> None:
    before = np.random.get_state()[1].copy()  # type: ignore[union-attr,index] # noqa: NPY002
    resample([[0, 1, 1]])
    assert (np.random.get_state()[1] == before).all()  # type: ignore[index] # noqa: NPY002


def test_another_seed_draws_other_numbers() -> None:
    scores = [np.linspace(0, 1, 30)]
    assert (resample(scores, seed=0) != resample(scores, seed=1)).any()
    assert (resample(scores, task="a") != resample(scores, task="b")).any()


@pytest.mark.parametrize("scores", [[0.0], [0.7], [1.0] * 30, [0.0] * 12, [1 / 3] * 5])
def test_one_sample_or_equal_scores_have_an_interval_of_no_width(scores: list[float]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        interval = percentile_interval(resample([scores]))[0]
        drawn = bootstrap({"t": [scores], "u": [scores]}, {"t": "x", "u": "x"})
        overall = percentile_interval(drawn.overall)[0]
    assert interval.tolist() == [scores[0]] * 2
    assert overall[0] == overall[1]


def test_the_ends_are_whole_where_every_answer_is_right_or_wrong() -> None:
    assert percentile_interval(resample([[1.0], [0.0]])).tolist() == [[1, 1], [0, 0]]


# --- pairing ---------------------------------------------------------------------------------------------------------


def test_a_system_has_the_same_interval_to_the_last_bit_whoever_stands_beside_it() -> None:
    sizes, groups = {"a": 40, "b": 25, "c": 30}, {"a": "x", "b": "x", "c": "y"}
    scores = drawn_scores(31, sizes)
    together = bootstrap(scores, groups)
    for system in (0, 13, 30):
        alone = bootstrap({task: s[[system]] for task, s in scores.items()}, groups)
        assert (alone.overall[0] == together.overall[system]).all()
        fewer = bootstrap({"b": scores["b"][[system]]}, groups)
        assert (fewer.tasks["b"][0] == together.tasks["b"][system]).all()


def test_equal_systems_differ_by_nothing_in_every_replicate() -> None:
    scores = {task: np.vstack([s, s + 0.125]) for task, s in drawn_scores(1, {"a": 11, "b": 5}).items()}
    drawn = bootstrap(scores, {"a": "x", "b": "x"}, replicates=500)
    assert drawn.overall[1] - drawn.overall[0] == pytest.approx(np.full(500, 0.125), abs=1e-10)


def test_many_samples_are_drawn_in_pieces_and_stay_paired() -> None:
    scores = np.random.default_rng(0).random(9000)
    found = resample([scores, 1 - scores], replicates=1000)
    assert found.sum(axis=0) == pytest.approx(np.ones(1000), abs=1e-9)
    assert found[0].std() == pytest.approx(scores.std() / math.sqrt(9000), rel=0.15)


# --- properties ------------------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(UNIT, UNIT)
def test_intervals_stay_within_the_scores_and_hold_the_levels_in_order(a: list[float], b: list[float]) -> None:
    drawn = bootstrap({"a": [a], "b": [b]}, {"a": "x", "b": "y"}, replicates=200)
    for task, scores in (("a", a), ("b", b)):
        low, high = percentile_interval(drawn.tasks[task])[0]
        assert min(scores) - 1e-9 <= low <= high <= max(scores) + 1e-9
    wide, narrow = (percentile_interval(drawn.overall, level=level)[0] for level in (0.99, 0.5))
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]
    assert drawn.overall == pytest.approx((drawn.capabilities["x"] + drawn.capabilities["y"]) / 2)


@settings(max_examples=50, deadline=None)
@given(UNIT, st.floats(0.1, 10), st.floats(-5, 5))
def test_another_unit_moves_the_interval_with_it(scores: list[float], factor: float, shift: float) -> None:
    plain = percentile_interval(resample([scores], replicates=100))
    moved = percentile_interval(resample([[factor * s + shift for s in scores]], replicates=100))
    assert moved == pytest.approx(factor * plain + shift, abs=1e-8)


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scores", [[], [1.0, 0.0], [[]], [[[1.0]]]])
def test_scores_of_another_shape_are_refused(scores: list[object]) -> None:
    with pytest.raises(InputError, match=r"expected \(systems, samples\)"):
        resample(scores)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_scores_that_are_no_numbers_are_refused_with_their_task(bad: float) -> None:
    with pytest.raises(InputError, match="'depth' has a score that is not finite"):
        resample([[0.5, bad]], task="depth")


def test_numbers_out_of_range_are_refused() -> None:
    for settings_ in ({"replicates": 0}, {"seed": -1}):
        with pytest.raises(InputError, match="at least 1 replicate"):
            resample([[1.0]], **settings_)
    for level in (0, 1, 95):
        with pytest.raises(InputError, match="level"):
            percentile_interval([1.0], level=level)


def test_tasks_that_cannot_be_paired_or_placed_are_refused() -> None:
    with pytest.raises(InputError, match="no task"):
        bootstrap({}, {})
    with pytest.raises(InputError, match="no capability is given for b"):
        bootstrap({"a": [[1]], "b": [[1]]}, {"a": "x"})
    with pytest.raises(InputError, match="different numbers of systems"):
        bootstrap({"a": [[1]], "b": [[1], [0]]}, {"a": "x", "b": "x"})


def test_a_name_with_half_of_a_character_is_drawn_for_like_any_other() -> None:
    half, whole = (resample([[0, 1, 1, 0, 1]], task=name, replicates=50) for name in ("\ud800", "\ufffd"))
    assert (half == resample([[0, 1, 1, 0, 1]], task="\ud800", replicates=50)).all()
    assert (half != whole).any()


def test_it_says_what_drew_it() -> None:
    drawn = bootstrap({"a": [[1, 0]]}, {"a": "x", "unused": "y"}, replicates=7, seed=3)
    assert isinstance(drawn, Bootstrap)
    assert (drawn.seed, drawn.replicates, dict(drawn.groups)) == (3, 7, {"a": "x"})
    assert drawn.overall.shape == (1, 7)


@pytest.mark.parametrize("factor", [1e-12, 1.0, 100.0, 1e9])
def test_means_are_as_exact_as_floats_can_be_in_any_unit(factor: float) -> None:
    scores = factor * np.random.default_rng(8).random((2, 33))
    found = resample(scores, task="t", replicates=20)
    generator = np.random.default_rng([0, *b"t"])
    for replicate, picked in enumerate(generator.integers(0, 33, (20, 33))):
        for system in range(2):
            exact = sum(Fraction(float(scores[system, i])) for i in picked) / 33
            assert float(abs(Fraction(float(found[system, replicate])) - exact)) < 1e-14 * factor
