"""State matching: the next view, redrawn from the candidate it should look like."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from provise.draw.drawing import Drawing, Job, drawer
from provise.errors import InputError

__all__ = ["redrawn"]

Bytes = npt.NDArray[np.uint8]


def redrawn(view: Bytes, rng: np.random.Generator, size: tuple[int, int]) -> Bytes:
    """Return a view as a model would repeat it: shifted, zoomed and turned, its light and colours off, a little."""
    h, w = view.shape[:2]
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(-1.5, 1.5), rng.uniform(1.04, 1.10))
    turn[:, 2] += rng.uniform(-0.02, 0.02, 2) * (w, h)
    moved = cv2.warpAffine(view, turn, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    fitted = cv2.resize(moved, size, interpolation=cv2.INTER_AREA)
    light = fitted.astype(np.float32) * rng.uniform(0.93, 1.07, 3).astype(np.float32) + rng.uniform(-6, 6)
    return np.asarray(
        cv2.GaussianBlur(np.clip(light, 0, 255).astype(np.uint8), (0, 0), rng.uniform(0.4, 1.2)), dtype=np.uint8
    )


@drawer("state_matching")
def draw_view(job: Job) -> Drawing:
    """Redraw the chosen candidate in the photo's size; ``candidates`` are RGB arrays in the order of the options."""
    candidates = job.aids.get("candidates") or ()
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(candidates)]
    if job.truth not in letters or len(str(job.truth)) != 1:
        raise InputError(f"the view to draw is {job.truth!r}; there are {len(candidates)} candidates")
    return Drawing(redrawn(np.asarray(candidates[letters.index(job.truth)]), job.rng, job.size), job.truth)
