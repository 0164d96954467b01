"""Fixtures that several test modules share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Return the folder of real data, or skip."""
    folder = Path(os.environ.get("PROVISE_REAL") or Path(__file__).resolve().parents[2] / "shared" / "real")
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set PROVISE_REAL to its folder")
    return folder
