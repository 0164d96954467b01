"""True or false, with its negations."""

from __future__ import annotations

import re

from provise.answers.answer import TextAnswer, refuse
from provise.labels import canonical_boolean

__all__ = ["read_boolean"]

ECHO = re.compile(r"\b(?:true or false|yes or no|false or true|no or yes|true/false|yes/no)\b[?:]?", re.IGNORECASE)
STRONG = re.compile(r"\b(true|false|correct|incorrect|untrue)\b(?!\s+(?:answer|response|option|choice))", re.IGNORECASE)
DENIED = re.compile(
    r"(?:(?<!\S)[!¬]\s?(?=$)"
    r"|\b(?:not|never|\w{1,9}n't|cannot|neither|nor|nothing|none|no longer|hardly|wrong|far from"
    r"|anything but|by no means|fails to|doubt\w{0,4})\b)"
    r"([^.;!?\n]{0,80})$",
    re.IGNORECASE,
)
SURE = re.compile(r"\b(?:there is no|no|without(?: a)?) doubt\b", re.IGNORECASE)
CONTRAST = re.compile(
    r"\b(?:(true|false|correct|incorrect)\s*[,;(]\s*(?:and )?not (?:true|false|correct|incorrect)"
    r"|(yes)\s*[,;(]\s*(?:and )?not (?:no|false|incorrect)|(no)\s*[,;(]\s*(?:and )?not (?:yes|true|correct))\b",
    re.IGNORECASE,
)
HEDGED = re.compile(
    r"\b(?:if|whether|unless|unsure|unclear|uncertain|part(?:ly|ially)|half|might|may|maybe|perhaps|possibly|potentially"
    r"|chance|probability|odds|unlikely|not sure"
    r"|could(?! hardly| never|n't| not))\b"
    r"[^.,:;!?\n]{0,60}$",
    re.IGNORECASE,
)
WRONGLY = re.compile(r"\b(?:incorrectly|wrongly|falsely|mistakenly|inaccurately)\b[^.;!?\n]{0,60}$", re.IGNORECASE)
UNABLE = re.compile(
    r"\bI(?:'m| am)? (?:can't|cannot|can not|could not|couldn't|(?:not|un)able to|not able to|do not|don't)"
    r"(?: (?:see|view|open|access|find|make out) (?:the|any|an|your|that|this) (?:image|picture|photo|attachment|file)s?"
    r"| (?:tell|determine|say|know|answer|confirm|verify|judge|decide)\b)",
    re.IGNORECASE,
)
"""What a model cannot do: a "no" before it says nothing of the question."""

CONDITION = re.compile(r"\s+(?:only\s+)?(?:if|unless|when|provided)\b", re.IGNORECASE)
"""What leaves open whether a thing is true: "whether it is true", "partly true", "true if"."""

NEAR = 4
"""Words between a negation and what it surely denies."""

PARTLY = re.compile(r"\b(?:partially|partly|half)[- ](?:true|false|correct|incorrect)\b", re.IGNORECASE)
LEADING = re.compile(
    r"\W*(yes|true|false)\b(?!\s+(?:if|unless|when)\b)|\W*(no)\b(?=\W*$|\s*[^\w\s]|\s*\n"
    r"|\s+(?:it|he|she|they|there|that|this|these|those|the|its|we|you|i|not|because|since|as|surely|false|true)\b)",
    re.IGNORECASE,
)
"""A yes or no that the text begins with; "no" before any other word belongs to it: "no idea", "no cups"."""

WEAK = re.compile(r"\b(yes|no)\b(?=\s*(?:[.,;:!\n]|$))", re.IGNORECASE)
_EITHER = r"(?:yes|no|true|false|oui|non|sí|si|ja|nein|sim|não|vero|falso|vrai|faux)"
BOTH = re.compile(rf"\W*{_EITHER}\s*(?:\b(?:and|or|y|o|et|ou|und|oder|e)\b|/|&)\s*{_EITHER}\b", re.IGNORECASE)
MAYBE = re.compile(r"\W*(?:perhaps|maybe|possibly)\b\W{0,4}(?:yes|no|true|false)\b", re.IGNORECASE)
AFFIRMED = ("true", "correct", "yes")
_YES = "是的|是|对的?|對的?|正确|正確|はい|ええ|네|예|да|oui|ja|sí|si|sim|sì|vrai|wahr|richtig|verdadero|verdadeiro|vero|cierto"
_NO = "不是的?|不对|不對|否|错误|錯誤|错|錯|いいえ|아니요|아니오|нет|non|nein|não|faux|falsch|falso"
FOREIGN = re.compile(rf"\W*(?:({_YES})|({_NO}))(?=\W*$|\s?[,.;:!。、\n(])", re.IGNORECASE)
"""A yes or no of another language with which the text begins."""


def read_boolean(text: str) -> TextAnswer:
    """Read a boolean. "Not true" is false; "not false" claims nothing definite and is ambiguous."""
    whole = canonical_boolean(text)
    if whole is not None:
        return TextAnswer(whole)
    text = CONTRAST.sub(r"\1\2\3", SURE.sub("surely", ECHO.sub(" ", text)))
    # What the answer asks it does not claim: "Is it true? No."
    claims = "".join(part for part in re.split(r"(?<=[.?!\n])", text) if not part.endswith("?"))
    if not claims.strip():
        return refuse("no_answer", "the answer only asks")
    text = claims
    if PARTLY.search(text):
        return refuse("ambiguous", "the answer says that it is so in part")
    if MAYBE.match(text):
        return refuse("ambiguous", "the answer is left open")
    if BOTH.match(text):
        return refuse("ambiguous", "the answer says both")
    strong = _strong(text)
    led = LEADING.match(text)
    if led and led[2] and UNABLE.search(text, led.end()):
        return refuse("no_answer", "the answer says what the model cannot do")
    if not led and not strong and (foreign := FOREIGN.match(text)):
        return TextAnswer(foreign[1] is not None)
    first = (led[1] or led[2]).lower() if led else ""
    if led and strong <= {first in AFFIRMED}:
        return TextAnswer(first in AFFIRMED)
    if strong:
        value = strong.pop()
        if strong or value is None:
            return refuse("ambiguous", "the answer both affirms and denies, or denies a denial")
        return TextAnswer(value) if not led or first in ("true", "false") else refuse("ambiguous", "yes and no")
    return _weak(text)


def _strong(text: str) -> set[bool | None]:
    """Find what a text says to be so or not so; None for what it leaves open."""
    strong: set[bool | None] = set()
    for found in STRONG.finditer(text):
        said: bool | None = found[1].lower() in AFFIRMED
        before = text[max(0, found.start() - 100) : found.start()]
        if HEDGED.search(before) or CONDITION.match(text, found.end()) or (said and WRONGLY.search(before)):
            said = None
        elif denied := DENIED.search(before):
            # "Not true" is false; what "not false" or "I do not think that it could be true" claims is not definite.
            said = False if said and len(denied[1].split()) < NEAR else None
        strong.add(said)
    return strong


def _weak(text: str) -> TextAnswer:
    """Read a yes or no that stands somewhere in the text."""
    answers = list(WEAK.finditer(text))
    if any(HEDGED.search(text[max(0, found.start() - 100) : found.start()]) for found in answers):
        return refuse("ambiguous", "a yes or no is left open")
    if any(DENIED.search(text[max(0, found.start() - 100) : found.start()]) for found in answers):
        return refuse("ambiguous", "a yes or no is denied, and no other is claimed")
    weak = {found[1].lower() == "yes" for found in answers}
    if len(weak) == 1:
        return TextAnswer(weak.pop())
    return (
        refuse("ambiguous", "the answer says yes and no") if weak else refuse("no_answer", "neither yes nor no is said")
    )
