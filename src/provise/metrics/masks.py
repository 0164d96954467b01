"""Overlap of two masks: precision, the metric of affordance, and intersection over union."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from provise.errors import InputError

__all__ = ["mask_iou", "mask_precision", "overlap"]


def overlap(prediction: npt.ArrayLike, truth: npt.ArrayLike) -> tuple[int, int, int]:
    """Count the marked pixels of two masks and those they share.

    Parameters
    ----------
    prediction, truth : array_like, shape (h, w)
        Masks on one grid; what is not zero is marked (bool, or 0 and 255).

    Returns
    -------
    tuple of int
        Shared pixels, pixels of the prediction (its *support*), pixels of the truth.

    Raises
    ------
    InputError
        If either is not two-dimensional, or their shapes differ.

    Examples
    --------
    >>> overlap([[1, 1, 0]], [[0, 1, 1]])
    (1, 2, 2)
    """
    a, b = _flags(prediction), _flags(truth)
    if a.ndim != 2 or b.ndim != 2 or a.shape != b.shape:
        raise InputError(f"masks of shape {a.shape} and {b.shape}; expected two of one shape (height, width)")
    return int(np.count_nonzero(a & b)), int(np.count_nonzero(a)), int(np.count_nonzero(b))


def mask_precision(prediction: npt.ArrayLike, truth: npt.ArrayLike) -> float:
    r"""Share of the predicted region that lies inside the target.

    .. math:: s = |\hat{M} \cap M| / |\hat{M}|, \qquad s = 0 \text{ where } \hat{M} \text{ is empty}

    The paper adds an epsilon to the denominator for the empty prediction alone; naming that case leaves a perfect
    answer at exactly 1. One right pixel scores 1 by this metric, so its support (see `overlap`) is shown beside it.

    Parameters
    ----------
    prediction, truth : array_like, shape (h, w)
        Masks on one grid; what is not zero is marked.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    InputError
        If the shapes differ.

    References
    ----------
    Paper, appendix E.4, equation 2.

    Examples
    --------
    >>> mask_precision([[1, 1, 0, 0]], [[0, 1, 1, 1]])
    0.5
    """
    shared, support, _ = overlap(prediction, truth)
    return shared / support if support else 0.0


def mask_iou(prediction: npt.ArrayLike, truth: npt.ArrayLike) -> float:
    r"""Intersection over union of two masks.

    .. math:: s = |\hat{M} \cap M| / |\hat{M} \cup M|, \qquad s = 0 \text{ where both are empty}

    Parameters
    ----------
    prediction, truth : array_like, shape (h, w)
        Masks on one grid; what is not zero is marked.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    InputError
        If the shapes differ.

    References
    ----------
    Jaccard index, as pycocotools counts it (``maskUtils.iou``, no crowd; two empty masks give 0).

    Examples
    --------
    >>> mask_iou([[1, 1, 0, 0]], [[0, 1, 1, 1]])
    0.25
    """
    shared, left, right = overlap(prediction, truth)
    union = left + right - shared
    return shared / union if union else 0.0


def _flags(mask: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    array: npt.NDArray[Any] = np.asarray(mask)
    return array if array.dtype == np.bool_ else array != 0
