"""How much longer a module takes for a folder of answers than ``provise score`` on one core, without evidence pictures."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from folder import write_folder

__all__ = ["BAR", "SAMPLES", "modules"]

BAR = 1.3
"""Most that the module takes, against the command."""

SAMPLES = 470

PROGRAM = """
import json, sys, time
from pathlib import Path
import evaluate
folder = Path(sys.argv[1])
rows = [json.loads(line) for line in open(folder / "samples.jsonl")]
answers = {r["id"]: str(folder / r["image"]) for r in map(json.loads, open(folder / "responses.jsonl"))}
metric = evaluate.load(sys.argv[2])
began = time.perf_counter()
found = metric.compute(predictions=[answers[row["id"]] for row in rows], references=rows, benchmark=str(folder))
print(json.dumps([time.perf_counter() - began, found["overall"]["score"]]))
"""


def modules(folder: Path, repeats: int = 2) -> tuple[float, float]:
    """Return the seconds of ``compute`` and of ``provise score``, the best of a few repeats in turn.

    Parameters
    ----------
    folder : Path
        Empty; a benchmark of 470 samples of 1024x1024 and its answers are written there.
    repeats : int
        Runs of each.
    """
    write_folder(folder, SAMPLES)
    module = Path(__file__).parents[1] / "metrics" / "spatialgen_bench"
    ours, theirs = [], []
    for turn in range(repeats):
        done = _run("-c", PROGRAM, folder, module)
        seconds, score = json.loads(done.splitlines()[-1])
        began = time.perf_counter()
        out = folder / f"run-{turn}"
        _run(
            "-m", "provise", "score", "--benchmark", folder, "--responses", folder / "responses.jsonl", "--jobs", "1", "--out",
            out, "--no-evidence",
        )  # fmt: skip
        theirs.append(time.perf_counter() - began)
        ours.append(seconds)
        told = json.loads((out / "summary.json").read_text(encoding="utf-8"))["overall"]["score"]
        if not score == told == 100:
            raise SystemExit(f"the answers are all right, but scored {score} and {told}")
    return min(ours), min(theirs)


def _run(*arguments: object) -> str:
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{arguments[0]} failed: {done.stdout[-500:]} {done.stderr[-500:]}")
    return done.stdout
