"""Tables as Markdown, CSV and LaTeX, from one description each."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass

from provise.report.results import Results
from provise.report.texts import OUTCOME_NAMES, clean, p_value, points, title

__all__ = ["Cell", "Table", "guarded", "make_tables", "to_csv", "to_latex", "to_markdown"]

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """A table: the first column is text, the rest are numbers.

    Attributes
    ----------
    name : str
        Of its files.
    caption : str
        What it shows, its units, its caveats.
    head : tuple of str
        One a column.
    rows : tuple of tuple
        Exact numbers, texts, None.
    """

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def make_tables(results: Results) -> list[Table]:
    """Return the tables of a report: scores, outcomes, tasks, and pairs where there are two runs or more."""
    found = [_scores(results), _outcomes(results), _tasks(results)]
    return [*found, _pairs(results)] if results.pairs else found


def to_markdown(table: Table) -> str:
    """Return a table as Markdown; what a name holds is text there, whatever it looks like."""
    lines = [table.head, *(_said(table, row) for row in table.rows)]
    head, *body = ["| " + " | ".join(_markdown(cell) for cell in line) + " |" for line in lines]
    rule = "|" + "|".join(" --- " if i == 0 else " ---: " for i in range(len(table.head))) + "|"
    return "\n".join([f"**{_markdown(table.caption)}**", "", head, rule, *body]) + "\n"


def to_csv(table: Table) -> str:
    """Return a table as CSV with unrounded numbers; a text that a spreadsheet would run as a formula is quoted for it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([guarded(cell) for cell in table.head])
    writer.writerows([guarded(cell) for cell in row] for row in table.rows)
    return out.getvalue()


def to_latex(table: Table) -> str:
    """Return a table as LaTeX for the booktabs package."""
    lines = [" & ".join(_latex(cell) for cell in _said(table, row)) + r" \\" for row in table.rows]
    return "\n".join([
        "% needs \\usepackage{booktabs}", r"\begin{table}", r"\centering", rf"\caption{{{_latex(table.caption)}}}",
        rf"\begin{{tabular}}{{l{'r' * (len(table.head) - 1)}}}", r"\toprule",
        " & ".join(_latex(cell) for cell in table.head) + r" \\", r"\midrule", *lines, r"\bottomrule",
        r"\end{tabular}", r"\end{table}", "",
    ])  # fmt: skip


def _scores(results: Results) -> Table:
    """One row a run: rank, overall with its interval, capabilities."""
    names = results.capabilities
    head = ("system", "rank", "n", "overall", "low", "high", *(title(name) for name in names), "scorable %")
    rows = []
    for run in results.runs:
        whole, parts = run.summary["overall"], run.summary["capabilities"]
        rows.append((
            run.label, results.ranks.get(run.name), whole["n"], whole["score"], whole.get("low"), whole.get("high"),
            *(parts.get(name, {}).get("score") for name in names), results.attribution.by_system[run.name].scorable,
        ))  # fmt: skip
    caption = "Scores in percent: overall is the mean of the tasks, low and high its 95 % interval."
    return Table("scores", caption, head, tuple(rows))


def _tasks(results: Results) -> Table:
    """One row a task; of each run the score with its interval."""
    head = ["task", "capability", "n", "blind"]
    for run in results.runs:
        head += [run.label, f"low of {run.name}", f"high of {run.name}"]
    rows = []
    for task, capability in results.tasks.items():
        parts = [run.summary["tasks"].get(task, {}) for run in results.runs]
        known = next(part for part in parts if part)
        row: list[Cell] = [title(task), title(capability), known["n"], known.get("null_score")]
        for part in parts:
            row += [part.get("score"), part.get("low"), part.get("high")]
        rows.append(tuple(row))
    caption = "Scores by task in percent; blind is what answers that took no look at the picture score."
    return Table("tasks", caption, tuple(head), tuple(rows))


def _outcomes(results: Results) -> Table:
    """One row a run and a task: how many answers came to what."""
    head = ("system", "task", "n", *(name for name, _ in OUTCOME_NAMES.values()))
    rows: list[tuple[Cell, ...]] = []
    for run in results.runs:
        for task, found in results.attribution.cells[run.name].items():
            rows.append((run.label, title(task), found.n + found.unresolved, *found.counts.values(), found.unresolved))
    return Table("outcomes", "How many answers came to what, by system and task.", head, tuple(rows))


def _pairs(results: Results) -> Table:
    head = ("first", "second", "difference", "low", "high", "both", "first only", "second only", "neither", "McNemar p")
    rows = tuple(
        (
            pair.first.label, pair.second.label, pair.overall.points, pair.overall.low, pair.overall.high,
            pair.outcomes.both, pair.outcomes.first_only, pair.outcomes.second_only, pair.outcomes.neither,
            pair.outcomes.p_value,
        )
        for pair in results.pairs
    )  # fmt: skip
    caption = (
        "Second minus first in points of the overall score with its paired 95 % interval, who solved how many samples, "
        "and the exact McNemar test."
    )
    return Table("pairs", caption, head, rows)


def _said(table: Table, row: tuple[Cell, ...]) -> tuple[str, ...]:
    """Say a row for a person: a decimal, and of a p-value as many as it needs."""
    return tuple(_plain(cell, table.head[i]) for i, cell in enumerate(row))


def _plain(value: Cell, column: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return p_value(value).removeprefix("p ").removeprefix("= ") if column.endswith(" p") else points(value)
    return str(value)


def guarded(cell: Cell) -> Cell:
    """Return a cell as a CSV may hold it: a text that a spreadsheet would run as a formula gets a quote before it."""
    if not isinstance(cell, str):
        return cell
    text = clean(cell)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", clean(text)).strip()


def _markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|!&~])", r"\\\1", _one_line(text))


_LATEX: Mapping[str, str] = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "–": "--", "−": "$-$",
}  # fmt: skip


def _latex(text: str) -> str:
    written = "".join(_LATEX.get(c, c) for c in _one_line(text))
    # After the end of a row these two would be read as its options.
    return f"{{}}{written}" if written[:1] in ("[", "*") else written
