"""Kept readings: what a protocol reads may change, but never silently under the same fingerprint."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from provise.metrics import discrete_frechet
from provise.ops.skeleton import resample
from tests.golden import STORE
from tests.golden_cases import deterministic, readings

KEPT: dict[str, Any] = json.loads(STORE.read_text(encoding="utf-8"))
AGAIN = "then write the kept readings anew: python -m tests.golden"


@pytest.fixture(scope="module")
def now() -> dict[str, dict[str, Any]]:
    return readings()


def rounded(value: Any) -> Any:
    """Round to a millionth of the frame: processors differ in a float's last digits, and no prediction does."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return {key: rounded(item) for key, item in value.items()} if isinstance(value, dict) else value


def verdict(kept: dict[str, Any], now: dict[str, Any]) -> str:
    """Return what is wrong between a protocol's kept entry and today's, or nothing."""
    changed = [case for case in kept["readings"] if rounded(kept["readings"][case]) != rounded(now["readings"][case])]
    if kept["fingerprint"] != now["fingerprint"]:
        return f"the fingerprint is another; readings that changed: {changed or 'none'}. If that is meant, {AGAIN}"
    if changed:
        return (
            f"readings changed ({', '.join(changed)}) under the same fingerprint. Raise the version of the operator "
            f"that changed (@operator(..., version=)) or the protocol's own, {AGAIN}"
        )
    return ""


def test_every_deterministic_protocol_is_kept() -> None:
    assert sorted(KEPT) == deterministic(), AGAIN


@pytest.mark.parametrize("name", deterministic())
def test_a_reading_changes_only_with_its_fingerprint(name: str, now: dict[str, dict[str, Any]]) -> None:
    problem = verdict(KEPT[name], now[name])
    assert not problem, f"{name}: {problem}"


@pytest.mark.parametrize("name", deterministic())
def test_the_kept_cases_say_something(name: str) -> None:
    found = KEPT[name]["readings"]
    assert found["drawn"]["status"] == "ok"
    assert found["source"]["reason"] == "source_returned"


DRAWN: dict[str, Any] = {
    "instance_marking": 4, "direction_grid": "back-right", "fixed_slots": "B", "binary_relation": True, "relative_depth": "B",
    "dual_measure": "A", "placement_outline": True, "state_matching": "C", "trajectory_endpoint": {"index": 3, "count": 5},
}  # fmt: skip
"""What tests/golden_cases.py draws, by hand; points, paths and masks are held below."""


def test_every_kept_drawing_is_read_as_what_was_drawn() -> None:
    found = {
        name: {case: kept["readings"][case]["prediction"] for case in ("drawn", "recoloured")}
        for name, kept in KEPT.items()
    }
    for case in ("drawn", "recoloured"):
        assert {name: found[name][case] for name in DRAWN} == DRAWN
        assert found["point_marker"][case] == pytest.approx([200.5 / 320, 80.5 / 240], abs=0.003)
        assert found["region_mask"][case]["area"] == pytest.approx(np.pi * 70 * 50 / (320 * 240), rel=0.02)
        path = np.array(found["trajectory_drawing"][case]) * (320, 240)
        line = np.array([(64, 72), (120, 150), (200, 160), (280, 60)])
        assert discrete_frechet(path, resample(line + 0.5, 20)) < 3
    others = {"point_marker", "region_mask", "trajectory_drawing"}
    assert set(KEPT) == {*DRAWN, *others}


def test_a_silent_change_is_told_from_an_announced_one() -> None:
    kept = {"fingerprint": "a", "readings": {"drawn": {"prediction": [0.25, 0.5]}}}
    assert verdict(kept, {"fingerprint": "a", "readings": {"drawn": {"prediction": [0.25 + 1e-9, 0.5]}}}) == ""
    assert "Raise the version" in verdict(kept, {"fingerprint": "a", "readings": {"drawn": {"prediction": None}}})
    assert "If that is meant" in verdict(kept, {"fingerprint": "b", "readings": {"drawn": {"prediction": None}}})
