"""What the modules say about themselves: one table, from which their cards and help are made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from provise.errors import InputError

__all__ = ["ModuleInfo", "module_info", "module_names"]

CITATION = """@article{provise2026,
  title = {Show, Don't Tell: Evaluating Spatial Cognition in Generative Pixels Rather Than LLM Text},
  journal = {arXiv preprint arXiv:2607.21072},
  year = {2026}
}"""


@dataclass(frozen=True)
class ModuleInfo:
    """One module.

    Attributes
    ----------
    name : str
        Of its folder and file, as in ``evaluate.load("provise/NAME")``.
    class_name : str
        Of its class.
    tasks : tuple of str
        Whose rows it takes; empty for all.
    title, asks, drawn, words, metric, limits, example : str
        For people: what it is called, what the task asks, how an answer is drawn and said, how it is scored, what it
        cannot do, and an answer in words.
    """

    name: str
    class_name: str
    tasks: tuple[str, ...]
    title: str
    asks: str
    drawn: str
    words: str
    metric: str
    limits: str
    example: str

    @property
    def description(self) -> str:
        """What is scored, and how."""
        return (
            f"{self.title}: {self.asks}\n\nAn answer is a picture: {self.drawn}. Or words: {self.words}.\n"
            f"Score: {self.metric} It is a percentage, with a 95 % bootstrap interval.\n{self.limits}\n"
        )

    @property
    def citation(self) -> str:
        """BibTeX of the paper."""
        return CITATION

    @property
    def inputs(self) -> str:
        """What compute takes and returns."""
        scope = f"of the task {self.tasks[0]}" if self.tasks else "of any task"
        returns = (
            "score, low, high, n, scorable, scorable_only, null_score, outcomes, readers"
            if self.tasks
            else "overall, capabilities and tasks, each with score, low, high and n"
        )
        return f"""
Args:
    predictions: a list; each a picture (path, PIL image, array), the words of a text answer, or None for no answer.
    references: a list of rows {scope}, as dict or JSON text, one a prediction; without their pictures.
    benchmark: where the rows' pictures and masks lie: a folder, "synth", or "hf:NAMESPACE/NAME".
    route, settings: which protocol reads, where it is not the benchmark's own.
    jobs: processes that read [1].
    per_sample: also return the rows [False].
    evidence: a folder for a picture of every reading.
Returns:
    {returns}.
"""


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, Any]]:
    text = Path(__file__).with_name("modules.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


def module_names() -> list[str]:
    """Return the modules' names, the one over all tasks last.

    Examples
    --------
    >>> len(module_names()), module_names()[-1]
    (15, 'spatialgen_bench')
    """
    return list(_table())


def module_info(name: str) -> ModuleInfo:
    """Return what a module says about itself.

    Raises
    ------
    InputError
        If there is no such module.

    Examples
    --------
    >>> module_info("trajectory_dfd").tasks
    ('trajectory',)
    """
    if name not in _table():
        raise InputError(f"no module {name!r}; there are {', '.join(module_names())}")
    entry = dict(_table()[name])
    task = entry.pop("task", name)
    camel = "".join(part.capitalize() for part in name.split("_"))
    return ModuleInfo(name, entry.pop("class", camel), (task,) if task else (), **entry)
