"""Kept readings: what a protocol reads may change, but never silently under the same fingerprint."""

from __future__ import annotations

import json
from typing import Any

import pytest

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


def test_a_silent_change_is_told_from_an_announced_one() -> None:
    kept = {"fingerprint": "a", "readings": {"drawn": {"prediction": [0.25, 0.5]}}}
    assert verdict(kept, {"fingerprint": "a", "readings": {"drawn": {"prediction": [0.25 + 1e-9, 0.5]}}}) == ""
    assert "Raise the version" in verdict(kept, {"fingerprint": "a", "readings": {"drawn": {"prediction": None}}})
    assert "If that is meant" in verdict(kept, {"fingerprint": "b", "readings": {"drawn": {"prediction": None}}})
