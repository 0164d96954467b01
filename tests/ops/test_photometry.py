"""A global change of colour is taken out before anything is called new: gain, offset, fading, gamma, turned hues."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from provise.ops.colour import novel_marks
from provise.ops.photometry import match_colours
from provise.ops.sheet import Sheet

Bytes = npt.NDArray[np.uint8]
Change = Callable[[Bytes], Bytes]


def scene(seed: int, size: tuple[int, int] = (320, 240), *, grey: bool = False) -> Bytes:
    """Return soft clouds of muted colour, as photos have it, or of grey."""
    rng = np.random.default_rng(seed)
    noise = rng.uniform(20, 235, (7, 9, 1 if grey else 3)).astype(np.float32)
    grown = cv2.resize(noise, size, interpolation=cv2.INTER_CUBIC)
    grown = np.repeat(grown[..., None], 3, axis=2) if grey else 0.5 * grown + 0.5 * grown.mean(axis=2, keepdims=True)
    return np.clip(grown + rng.normal(0, 2, (*size[::-1], 1)), 0, 255).astype(np.uint8)


def faded(share: float) -> Change:
    """Scale HSV saturation, as photo programs do: the largest channel stays."""

    def change(rgb: Bytes) -> Bytes:
        largest = rgb.max(axis=2, keepdims=True).astype(np.float64)
        return np.rint(largest - share * (largest - rgb)).astype(np.uint8)

    return change


def bent(gamma: float) -> Change:
    return lambda rgb: np.rint(255 * (rgb / 255.0) ** gamma).astype(np.uint8)


def turned(half_degrees: float) -> Change:
    def change(rgb: Bytes) -> Bytes:
        hsv = cv2.cvtColor(rgb.astype(np.float32) / 255, cv2.COLOR_RGB2HSV)
        hsv[..., 0] = (hsv[..., 0] + 2 * half_degrees) % 360
        return np.rint(255 * cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)).astype(np.uint8)

    return change


def scaled(gain: float, offset: float) -> Change:
    return lambda rgb: np.clip(np.rint(rgb * gain + offset), 0, 255).astype(np.uint8)


CHANGES: dict[str, Change] = {
    "faded": faded(0.65),
    "richer": faded(1.25),
    "lighter": bent(0.65),
    "darker": bent(1.5),
    "turned": turned(5),
    "turned back": turned(-5),
    "flatter": scaled(0.7, 40),
    "dimmer": scaled(0.75, 0),
}


def left(source: Bytes, answer: Bytes) -> float:
    """Return the 95th percentile of what a fit leaves, in levels."""
    rest = np.abs(match_colours(source, answer).apply(source).astype(int) - answer).max(axis=2)
    return float(np.percentile(rest, 95))


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_recoloured_copy_is_explained(name: str, seed: int) -> None:
    source = scene(seed)
    answer = CHANGES[name](source)
    before = float(np.percentile(np.abs(source.astype(int) - answer).max(axis=2), 95))
    assert left(source, answer) <= max(7.0, 0.3 * before)


@pytest.mark.parametrize("name", CHANGES)
def test_marks_do_not_bend_the_fit(name: str) -> None:
    source = scene(4)
    drawn = source.copy()
    for x in range(20, 300, 50):
        cv2.circle(drawn, (x, 60 + x % 130), 12, (0, 255, 0), -1)
    change = CHANGES[name]
    rest = np.abs(match_colours(source, change(drawn)).apply(source).astype(int) - change(source)).max(axis=2)
    assert np.percentile(rest, 95) <= 10


def test_an_exact_copy_is_left_alone() -> None:
    source = scene(5)
    match = match_colours(source, source)
    assert match.apply(source) is source
    assert match.toning is None


@pytest.mark.parametrize("share", [0.35, 0.55])
@pytest.mark.parametrize("grey", [False, True])
def test_a_translucent_overlay_is_no_recolouring(share: float, grey: bool) -> None:
    """A cyan wash over much of the frame is a mask that someone drew."""
    source = scene(6, grey=grey)
    answer = source.copy()
    wide = int(320 * share)
    wash = answer[:, :wide].astype(float) * 0.55 + np.array([0, 255, 255]) * 0.45
    answer[:, :wide] = np.rint(wash).astype(np.uint8)
    fitted = match_colours(source, answer).apply(source).astype(int)
    assert np.abs(fitted[:, :wide] - answer[:, :wide]).max(axis=2).mean() > 35


def test_no_pixel_of_a_recoloured_copy_is_new() -> None:
    for seed in range(6):
        source = scene(10 + seed)
        for name, change in CHANGES.items():
            answer = change(source)
            match = match_colours(source, answer)
            sheet = Sheet(answer, match.apply(source), edited=True, match=match)
            for colour in ("green", "blue", "magenta", "cyan", "red", "yellow"):
                found = cv2.countNonZero(novel_marks(sheet, colour, 36))
                assert found <= 0.0005 * answer[..., 0].size, (seed, name, colour, found)


@pytest.mark.parametrize(("colour", "rgb"), [("green", (0, 255, 0)), ("red", (255, 0, 0)), ("magenta", (255, 0, 255))])
@pytest.mark.parametrize("level", [90, 150, 210])
def test_a_faded_translucent_mark_on_grey_is_seen_whole(colour: str, rgb: tuple[int, int, int], level: int) -> None:
    """Grey tells nothing of how much an answer was faded, and lies nearly as far from the pure colour as the mark."""
    source = np.full((240, 320, 3), level, np.uint8) + np.random.default_rng(1).integers(0, 9, (240, 320, 1), np.uint8)
    drawn = source.copy()
    disc = cv2.circle(np.zeros((240, 320), np.uint8), (160, 120), 20, 255, -1) > 0
    drawn[disc] = np.rint(0.75 * np.array(rgb) + 0.25 * drawn[disc]).astype(np.uint8)
    answer = faded(0.65)(drawn)
    match = match_colours(source, answer)
    found = novel_marks(Sheet(answer, match.apply(source), edited=True, match=match), colour, 36) > 0
    assert (found == disc).mean() > 0.999


@pytest.mark.parametrize("name", ["faded", "lighter", "darker", "flatter"])
def test_a_mark_on_a_patch_of_its_own_colour_is_seen(name: str) -> None:
    """A star on a lawn: the lawn has the colour too, and the whole answer was recoloured."""
    source = scene(8, (640, 480))
    cv2.rectangle(source, (60, 100), (400, 420), (60, 140, 50), -1)
    drawn = source.copy()
    disc = cv2.circle(np.zeros((480, 640), np.uint8), (200, 250), 16, 255, -1) > 0
    drawn[disc] = np.rint(0.8 * np.array((0, 255, 0)) + 0.2 * drawn[disc]).astype(np.uint8)
    answer = CHANGES[name](drawn)
    match = match_colours(source, answer)
    found = novel_marks(Sheet(answer, match.apply(source), edited=True, match=match), "green", 36) > 0
    assert (found & disc).sum() >= 0.9 * disc.sum()
    assert (found & ~disc).sum() <= 0.15 * disc.sum()


def test_a_ring_washed_out_by_blur_is_seen_where_paleness_is_allowed() -> None:
    """Blur spreads a thin line: what is left of its saturation falls below the range, but nothing there was bluish."""
    source = np.full((240, 320, 3), 250, np.uint8)
    cv2.line(source, (10, 40), (310, 40), (0, 0, 0), 2)
    drawn = source.copy()
    cv2.circle(drawn, (160, 120), 14, (40, 40, 255), 2, cv2.LINE_AA)
    answer = np.asarray(cv2.GaussianBlur(drawn, (0, 0), 2.5), dtype=np.uint8)
    match = match_colours(source, answer)
    sheet = Sheet(answer, match.apply(source), edited=True, match=match)
    assert cv2.countNonZero(novel_marks(sheet, "blue", 36)) < 20
    ring = novel_marks(sheet, "blue", 36, 0.5)
    x, y, w, h = cv2.boundingRect(ring)
    assert cv2.countNonZero(ring) > 100
    assert abs(x + w / 2 - 160) <= 1
    assert abs(y + h / 2 - 120) <= 1
    # Without a source to compare with, the range is all there is.
    assert not novel_marks(Sheet(answer), "blue", 36, 0.5).any()
