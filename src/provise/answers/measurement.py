"""A length with its unit."""

from __future__ import annotations

import math
import re

from provise.answers.answer import TextAnswer, refuse
from provise.errors import InputError
from provise.metrics.quantities import CENTIMETRES, to_centimetres
from provise.numerals import WORD, from_words

__all__ = ["has_fields", "read_measurement"]

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(?:[eE][-+]?\d{1,4})?"
_NAME = (
    r"(?:millimet(?:er|re)s?|centimet(?:er|re)s?|kilomet(?:er|re)s?|met(?:er|re)s?|inch(?:es)?|foot|feet|yards?"
    r"|mm|cm|km|yds?|ft|in|m)(?![\w])\.?(?!\s*[²³^]|\s*/\s*(?:s|sec|seconds?|h|hr|hours?|min)\b|\s+per\b|&)"
)
AMOUNT = re.compile(
    rf"(?<![\w.,/^])([-+]?)(?:(\d+)\s+)?(?:(\d+)/(\d+)|({_NUMBER}))(?:\s*[x×]\s*10\s*\^?\s*\{{?([-+]?\d{{1,3}})\}}?)?"
    rf"\s*-?\s*(?:({_NAME}(?!\s+(?:the|this|that|a|an|total|all|each)\b))|(['\"]))",
    re.IGNORECASE,
)
SCALAR = re.compile(r"\\scalar\s*\{([^{}]{0,60})\}.{0,40}?\\(?:distance_)?unit\s*\{([^{}]{0,40})\}", re.DOTALL)
SWAPPED = re.compile(r"\\(?:distance_)?unit\s*\{([^{}]{0,40})\}.{0,40}?\\scalar\s*\{([^{}]{0,60})\}", re.DOTALL)
FIELDS = re.compile(
    r"[\"'](?:value|answer|distance|length|height|width|size)[\"']\s*:\s*[\"']?([^\"',{}]{1,60})[\"']?\s*,\s*[\"']units?[\"']\s*:\s*[\"']([^\"']{0,40})[\"']"
)
BACKWARDS = re.compile(
    r"[\"']units?[\"']\s*:\s*[\"']([^\"']{0,40})[\"']\s*,\s*"
    r"[\"'](?:value|answer|distance|length|height|width|size)[\"']\s*:\s*[\"']?([^\"',{}]{1,60})"
)
_ABOUT = rf"\s?(?:±|\+/-|\+-)\s?{_NUMBER}"
MARGIN = re.compile(rf"(?<=[a-z]){_ABOUT}\s?{_NAME}|{_ABOUT}", re.IGNORECASE)
"""How exact a length is: "1.2 ± 0.1 m"."""

BOUND = re.compile(
    rf"(?<!just )(?<!slightly )(?<!little )(?<!bit )(?:\b(?:(?:less|more|shorter|longer|greater|smaller)\s+than"
    rf"|not|\w{{1,9}}n't|at\s+(?:least|most)"
    rf"|up\s+to|(?:max|min)(?:imum)?\.?(?:\s+of)?|under|over|below|above)|[<>≤≥]=?)\s*(?:about\s+|~\s?)?{_NUMBER}\s*-?\s*(?:{_NAME}|['\"])"
    rf"|(?<![\w.,]){_NUMBER}\s*(?:\+\s?{_NAME}|{_NAME}\s?(?:\+(?!\s?\d)|or\s+(?:more|less)\b))",
    re.IGNORECASE,
)
AREA = re.compile(rf"\d\s*(?:[x×]|\bby\b)\s*(?!10\s?\^|10(?:-|\{{)){_NUMBER}\s*-?\s*(?:{_NAME}|['\"])", re.IGNORECASE)
METRES = re.compile(
    r"(?<=\d)\s?m(?:et(?:er|re)s?\s)?\s?(\d{2})(?=[ ]?(?:[.,;!]?\s|[.,;!]?$))(?!\s?-?\s?" + _NAME + ")", re.IGNORECASE
)
HEIGHT = re.compile(
    r"(?<=\d)\s?-?\s?(?:foot|feet|ft\.?|')[ -]{0,3}(\d{1,2}(?:\.\d{1,6})?)(?=[ ]{0,3}(?:[.,;!]?\s|[.,;!]?$))"
    r"(?!\s{0,3}\d{1,2}/\d|\s{0,3}-?\s?"
    + _NAME + ")",
    re.IGNORECASE,
)  # fmt: skip
JOINED = re.compile(
    r"(?<=\d)[ ]?(ft|feet|foot|m)[ ]?(?=\d{1,4}(?:\.\d{1,6})?[ ]?(?:in|inch|inches|cm)\b)", re.IGNORECASE
)
SPACED = re.compile(rf"(?<![\d.,/])(\d{{1,3}})((?: \d{{3}}){{1,4}})(?=[ ]?{_NAME})", re.IGNORECASE)
WORDS = re.compile(rf"({WORD.pattern})(?=[ -]{{1,3}}{_NAME})", re.IGNORECASE)
SENTENCE = re.compile(r"\.\s+(?=[A-Z])")
HYPHEN = re.compile(r"(?<=\d')\s?-\s?(?=\d{1,2}(?:\.\d{1,6})?\s?\")")
LOOSE = re.compile(rf"(?<![\w.,])[-+]?{_NUMBER}\s*([^\W\d_]+)?")


def read_measurement(text: str, *, stated: bool = False) -> TextAnswer:
    """Read one length; feet with inches and metres with centimetres become one value in the smaller unit.

    Two different lengths are ambiguous; one said twice ("3.5 m (350 cm)") is not. Where the text is a stated answer,
    its first sentence is the answer and what follows explains it.
    """
    if stated and AMOUNT.search(first_sentence := SENTENCE.split(text, maxsplit=1)[0]):
        text = first_sentence
    text = _plain(text)
    if re.search(r"(?<!\w)(?:nan|inf|infinity)(?!\w)|∞", text, re.IGNORECASE):
        return refuse("non_finite", "the length is not finite")
    if AREA.search(text):
        return refuse("ambiguous", "the answer is a length and a width")
    lengths = _lengths(BOUND.sub("|", text))
    if not lengths and BOUND.search(text):
        return refuse("ambiguous", "the answer is a bound or denies a length, and states none")
    if not lengths:
        return _unread(text)
    if any(not math.isfinite(value) for value, _ in lengths):
        return refuse("non_finite", "the length is not finite")
    first, unit = lengths[0]
    reference = to_centimetres(first, unit)
    if any(not math.isclose(to_centimetres(v, u), reference, rel_tol=0.02) for v, u in lengths[1:]):
        return refuse("ambiguous", f"the answer holds {len(lengths)} lengths and states none as its answer")
    if re.search(rf"(?:\d\s*(?:-|to|or)|\bbetween\s+{_NUMBER}\s+and)\s*{_NUMBER}\s*-?\s*{_NAME}", text, re.IGNORECASE):
        return refuse("ambiguous", "the answer is a range")
    if re.search(rf"\d\s*[x×]\s*{_NUMBER}\s*-?\s*{_NAME}", text, re.IGNORECASE):
        return refuse("ambiguous", "the answer gives two dimensions")
    if not 0 < reference < math.inf:
        return refuse("out_of_range", f"the length is {first:g} {unit}; expected one above 0")
    return TextAnswer({"value": first, "unit": unit})


def has_fields(text: str) -> bool:
    """Tell whether a text gives a value and its unit in two fields of their own.

    Examples
    --------
    >>> has_fields('{"answer": 1.2, "unit": "m"}'), has_fields("1.2 m")
    (True, False)
    """
    return any(pattern.search(text) for pattern in (SCALAR, SWAPPED, FIELDS, BACKWARDS))


def _plain(text: str) -> str:
    """Bring fields, words and heights ("5 foot 10", "5ft10in") to numbers followed by their units."""
    pairs = [(m[1], m[2]) for pattern in (SCALAR, FIELDS) for m in pattern.finditer(text)]
    pairs += [(m[2], m[1]) for pattern in (SWAPPED, BACKWARDS) for m in pattern.finditer(text)]
    if pairs:
        return f"{pairs[-1][0].strip()} {pairs[-1][1].strip()}"
    text = re.sub(r"\bhalf an? ", "0.5 ", text, flags=re.IGNORECASE)
    text = WORDS.sub(lambda m: str(from_words(m[1]) if from_words(m[1]) is not None else m[1]), text)
    text = METRES.sub(r" m \1 cm", HYPHEN.sub(" ", MARGIN.sub("", text)))
    text = SPACED.sub(lambda m: m[1] + m[2].replace(" ", ""), text)
    return HEIGHT.sub(r" ft \1 in", JOINED.sub(r" \1 ", text))


def _lengths(text: str) -> list[tuple[float, str]]:
    found: list[tuple[float, str]] = []
    last_end = -1
    for match in AMOUNT.finditer(text):
        value, unit = _value(match), _unit(match[7] or match[8])
        between = text[last_end : match.start()] if last_end >= 0 else "x"
        larger = found and CENTIMETRES[found[-1][1]] > CENTIMETRES[unit]
        if larger and re.fullmatch(r"\s*(?:,|and)?\s*", between) and not match[1]:
            # Rounded, so that 5'10" is 70 inches and not 70.00000000000001.
            whole = round(found[-1][0] * CENTIMETRES[found[-1][1]] / CENTIMETRES[unit], 9) + value
            found[-1] = (whole, unit)
        else:
            found.append((value, unit))
        last_end = match.end()
    return found


def _value(match: re.Match[str]) -> float:
    if match[3]:
        value = int(match[2] or 0) + (int(match[3]) / int(match[4]) if int(match[4]) else math.nan)
    else:
        number = match[5]
        # Groups of three digits are thousands; any other comma is a decimal one.
        grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?:[eE].*)?", number)
        value = float(number.replace(",", "") if grouped else number.replace(",", "."))
    if match[6]:
        value *= 10.0 ** int(match[6])
    return -value if match[1] == "-" else value


def _unit(name: str) -> str:
    name = name.strip().lower().rstrip(".")
    if name in CENTIMETRES:
        return name
    size = to_centimetres(1, "in" if name == "inches" else name)
    return next(unit for unit, length in CENTIMETRES.items() if math.isclose(length, size))


def _unread(text: str) -> TextAnswer:
    loose = LOOSE.search(text)
    if not loose:
        return refuse("no_answer", "the answer holds no length")
    if not loose[1]:
        return refuse("missing_unit", "the number has no unit; expected one of " + ", ".join(CENTIMETRES))
    try:
        to_centimetres(1, loose[1])
    except InputError:
        return refuse(
            "unknown_unit", f"{loose[1][:40]!r} is no unit of length; expected one of {', '.join(CENTIMETRES)}"
        )
    return refuse("no_answer", "the answer holds no length")
