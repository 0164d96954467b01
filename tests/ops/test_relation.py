"""The binary relation: two overlays say true, this picture in grey says false, all else is refused by name."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.errors import Refusal
from provise.image import decode
from provise.ops.change import CompareParams, compare
from provise.ops.registry import View
from provise.ops.relation import RelationParams, overlay, role_overlays
from tests.drawing import BLUE, GREEN, flat, jpeg, photo

Bytes = npt.NDArray[np.uint8]
LEFT, RIGHT = (60, 90, 280, 400), (350, 120, 590, 380)


def reading(answer: Bytes | bytes, source: Bytes) -> bool:
    under = decode(source)
    view = View(frame=under.size)
    sheet = compare(view, CompareParams(), answer=decode(answer), sources=(under,))
    return role_overlays(view, RelationParams(), sheet=sheet, sources=(under,))


def refused(answer: Bytes | bytes, source: Bytes) -> str:
    with pytest.raises(Refusal) as caught:
        reading(answer, source)
    return caught.value.code


def laid(image: Bytes, box: tuple[int, int, int, int], colour: tuple[int, int, int], opacity: float) -> Bytes:
    x0, y0, x1, y1 = box
    out = image.astype(np.float32)
    out[y0:y1, x0:x1] = (1 - opacity) * out[y0:y1, x0:x1] + opacity * np.asarray(colour, np.float32)
    return np.rint(out).astype(np.uint8)


def both(source: Bytes, opacity: float = 0.5) -> Bytes:
    return laid(laid(source, LEFT, GREEN, opacity), RIGHT, BLUE, opacity)


def grey(image: Bytes) -> Bytes:
    return np.repeat(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2)


def vivid(seed: int = 0) -> Bytes:
    """A photo with grass below and a blue sky above."""
    scene = photo(seed).astype(np.float32)
    scene[:120] = 0.3 * scene[:120] + 0.7 * np.array([90, 140, 235])
    scene[360:] = 0.3 * scene[360:] + 0.7 * np.array([60, 150, 40])
    return np.rint(scene).astype(np.uint8)


def red_cars() -> Bytes:
    scene = photo(7)
    for x0, y0, x1, y1 in (LEFT, RIGHT):
        scene[y0:y1, x0:x1] = (190, 25, 30)
    return scene


@pytest.mark.parametrize("opacity", [0.35, 0.4, 0.7, 1.0])
@pytest.mark.parametrize(
    "source", [photo(1), vivid(), red_cars(), grey(photo(2))], ids=["plain", "vivid", "red", "grey"]
)
def test_two_overlays_say_true(source: Bytes, opacity: float) -> None:
    assert reading(both(source, opacity), source) is True


DAMAGES = {
    "jpeg": lambda im: jpeg(im, 30),
    "blur": lambda im: cv2.GaussianBlur(im, (0, 0), 2.5),
    "noise": lambda im: np.clip(im + np.random.default_rng(1).normal(0, 12, im.shape), 0, 255).astype(np.uint8),
    "dark": lambda im: (im * 0.7).astype(np.uint8),
    "bright": lambda im: np.clip(im * 1.3, 0, 255).astype(np.uint8),
    "pale": lambda im: np.rint((im - 128.0) * 0.6 + 128).astype(np.uint8),
    "gamma": lambda im: np.rint(255 * (im / 255.0) ** 1.4).astype(np.uint8),
    "half": lambda im: cv2.resize(im, (320, 240), interpolation=cv2.INTER_AREA),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_changes_no_verdict(damage: str) -> None:
    source, harm = vivid(3), DAMAGES[damage]
    assert reading(harm(both(source, 0.45)), source) is True
    assert reading(harm(grey(source)), source) is False
    assert refused(harm(laid(source, LEFT, GREEN, 0.45)), source) == "missing_object"
    assert refused(harm(source), source) == "source_returned"


def test_an_outline_in_another_colour_is_not_called_the_source_picture() -> None:
    source = photo(5)
    answer = source.copy()
    cv2.rectangle(answer, (300, 200), (318, 218), (255, 255, 0), -1)
    assert refused(answer, source) == "no_mark"
    assert refused(jpeg(source, 75), source) == "source_returned"


def test_overlays_over_most_of_the_frame() -> None:
    source = vivid(4)
    answer = laid(laid(source, (0, 0, 360, 480), GREEN, 0.5), (360, 0, 640, 260), BLUE, 0.5)
    assert reading(answer, source) is True


def test_a_small_role_counts_from_half_a_percent() -> None:
    source = photo(5)
    answer = laid(source, LEFT, GREEN, 0.6)
    assert reading(laid(answer, (400, 200, 450, 250), BLUE, 0.6), source) is True
    assert refused(laid(answer, (400, 200, 420, 220), BLUE, 0.6), source) == "missing_object"


@pytest.mark.parametrize("source", [photo(1), vivid(), vivid(9)], ids=["plain", "vivid", "other"])
def test_an_unchanged_photo_says_nothing(source: Bytes) -> None:
    for answer in (source, jpeg(source, 75), np.clip(source * 1.1, 0, 255).astype(np.uint8)):
        assert refused(answer, source) == "source_returned"


def test_one_role_alone_is_named() -> None:
    assert refused(laid(vivid(), LEFT, GREEN, 0.5), vivid()) == "missing_object"
    assert refused(laid(vivid(), RIGHT, BLUE, 0.5), vivid()) == "missing_subject"


def test_grey_says_false_only_where_the_source_had_colour() -> None:
    assert reading(grey(vivid()), vivid()) is False
    assert reading(jpeg(grey(vivid()), 40), vivid()) is False
    assert refused(grey(photo(2)), grey(photo(2))) == "grey_source"


def test_grey_of_another_picture_is_no_verdict() -> None:
    assert refused(grey(photo(8)), vivid()) == "other_picture"


def test_a_blank_canvas_is_refused() -> None:
    assert refused(flat((128, 128, 128)), vivid()) == "blank"


def test_other_colours_are_no_roles() -> None:
    answer = laid(laid(photo(1), LEFT, (255, 0, 0), 0.6), RIGHT, (255, 255, 0), 0.6)
    assert refused(answer, photo(1)) == "no_mark"


@settings(max_examples=40, deadline=None)
@given(st.floats(0.2, 1), st.lists(st.integers(0, 255), min_size=3, max_size=3), st.sampled_from([GREEN, BLUE]))
def test_the_opacity_of_an_exact_blend_is_recovered(a: float, pixel: list[int], colour: tuple[int, int, int]) -> None:
    before = np.asarray(pixel, np.float32).reshape(1, 1, 3)
    pure = np.asarray(colour, np.float32)
    if np.abs(before - pure).max() < 8:
        return
    opacity, residual = overlay(before, (1 - a) * before + a * pure, pure)
    assert abs(float(opacity[0, 0]) - a) < 1e-3
    assert float(residual[0, 0]) < 0.1


def test_the_same_answer_reads_the_same_twice() -> None:
    answer = jpeg(both(vivid(), 0.4), 60)
    assert reading(answer, vivid()) is reading(answer, vivid()) is True


@pytest.mark.real
def test_the_published_answer_is_read_as_true() -> None:
    folder = Path(os.environ.get("PROVISE_REAL", Path(__file__).parents[3] / "shared" / "real")) / "examples" / "images"
    if not folder.is_dir():
        pytest.skip("the real examples are not beside the checkout (shared/real/examples)")
    under = decode(folder / "relationship_input.png")
    assert reading((folder / "relationship_generated.png").read_bytes(), under.rgb) is True
    assert refused(under.rgb, under.rgb) == "source_returned"


@pytest.mark.parametrize("width", [8, 14, 22])
@pytest.mark.parametrize("filled", ["neither", "subject", "object"])
def test_a_frame_round_a_thing_is_no_overlay(filled: str, width: int) -> None:
    source = photo(4)
    answer = laid(source, LEFT if filled == "subject" else RIGHT, GREEN if filled == "subject" else BLUE, 0.5)
    answer = source.copy() if filled == "neither" else answer
    for name, (x0, y0, x1, y1), colour in (("subject", LEFT, GREEN), ("object", RIGHT, BLUE)):
        if name != filled:
            cv2.rectangle(answer, (x0, y0), (x1, y1), colour, width)
    assert refused(answer, source) == "outline"
    assert refused(jpeg(answer, 75), source) == "outline"


def repainted(source: Bytes, way: str) -> Bytes:
    """Two things in the roles' colours: their hue turned, or a coloured light laid on them; the shading stays."""
    out = source.copy()
    for (x0, y0, x1, y1), hue, light in ((LEFT, 60, (0.2, 1, 0.25)), (RIGHT, 120, (0.2, 0.25, 1))):
        part = out[y0:y1, x0:x1]
        if way == "light":
            part[:] = np.rint(part * np.asarray(light))
            continue
        hsv = cv2.cvtColor(part, cv2.COLOR_RGB2HSV)
        hsv[..., 0], hsv[..., 1] = hue, np.maximum(hsv[..., 1], 170)
        part[:] = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)
    return out


@pytest.mark.parametrize("way", ["hue", "light"])
@pytest.mark.parametrize("seed", [0, 4, 6])
def test_a_thing_turned_green_is_no_overlay(seed: int, way: str) -> None:
    source = photo(seed)
    answer = repainted(source, way)
    for drawn in (answer, jpeg(answer, 75)):
        assert refused(drawn, source) == "recoloured"


def test_grass_and_sky_made_more_colourful_are_no_overlays() -> None:
    source = vivid(3)
    hsv = cv2.cvtColor(source, cv2.COLOR_RGB2HSV)
    for part in (hsv[:120], hsv[360:]):
        part[..., 1] = np.clip(part[..., 1] * 1.0 + 110, 0, 255)
    assert refused(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB), source) in ("recoloured", "no_mark", "missing_subject")
