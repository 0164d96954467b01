"""The files of a module's folder: what `evaluate` loads, the card, the page."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import jinja2

from provise import __version__
from provise.benchmark.tasks import TASKS
from provise.evaluation.about import ModuleInfo, module_info

__all__ = ["GRADIO", "module_files"]

GRADIO = "6.31.0"
"""The version of Gradio that the pages are tried with."""

_DETAILS: dict[str, dict[str, object]] = {
    "choice": {"choices": ["A", "B", "C", "D"]},
    "endpoint": {"answer_type": "integer", "metadata_json": '{"holes": 7}'},
    "path": {"answer": "[[0.21, 0.32], [0.3, 0.39], [0.42, 0.46]]"},
    "boolean": {"answer_type": "boolean"},
}
"""What a card's example row needs beside its task and answer, by the kind of its truth."""

_ANSWERS = {
    "counting": ("integer", "5"),
    "depth": ("choice", "B"),
    "orientation": ("direction", "front-left"),
    "size": ("choice", "A"),
    "relationship": ("boolean", "true"),
    "perspective": ("direction", "back"),
    "mental_modeling": ("choice", "C"),
    "multihop": ("choice", "D"),
    "prediction": ("endpoint", "4"),
    "feasibility": ("boolean", "false"),
    "navigation": ("choice", "B"),
    "trajectory": ("path", ""),
}
"""Truths of the cards' example rows: kind and answer. A truth that is a mask needs a file, so its card uses `synth`."""


def module_files(name: str) -> dict[str, str]:
    """Return the texts of a module's folder by file name.

    Parameters
    ----------
    name : str
        One of `module_names`.

    Examples
    --------
    >>> sorted(module_files("depth"))
    ['README.md', 'app.py', 'depth.py', 'requirements.txt']
    """
    about = module_info(name)
    values = {
        "about": about,
        "version": __version__,
        "gradio": GRADIO,
        "example": _python(about.example),
        **_example(about),
    }
    found = {}
    for file, target in (
        ("module.py", f"{name}.py"),
        ("README.md", "README.md"),
        ("requirements.txt", "requirements.txt"),
        ("app.py", "app.py"),
    ):
        found[target] = _templates().get_template(f"{file}.jinja").render(values)
    return found


def _example(about: ModuleInfo) -> dict[str, object]:
    """Return the row of the card's example, as Python text; None where the truth is a mask."""
    task = about.tasks[0] if about.tasks else "depth"
    if task not in _ANSWERS:
        return {"row": None, "task": task}
    kind, answer = _ANSWERS[task]
    row = {
        "id": f"{task}-1", "capability": TASKS[task].capability, "task": task, "image_path": f"{task}-1.png", "answer": answer,
        "answer_type": kind, **_DETAILS.get(kind, {}),
    }  # fmt: skip
    lines = "".join(f"    {json.dumps(key)}: {_python(value)},\n" for key, value in row.items())
    return {"row": f"{{\n{lines}}}", "task": task}


def _python(value: object) -> str:
    """Return a text, a list of texts or a mapping of them as Python text in double quotes, single ones where it holds such."""
    return repr(value) if isinstance(value, str) and '"' in value else json.dumps(value, ensure_ascii=False)


@lru_cache(maxsize=1)
def _templates() -> jinja2.Environment:
    folder = Path(__file__).parent / "templates"
    # Text files, not HTML, made of our own words: nothing to escape.
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
    )
