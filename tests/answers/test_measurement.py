"""Lengths with units."""

import pytest

from provise.answers import read_text
from provise.metrics.quantities import to_centimetres


@pytest.mark.parametrize(
    ("text", "centimetres"),
    [
        ("3.5m", 350), ("5 km", 500000), ("0.5in", 1.27), ("1,200 mm", 120), ("5'10\"", 177.8), ("5′10″",
        177.8), ("5’ 10”", 177.8),
        ("2 feet 6 inches", 76.2), ("6 ft, 2 in", 187.96), ("1 m 20 cm", 120), ("about 3 meters.", 300),
        ("**4.5 feet**", 137.16),
        ("\\scalar{3.5} \\distance_unit{m}", 350), ("\\boxed{12\\text{ cm}}", 12), ("3.5 m (350 cm)", 350), ("2½ ft", 76.2),
        ("1/2 inch", 1.27), ("3,5 m", 350), ("Answer: 2 yards", 182.88), ("It is 40-cm wide", 40), ("1.5 × 10^3 mm", 150),
        ("There are 3 in the picture, 50 cm apart", 50), ("２０ｃｍ", 20), ("1e2 cm", 100), ('30"', 76.2),
        ("5ft10in", 177.8), ("5-foot-10", 177.8), ("He is 5 foot 10.", 177.8), ("1 200 mm", 120), ("two metres", 200),
        ("Half a meter", 50), ('{"value": 3.5, "unit": "m"}', 350), ("\\distance_unit{feet} \\scalar{3}", 91.44),
    ],
)  # fmt: skip
def test_lengths(text, centimetres):
    answer = read_text(text, "measurement")
    assert answer.reason == ""
    assert to_centimetres(answer.prediction["value"], answer.prediction["unit"]) == pytest.approx(centimetres)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3 parsecs", "unknown_unit"), ("3.5", "missing_unit"), ("far", "no_answer"), ("-3 m",
        "out_of_range"), ("0 cm", "out_of_range"),
        ("1e999 m", "non_finite"), ("nan m", "non_finite"), ("2 m and 5 m", "ambiguous"), ("3 to 4 m",
        "ambiguous"), ("3-4 m", "ambiguous"),
        ("", "empty"), ("1/0 m", "non_finite"),
    ],
)  # fmt: skip
def test_what_is_no_length(text, reason):
    answer = read_text(text, "measurement")
    assert (answer.prediction, answer.reason) == (None, reason)
