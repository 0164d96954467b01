"""The source metrics: plain functions over predictions and truths, and the table that scoring uses."""

from provise.metrics.boxes import box_iou
from provise.metrics.endpoint import endpoint_score
from provise.metrics.exact import exact
from provise.metrics.frechet import dfd_success, discrete_frechet
from provise.metrics.masks import mask_iou, mask_precision
from provise.metrics.null import null_score
from provise.metrics.points import point_distance, point_in_mask, points_precision, rasterise
from provise.metrics.quantities import angle_error, mean_relative_accuracy, measurement_ratio, to_centimetres
from provise.metrics.registry import METRICS, Metric, Score, Setting, get_metric, score_prediction

__all__ = [
    "METRICS",
    "Metric",
    "Score",
    "Setting",
    "angle_error",
    "box_iou",
    "dfd_success",
    "discrete_frechet",
    "endpoint_score",
    "exact",
    "get_metric",
    "mask_iou",
    "mask_precision",
    "mean_relative_accuracy",
    "measurement_ratio",
    "null_score",
    "point_distance",
    "point_in_mask",
    "points_precision",
    "rasterise",
    "score_prediction",
    "to_centimetres",
]
