"""Orientation: every file that carries one is turned once, by one reader, and a damaged block costs no picture."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from provise.coordinates import pixel_of
from provise.image import decode
from tests.test_image import DEEP, chunk, file, raw_png, upright

PIXELS = np.random.default_rng(5).integers(0, 256, (30, 50, 3), dtype=np.uint8)
GARBAGE = [b"Exif\0\0no tags here", b"Exif\0\0II*\0", b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + b"\1" * 60]


def block(orientation: int, *entries: bytes) -> bytes:
    """Write an EXIF block by hand, with entries no library would write after its orientation."""
    rows = (struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0), *entries)
    return b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<H", len(rows)) + b"".join(rows) + b"\0" * 4


def deep_tiff(orientation: int) -> bytes:
    """Write DEEP as a TIFF of 16 bits a channel with an orientation tag: a directory of our own behind OpenCV's file."""
    data = cv2.imencode(".tiff", DEEP[..., ::-1], [cv2.IMWRITE_TIFF_COMPRESSION, 1])[1].tobytes()
    (at,) = struct.unpack("<I", data[4:8])
    (count,) = struct.unpack("<H", data[at : at + 2])
    rows = [data[at + 2 + 12 * i : at + 14 + 12 * i] for i in range(count)]
    rows = [row for row in rows if row[:2] != b"\x12\x01"] + [struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)]
    rows.sort(key=lambda row: int.from_bytes(row[:2], "little"))
    data += b"\0" * (len(data) % 2)
    directory = struct.pack("<H", len(rows)) + b"".join(rows) + b"\0" * 4
    return data[:4] + struct.pack("<I", len(data)) + data[8:] + directory


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_deep_tiff_is_turned_once(orientation: int) -> None:
    picture = decode(deep_tiff(orientation))
    assert np.array_equal(picture.rgb, upright(orientation, DEEP).astype(np.float32) / np.float32(257))
    assert ("exif_orientation" in picture.notes) is (orientation > 1)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_tiff_says_that_it_was_turned(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = file(Image.fromarray(PIXELS), "TIFF", exif=exif)
    for picture in (decode(data), decode(Image.open(io.BytesIO(data)))):
        assert np.array_equal(picture.rgb, upright(orientation, PIXELS))
        assert picture.notes == (("exif_orientation",) if orientation > 1 else ())


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("mode", ["L", "LA", "P", "RGBA", "1"])
def test_every_mode_is_turned_with_its_alpha(mode: str, orientation: int) -> None:
    alpha = PIXELS[..., 0] | 1
    image = Image.fromarray(np.dstack([PIXELS, alpha]) if "A" in mode else PIXELS).convert(mode)
    exif = Image.Exif()
    exif[0x0112] = orientation
    plain, turned = decode(file(image, "PNG")), decode(file(image, "PNG", exif=exif))
    assert np.array_equal(turned.rgb, upright(orientation, plain.rgb))
    assert (turned.alpha is None) == (plain.alpha is None) == (mode in ("L", "P", "1"))
    if plain.alpha is not None and turned.alpha is not None:
        assert np.array_equal(turned.alpha, upright(orientation, plain.alpha))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_an_avif_is_turned(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    smooth = cv2.resize(PIXELS[:3, :5], (60, 40), interpolation=cv2.INTER_CUBIC)
    found = decode(file(Image.fromarray(smooth), "AVIF", exif=exif, quality=95)).rgb
    expected = upright(orientation, smooth)
    assert found.shape == expected.shape
    assert np.abs(found.astype(int) - expected).mean() < 4


def test_an_orientation_behind_the_pixels_of_a_png_counts() -> None:
    whole = raw_png([row.tobytes() for row in PIXELS], 50, 8, 2)
    end = chunk(b"IEND", b"")
    data = whole.removesuffix(end) + chunk(b"eXIf", block(6).removeprefix(b"Exif\0\0")) + end
    assert np.array_equal(decode(data).rgb, upright(6, PIXELS))


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")  # Pillow, when a PIL image is opened outside the reader
@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG"])
def test_a_damaged_exif_block_costs_no_picture(kind: str, garbage: bytes) -> None:
    settings = {"WEBP": {"lossless": True}, "JPEG": {"quality": 90}}.get(kind, {})
    image = Image.fromarray(PIXELS)
    data = file(image, kind, exif=garbage, **settings)
    for picture in (decode(data), decode(Image.open(io.BytesIO(data)))):
        assert np.array_equal(picture.rgb, decode(file(image, kind, **settings)).rgb)
        assert picture.notes == ()


def test_tags_that_cannot_be_written_back_do_not_stop_the_turn() -> None:
    pointer = struct.pack("<HHII", 0x8769, 4, 1, 4000)
    huge = struct.pack("<HHII", 0x9999, 12, 1, 10**6)
    rational = struct.pack("<HHII", 0x011A, 3, 1, 70_000)
    for entries in ((huge, pointer), (rational,)):
        data = file(Image.fromarray(PIXELS), "PNG", exif=block(6, *entries))
        assert np.array_equal(decode(data).rgb, upright(6, PIXELS))


@pytest.mark.parametrize("value", [0, 9, 255, 65535])
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "JPEG"])
def test_an_orientation_without_a_meaning_is_none(kind: str, value: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = value
    picture = decode(file(Image.fromarray(PIXELS), kind, exif=exif))
    assert (picture.size, picture.notes) == ((50, 30), ())


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_point_lands_on_the_upright_picture_from_every_way_in(orientation: int, tmp_path: Path) -> None:
    """The mark is at (.25, .5) as one sees the picture; where it lies in the file depends on the orientation."""
    seen = np.zeros((100, 40, 3) if orientation > 4 else (40, 100, 3), np.uint8)
    h, w = seen.shape[:2]
    x, y = pixel_of(0.25, w), pixel_of(0.5, h)
    seen[max(y - 5, 0) : y + 5, max(x - 5, 0) : x + 5] = 255
    back = {3: 3, 6: 8, 8: 6}[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / "photo.jpg"
    path.write_bytes(file(Image.fromarray(np.ascontiguousarray(upright(back, seen))), "JPEG", exif=exif, quality=95))
    ways = [decode(path), decode(path.read_bytes()), decode(Image.open(path))]
    for picture in ways:
        assert picture.size == (w, h)
        assert picture.rgb[y, x].min() > 200
        assert np.array_equal(picture.rgb, ways[0].rgb)
