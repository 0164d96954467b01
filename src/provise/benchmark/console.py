"""A report for a person at a terminal: findings grouped by code, errors first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provise.benchmark.finding import Finding, Report

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_report"]

SHOWN = 8
"""Findings of one code that are listed; the rest are counted."""


def print_report(report: Report, console: Console, *, every: bool = False) -> None:
    """Print a report.

    Parameters
    ----------
    report : Report
        Of `provise.benchmark.check_benchmark`.
    console : rich.console.Console
        Where to.
    every : bool
        List all findings of a code instead of the first eight.
    """
    for level, colour in (("error", "red"), ("warning", "yellow")):
        groups: dict[str, list[Finding]] = {}
        for item in report.findings:
            if item.level == level:
                groups.setdefault(item.code, []).append(item)
        for code, items in sorted(groups.items(), key=lambda pair: -len(pair[1])):
            console.print(f"[bold {colour}]{level}[/] [bold]{code}[/] ({len(items)})", highlight=False)
            listed = items if every else items[:SHOWN]
            for item in listed:
                console.print(f"  {item.place}: {item.message}", markup=False, highlight=False, soft_wrap=True)
            if len(listed) < len(items):
                console.print(f"  and {len(items) - len(listed)} more (--all lists them)", style="dim", highlight=False)
    verdict = "[bold green]ok[/]" if report.ok else "[bold red]not ok[/]"
    console.print(
        f"{verdict}: {report.rows} rows in {len(report.files)} file(s), {report.pictures} pictures, "
        f"{len(report.errors)} error(s), {len(report.warnings)} warning(s)",
        highlight=False,
    )
