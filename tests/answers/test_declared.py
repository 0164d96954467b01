"""What a system says of its coordinates, and what is no such thing."""

from __future__ import annotations

from typing import Any

import pytest

from provise.answers import Declared, parse_declared
from provise.answers.declared import parse_size
from provise.errors import InputError


def never() -> tuple[int, int]:
    raise AssertionError("the source's size was asked for")


@pytest.mark.parametrize(
    ("value", "point", "expected"),
    [
        (1, (0.25, 0.5), [0.25, 0.5]),
        ("100", (25, 50), [0.25, 0.5]),
        (1000.0, (250, 500), [0.25, 0.5]),
        ({"scale": "pixel", "seen_size": [1024, 512]}, (256, 256), [0.25, 0.5]),
        ({"scale": "pixel", "seen_size": "1024x512", "order": "yx"}, (256, 256), [0.25, 0.5]),
    ],
)
def test_a_scale_is_the_value_at_the_edge(value: Any, point: tuple[float, float], expected: list[float]) -> None:
    assert parse_declared(value).system(never).normalise(*point) == expected


def test_pixels_are_the_sources_where_no_other_size_is_given() -> None:
    assert parse_declared("pixel").system(lambda: (400, 100)).normalise(100, 50) == [0.25, 0.5]


@pytest.mark.parametrize(
    "declared", [Declared(), Declared("1000", "yx"), Declared("pixel"), Declared("pixel", "yx", (1024, 768))]
)
def test_what_is_written_down_is_read_back(declared: Declared) -> None:
    assert parse_declared(declared.to_dict()) == declared


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (999, "allowed are 1, 100, 1000, pixel"),
        (True, "allowed are 1, 100, 1000, pixel"),
        ("per mille", "allowed are 1, 100, 1000, pixel"),
        ([1000], "allowed are 1, 100, 1000, pixel"),
        (float("nan"), "allowed are 1, 100, 1000, pixel"),
        ({"scale": 1000, "order": "xyxy"}, "allowed are xy and yx"),
        ({"scale": 1000, "size": [3, 4]}, "allowed are scale, order, seen_size"),
        ({"scale": 1000, "seen_size": [1024, 768]}, "goes with pixel alone"),
        ({"scale": "pixel", "seen_size": [0, 768]}, "[width, height]"),
        ({"scale": "pixel", "seen_size": [1024]}, "[width, height]"),
        ({"scale": "pixel", "seen_size": [1024.5, 768]}, "[width, height]"),
    ],
)
def test_what_is_no_declaration(value: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        parse_declared(value)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "text", ["1024", "1024x", "x768", "0x768", "-1x768", "1024x768x3", "1024,768", "wide", "9" * 30]
)
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(InputError, match="WIDTHxHEIGHT"):
        parse_size(text)
