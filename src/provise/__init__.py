"""Score what an image model draws: visual answers to spatial questions, read and scored by the benchmark's own metric.

Examples
--------
>>> import provise
>>> "fixed_slots" in provise.protocol_names()
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "__version__",
    "open_benchmark",
    "open_protocol",
    "open_responses",
    "open_route",
    "protocol_names",
    "read",
    "run",
    "score",
    "summarise",
]

if TYPE_CHECKING:
    from provise.analysis.aggregate import summarise
    from provise.benchmark import open_benchmark
    from provise.protocol import names as protocol_names
    from provise.protocol import open_protocol
    from provise.protocol.route import open_route
    from provise.reading import read
    from provise.runs.responses import open_responses
    from provise.runs.run import run
    from provise.runs.score import score_responses as score

# Each name is imported on first use, so that `import provise` costs nothing.
_WHERE = {
    "open_benchmark": ("provise.benchmark", "open_benchmark"),
    "open_protocol": ("provise.protocol", "open_protocol"),
    "open_responses": ("provise.runs.responses", "open_responses"),
    "open_route": ("provise.protocol.route", "open_route"),
    "protocol_names": ("provise.protocol", "names"),
    "read": ("provise.reading", "read"),
    "run": ("provise.runs.run", "run"),
    "score": ("provise.runs.score", "score_responses"),
    "summarise": ("provise.analysis.aggregate", "summarise"),
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'provise' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _WHERE[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
