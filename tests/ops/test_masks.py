"""The region mask: two levels are read, everything else is refused by name."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from provise.errors import Refusal
from provise.image import Picture, decode, encode_png
from provise.ops.masks import MaskParams, two_level_mask, two_levels
from provise.ops.registry import View
from tests.drawing import disc, flat, jpeg, photo, png

Bytes = npt.NDArray[np.uint8]
Region = npt.NDArray[np.bool_]
REAL = Path(os.environ.get("PROVISE_REAL", Path(__file__).parents[3] / "shared" / "real")) / "roboafford"


def reading(answer: Picture | Bytes | bytes, source: Bytes | None = None) -> tuple[Region, View]:
    picture = answer if isinstance(answer, Picture) else decode(answer)
    sources = (decode(source),) if source is not None else ()
    view = View(frame=sources[0].size if sources else picture.size)
    return two_level_mask(view, MaskParams(), answer=picture, sources=sources), view


def refused(answer: Picture | Bytes | bytes, source: Bytes | None = None) -> str:
    with pytest.raises(Refusal) as caught:
        reading(answer, source)
    return caught.value.code


def target(x: float = 250, y: float = 210, r: float = 70, size: tuple[int, int] = (640, 480)) -> Bytes:
    mask = flat((0, 0, 0), size)
    disc(mask, x, y, r, (255, 255, 255))
    return mask


def iou(a: Region, b: Region) -> float:
    return float((a & b).sum() / (a | b).sum())


def stray_noise(image: Bytes, sigma: float) -> Bytes:
    return np.clip(image + np.random.default_rng(5).normal(0, sigma, image.shape), 0, 255).astype(np.uint8)


DAMAGES = {
    "jpeg": lambda im: jpeg(im, 30),
    "blur": lambda im: cv2.GaussianBlur(im, (0, 0), 2.5),
    "noise": lambda im: stray_noise(im, 12),
    "dark": lambda im: (im * 0.7).astype(np.uint8),
    "pale": lambda im: np.rint((im - 128.0) * 0.6 + 128).astype(np.uint8),
    "gamma": lambda im: np.rint(255 * (im / 255.0) ** 1.4).astype(np.uint8),
    "small": lambda im: cv2.resize(im, (320, 240), interpolation=cv2.INTER_AREA),
    "square": lambda im: cv2.resize(im, (1024, 1024), interpolation=cv2.INTER_LINEAR),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("r", [30, 110])
def test_a_damaged_mask_is_still_the_mask(damage: str, r: int) -> None:
    drawn = target(r=r)
    found, _ = reading(DAMAGES[damage](drawn), photo(3))
    assert found.shape == (480, 640)
    assert iou(found, drawn[..., 0] > 127) >= 0.95


def test_a_tiny_target_is_read() -> None:
    drawn = target(r=7)
    assert iou(reading(drawn, photo(3))[0], drawn[..., 0] > 127) == 1


def test_one_white_pixel_is_a_mask_and_its_support_is_noted() -> None:
    answer = flat((0, 0, 0))
    answer[200, 300] = 255
    found, view = reading(answer, photo(3))
    assert found.sum() == 1
    assert view.numbers["support"] == 1


def test_grey_rims_do_not_inflate_the_region() -> None:
    soft = cv2.GaussianBlur(target(r=40), (0, 0), 3)
    assert iou(reading(jpeg(soft, 60))[0], target(r=40)[..., 0] > 127) > 0.97


@pytest.mark.parametrize(
    ("level", "code"), [(0, "empty_mask"), (9, "empty_mask"), (255, "full_mask"), (247, "full_mask"), (128, "blank")]
)
def test_a_flat_canvas_is_no_mask(level: int, code: str) -> None:
    assert refused(flat((level, level, level)), photo(3)) == code
    assert refused(flat((level, level, level))) == code


def test_an_all_black_canvas_with_grain_is_empty() -> None:
    assert refused(stray_noise(flat((0, 0, 0)), 8), photo(3)) == "empty_mask"


@pytest.mark.parametrize("seed", range(4))
def test_the_photo_handed_back_is_refused(seed: int) -> None:
    source = photo(seed)
    grey = np.repeat(cv2.cvtColor(source, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2)
    for answer in (source, grey, jpeg(source, 75), 255 - grey):
        assert refused(answer, source) == "source_returned"


def test_a_bimodal_page_handed_back_is_refused() -> None:
    page = flat((235, 235, 235))
    rng = np.random.default_rng(1)
    for y in range(30, 450, 22):
        for x in range(30, 600, 14):
            cv2.putText(page, chr(int(rng.integers(97, 123))), (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 2)
    assert refused(page, page) == "source_returned"
    assert refused(jpeg(page, 75), page) == "source_returned"


@pytest.mark.parametrize("r", [60, 150, 230])
def test_a_white_overlay_on_the_photo_is_not_binary(r: int) -> None:
    source = photo(4)
    answer = source.copy()
    disc(answer, 320, 240, r, (255, 255, 255))
    assert refused(answer, source) in {"not_binary", "source_returned"}
    assert refused(answer) == "not_binary"


def test_an_overlay_over_most_of_a_noisy_picture_is_not_binary() -> None:
    answer = np.random.default_rng(0).integers(60, 221, (480, 640, 1)).astype(np.uint8).repeat(3, axis=2)
    answer[:, 90:] = 255
    assert refused(answer) == "not_binary"


def test_an_overlay_on_an_even_dark_photo_is_not_binary() -> None:
    source = np.clip(photo(6) * 0.2, 0, 255).astype(np.uint8)
    answer = source.copy()
    disc(answer, 320, 240, 90, (255, 255, 255))
    assert refused(answer, source) == "not_binary"


def test_two_levels_on_one_side_of_the_threshold_are_not_binary() -> None:
    answer = flat((150, 150, 150))
    answer[100:200, 100:200] = 250
    assert refused(answer, photo(3)) == "not_binary"


def test_a_coloured_mask_is_refused() -> None:
    answer = flat((0, 0, 0))
    disc(answer, 300, 200, 80, (255, 255, 0))
    assert refused(answer, photo(3)) == "coloured"


@pytest.mark.parametrize("colour", [0, 255, 90])
def test_alpha_over_one_colour_is_the_mask(colour: int) -> None:
    drawn = target()
    found, view = reading(Picture(flat((colour,) * 3), drawn[..., 0].copy()), photo(3))
    assert iou(found, drawn[..., 0] > 127) == 1
    assert view.numbers["from_alpha"]


SCENES = {
    "photo": photo(3),
    "smooth": np.clip(photo(3) * 0.1 + 90, 0, 255).astype(np.uint8),
    "pale": flat((240, 240, 240)),
}


@pytest.mark.parametrize("hidden", ["photo", "black", "white"])
@pytest.mark.parametrize("r", [12, 70, 200])
@pytest.mark.parametrize("scene", SCENES)
def test_a_cut_out_of_the_photo_marks_what_it_shows(scene: str, r: int, hidden: str) -> None:
    drawn, source = target(r=r), photo(3)
    region = drawn[..., 0] > 127
    source[region] = SCENES[scene][region]
    colours = source.copy()
    if hidden != "photo":
        colours[~region] = 0 if hidden == "black" else 255
    answer = encode_png(np.dstack([colours, drawn[..., 0]]))
    for under in (source, None):
        assert iou(reading(answer, under)[0], region) >= 0.99


def test_a_photo_faded_out_but_for_one_piece_marks_the_piece() -> None:
    region = target()[..., 0] > 127
    answer = encode_png(np.dstack([photo(3), np.where(region, 255, 90).astype(np.uint8)]))
    assert iou(reading(answer, photo(3))[0], region) >= 0.99


def test_a_cut_out_that_was_the_source_already_marks_nothing() -> None:
    source = decode(encode_png(np.dstack([photo(3), target()[..., 0]])))
    with pytest.raises(Refusal) as caught:
        two_level_mask(View(frame=source.size), MaskParams(), answer=source, sources=(source,))
    assert caught.value.code == "source_returned"


def test_a_photo_with_a_trimmed_edge_is_no_mask() -> None:
    alpha = np.full((480, 640), 255, np.uint8)
    alpha[:12] = alpha[-12:] = 0
    assert refused(encode_png(np.dstack([photo(3), alpha])), photo(3)) == "source_returned"


def test_a_mask_with_a_trimmed_edge_is_read_by_its_levels() -> None:
    drawn = target()
    alpha = np.full((480, 640), 255, np.uint8)
    alpha[:60] = 0
    found = reading(encode_png(np.dstack([drawn, alpha])), flat((20, 20, 20)))[0]
    assert iou(found, drawn[..., 0] > 127) >= 0.99


def test_hidden_colours_under_full_transparency_are_no_mask() -> None:
    hidden = Picture(flat((0, 255, 0)), np.zeros((480, 640), np.uint8))
    assert refused(hidden, photo(3)) in {"source_returned", "not_binary", "blank", "full_mask"}


def test_a_grey_png_of_two_values_is_read() -> None:
    drawn = target()
    assert iou(reading(png(drawn[..., 0]), photo(3))[0], drawn[..., 0] > 127) == 1


@settings(max_examples=25, deadline=None)
@given(st.integers(60, 580), st.integers(60, 420), st.integers(5, 120))
def test_any_drawn_region_comes_back(x: int, y: int, r: int) -> None:
    drawn = target(x, y, r)
    assert np.array_equal(reading(drawn, photo(2))[0], drawn[..., 0] > 127)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 255), st.integers(0, 255), st.integers(1, 399))
def test_two_levels_are_found_exactly(a: int, b: int, n: int) -> None:
    picture = np.full(400, a, np.uint8)
    picture[:n] = b
    levels = two_levels(picture.reshape(20, 20))
    assert (levels.low, levels.high) == (min(a, b), max(a, b))
    assert levels.stray == 0


def test_the_same_bytes_give_the_same_region() -> None:
    answer = jpeg(target(), 50)
    assert np.array_equal(reading(answer, photo(1))[0], reading(answer, photo(1))[0])


@pytest.mark.real
def test_every_real_target_is_its_own_mask_and_no_photo_is_one() -> None:
    if not REAL.is_dir():
        pytest.skip("RoboAfford is not beside the checkout (shared/real/roboafford)")
    photos = [decode(path) for path in sorted((REAL / "images").iterdir())]
    for source in photos:
        assert refused(source, source.rgb) == "source_returned"
    for path in sorted((REAL / "masks").iterdir()):
        truth = cv2.resize(cv2.imread(str(path), 0), (640, 480), interpolation=cv2.INTER_NEAREST) > 127
        assert iou(reading(decode(path), photos[0].rgb)[0], truth) == 1, path.name


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (3, 2)])
def test_the_smallest_pictures_are_refused_or_read_and_never_fail(size: tuple[int, int]) -> None:
    answer = flat((255, 255, 255), size)
    assert refused(answer) == "full_mask"
    answer[0, 0] = 0
    if answer.size > 3:
        assert reading(answer)[0].sum() == size[0] * size[1] - 1


def shape(kind: str, thickness: int = -1) -> Bytes:
    """A white region on black: a disc, a star, two boxes, or a ring as wide as a tyre."""
    mask = flat((0, 0, 0), (640, 480))
    white = (255, 255, 255)
    if kind == "disc":
        cv2.circle(mask, (300, 220), 90, white, thickness, cv2.LINE_AA)
    if kind == "star":
        angles = np.arange(10) * np.pi / 5
        radius = np.where(np.arange(10) % 2, 60, 140)
        corners = np.stack([330 + radius * np.cos(angles), 240 + radius * np.sin(angles)], axis=1).astype(np.int32)
        cv2.drawContours(mask, [corners[:, None]], -1, white, thickness, cv2.LINE_AA)
    if kind == "boxes":
        cv2.rectangle(mask, (60, 80), (200, 190), white, thickness)
        cv2.rectangle(mask, (400, 250), (560, 400), white, thickness)
    if kind == "tyre":
        cv2.circle(mask, (300, 220), 90, white, 34, cv2.LINE_AA)
    return mask


@pytest.mark.parametrize("thickness", [2, 5, 9])
@pytest.mark.parametrize("kind", ["disc", "star", "boxes"])
def test_an_outline_is_no_region(kind: str, thickness: int) -> None:
    answer = shape(kind, thickness)
    for drawn in (answer, jpeg(answer, 75), cv2.resize(answer, (1024, 768), interpolation=cv2.INTER_CUBIC)):
        assert refused(drawn, photo(2)) == "outline"
    assert iou(reading(shape(kind), photo(2))[0], shape(kind)[..., 0] > 127) > 0.99


def test_a_tyre_is_a_region_and_so_is_a_rope() -> None:
    assert iou(reading(shape("tyre"), photo(2))[0], shape("tyre")[..., 0] > 127) > 0.99
    rope = flat((0, 0, 0), (640, 480))
    cv2.line(rope, (50, 60), (590, 430), (255, 255, 255), 5, cv2.LINE_AA)
    assert reading(rope, photo(2))[0].sum() > 2000


def test_edges_of_the_scene_are_no_region() -> None:
    edges = cv2.Canny(cv2.cvtColor(data.coffee(), cv2.COLOR_RGB2GRAY), 60, 140)
    answer = np.repeat(cv2.dilate(edges, np.ones((2, 2), np.uint8))[..., None], 3, axis=2)
    assert refused(answer, data.coffee()) in ("outline", "source_returned")


@pytest.mark.parametrize("kind", ["disc", "star", "boxes", "tyre"])
def test_black_on_white_is_inverted(kind: str) -> None:
    answer = 255 - shape(kind)
    for drawn in (answer, jpeg(answer, 60), (answer * 0.8 + 20).astype(np.uint8)):
        assert refused(drawn, photo(2)) == "inverted"


def test_a_large_region_at_three_sides_is_read() -> None:
    floor = flat((0, 0, 0), (640, 480))
    floor[170:] = 255
    disc(floor, 320, 320, 60, (0, 0, 0))
    assert reading(floor, photo(2))[0].mean() > 0.5
    assert reading(255 - floor, photo(2))[0].mean() > 0.3


@pytest.mark.parametrize("paper", [255, 140, 60])
@pytest.mark.parametrize("sides", ["across", "down", "round"])
def test_a_mask_in_a_visible_margin_is_in_another_framing(sides: str, paper: int) -> None:
    x, y = (60 if sides != "down" else 0), (50 if sides != "across" else 0)
    answer = np.full((480, 640, 3), paper, np.uint8)
    answer[y : 480 - y, x : 640 - x] = cv2.resize(shape("star"), (640 - 2 * x, 480 - 2 * y))
    for drawn in (answer, jpeg(answer, 75)):
        assert refused(drawn, photo(2)) in ("other_framing", "not_binary")


@pytest.mark.parametrize("name", ["coffee", "chelsea", "astronaut", "coins"])
def test_light_and_shade_of_the_photo_are_no_region(name: str) -> None:
    source = getattr(data, name)()
    source = cv2.cvtColor(source, cv2.COLOR_GRAY2RGB) if source.ndim == 2 else source
    grey = cv2.GaussianBlur(cv2.cvtColor(source, cv2.COLOR_RGB2GRAY), (0, 0), 1)
    level = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)[0]
    local = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 41, 4)
    for part in (np.where(grey > level, 255, 0).astype(np.uint8), np.where(grey > 100, 0, 255).astype(np.uint8), local):
        answer = np.repeat(part[..., None], 3, axis=2)
        for drawn in (answer, jpeg(answer, 75)):
            assert refused(drawn, source) in ("source_returned", "not_binary")


def test_a_bright_thing_on_a_dark_table_is_a_region_and_so_are_its_many_pieces() -> None:
    source = (photo(3) * 0.6).astype(np.uint8)
    answer = flat((0, 0, 0), (640, 480))
    for x in range(80, 600, 130):
        disc(source, x, 240, 34, (190, 190, 170))
        disc(answer, x, 240, 34, (255, 255, 255))
    assert reading(answer, source)[0].sum() > 10_000
