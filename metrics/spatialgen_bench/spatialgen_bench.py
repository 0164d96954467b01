"""SpatialGen-Bench: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class SpatialgenBench(provise.evaluation.module.SpatialMetric):
    """Mean of a task's samples; a capability is the mean of its tasks; Overall is the mean of all tasks (macro average)."""

    def _module(self):
        return "spatialgen_bench"
