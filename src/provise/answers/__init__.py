"""Words to predictions: one reader a kind of answer, under one rule for which answer counts.

The last answer that a text calls its answer wins ("Answer: B", "the answer is B", a box, answer tags, a JSON field);
without one the whole text is read, and two different answers in it are ambiguous, never the first or the last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from provise.answers.answer import TextAnswer, refuse
from provise.answers.boolean import read_boolean
from provise.answers.choice import affirmed, denies_an_option, read_choice
from provise.answers.clean import LIMIT, clean, explicit
from provise.answers.declared import Declared, parse_declared
from provise.answers.direction import read_direction
from provise.answers.integer import read_endpoint, read_integer
from provise.answers.measurement import has_fields, read_measurement
from provise.answers.points import SCALES, CoordinateSystem, read_points
from provise.answers.revised import second_thought
from provise.choices import PREFIX, Choices, options
from provise.errors import InputError
from provise.labels import to_boolean, to_direction, to_integer

__all__ = [
    "GEOMETRIC",
    "LIMIT",
    "SCALES",
    "TEXT_KINDS",
    "CoordinateSystem",
    "Declared",
    "TextAnswer",
    "parse_declared",
    "read_text",
]

TEXT_KINDS = ("choice", "integer", "boolean", "direction", "point", "points", "path", "endpoint", "measurement")
"""Kinds of prediction that words can hold."""

GEOMETRIC = ("point", "points", "path")
"""Kinds that are written in coordinates."""

Reader = Callable[[str, bool], TextAnswer]
_LABELS: dict[str, tuple[Callable[[Any, Choices], Any], Reader]] = {
    "integer": (to_integer, lambda text, stated: read_integer(text, stated=stated)),
    "boolean": (to_boolean, lambda text, stated: read_boolean(text)),
    "direction": (to_direction, lambda text, stated: read_direction(text)),
}


def read_text(
    text: str,
    kind: str,
    *,
    choices: Choices = (),
    coordinates: CoordinateSystem | None = None,
    count: Any = None,
) -> TextAnswer:
    r"""Read a prediction from what a model printed.

    Parameters
    ----------
    text : str
        The response, as it came; its last `LIMIT` characters are read.
    kind : str
        One of `TEXT_KINDS`.
    choices : sequence of str, optional
        The options.
    coordinates : CoordinateSystem, optional
        How points are written; 0-1 and x first by default.
    count : int, optional
        The number of holes, for ``endpoint``.

    Returns
    -------
    TextAnswer
        With a prediction, or with a reason and none.

    Raises
    ------
    InputError
        If the text is no string or the kind is unknown.

    Examples
    --------
    >>> read_text("It is a dog facing left, so the answer is B.", "choice", choices=["A. right", "B. left"]).prediction
    'B'
    >>> read_text("3 dice and 2 cups", "integer").reason
    'ambiguous'
    """
    if not isinstance(text, str):
        raise InputError(f"the response is a {type(text).__name__}; expected a string")
    if kind not in TEXT_KINDS:
        raise InputError(f"kind {kind!r}; words can hold {', '.join(TEXT_KINDS)}")
    holes = _holes(count)
    if kind == "endpoint" and holes is None:
        return refuse("missing_aid", f"the number of holes is {count!r}; expected a whole number of 1 or more")
    cleaned = clean(text)
    if not cleaned.text:
        if cleaned.cut_off:
            return refuse("truncated", "the response breaks off inside its reasoning")
        return refuse("empty", "the response holds no text" if not text.strip() else "nothing follows the reasoning")
    read = _reader(kind, choices, coordinates or CoordinateSystem(), holes or 1)
    for stated in explicit(cleaned.text):
        answer = read(stated.lines if kind in GEOMETRIC else stated.line, True)
        # What follows "the answer" may be no answer at all ("the answer is below"): then an earlier one, or all, counts.
        if answer.reason == "missing_unit" and has_fields(cleaned.text):
            answer = read(cleaned.text, False)
        if answer.reason != "no_answer":
            return _unless_taken_back(answer, stated.after, read)
    return _unless_taken_back(read(cleaned.text, False), cleaned.text, read)


def _unless_taken_back(answer: TextAnswer, after: str, read: Reader) -> TextAnswer:
    """Refuse an answer after which the text thinks again and comes to another."""
    if answer.prediction is None or not (again := second_thought(after)):
        return answer
    later = read(again, True).prediction
    if later is None or later == answer.prediction:
        return answer
    return refuse("ambiguous", "the answer is taken back for another, which is not called the answer")


def _holes(count: Any) -> int | None:
    holes = to_integer(count)
    return holes if holes is not None and holes >= 1 else None


def _reader(kind: str, choices: Choices, system: CoordinateSystem, holes: int) -> Reader:
    known = options(choices)
    to_value, words = _LABELS.get(kind, _LABELS["integer"])
    labelled = [{"label": option.label, "text": option.text} for option in known]

    def label(text: str, stated: bool) -> TextAnswer:
        """Read a label of a kind, through the letter of an option where the words say no value."""
        found = words(text, stated)
        if known and len(letters := affirmed(text, known)) == 1:
            value = to_value(letter := letters.pop(), labelled)
            named = f"the answer is option {letter}, which says nothing of this kind"
            return refuse("no_answer", named) if value is None else TextAnswer(value)
        if kind == "boolean" and known and denies_an_option(text, known):
            return refuse("no_answer", "the answer denies an option and claims none")
        value = to_value(text.strip().rstrip("."), labelled)
        if (lettered := PREFIX.match(text)) and lettered[1].upper() in {option.label for option in known}:
            by_letter, beside = to_value(lettered[1], labelled), words(text[lettered.end() :], stated).prediction
            if by_letter is not None and beside is not None and by_letter != beside:
                return refuse("ambiguous", f"the answer names option {lettered[1]} with the value of another")
        if value is not None and (kind != "integer" or found.reason == "no_answer"):
            return TextAnswer(value)
        if found.reason != "no_answer" or not known:
            return found
        letter = read_choice(text, known, stated=stated).prediction
        value = None if letter is None else to_value(letter, labelled)
        return found if value is None else TextAnswer(value)

    if kind == "choice":
        return lambda text, stated: read_choice(text, known, stated=stated)
    if kind in GEOMETRIC:
        return lambda text, stated: read_points(text, system, kind)
    if kind == "endpoint":
        return lambda text, stated: read_endpoint(text, holes, stated=stated)
    if kind == "measurement":
        return lambda text, stated: read_measurement(text, stated=stated)
    return label
