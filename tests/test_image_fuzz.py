"""Damaged, hostile and huge picture files: a picture or an ImageError, quietly and soon."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from provise.errors import ImageError
from provise.image import Picture, decode
from tests.drawing import photo
from tests.test_image import chunk, file, raw_png

CODES = {"empty", "undecodable", "truncated", "too_large"}
SMALL = photo(4, (96, 72))


def _files() -> dict[str, bytes]:
    image, grey = Image.fromarray(SMALL), Image.fromarray(SMALL).convert("L")
    alpha = Image.fromarray(np.dstack([SMALL, SMALL[..., 0]]))
    deep = SMALL.astype(np.uint16) * 251
    gif = image.quantize(16)
    return {
        "png": file(image, "PNG"), "png-grey": file(grey, "PNG"), "png-alpha": file(alpha, "PNG"),
        "png-palette": file(gif, "PNG"), "png-deep": cv2.imencode(".png", deep)[1].tobytes(),
        "apng": file(image, "PNG", save_all=True, append_images=[image.rotate(90)]),
        "jpeg": file(image, "JPEG", quality=80), "jpeg-progressive": file(image, "JPEG", progressive=True),
        "jpeg-cmyk": file(image.convert("CMYK"), "JPEG"), "webp": file(image, "WEBP"),
        "webp-lossless": file(alpha, "WEBP", lossless=True), "gif": file(gif, "GIF"),
        "gif-animated": file(gif, "GIF", save_all=True, append_images=[gif.rotate(90)]),
        "tiff": file(image, "TIFF"), "tiff-lzw": file(image, "TIFF", compression="tiff_lzw"),
        "tiff-jpeg": file(image, "TIFF", compression="jpeg"), "tiff-deep": cv2.imencode(".tiff", deep)[1].tobytes(),
        "bmp": file(image, "BMP"), "ppm": file(image, "PPM"), "tga": file(image, "TGA"), "ico": file(alpha, "ICO"),
        "avif": file(image, "AVIF"),
    }  # fmt: skip


FILES = _files()


@contextmanager
def quiet() -> Iterator[None]:
    """Fail where anything is written to the terminal's error stream, by Python or below it."""
    with tempfile.TemporaryFile() as caught:
        kept = os.dup(2)
        os.dup2(caught.fileno(), 2)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        caught.seek(0)
        assert caught.read().decode(errors="replace") == ""


def attempt(data: bytes) -> str:
    """Decode; return ``ok`` or the code of the refusal. Any other exception fails the test."""
    start = time.perf_counter()
    with quiet():
        try:
            picture = decode(data)
        except ImageError as error:
            outcome, said = error.code, str(error)
        else:
            said = "a picture"
            assert isinstance(picture, Picture)
            assert picture.rgb.ndim == 3
            assert picture.rgb.dtype in (np.uint8, np.float32)
            assert np.isfinite(picture.rgb).all()
            assert picture.alpha is None or picture.alpha.shape == picture.rgb.shape[:2]
            outcome = "ok"
    assert outcome in {"ok", *CODES}
    assert 0 < len(said) < 500
    assert time.perf_counter() - start < 10
    return outcome


@pytest.mark.parametrize("name", FILES)
def test_whole_files_decode(name: str) -> None:
    assert attempt(FILES[name]) == "ok"


@pytest.mark.parametrize("name", FILES)
def test_a_cut_off_file_is_a_picture_or_an_image_error(name: str) -> None:
    data = FILES[name]
    ends = {*range(0, min(len(data), 64), 3), *np.linspace(64, len(data) - 1, 40).astype(int).tolist()}
    outcomes = {end: attempt(data[:end]) for end in sorted(ends)}
    assert outcomes[0] == "empty"
    assert outcomes[3] == "undecodable"
    # Half a file is never taken for a picture.
    assert attempt(data[: len(data) // 2]) != "ok"


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_file_with_flipped_bytes_is_a_picture_or_an_image_error(name: str, data: st.DataObject) -> None:
    damaged = bytearray(FILES[name])
    # Headers decide most: half of the damage goes into the first 200 bytes.
    for _ in range(data.draw(st.integers(1, 6))):
        end = min(len(damaged), 200) if data.draw(st.booleans()) else len(damaged)
        damaged[data.draw(st.integers(0, end - 1))] = data.draw(st.integers(0, 255))
    attempt(bytes(damaged))


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_a_file_with_a_piece_taken_out_or_put_in(name: str, data: st.DataObject) -> None:
    whole = FILES[name]
    a = data.draw(st.integers(0, len(whole)))
    b = data.draw(st.integers(a, min(len(whole), a + 400)))
    attempt(whole[:a] + data.draw(st.binary(max_size=40)) + whole[b:])


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["", *FILES]))
def test_random_bytes_even_behind_a_signature(noise: bytes, name: str) -> None:
    attempt(FILES[name][:16] + noise if name else noise)


@pytest.mark.parametrize(
    "text",
    [b"Answer: B", b"<!DOCTYPE html><html></html>", b'{"error": "rate limit"}', "答案是 B。".encode(), b"\xef\xbb\xbfA",
     b"version https://git-lfs.github.com/spec/v1\noid sha256:0", b"%PDF-1.7", b"<svg xmlns='http://www.w3.org/2000/svg'/>",
     b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n", b"\0" * 64, b"GIF89a", b"BM", b"II*\0", b"RIFF\0\0\0\0WEBP"],
)  # fmt: skip
def test_what_is_no_picture_is_undecodable_whatever_it_is_called(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "answer.png").write_bytes(text)
    with quiet(), pytest.raises(ImageError) as error:
        decode(tmp_path / "answer.png")
    assert error.value.code in ("undecodable", "truncated")


def _png_head(w: int, h: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0))


def _bomb_png(w: int, h: int) -> bytes:
    return _png_head(w, h) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def _bomb_bmp(w: int, h: int) -> bytes:
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, w, h, 1, 24, 0, 0, 0, 0, 0, 0)


def _bomb_gif(w: int, h: int) -> bytes:
    return (
        b"GIF89a" + struct.pack("<HHBBB", w, h, 0x80, 0, 0) + b"\0" * 6
        + b"," + struct.pack("<HHHHB", 0, 0, w, h, 0) + b"\x02\x02\x4c\x01\0;"
    )  # fmt: skip


def _bomb_jpeg(w: int, h: int) -> bytes:
    data = bytearray(FILES["jpeg"])
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", h, w)
    return bytes(data)


def _bomb_ppm(w: int, h: int) -> bytes:
    return f"P6 {w} {h} 255\n".encode()


@pytest.mark.parametrize(
    ("make", "size"),
    [(_bomb_png, (100_000, 100_000)), (_bomb_png, (2**31 - 1, 2**31 - 1)), (_bomb_png, (64_000_001, 1)),
     (_bomb_png, (9000, 8000)), (_bomb_bmp, (100_000, 100_000)), (_bomb_gif, (65_535, 65_535)),
     (_bomb_jpeg, (65_000, 65_000)), (_bomb_jpeg, (9000, 8000)), (_bomb_ppm, (100_000, 100_000))],
)  # fmt: skip
def test_what_claims_too_many_pixels_is_refused_from_its_header(
    make: Callable[[int, int], bytes], size: tuple[int, int]
) -> None:
    start = time.perf_counter()
    with quiet(), pytest.raises(ImageError) as error:
        decode(make(*size))
    assert error.value.code == "too_large"
    assert time.perf_counter() - start < 1


def test_a_header_that_is_damaged_as_well_is_refused_one_way_or_the_other() -> None:
    data = bytearray(_png_head(100_000, 100_000))
    data[-1] ^= 255
    assert attempt(bytes(data)) in ("undecodable", "too_large")
    assert attempt(_png_head(100_000, 100_000)[:-3]) in ("undecodable", "truncated", "too_large")
    assert attempt(_bomb_png(0, 10)) == "undecodable"


def test_the_limit_can_be_set() -> None:
    assert decode(SMALL, max_megapixels=0.01).size == (96, 72)
    for way in (SMALL, FILES["png"], FILES["jpeg"], Image.fromarray(SMALL)):
        with pytest.raises(ImageError) as error:
            decode(way, max_megapixels=0.005)
        assert error.value.code == "too_large"


def test_a_long_animation_is_not_walked_through() -> None:
    frame = Image.new("P", (4, 4))
    one = file(frame, "GIF")
    block = one[one.index(b",") : -1]
    data = one[:-1] + b"".join(block for _ in range(150_000)) + b";"
    start = time.perf_counter()
    assert "first_frame" in decode(data).notes
    assert time.perf_counter() - start < 1


def test_a_profile_that_codecs_complain_about_is_read_in_silence() -> None:
    extra = (
        chunk(b"iCCP", b"bad\0\0" + zlib.compress(b"no profile")), chunk(b"gAMA", struct.pack(">I", 20000)),
        chunk(b"sRGB", b"\0"), chunk(b"tEXt", b"a" * 200),
    )  # fmt: skip
    rows = [row.tobytes() for row in SMALL]
    with quiet():
        assert np.array_equal(decode(raw_png(rows, 96, 8, 2, *extra)).rgb, SMALL)


LIMIT = """
import resource, sys
import numpy as np
from provise.errors import ImageError
from provise.image import decode
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    picture = decode(sys.argv[1])
except ImageError as error:
    print(error.code, end=" ")
else:
    print(*picture.size, end=" ")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) / 2**20)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["grey", "rgb", "jpeg", "palette", "rgba", "deep-grey", "deep-rgb"])
def test_a_picture_at_the_limit_stays_under_two_gigabytes(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "big.img"
    for height, expected in ((8000, "8000 8000"), (8001, "too_large")):
        _write_big(path, kind, height)
        ran = subprocess.run([sys.executable, "-c", LIMIT, str(path)], capture_output=True, text=True, check=True)
        *got, gigabytes = ran.stdout.split()
        assert (" ".join(got), ran.stderr) == (expected, "")
        assert float(gigabytes) < (2 if expected != "too_large" else 0.2)


def _write_big(path: Path, kind: str, height: int) -> None:
    if kind == "jpeg":
        Image.new("RGB", (8000, height), (200, 90, 10)).save(path, "JPEG")
        return
    depth, colour, wide = {
        "grey": (8, 0, 1), "rgb": (8, 2, 3), "palette": (8, 3, 1), "rgba": (8, 6, 4), "deep-grey": (16, 0, 2),
        "deep-rgb": (16, 2, 6),
    }[kind]  # fmt: skip
    row = b"\0" + bytes(range(1, 251)) * (32 * wide)
    packer = zlib.compressobj(1)
    body = b"".join([*(packer.compress(row) for _ in range(height)), packer.flush()])
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 8000, height, depth, colour, 0, 0, 0))
    palette = chunk(b"PLTE", bytes(768)) if kind == "palette" else b""
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + palette + chunk(b"IDAT", body) + chunk(b"IEND", b""))


@pytest.mark.real
def test_real_pictures_cut_and_flipped(real_data: Path) -> None:
    rng = np.random.default_rng(3)
    paths = sorted(p for p in real_data.rglob("*") if p.suffix in (".png", ".jpg", ".jpeg", ".webp"))
    for path in [p for p in paths if p.stat().st_size < 400_000][:12]:
        data = path.read_bytes()
        assert attempt(data) == "ok"
        for _ in range(6):
            attempt(data[: int(rng.integers(0, len(data)))])
            damaged = bytearray(data)
            damaged[int(rng.integers(0, len(data)))] ^= int(rng.integers(1, 256))
            attempt(bytes(damaged))
