"""Any bytes, any picture, any aids into every protocol: always a reading, never an exception, and soon."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from provise.coordinates import valid_point
from provise.protocol import names, open_protocol
from provise.protocol.compile import Protocol
from provise.reading import Reading, read
from tests.drawing import BLUE, CYAN, GREEN, MAGENTA, RED, YELLOW, photo
from tests.test_image_fuzz import FILES

STATUSES = {"ok", "noncompliant", "parser_failure", "generation_failure", "data_error"}
DIRECTIONS = {"front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left"}
AIDS: dict[str, Any] = {"start": [0.2, 0.3], "coordinates": [[0.3, 0.3], [0.6, 0.6]], "holes": 5}
SECONDS = 10.0  # on a machine busy with other work; the speed itself is measured in bench/

PROTOCOLS = {
    name: open_protocol(name, **({"encoder": "descriptor"} if name == "state_matching" else {}))
    for name in names()
    if not open_protocol(name).spec.auxiliary
}
QUICK = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def in_range(kind: str, value: Any) -> bool:
    """Tell whether a prediction has the form and the range of its kind."""
    if kind == "choice":
        return isinstance(value, str) and len(value) == 1 and "A" <= value <= "Z"
    if kind == "integer":
        return type(value) is int and value >= 0
    if kind == "boolean":
        return type(value) is bool
    if kind == "direction":
        return value in DIRECTIONS
    if kind == "point":
        return valid_point(value)
    if kind == "path":
        return len(value) >= 2 and all(valid_point(point) for point in value)
    if kind == "endpoint":
        return type(value["index"]) is int and 1 <= value["index"] <= value["count"]
    if kind == "mask":
        return 0 <= value["area"] <= 1 and len(value["sha256"]) == 64
    raise AssertionError(f"a kind of prediction that this test does not know: {kind}")


def checked(protocol: Protocol, answer: Any, **given: Any) -> Reading:
    """Read, and hold the reading to what every reading promises."""
    start = time.perf_counter()
    found = read(protocol, answer, **given)
    assert time.perf_counter() - start < SECONDS
    assert found.status in STATUSES
    assert found.status != "parser_failure", found.message
    assert found.ok == (found.prediction is not None)
    assert found.ok or (found.reason and found.message)
    assert found.ok or found.region is None
    assert not found.ok or in_range(protocol.spec.prediction, found.prediction)
    if found.prediction is not None and protocol.spec.prediction == "choice" and given.get("choices"):
        assert ord(found.prediction) - ord("A") < max(len(given["choices"]), 2)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == json.loads(json.dumps(found.to_dict()))
    return found


@st.composite
def pictures(draw: st.DrawFn, most: int = 48) -> Any:
    """Small arrays of every type and shape, plain, striped, noisy, or marked in the pure colours."""
    w, h = draw(st.sampled_from([(1, 1), (1, most), (most, 1), (2, 3), (5, 400), (400, 5)]) | st.tuples(
        st.integers(1, most), st.integers(1, most)))  # fmt: skip
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    style = draw(st.sampled_from(["noise", "flat", "photo", "binary", "pure"]))
    if style == "photo":
        rgb = cv2.resize(photo(int(rng.integers(0, 20)), (80, 72)), (w, h), interpolation=cv2.INTER_AREA)
    elif style == "noise":
        rgb = rng.integers(0, 256, (h, w, 3), dtype=np.uint8)
    elif style == "binary":
        rgb = (rng.random((h, w, 1)) > 0.5).astype(np.uint8).repeat(3, axis=2) * np.uint8(255)
    elif style == "pure":
        colours = np.array([BLUE, CYAN, GREEN, MAGENTA, RED, YELLOW, (0, 0, 0), (255, 255, 255)], np.uint8)
        rgb = colours[cv2.resize(rng.integers(0, 8, (3, 4), dtype=np.uint8), (w, h), interpolation=cv2.INTER_NEAREST)]
    else:
        rgb = np.full((h, w, 3), rng.integers(0, 256, 3), np.uint8)
    for _ in range(draw(st.integers(0, 4))):
        x0, y0 = int(rng.integers(0, w)), int(rng.integers(0, h))
        colour = [BLUE, CYAN, GREEN, MAGENTA, RED, YELLOW][int(rng.integers(0, 6))]
        rgb[y0 : y0 + int(rng.integers(1, h + 1)), x0 : x0 + int(rng.integers(1, w + 1))] = colour
    form = draw(st.sampled_from(["rgb", "grey", "rgba", "uint16", "float", "bool"]))
    if form == "grey":
        return np.ascontiguousarray(rgb[..., 0])
    if form == "rgba":
        return np.dstack([rgb, rng.choice(np.array([0, 90, 255], np.uint8), (h, w))])
    if form == "uint16":
        return rgb.astype(np.uint16) * 257
    if form == "float":
        return rgb.astype(np.float32) / 255
    return rgb[..., 0] > 127 if form == "bool" else rgb


ANSWERS = pictures() | st.binary(max_size=60) | st.sampled_from(sorted(FILES)).map(FILES.__getitem__)
CHOICES = st.sampled_from([0, 1, 2, 3, 4, 5, 7, 26]).map(lambda n: [f"option {i}" for i in range(n)])
UNIT = st.floats(0, 1)
POINTS = st.tuples(UNIT, UNIT).map(list)
GOOD_AIDS = st.fixed_dictionaries(
    {"start": POINTS, "coordinates": st.lists(POINTS, min_size=2, max_size=2), "holes": st.integers(2, 99)}
)
ODD = st.one_of(
    st.none(), st.booleans(), st.text(max_size=8), st.integers(), st.just(10**400), st.floats(), st.binary(max_size=4),
    st.lists(st.one_of(st.floats(), st.text(max_size=3), st.none(), st.just(10**400)), max_size=3),
    st.lists(st.lists(st.floats(allow_nan=True) | st.text(max_size=2), max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.floats(), max_size=2),
)  # fmt: skip


@pytest.mark.parametrize("name", PROTOCOLS)
@QUICK
@given(answer=ANSWERS, choices=CHOICES, aids=GOOD_AIDS, views=st.lists(pictures(), max_size=4))
def test_any_answer_beside_any_pictures_is_a_reading(
    name: str, answer: Any, choices: list[str], aids: dict[str, Any], views: list[Any]
) -> None:
    checked(PROTOCOLS[name], answer, choices=choices, aids=aids, media=views)


@pytest.mark.parametrize("name", PROTOCOLS)
@QUICK
@given(answer=pictures(), source=pictures(), choices=CHOICES)
def test_the_same_call_gives_the_same_reading(name: str, answer: Any, source: Any, choices: list[str]) -> None:
    first, second = (checked(PROTOCOLS[name], answer, source=source, aids=AIDS, choices=choices) for _ in range(2))
    assert json.dumps(first.to_dict()) == json.dumps(second.to_dict())


@pytest.mark.parametrize("name", PROTOCOLS)
@QUICK
@given(answer=pictures(), data=st.data())
def test_an_answer_over_its_own_source(name: str, answer: Any, data: st.DataObject) -> None:
    # A patch of the answer is the source's elsewhere: an edit, with marks of any colour and place.
    source = answer.copy()
    h, w = source.shape[:2]
    y, x = data.draw(st.integers(0, h - 1)), data.draw(st.integers(0, w - 1))
    source[y:, x:] = source[0, 0]
    checked(PROTOCOLS[name], answer, source=source, aids=AIDS, choices=list("abcd"))


@pytest.mark.parametrize("name", [name for name, protocol in PROTOCOLS.items() if protocol.spec.aids])
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_an_odd_aid_is_the_benchmarks_fault(name: str, data: st.DataObject) -> None:
    answer, views = photo(1, (80, 72)), [photo(seed, (80, 72)) for seed in (2, 3, 4, 5, 6)]
    aids = {key: data.draw(st.just(AIDS[key]) | ODD) for key in AIDS}
    found = checked(PROTOCOLS[name], answer, media=views, aids=aids, choices=list("abcd"))
    good = {"start": _a_point, "coordinates": _two_points, "holes": _a_count}
    wrong = [key for key in PROTOCOLS[name].spec.aids if key in good and not good[key](aids[key])]
    assert (found.status == "data_error") == bool(wrong), (found, wrong)
    if wrong:
        assert found.reason in ("missing_aid", "bad_aid", "aid_outside")
        assert wrong[0] in found.message


def _a_point(value: Any) -> bool:
    return isinstance(value, list | tuple) and valid_point(value)


def _two_points(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_a_point, value))


def _a_count(value: Any) -> bool:
    whole = type(value) is int or (isinstance(value, float) and math.isfinite(value) and value.is_integer())
    return whole and 2 <= value <= 99


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("bad", [b"", b"no picture", FILES["png"][:300]])
def test_a_source_that_is_no_picture_is_the_benchmarks_fault(name: str, bad: bytes) -> None:
    found = checked(PROTOCOLS[name], photo(1, (80, 72)), source=bad, aids=AIDS, choices=list("abcd"))
    assert (found.status, found.reason) == ("data_error", "bad_source")


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (3000, 1), (4, 1200), (2500, 30)])
@pytest.mark.parametrize("with_source", [True, False])
def test_extreme_shapes(name: str, size: tuple[int, int], with_source: bool) -> None:
    rng = np.random.default_rng(5)
    answer = rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    for source in (photo(1, (80, 72)), answer[::-1].copy()):
        checked(PROTOCOLS[name], answer, aids=AIDS, choices=list("abcd"), **({"source": source} if with_source else {}))


@pytest.mark.slow
@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("style", ["noise", "checks", "stripes", "specks"])
def test_the_worst_full_size_pictures_are_read_soon(name: str, style: str) -> None:
    rng = np.random.default_rng(8)
    answer, source = photo(1, (1024, 1024)), photo(1, (1024, 1024))
    colours = np.array([BLUE, CYAN, GREEN, MAGENTA, RED, YELLOW], np.uint8)
    if style == "noise":
        answer = colours[rng.integers(0, 6, (1024, 1024))]
    elif style == "checks":
        answer = colours[np.add.outer(np.arange(1024) // 3, np.arange(1024) // 3) % 6]
    elif style == "stripes":
        answer[::2] = colours[rng.integers(0, 6, 512)][:, None]
    else:
        where = rng.random((1024, 1024)) < 0.03
        answer[where] = colours[rng.integers(0, 6, int(where.sum()))]
    checked(PROTOCOLS[name], answer, source=source, aids=AIDS, choices=list("abcd"))
