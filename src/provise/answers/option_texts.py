"""The texts of options, found as whole words in prose; those that are denied do not count."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provise.answers.boolean import read_boolean
from provise.choices import Option
from provise.labels import canonical_boolean, canonical_direction, fold

__all__ = ["named_by_truth", "named_texts", "without_reasons"]

NOT_WORD = re.compile(r"(?:[^\w.,-]|(?<!\d)[.,]|[.,](?!\d)|(?<=\w)-|-(?!\d))+")
"""What stands between words; a decimal point and a sign belong to their number, so that "2.3 m" holds no "3 m"."""

STOP = re.compile(r"[,;:!?\n]|\.(?=\s|$)|\bbut\b")
UNIT = re.compile(r"(?<=\d)\s?(mm|cm|km|m|in|ft|yd|kg|g)\b")
DENIED = re.compile(
    r" (?:not|no|never|neither|nor|cannot|without|instead of|rather than|\w{1,9}n t)"
    r"(?: (?:a|an|the|on|in|at|to|of|any|its|be|being|really|quite|very|facing|located|placed|one"
    r"|longer|directly|exactly|just|even|anywhere|actually)){0,4} $"
    r"| (?:if|whether)(?: \w{1,30}){0,5} $"
)
ARTICLE = re.compile(r"^(?:the|an?) (?=\S)")
ALSO = re.compile(r" (?:one )?(?:or|nor)(?: (?:a|an|the|on|in|at|to|its)){0,3} ")
_ALONG = r",?\s+(?:and\s+)?(?:slightly\s+)?(?:to\s+)?(?:the\s+|its\s+|his\s+|her\s+)?"
_DEPTH = "(in front|front|ahead|behind|back|rear)"
OBLIQUE = re.compile(
    rf"\b(?:{_DEPTH}{_ALONG}(left|right)|(left|right),?\s+and\s+{_DEPTH})\b",
    re.IGNORECASE,
)
GLUE = re.compile(r"\b(front|back|behind|rear) (left|right)\b|\b(left|right) (front|back|behind|rear)\b")
REASON = re.compile(r"(?<=[\w)\]\"'])\s*,?\s+(?:because|since)\b[^.;\n]*", re.IGNORECASE)
"""What gives the reason for the words before it: "green because the red one is hidden"."""


def without_reasons(text: str) -> str:
    """Take off what explains an answer.

    Examples
    --------
    >>> without_reasons("green, because the red one is hidden. Yes")
    'green. Yes'
    """
    return REASON.sub("", text)


def named_texts(text: str, known: Sequence[Option]) -> set[str]:
    """Find the options whose texts a text names; longer ones first: "front left" holds no "left".

    Options that say yes or no are left to `named_by_truth`: in "there is no cup" nothing is denied or affirmed.

    Examples
    --------
    >>> sorted(named_texts("It isn't red. It's the blue one", [Option("A", "red"), Option("B", "blue")]))
    ['B']
    """
    # Where a clause ends, so does what its "not" denies: "no, red" affirms.
    glued = any(GLUE.search(_words(option.text)) for option in known)
    words_of = _glued if glued else _words
    if all(canonical_direction(option.text) for option in known):
        text = _as_offered(text, known)
    rest = " " + " ; ".join(words_of(clause) for clause in STOP.split(text)) + " "
    places: list[tuple[int, int, str]] = []
    entries = [(words_of(option.text), option.label) for option in known if not _says(option)]
    # "Lamp" names "the lamp".
    bare = [ARTICLE.sub("", words) for words, _ in entries]
    if len(set(bare)) == len(bare):
        entries = [(words, label) for words, (_, label) in zip(bare, entries, strict=True)]
    for words, label in sorted(entries, key=lambda entry: -len(entry[0])):
        if len(words) < 2 or words.split()[0] not in rest:
            continue
        pattern = re.compile(" " + " (?:; )?".join(map(re.escape, words.split())) + "(?= )")
        places += [(at.start(), at.end(), label) for at in pattern.finditer(rest)]
        rest = pattern.sub(lambda at: " " + "|" * (len(at[0]) - 1), rest)
    found: set[str] = set()
    denied, last = False, 0
    for start, end, label in sorted(places):
        # "Not the red or the blue one" denies both.
        chained = denied and ALSO.fullmatch(rest[last : start + 1]) is not None
        denied, last = chained or DENIED.search(rest[max(0, start - 80) : start + 1]) is not None, end
        if not denied:
            found.add(label)
    return found


def _as_offered(text: str, known: Sequence[Option]) -> str:
    """Write directions with the words of the options: "behind and to the right" is "back right" where that is offered."""
    offered = {canonical_direction(option.text): option.text for option in known}

    def oblique(found: re.Match[str]) -> str:
        name = canonical_direction(f"{found[1] or found[4]} {found[2] or found[3]}")
        return offered.get(name) or found[0]

    if "back" in offered and not any("behind" in option.text for option in known):
        text = re.sub(r"\bbehind\b", offered["back"], text, flags=re.IGNORECASE)
    return OBLIQUE.sub(oblique, text)


def named_by_truth(text: str, known: Sequence[Option]) -> set[str]:
    """Find the options that say what a text affirms or denies, where options say yes and no; both where it does both.

    Examples
    --------
    >>> named_by_truth("Yes, there is no doubt", [Option("A", "yes"), Option("B", "no")])
    {'A'}
    """
    says = {option.label: canonical_boolean(option.text) for option in known if _says(option)}
    if not says:
        return set()
    read = read_boolean(text)
    if read.reason == "ambiguous":
        return set(says)
    return {label for label, value in says.items() if value is read.prediction}


def _says(option: Option) -> bool:
    return len(fold(option.text)) > 1 and option.text[:1].isalpha() and canonical_boolean(option.text) is not None


def _words(text: str) -> str:
    return NOT_WORD.sub(" ", UNIT.sub(r" \1", fold(text))).strip()


def _glued(text: str) -> str:
    """Make one word of an oblique direction, so that "back left" holds no "left" where "front left" is offered."""
    return GLUE.sub(lambda at: f"{at[1] or at[4]}+{at[2] or at[3]}", _words(text))
