"""Write a report: the page, the tables, the figures, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from provise.errors import InputError
from provise.report.figures import make_figures
from provise.report.floors import SAMPLES, floor_table, make_floors
from provise.report.gallery import make_gallery
from provise.report.html import render_page
from provise.report.media import open_questions
from provise.report.paper import beside_paper, paper_table
from provise.report.results import Results, compute
from provise.report.runs import load_runs
from provise.report.tables import make_tables, to_csv, to_latex, to_markdown
from provise.report.thumbnails import BUDGET
from provise.runs.folder import write_whole

__all__ = ["Written", "write_report"]


SOMETIMES = {
    "tables": [f"{name}.{ending}" for name in ("pairs", "paper") for ending in ("md", "csv", "tex")],
    "figures": ["pairs.svg"],
}
"""Files that some reports have and some have not."""


@dataclass(frozen=True)
class Written:
    """A report that was written.

    Attributes
    ----------
    page : Path
        ``report.html``.
    files : tuple of Path
        All of its files, the page first.
    results : Results
        Its numbers.
    notes : tuple of str
        What its gallery could not show.
    """

    page: Path
    files: tuple[Path, ...]
    results: Results
    notes: tuple[str, ...]


def write_report(
    folders: Sequence[str | Path],
    out: str | Path | None = None,
    *,
    labels: Sequence[str] = (),
    benchmark: str | Path = "",
    force: bool = False,
    paper: bool = False,
    budget: int = BUDGET,
    floor: int = SAMPLES,
) -> Written:
    """Report one run, or several side by side.

    Parameters
    ----------
    folders : sequence of path
        Folders of runs.
    out : path, optional
        Where to write; the run's own folder for one run, ``report`` for several.
    labels : sequence of str
        Names for the first of the runs; else each is named by its system.
    benchmark : path
        Where the benchmark lies now, if it was moved since the run: its pictures stand in the gallery.
    force : bool
        Set runs side by side that do not belong together, and say so in their labels.
    paper : bool
        Set the runs among the results that the paper printed; only for runs of its 470-row release.
    budget : int
        Bytes of all thumbnails.
    floor : int
        Samples of each task on which `blank` and `copy` are read, to show what the benchmark gives for nothing; 0 is none.

    Returns
    -------
    Written
        The same runs give the same bytes.

    Raises
    ------
    InputError
        If a folder is no run, the runs do not belong together, a run is not of the
        release that ``paper`` needs, or nothing can be written.
    """
    runs = load_runs(folders, labels=labels, force=force)
    target = Path(out) if out else runs[0].folder if len(runs) == 1 else Path("report")
    if target.exists() and not target.is_dir():
        raise InputError(f"--out {target} is a file; expected a folder")
    results = compute(runs)
    standings = beside_paper(results.runs) if paper else ()
    home = len(runs) == 1 and target.resolve() == runs[0].folder.resolve()
    questions = {run.name: open_questions(run, benchmark) for run in results.runs}
    gallery = make_gallery(results, questions, linked=home, budget=budget)
    floors = make_floors(results, questions, limit=floor)
    texts = {"report.html": render_page(results, gallery, standings, floors)}
    tables = [*make_tables(results), *([floor_table(floors)] if floors.rows else [])]
    for table in [*tables, *([paper_table(standings)] if standings else [])]:
        texts[f"tables/{table.name}.md"] = to_markdown(table)
        texts[f"tables/{table.name}.csv"] = to_csv(table)
        texts[f"tables/{table.name}.tex"] = to_latex(table)
    texts |= {f"figures/{name}": svg for name, svg in make_figures(results).items()}
    return Written(target / "report.html", tuple(_write(target, texts)), results, gallery.notes)


def _write(target: Path, texts: dict[str, str]) -> list[Path]:
    try:
        for name in texts:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
        _swept(target, texts)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error})") from error
    for name, text in texts.items():
        write_whole(target / name, text)
    return [target / name for name in texts]


def _swept(target: Path, texts: Iterable[str]) -> None:
    """Take away what a former report here left that this one does not have, and the parts of one that was killed."""
    there = {f"{folder}/{name}" for folder, names in SOMETIMES.items() for name in names} - set(texts)
    for name in there:
        (target / name).unlink(missing_ok=True)
    for pattern in ("report.html.part", "tables/*.part", "figures/*.part"):
        for part in target.glob(pattern):
            part.unlink(missing_ok=True)
