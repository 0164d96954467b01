"""The one reader of pictures: the same pixels from every container and every way in."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from provise.errors import ImageError, InputError
from provise.image import Bytes, Geometry, Picture, decode, encode_png, fit, fit_mask
from tests.drawing import flat, photo

RNG = np.random.default_rng(7)
DEEP = RNG.integers(0, 65536, (14, 22, 3)).astype(np.uint16)
LOSSLESS: list[tuple[str, dict[str, object]]] = [
    ("PNG", {}), ("TIFF", {}), ("TIFF", {"compression": "tiff_lzw"}), ("BMP", {}), ("PPM", {}), ("TGA", {}),
    ("WEBP", {"lossless": True}),
]  # fmt: skip


def file(image: Image.Image, kind: str, **settings: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **settings)
    return out.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def raw_png(rows: list[bytes], width: int, depth: int, colour: int, *extra: bytes) -> bytes:
    """Write a PNG chunk by chunk: forms that no writer at hand makes."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), depth, colour, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows)))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(extra) + body + chunk(b"IEND", b"")


def upright(orientation: int, stored: np.ndarray) -> np.ndarray:
    """Turn pixels as the EXIF standard words it, independently of any library's own table."""
    turns = {
        1: lambda a: a, 2: np.fliplr, 3: lambda a: np.rot90(a, 2), 4: np.flipud, 5: lambda a: a.swapaxes(0, 1),
        6: lambda a: np.rot90(a, -1), 7: lambda a: np.rot90(a, 2).swapaxes(0, 1), 8: lambda a: np.rot90(a, 1),
    }  # fmt: skip
    return np.asarray(turns[orientation](stored))


# --- EXIF ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(
    ("kind", "settings"), [("PNG", {}), ("TIFF", {}), ("WEBP", {"lossless": True}), ("JPEG", {"quality": 95})]
)
def test_every_orientation_is_applied_on_every_way_in(
    kind: str, settings: dict[str, object], orientation: int, tmp_path: Path
) -> None:
    stored = np.zeros((40, 100, 3), np.uint8)
    stored[:16, :16], stored[:16, -16:], stored[-16:, :16] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = file(Image.fromarray(stored), kind, exif=exif, **settings)
    (tmp_path / "turned.img").write_bytes(data)
    ways = [decode(data), decode(tmp_path / "turned.img"), decode(str(tmp_path / "turned.img"))]
    ways += [decode(bytearray(data)), decode(memoryview(data)), decode(Image.open(io.BytesIO(data)))]
    expected = upright(orientation, stored)
    for picture in ways:
        assert picture.size == ((40, 100) if orientation > 4 else (100, 40))
        assert np.array_equal(picture.rgb, ways[0].rgb)
        assert np.abs(picture.rgb.astype(int) - expected).mean() < 6
        if kind != "JPEG":
            assert np.array_equal(picture.rgb, expected)
    if kind != "TIFF":  # a TIFF is turned by the library while it is read
        assert [p.notes for p in ways] == [("exif_orientation",) if orientation > 1 else ()] * len(ways)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_deep_png_is_turned_too(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    body = exif.tobytes().removeprefix(b"Exif\0\0")
    rows = [row.astype(">u2").tobytes() for row in DEEP]
    picture = decode(raw_png(rows, 22, 16, 2, chunk(b"eXIf", body)))
    assert np.array_equal(picture.rgb, upright(orientation, DEEP).astype(np.float32) / np.float32(257))


# --- containers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "settings"), LOSSLESS)
@given(st.integers(1, 33), st.integers(1, 33), st.integers(0, 2**32 - 1))
def test_lossless_containers_give_back_their_pixels(
    kind: str, settings: dict[str, object], w: int, h: int, seed: int
) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (h, w, 3), dtype=np.uint8)
    found = decode(file(Image.fromarray(pixels), kind, **settings))
    assert np.array_equal(found.rgb, pixels)
    assert (found.alpha, found.rgb.dtype, found.format) == (None, np.uint8, kind)
    assert np.array_equal(decode(pixels).rgb, pixels)


def test_rgb_and_bgr_are_never_swapped() -> None:
    blue = flat((0, 0, 255), (9, 8))
    by_opencv = cv2.imencode(".png", blue[..., ::-1])[1].tobytes()
    for data in (by_opencv, file(Image.fromarray(blue), "PNG"), file(Image.fromarray(blue), "BMP")):
        assert np.array_equal(decode(data).rgb, blue)


def test_progressive_and_grey_jpegs_read_as_pillow_reads_them() -> None:
    for image in (Image.fromarray(photo(3)), Image.fromarray(photo(3)).convert("L")):
        data = file(image, "JPEG", quality=80, progressive=True)
        assert np.array_equal(decode(data).rgb, np.asarray(Image.open(io.BytesIO(data)).convert("RGB")))


def test_a_cmyk_jpeg_is_converted() -> None:
    data = file(Image.fromarray(flat((250, 20, 20), (24, 24))).convert("CMYK"), "JPEG", quality=95)
    picture = decode(data)
    assert picture.notes == ("converted_cmyk",)
    assert np.abs(picture.rgb.astype(int).mean(axis=(0, 1)) - (250, 20, 20)).max() < 12


def test_palette_pictures_keep_their_colours_and_their_transparency() -> None:
    image = Image.fromarray(np.array([[0, 1, 2], [2, 1, 0]], np.uint8), "P")
    image.putpalette([255, 0, 0, 0, 255, 0, 0, 0, 255])
    plain, keyed = decode(file(image, "PNG")), decode(file(image, "PNG", transparency=bytes([255, 0, 128])))
    assert plain.alpha is None
    assert keyed.alpha is not None
    assert keyed.alpha.tolist() == [[255, 0, 128], [128, 0, 255]]
    for picture in (plain, keyed, decode(image)):
        assert picture.rgb[0].tolist() == [[255, 0, 0], [0, 255, 0], [0, 0, 255]]
        assert "converted_palette" in picture.notes


def test_a_one_bit_picture_is_black_and_white() -> None:
    data = file(Image.fromarray(np.eye(9, dtype=np.uint8) * 255).convert("1"), "PNG")
    assert np.array_equal(decode(data).rgb[..., 0], np.eye(9) * 255)


def test_grey_with_alpha() -> None:
    values = np.dstack([np.full((3, 4), 90, np.uint8), np.arange(12, dtype=np.uint8).reshape(3, 4) * 20])
    for data in (file(Image.fromarray(values, "LA"), "PNG"), Image.fromarray(values, "LA")):
        picture = decode(data)
        assert np.unique(picture.rgb).tolist() == [90]
        assert picture.alpha is not None
        assert np.array_equal(picture.alpha, values[..., 1])


@pytest.mark.parametrize(("depth", "levels"), [(1, [0, 255]), (2, [0, 85, 170, 255]), (4, list(range(0, 256, 17)))])
def test_a_key_of_a_shallow_grey_png_is_transparent(depth: int, levels: list[int]) -> None:
    for key in range(len(levels)):
        samples = (list(range(len(levels))) * 8)[:8]
        row = int("".join(format(v, f"0{depth}b") for v in samples), 2).to_bytes(depth, "big")
        picture = decode(raw_png([row, row], 8, depth, 0, chunk(b"tRNS", struct.pack(">H", key))))
        assert picture.rgb[0, :, 0].tolist() == [levels[v] for v in samples]
        assert picture.alpha is None or picture.alpha[0].tolist() == [0 if v == key else 255 for v in samples]
        assert (picture.alpha is None) == (key not in samples)


@pytest.mark.parametrize("colour", [0, 2])
@pytest.mark.parametrize("depth", [8, 16])
def test_a_key_colour_is_transparent(depth: int, colour: int) -> None:
    values = DEEP[..., :1] if colour == 0 else DEEP
    values = values if depth == 16 else values % 256
    rows = [row.astype(">u2" if depth == 16 else "u1").tobytes() for row in values]
    picture = decode(raw_png(rows, 22, depth, colour, chunk(b"tRNS", values[3, 5].astype(">u2").tobytes())))
    assert picture.alpha is not None
    assert np.array_equal(picture.alpha == 0, (values == values[3, 5]).all(axis=2))


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP", "TIFF"])
def test_of_an_animation_the_first_frame_is_read_and_noted(kind: str) -> None:
    frames = [Image.fromarray(flat(colour, (20, 12))) for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255))]
    settings = {"lossless": True} if kind == "WEBP" else {}
    data = file(frames[0], kind, save_all=True, append_images=frames[1:], **settings)
    for picture in (decode(data), decode(Image.open(io.BytesIO(data)))):
        assert "first_frame" in picture.notes
        assert np.unique(picture.rgb.reshape(-1, 3), axis=0).tolist() == [[255, 0, 0]]
    moved = Image.open(io.BytesIO(data))
    moved.seek(1)
    assert (decode(moved).rgb[0, 0].tolist(), "first_frame" in decode(moved).notes) == ([0, 255, 0], False)


# --- more than 8 bits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_sixteen_bits_are_kept_apart(suffix: str, channels: int) -> None:
    values = np.full((6, 8, channels), 30025, np.uint16)
    values[:, :4] = 30075
    picture = decode(cv2.imencode(suffix, values)[1].tobytes())
    assert picture.rgb.dtype == np.float32
    assert picture.rgb[0, 0, 0] - picture.rgb[0, 7, 0] == pytest.approx(50 / 257, rel=1e-3)
    assert picture.notes == ("sixteen_bit",)
    assert (picture.alpha is not None) == (channels == 4)


def test_colours_of_sixteen_bits_come_in_rgb_order() -> None:
    rows = [row.astype(">u2").tobytes() for row in DEEP]
    tiff = cv2.imencode(".tiff", DEEP[..., ::-1])[1].tobytes()
    for data in (raw_png(rows, 22, 16, 2), tiff, DEEP):
        assert np.array_equal(decode(data).rgb, DEEP.astype(np.float32) / np.float32(257))


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
@pytest.mark.parametrize("channels", [1, 3])
def test_eight_bit_values_in_a_sixteen_bit_container_keep_their_scale(suffix: str, channels: int) -> None:
    values = (np.arange(48, dtype=np.uint16).reshape(6, 8, 1) * 5).repeat(channels, axis=2)
    picture = decode(cv2.imencode(suffix, values)[1].tobytes())
    assert picture.rgb.dtype == np.uint8
    assert np.array_equal(picture.rgb[..., 0], values[..., 0])


@pytest.mark.parametrize("alpha", [0, 7, 255, 30000, 65535])
def test_opaque_is_no_reason_to_scale_the_colours(alpha: int) -> None:
    values = np.full((4, 5, 4), alpha, np.uint16)
    values[..., :3] = (np.arange(5, dtype=np.uint16) * 50)[None, :, None]
    keyed = raw_png([row.astype(">u2").tobytes() for row in values[..., 0]], 5, 16, 0, chunk(b"tRNS", b"\0\x32"))
    for data in (values, raw_png([row.astype(">u2").tobytes() for row in values], 5, 16, 6), keyed):
        picture = decode(data)
        assert (picture.rgb.dtype, picture.rgb[0, :, 0].tolist()) == (np.uint8, [0, 50, 100, 150, 200])
    expected = alpha if alpha <= 255 else round(alpha / 257)
    assert decode(values).alpha is None if expected == 255 else np.unique(decode(values).alpha).tolist() == [expected]


def test_a_faint_alpha_of_a_deep_picture_stays_faint() -> None:
    values = np.full((3, 3, 4), (40000, 30000, 20000, 200), np.uint16)
    assert np.unique(decode(values).alpha).tolist() == [1]


def test_a_deep_level_is_scaled_by_257_in_every_container() -> None:
    values = np.full((5, 5), 300, np.uint16)
    for data in (file(Image.fromarray(values), "PNG"), file(Image.fromarray(values), "TIFF"), values):
        assert np.allclose(decode(data).rgb, 300 / 257)


@pytest.mark.parametrize(("top", "scale"), [(1.0, 255), (200.0, 1), (60000.0, 1 / 257)])
def test_a_float_tiff_is_scaled_by_its_range(top: float, scale: float) -> None:
    values = np.linspace(0, top, 30, dtype=np.float32).reshape(5, 6)
    assert np.allclose(decode(file(Image.fromarray(values), "TIFF")).rgb[..., 1], values * scale, atol=1e-3)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -3.0, 1e9])
def test_a_float_tiff_of_impossible_values_is_refused(bad: float) -> None:
    values = np.full((5, 6), 0.5, np.float32)
    values[2, 2] = bad
    with pytest.raises(ImageError) as error:
        decode(file(Image.fromarray(values), "TIFF"))
    assert error.value.code == "undecodable"


# --- arrays -------------------------------------------------------------------------------------------------------


def test_arrays_of_every_type_and_shape() -> None:
    grey = np.arange(256, dtype=np.uint8).reshape(16, 16)
    expected = grey[..., None].repeat(3, axis=2)
    for array in (
        grey,
        grey[..., None],
        expected,
        grey.astype(np.int64),
        grey.astype(np.uint16),
        np.asfortranarray(grey),
    ):
        found = decode(array)
        assert np.array_equal(found.rgb, expected)
        assert found.rgb.dtype == np.uint8
    for kind in (np.float16, np.float32, np.float64):
        assert np.allclose(decode(grey.astype(kind)).rgb, expected)
        assert np.allclose(decode((grey / 255).astype(kind)).rgb, expected, atol=0.1)
    assert np.array_equal(decode(grey > 99).rgb[..., 0], np.where(grey > 99, 255, 0))
    assert np.array_equal(decode(np.dstack([expected, grey])).alpha, grey)


@pytest.mark.parametrize(
    "array",
    [np.zeros(5), np.zeros((3, 4, 2)), np.zeros((3, 4, 5)), np.zeros((1, 3, 4, 3)), np.zeros((0, 4)), np.zeros((4, 0, 3)),
     np.array(3.0), np.full((3, 3), np.nan), np.full((3, 3), np.inf), np.full((3, 3), -1), np.full((3, 3), 70000),
     np.zeros((3, 3), complex), np.array([["a"]]), np.array([[None]]), np.zeros((3, 3), "datetime64[s]")],
)  # fmt: skip
def test_odd_arrays_are_refused(array: np.ndarray) -> None:
    with pytest.raises(ImageError) as error:
        decode(array)
    assert error.value.code == "undecodable"


def test_a_huge_float_is_bright_and_says_nothing_on_the_terminal() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert decode(np.full((2, 2), 1e300)).rgb.max() == 255


def test_a_picture_does_not_change_with_the_array_it_was_made_of() -> None:
    array = flat((10, 20, 30), (4, 4))
    picture = decode(array)
    array[:] = 0
    assert picture.rgb[0, 0].tolist() == [10, 20, 30]


@pytest.mark.parametrize("thing", [None, 3, [[1, 2], [3, 4]], {"image": 1}, object()])
def test_another_type_is_a_wrong_call(thing: object) -> None:
    with pytest.raises(InputError, match="expected bytes, a path, an array or a PIL image"):
        decode(thing)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", ".", "none.png", "a\0b.png", "x" * 5000])
def test_a_path_without_a_file_is_a_wrong_call(name: str) -> None:
    with pytest.raises(InputError):
        decode(name)


# --- size, alpha, geometry ----------------------------------------------------------------------------------------


def test_colours_hidden_under_alpha_never_show() -> None:
    rgba = np.zeros((30, 30, 4), np.uint8)
    rgba[..., 1] = 255  # green everywhere, and nowhere to be seen
    rgba[10:20, 10:20] = (200, 30, 200, 255)
    picture = decode(file(Image.fromarray(rgba), "PNG"))
    for size in ((30, 30), (7, 9), (61, 45), (13, 90), (300, 4)):
        for over in (None, decode(flat((128, 128, 128), (30, 30)))):
            rgb = fit(picture, size, over=over)[0].astype(int)
            assert (rgb[..., 1] <= np.maximum(rgb[..., 0], rgb[..., 2]) + 1).all(), (size, over)


def test_alpha_lies_over_the_source_and_else_over_white() -> None:
    rgba = np.full((8, 8, 4), (255, 0, 0, 0), np.uint8)
    rgba[:, 4:, 3] = 102
    picture, source = decode(rgba), decode(flat((0, 0, 200), (16, 16)))
    assert fit(picture)[0][0, 0].tolist() == [255, 255, 255]
    assert fit(picture)[0][0, 7].tolist() == [255, 153, 153]
    assert fit(picture, over=source)[0][0, 0].tolist() == [0, 0, 200]
    assert fit(picture, over=source)[0][0, 7].tolist() == [102, 0, 120]


@given(
    st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(0, 255), st.booleans()
)
def test_a_flat_picture_stays_flat_at_any_size(w: int, h: int, tw: int, th: int, level: int, clear: bool) -> None:
    picture = decode(np.full((h, w, 4), (level, level, level, 0 if clear else 255), np.uint8))
    rgb, geometry = fit(picture, (tw, th))
    assert rgb.shape == (th, tw, 3)
    assert np.unique(rgb).tolist() == [255 if clear else level]
    assert (geometry.answer_size, geometry.source_size) == ((w, h), (tw, th))
    assert geometry.to_dict()["source_size"] == [tw, th]


@pytest.mark.parametrize(("size", "noted"), [((640, 480), False), ((1024, 768), False), ((1024, 1024), True)])
def test_a_change_of_shape_is_noted(size: tuple[int, int], noted: bool) -> None:
    geometry = Geometry.of(Picture(flat(size=(640, 480))), size)
    assert ("aspect_changed" in geometry.notes) is noted
    assert geometry.aspect_change == pytest.approx(1 / 3 if noted else 0, abs=0.01)


@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 5))
def test_a_mask_grown_by_a_whole_factor_repeats_its_pixels(w: int, h: int, factor: int) -> None:
    mask = np.random.default_rng(w * 31 + h).random((h, w)) > 0.5
    assert np.array_equal(fit_mask(mask, (w * factor, h * factor)), mask.repeat(factor, 0).repeat(factor, 1))


@pytest.mark.parametrize("array", [photo(2, (70, 64)), photo(2, (70, 64))[..., 0], photo(2, (70, 64))[..., 0] > 90])
def test_what_is_written_is_read_back(array: Bytes) -> None:
    assert np.array_equal(decode(encode_png(array)).rgb, decode(array).rgb)
    assert encode_png(array) == encode_png(array.copy())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x00\x00\x00\x1cftypheix\x00\x00\x00\x00mif1heic", "HEIC"),
        (b"\xff\x4f\xff\x51\x00\x29\x00\x00", "JPEG 2000"),
        (b"\n<!DOCTYPE html><title>502</title>", "a web page"),
        (b'{"error": {"code": 429}}', "JSON text"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "git lfs pull"),
        (b"GIB!", "begin b'GIB!'"),
    ],
)
def test_what_is_no_picture_is_named_with_what_is_read(data, said):
    with pytest.raises(ImageError) as caught:
        decode(data)
    assert said in str(caught.value)
    assert "PNG, JPEG, WEBP" in str(caught.value)
