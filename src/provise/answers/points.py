"""Points and paths in every notation that models print, under a declared coordinate system."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from provise.answers.answer import TextAnswer, refuse
from provise.errors import InputError

__all__ = ["SCALES", "CoordinateSystem", "read_points"]

SCALES = ("unit", "per_mille", "percent", "pixel_source", "pixel_seen")
"""0-1, 0-1000, 0-100, pixels of the source, pixels of the picture as the model was given it."""

_N = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,4})?"
_WORD = r"[-+]?(?:nan|inf(?:inity)?|null|none|∞)"
NUMBER = re.compile(rf"{_N}|{_WORD}", re.IGNORECASE)
GROUP = re.compile(rf"[(\[<]\s*((?:{_N}|{_WORD})(?:\s*[,;\s]\s*(?:{_N}|{_WORD}))*)\s*,?\s*[)\]>]", re.IGNORECASE)
OPENED = re.compile(rf"[(\[]\s*{_N}\s*,[^()\[\]\n]{{0,80}}[)\]]")
QUOTED = re.compile(rf"[\"']({_N})[\"']")
TAG = re.compile(r"<(?:points?|tracks?)\b([^<>]*)>", re.IGNORECASE)
ATTRIBUTE = re.compile(r"\b([xy])(\d*)\s*=\s*[\"']?\s*([^\"'\s>]{1,40})", re.IGNORECASE)
COORDS = re.compile(r"\bcoords\s*=\s*\"([^\"]*)\"")
_VALUE = rf"[\"']?\s*[:=≈~]\s*[\"']?({_N}|{_WORD})[\"']?"
_AND = r"\s*(?:,|;|and|\n[-•])?\s*[\"']?\b"
NAMED = re.compile(rf"[\"']?\b(?:x{_VALUE}{_AND}y{_VALUE}|y{_VALUE}{_AND}x{_VALUE})", re.IGNORECASE)
DESCRIBED = re.compile(
    r"\b((?:label|name|text|alt|description)[\"']?\s*[:=]\s*)(?:\"[^\"\n]{0,400}\"|'[^'\n]{0,400}')", re.IGNORECASE
)
"""Words about a point, whose own numbers are no coordinates."""

BOX = re.compile(
    rf"([\"'](?:bbox|box|bounding_?box)(?:_2d)?[\"']\s*:\s*)\[\s*({_N})\s*,\s*({_N})\s*,\s*({_N})\s*,\s*({_N})\s*\]"
)
_SEP = r"[\s,;()\[\]]{1,9}"
BOX_TAG = re.compile(
    rf"<(?:b?box|bounding_?box)(?:_2d)?>[\s(\[]{{0,9}}({_N}){_SEP}({_N}){_SEP}({_N}){_SEP}({_N})[\s)\]]{{0,9}}</(?:b?box|bounding_?box)(?:_2d)?>",
    re.IGNORECASE,
)
SHARE = re.compile(rf"(?<![\d.])({_N})\s?\\?%")
BRACKETS = str.maketrans("【】〔〕⟨⟩、", "[][]<>,")
MISSING = re.compile(r"[)\]}]\s*,\s*(?:null|none|nan)\b", re.IGNORECASE)
ELIDED = re.compile(r"[)\]}]\s*,\s*\.{3}|[\s,]\.{3,9}\s{0,9}\]")
CALLED = re.compile(
    r"^\s*(?:the\s+)?(?:coordinates?|coords?|points?|location|position|target)\s*(?:is|are|:|=)\s*", re.IGNORECASE
)
BARE = re.compile(rf"\s*({_N}|{_WORD})\s*[,;\s]\s*({_N}|{_WORD})\s*\.?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class CoordinateSystem:
    """How a model writes coordinates: declared once, never guessed from a number.

    Parameters
    ----------
    scale : str
        One of `SCALES`.
    order : {"xy", "yx"}
        Order within a pair. Named coordinates (``x="..."``) keep their names.
    size : (int, int), optional
        Width and height of the source, for ``pixel_source``.
    seen_size : (int, int), optional
        Width and height of the picture the model was given, for ``pixel_seen``.

    Raises
    ------
    InputError
        If a setting is unknown or the size the scale needs is missing.

    Examples
    --------
    >>> CoordinateSystem("per_mille").normalise(500, 250)
    [0.5, 0.25]
    """

    scale: str = "unit"
    order: str = "xy"
    size: tuple[int, int] | None = None
    seen_size: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.scale not in SCALES or self.order not in ("xy", "yx"):
            raise InputError(
                f"coordinates are {self.scale!r}, {self.order!r}; expected one of {', '.join(SCALES)}, and xy or yx"
            )
        needed = {"pixel_source": self.size, "pixel_seen": self.seen_size}.get(self.scale, (1, 1))
        if needed is None or len(needed) != 2 or min(needed) < 1:
            name = "size" if self.scale == "pixel_source" else "seen_size"
            raise InputError(f"scale {self.scale!r} needs {name}=(width, height) of at least 1; got {needed!r}")

    def words(self) -> str:
        """Return what the numbers were taken for, in the words of the command line."""
        if self.scale == "unit":
            return "shares of the frame (0 to 1); another scale is declared with --coordinates 100, 1000 or pixel"
        if self.scale.startswith("pixel"):
            width, height = (self.size if self.scale == "pixel_source" else self.seen_size) or (1, 1)
            return f"pixels of {width}x{height}"
        return {"per_mille": "0 to 1000", "percent": "0 to 100"}[self.scale]

    def normalise(self, x: float, y: float) -> list[float]:
        """Bring coordinates, in the order x, y, to shares of the frame; they may lie outside 0..1."""
        factor = {"unit": 1, "per_mille": 1000, "percent": 100}.get(self.scale, 1)
        width, height = (factor, factor)
        if self.scale.startswith("pixel"):
            width, height = (self.size if self.scale == "pixel_source" else self.seen_size) or (1, 1)
        return [x / width, y / height]


class _Found(NamedTuple):
    x: float
    y: float
    at: int


class _Unreadable(Exception):  # noqa: N818 - an outcome inside this module
    reason = "malformed"


class _Several(_Unreadable):
    reason = "ambiguous"


def read_points(text: str, system: CoordinateSystem, kind: str) -> TextAnswer:
    """Read a point, points or a path.

    Parameters
    ----------
    text : str
        Cleaned.
    system : CoordinateSystem
        How numbers are meant.
    kind : {"point", "points", "path"}
        A point is exactly one; a path at least two different ones. A box under its own key or in its own tag
        ("bbox_2d", ``<box>``) stands for its centre; four numbers without one are malformed.
    """
    text = text.translate(BRACKETS)
    text = BOX.sub(_centre, DESCRIBED.sub(r'\1""', text))
    text = _shares(BOX_TAG.sub(lambda box: _centre(box, "({}, {})"), text), system)
    try:
        found = _tags(text, system) or _loose(text, system, kind)
    except _Unreadable as error:
        return refuse(error.reason, str(error))
    if _truncated(re.sub(r"<(/?)points?>", lambda tag: ")" if tag[1] else "(", text)):
        return refuse("truncated", "the list of coordinates breaks off before its end")
    if not found:
        return refuse("no_answer", "the answer holds no coordinates")
    if any(not (math.isfinite(p.x) and math.isfinite(p.y)) for p in found):
        return refuse("non_finite", "a coordinate is not finite")
    points = [system.normalise(p.x, p.y) for p in found]
    for point, (x, y, _) in zip(points, found, strict=True):
        if not (0 <= point[0] <= 1 and 0 <= point[1] <= 1):
            return refuse("out_of_range", f"x {x:g}, y {y:g} lies outside, read as {system.words()}")
    distinct = {tuple(p) for p in points}
    if kind == "point":
        many = f"the answer holds {len(distinct)} points; expected one"
        return TextAnswer(points[0]) if len(distinct) == 1 else refuse("ambiguous", many)
    if kind == "path" and len(distinct) < 2:
        return refuse("no_path", "a single point is no path")
    return TextAnswer(points)


def _centre(box: re.Match[str], form: str = "") -> str:
    x0, y0, x1, y1 = (float(side) for side in box.groups()[-4:])
    return (form or f"{box[1]}[{{}}, {{}}]").format((x0 + x1) / 2, (y0 + y1) / 2)


def _shares(text: str, system: CoordinateSystem) -> str:
    """Write percentages as shares of the frame, where these are what coordinates are declared as: (50%, 25%).

    The sign states its own scale. Where none is above 1 %, it may as well have been put behind shares by mistake.
    """
    given = [float(found) for found in SHARE.findall(text)]
    if system.scale != "unit" or not given or max(given) <= 1 or len(given) % 2:
        return text
    return SHARE.sub(lambda found: f"{float(found[1]) / 100:.12g}", text)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _pair(first: str, second: str, at: int, system: CoordinateSystem) -> _Found:
    a, b = _number(first), _number(second)
    return _Found(a, b, at) if system.order == "xy" else _Found(b, a, at)


def _tags(text: str, system: CoordinateSystem) -> list[_Found]:
    found: list[_Found] = []
    for tag in TAG.finditer(text):
        if coords := COORDS.search(tag[1]):
            found += _coords(coords[1], tag.start(), system)
            continue
        named: dict[str, dict[str, float]] = {}
        for axis, index, value in ATTRIBUTE.findall(tag[1]):
            named.setdefault(index, {})[axis.lower()] = _number(value)
        if any(len(point) != 2 for point in named.values()):
            raise _Unreadable("a point has one coordinate")
        found += [_Found(point["x"], point["y"], tag.start()) for point in named.values()]
    return found


def _coords(text: str, at: int, system: CoordinateSystem) -> list[_Found]:
    """Read ``frame index x y index x y ...``, groups of one frame apart by tabs, colons, commas or semicolons."""
    found: list[_Found] = []
    for part in re.split(r"[\t:,;]", text):
        numbers = part.split()
        if len(numbers) == 2:
            triples = [("", *numbers)]
        elif numbers and len(numbers) % 3 != 2:
            body = numbers[len(numbers) % 3 :]
            triples = [(body[i], body[i + 1], body[i + 2]) for i in range(0, len(body), 3)]
            indices = [index for index, _, _ in triples]
            if not len(numbers) % 3 and not _counting(indices):
                raise _Unreadable(f"coords holds {len(numbers)} numbers, not an index before every pair")
        elif numbers:
            raise _Unreadable(f"coords holds {len(numbers)} numbers; expected an index before every pair")
        else:
            continue
        found += [_pair(x, y, at, system) for _, x, y in triples]
    return found


def _counting(indices: list[str]) -> bool:
    """Tell whether numbers count up one by one, as the indices of points do and coordinates do not."""
    if not all(re.fullmatch(r"\d{1,9}", index) for index in indices):
        return False
    return all(int(later) - int(index) == 1 for index, later in pairwise(indices))


def _loose(text: str, system: CoordinateSystem, kind: str) -> list[_Found]:
    text = re.sub(r"<(/?)points?>", lambda tag: ")" if tag[1] else "(", text)
    text = QUOTED.sub(r"\1", text)
    if system.scale == "percent":
        text = re.sub(r"(?<=\d)\s?%", "", text)
    named = [_Found(_number(m[1] or m[4]), _number(m[2] or m[3]), m.start()) for m in NAMED.finditer(text)]
    groups = [(NUMBER.findall(m[1]), m) for m in GROUP.finditer(text)]
    broken = [m[0] for m in OPENED.finditer(text) if not GROUP.fullmatch(m[0])]
    broken += [m[0] for m in MISSING.finditer(text)]
    if broken or (any(len(n) > 1 for n, _ in groups) and any(len(n) == 1 and "." in n[0] for n, _ in groups)):
        raise _Unreadable(f"a point cannot be read: {broken[0][:40]}" if broken else "a point has one coordinate")
    # A lone number in brackets is a note; three or more are a box or a point of space, and none of ours.
    wrong = [numbers for numbers, _ in groups if len(numbers) > 2]
    if wrong:
        raise _Unreadable(f"a group holds {len(wrong[0])} numbers; expected pairs")
    pairs = [_pair(numbers[0], numbers[1], m.start(), system) for numbers, m in groups if len(numbers) == 2]
    if not pairs and not named:
        text = CALLED.sub("", text)
        whole = BARE.fullmatch(text)
        parts = [text] if whole else [part for part in re.split(r"-{0,2}>|=>|→|\n|;", text) if part.strip()]
        bare = [BARE.fullmatch(part) for part in parts]
        return [_pair(pair[1], pair[2], 0, system) for pair in bare if pair] if all(bare) else []
    if named and pairs:
        raise _Unreadable("the answer mixes named coordinates and pairs")
    return named or _one_list(text, pairs, kind)


def _one_list(text: str, pairs: list[_Found], kind: str) -> list[_Found]:
    """Keep the pairs of the only bracketed list of several, where others are mentioned beside it; two lists are two paths."""
    lists: dict[int, list[_Found]] = {}
    stack: list[int] = []
    at, waiting = 0, list(pairs)
    while waiting and at < len(text):
        if at == waiting[0].at:
            pair = waiting.pop(0)
            lists.setdefault(stack[0] if stack else -1, []).append(pair)
            at = re.compile(r"[)\]>]").search(text, at).end()  # type: ignore[union-attr]
            continue
        if text[at] in "[":
            stack.append(at)
        elif text[at] in "]" and stack:
            stack.pop()
        at += 1
    whole = [group for start, group in lists.items() if start >= 0]
    if kind == "path" and len(whole) > 1 and all(len(group) > 1 for group in whole):
        if len({tuple((p.x, p.y) for p in group) for group in whole}) > 1:
            raise _Several(f"the answer holds {len(whole)} lists of points; expected one path")
        return whole[0]
    if len(whole) == 1 and len(whole[0]) > 1:
        return whole[0]
    return pairs


def _truncated(text: str) -> bool:
    """Tell whether a bracket that holds coordinates is never closed."""
    if ELIDED.search(text):
        return True
    stack: list[int] = []
    for at, character in enumerate(text):
        if character in "[({":
            stack.append(at)
        elif character in "])}" and stack:
            stack.pop()
    return any(re.match(r"[\[({]\s*(?:[\[({\d.+\"']|-|$)", text[at : at + 40]) for at in stack) or bool(
        re.search(r"<(?:points?|tracks?)\b[^<>]*$", text[-2000:], re.IGNORECASE)
    )
