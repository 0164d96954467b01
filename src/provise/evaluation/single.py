"""Score one answer from loose files: what a module's page does with what is dropped on it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from provise.benchmark.paths import resolve_media
from provise.errors import InputError, ProviseError
from provise.evaluation.about import module_info
from provise.evaluation.compute import compute
from provise.sample import Sample
from provise.synth.build import make_items, write_items

__all__ = ["Example", "Read", "example", "read_one"]

ROUTE = "synth"
"""Readers of core packages only: a page has no auxiliary model and no CLIP weights."""


@dataclass(frozen=True)
class Read:
    """What became of one answer.

    Attributes
    ----------
    line : dict
        The line of ``samples.jsonl``.
    evidence : bytes or None
        A JPEG of what the reader saw; None for words and for what is no picture.
    question : str
        What was asked.
    """

    line: dict[str, Any]
    evidence: bytes | None
    question: str = ""

    @property
    def verdict(self) -> str:
        """One line a person reads first.

        Examples
        --------
        >>> Read({"outcome": "correct", "prediction": 5, "truth": "5", "score": 1.0}, None).verdict
        'correct: read 5, true is 5, score 1'
        """
        outcome = str(self.line["outcome"] or self.line["error"]).replace("_", " ")
        if self.line["score"] is None or self.line.get("prediction") is None:
            return f"{outcome}: {self.line.get('message') or self.line.get('reason') or 'there is no prediction'}"
        read = self.line["prediction"]
        if isinstance(read, dict) and "pixels" in read:
            read = f"a region of {read['pixels']} pixels"
        return f"{outcome}: read {_plain(read)}, true is {self.line['truth']}, score {self.line['score']:g}"


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list):
        text = ", ".join(_plain(item) for item in value)
        return f"({text})" if len(text) < 80 else f"a list of {len(value)}"
    return str(value)


def read_one(
    name: str, row: str, *, answer: Path | None, words: str, pictures: Sequence[Path], mask: Path | None
) -> Read:
    """Read and score one answer.

    Parameters
    ----------
    name : str
        The module.
    row : str
        The sample's row, as JSON.
    answer : Path or None
        A drawn answer; it goes before words.
    words : str
        An answer in words.
    pictures : sequence of Path
        The pictures that the row's ``media_paths`` name, in their order.
    mask : Path or None
        The picture that the row's ``mask_path`` names.

    Raises
    ------
    InputError
        If something is missing or does not fit; the message says what to drop.
    """
    if answer is None and not words.strip():
        raise InputError("there is no answer: drop a picture, or write words")
    try:
        parsed = json.loads(row)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the row is no JSON ({error}); paste one line of the benchmark's JSONL file") from error
    if not isinstance(parsed, dict):
        raise InputError("the row is no JSON object; paste one line of the benchmark's JSONL file")
    with TemporaryDirectory(prefix="provise-") as folder:
        root = Path(folder)
        sample = Sample.from_row(parsed, root=root, where="the row")
        if answer is not None or sample.mask_path:
            _lay_out(sample, root, pictures, mask)
        found = compute(
            [{"image": str(answer)} if answer is not None else {"text": words}], [parsed], benchmark=root,
            tasks=module_info(name).tasks, route=ROUTE, evidence=root / "run",
        )  # fmt: skip
        line = found["samples"][0]
        shown = line["details"].get("evidence")
        return Read(line, (root / "run" / shown).read_bytes() if shown else None, sample.question)


def _lay_out(sample: Sample, root: Path, pictures: Sequence[Path], mask: Path | None) -> None:
    """Put the files where the row says they lie."""
    named = list(dict.fromkeys(sample.media_paths or [sample.image_path]))
    if len(pictures) != len(named):
        raise InputError(
            f"the row names {len(named)} picture(s) ({', '.join(named)}), and {len(pictures)} were dropped"
        )
    if sample.mask_path and mask is None:
        raise InputError(f"the row's truth is the mask {sample.mask_path}; drop it too")
    placed = list(zip(named, pictures, strict=True))
    if sample.mask_path and mask is not None:
        placed.append((sample.mask_path, mask))
    for path, file in placed:
        target = resolve_media(root, path, where="the row")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)


@dataclass(frozen=True)
class Example:
    """Files of one drawn question with an answer to it."""

    row: str
    pictures: tuple[Path, ...]
    mask: Path | None
    answer: Path


def example(name: str, folder: Path, *, right: bool = True, seed: int = 0) -> Example:
    """Draw a question of a module's task and an answer to it.

    Parameters
    ----------
    name : str
        The module; the one over all tasks shows a question of counting.
    folder : Path
        Where the files are written.
    right : bool
        Whether the answer is.
    seed : int
        Another seed is another question.

    Raises
    ------
    ProviseError
        If the answer cannot be drawn.
    """
    from provise.benchmark import open_benchmark
    from provise.protocol.route import open_route
    from provise.runs.requests import ask
    from provise.systems import open_system

    task = (module_info(name).tasks or ("counting",))[0]
    write_items(make_items(1, seed=seed, level="easy", tasks=[task]), folder, "easy")
    opened = open_benchmark(folder)
    sample = opened.samples[0]
    system = open_system(f"draughtsman?accuracy={int(right)}&seed={seed}")
    asked = ask(sample, open_route(ROUTE).protocol(task), system)
    if asked.request is None:
        raise ProviseError(asked.fault.message if asked.fault else "the question cannot be asked")
    drawn = system.answer(asked.request)
    if drawn.image is None:
        raise ProviseError(f"the answer cannot be drawn: {drawn.error}")
    path = folder / "answer.png"
    path.write_bytes(drawn.image)
    return Example(
        json.dumps(sample.to_row(), ensure_ascii=False, indent=1),
        tuple(opened.media(sample, media) for media in sample.media_paths),
        opened.media(sample, sample.mask_path) if sample.mask_path else None,
        path,
    )
