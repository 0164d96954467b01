"""Whether the source came back, or something was drawn on it that is no mark of the protocol."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from provise.conformance.degrade import COPIES, Degradation, degrade
from provise.image import decode
from provise.ops.change import CompareParams, compare
from provise.ops.registry import View
from provise.reading import Reading, read
from tests.drawing import BLUE, CYAN, GREEN, MAGENTA, RED, YELLOW, Bytes, disc, flat, jpeg, photo, png

WRONG = {
    "instance_marking": MAGENTA, "direction_grid": RED, "fixed_slots": CYAN, "point_marker": RED,
    "trajectory_drawing": BLUE,
}  # fmt: skip


def answered(protocol: str, answer: Bytes | bytes, source: Bytes) -> Reading:
    found = read(protocol, answer, source=source, aids={"start": [0.2, 0.3]}, choices=list("abcd"))
    assert found.status == "noncompliant", found
    return found


@pytest.mark.parametrize("protocol", WRONG)
@pytest.mark.parametrize("size", [(640, 480), (1280, 960), (320, 240)])
def test_something_small_in_another_colour_is_no_source_handed_back(protocol: str, size: tuple[int, int]) -> None:
    for seed in range(3):
        source = photo(seed, size)
        answer = source.copy()
        disc(answer, 0.55 * size[0], 0.5 * size[1], 0.012 * size[0], WRONG[protocol])
        for handed_in in (png(answer), jpeg(answer, 75)):
            found = answered(protocol, handed_in, source)
            assert found.reason == "no_mark", found
            assert "nothing was drawn" not in found.message


@pytest.mark.parametrize("colour", [(255, 255, 255), (0, 0, 0), YELLOW, (255, 128, 0), (128, 0, 160)])
def test_whatever_its_colour(colour: tuple[int, int, int]) -> None:
    source = photo(4)
    answer = source.copy()
    cv2.rectangle(answer, (300, 200), (314, 214), colour, -1)
    assert answered("point_marker", answer, source).reason == "no_mark"


def test_three_cyan_discs_are_no_stars_and_no_source() -> None:
    source = photo(1)
    answer = source.copy()
    for x in (150, 300, 450):
        disc(answer, x, 240, 8, CYAN)
    assert answered("instance_marking", answer, source).reason == "no_mark"


def art(seed: int) -> Bytes:
    """Fields of pure colours, thin lines and print: what codecs and a turn of hue do most to."""
    rng = np.random.default_rng(seed)
    image = flat((245, 240, 230))
    pure = [RED, GREEN, BLUE, CYAN, MAGENTA, YELLOW, (0, 0, 0), (255, 255, 255)]
    for _ in range(14):
        x, y = int(rng.integers(0, 600)), int(rng.integers(0, 440))
        corner = (x + int(rng.integers(3, 90)), y + int(rng.integers(3, 90)))
        cv2.rectangle(image, (x, y), corner, pure[int(rng.integers(8))], -1)
    for _ in range(14):
        a, b = (tuple(int(v) for v in rng.integers(0, 480, 2)) for _ in range(2))
        cv2.line(image, a, b, pure[int(rng.integers(8))], int(rng.integers(1, 3)), cv2.LINE_AA)
    for i in range(8):
        cv2.putText(image, f"hole {i}", (20 + 70 * i, 460), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: copy.name)
def test_a_copy_of_a_photo_is_refused_as_one(copy: Degradation) -> None:
    for seed in range(6):
        source = photo(seed)
        answer = degrade(source, copy, np.random.default_rng(seed))
        for protocol in ("point_marker", "trajectory_drawing"):
            assert answered(protocol, answer, source).reason == "source_returned", (seed, protocol)


@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: copy.name)
def test_nothing_is_seen_as_drawn_on_a_copy_of_the_brightest_drawing(copy: Degradation) -> None:
    for seed in range(6):
        source = decode(art(seed))
        answer = decode(degrade(source.rgb, copy, np.random.default_rng(seed)))
        sheet = compare(View(frame=source.size), CompareParams(), answer=answer, sources=(source,))
        assert (sheet.returned, sheet.touched) == (True, False), seed


@pytest.mark.parametrize("copy", ["scale 0.75", "scale 1.5", "square", "blur 1", "noise 4", "jpeg 30"])
def test_a_copy_of_another_size_or_sharpness_is_a_copy_too(copy: str) -> None:
    for seed in range(4):
        source = photo(seed)
        answer = degrade(source, copy, np.random.default_rng(seed))
        assert answered("point_marker", answer, source).reason == "source_returned"


@pytest.mark.real
def test_copies_of_real_photos(real_data: Path) -> None:
    files = sorted((real_data / "roboafford" / "images").iterdir())[::24]
    assert files
    for file in files:
        source = decode(file)
        for copy in COPIES:
            answer = degrade(source.rgb, copy, np.random.default_rng(0))
            assert read("point_marker", answer, source=source).reason == "source_returned", (file.name, copy.name)


@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: copy.name)
@pytest.mark.parametrize("protocol", [*WRONG, "placement_outline", "dual_measure"])
def test_no_copy_of_a_drawing_is_read_as_an_answer(protocol: str, copy: Degradation) -> None:
    """Beside thin pure lines a codec makes pixels of the mark's colour, and a turned hue takes rims into its range."""
    for seed in range(20, 24):
        source = art(seed)
        answered(protocol, degrade(source, copy, np.random.default_rng(seed)), source)
