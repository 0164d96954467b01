"""An audit: readings drawn by lot for people to judge, and how far they agree with the readers.

The certificate reads this package's own drawings; an audit reads the world's. What is judged is the reading, not the answer:
whether a person who looks at the picture reads the same. The truth is therefore not on the sheet.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from provise.conformance.tally import clopper_pearson
from provise.errors import InputError
from provise.report.runs import LoadedRun
from provise.report.tables import guarded
from provise.report.texts import clean, cut, say, title
from provise.scoring import Row

__all__ = ["COLUMNS", "JUDGEMENTS", "Agreement", "Item", "agreement", "choose", "read_labels"]

COLUMNS = ("item", "system", "id", "task", "reading", "judgement", "note")
JUDGEMENTS = ("right", "wrong", "unclear")
"""Right: a person reads the same; wrong: a person reads something else; unclear: a person cannot tell."""

_READ = ("correct", "incorrect", "protocol_noncompliance")


@dataclass(frozen=True)
class Item:
    """One reading to be judged."""

    run: LoadedRun
    row: Row

    @property
    def reading(self) -> str:
        """What the reader made of the picture."""
        if self.row.outcome == "protocol_noncompliance":
            return f"refused: {clean(self.row.reason).replace('_', ' ')}"
        return say(self.row.prediction, 200)

    def cells(self, number: int) -> tuple[str, ...]:
        """Return its line of the sheet, the judgement left to a person."""
        named = (self.run.name, clean(self.row.id), title(self.row.task), self.reading)
        return (str(number), *(str(guarded(cut(text, 400))) for text in named), "", "")


@dataclass(frozen=True)
class Agreement:
    """How often people read what the reader read.

    Attributes
    ----------
    right, wrong, unclear, open : int
        Judgements; open are those without one.
    """

    right: int = 0
    wrong: int = 0
    unclear: int = 0
    open: int = 0

    @property
    def share(self) -> float | None:
        """Agreement in percent of what was judged right or wrong; None where nothing was."""
        judged = self.right + self.wrong
        return 100 * self.right / judged if judged else None

    @property
    def limits(self) -> tuple[float, float]:
        """Its exact (Clopper-Pearson) 95 % limits in percent."""
        low, high = clopper_pearson(self.right, self.right + self.wrong)
        return 100 * low, 100 * high


def choose(runs: Sequence[LoadedRun], n: int, *, seed: int = 0) -> list[Item]:
    """Draw readings for an audit: as many of each task as can be, of a task every kind of outcome by its share.

    Parameters
    ----------
    runs : sequence of LoadedRun
        Of systems that draw; answers in words are left out.
    n : int
        How many; all of them where there are fewer.
    seed : int
        Another one draws others.

    Returns
    -------
    list of Item
        Task by task. A task's readings come into it with equal chances, so that its agreement needs no weights.

    Raises
    ------
    InputError
        If n is below 1 or nothing was read from a picture.
    """
    if n < 1:
        raise InputError(f"--audit {n}: expected at least 1 reading")
    tasks: dict[str, list[Item]] = {}
    for run in runs:
        for row in run.rows:
            if row.outcome in _READ and row.reader and row.reader != "text":
                tasks.setdefault(row.task, []).append(Item(run, row))
    if not tasks:
        raise InputError("no reading of a picture is in these runs; there is nothing to judge")
    sizes = _spread(n, {task: len(items) for task, items in tasks.items()})
    return [item for task, items in tasks.items() for item in _drawn(items, sizes[task], seed)]


def _spread(n: int, available: Mapping[str, int]) -> dict[str, int]:
    """Share n out among the tasks as evenly as what they have allows."""
    sizes = dict.fromkeys(available, 0)
    left = min(n, sum(available.values()))
    while left:
        for task, most in available.items():
            if left and sizes[task] < most:
                sizes[task] += 1
                left -= 1
    return sizes


def _drawn(items: list[Item], k: int, seed: int) -> list[Item]:
    """Draw k items at even steps through them, ordered by outcome and within it by lot."""
    if not k:
        return []

    def lot(item: Item) -> str:
        return hashlib.sha256(repr((seed, item.run.name, item.row.id)).encode()).hexdigest()

    ordered = sorted(items, key=lambda item: (str(item.row.outcome), lot(item)))
    start = int(hashlib.sha256(repr((seed, items[0].row.task)).encode()).hexdigest()[:8], 16) / 2**32
    return [ordered[int((i + start) * len(ordered) / k)] for i in range(k)]


def read_labels(path: Path, runs: Sequence[LoadedRun]) -> list[tuple[Item, str]]:
    """Read a sheet that people filled in.

    Parameters
    ----------
    path : Path
        CSV with the columns `COLUMNS`, parted by commas or semicolons.
    runs : sequence of LoadedRun
        The runs it was drawn from, under the same names.

    Returns
    -------
    list of (Item, str)
        With the judgement, empty where there is none.

    Raises
    ------
    InputError
        If the file is no such sheet, a line is of no reading of these runs, the reading has changed since, or a judgement
        is none of `JUDGEMENTS`; with the line's number.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            # Spreadsheets of many countries save with semicolons.
            first = file.readline()
            file.seek(0)
            lines = list(csv.DictReader(file, delimiter=";" if first.count(";") > first.count(",") else ","))
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV ({error})") from error
    known = {item.cells(0)[1:3]: item for run in runs for row in run.rows for item in [Item(run, row)]}
    found, seen = [], set()
    for number, line in enumerate(lines, 2):
        where = f"{path}:{number}"
        lacks = [name for name in COLUMNS[1:6] if line.get(name) is None]
        if lacks:
            raise InputError(f"{where}: no {lacks[0]}; expected the columns {', '.join(COLUMNS)}")
        key = (line["system"], line["id"])
        item = known.get(key)
        if item is None:
            raise InputError(f"{where}: {line['id']!r:.60} of {line['system']!r:.60} is in none of these runs")
        if key in seen:
            raise InputError(f"{where}: {line['id']!r:.60} of {line['system']!r:.60} was judged above already")
        seen.add(key)
        if item.cells(0)[4] != line["reading"]:
            raise InputError(
                f"{where}: {line['reading']!r:.60} was judged, now it reads {item.reading!r:.60}; judge it again"
            )
        judgement = line["judgement"].strip().lower()
        if judgement and judgement not in JUDGEMENTS:
            raise InputError(f"{where}: judgement is {judgement!r:.60}; allowed are {', '.join(JUDGEMENTS)}")
        found.append((item, judgement))
    if not found:
        raise InputError(f"{path}: no line; expected the sheet that --audit wrote")
    return found


def agreement(labels: Sequence[tuple[Item, str]]) -> dict[str, Agreement]:
    """Count judgements by task.

    Examples
    --------
    >>> [round(end, 1) for end in Agreement(right=9, wrong=1).limits]
    [55.5, 99.7]
    """
    tasks: dict[str, list[str]] = {}
    for item, judgement in labels:
        tasks.setdefault(item.row.task, []).append(judgement)
    counts = {task: [found.count(name) for name in (*JUDGEMENTS, "")] for task, found in tasks.items()}
    return {task: Agreement(*four) for task, four in counts.items()}
