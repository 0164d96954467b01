"""Printed numbers read by rapidocr, where it is installed and a protocol's settings ask for it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.errors import MissingDependencyError

__all__ = ["ocr_name", "read_number"]

Bytes = npt.NDArray[np.uint8]

LEAST = 0.8
"""Least confidence of the recogniser; what is less sure is no number."""

# One thread: sums in another order could round to another answer. The recogniser alone is needed, since the numbers'
# places are found by geometry; its model comes with rapidocr's wheel.
_SETTINGS = {
    "Global.log_level": "critical",
    "Global.use_det": False,
    "Global.use_cls": False,
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}


@lru_cache(maxsize=1)
def _engine() -> tuple[Any, str]:
    try:
        from importlib.metadata import version

        from rapidocr import RapidOCR

        engine = RapidOCR(params=_SETTINGS)
        # The model is loaded by the first picture, and what is wrong with it must not be held against an answer.
        engine(np.full((48, 96, 3), 255, np.uint8), use_det=False, use_cls=False, use_rec=True)
        return engine, f"rapidocr {version('rapidocr')}"
    except Exception as error:
        raise MissingDependencyError(
            f"numbers are to be read by rapidocr, which cannot be used here ({type(error).__name__}: {error!s:.200}). "
            'Install it: pip install "provise[ocr]"; or use the built-in digit reader: numbers=built-in'
        ) from error


def ocr_name() -> str:
    """Return the name and version of the OCR that reads numbers, loading it on the first call.

    Raises
    ------
    MissingDependencyError
        If it is not installed, or does not start.
    """
    return _engine()[1]


def read_number(crop: Bytes) -> int | None:
    """Read one printed number.

    Parameters
    ----------
    crop : ndarray of uint8, shape (h, w, 3)
        RGB: the number with a margin of about a third of its height.

    Returns
    -------
    int or None
        None where the text is anything but one to three digits, or is not sure.

    Raises
    ------
    MissingDependencyError
        If rapidocr is not installed, or does not start.
    """
    found = _engine()[0](np.ascontiguousarray(crop[..., ::-1]), use_det=False, use_cls=False, use_rec=True)
    text, score = (found.txts[0], found.scores[0]) if found.txts else ("", 0.0)
    return int(text) if score >= LEAST and re.fullmatch(r"[0-9]{1,3}", text.strip()) else None
