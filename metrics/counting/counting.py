"""Counting: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class Counting(provise.evaluation.module.SpatialMetric):
    """Exact match of the count."""

    def _module(self):
        return "counting"
