"""Rows and pictures that the tests of benchmarks are written with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image


def picture(path: Path, size: tuple[int, int] = (64, 48), seed: int = 0) -> Path:
    """Write a picture of noise: no two seeds alike, nothing flat about it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = np.random.default_rng(seed).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    Image.fromarray(noise).save(path)
    return path


def row(**fields: Any) -> dict[str, Any]:
    """Return a sound counting row; the fields given replace its own."""
    base: dict[str, Any] = {
        "id": "c1", "capability": "perception", "task": "counting", "image_path": "a.png", "media_paths": ["a.png"],
        "mask_path": "", "question": "How many?", "answer": "5", "answer_type": "integer", "choices": [],
        "source": "drawn", "source_id": "1", "metadata_json": "{}",
    }  # fmt: skip
    return {**base, **fields}
