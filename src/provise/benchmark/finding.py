"""What is wrong with a benchmark, one finding a fact, and the report that holds them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = ["Finding", "Report"]

Level = Literal["error", "warning"]


@dataclass(frozen=True, order=True)
class Finding:
    """One thing that is wrong, or looks wrong, and where.

    Parameters
    ----------
    file : str
        The JSONL file, relative to the benchmark's root; empty where the finding is about the folder.
    line : int
        Line in it, from 1; 0 where the finding is about the whole file.
    level : {"error", "warning"}
        An error breaks a run or a score; a warning asks for a look.
    code : str
        Snake case, e.g. ``duplicate_id``.
    id : str
        The row's id; empty where it has none.
    message : str
        What was got, what is allowed, what to do.

    Examples
    --------
    >>> Finding("a.jsonl", 3, "error", "duplicate_id", "c1", "id 'c1' is taken").place
    'a.jsonl:3 c1'
    """

    file: str
    line: int
    level: Level
    code: str
    id: str
    message: str

    @property
    def place(self) -> str:
        """File, line and id in one string, leaving out what is unknown."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where} {self.id}".strip()

    def __str__(self) -> str:
        return f"{self.level}: {self.place}: {self.message} [{self.code}]"


@dataclass(frozen=True)
class Report:
    """Everything a check found, in the order of the files.

    Parameters
    ----------
    root : str
        The folder.
    files, ignored : tuple of str
        JSONL files that belong to the benchmark, and those that were left alone.
    rows : int
        Rows that were checked, malformed ones included.
    pictures : int
        Distinct media and masks that were decoded.
    findings : tuple of Finding
        Sorted by file and line.
    """

    root: str
    files: tuple[str, ...]
    ignored: tuple[str, ...]
    rows: int
    pictures: int
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that break a run or a score."""
        return tuple(item for item in self.findings if item.level == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that ask for a look."""
        return tuple(item for item in self.findings if item.level == "warning")

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings do not fail."""
        return not self.errors

    def counts(self) -> dict[str, int]:
        """Return findings by code, most frequent first."""
        return dict(Counter(item.code for item in self.findings).most_common())

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "root": self.root,
            "ok": self.ok,
            "rows": self.rows,
            "pictures": self.pictures,
            "files": list(self.files),
            "ignored": list(self.ignored),
            "errors": len(self.errors),
            "warnings": len(self.warnings),
            "counts": self.counts(),
            "findings": [asdict(item) for item in self.findings],
        }


def sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings without repeats, by file, line and code."""
    return tuple(sorted(set(findings)))
