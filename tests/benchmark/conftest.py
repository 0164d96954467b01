"""A benchmark folder that a test can write row by row."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .drawn import picture

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes rows to a JSONL file of a fresh folder holding a.png and b.png."""
    folder = tmp_path / "bench"
    picture(folder / "a.png", seed=1)
    picture(folder / "b.png", seed=2)

    def _write(*rows: dict[str, Any] | str | bytes, file: str = "rows.jsonl") -> Path:
        lines = [
            item if isinstance(item, bytes) else (item if isinstance(item, str) else json.dumps(item)).encode()
            for item in rows
        ]
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(b"\n".join(lines) + b"\n")
        return folder

    return _write


@pytest.fixture
def real() -> Path:
    """Return the folder of real data, or skip."""
    default = Path(__file__).parents[3] / "shared" / "real"
    folder = Path(os.environ.get("PROVISE_REAL", default))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set PROVISE_REAL")
    return folder
