"""Geometric feasibility: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class Feasibility(provise.evaluation.module.SpatialMetric):
    """Exact match of the truth value."""

    def _module(self):
        return "feasibility"
