"""The one canonicaliser of labels: letters, option texts, integers, booleans and directions meet in one form here.

Truths and predictions pass through the same functions, so that no spelling is an answer on one side alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from provise.choices import LETTERS, PREFIX, Choices, Option, options, split_options
from provise.errors import InputError
from provise.numerals import canonical_integer

__all__ = [
    "DIRECTIONS",
    "KINDS",
    "Option",
    "canonical_boolean",
    "canonical_direction",
    "canonical_integer",
    "fold",
    "options",
    "same",
    "split_options",
    "to_boolean",
    "to_direction",
    "to_integer",
    "to_label",
]

KINDS = ("choice", "integer", "boolean", "direction")
"""Kinds of label."""

DIRECTIONS = ("front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left")
"""Canonical names of the eight directions, clockwise: options A to H of EgoOrientBench."""

LONGEST = 2_000
"""Longest text taken for a label; whatever is longer is prose."""

TRUE = frozenset({"true", "yes", "t", "y", "1", "1.0", "correct", "是", "是的", "对", "對", "正确", "正確", "真"})
FALSE = frozenset(
    {"false", "no", "f", "n", "0", "0.0", "incorrect", "wrong", "否", "错", "錯", "错误", "錯誤", "假", "不是", "不对"}
)
SIDES = {
    "front": "front", "forward": "front", "forwards": "front", "infront": "front", "ahead": "front", "back": "back",
    "backward": "back", "backwards": "back", "behind": "back", "rear": "back", "left": "left", "leftward": "left",
    "leftwards": "left", "right": "right", "rightward": "right", "rightwards": "right",
}  # fmt: skip
_DEPTH = "|".join(word for word, name in SIDES.items() if name in ("front", "back"))
_SIDE = "|".join(word for word, name in SIDES.items() if name in ("left", "right"))
BARE = re.compile(
    r"(?:(?:it is|it's|(?:the )?(?:option|choice|answer|letter|point))\s+)?[(\[]?([A-Za-z])", re.IGNORECASE
)
EDGES = " \t\r\n.,;:!?*`_\"'“”‘’()[]{}<>。，；：！？、"


def fold(text: str) -> str:
    """Bring a text to the form in which texts are compared: NFKC, case, hyphens, spaces and the edges do not matter.

    Examples
    --------
    >>> fold("  **Front-Left.** "), fold("Ｂ）")
    ('front left', 'b')
    """
    text = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    # A hyphen between letters joins words; before a digit it is a sign.
    text = re.sub(r"(?<=[^\W\d])\s*[-‐-—]\s*(?=[^\W\d])", " ", text)
    return " ".join(text.strip(EDGES).split())


def canonical_direction(text: Any) -> str | None:
    """Name a direction in its canonical form, whatever stands between its two words and before it.

    Examples
    --------
    >>> [canonical_direction(text) for text in ("H. front left", "Front-Left", "frontleft", "left-front")]
    ['front-left', 'front-left', 'front-left', 'front-left']
    >>> canonical_direction("bright") is None
    True
    """
    if not isinstance(text, str) or len(text) > LONGEST:
        return None
    direct = _direction(text)
    if direct is None and (found := PREFIX.match(text.strip())):
        direct = _direction(text.strip()[found.end() :])
    return direct


def _direction(text: str) -> str | None:
    joined = re.sub(r"^(?:to |on |at |towards? )?(?:the |its |his |her )?", "", fold(text)).replace(" ", "")
    if joined in SIDES:
        return SIDES[joined]
    found = re.fullmatch(rf"({_DEPTH})({_SIDE})|({_SIDE})({_DEPTH})", joined)
    if not found:
        return None
    depth, side = (found[1], found[2]) if found[1] else (found[4], found[3])
    return f"{SIDES[depth]}-{SIDES[side]}"


def canonical_boolean(value: Any) -> bool | None:
    """Tell true from false in its usual spellings; 1 and 0 count, as VSR stores them.

    Examples
    --------
    >>> canonical_boolean("B. Yes"), canonical_boolean("false"), canonical_boolean(1), canonical_boolean("maybe")
    (True, False, True, None)
    """
    if isinstance(value, bool | int | float):
        return bool(value) if value in (0, 1) else None
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    stripped = value.strip()
    if stripped.startswith(("!", "¬")):
        return None  # a negation sign, which folding would take off like a closing "!"
    found = PREFIX.match(stripped)
    for text in (stripped, stripped[found.end() :]) if found else (stripped,):
        word = fold(text)
        if word in TRUE or word in FALSE:
            return word in TRUE
    return None


def to_label(value: Any, choices: Choices) -> str | None:
    """Find the one option a value names; its letter.

    The text of an option comes before its letter, so that "A red cube" is the option that says so. A number is a
    value and never an index; a boolean is the option that says yes or no. Without choices a bare letter names itself.

    Returns
    -------
    str or None
        None where the value names no option or several, or where its letter and its text disagree.

    Examples
    --------
    >>> to_label("A red cube", ["a blue ball", "a dog", "A red cube"]), to_label("(b)", ["left", "right"])
    ('C', 'B')
    >>> to_label(3, ["2", "3", "4", "5"]), to_label(True, ["A. no", "B. yes"])
    ('B', 'B')
    >>> to_label("B. left", ["left", "right"]) is None
    True
    """
    known = options(choices)
    if isinstance(value, bool):
        return _by_boolean(value, known)
    if isinstance(value, int | float):
        return _by_number(value, known)
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    text = value.strip()
    if label := _by_text(text, known) or _by_letter(text, known):
        return label
    lettered = PREFIX.match(text)
    # "B. left" where B is something else is no answer, though "left" alone would be one.
    stated = lettered is not None and lettered[1].upper() in {option.label for option in known}
    return None if stated else _by_meaning(text, known)


def _only(labels: list[str]) -> str | None:
    return labels[0] if len(labels) == 1 else None


def _by_text(text: str, known: Sequence[Option]) -> str | None:
    exact = [option.label for option in known if option.text == text]
    folded = fold(text)
    return _only(exact) or (
        _only([option.label for option in known if fold(option.text) == folded]) if folded else None
    )


def _by_letter(text: str, known: Sequence[Option]) -> str | None:
    labels = {option.label for option in known} or set(LETTERS)
    if len(known) > len(LETTERS) and (plain := text.strip(EDGES).upper()) in labels:
        return plain  # the twenty-seventh option is AA
    bare = BARE.fullmatch(unicodedata.normalize("NFKC", text).strip(EDGES))
    if bare and bare[1].upper() in labels:
        return bare[1].upper()
    lettered = PREFIX.match(text)
    if not lettered or lettered[1].upper() not in labels:
        return None
    letter, rest = lettered[1].upper(), text[lettered.end() :]
    if all(fold(option.text) == fold(option.label) for option in known):
        # The options have no texts that the rest could contradict; another letter or a list of verdicts does.
        other = BARE.fullmatch(rest.strip(EDGES))
        return None if "\n" in rest or (other and other[1].upper() != letter) else letter
    named = _by_text(rest, known) or _by_meaning(rest, known)
    repeated = any(option.label == letter and fold(option.text) == fold(rest) for option in known)
    return letter if named == letter or repeated else None


def _by_meaning(text: str, known: Sequence[Option]) -> str | None:
    number = canonical_integer(text)
    if number is None:
        try:
            decimal = float(text)
        except ValueError:
            decimal = None
    if number is not None or decimal is not None:
        return _by_number(number if number is not None else decimal, known)
    boolean = canonical_boolean(text)
    if boolean is not None and (label := _by_boolean(boolean, known)):
        return label
    direction = canonical_direction(text)
    if direction is None:
        return None
    return _only([option.label for option in known if canonical_direction(option.text) == direction])


def _by_number(value: Any, known: Sequence[Option]) -> str | None:
    found = []
    for option in known:
        number: Any = canonical_integer(option.text)
        if number is None:
            try:
                number = float(option.text)
            except ValueError:
                continue
        if number == value:
            found.append(option.label)
    return _only(found)


def _by_boolean(value: bool, known: Sequence[Option]) -> str | None:
    words = (TRUE if value else FALSE) - {"0", "1", "0.0", "1.0"}
    texts = {fold(option.text) for option in known}
    # Among "x", "y" and "z" the "y" is no yes.
    words -= {word for pair in ({"y", "n"}, {"t", "f"}) if not pair <= texts for word in pair}
    exact = [option.label for option in known if fold(option.text) in words]
    # "Yes, he is hidden" says yes too, where it is the only option that does.
    return _only(exact) or _only(
        [option.label for option in known if re.split(r"[,.;:]", fold(option.text), maxsplit=1)[0] in words]
    )


def _text_of(value: Any, choices: Choices) -> str | None:
    label = to_label(value, choices)
    return next((option.text for option in options(choices) if option.label == label), None)


def to_integer(value: Any, choices: Choices = ()) -> int | None:
    """Read an integer: a value first, else the letter of an option that is an integer.

    Examples
    --------
    >>> to_integer("3.0"), to_integer("B", ["2", "3", "4", "5"]), to_integer("5", ["2", "3", "4", "5"])
    (3, 3, 5)
    """
    number = canonical_integer(value)
    return number if number is not None or isinstance(value, bool) else canonical_integer(_text_of(value, choices))


def to_boolean(value: Any, choices: Choices = ()) -> bool | None:
    """Read a boolean: in words, or as the letter of an option that is one.

    Examples
    --------
    >>> to_boolean("yes"), to_boolean("(A)", ["no", "yes"])
    (True, False)
    """
    boolean = canonical_boolean(value)
    return boolean if boolean is not None else canonical_boolean(_text_of(value, choices))


def to_direction(value: Any, choices: Choices = ()) -> str | None:
    """Read a direction: in words, whether it was offered or not, or as the letter of an option.

    Without choices, A to H are the eight of `DIRECTIONS`. A letter and a direction that disagree are None.

    Examples
    --------
    >>> to_direction("B", ["right", "back", "front", "left"]), to_direction("(H)"), to_direction("back left", ["left"])
    ('back', 'front-left', 'back-left')
    """
    if not isinstance(value, str):
        return None
    lettered = PREFIX.match(value.strip())
    direct = canonical_direction(value)
    offered = options(choices)
    if direct is not None:
        stated = next((option.text for option in offered if lettered and option.label == lettered[1].upper()), None)
        if stated is not None and _direction(value) is None and canonical_direction(stated) != direct:
            return None
        return direct
    if offered:
        return canonical_direction(_text_of(value, choices))
    return canonical_direction(_text_of(value, DIRECTIONS))


_READ: dict[str, Callable[[Any, Choices], Any]] = {
    "choice": to_label,
    "integer": to_integer,
    "boolean": to_boolean,
    "direction": to_direction,
}


def same(prediction: Any, truth: Any, kind: str, choices: Choices = ()) -> bool:
    """Say whether two values name the same answer.

    Parameters
    ----------
    prediction, truth : str, int, float, bool or None
        In any spelling; what cannot be read equals nothing, not even itself.
    kind : str
        One of `KINDS`.
    choices : sequence of str, optional
        The options.

    Raises
    ------
    InputError
        If the kind is none of labels.

    Examples
    --------
    >>> same("back", "B", "direction", ["right", "back", "front", "left"]), same(True, "B. yes", "choice", ["no", "yes"])
    (True, True)
    """
    if kind not in _READ:
        raise InputError(f"kind {kind!r} is none of labels; expected one of {', '.join(KINDS)}")
    left, right = _READ[kind](prediction, choices), _READ[kind](truth, choices)
    return left is not None and left == right
