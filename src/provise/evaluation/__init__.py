"""Scores of predictions that are at hand in a program: plain Python, and what the `evaluate` modules stand on."""

from __future__ import annotations

from provise.evaluation.about import ModuleInfo, module_info, module_names
from provise.evaluation.compute import compute

__all__ = ["ModuleInfo", "compute", "module_info", "module_names"]
