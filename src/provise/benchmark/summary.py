"""A benchmark folder in a few numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from provise.benchmark.open import Benchmark

__all__ = ["summarise_folder"]


def summarise_folder(benchmark: Benchmark) -> dict[str, Any]:
    """Return name, files, digest, rows by capability and task, answer types and sources, as JSON values.

    A benchmark from the Hub tells its origin and revision, too.
    """
    tasks = Counter((sample.capability, sample.task) for sample in benchmark.samples)
    capabilities: dict[str, dict[str, int]] = {}
    for (capability, task), n in tasks.items():
        capabilities.setdefault(capability, {})[task] = n
    return {
        "name": benchmark.name,
        **({"origin": benchmark.origin, "revision": benchmark.revision} if benchmark.origin else {}),
        "rows": len(benchmark),
        "unreadable_rows": sum(item.level == "error" for item in benchmark.problems),
        "files": list(benchmark.files),
        "digest": benchmark.digest,
        "capabilities": capabilities,
        "answer_types": dict(Counter(sample.answer_type for sample in benchmark.samples)),
        "sources": dict(Counter(sample.source for sample in benchmark.samples)),
    }
