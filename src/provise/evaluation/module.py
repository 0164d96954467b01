"""The base of the `evaluate` modules in ``metrics/``: everything but their names.

A module's own file imports this one by its dotted name: `evaluate` takes the first metric class that it finds among a
script's names.
"""

from __future__ import annotations

import os
import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, cast
from weakref import finalize

import datasets
import evaluate

from provise.errors import InputError, ProviseError
from provise.evaluation.about import module_info
from provise.evaluation.compute import compute_packed, packed

__all__ = ["SpatialMetric"]

HOMEPAGE = "https://arxiv.org/abs/2607.21072"


class SpatialMetric(evaluate.Metric, ABC):  # type: ignore[misc]
    """Reads and scores predictions for rows of a benchmark.

    ``compute(predictions=, references=, benchmark=, route=, settings=, jobs=, per_sample=, evidence=)``: see
    `provise.evaluation.compute`. `add` and `add_batch` take the same predictions and references. A wrong call is a
    ValueError that says which sample.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # A file in the cache is only needed where several processes add to one score; else two scores at once meet there.
        # `evaluate.load` always hands keep_in_memory on, so that nobody's wish can be told from its default.
        if options.get("num_process", 1) == 1:
            options["keep_in_memory"] = True
        self._added = 0
        super().__init__(*arguments, **options)
        # Where several processes add to one score, the first one reads, and removes, what the others left.
        self._scratch = _Scratch(self.data_dir, lasting=self.num_process > 1)

    @abstractmethod
    def _module(self) -> str:
        """Return the module's name."""

    def _info(self) -> evaluate.MetricInfo:
        about = module_info(self._module())
        return evaluate.MetricInfo(
            description=about.description,
            citation=about.citation,
            inputs_description=about.inputs,
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
            ),
            homepage=HOMEPAGE,
        )

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Add one prediction and its row."""
        # `evaluate.combine` calls them in the plural.
        prediction, reference = others.pop("predictions", prediction), others.pop("references", reference)
        self.add_batch(predictions=[prediction], references=[reference], **others)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **others: Any) -> None:
        """Add predictions and their rows."""
        if others:
            raise ValueError(f"add takes predictions and references, not {', '.join(others)}; give that to compute")
        try:
            given, rows = packed(predictions, references, self._scratch.folder(), self._added)
        except ProviseError as error:
            raise ValueError(str(error)) from error
        super().add_batch(predictions=given, references=rows)
        self._added += len(given)

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> dict[str, Any] | None:
        """Read and score what was added, or what is given here."""
        alone = [name for name, given in (("predictions", predictions), ("references", references)) if given is None]
        if len(alone) == 1:
            raise ValueError(f"{alone[0]} is missing; expected predictions and references, one for each")
        if alone and not self._added:
            raise ValueError("nothing to score: give predictions and references, or add them first")
        try:
            return cast(
                "dict[str, Any] | None", super().compute(predictions=predictions, references=references, **options)
            )
        except BaseException:
            # What was added goes with a call that failed: the next one begins anew.
            if self.num_process == 1:
                self.writer = self.buf_writer = self.data = self.selected_feature_format = None
            raise
        finally:
            self._added = 0
            self._scratch.clear()

    def _compute(self, predictions: list[str], references: list[str], **options: Any) -> dict[str, Any]:
        about = module_info(self._module())
        try:
            found = compute_packed(predictions, references, tasks=about.tasks, forget=self.num_process > 1, **options)
        except InputError as error:
            raise ValueError(str(error)) from error
        return found if len(about.tasks) != 1 else _of_one(found, about.tasks[0])


class _Scratch:
    """A folder for pixels, made when it is needed; removed with the metric. A copy, or a forked process, has its own."""

    def __init__(self, parent: str, lasting: bool) -> None:
        self._parent, self._lasting = parent, lasting
        self._folder: Path | None = None
        self._process = 0

    def folder(self) -> Path:
        """Return the folder of this process."""
        if self._folder is None or self._process != os.getpid():
            self._folder, self._process = Path(mkdtemp(prefix="pixels-", dir=self._parent)), os.getpid()
            if not self._lasting:
                finalize(self, _remove, self._folder, self._process)
        return self._folder

    def clear(self) -> None:
        """Remove what this process wrote."""
        if self._folder is not None and not self._lasting:
            _remove(self._folder, self._process)
            self._folder = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._parent, self._lasting)


def _remove(folder: Path, process: int) -> None:
    if process == os.getpid():
        shutil.rmtree(folder, ignore_errors=True)


def _of_one(found: dict[str, Any], task: str) -> dict[str, Any]:
    """Return the result of a module of one task: its numbers, at the top."""
    kept = {
        key: found[key] for key in ("seed", "replicates", "level", "incomplete", "notes", "samples") if key in found
    }
    return {**found["tasks"][task], **kept}
