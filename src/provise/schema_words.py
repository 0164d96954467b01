"""What is wrong with a file's fields, in words for the person who wrote it: field, what was got, what is allowed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

__all__ = ["describe", "fields_at"]

_WORDS = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "string_type": "a text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping of names to values",
    "model_type": "a mapping of fields",
}
"""Kinds of mistakes that mean: of another type than this one."""

_BOUNDS = {
    "greater_than": ("gt", "more than {}"),
    "greater_than_equal": ("ge", "at least {}"),
    "less_than": ("lt", "less than {}"),
    "less_than_equal": ("le", "at most {}"),
    "multiple_of": ("multiple_of", "a multiple of {}"),
    "string_pattern_mismatch": ("pattern", "{}"),
}
"""Kinds of mistakes with a bound: where it stands in the mistake's context, and how it is said."""


def describe(error: ValidationError, model: type[BaseModel], *, noun: str = "field") -> list[str]:
    """Return one sentence for each mistake: ``place: what is wrong``.

    Parameters
    ----------
    error : ValidationError
        Of the model.
    model : type of BaseModel
        What was expected; names the fields there are.
    noun : str
        What a field is called where the model stands for something else (a step's parameters).

    Examples
    --------
    >>> from pydantic import ConfigDict
    >>> class Box(BaseModel):
    ...     model_config = ConfigDict(extra="forbid")
    ...     width: int
    >>> try:
    ...     Box.model_validate({"widht": 3})
    ... except ValidationError as error:
    ...     print("; ".join(describe(error, Box)))
    width: the field is missing; expected a whole number; widht: there is no such field; did you mean width?
    """
    return [f"{_place(item['loc'])}: {_sentence(item, model, noun)}" for item in error.errors()]


def fields_at(model: type[BaseModel], place: Sequence[int | str]) -> list[str]:
    """Return the names that a file may give at a place, as they are written there (a field's alias, where it has one)."""
    found: type[BaseModel] | None = model
    for part in place:
        if isinstance(part, str) and found is not None:
            names = _by_name(found)
            found = _inner(names[part].annotation) if part in names else found
    return list(_by_name(found)) if found is not None else []


def _by_name(model: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _inner(annotation: Any) -> type[BaseModel] | None:
    """Return the model that a field holds, alone or in a list or a mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        inner = _inner(part)
        if inner is not None:
            return inner
    return None


def _place(place: Sequence[int | str]) -> str:
    return ".".join(str(part) for part in place) or "the file"


def _sentence(item: Mapping[str, Any], model: type[BaseModel], noun: str) -> str:
    kind, got, context = item["type"], item["input"], item.get("ctx") or {}
    if kind == "missing":
        return f"the {noun} is missing" + _expected_there(item["loc"], model)
    if kind == "extra_forbidden":
        allowed = fields_at(model, item["loc"][:-1])
        near = difflib.get_close_matches(str(item["loc"][-1]), allowed, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the {noun}s are {', '.join(allowed) or 'none'}"
        return f"there is no such {noun}; {hint}"
    if kind == "value_error":
        said = str(item["msg"]).removeprefix("Value error, ")
        return said if _shown(got) in said else f"{said} (got {_shown(got)})"
    if kind in _BOUNDS and _BOUNDS[kind][0] in context:
        name, words = _BOUNDS[kind]
        bound = _form(context[name]) if name == "pattern" else context[name]
        return f"expected {words.format(bound)}, got {_shown(got)}"
    if kind == "literal_error":
        return f"expected one of {context.get('expected', '')}, got {_shown(got)}"
    if kind in _WORDS:
        return f"expected {_WORDS[kind]}, got {_shown(got)}"
    return f"{item['msg'][:1].lower()}{item['msg'][1:]}, got {_shown(got)}"


def _form(pattern: str) -> str:
    """Say a pattern in words where it is one of the two kinds that files meet: a name, or one of several texts."""
    if pattern == r"^[a-z][a-z0-9_]*$":
        return "a name of small letters, digits and _, a letter first"
    several = re.fullmatch(r"\^\(([^()]*)\)\$", pattern)
    if several:
        return f"one of {several[1].replace('.+', '...').replace('|', ', ')}"
    return f"a text of the form {pattern}"


def _expected_there(place: Sequence[int | str], model: type[BaseModel]) -> str:
    """Say which type the field has, where a word for it is at hand."""
    holder: type[BaseModel] | None = model
    for part in place[:-1]:
        if isinstance(part, str) and holder is not None and part in _by_name(holder):
            holder = _inner(_by_name(holder)[part].annotation)
    field = _by_name(holder).get(str(place[-1])) if holder is not None else None
    words = {str: "a text", int: "a whole number", float: "a number"}
    word = words.get(field.annotation) if field is not None and isinstance(field.annotation, type) else None
    return f"; expected {word}" if word else ""


def _shown(value: Any) -> str:
    """Show a value as it may stand in a file, cut where it is long."""
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return f"a mapping ({', '.join(str(key) for key in list(value)[:4])}{', ...' if len(value) > 4 else ''})"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
