"""Runs that several test modules report on."""

from __future__ import annotations

from pathlib import Path

import pytest

from provise.runs.run import run
from tests.mini import make_mini

SYSTEMS = {"right": "draughtsman?accuracy=.7&seed=1", "wrong": "draughtsman?accuracy=.3&seed=2", "blank": "blank"}


@pytest.fixture(scope="session")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small benchmark."""
    return make_mini(tmp_path_factory.mktemp("report") / "mini", 2)


@pytest.fixture(scope="session")
def done(mini: Path) -> dict[str, Path]:
    """Return finished runs by name; tests must leave them as they are, and write elsewhere."""
    for name, system in SYSTEMS.items():
        run(mini, system, mini.parent / name, jobs=1)
    return {name: mini.parent / name for name in SYSTEMS}
