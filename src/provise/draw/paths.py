"""Red trajectories."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from provise.draw.brush import paint, stroke
from provise.draw.drawing import Drawing, Job, drawer
from provise.draw.place import free_path, resample
from provise.errors import InputError

__all__ = ["start_of"]

Bytes = npt.NDArray[np.uint8]


def start_of(job: Job) -> tuple[float, float]:
    """Return the start in pixels: the aid, or a random place off the border."""
    given = job.aids.get("start")
    x, y = (float(v) for v in given) if given is not None else job.rng.uniform(0.1, 0.9, 2)
    return x * job.size[0], y * job.size[1]


@drawer("trajectory_drawing")
def draw_trajectory(job: Job) -> Drawing:
    """Draw the truth's normalised vertices as a red line; where it is None, a random path from ``start``."""
    if job.truth is None:
        curved = bool(job.rng.integers(2)) if not job.style.shape else job.style.shape == "curve"
        clearance = 2.5 * job.style.stroke * job.side + 0.02 * job.side
        path = free_path(job.rng, job.size, start_of(job), clearance, curved=curved)
    else:
        path = np.asarray(job.truth, np.float64).reshape(-1, 2) * job.size
        if len(path) < 2 or not np.isfinite(path).all():
            raise InputError("a path to draw needs at least two finite points")
    image = paint(job.photo, stroke(job.size, path, job.style.stroke * job.side), "red", job.style)
    drawn = path / job.size
    return Drawing(image, resample(drawn, 200).tolist(), aids={"start": drawn[0].tolist()})
