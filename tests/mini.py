"""A small benchmark folder with seven tasks, for tests of whole runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from provise.image import encode_png
from tests.drawing import photo

__all__ = ["make_mini"]

SIZE = (160, 120)


def make_mini(root: Path, n: int = 2) -> Path:
    """Write ``n`` rows of each of seven tasks with their pictures, and return the folder."""
    root.mkdir(parents=True, exist_ok=True)
    region = np.zeros(SIZE[::-1], bool)
    region[20:60, 30:80] = True
    (root / "mask.png").write_bytes(encode_png(region))
    rows = []
    for number, row in enumerate(_rows(n)):
        name = f"{row['task']}-{number:03d}"
        (root / f"{name}.png").write_bytes(encode_png(photo(number, SIZE)))
        rows.append(
            {
                "capability": "perception", "mask_path": "", "choices": [], "source": "mini", "source_id": name,
                "metadata_json": "{}", "question": f"Question {number}?", **row, "id": name, "image_path": f"{name}.png",
                "media_paths": [f"{name}.png"],
            }
        )  # fmt: skip
    (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return root


def _rows(n: int) -> Iterator[dict[str, Any]]:
    path = [[0.2 + 0.03 * k, 0.3 + 0.02 * k] for k in range(16)]
    places = json.dumps({"coordinates": [[0.2, 0.3], [0.8, 0.7]]})
    for i in range(n):
        yield {"task": "counting", "answer": str(2 + i % 4), "answer_type": "integer"}
        yield {"task": "orientation", "answer": ("front", "back-left", "right")[i % 3], "answer_type": "direction"}
        yield {
            "task": "depth",
            "answer": "AB"[i % 2],
            "answer_type": "choice",
            "choices": ["A", "B"],
            "metadata_json": places,
        }
        yield {
            "task": "grounding",
            "answer": "",
            "answer_type": "mask",
            "mask_path": "mask.png",
            "capability": "understanding",
        }
        yield {
            "task": "affordance",
            "answer": "",
            "answer_type": "mask",
            "mask_path": "mask.png",
            "capability": "interaction",
        }
        yield {
            "task": "trajectory", "answer": json.dumps(path), "answer_type": "path", "capability": "interaction",
            "metadata_json": '{"start": [0.2, 0.3]}',
        }  # fmt: skip
        yield {
            "task": "multihop", "answer": "ABCD"[i % 4], "answer_type": "choice", "capability": "reasoning",
            "choices": ["a cup", "a pot", "a car", "a dog"],
        }  # fmt: skip
