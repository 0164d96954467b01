"""Mental modeling: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class MentalModeling(provise.evaluation.module.SpatialMetric):
    """Exact match of the option."""

    def _module(self):
        return "mental_modeling"
