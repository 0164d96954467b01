"""Grounding: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class Grounding(provise.evaluation.module.SpatialMetric):
    """1 where the point's pixel lies in the target mask, else 0."""

    def _module(self):
        return "grounding"
