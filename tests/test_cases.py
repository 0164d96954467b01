"""Collected cases of other projects' readers gone wrong, where they lie beside the checkout: those in words, as they are."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provise.answers import CoordinateSystem, TextAnswer, read_text
from provise.metrics import point_in_mask

pytestmark = pytest.mark.real

REAL = Path(os.environ.get("PROVISE_REAL") or Path(__file__).resolve().parents[2] / "shared" / "real")
FILE = REAL.parent / "cases" / "cases.jsonl"


def cases() -> list[Any]:
    """Return the cases that hold a text, by id; where there is no file, one that is skipped."""
    if not FILE.is_file():
        return [pytest.param({}, marks=pytest.mark.skip(reason=f"no cases at {FILE}: they lie beside the real data"))]
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").split("\n") if line.strip()]
    return [
        pytest.param(row, id=row["id"])
        for row in rows
        if row["area"] in ("answer", "coords") and "raw" in row["input"]
    ]  # fmt: skip


def read_case(given: dict[str, Any], kind: str) -> TextAnswer:
    sizes = {key: tuple(given[key]) for key in ("size", "seen_size") if key in given}
    system = CoordinateSystem(given.get("system_scale", "unit"), given.get("system_order", "xy"), **sizes)
    return read_text(given["raw"], kind, choices=given.get("choices", ()), coordinates=system)


@pytest.mark.parametrize("case", cases())
def test_a_collected_text_is_read_as_it_should_be(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    answer = read_case(given, given.get("type", "points"))
    prediction = answer.prediction
    if isinstance(expected, list):
        assert [pytest.approx(point) for point in expected] == prediction
    elif not isinstance(expected, str) or expected in given.get("choices", ()):
        assert (prediction, type(prediction)) == (expected, type(expected))
    elif refused := re.search(r"(?:reason|status)=(\w+)", expected):
        assert (prediction, answer.reason) == (None, refused[1])
    elif expected == "no answer":
        assert prediction is None
    elif never := re.search(r"never (True|False)", expected):
        assert str(prediction) != never[1]
    elif "top-left" in expected:
        x, y = prediction[0]
        assert [x, y] == json.loads(given["raw"])
        mask = np.zeros((40, 20), bool)
        mask[int(y * 40), int(x * 20)] = True
        assert point_in_mask([x, y], mask) == 1
        assert point_in_mask([1 - x, 1 - y], mask) == 0
    else:
        pytest.fail(f"{case['id']}: this test cannot judge {expected!r}")


def test_a_list_that_breaks_off_is_no_path_of_its_first_points() -> None:
    if not FILE.is_file():
        pytest.skip(f"no cases at {FILE}: they lie beside the real data")
    broken = [param.values[0] for param in cases() if "truncated" in str(param.values[0]["expected"])]
    assert broken
    assert {read_case(case["input"], "path").reason for case in broken} == {"truncated"}
