"""What docs/METRICS.md and the cards show runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from provise.evaluation import module_names

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def _blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def _run(program: str, folder: Path) -> str:
    (folder / "program.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(folder / "program.py")], cwd=ROOT, capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_the_page_runs_from_top_to_bottom(tmp_path: Path) -> None:
    program = "\n".join(_blocks(ROOT / "docs/METRICS.md")).replace('"provise/depth"', '"./metrics/depth"')
    said = _run(program, tmp_path)
    assert "step 100: 0.0 %, 4 of 4 refused" in said


def test_the_cards_examples_give_what_they_say(tmp_path: Path) -> None:
    program = ["import evaluate"]
    for name in module_names():
        block = _blocks(ROOT / "metrics" / name / "README.md")[1]
        program += [f'metric = evaluate.load("./metrics/{name}")', block]
    said = _run("\n".join(program), tmp_path)
    assert said.count("100.0\n") == len(module_names()) - 2
