"""Named transforms: what a loader's YAML may do to a value on its way from the source's row to ours.

Each is a plain function of the value, the whole source row and its own keyword parameters, whose annotations are
checked when the YAML is loaded. A value it cannot take is a ``ValueError``; the engine adds file, row and field.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

__all__ = ["TRANSFORMS", "Transform", "get_transform"]

Row = Mapping[str, Any]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPTION = re.compile(r"^\s*\(?([A-Z])[.):]\s+(.+?)\s*$", re.DOTALL)


@dataclass(frozen=True)
class Transform:
    """A transform and the parameters it takes.

    Parameters
    ----------
    name : str
        As the YAML writes it.
    function : callable
        ``(value, row, **parameters) -> value``.
    parameters : mapping
        Name to annotation.
    required : frozenset of str
        Parameters without a default.
    """

    name: str
    function: Callable[..., Any]
    parameters: Mapping[str, Any]
    required: frozenset[str]

    @property
    def summary(self) -> str:
        """First line of its documentation."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    def check(self, given: Mapping[str, Any]) -> None:
        """Check parameters.

        Raises
        ------
        ValueError
            If one is unknown, missing or of another type.
        """
        unknown = sorted(set(given) - set(self.parameters))
        missing = sorted(self.required - set(given))
        if unknown or missing:
            takes = ", ".join(self.parameters) or "nothing"
            raise ValueError(f"transform {self.name!r} takes {takes}; unknown {unknown}, missing {missing}")
        for name, value in given.items():
            try:
                TypeAdapter(self.parameters[name], config=ConfigDict(strict=True)).validate_python(value)
            except ValidationError as error:
                raise ValueError(f"transform {self.name!r}: {name} is {value!r}; {error.errors()[0]['msg']}") from error


TRANSFORMS: dict[str, Transform] = {}
"""Every transform by name."""


def _transform(function: Callable[..., Any]) -> Callable[..., Any]:
    hints = get_type_hints(function)
    keyword = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    required = frozenset(p.name for p in keyword if p.default is p.empty)
    name = function.__name__.removeprefix("to_")
    TRANSFORMS[name] = Transform(name, function, {p.name: hints[p.name] for p in keyword}, required)
    return function


def get_transform(name: str) -> Transform:
    """Return a transform.

    Raises
    ------
    ValueError
        If there is none of that name; the message lists all.
    """
    if name not in TRANSFORMS:
        raise ValueError(f"transform {name!r} is unknown; there are {', '.join(sorted(TRANSFORMS))}")
    return TRANSFORMS[name]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.60} is no text")
    return value


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{value!r:.60} is no list of texts")
    return value


def _of(row: Row, name: str) -> Any:
    if name not in row:
        raise ValueError(f"the row has no field {name!r}; it has {', '.join(map(str, row))}")
    return row[name]


@_transform
def to_text(value: Any, row: Row) -> str:
    """Write a whole number or a text as text; anything else is refused."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"{value!r:.60} is neither text nor a whole number")
    return str(value)


@_transform
def cut_from(value: Any, row: Row, *, start: str) -> str:
    """Drop the sentence that begins with a phrase, and all that follows; the phrase must be there."""
    before, found, _ = _text(value).partition(start)
    if not found or not before.strip():
        raise ValueError(f"{value!r:.60} does not hold {start!r} after a question")
    return before.strip()


@_transform
def undouble(value: Any, row: Row, *, words: list[str]) -> str:
    """Write a word once where it stands twice in a row (``the the left mug``)."""
    some = "|".join(re.escape(word) for word in words)
    return re.sub(rf"\b({some})(\s+\1\b)+", r"\1", _text(value), flags=re.IGNORECASE)


@_transform
def affix(value: Any, row: Row, *, before: str = "", after: str = "") -> str:
    """Put text before and after, e.g. a folder before a bare file name."""
    return f"{before}{_text(value)}{after}"


@_transform
def drop_prefix(value: Any, row: Row, *, prefix: str) -> str:
    """Drop a prefix; it must be there."""
    if not _text(value).startswith(prefix):
        raise ValueError(f"{value!r:.60} does not begin with {prefix!r}")
    return str(value).removeprefix(prefix)


@_transform
def drop_prefix_each(value: Any, row: Row, *, prefix: str) -> list[str]:
    """Drop a prefix from each text of a list; it must be there."""
    return [str(drop_prefix(item, row, prefix=prefix)) for item in _texts(value)]


@_transform
def zero_pad(value: Any, row: Row, *, width: int) -> str:
    """Write a whole number with leading zeros."""
    text: str = to_text(value, row)
    if not re.fullmatch(r"\d+", text) or len(text) > width:
        raise ValueError(f"{value!r:.60} is no whole number of at most {width} digits")
    return text.zfill(width)


@_transform
def count(value: Any, row: Row) -> str:
    """Write a count, 0 or more, without leading zeros."""
    text = to_text(value, row)
    if not re.fullmatch(r"\d{1,9}", text):
        raise ValueError(f"{value!r:.60} is no count")
    return str(int(text))


@_transform
def stem(value: Any, row: Row) -> str:
    """Take a file name without its folders and its ending."""
    return PurePosixPath(_text(value)).stem


@_transform
def first(value: Any, row: Row) -> Any:
    """Take the first item of a list."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"{value!r:.60} is no list with an item")
    return value[0]


@_transform
def split_options(value: Any, row: Row) -> list[str]:
    """Split lettered options, one a line (``A. front``), in the letters' order, and drop the letters."""
    found = [_OPTION.match(line) for line in _text(value).splitlines() if line.strip()]
    letters = "".join(match[1] for match in found if match)
    if not found or letters != LETTERS[: len(found)]:
        raise ValueError(f"{value!r:.80} is not a line an option, lettered A, B, ...")
    return [match[2] for match in found if match]


@_transform
def option_letter(value: Any, row: Row) -> str:
    """Take the letter of a lettered option (``D. right`` gives D)."""
    match = _OPTION.match(_text(value))
    if not match:
        raise ValueError(f"{value!r:.60} is no lettered option such as 'D. right'")
    return match[1]


@_transform
def option_text(value: Any, row: Row) -> str:
    """Take the text of a lettered option (``D. right`` gives right)."""
    match = _OPTION.match(_text(value))
    if not match:
        raise ValueError(f"{value!r:.60} is no lettered option such as 'D. right'")
    return match[2]


@_transform
def letter_among(value: Any, row: Row, *, options: str) -> str:
    """Turn an option's text into its letter; it must be one of the options of the named field, once."""
    listed = _texts(_of(row, options))
    if listed.count(_text(value)) != 1:
        raise ValueError(f"{value!r:.60} is not one of the options {listed} exactly once")
    return LETTERS[listed.index(value)]


@_transform
def one_of(value: Any, row: Row, *, values: list[str]) -> str:
    """Let a text pass if it is one of those given."""
    if value not in values:
        raise ValueError(f"{value!r:.60} is none of {', '.join(values)}")
    return _text(value)


@_transform
def lookup(value: Any, row: Row, *, table: dict[str, str]) -> str:
    """Replace a value by its entry in a table; it must have one."""
    key = to_text(value, row)
    if key not in table:
        raise ValueError(f"{value!r:.60} is none of {', '.join(table)}")
    return table[key]


@_transform
def digest(value: Any, row: Row, *, length: int = 8) -> str:
    """Take the beginning of the SHA-256 of a text, for ids where the source has none."""
    return hashlib.sha256(_text(value).encode()).hexdigest()[:length]


@_transform
def caption_side(value: Any, row: Row, *, relation: str, side: Literal["before", "after"]) -> str:
    """Split ``The bench is under the train.`` at the relation in the named field, and take the noun of one side."""
    words = re.escape(_text(_of(row, relation)))
    parts = re.split(rf"\b{words}\b", _text(value), maxsplit=1)
    if len(parts) != 2:
        raise ValueError(f"the caption {value!r} does not hold the relation {row[relation]!r}")
    part = parts[0] if side == "before" else parts[1]
    noun = re.sub(r"\s+(is|are|was|were)$", "", re.sub(r"^(the|a|an)\s+", "", part.strip(" ."), flags=re.IGNORECASE))
    if not noun:
        raise ValueError(f"the caption {value!r} has no noun {side} {row[relation]!r}")
    return noun


@_transform
def counted_noun(value: Any, row: Row, *, number: str, words: list[str], stops: list[str], most: int = 4) -> str:
    """Take the noun that a caption counts: what follows the number's word, up to a stop; empty where none is sure."""
    count = _of(row, number)
    if not isinstance(count, int) or not 0 <= count < len(words):
        raise ValueError(f"{number} is {count!r}; expected 0 to {len(words) - 1}")
    text = _text(value)
    told = list(re.finditer(rf"\b({words[count]}|{count})\b(?![.,:/]\d|-)", text, flags=re.IGNORECASE))
    if len(told) != 1:
        return ""
    noun: list[str] = []
    for word in re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\S", text[told[0].end() :]):
        if word.lower() in stops or not word[0].isalpha():
            break
        noun.append(word)
    return " ".join(noun) if 1 <= len(noun) <= most and noun[-1].lower().endswith("s") else ""
