"""Check a benchmark folder: every problem at once, errors apart from warnings (paper, appendix B.3)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from provise.benchmark.checks.aids import check_aids
from provise.benchmark.checks.entry import Entry, Found, make_entry
from provise.benchmark.checks.fields import check_fields, check_id, check_metadata, check_task
from provise.benchmark.checks.media import check_mask, check_media, probe_all
from provise.benchmark.checks.together import check_ids, check_placeholders, check_questions
from provise.benchmark.checks.truth import check_choices, check_truth
from provise.benchmark.finding import Finding, Report, sort_findings
from provise.benchmark.open import load_rows
from provise.benchmark.place import locate

__all__ = ["check_benchmark"]

ROW_CHECKS: tuple[Callable[[Entry], Found], ...] = (
    check_fields, check_id, check_task, check_metadata, check_choices, check_truth, check_aids,
)  # fmt: skip
"""Checks that need no picture decoded."""


def check_benchmark(folder: str | Path) -> Report:
    """Check every row, picture and mask of a benchmark folder.

    Parameters
    ----------
    folder : path
        The folder, or one JSONL file of it; or another name that `provise.open_benchmark` takes.

    Returns
    -------
    Report
        All findings, each with file, line and id. ``report.ok`` is False if one of them is an error; errors break a
        run or a score, warnings ask for a look.

    Raises
    ------
    InputError
        If there is no such folder, or no file in it belongs to a benchmark.
    """
    root, files, strangers = load_rows(locate(folder).folder)
    findings: list[Finding] = list(strangers)
    entries: list[Entry] = []
    for row in (row for rows in files.values() for row in rows):
        if row.value is None:
            findings.append(Finding(row.file, row.line, "error", "malformed_line", "", row.problem))
        else:
            entries.append(make_entry(row, root))
    probes = probe_all(entries, root)
    for entry in entries:
        found = [item for check in ROW_CHECKS for item in check(entry)]
        found += [*check_media(entry, probes), *check_mask(entry, probes)]
        place = (entry.row.file, entry.row.line)
        findings += [Finding(*place, level, code, entry.sample.id, text) for level, code, text in found]
    findings += check_ids(entries)
    findings += check_questions(entries, probes)
    findings += check_placeholders(entries, probes)
    rows = sum(len(rows) for rows in files.values())
    strange = tuple(item.file for item in strangers)
    return Report(str(root), tuple(files), strange, rows, len(probes), sort_findings(findings))
