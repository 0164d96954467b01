"""Drawings that hold no answer: one for each condition a reader must refuse, with the reasons it may give."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from provise.draw.board import make_board
from provise.draw.brush import blob_outline, disc, lay, paint, polygon, ring, stroke
from provise.draw.drawing import Drawing, Job, rule
from provise.draw.endpoint import board_of, circled, with_path
from provise.draw.evidence import bars
from provise.draw.marks import in_cells, in_slot, star_sizes
from provise.draw.paths import start_of
from provise.draw.place import free_path, scatter
from provise.draw.regions import grey, two_regions

__all__: list[str] = []

Bytes = npt.NDArray[np.uint8]

EVERY = (
    "instance_marking", "direction_grid", "fixed_slots", "point_marker", "binary_relation", "relative_depth",
    "region_mask", "trajectory_drawing", "trajectory_endpoint", "state_matching", "dual_measure", "placement_outline",
)  # fmt: skip
"""Protocols that refuse the source handed back and a blank canvas."""


def _aids(job: Job) -> dict[str, object]:
    """Return the aids that a protocol's reader asks for, made up where the job has none."""
    aids: dict[str, object] = {}
    board = job.aids.get("board")
    aids["holes"] = len(board.holes) if board is not None else 7
    aids["start"] = list(job.aids.get("start", (0.5, 0.5)))
    aids["coordinates"] = [list(p) for p in job.aids.get("coordinates", ((0.3, 0.4), (0.7, 0.6)))]
    return aids


def _invalid(job: Job, image: Bytes, **aids: object) -> Drawing:
    return Drawing(image, None, aids={**_aids(job), **aids})


def source(job: Job) -> Drawing:
    """Hand the source back as it is."""
    return _invalid(job, job.photo.copy())


def blank(job: Job) -> Drawing:
    """Hand in a canvas of one colour: white, grey, or one taken from the photo."""
    choices = [(255, 255, 255), (128, 128, 128), tuple(int(v) for v in job.photo[0, 0])]
    return _invalid(job, np.full_like(job.photo, choices[int(job.rng.integers(3))]))


# Readers that ask for no edit of the photo name a flat canvas by what it lacks.
_BLANK = {"relative_depth": ("indistinguishable",), "region_mask": ("empty_mask", "full_mask", "not_binary")}
for _protocol in EVERY:
    rule(_protocol, "source", "source_returned", "grey_source", "not_binary")(source)
    rule(_protocol, "blank", "blank", *_BLANK.get(_protocol, ()))(blank)


@rule("instance_marking", "merged", "merged_marks")
def merged(job: Job) -> Drawing:
    """Two discs that overlap by a quarter."""
    across = star_sizes(job, 2)[0]
    (x, y), *_ = scatter(job.rng, job.size, np.array([2.2 * across]), 0)
    image = paint(job.photo, disc(job.size, (x - 0.37 * across, y), across), "green", job.style)
    return _invalid(job, paint(image, disc(job.size, (x + 0.37 * across, y), across), "green", job.style))


@rule("instance_marking", "other_colour", "no_mark")
def other_colour(job: Job) -> Drawing:
    """Three cyan discs."""
    image = job.photo
    sizes = star_sizes(job, 3)
    for (x, y), across in zip(scatter(job.rng, job.size, sizes, 0.02 * job.side), sizes, strict=True):
        image = paint(image, disc(job.size, (x, y), across), "cyan", job.style)
    return _invalid(job, image)


@rule("direction_grid", "two_cells", "multiple_cells")
def two_cells(job: Job) -> Drawing:
    """Two outer cells that do not touch."""
    outer = [0, 1, 2, 5, 8, 7, 6, 3]
    first = int(job.rng.integers(8))
    return _invalid(job, in_cells(job, [outer[first], outer[(first + int(job.rng.integers(2, 7))) % 8]]))


@rule("direction_grid", "every_cell", "every_cell", "multiple_cells")
def every_cell(job: Job) -> Drawing:
    """All nine cells."""
    return _invalid(job, in_cells(job, list(range(9))))


@rule("direction_grid", "centre_cell", "centre_cell")
def centre_cell(job: Job) -> Drawing:
    """The centre cell alone."""
    return _invalid(job, in_cells(job, [4]))


@rule("fixed_slots", "two_slots", "multiple_slots")
def two_slots(job: Job) -> Drawing:
    """Marks in two slots."""
    n = int(job.aids.get("choices", 4))
    first, second = (int(i) for i in job.rng.permutation(n)[:2])
    return _invalid(job, in_slot(job, in_slot(job, job.photo, first, n), second, n))


@rule("fixed_slots", "middle", "outside_slots")
def middle(job: Job) -> Drawing:
    """One square in the middle."""
    w, h = job.size
    centre = (w * job.rng.uniform(0.42, 0.58), h * job.rng.uniform(0.42, 0.58))
    r = job.style.size * job.side / 2
    box = [(centre[0] + a * r, centre[1] + b * r) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return _invalid(job, paint(job.photo, polygon(job.size, box), "magenta", job.style))


@rule("point_marker", "two_points", "multiple_marks")
def two_points(job: Job) -> Drawing:
    """Two discs of one size."""
    across = np.full(2, job.style.size * job.side)
    image = job.photo
    for x, y in scatter(job.rng, job.size, across, 0.03 * job.side):
        image = paint(image, disc(job.size, (x, y), across[0]), "cyan", job.style)
    return _invalid(job, image)


@rule("point_marker", "huge", "diffuse_mark")
def huge(job: Job) -> Drawing:
    """A disc across more than half of the frame."""
    w, h = job.size
    return _invalid(job, paint(job.photo, disc(job.size, (w / 2, h / 2), 0.7 * min(w, h)), "cyan", job.style))


@rule("point_marker", "line", "diffuse_mark", "multiple_marks")
def line(job: Job) -> Drawing:
    """A long thin line in place of a disc."""
    w, h = job.size
    ends = [(w * job.rng.uniform(0.1, 0.3), h * job.rng.uniform(0.1, 0.9)), (w * 0.8, h * job.rng.uniform(0.1, 0.9))]
    return _invalid(job, paint(job.photo, stroke(job.size, ends, job.style.stroke * job.side), "cyan", job.style))


@rule("binary_relation", "only_subject", "missing_object")
def only_subject(job: Job) -> Drawing:
    """The green overlay alone."""
    return _invalid(job, paint(job.photo, two_regions(job)[0], "green", job.style))


@rule("binary_relation", "only_object", "missing_subject")
def only_object(job: Job) -> Drawing:
    """The blue overlay alone."""
    return _invalid(job, paint(job.photo, two_regions(job)[1], "blue", job.style))


@rule("relative_depth", "jet", "not_grey")
def jet(job: Job) -> Drawing:
    """A depth map in the colours of the rainbow."""
    from provise.draw.regions import relief

    levels = np.rint(255 * relief(job.rng, job.size)).astype(np.uint8)
    return _invalid(
        job, np.asarray(cv2.cvtColor(cv2.applyColorMap(levels, cv2.COLORMAP_JET), cv2.COLOR_BGR2RGB), dtype=np.uint8)
    )


@rule("relative_depth", "tie", "indistinguishable")
def tie(job: Job) -> Drawing:
    """A grey body with both locations on one flat level of it."""
    w, h = job.size
    image = np.full_like(job.photo, 40)
    image = lay(
        image,
        polygon(job.size, [(0.1 * w, 0.2 * h), (0.9 * w, 0.2 * h), (0.9 * w, 0.8 * h), (0.1 * w, 0.8 * h)]),
        (180,) * 3,
    )
    return _invalid(job, image, coordinates=[[0.3, 0.4], [0.7, 0.6]])


@rule("region_mask", "all_black", "empty_mask", "blank")
def all_black(job: Job) -> Drawing:
    """A black canvas."""
    return _invalid(job, np.zeros_like(job.photo))


@rule("region_mask", "overlay", "not_binary")
def overlay(job: Job) -> Drawing:
    """The photo with a white region laid over it."""
    w, h = job.size
    outline = blob_outline(job.rng, (w / 2, h / 2), (0.4 * w, 0.4 * h))
    return _invalid(job, lay(job.photo, polygon(job.size, outline), (255, 255, 255)))


@rule("region_mask", "grey_photo", "not_binary", "source_returned")
def grey_photo(job: Job) -> Drawing:
    """The photo in grey."""
    return _invalid(job, grey(job.photo))


@rule("trajectory_drawing", "dot_only", "no_path", "no_mark")
def dot_only(job: Job) -> Drawing:
    """One dot at the start and nothing else."""
    x, y = start_of(job)
    image = paint(job.photo, disc(job.size, (x, y), min(job.style.size, 0.03) * job.side), "red", job.style)
    return _invalid(job, image, start=[x / job.size[0], y / job.size[1]])


@rule("trajectory_drawing", "wrong_start", "wrong_start")
def wrong_start(job: Job) -> Drawing:
    """A path in one half of the frame, the start in the other."""
    w, h = job.size
    path = free_path(job.rng, (round(0.5 * w), h), (0.25 * w, 0.5 * h), 0.05 * job.side)
    image = paint(job.photo, stroke(job.size, path, job.style.stroke * job.side), "red", job.style)
    return _invalid(job, image, start=[0.95, 0.1 if path[:, 1].mean() > h / 2 else 0.9])


@rule("trajectory_drawing", "flooded", "not_a_stroke", "disconnected", "no_path")
def flooded(job: Job) -> Drawing:
    """Red over most of the frame."""
    w, h = job.size
    outline = [(0.05 * w, 0.05 * h), (0.95 * w, 0.05 * h), (0.95 * w, 0.95 * h), (0.05 * w, 0.95 * h)]
    return _invalid(job, paint(job.photo, polygon(job.size, outline), "red", job.style))


@rule("trajectory_endpoint", "no_circle", "no_circle")
def no_circle(job: Job) -> Drawing:
    """The way without the circle."""
    board = board_of(job, 7)
    return _invalid(job, with_path(job, board, int(job.rng.integers(len(board.holes))), board.image))


@rule("trajectory_endpoint", "two_circles", "multiple_circles")
def two_circles(job: Job) -> Drawing:
    """The way, and circles round two holes."""
    board = board_of(job, 7)
    first, second = (int(i) for i in job.rng.permutation(len(board.holes))[:2])
    image = with_path(job, board, first, board.image)
    return _invalid(job, circled(job, board, second, circled(job, board, first, image)))


@rule("trajectory_endpoint", "no_path", "no_path")
def no_path(job: Job) -> Drawing:
    """The circle without the way."""
    board = board_of(job, 7)
    return _invalid(job, circled(job, board, int(job.rng.integers(len(board.holes))), board.image))


@rule("trajectory_endpoint", "wrong_count", "wrong_hole_count")
def wrong_count(job: Job) -> Drawing:
    """A scene drawn anew with another number of holes."""
    n = len(board_of(job, 7).holes)
    other = make_board(job.rng, n - 1 if n > 3 else n + 2, size=job.size, layout="boxes")
    again = Job(other.image, None, job.style, job.rng, {"board": other})
    return _invalid(job, circled(again, other, 0, with_path(again, other, 0, other.image)), holes=n)


@rule("trajectory_endpoint", "circle_elsewhere", "no_hole")
def circle_elsewhere(job: Job) -> Drawing:
    """The way, and a circle in the middle of the box."""
    board = board_of(job, 7)
    x0, y0, x1, y1 = board.field
    image = with_path(job, board, 0, board.image)
    circle = ring(job.size, ((x0 + x1) / 2, (y0 + 2 * y1) / 3), 0.06 * job.side, max(2, 0.006 * job.side))
    return _invalid(job, paint(image, circle, "blue", job.style))


@rule("dual_measure", "equal_bars", "near_equal")
def equal_bars(job: Job) -> Drawing:
    """Two bars of one length."""
    return _invalid(job, bars(job, 1.0))


@rule("dual_measure", "one_bar", "missing_bar")
def one_bar(job: Job) -> Drawing:
    """The magenta bar alone."""
    return _invalid(job, bars(job, 1.5, which=("magenta",)))


@rule("placement_outline", "no_shape", "no_mark")
def no_shape(job: Job) -> Drawing:
    """A red mark and nothing placed."""
    w, h = job.size
    return _invalid(job, paint(job.photo, disc(job.size, (w / 2, h / 2), job.style.size * job.side), "red", job.style))


@rule("placement_outline", "two_shapes", "multiple_marks")
def two_shapes(job: Job) -> Drawing:
    """Two things placed in place of one."""
    sizes = np.full(2, 0.3 * min(job.size))
    image = job.photo
    for x, y in scatter(job.rng, job.size, sizes, 0.03 * job.side):
        image = paint(
            image,
            polygon(job.size, blob_outline(job.rng, (x, y), (0.22 * min(job.size),) * 2, rough=0.1)),
            "magenta",
            job.style,
        )
    return _invalid(job, image)
