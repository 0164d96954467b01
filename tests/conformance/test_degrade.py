"""Each degradation is the one that the certificate names, and the same each time."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from provise.conformance.degrade import COPIES, MILD, STRONG, degrade, encode, get, recolour
from provise.errors import InputError


def scene() -> np.ndarray:
    small = np.random.default_rng(4).integers(60, 180, (6, 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, (160, 120), interpolation=cv2.INTER_CUBIC))


def reread(data: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB))


def after(name: str) -> np.ndarray:
    return reread(degrade(scene(), name, np.random.default_rng(0)))


def test_the_lists_are_those_asked_for() -> None:
    colours = [
        "hue +4",
        "hue -4",
        "brightness 1.1",
        "brightness .9",
        "contrast 1.1",
        "contrast .9",
        "gamma .9",
        "gamma 1.1",
    ]
    shapes = ["none", "jpeg 95", "jpeg 75", "webp 80", "scale 0.75", "scale 1.5", "square", "blur 1", "noise 4"]
    assert [d.name for d in MILD] == shapes + colours
    assert {d.name for d in STRONG} == {
        *("jpeg 30", "blur 2.5", "noise 12", "brightness .7", "brightness 1.3", "contrast .6", "contrast 1.4"),
        *("gamma .7", "gamma 1.4", "saturation .7", "scale 0.5", "scale 2"),
    }
    assert [d.name for d in COPIES] == ["none", "jpeg 75", "webp 80", *colours]


@pytest.mark.parametrize("name", [d.name for d in (*MILD, *STRONG)])
def test_the_same_generator_gives_the_same_bytes(name: str) -> None:
    first, second = (degrade(scene(), name, np.random.default_rng(7)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", [d.name for d in (*MILD, *STRONG) if d.name != "none"])
def test_every_degradation_does_something(name: str) -> None:
    degraded = after(name)
    assert degraded.shape != scene().shape or not np.array_equal(degraded, scene())


def test_none_changes_nothing() -> None:
    assert np.array_equal(after("none"), scene())


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("scale 0.75", (120, 90)),
        ("scale 1.5", (240, 180)),
        ("scale 0.5", (80, 60)),
        ("scale 2", (320, 240)),
        ("square", (160, 160)),
    ],
)
def test_sizes(name: str, size: tuple[int, int]) -> None:
    assert after(name).shape[1::-1] == size


@pytest.mark.parametrize(("name", "magic"), [("jpeg 75", b"\xff\xd8"), ("webp 80", b"RIFF"), ("blur 1", b"\x89PNG")])
def test_the_file_is_the_codecs(name: str, magic: bytes) -> None:
    assert degrade(scene(), name, np.random.default_rng(0)).startswith(magic)


def test_a_lower_quality_loses_more() -> None:
    lost = [np.abs(after(name).astype(int) - scene()).mean() for name in ("jpeg 95", "jpeg 75", "jpeg 30")]
    assert lost == sorted(lost)
    assert lost[2] > lost[0]


@pytest.mark.parametrize("sigma", [4, 12])
def test_noise_has_its_deviation(sigma: int) -> None:
    grain = after(f"noise {sigma}").astype(float) - scene()
    assert grain.std() == pytest.approx(sigma, rel=0.03)
    assert abs(grain.mean()) < 0.2


def test_colours_change_by_their_formulas() -> None:
    pixel = np.array([[[200, 100, 50]]], np.uint8)
    assert recolour(pixel, brightness=0.7)[0, 0].tolist() == [140, 70, 35]
    assert recolour(pixel, contrast=0.6)[0, 0].tolist() == [171, 111, 81]
    assert recolour(pixel, gamma=1.4)[0, 0].tolist() == [round(255 * (v / 255) ** 1.4) for v in (200, 100, 50)]
    before, after_ = (
        cv2.cvtColor(p, cv2.COLOR_RGB2HSV)[0, 0].astype(int) for p in (pixel, recolour(pixel, hue=4, saturation=0.7))
    )
    assert after_[0] - before[0] == pytest.approx(4, abs=1)
    assert after_[1] == pytest.approx(0.7 * before[1], abs=2)


def test_nothing_wraps_round_at_the_ends() -> None:
    ends = np.array([[[255, 0, 255], [0, 0, 0], [255, 255, 255]]], np.uint8)
    for change in ({"brightness": 1.3}, {"contrast": 1.4}, {"gamma": 0.7}):
        assert np.array_equal(recolour(ends, **change), ends)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match="jpeg 30"):
        get("jpeg 31")
    with pytest.raises(InputError, match="webp"):
        encode(scene(), "gif")
