"""Where rays meet solids, against a march along each ray that asks only whether a point is inside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.synth.camera import Camera
from provise.synth.shapes import FAR, Part, distances, meet, surface, turned
from tests.synth.marching import inside


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


@pytest.mark.parametrize(("kind", "taper"), [("ball", 1.0), ("box", 1.0), ("tube", 1.0), ("tube", 0.0), ("tube", 0.6)])
def test_a_camera_s_rays_meet_what_any_rays_do(kind: str, taper: float) -> None:
    camera = Camera((0.4, -3, 1.2), (0, 0, 0), (64, 48), 40)
    part = Part(kind, (0.1, 0.2, -0.1), (0.5, 0.3, 0.6), turned(35, 20), taper)
    rays = camera.rays(slice(None), slice(None))
    across = rays.astype(float) - camera.basis[2]
    x, y = across @ camera.basis[0], across @ camera.basis[1]
    found = distances(part, np.asarray(camera.eye), camera.basis, x.astype(np.float32), y.astype(np.float32))
    other = meet(part, camera.eye, rays)
    both = (found < FAR) & (other < FAR)
    assert both.sum() > 100
    assert ((found < FAR) != (other < FAR)).sum() <= 2
    assert np.abs(found - other)[both].max() < 1e-3


@pytest.mark.parametrize(("kind", "taper"), [("ball", 1.0), ("box", 1.0), ("tube", 1.0), ("tube", 0.0), ("tube", 0.6)])
def test_a_normal_points_out_of_the_solid(kind: str, taper: float) -> None:
    """A step along the normal leaves the solid, and a step against it enters: at right angles, the steps are equal."""
    camera = Camera((0.4, -3, 1.2), (0, 0, 0), (64, 48), 40)
    part = Part(kind, (0.1, 0.2, -0.1), (0.5, 0.3, 0.6), turned(35, 20), taper)
    rays = camera.rays(slice(None), slice(None))
    met = meet(part, camera.eye, rays)
    points = (np.asarray(camera.eye) + met[..., None] * rays)[met < FAR].T.astype(np.float32)
    _, normal = surface(part, points)
    assert np.allclose((normal * normal).sum(0), 1, atol=1e-4)
    step = 4e-3
    out, into = inside(part, (points + step * normal).T), inside(part, (points - step * normal).T)
    # At an edge a step inwards may leave by the other face.
    assert out.mean() < 0.01
    assert into.mean() > 0.97
