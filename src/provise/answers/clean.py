"""From what a model printed to the part of it that answers: reasoning, markup and formulas off, explicit answers found."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import NamedTuple

__all__ = ["LIMIT", "Cleaned", "Stated", "clean", "explicit"]

LIMIT = 40_000
"""Characters read of a text, its last ones: an answer stands at the end."""

_NAMES = r"(?:\w{1,20}:)?(?:think|thinking|thought|thoughts|reasoning|reason|analysis|scratchpad|reflection|cot)"
REASONING = re.compile(rf"<(/?){_NAMES}(?:\s[^<>]{{0,200}})?>|[\[◁](/?){_NAMES.upper()}[\]▷]", re.IGNORECASE)
FINAL = re.compile(r"<\|channel\|>\s*final\s*<\|message\|>")
TOKEN = re.compile(r"<\|[^|<>]{0,60}\|>")
BOX_TOKEN = re.compile(r"<\|box_(?:start|(end))\|>")
_DRESSES = r"(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf)"
DRESSED = re.compile(rf"\\{_DRESSES}\s?\{{([^{{}}]*)\}}")
DRESS = re.compile(rf"\\(?:{_DRESSES}|bf|rm|displaystyle)\b\s?")
GAP = re.compile(r"\s{3,}")
SPACES = re.compile(r"\\[,;:! ]|\\quad\b|\\qquad\b|~")
FENCE = re.compile(r"^[ \t]{0,20}(?:```|~~~)[\w-]{0,40}[ \t]{0,20}$", re.MULTILINE)
MARK = re.compile(
    r"\\boxed\s*(?=\{)|\\fbox\s*(?=\{)|<answer>|</answer>|[\"'](?:(?:final|selected|chosen|predicted|correct)?_?(?:answer|option|choice)|final)[\"']\s*:"
    r"|(?:^[ \t]{0,8}|(?<=[.!?] ))(?:final|verdict|conclusion)\s*:"
    r"(?=\s{0,3}(?:[(\[]?[A-Z][)\]]?|\d{1,15}|true|false|yes|no)[ \t]{0,8}[.!]?[ \t]{0,8}$)"
    r"|\b(?:ans(?:wers?)?|solution)\s*(?:\([^()\n]{0,30}\)\s*)?(?::|=|-(?=\s)|\bis\b(?:\s*:)?|\b(?:would|must|should|will|has\s+to)\s+be\b)"
    r"|\b(?:correct|right|proper|best|final|chosen|selected)\s+(?:option|choice|letter)\s*(?::|\bis\b(?:\s*:)?)"
    r"|\bI(?:'ll|'d| will| would)?\s+(?:choose|pick|select|go with)\b|\b(?:I'm|I am)\s+(?:going with|choosing|picking)\b"
    r"|\b(?:(?:therefore|thus|hence|so|actually),?|no[,:])\s+(?:it(?:'s| is| must be| has to be)\s+)?"
    r"(?=(?:(?:the )?(?:option |choice )?[(\[]?[A-Z][)\]]?|\d{1,15})[ \t]{0,8}[.!]?[ \t]{0,8}$)"
    r"|\b(?:correction|edit|wait|sorry|I mean|I meant|make that|scratch that|on second thoughts?|on reflection)\b[,:.!]?\s{1,2}"
    r"(?:(?:no|actually|I mean|make that)\b[,:.]?\s{1,2}){0,2}(?:it(?:'s| is| must be| should be| has to be)\s+)?"
    r"(?=(?:[(\[]?[A-Z][)\]]?|\d{1,15})[ \t]{0,8}[.!]?[ \t]{0,8}$)"
    r"|\bit must be\s+(?=(?:option |choice )?[(\[]?[A-Z][)\]]?[ \t]{0,8}[.!]?[ \t]{0,8}$)"
    r"|^[ \t]{0,8}(?:(?:the|my|final|correct) ){0,2}answer[ \t]*$"
    r"|选择?\s*:*\s*(?=[(\[]?[A-Z])|(?:(?:答案|答)\s*(?:(?:是|为|為)+?:?|:+)|答え\s*(?:は|:)+|(?:정답|답)\s*(?:은|는|:)+)|\b(?:réponse|respuesta|antwort|resposta|risposta)\s*(?::|\b(?:est|es|ist|é|è)\b)",
    re.IGNORECASE | re.MULTILINE,
)
STORY = re.compile(
    r"[\"'](?:thoughts?|thinking|reason|reasoning|rationale|explanation|analysis|justification|why)[\"']\s*:\s*\"[^\"\\\n]{0,4000}"
    r"(?:\\.[^\"\\\n]{0,4000}){0,200}\"\s*,?\s*(?=[\"'}])"
)
"""A field of JSON that tells how the answer was found."""

FIELD = re.compile(
    r"[\"'](?!confidence|certainty|probability|score|\w{0,20}id\b|question|step|task)\w{1,40}[\"']\s*:", re.IGNORECASE
)
EACH_OPTION = re.compile(r"[\"'](?:option|choice)[\"']", re.IGNORECASE)
NEGATED = re.compile(r"\s*(?:not|n't|never|neither|cannot|unlikely)\b", re.IGNORECASE)
WRONG = re.compile(r"\b(?:wrong|incorrect|false|bad|worst|tempting|first|other|previous|initial)\s+$", re.IGNORECASE)
RAISED = re.compile("[⁰¹²³⁴-⁹]{1,9}")
CURLY = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "′": "'", "−": "-", "–": "-", "⁄": "/"})


class Stated(NamedTuple):
    """An answer that a text calls so: its line, its lines up to the next such answer, and all that the text says after it."""

    line: str
    lines: str
    after: str


class Cleaned(NamedTuple):
    """A text without its reasoning, and whether the reasoning was cut off before an answer came."""

    text: str
    cut_off: bool


def clean(text: str) -> Cleaned:
    """Take off what is not the answer: reasoning in tags, special tokens, Markdown, LaTeX dress, odd characters.

    A closing tag without its opening one ends reasoning that began before the text; an opening one without a closing
    one means that the text was cut off inside.

    Examples
    --------
    >>> clean("<think>A or C?</think>**B**").text, clean("<think>Perhaps").cut_off
    ('B', True)
    """
    text = text.rstrip()[-LIMIT:]
    # Fractions written as one character would fuse with the number before them, double primes would be two feet.
    text = re.sub(r"(?<=\d)(?=[¼½¾⅐-⅞])", " ", text).replace("″", '"').replace("''", '"')
    # A raised digit is a power, which plain digits would fuse with the number under it.
    text = RAISED.sub(lambda power: "^" + power[0], text)
    text = unicodedata.normalize("NFKC", text)[-LIMIT:].translate(CURLY).replace("\r\n", "\n").replace("\r", "\n")
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    text = _narrow(text)
    finals = list(FINAL.finditer(text))
    text = BOX_TOKEN.sub(lambda token: "</box>" if token[1] else "<box>", text[finals[-1].end() :] if finals else text)
    text = TOKEN.sub(" ", text)
    text, cut_off = _without_reasoning(text)
    text = FENCE.sub("", text)
    told = STORY.sub("", text)
    text = told if FIELD.search(told) else text
    text = re.sub(r"\\(?:left|right|[bB]igg?[lr]?)(?=\s*[(\[\])|.\\{}])", "", text)
    text = re.sub(r"\\(?:neg|lnot)\b\s?|(?<![\w}~.,:])~(?=(?:true|false)\b)", "¬", text, flags=re.IGNORECASE)
    for _ in range(4):  # dress may lie over dress; what is nested deeper loses its command alone
        text = DRESSED.sub(r"\1", text)
    text = re.sub(r"(?<=\b[xyXY])\s?~\s?(?=\d)", "≈", text)
    text = re.sub(r"(?<=\d)\s?[~〜]\s?(?=\d)", "-", text)  # a range, no LaTeX space
    text = SPACES.sub(" ", DRESS.sub("", text)).replace(r"\{", "{").replace(r"\}", "}")
    text = re.sub(r"(?<=\d)\s?\*\s?(?=\d)", " × ", text.replace("{,}", ","))  # a product, no emphasis
    text = re.sub(r"\\[()\[\]]|\$|\*+|`+|(?<!\w)_+|_+(?!\w)", "", text)
    text = re.sub(r"^[ \t]{0,8}(?:#{1,6}|>(?!\s*\d))[ \t]+", "", text, flags=re.MULTILINE)
    return Cleaned(_narrow(text).strip(), cut_off)


def _narrow(text: str) -> str:
    """Cut every run of white space to two characters: on longer ones, patterns for any number turn quadratic."""
    return GAP.sub(lambda gap: "\n\n" if "\n" in gap[0] else "  ", text)


def _without_reasoning(text: str) -> tuple[str, bool]:
    kept: list[str] = []
    inside, start = False, 0
    for tag in REASONING.finditer(text):
        if tag[1] or tag[2]:
            if not inside:
                kept.clear()
            inside, start = False, tag.end()
        elif not inside:
            kept.append(text[start : tag.start()])
            inside = True
    if not inside:
        kept.append(text[start:])
    return "\n".join(kept), inside


def explicit(text: str) -> list[Stated]:
    r"""Find the answers a text calls its answer, the last one first.

    Returns
    -------
    list of Stated
        What follows the mark up to the end of its line (or in its braces, tags or JSON value), the same up to the
        next mark, for answers of several lines, and up to the end of the text.

    Examples
    --------
    >>> [stated.line for stated in explicit("\\boxed{\\frac{1}{2}}\nAnswer: D")]
    ['D', '\\frac{1}{2}']
    """
    marks = list(MARK.finditer(text))
    listed = [mark for mark in marks if EACH_OPTION.match(mark[0])]
    # One "option" field is the answer; several describe the options.
    marks = [mark for mark in marks if len(listed) < 2 or not EACH_OPTION.match(mark[0])][-40:]
    found: list[Stated] = []
    for index, mark in enumerate(marks):
        end = marks[index + 1].start() if index + 1 < len(marks) else len(text)
        name = mark[0].lower()
        rest, after = text[mark.end() : end], text[mark.end() :]
        if name == "</answer>" or NEGATED.match(rest) or WRONG.search(text[max(0, mark.start() - 40) : mark.start()]):
            continue
        if name.startswith("\\"):
            inner = _braced(text, mark.end())
            found.append(Stated(inner, inner, after))
        elif name == "<answer>":
            inner = re.split("</answer>", after, maxsplit=1, flags=re.IGNORECASE)[0].strip()
            found.append(Stated(inner, inner, after))
        elif name[0] in "\"'":
            value = _json_value(after)
            found.append(Stated(value, value, after))
        else:
            rest = rest.strip()
            found.append(Stated(rest.split("\n", 1)[0].strip(), rest, after))
    return [stated for stated in reversed(found) if stated.line]


def _braced(text: str, start: int) -> str:
    """Return what stands between the brace at `start` and the one that closes it."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            inner = text[start + 1 : at].strip()
            return re.sub(r"^\{([^{}]*)\}$", r"\1", inner).strip()
    return text[start + 1 :]


def _json_value(text: str) -> str:
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return re.split(r"[}\n]", text, maxsplit=1)[0].strip(" ,\"'") if "[" not in text else text.strip()
    return value if isinstance(value, str) else json.dumps(value)
