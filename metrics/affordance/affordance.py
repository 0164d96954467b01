"""Affordance: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class Affordance(provise.evaluation.module.SpatialMetric):
    """Mask precision |P and M| / |P|; not IoU, so a small region inside the target scores 1."""

    def _module(self):
        return "affordance"
