"""How long reading takes against decoding, in one run on one thread; and how soon the command line answers.

Each line is the median, over ten fixed scenes of 1024x1024, of the seconds one reading takes over the seconds that cv2
takes to decode the answer and the source; of each, the best of a few repeats, taken in turn. Readers are handed decoded
pictures, so decoding is not counted twice. The ratio on JPEG stands beside it and has no bar.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from scenes import CASES, N_SCENES, Case, scene

from provise.image import Picture, decode
from provise.protocol import names
from provise.reading import read

__all__ = ["HELP_BAR", "LIGHT", "Line", "measured", "starting"]

HELP_BAR = 1.5
LIGHT = "import typer, rich.console, rich.table, rich.panel"
HEAVY = ("numpy", "cv2", "datasets", "torch")


@dataclass(frozen=True)
class Line:
    """One measured line: ratios on PNG and JPEG, milliseconds of reading and decoding on PNG."""

    label: str
    png: float
    jpeg: float
    reading: float
    decoding: float
    bar: float


def best(work: Callable[[], Any], repeats: int) -> float:
    """Return the least seconds a piece of work took."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def encode(rgb: np.ndarray[Any, Any], ending: str) -> bytes:
    """Encode at cv2's default compression; JPEG at quality 90."""
    options = [cv2.IMWRITE_JPEG_QUALITY, 90] if ending == ".jpg" else []
    done, data = cv2.imencode(ending, cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), options)
    if not done:
        raise RuntimeError(f"cv2 cannot write {ending}")
    return bytes(data.tobytes())


def measure(case: Case, ending: str, repeats: int) -> tuple[float, float, float]:
    """Return the median ratio, and the median seconds of reading and decoding."""
    rows = []
    for index in range(N_SCENES):
        source = scene(index, case.colour)
        answer = source.copy()
        case.draw(answer)
        files = [np.frombuffer(encode(picture, ending), np.uint8) for picture in (answer, source)]
        drawn, given = (decode(file.tobytes()) for file in files)
        check(case, drawn, given, index)
        decoding = best(lambda files=files: [cv2.imdecode(f, cv2.IMREAD_COLOR) for f in files], repeats)  # type: ignore[misc]
        reading = best(lambda a=drawn, s=given: one(case, a, s), repeats)  # type: ignore[misc]
        rows.append((reading / decoding, reading, decoding))
    ratio, reading, decoding = (statistics.median(column) for column in zip(*rows, strict=True))
    return ratio, reading, decoding


def one(case: Case, answer: Picture, source: Picture) -> Any:
    """Read once."""
    return read(case.protocol, answer, source=source, aids=case.aids, choices=case.choices)


def check(case: Case, answer: Picture, source: Picture, index: int) -> None:
    """Refuse to time a reader that reads wrong: a quick refusal would pass for a quick reading."""
    found = one(case, answer, source)
    if not found.ok or (case.expected is not None and found.prediction != case.expected):
        raise SystemExit(f"{case.label}, scene {index}: read {found.prediction!r} {found.reason} {found.message}")


def starting(repeats: int) -> tuple[float, float, list[str]]:
    """Return the seconds of ``provise --help`` and of its lightest imports, and the heavy modules it imports."""

    def run(*arguments: str) -> Callable[[], Any]:
        return lambda: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    run("-m", "provise", "--help")()
    both = [(best(run("-m", "provise", "--help"), 1), best(run("-c", LIGHT), 1)) for _ in range(max(5, repeats))]
    program = (
        "import runpy, sys\nsys.argv = ['provise', '--help']\n"
        "try:\n    runpy.run_module('provise', run_name='__main__')\nexcept SystemExit:\n    pass\n"
        f"print('\\nheavy:', *[m for m in {HEAVY} if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    heavy = told.rsplit("heavy:", 1)[1].split()
    return min(a for a, _ in both), min(b for _, b in both), heavy


def measured(only: str, repeats: int) -> tuple[list[Line], list[str]]:
    """Return the lines whose label holds a text, printed as they come, and the protocols that there are not."""
    known, lines, left_out = names(), [], []
    for case in CASES:
        if only not in case.label:
            continue
        if case.protocol not in known:
            left_out.append(case.protocol)
            continue
        png, reading, decoding = measure(case, ".png", repeats)
        jpeg = measure(case, ".jpg", repeats)[0]
        lines.append(Line(case.label, png, jpeg, reading, decoding, case.bar))
        print(f"{case.label:32} {png:.2f} (bar {case.bar}), JPEG {jpeg:.2f}", flush=True)
    return lines, left_out
