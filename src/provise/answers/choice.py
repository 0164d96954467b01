"""The letter of an option, from its letter or its text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provise.answers.answer import TextAnswer, refuse
from provise.answers.integer import read_integer
from provise.answers.lists import by_place, ticked, without_list
from provise.answers.nearness import speaks_against
from provise.answers.option_texts import named_by_truth, named_texts, without_reasons
from provise.choices import PREFIX, Option
from provise.labels import to_label
from provise.numerals import canonical_integer

__all__ = ["affirmed", "denies_an_option", "read_choice"]

BARE = re.compile(r"[(\[]?[A-Z][)\]]?\.?")
_W = r"A-Za-z0-9_\u00c0-\u02af"  # Chinese, Japanese and Korean words stand next to a letter without a space
LEAD = re.compile(
    r"(?:(?:(?i:the|option|choice|image|picture|candidate|answer|letter|point|is))[\s:]*)*"
    rf"[(\[]?([A-Z])(?![{_W}'+#]|\s?\?)[)\]]?"
)
MORE = re.compile(
    r"\s*\(?(?:,|/|&|\band\b|\bor\b|\s)\s*(?i:(?:possibly|maybe|perhaps|potentially|even)\s+)?(?:(?i:option|choice)\s+)?[(\[]?([A-Z])[)\]]?(?![\w'])"
)
_LETTER = (
    rf"(?:(?i:option|choice|point|image|picture|candidate)\s+)?[(\[]?([A-Z])[)\]]?(?![{_W}'+#]|-\w|&|\.[A-Za-z]\b)"
)
_START = rf"(?<![{_W}'&])(?<!\w[.-])"
NAMED = re.compile(_START + _LETTER)
LOWER = re.compile(r"\b(?i:option|choice|point|image|picture|candidate|letter)\s+[(\[]?([b-z])[)\]]?(?![\w'+#-])")
_PLAIN = _LETTER.replace("([A-Z])", "[A-Z]")
_ASIDE = r"(?:\s{0,2}\([^()\n]{0,80}\))?"
_IS = r"(?:is|are|was|fits|seems|looks|would|matches|shows?)\b"
REJECTED = re.compile(
    r"(?<![\w'])(?i:(?<!no )(?<!without )(?<!any )(?<!a )doubt(?:s|\s+that)?"
    r"|(?<=[A-Z] )over|unlike|not|cannot|\w{1,9}n't|neither|nor|than|instead\s+of|(?:all|every\w{0,5}|any\w{0,5})\s+but"
    r"|except|without|no|ruled?\s+out|ruling\s+out|eliminat\w{1,3}"
    r"|exclud\w{1,3}|(?:wrong|incorrect)\s+(?:answer|option|choice)s?\s+(?:is|are|would\s+be))\s+"
    rf"(?i:(?:be|really|just|only|the|answer|is|it|it's)\s+){{0,3}}{_PLAIN}"
    rf"(?:\s*(?:,\s*)?(?i:or|nor|and)\s+{_PLAIN}(?!\s+{_IS})){{0,25}}"
)
"""Letters set aside: "not A", "isn't (A) or C", "nearer than B"."""

VERDICT = re.compile(
    rf"{_START}{_LETTER}{_ASIDE}\s+(?i:is|must\s+be|would\s+be|has\s+to\s+be|seems|looks)\s+"
    r"(?i:clearly\s+|most\s+likely\s+|probably\s+|also\s+)?(?i:the\s+)?(?i:only\s+|most\s+)?"
    r"(?i:correct|right(?!\s+(?:of|next|beside|behind|in|at|on)\b)|best|answer)\b"
)
OPEN = re.compile(
    r"\b(?:if|whether|unless|not|\w{1,9}n't|nor|(?<!no )(?<!without )(?<!any )doubt|wrong"
    r"|at\s+first|initially|originally|although|though|while)\b"
    r"(?:(?!\b(?:and|but|so)\b)[^.,;:\n]){0,40}$",
    re.IGNORECASE,
)
ONLY_FIRST = re.compile(r"\s+(?:at\s+(?:first|a\s+glance)|initially|originally)\b", re.IGNORECASE)
IT_IS = re.compile(r"\W*(?:it|this|that)(?:'s| is| must be)\b", re.IGNORECASE)
SMALL = re.compile(r"(\b(?i:option|choice)\s*:?\s*)([b-hj-z]|\([a-z]\))(?![\w'])")
"""A small letter after the word "option" is a letter; a small "a" or "i" only in brackets."""

CLAUSE = re.compile(r"[,;:\n]|\.(?=\s|$)|\b(?:because|since)\b")
DENIED = re.compile(
    rf"{_ASIDE}(?:\s*(?:,|\band\b|\bor\b)\s*{_PLAIN}{_ASIDE}){{0,25}}"
    r"\s+(?:isn't|aren't|doesn't|don't|can't|cannot|(?:does|do|can)\s+not|fails?|(?:is|are|was|seems?|looks?)\s+"
    r"(?:clearly\s+|also\s+|both\s+|obviously\s+)?(?:not|wrong|incorrect|false|impossible|unlikely"
    r"|less (?:likely|plausible|probable)|ruled out"
    r"|eliminated|a tempting))\b"
)
ARTICLE = re.compile(r"\s+[a-z]")
VERB = re.compile(
    r"\s+(?:is|are|was|because|since|as|shows?|matches|would|fits|seems|looks|and|or|it|rather|instead|over|unless|if|when|but"
    r"|from|in|on|at|to|by|for|of|with|than|not|has|have|does|can|could|should|must|will|appears|lies)\b(?!-)"
)
NONE = re.compile(r"\b[Nn]/[Aa]\b")
SCORE = re.compile(rf"{_START}[(\[]?([A-Z])[)\]]?\s?[:=]\s?\d")
ITEM = re.compile(r"[(\[]?([A-Z])(?:[)\].:]{1,2}|\s?[-:])\s*(?=\S)")
SO_ANOTHER = re.compile(
    r"\s+(?:is|looks|seems|appears|lies|stands)\b[^\n]{0,200}?\b(?:so|therefore|thus|hence)\b,?\s+"
    rf"(?:it(?:'s| is)\s+|the\s+answer\s+is\s+)?{_LETTER}"
)
HEAD = 3
"""Words before a "because" that are an answer and no story of how it was found."""


def read_choice(text: str, known: Sequence[Option], *, stated: bool) -> TextAnswer:
    """Read one option from a stretch of text.

    Parameters
    ----------
    text : str
        Cleaned.
    known : sequence of Option
        Without them any capital letter is one.
    stated : bool
        Whether the text follows "Answer:" or the like, so that its first letter counts.
    """
    text = NONE.sub("none", text)
    text = SMALL.sub(lambda found: found[1] + found[2].upper(), text)
    choices = [{"label": option.label, "text": option.text} for option in known]
    labels = {option.label for option in known}
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if tick := ticked(lines, choices):
        return TextAnswer(tick)
    text = without_list(text, known)
    if not re.search(r"\w", text):
        return refuse("ambiguous", "the answer only repeats the options")
    if len(set(SCORE.findall(text))) > 1:
        return refuse("ambiguous", "the answer gives several options a number each")
    if label := to_label(text, choices):
        return TextAnswer(label)
    if stated:
        if label := by_place(text, known):
            return TextAnswer(label)
        reasoned = without_reasons(text) or text
        return _lead(text, known, choices) or _anywhere(reasoned, known, choices)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    whole = {label for line in lines for label in [to_label(line, choices)] if label} if len(lines) <= 400 else set()
    bare = {line.strip("()[]. ") for line in lines if BARE.fullmatch(line)}
    if len(whole) > 1 and len(bare) == 1 and BARE.fullmatch(lines[-1]):
        whole = bare & labels or whole  # a list of verdicts, and below it the letter alone
    if len(whole) == 1:
        return TextAnswer(whole.pop())
    if whole:
        return refuse("ambiguous", f"lines of the answer name {', '.join(sorted(whole))}")
    first = lines[0] if lines else ""
    items = [item[1].upper() for line in lines if (item := ITEM.match(line))]
    listed = ITEM.match(first) and items[:2] == [option.label for option in known[:2]]
    if (
        not listed
        and re.match(r"[(\[]?[A-Z](?:[)\].:,]|\s*$|\s+(?:[-(]|because\b|since\b))", first)
        and (led := _lead(first, known, choices))
    ):
        return led
    brief = without_reasons(text)
    told = IT_IS.match(text) or len(brief.split()) <= HEAD
    return _anywhere(brief if brief and told else text, known, choices)


def _article(text: str, at: int, letter: str) -> bool:
    """Tell whether a letter is the article A or the pronoun I: a small word follows that is no verb of an option."""
    return letter in "AI" and bool(ARTICLE.match(text, at)) and not VERB.match(text, at)


def _lead(text: str, known: Sequence[Option], choices: list[dict[str, str]]) -> TextAnswer | None:
    labels = {option.label for option in known}
    found = LEAD.match(text)
    if not found or _article(text, found.end(), found[1]) or DENIED.match(text, found.end()):
        return None
    if labels and found[1] not in labels:
        return refuse("out_of_range", f"the answer is {found[1]}; the options are {', '.join(sorted(labels))}")
    other = SO_ANOTHER.match(text, found.end())
    if other and other[1] != found[1] and (not labels or other[1] in labels):
        return None  # "A is behind, so B is nearer" is told before it is answered
    more = MORE.match(text, found.end())
    if more and more[1] != found[1] and (not labels or more[1] in labels):
        return refuse("ambiguous", f"the answer names {found[1]} and {more[1]}")
    clause = CLAUSE.split(text[found.end() :].lstrip(" .:)]-"), maxsplit=1)[0].strip()
    beside = to_label(clause, choices)
    if not beside and len(clause.split()) <= HEAD and len(texts := named_texts(clause, known)) == 1:
        beside = texts.pop()
    if beside and beside != found[1]:
        return refuse("ambiguous", f"the answer names {found[1]} with the text of {beside}")
    return TextAnswer(found[1])


def _anywhere(text: str, known: Sequence[Option], choices: list[dict[str, str]]) -> TextAnswer:
    labels = {option.label for option in known}
    offered = _offered(text)
    verdicts, doubted = _verdicts(offered, labels)
    if len(verdicts) == 1:
        return TextAnswer(verdicts.pop())
    letters = {
        found[1]
        for found in NAMED.finditer(offered)
        if (not labels or found[1] in labels)
        and found.start(1) not in doubted
        and not DENIED.match(offered, found.end())
        # "Option A" is the letter, whatever follows.
        and (found[0][:3].lower() in ("opt", "cho", "can") or not _article(offered, found.end(), found[1]))
        and not speaks_against(offered, found.end(), known)
    }
    counts = [canonical_integer(option.text) for option in known]
    numbers = bool(counts) and None not in counts
    lettered = PREFIX.match(text)
    if lettered and lettered[1].islower() and (letter := lettered[1].upper()) in labels:
        letters.add(letter)  # "b: left", where the whole of it names no option
    both = letters | (set() if numbers else named_texts(text, known)) | named_by_truth(text, known)
    if len(both) == 1:
        return TextAnswer(both.pop())
    if len(both) > 1:
        return refuse("ambiguous", f"the answer names {', '.join(sorted(both))} and settles on none")
    start = re.match(r"\s*(?i:(yes|true|false|no(?=\s*(?:[^\w\s]|\n|$))))\b", text)
    if start and (label := to_label(start[1], choices)):
        return TextAnswer(label)
    if numbers:
        number = read_integer(text, stated=False)
        label = None if number.prediction is None else to_label(number.prediction, choices)
        if label:
            return TextAnswer(label)
        if number.prediction is not None:
            return refuse("out_of_range", f"the answer is {number.prediction}, which no option says")
    if label := _counted(text, known):
        return TextAnswer(label)
    return refuse("no_answer", "no option is named, by letter or by text")


def _offered(text: str) -> str:
    """Take off the letters that are set aside, and write those behind "option" in capitals."""
    return REJECTED.sub(
        " | ", LOWER.sub(lambda at: at[0][: at.start(1) - at.end()] + at[0][at.start(1) - at.end() :].upper(), text)
    )


def _verdicts(offered: str, labels: set[str]) -> tuple[set[str], set[int]]:
    said = [found for found in VERDICT.finditer(offered) if not labels or found[1] in labels]
    doubted = {
        at.start(1)
        for at in said
        if OPEN.search(offered[max(0, at.start() - 60) : at.start()]) or ONLY_FIRST.match(offered, at.end())
    }
    return {found[1] for found in said if found.start(1) not in doubted}, doubted


def affirmed(text: str, known: Sequence[Option]) -> set[str]:
    """Find the letters of which a text says that they are right: what is "correct" in "B is correct" is B.

    Examples
    --------
    >>> affirmed("Option B is correct, A is hidden", [Option("A", "yes"), Option("B", "no")])
    {'B'}
    """
    return _verdicts(_offered(text), {option.label for option in known})[0]


def denies_an_option(text: str, known: Sequence[Option]) -> bool:
    """Tell whether what a text calls wrong is an option: "option B is not correct" says nothing of the statement.

    Examples
    --------
    >>> denies_an_option("Option B is not correct", [Option("A", "yes"), Option("B", "no")])
    True
    """
    labels = {option.label for option in known}
    return any(at[1] in labels and DENIED.match(text, at.end()) for at in NAMED.finditer(text))


def _counted(text: str, known: Sequence[Option]) -> str | None:
    """Find the option that a number alone names where all count the same thing: 10 among "10 cups", "20 cups"."""
    number = canonical_integer(text)
    parts = [re.fullmatch(r"(\d{1,9})\s+(\D{1,80})", option.text) for option in known]
    if number is None or len({part[2].strip() if part else "" for part in parts}) != 1:
        return None
    found = [option.label for option, part in zip(known, parts, strict=True) if part and int(part[1]) == number]
    return found[0] if len(found) == 1 else None
