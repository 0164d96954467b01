"""Navigation: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class Navigation(provise.evaluation.module.SpatialMetric):
    """Exact match of the option."""

    def _module(self):
        return "navigation"
