"""The gallery's data: every answer of every run, each text and each picture once."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from provise.report.media import (
    Questions,
    answers_of,
    evidence_of,
    inputs_of,
    shapes_of,
    words_of,
)
from provise.report.results import Results
from provise.report.runs import LoadedRun
from provise.report.texts import OUTCOME_NAMES, clean, cut, outcome_of, say, scrubbed, title
from provise.report.thumbnails import BUDGET, Thumbnails, View, make_thumbnails
from provise.runs.folder import is_whole
from provise.sample import Sample
from provise.scoring import Row

__all__ = ["BLOCK", "Gallery", "make_gallery"]

BLOCK = 240
"""Pictures in one block of the page; a block is parsed when one of its pictures is first shown."""

LONGEST_TEXT = 1200


@dataclass(frozen=True)
class Gallery:
    """What the page's script shows.

    Attributes
    ----------
    data : dict
        JSON: names, samples and rows that point to each other by number.
    blocks : list of list of str
        Pictures as base64 JPEG, `BLOCK` to a block.
    notes : tuple of str
        What cannot be shown, and why.
    """

    data: dict[str, Any]
    blocks: list[list[str]]
    notes: tuple[str, ...]


class _Names:
    """Numbers for texts, each text once."""

    def __init__(self) -> None:
        self.found: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.found.setdefault(text, len(self.found))


@dataclass(frozen=True)
class _Views:
    """The pictures of one row, and its answer in words."""

    answer: View | None
    evidence: View | None
    words: str = ""


def make_gallery(
    results: Results, questions: Mapping[str, Questions], *, linked: bool = False, budget: int = BUDGET
) -> Gallery:
    """Gather what a gallery shows.

    Parameters
    ----------
    results : Results
        Of the report.
    questions : mapping of str to Questions
        What each run's benchmark asked, by the run's name.
    linked : bool
        Whether the page lies in the run's own folder, where it can link to the evidence in full size.
    budget : int
        Bytes of all thumbnails.
    """
    samples = _samples(results.runs, questions)
    shown = {run.name: _views(run) for run in results.runs}
    inputs = {key: inputs_of(sample) for key, (_, sample) in samples.items() if sample is not None}
    thumbs = make_thumbnails(
        [
            *(v for views in inputs.values() for v in views),
            *(v for views in shown.values() for v in _all(views.values())),
        ],
        budget=budget,
    )
    names = _Names()
    order = {key: i for i, key in enumerate(samples)}
    data: dict[str, Any] = {
        "systems": [[clean(run.name), [clean(note) for note in run.notes]] for run in results.runs],
        "tasks": [title(task) for task in results.tasks],
        "outcomes": [[key, word, sign] for key, (word, sign) in OUTCOME_NAMES.items()],
        "samples": [_sample(row, sample, inputs.get(key, []), thumbs, list(results.tasks), names)
                    for key, (row, sample) in samples.items()],
        "rows": [
            _row(row, order[_key(run, row)], number, shown[run.name][row.id], thumbs, names, run, linked)
            for number, run in enumerate(results.runs) for row in run.rows
        ],
        "block": BLOCK,
        "longest": thumbs.longest,
    }  # fmt: skip
    data["texts"] = list(names.found)
    coded = [base64.b64encode(file).decode() for file in thumbs.data]
    blocks = [coded[i : i + BLOCK] for i in range(0, len(coded), BLOCK)]
    return Gallery(data, blocks, tuple(_notes(results.runs, questions, shown, thumbs)))


def _key(run: LoadedRun, row: Row) -> tuple[str, str]:
    """Return what tells samples apart: the id, and the benchmark where runs of several were forced together."""
    return str(run.about.get("digest")), row.id


def _samples(
    runs: Sequence[LoadedRun], questions: Mapping[str, Questions]
) -> dict[tuple[str, str], tuple[Row, Sample | None]]:
    """Return each sample once, with a row of it and its question where that can be shown."""
    found: dict[tuple[str, str], tuple[Row, Sample | None]] = {}
    for run in runs:
        for row in run.rows:
            sample = questions[run.name].samples.get(row.id)
            key = _key(run, row)
            if key not in found or (found[key][1] is None and sample is not None):
                found[key] = (row, sample)
    return found


def _views(run: LoadedRun) -> dict[str, _Views]:
    words, answers = words_of(run), answers_of(run)
    return {row.id: _Views(answers.get(row.response), evidence_of(run, row), words.get(row.id, "")) for row in run.rows}


def _all(views: Iterable[_Views]) -> Iterable[View]:
    return (view for v in views for view in (v.evidence, v.answer) if view is not None)


def _sample(
    row: Row, sample: Sample | None, inputs: Sequence[View], thumbs: Thumbnails, tasks: list[str], names: _Names
) -> list[Any]:
    """Return id, task, question, options, truth, pictures, shapes of the truth."""
    pictures = [thumbs.index[view] for view in inputs if view in thumbs.index]
    truth = say(row.truth)
    if sample is not None and sample.mask_path and not truth:
        truth = "the marked region"
    question = cut(clean(sample.question), LONGEST_TEXT) if sample else ""
    choices = [cut(clean(choice), 200) for choice in sample.choices] if sample else []
    shapes = shapes_of(sample) if sample and pictures else []
    return [
        clean(row.id),
        tasks.index(row.task),
        question,
        choices,
        truth,
        pictures,
        shapes,
        names(clean(row.protocol)),
    ]


def _row(
    row: Row, sample: int, system: int, views: _Views, thumbs: Thumbnails, names: _Names, run: LoadedRun, linked: bool
) -> list[Any]:
    """Return sample, system, outcome, reason, message, prediction, score, answer, evidence, words, file, reader."""
    outcome = outcome_of(row)
    reason = row.reason or row.error or ""
    said = cut(scrubbed(row.message, run), LONGEST_TEXT)
    prediction = "" if row.prediction is None else say(row.prediction)
    pictures = [-1 if view is None else thumbs.index.get(view, -1) for view in (views.answer, views.evidence)]
    words = cut(clean(views.words), 2 * LONGEST_TEXT)
    file = quote(str(row.details["evidence"])) if linked and views.evidence is not None else ""
    return [
        sample, system, list(OUTCOME_NAMES).index(outcome), names(clean(reason)), names(said), names(prediction),
        None if row.score is None else round(row.score, 4), *pictures, names(words), file, names(clean(row.reader)),
    ]  # fmt: skip


def _notes(
    runs: Sequence[LoadedRun],
    questions: Mapping[str, Questions],
    shown: Mapping[str, Mapping[str, _Views]],
    thumbs: Thumbnails,
) -> Iterable[str]:
    """Say what is not there; of many runs with one and the same gap, once."""
    gaps: dict[str, list[str]] = {}
    for run in runs:
        if questions[run.name].note:
            gaps.setdefault(questions[run.name].note, []).append(run.name)
        views = shown[run.name].values()
        if run.interface == "image" and not any(view.answer for view in views):
            gaps.setdefault("the answers as received are not kept in the run's folder", []).append(run.name)
        changed = sum(not is_whole(view.path, view.digest) for view in _lost(views, thumbs))
        if changed:
            gap = f"{changed} answers have changed in the run's folder since they were read, and are not shown"
            gaps.setdefault(gap, []).append(run.name)
        if run.interface == "text" and not any(view.words for view in views):
            gaps.setdefault("the answers in words are not kept in the run's folder", []).append(run.name)
        if run.interface == "image" and not any(view.evidence for view in views):
            gaps.setdefault("the run kept no pictures of what its readers saw", []).append(run.name)
    for gap, names in gaps.items():
        where = "" if len(names) == len(runs) else f"{', '.join(names)}: "
        yield f"{where}{gap}"


def _lost(views: Iterable[_Views], thumbs: Thumbnails) -> list[View]:
    """Return the answers of which there is no thumbnail; a file that is no picture is among them, as it should be."""
    return [view.answer for view in views if view.answer is not None and view.answer not in thumbs.index]
