"""Physical prediction: the `evaluate` module. The numbers come from the provise package."""

import provise.evaluation.module


class Prediction(provise.evaluation.module.SpatialMetric):
    """Endpoint score with H holes - 1 for the hole, .8 - 1/H for its neighbour, else 0."""

    def _module(self):
        return "prediction"
