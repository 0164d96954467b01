"""Prompts: a template of declared slots, filled from the public view of a sample and the reader's own settings.

A slot is a plain name. Nothing in a question is ever evaluated or substituted again, and no slot can reach a truth,
because the view that is rendered holds none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from provise.errors import ProtocolError
from provise.sample import PublicSample

__all__ = ["SAMPLE_SLOTS", "check_template", "render", "setting_slots"]

SAMPLE_SLOTS: tuple[str, ...] = (
    "question", "choices", "n_choices", "letters", "category_name", "caption", "subj", "obj", "holes",
    "start_x", "start_y",
)  # fmt: skip
"""Slots that a sample fills."""

TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
SLOT = re.compile(r"^([a-z][a-z0-9_]*)(?:\|(.*))?$", re.DOTALL)


def setting_slots(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the slots that settings fill.

    A setting ``x`` gives ``{x}``; a colour gives ``{x_rgb}`` too, a share of one ``{x_percent}``.

    Examples
    --------
    >>> setting_slots({"colour": "green", "width": 0.28})["width_percent"]
    '28'
    """
    from provise.ops.colour import COLOURS

    slots: dict[str, str] = {}
    for name, value in settings.items():
        slots[name] = str(value)
        if isinstance(value, str) and value in COLOURS:
            slots[f"{name}_rgb"] = "RGB {}, {}, {}".format(*COLOURS[value].rgb)
        elif isinstance(value, float) and 0 <= value <= 1:
            slots[f"{name}_percent"] = f"{value * 100:g}"
    return slots


def check_template(template: str, settings: Mapping[str, Any], where: str) -> list[str]:
    """Return what is wrong with a template: unknown slots, attribute access, conversions, stray braces."""
    known = {*SAMPLE_SLOTS, *setting_slots(settings)}
    problems = []
    for token in TOKEN.finditer(template):
        text = token.group(0)
        if text in ("{{", "}}"):
            continue
        if token.group(1) is None:
            problems.append(f"{where}: prompt has a single {text!r} at {token.start()}; write {text * 2!r} for a brace")
            continue
        slot = SLOT.match(token.group(1))
        if slot is None:
            problems.append(f"{where}: prompt slot {text!r} is not a plain name")
        elif slot.group(1) not in known:
            said = _unfilled(slot.group(1), settings) or f"is unknown; there are {', '.join(sorted(known))}"
            problems.append(f"{where}: prompt slot {text!r} {said}")
    return problems


def _unfilled(name: str, settings: Mapping[str, Any]) -> str:
    """Say which setting has no value that could fill a slot; empty where the slot belongs to none."""
    from provise.ops.colour import COLOURS

    base, _, form = name.rpartition("_")
    if base not in settings or form not in ("rgb", "percent"):
        return ""
    wanted = f"one of {', '.join(COLOURS)}" if form == "rgb" else "a share with a point, 0.0 to 1.0"
    return f"needs a setting {base!r} that is {wanted}; it is {settings[base]!r}"


def sample_slots(sample: PublicSample) -> dict[str, str]:
    """Return what a sample fills; a slot without a value is left out, so that its fallback stands."""
    letters = [chr(ord("A") + i) for i in range(len(sample.choices))]
    slots = {"question": sample.question.strip()}
    if sample.choices:
        slots["choices"] = "\n".join(_lettered(a, text) for a, text in zip(letters, sample.choices, strict=True))
        slots["n_choices"] = str(len(letters))
        slots["letters"] = ", ".join(letters)
    for key in ("category_name", "caption", "subj", "obj", "holes"):
        value = sample.metadata.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            slots[key] = str(value)
    start = sample.metadata.get("start")
    if isinstance(start, list | tuple) and len(start) == 2 and all(isinstance(v, int | float) for v in start):
        slots["start_x"], slots["start_y"] = (f"{float(v) * 100:.1f}" for v in start)
    return slots


def _lettered(letter: str, text: str) -> str:
    bare = re.sub(rf"^\s*[(\[]?{letter}[)\].:]\s*", "", text)
    return f"{letter}. {bare}"


def render(template: str, sample: PublicSample, settings: Mapping[str, Any]) -> str:
    """Fill a template.

    Parameters
    ----------
    template : str
        A checked template.
    sample : PublicSample
        The view without truth.
    settings : mapping
        The protocol's settings for this route.

    Returns
    -------
    str
        The prompt. What a sample brings is inserted as it is, braces included.

    Raises
    ------
    ProtocolError
        If a slot has neither a value nor a fallback.
    """
    slots = {**sample_slots(sample), **setting_slots(settings)}

    def fill(token: re.Match[str]) -> str:
        text = token.group(0)
        if text in ("{{", "}}"):
            return text[0]
        slot = SLOT.match(token.group(1) or "")
        if slot is None:
            raise ProtocolError(f"prompt slot {text!r} is not a plain name")
        name, fallback = slot.groups()
        if name in slots:
            return slots[name]
        if fallback is None:
            raise ProtocolError(f"sample {sample.id!r} has nothing for the prompt slot {text!r}")
        return str(fallback)

    return TOKEN.sub(fill, template).strip() + "\n"
