"""From solids to a picture: what each pixel sees, how far away, of which object; and how it looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from provise.synth.camera import Camera
from provise.synth.light import Light, Lit, Shade, make_shade, make_shadows
from provise.synth.shapes import FAR, Part, distances

__all__ = ["Light", "Seen", "Thing", "look", "render", "show", "views"]

Bytes = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Whole = npt.NDArray[np.int32]
Window = tuple[slice, slice]

CONTRAST = 9
"""Levels between a pixel and its neighbours from which it is drawn finer."""

DAY = Light()

OFFSETS = ((-0.375, -0.125), (0.125, -0.375), (0.375, 0.125), (-0.125, 0.375))
"""Rays of a finer pixel, from its centre: no two in one row or column."""


@dataclass(frozen=True, eq=False)
class Thing:
    """An object of a scene: solids that belong together.

    Parameters
    ----------
    name : str
        Unique in its scene, e.g. ``mug 1``.
    parts : tuple of Part
        In the world.
    """

    name: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class Seen:
    """What a camera sees, pixel by pixel.

    Parameters
    ----------
    depth : ndarray of float32, shape (h, w)
        Metres along the camera's axis; infinite where there is nothing.
    thing, part : ndarray of int32, shape (h, w)
        Index of the object, and of its solid; -1 where there is nothing.
    whole : tuple of int
        Pixels that each object would show if nothing stood before it.
    """

    depth: Singles
    thing: Whole
    part: Whole
    whole: tuple[int, ...]

    def mask(self, thing: int, part: int | None = None) -> Flags:
        """Return where an object, or one of its solids, is seen."""
        found = self.thing == thing
        return np.asarray(found if part is None else found & (self.part == part), dtype=np.bool_)

    def share(self, thing: int) -> float:
        """Return how much of an object is seen, of what would be if nothing stood before it."""
        return float(np.count_nonzero(self.thing == thing) / max(self.whole[thing], 1))


@dataclass(frozen=True, eq=False)
class _Traced:
    """The nearest solid of each pixel: its distance, its number among all solids, and each solid's window."""

    depth: Singles
    code: Whole
    windows: tuple[Window, ...]
    whole: tuple[int, ...]


def _grid(camera: Camera, window: Window) -> tuple[Singles, Singles]:
    w, h = camera.size
    x = (np.arange(w, dtype=np.float32)[window[1]] + np.float32(0.5 - w / 2)) / np.float32(camera.focal)
    y = (np.arange(h, dtype=np.float32)[window[0]] + np.float32(0.5 - h / 2)) / np.float32(camera.focal)
    return x[None, :], y[:, None]


def _trace(camera: Camera, things: Sequence[Thing]) -> _Traced:
    w, h = camera.size
    eye = np.asarray(camera.eye, np.float64)
    depth = np.full((h, w), FAR, np.float32)
    code = np.full((h, w), -1, np.int32)
    windows: list[Window] = []
    whole: list[int] = []
    covered = np.zeros((h, w), np.bool_)
    for thing in things:
        touched: list[Window] = []
        for part in thing.parts:
            window = camera.window(part.corners)
            windows.append(window)
            if not depth[window].size:
                continue
            met = distances(part, eye, camera.basis, *_grid(camera, window))
            nearer = met < depth[window]
            np.copyto(depth[window], met, where=nearer)
            np.copyto(code[window], np.int32(len(windows) - 1), where=nearer)
            covered[window] |= met < FAR
            touched.append(window)
        around = _hull(touched)
        whole.append(int(np.count_nonzero(covered[around])))
        covered[around] = False
    return _Traced(depth, code, tuple(windows), tuple(whole))


def _hull(windows: Sequence[Window]) -> Window:
    if not windows:
        return slice(0, 0), slice(0, 0)
    rows, columns = (
        slice(min(window[axis].start for window in windows), max(window[axis].stop for window in windows))
        for axis in (0, 1)
    )
    return rows, columns


def look(camera: Camera, things: Sequence[Thing]) -> Seen:
    """Find what each pixel's ray meets first.

    Parameters
    ----------
    camera : Camera
        Who looks.
    things : sequence of Thing
        What is there; the order decides nothing but the indices.
    """
    return _seen(_trace(camera, things), things)


def _seen(traced: _Traced, things: Sequence[Thing]) -> Seen:
    owners = [(i, j) for i, thing in enumerate(things) for j in range(len(thing.parts))]
    # One more for the pixels that see nothing: their code is -1.
    table = np.array([*owners, (-1, -1)], np.int32)
    depth = np.where(traced.depth >= FAR, np.float32(np.inf), traced.depth)
    return Seen(depth, table[traced.code, 0], table[traced.code, 1], traced.whole)


def render(camera: Camera, things: Sequence[Thing], light: Light = DAY, sky: Bytes | None = None) -> Bytes:
    """Return a camera's picture, shape (h, w, 3), uint8.

    Parameters
    ----------
    camera : Camera
        Who looks; a pixel on an edge is the mean of four rays.
    things : sequence of Thing
        What is there.
    light : Light
        Where the sun stands.
    sky : ndarray of uint8, shape (2, 3), optional
        Colours at the top and at the bottom of what is not covered.
    """
    return next(views([camera], things, light, sky))


def views(
    cameras: Iterable[Camera], things: Sequence[Thing], light: Light = DAY, sky: Bytes | None = None
) -> Iterator[Bytes]:
    """Yield what several cameras see of one scene, each as `render` draws it; the shadows are found once."""
    lit = _lit(things, light)
    for camera in cameras:
        yield _drawn(camera, things, make_shade(camera, lit, light), sky)[0]


def show(camera: Camera, things: Sequence[Thing], light: Light = DAY, sky: Bytes | None = None) -> tuple[Bytes, Seen]:
    """Return what `render` and `look` do, for the work of one."""
    return _drawn(camera, things, make_shade(camera, _lit(things, light), light), sky)


def _lit(things: Sequence[Thing], light: Light) -> Lit:
    """Return the shadows of a scene: those of all that is named without an underscore."""
    solid = [part for thing in things if not thing.name.startswith("_") for part in thing.parts]
    return make_shadows(solid, light, _sun_depth)


def _drawn(camera: Camera, things: Sequence[Thing], shade: Shade, sky: Bytes | None) -> tuple[Bytes, Seen]:
    traced = _trace(camera, things)
    parts = [part for thing in things for part in thing.parts]
    colour = _sky(camera.size, sky)
    for k, part in enumerate(parts):
        window = traced.windows[k]
        rows, columns = np.nonzero(traced.code[window] == k)
        if len(rows):
            rows, columns = rows + window[0].start, columns + window[1].start
            x, y = _places(camera, rows, columns)
            colour[rows, columns] = shade(part, x, y, traced.depth[rows, columns])
    _refine(camera, parts, traced, shade, colour)
    return np.asarray(np.clip(np.rint(colour), 0, 255), dtype=np.uint8), _seen(traced, things)


def _places(
    camera: Camera, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], offset: tuple[float, float] = (0, 0)
) -> tuple[Singles, Singles]:
    w, h = camera.size
    x = (columns.astype(np.float32) + np.float32(0.5 + offset[0] - w / 2)) / np.float32(camera.focal)
    y = (rows.astype(np.float32) + np.float32(0.5 + offset[1] - h / 2)) / np.float32(camera.focal)
    return x, y


def _refine(camera: Camera, parts: Sequence[Part], traced: _Traced, shade: Shade, colour: Singles) -> None:
    """Draw edges again with four rays a pixel; each tries the solids that the pixel and its neighbours see."""
    box = np.ones((3, 3), np.uint8)
    tones = np.clip(colour, 0, 255).astype(np.uint8)
    spread = (cv2.dilate(tones, box) - cv2.erode(tones, box)).max(-1)
    rows, columns = np.nonzero(spread > CONTRAST)
    place = np.full(traced.code.shape, -1, np.int32)
    place[rows, columns] = np.arange(len(rows))
    background = colour[rows, columns].copy()
    eye = np.asarray(camera.eye, np.float64)
    near: list[tuple[int, Whole]] = []
    for k in range(len(parts)):
        window = _wider(traced.windows[k], traced.code.shape)
        here = traced.code[window] == k
        if here.any():
            found = place[window][cv2.dilate(here.view(np.uint8), box).view(np.bool_)]
            near.append((k, found[found >= 0]))
    # All rays at once, offset by offset: a solid is asked once, not four times.
    n = len(rows)
    x, y = (np.concatenate(axis) for axis in zip(*(_places(camera, rows, columns, o) for o in OFFSETS), strict=True))
    depth, code = np.full(len(x), FAR, np.float32), np.full(len(x), -1, np.int32)
    for k, once in near:
        at = np.concatenate([once + i * n for i in range(len(OFFSETS))])
        met = distances(parts[k], eye, camera.basis, x[at], y[at])
        nearer = met < depth[at]
        depth[at[nearer]] = met[nearer]
        code[at[nearer]] = k
    # What meets nothing keeps the colour of its pixel, which is the sky's there but for a rim of half a pixel.
    drawn = np.tile(background, (len(OFFSETS), 1))
    for k, once in near:
        for i in range(len(OFFSETS)):
            mine = (once + i * n)[code[once + i * n] == k]
            if len(mine):
                drawn[mine] = shade(parts[k], x[mine], y[mine], depth[mine])
    colour[rows, columns] = drawn.reshape(len(OFFSETS), n, 3).sum(axis=0) / np.float32(len(OFFSETS))


def _wider(window: Window, shape: tuple[int, ...]) -> Window:
    rows, columns = (slice(max(0, s.start - 1), min(n, s.stop + 1)) for s, n in zip(window, shape, strict=True))
    return rows, columns


def _sun_depth(camera: Camera, parts: Sequence[Part]) -> Singles:
    return _trace(camera, [Thing("solid", tuple(parts))]).depth


def _sky(size: tuple[int, int], sky: Bytes | None) -> Singles:
    top, bottom = np.asarray([(196, 212, 228), (232, 234, 236)] if sky is None else sky, np.float32)
    share = np.linspace(0, 1, size[1], dtype=np.float32)[:, None, None]
    return np.asarray(np.broadcast_to(top + share * (bottom - top), (size[1], size[0], 3)), dtype=np.float32).copy()
