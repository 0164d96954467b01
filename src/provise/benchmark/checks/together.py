"""What only all rows together show: ids taken twice, questions asked twice, pictures that look like stand-ins."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from provise.benchmark.checks.entry import Entry
from provise.benchmark.checks.media import Probe, named_media
from provise.benchmark.finding import Finding, Level

__all__ = ["check_ids", "check_placeholders", "check_questions"]


def _at(entry: Entry, level: Level, code: str, message: str) -> Finding:
    return Finding(entry.row.file, entry.row.line, level, code, entry.sample.id, message)


def _folded(name: str) -> str:
    """Return a name as file systems that know no case and one form of accented letters compare it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def check_ids(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield every id after the first of its kind; ids that differ in case or in accents' form alone are warned about."""
    exact: dict[str, str] = {}
    folded: dict[str, str] = {}
    for entry in entries:
        name = entry.sample.id
        if "id" in entry.broken or not name:
            continue
        if name in exact:
            text = f"id {name!r} is taken by {exact[name]}; give every row an id of its own"
            yield _at(entry, "error", "duplicate_id", text)
        elif (plain := _folded(name)) in folded:
            how = "case" if name.isascii() else "case or in the form of accented letters"
            text = f"id {name!r} differs from {folded[plain]} in {how} alone; some file systems mix them up"
            yield _at(entry, "warning", "id_case", text)
        exact.setdefault(name, entry.row.where)
        folded.setdefault(_folded(name), f"{name!r} ({entry.row.where})")


def check_questions(entries: Sequence[Entry], probes: Mapping[str, Probe]) -> Iterator[Finding]:
    """Yield rows that ask a question again over pictures that show the same; one photo may serve many questions."""
    first: dict[tuple[object, ...], Entry] = {}
    for entry in entries:
        sample = entry.sample
        shown = tuple(probes[path].pixels for path in (sample.image_path, *sample.media_paths) if path in probes)
        question = " ".join(sample.question.split()).casefold()
        if not all(shown) or not shown or not question:
            continue
        before = first.setdefault((sample.task, question, sample.choices, shown), entry)
        if before is entry:
            continue
        same = before.sample.image_path == sample.image_path
        what = "the same picture" if same else f"{before.sample.image_path!r}, which shows the same pixels"
        text = f"asks the question of {before.sample.id!r} ({before.row.where}) again, over {what}"
        if before.sample.answer != sample.answer:
            text += f", with another answer ({sample.answer[:40]!r}, there {before.sample.answer[:40]!r})"
        yield _at(entry, "warning", "duplicate_question" if same else "duplicate_picture", text)


def check_placeholders(entries: Sequence[Entry], probes: Mapping[str, Probe]) -> Iterator[Finding]:
    """Yield each picture that looks like a stand-in, once, at the first row that names it."""
    told: set[str] = set()
    for entry in entries:
        for path in named_media(entry):
            reason = probes[path].placeholder
            if reason and path not in told:
                told.add(path)
                yield _at(entry, "warning", "placeholder", f"{path!r} looks like a stand-in: {reason}")
