"""The texts of options, found as whole words in prose; those that are denied do not count."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provise.answers.boolean import read_boolean
from provise.choices import Option
from provise.labels import canonical_boolean, fold

__all__ = ["named_by_truth", "named_texts", "without_reasons"]

NOT_WORD = re.compile(r"(?:[^\w.,-]|(?<!\d)[.,]|[.,](?!\d)|(?<=\w)-|-(?!\d))+")
"""What stands between words; a decimal point and a sign belong to their number, so that "2.3 m" holds no "3 m"."""

STOP = re.compile(r"[,;:!?\n]|\.(?=\s|$)|\bbut\b")
UNIT = re.compile(r"(?<=\d)\s?(mm|cm|km|m|in|ft|yd|kg|g)\b")
DENIED = re.compile(
    r" (?:not|no|never|neither|nor|cannot|without|instead of|rather than|\w{1,9}n t)"
    r"(?: (?:a|an|the|on|in|at|to|of|any|its|be|being|really|quite|very|facing|located|placed|one"
    r"|longer|directly|exactly|just|even|anywhere|actually)){0,4} $"
)
ARTICLE = re.compile(r"^(?:the|an?) (?=\S)")
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
    rest = " " + " ; ".join(words_of(clause) for clause in STOP.split(text)) + " "
    plain = rest.replace(" ; ", " ")
    found: set[str] = set()
    entries = [(words_of(option.text), option.label) for option in known if not _says(option)]
    # "Lamp" names "the lamp".
    bare = [ARTICLE.sub("", words) for words, _ in entries]
    if len(set(bare)) == len(bare):
        entries = [(words, label) for words, (_, label) in zip(bare, entries, strict=True)]
    for words, label in sorted(entries, key=lambda entry: -len(entry[0])):
        if len(words) < 2 or f" {words} " not in plain:
            continue
        pattern = re.compile(" " + " (?:; )?".join(map(re.escape, words.split())) + "(?= )")
        if any(not DENIED.search(rest[max(0, at.start() - 80) : at.start() + 1]) for at in pattern.finditer(rest)):
            found.add(label)
        rest = pattern.sub(" |", rest)
        plain = rest.replace(" ; ", " ")
    return found


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
