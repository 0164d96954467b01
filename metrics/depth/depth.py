"""Depth order: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class Depth(provise.evaluation.module.SpatialMetric):
    """Exact match of the letter; a tie is no answer."""

    def _module(self):
        return "depth"
