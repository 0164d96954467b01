"""Where the pictures and words of a gallery are: inputs in the benchmark, answers and evidence in the run's folder."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import cv2
import numpy as np

from provise.errors import ProviseError
from provise.report.runs import LoadedRun
from provise.report.thumbnails import View
from provise.runs.folder import is_whole
from provise.sample import Sample
from provise.scoring import Row

__all__ = ["Questions", "answers_of", "evidence_of", "inputs_of", "open_questions", "shapes_of", "words_of"]

MAX_INPUTS = 6
_VERTICES = 160


@dataclass(frozen=True)
class Questions:
    """What a run's benchmark asked.

    Attributes
    ----------
    samples : mapping of str to Sample
        By id; empty where the benchmark cannot be shown.
    note : str
        Why it cannot; empty where it can.
    route : str
        The benchmark's own route; empty where it cannot be opened.
    """

    samples: Mapping[str, Sample] = field(default_factory=dict)
    note: str = ""
    route: str = ""


def open_questions(run: LoadedRun, benchmark: str | Path = "") -> Questions:
    """Open the benchmark of a run, if it is still what it was.

    Parameters
    ----------
    run : LoadedRun
        Says where the benchmark lay, and its digest.
    benchmark : path
        Where it lies now, if elsewhere.
    """
    from provise.benchmark import open_benchmark

    where = str(benchmark or run.about.get("root") or "")
    if not where:
        return Questions(
            note="the run does not say where its benchmark lay, so questions and input pictures are not shown"
        )
    try:
        opened = open_benchmark(where)
        same = opened.digest == run.about.get("digest")
    except (ProviseError, OSError):
        return Questions(
            note="the benchmark is not where it lay during the run, so questions and input pictures are not shown"
        )
    if not same:
        return Questions(note="the benchmark has changed since the run, so questions and input pictures are not shown")
    return Questions({sample.id: sample for sample in opened.samples}, route=opened.route)


def inputs_of(sample: Sample) -> list[View]:
    """Return the pictures that a sample shows, the primary one first."""
    from provise.aids import public_media

    try:
        return [View(path) for path in public_media(sample.public(), "all")[:MAX_INPUTS]]
    except (ProviseError, OSError):
        return []


def answers_of(run: LoadedRun) -> dict[str, View]:
    """Return the pictures that were received, by digest; none where the run's folder does not hold them."""
    return {digest: View(file, digest=digest) for digest, file in _kept(run).items() if file.suffix != ".txt"}


def _kept(run: LoadedRun) -> dict[str, Path]:
    """Return the files of ``responses/`` by the digest that names them."""
    folder = run.folder / "responses"
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return {file.stem: file for file in files if re.fullmatch("[0-9a-f]{64}", file.stem)}


def evidence_of(run: LoadedRun, row: Row) -> View | None:
    """Return the picture of what the reader saw, without its caption; None where there is none."""
    named = row.details.get("evidence")
    if not isinstance(named, str) or not named.startswith("evidence/"):
        return None
    path = run.folder / named
    # What a samples.jsonl from elsewhere names must lie in its own folder.
    if not path.resolve().is_relative_to((run.folder / "evidence").resolve()):
        return None
    size: Any = row.geometry.get("source_size") or row.geometry.get("answer_size")
    fits = isinstance(size, list) and len(size) == 2 and all(isinstance(n, int) and n > 0 for n in size)
    return View(path, (size[0], size[1]) if fits else None)


def words_of(run: LoadedRun) -> dict[str, str]:
    """Return the answers in words by sample: those of a run's journal, else those kept as files."""
    journal = run.folder / "journal.sqlite"
    return _journalled(journal) if journal.is_file() else _written(run)


def _written(run: LoadedRun) -> dict[str, str]:
    files = {digest: file for digest, file in _kept(run).items() if file.suffix == ".txt"}
    wanted = {row.id: row.response for row in run.rows if row.response in files}
    return {
        sample: files[digest].read_text("utf-8", "replace")
        for sample, digest in wanted.items()
        if is_whole(files[digest], digest)
    }


def _journalled(journal: Path) -> dict[str, str]:
    """Return the answers in words that a journal holds; the last one where a sample has several."""
    log = journal.with_name("journal.sqlite-wal")
    # Opened so that nothing is written beside it: a report leaves the run as it was.
    still = "&immutable=1" if not log.exists() or not log.stat().st_size else ""
    try:
        with closing(sqlite3.connect(f"file:{quote(os.fsencode(journal.resolve()))}?mode=ro{still}", uri=True)) as base:
            return dict(base.execute("SELECT sample, text FROM answers WHERE text IS NOT NULL ORDER BY at"))
    except sqlite3.Error:
        return {}


def shapes_of(sample: Sample) -> list[list[Any]]:
    """Return a truth that has a place as shapes to draw over the input, in shares of the frame.

    Returns
    -------
    list
        ``["line", [[x, y], ...]]`` for a path, ``["area", [[x, y], ...]]`` a contour of a mask; empty for other truths and for
        those that cannot be read.
    """
    from provise.truth import load_truth

    metric = {"path": "dfd_success", "mask": "mask_precision"}
    kind = "mask" if sample.mask_path else sample.answer_type
    if kind not in metric:
        return []
    try:
        truth = load_truth(sample, metric[kind])
    except (ProviseError, OSError):
        return []
    if truth.kind == "path":
        return [["line", np.round(truth.value, 4).tolist()]]
    return [["area", ring] for ring in _contours(truth.value)]


def _contours(mask: Any) -> list[list[list[float]]]:
    """Return the outlines of a mask's largest parts, few vertices each."""
    height, width = mask.shape
    found, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    rings = []
    for ring in sorted(found, key=cv2.contourArea, reverse=True)[:24]:
        near = cv2.approxPolyDP(ring, 0.0025 * max(width, height), True).reshape(-1, 2)[:_VERTICES]
        rings.append(np.round((near + 0.5) / (width, height), 4).tolist())
    return rings
