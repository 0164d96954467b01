"""Orientation: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class Orientation(provise.evaluation.module.SpatialMetric):
    """Exact match of the direction."""

    def _module(self):
        return "orientation"
