"""Measure every speed that has a bar, and write the page.

    python bench/speed.py [--out docs/SPEED.md] [--repeats 3]

Run it on a machine that does nothing else. Exit code 1: a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import bootstrap
import cv2
import folder
import modules
import numpy as np
import runner
from reading import HELP_BAR, LIGHT, Line, measured, starting

MISSED = "**no**"


def held(value: float, bar: float) -> str:
    """Say whether a value is at most its bar."""
    return "yes" if value <= bar else MISSED


def read_text(lines: list[Line], left_out: list[str]) -> list[str]:
    """Return the table of readers against decoding."""
    text = [
        "## Reading",
        "",
        "Ratios of one run on one thread: reading a 1024x1024 answer over decoding answer and source with cv2, median of ten",
        "fixed scenes, two of which hold the mark's colour. JPEG decodes about five times as fast as PNG, so its ratios are",
        "higher; they have no bar.",
        "",
        "| reading | ratio on PNG | bar | holds | ratio on JPEG | reading, ms | decoding, ms |",
        "|---|---|---|---|---|---|---|",
    ]
    for line in lines:
        numbers = f"{line.jpeg:.2f} | {line.reading * 1e3:.0f} | {line.decoding * 1e3:.0f}"
        text.append(f"| {line.label} | {line.png:.2f} | {line.bar} | {held(line.png, line.bar)} | {numbers} |")
    if left_out:
        text += ["", f"Not measured, since the catalogue has no such protocol: {', '.join(left_out)}."]
    return text


def start_text(ours: float, theirs: float, heavy: list[str]) -> list[str]:
    """Return the table of the command line's start."""
    holds = held(ours / theirs, HELP_BAR) if not heavy else MISSED
    return [
        "## Start",
        "",
        "| start | ratio | bar | holds | imports of numpy, cv2, datasets, torch |",
        "|---|---|---|---|---|",
        f'| `provise --help` against `python -c "{LIGHT}"` | {ours / theirs:.2f} | {HELP_BAR} | {holds} | '
        f"{', '.join(heavy) or 'none'} |",
    ]


def folder_text(one: float, two: float) -> list[str]:
    """Return the table of a second core's gain."""
    return [
        "## A folder of answers",
        "",
        "| folder | gain | bar, at least | holds | one core, s | two cores, s |",
        "|---|---|---|---|---|---|",
        f"| `provise score` of {folder.SAMPLES} answers (half counting, half points), two cores against one "
        f"| {one / two:.2f} | {folder.BAR} | {held(folder.BAR, one / two)} | {one:.1f} | {two:.1f} |",
    ]


def run_text(runs: list[runner.Ran], journal_ms: float) -> list[str]:
    """Return the table of the runner against an ideal schedule."""
    text = [
        "## A run",
        "",
        f"`provise run` of {runner.SAMPLES} answers that take {1000 * runner.SECONDS:.0f} ms each, {runner.CONCURRENCY} at a time. "
        "The ideal is the longer of two",
        "times: that in which so many answers can come, and that which the readers need for them, over the cores.",
        "",
        "| answers | ratio | bar | holds | run, s | answers come in, s | readers need, s |",
        "|---|---|---|---|---|---|---|",
    ]
    text += [
        f"| {ran.label} | {ran.ratio:.2f} | {runner.RUN_BAR} | {held(ran.ratio, runner.RUN_BAR)} "
        f"| {ran.seconds:.2f} | {ran.answering:.2f} | {ran.reading:.2f} |"
        for ran in runs
    ]
    holds = held(journal_ms, runner.JOURNAL_BAR_MS)
    return [
        *text,
        "",
        "| journal | ms a sample | bar | holds |",
        "|---|---|---|---|",
        f"| an answer and its row committed | {journal_ms:.2f} | {runner.JOURNAL_BAR_MS:g} | {holds} |",
    ]


def module_text(ours: float, theirs: float) -> list[str]:
    """Return the table of a module against the command."""
    return [
        "## A module",
        "",
        "| module | ratio | bar | holds | compute, s | `provise score`, s |",
        "|---|---|---|---|---|---|",
        f"| `spatialgen_bench` over {modules.SAMPLES} rows given as paths, against `provise score` on one core "
        f"| {ours / theirs:.2f} | {modules.BAR} | {held(ours / theirs, modules.BAR)} | {ours:.1f} | {theirs:.1f} |",
    ]


def interval_text(seconds: float) -> list[str]:
    """Return the table of the bootstrap."""
    what = f"10,000 paired replicates of {bootstrap.SYSTEMS} systems and 470 samples, every interval"
    return [
        "## Intervals",
        "",
        "| bootstrap | s | bar | holds |",
        "|---|---|---|---|",
        f"| {what} | {seconds:.2f} | {bootstrap.BAR} | {held(seconds, bootstrap.BAR)} |",
    ]


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--out", type=Path, help="Markdown file to write")
    parser.add_argument("--repeats", type=int, default=3, help="repeats of which the best counts")
    parser.add_argument("--only", default="", help="measure only the readers whose label holds this text")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    parts = [
        ["# Speed", "", "Written by `make bench` (`bench/speed.py`): a machine of two cores that did nothing else."],
        [f"Python {platform.python_version()}, numpy {np.__version__}, OpenCV {cv2.__version__}."],
        read_text(*measured(options.only, options.repeats)),
        start_text(*starting(options.repeats)),
    ]
    with tempfile.TemporaryDirectory() as temporary:
        parts.append(folder_text(*folder.cores(Path(temporary))))
    with tempfile.TemporaryDirectory() as temporary:
        parts.append(module_text(*modules.modules(Path(temporary))))
    parts += [run_text(runner.running(), runner.journal()), interval_text(bootstrap.drawing())]
    page = "\n\n".join("\n".join(part) for part in parts) + "\n"
    print(page)
    if options.out:
        options.out.write_text(page, encoding="utf-8")
    return int(MISSED in page)


if __name__ == "__main__":
    raise SystemExit(main())
