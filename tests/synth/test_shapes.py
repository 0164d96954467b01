"""Where rays meet solids, against a march along each ray that asks only whether a point is inside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.synth.shapes import FAR, Part, meet, turned


def inside(part: Part, points: np.ndarray) -> np.ndarray:
    """Tell which points of the world lie in a solid, from its definition."""
    x, y, z = np.moveaxis((points - part.centre) @ np.linalg.inv(part.frame).T, -1, 0)
    if part.kind == "ball":
        return x * x + y * y + z * z <= 1
    if part.kind == "box":
        return (abs(x) <= 1) & (abs(y) <= 1) & (abs(z) <= 1)
    radius = 1 + (part.taper - 1) * (z + 1) / 2
    return (abs(z) <= 1) & (np.hypot(x, y) <= radius)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([("ball", 1.0), ("box", 1.0), ("tube", 1.0), ("tube", 0.0), ("tube", 0.6)]),
    st.integers(0, 10_000),
)
def test_rays_meet_a_solid_where_they_first_get_into_it(kind: tuple[str, float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    half = tuple(float(v) for v in rng.uniform(0.2, 0.8, 3))
    part = Part(kind[0], (0.1, 0.2, -0.1), half, turned(float(rng.uniform(0, 360)), 30), kind[1])
    origin = rng.normal(size=3)
    origin *= 3 / np.linalg.norm(origin)
    aims = rng.uniform(-0.9, 0.9, (1, 40, 3))
    rays = (aims - origin).astype(np.float32)
    met = meet(part, origin, rays)
    steps = np.linspace(0, 2, 4001)
    along = inside(part, origin + steps[:, None, None] * rays[0])
    for i in range(40):
        first = steps[along[:, i].argmax()] if along[:, i].any() else None
        if first is None:
            # A march may step over a grazed edge; what is met must be near the surface.
            assert met[0, i] == FAR or along_edge(part, origin + met[0, i] * rays[0, i])
        else:
            assert met[0, i] == pytest.approx(first, abs=0.002)


def along_edge(part: Part, point: np.ndarray) -> bool:
    """Tell whether a point lies on the surface, within a hundredth of its size."""
    larger = Part(part.kind, part.centre, tuple(1.02 * v for v in part.half), part.turn, part.taper)
    return bool(inside(larger, point))


@pytest.mark.parametrize("kind", ["ball", "box", "tube"])
def test_a_thin_solid_is_met_from_far_away(kind: str) -> None:
    """Single precision, squared at two hundred metres, would lose a bar of three centimetres."""
    part = Part(kind, (0.0, 0.0, 0.0), (0.03, 0.03, 0.03))
    x = np.linspace(-0.06, 0.06, 121)
    rays = np.stack([x / 200, np.ones_like(x), np.zeros_like(x)], axis=1)[None].astype(np.float32)
    met = meet(part, (0, -200, 0), rays)[0] < FAR
    assert met.tolist() == (abs(x) < 0.03 + 1e-9).tolist() or abs(met.sum() - 61) <= 2


def test_what_lies_behind_the_eye_is_not_met() -> None:
    rays = np.array([[[0, 1, 0]]], np.float32)
    for kind in ("ball", "box", "tube"):
        assert meet(Part(kind, (0, -3, 0), (1, 1, 1)), (0, 0, 0), rays)[0, 0] == FAR
        assert meet(Part(kind, (0, 3, 0), (1, 1, 1)), (0, 0, 0), rays)[0, 0] == pytest.approx(2)
