"""Trajectory: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class TrajectoryDfd(provise.evaluation.module.SpatialMetric):
    """Success where the discrete Frechet distance to the true path is under .4; the distance itself stands beside it."""

    def _module(self):
        return "trajectory_dfd"
