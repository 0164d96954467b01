"""Truths: that they parse, that a choice has them, that an ideal drawing would pass."""

from __future__ import annotations

import re
from collections import Counter

from provise.benchmark.checks.entry import Entry, Found
from provise.benchmark.tasks import TASKS, metric_of
from provise.errors import DataError

__all__ = ["check_choices", "check_truth"]

SAMPLED = 20
"""Points a drawn path is read as (paper, appendix C.2)."""

START_REACH = 0.15
"""How far from the given start a drawn path may begin (trajectory_drawing)."""

PIXEL_DOUBT = 2.0
"""A path whose largest coordinate lies between 1 and this is more likely normalised and out of the frame."""

MEDIA_CODES = ("missing_mask", "empty_mask", "missing_media", "bad_media")
"""Faults of files, which the media checks report."""


def _bare(choice: str) -> str:
    return re.sub(r"^\s*\(?[A-Za-z][.):]\s+", "", choice).strip().casefold()


def check_choices(entry: Entry) -> Found:
    """Yield options that are empty, equal to each other, or absent where the answer is one of them."""
    sample = entry.sample
    if "choices" in entry.broken:
        return
    texts = [_bare(choice) for choice in sample.choices]
    for text, n in Counter(texts).items():
        if n > 1:
            letters = ", ".join(chr(65 + i) for i, other in enumerate(texts) if other == text and i < 26)
            yield "error", "duplicate_choices", f"options {letters} are the same ({text!r}); each needs its own text"
    if any(not choice.strip() for choice in sample.choices):
        yield "error", "empty_choice", "an option is empty"
    if sample.answer_type == "choice" and len(sample.choices) == 1:
        yield "warning", "single_choice", f"there is one option, {sample.choices[0]!r}: every answer is right"
    if sample.answer_type == "choice" and not sample.choices:
        yield "warning", "no_choices", "answer_type is choice and choices is empty: the options must be in the question"


def check_truth(entry: Entry) -> Found:
    """Yield an answer that does not fit its type, or that no right drawing could reach."""
    sample = entry.sample
    if entry.broken & {"answer", "answer_type", "choices", "task", "image_path"} or not sample.answer.strip():
        return
    metric = metric_of(sample.task, sample.answer_type.strip().lower())
    if metric in ("mask_precision", "mask_iou", "point_in_mask"):
        return  # a mask is a file: the media checks read it
    from provise.truth import load_truth

    try:
        truth = load_truth(sample, metric)
    except DataError as error:
        if error.code not in MEDIA_CODES and error.code != "missing_aid":
            yield "error", error.code, _plain(str(error))
        return
    if truth.kind == "integer" and truth.value < 0:
        yield "error", "bad_truth", f"answer is {sample.answer!r}; a count is 0 or more"
    if truth.kind == "integer" and truth.value == 0 and sample.task in TASKS:
        yield (
            "warning",
            "zero_cannot_be_drawn",
            "the answer is 0: an image without a mark is read as no answer (paper, table 8), so that only a text can be right",
        )
    if truth.kind == "path":
        yield from _check_path(entry, truth.value)
    task = TASKS.get(sample.task)
    if task and task.grid:
        yield from _check_grid(entry, truth.kind, truth.value)


def _plain(message: str) -> str:
    """Drop the sample's name from a message: the finding has it."""
    return re.sub(r"^sample .*?: ", "", message, count=1)


def _check_grid(entry: Entry, kind: str, value: object) -> Found:
    """Yield an option that names none of the eight directions of the grid, e.g. a vertical one."""
    from provise.truth import DIRECTIONS

    choices = entry.sample.choices
    index = ord(value) - 65 if kind == "choice" and isinstance(value, str) else -1
    if not 0 <= index < len(choices):
        return
    words = frozenset(re.split(r"[\s_-]+", _bare(choices[index])))
    if words not in {frozenset(name.split("-")) for name in DIRECTIONS}:
        yield (
            "error",
            "not_on_the_grid",
            f"the right option {choices[index]!r} is none of {', '.join(DIRECTIONS)}: no cell of the grid shows it",
        )


def _check_path(entry: Entry, vertices: object) -> Found:
    """Yield a path whose own ideal drawing fails the metric, whose start is elsewhere, or whose unit is in doubt."""
    import numpy as np

    from provise.metrics.frechet import DFD_THRESHOLD, discrete_frechet
    from provise.truth import parse_points

    truth = np.asarray(vertices, dtype=np.float64)
    written = parse_points(entry.sample.answer)
    if written is not None and 1 < written.max() < PIXEL_DOUBT:
        yield (
            "warning",
            "pixels_in_doubt",
            f"the largest coordinate is {written.max():g}, so the whole path is read as pixels; was it normalised?",
        )
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(truth, axis=0).T))])
    if length[-1] == 0:
        yield "error", "flat_path", "all vertices of the path are one point: nothing can be drawn"
        return
    at = np.linspace(0, length[-1], SAMPLED)
    ideal = np.stack([np.interp(at, length, truth[:, 0]), np.interp(at, length, truth[:, 1])], axis=1)
    distance = discrete_frechet(ideal, truth)
    if distance >= DFD_THRESHOLD:
        yield (
            "error",
            "truth_too_coarse",
            f"the path drawn exactly and read as {SAMPLED} points lies {distance:.3f} from its own {len(truth)} "
            f"vertices; success needs a distance below {DFD_THRESHOLD:g}: put vertices closer together along the path",
        )
    start = entry.sample.metadata.get("start")
    if isinstance(start, list) and _is_pair(start):
        gap = float(np.hypot(start[0] - truth[0][0], start[1] - truth[0][1]))
        if gap > START_REACH:
            yield (
                "error",
                "start_far",
                f"start {start} lies {gap:.3f} from the path's first vertex; {START_REACH} is the reach of a reader",
            )


def _is_pair(value: list[object]) -> bool:
    return len(value) == 2 and all(type(item) in (int, float) for item in value)
