"""Target masks in every way they are stored, and polygons."""

import numpy as np
import pytest
from PIL import Image

from provise.errors import DataError
from provise.image import decode
from provise.metrics import mask_precision
from provise.target_mask import fill_polygons, picture_size, read_mask

VOC = [0, 0, 0, 128, 0, 0, 0, 128, 0, 128, 128, 0]
"""The first colours of a label palette, as segmentation data sets use it."""


@pytest.fixture
def target():
    mask = np.zeros((30, 40), bool)
    mask[6:17, 9:31] = True
    mask[20:24, 3:8] = True
    return mask


def palette(indices, colours):
    image = Image.fromarray(indices.astype(np.uint8), mode="P")
    image.putpalette(colours)
    return image


def full_reader(folder):
    """Whether the image reader keeps alpha; its first slice did not."""
    Image.new("RGBA", (2, 2), (255, 255, 255, 0)).save(folder / "probe.png")
    return decode(folder / "probe.png").alpha is not None


def stored(target):
    """The same target as many writers store it."""
    ones = target.astype(np.uint8)
    white = ones * np.uint8(255)
    coloured = np.zeros((*target.shape, 3), np.uint8)
    coloured[target] = (0, 0, 200)
    alpha = np.full((*target.shape, 4), 255, np.uint8)
    alpha[..., 3] = white
    cut = np.dstack([np.full((*target.shape, 3), 255, np.uint8), white])
    cut[..., :3][~target & (np.arange(40) % 2 == 0)] = 90
    return {
        "0_255": Image.fromarray(white),
        "0_1": Image.fromarray(ones),
        "0_128": Image.fromarray(ones * np.uint8(128)),
        "one_bit": Image.fromarray(target),
        "rgb_0_1": Image.fromarray(np.dstack([ones] * 3)),
        "blue_on_black": Image.fromarray(coloured),
        "palette_black_white": palette(ones, [0, 0, 0, 255, 255, 255]),
        "palette_white_first": palette(1 - ones, [255, 255, 255, 0, 0, 0]),
        "palette_labels": palette(ones, VOC),
        "palette_two_labels": palette(ones * np.where(np.arange(40) < 20, 1, 2), VOC),
        "palette_grey_ramp": palette(ones, [value for i in range(256) for value in (i, i, i)]),
        "palette_one_colour": palette(ones, [7, 7, 7, 7, 7, 7]),
        "palette_no_black": palette(ones, [31, 119, 180, 255, 127, 14]),
        "alpha_over_white": Image.fromarray(alpha),
        "alpha_cuts_out": Image.fromarray(cut),
        "sixteen_0_65535": Image.fromarray(ones.astype(np.uint16) * np.uint16(65535)),
        "sixteen_0_1": Image.fromarray(ones.astype(np.uint16)),
        "sixteen_0_255": Image.fromarray(ones.astype(np.uint16) * np.uint16(255)),
    }


WAYS = list(stored(np.zeros((30, 40), bool)))


@pytest.mark.parametrize("way", WAYS)
def test_a_perfect_answer_scores_1_however_the_target_is_stored(way, target, tmp_path):
    file = tmp_path / "mask.png"
    stored(target)[way].save(file)
    if way.startswith(("alpha", "sixteen")) and not full_reader(tmp_path):
        pytest.skip("the image reader on this branch drops alpha and scales 16 bits")
    read = read_mask(file, (40, 30))
    assert np.array_equal(read, target)
    assert mask_precision(target, read) == 1.0


def test_a_jpeg_target_is_cut_at_127_and_not_at_0(target, tmp_path):
    file = tmp_path / "mask.jpg"
    noisy = np.kron(target, np.ones((7, 7), bool)).astype(np.uint8) * np.uint8(255)
    Image.fromarray(noisy).save(file, quality=60)
    with Image.open(file) as image:
        levels = np.asarray(image)
    assert len(np.unique(levels)) > 2
    assert np.array_equal(read_mask(file), levels > 127)
    assert np.count_nonzero(levels > 0) > np.count_nonzero(read_mask(file))


def test_a_mask_of_another_size_is_brought_to_the_source_by_nearest(target, tmp_path):
    file = tmp_path / "mask.png"
    Image.fromarray(np.kron(target, np.ones((3, 3), bool)).astype(np.uint8) * np.uint8(255)).save(file)
    assert np.array_equal(read_mask(file, (40, 30)), target)
    Image.fromarray(target).save(file)
    assert np.array_equal(read_mask(file, (80, 60)), np.kron(target, np.ones((2, 2), bool)))


@pytest.mark.parametrize(("level", "marked"), [(0, False), (1, True), (90, False), (255, True)])
def test_one_level_everywhere(level, marked, tmp_path):
    file = tmp_path / "mask.png"
    Image.fromarray(np.full((5, 7), level, np.uint8)).save(file)
    if marked:
        assert read_mask(file).all()
    else:
        with pytest.raises(DataError) as caught:
            read_mask(file)
        assert caught.value.code == "empty_mask"


def test_faults_have_their_codes(target, tmp_path):
    with pytest.raises(DataError) as caught:
        read_mask(tmp_path / "none.png")
    assert caught.value.code == "missing_mask"
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(DataError) as caught:
        read_mask(tmp_path / "text.png")
    assert caught.value.code == "bad_truth"
    dot = np.zeros((50, 50), np.uint8)
    dot[1, 1] = 255
    Image.fromarray(dot).save(tmp_path / "dot.png")
    with pytest.raises(DataError, match="5x5") as caught:
        read_mask(tmp_path / "dot.png", (5, 5))
    assert caught.value.code == "empty_mask"


def test_size_is_that_of_the_picture_as_seen(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (60, 20)).save(tmp_path / "turned.jpg", exif=exif)
    assert picture_size(tmp_path / "turned.jpg") == (20, 60)
    with pytest.raises(DataError) as caught:
        picture_size(tmp_path / "none.jpg")
    assert caught.value.code == "missing_media"
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(DataError) as caught:
        picture_size(tmp_path / "text.png")
    assert caught.value.code == "bad_media"


@pytest.mark.parametrize("seed", range(6))
def test_polygons_hold_the_pixels_whose_centre_shapely_finds_inside(seed):
    shapely = pytest.importorskip("shapely")
    rng = np.random.default_rng(seed)
    turn = (np.arange(9) + rng.uniform(0, 0.8, 9)) * 2 * np.pi / 9
    ring = np.column_stack([12 + np.cos(turn) * rng.uniform(3, 14, 9), 9 + np.sin(turn) * rng.uniform(3, 14, 9)])
    polygon = shapely.Polygon(ring)
    expected = [[polygon.contains(shapely.Point(x + 0.5, y + 0.5)) for x in range(25)] for y in range(18)]
    assert polygon.is_valid
    assert np.array_equal(fill_polygons([ring], (25, 18)), expected)


def test_polygons_are_joined_and_stay_near_pycocotools():
    coco = pytest.importorskip("pycocotools.mask")
    rings = [np.array([[3.2, 2.1], [30.7, 4.9], [22.4, 25.3]]), np.array([[20.0, 3.0], [38.0, 6.0], [33.0, 28.0]])]
    filled = fill_polygons(rings, (40, 30))
    encoded = coco.merge(coco.frPyObjects([ring.ravel().tolist() for ring in rings], 30, 40))
    assert np.count_nonzero(filled ^ coco.decode(encoded).astype(bool)) < 40  # its border pixels follow another rule
    assert np.array_equal(filled, fill_polygons(rings[:1], (40, 30)) | fill_polygons(rings[1:], (40, 30)))
