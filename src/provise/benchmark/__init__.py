"""Benchmarks: open a folder, check it, fill what a picture shows."""

from provise.benchmark.check import check_benchmark
from provise.benchmark.fill import Filled, fill_coordinates
from provise.benchmark.finding import Finding, Report
from provise.benchmark.open import Benchmark, open_benchmark
from provise.benchmark.paths import resolve_media

__all__ = [
    "Benchmark",
    "Filled",
    "Finding",
    "Report",
    "check_benchmark",
    "fill_coordinates",
    "open_benchmark",
    "resolve_media",
]
