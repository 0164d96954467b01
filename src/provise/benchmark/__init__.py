"""Benchmarks: open a folder, check it, fill what a picture shows."""

from provise.benchmark.finding import Finding, Report
from provise.benchmark.open import Benchmark, open_benchmark
from provise.benchmark.paths import resolve_media

__all__ = ["Benchmark", "Finding", "Report", "open_benchmark", "resolve_media"]
