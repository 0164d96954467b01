"""Reports on runs: one page that opens offline, tables, figures."""

from provise.report.runs import LoadedRun, load_runs
from provise.report.write import Written, write_report

__all__ = ["LoadedRun", "Written", "load_runs", "write_report"]
