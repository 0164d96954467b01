"""What a picture may cost: memory under a hard limit, time, and the same pixels in another process."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from provise.errors import ImageError, InputError
from provise.image import decode, digest_of, encode_png, fit, fit_mask
from tests.drawing import photo
from tests.test_image import chunk, file, raw_png
from tests.test_image_fuzz import FILES, attempt

# The process may take 2 GiB beyond what Python and the libraries hold once they are imported.
HELD = """
import resource, sys
from pathlib import Path
import numpy as np
import PIL.Image, provise.image_file
from provise.errors import ImageError
from provise.image import decode, fit
PIL.Image.init()
pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + 2 * 2**30
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    picture = decode(sys.argv[1])
except ImageError as error:
    print(error.code)
else:
    fitted = fit(picture, (640, 480))[0], fit(picture)[0]
    print(*picture.size, *fitted[0].shape)
"""


def held(path: Path) -> str:
    ran = subprocess.run([sys.executable, "-c", HELD, str(path)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.strip()


def big_png(path: Path, depth: int, colour: int, bytes_a_pixel: int, *extra: bytes) -> None:
    row = b"\0" + bytes(range(1, 251)) * (32 * bytes_a_pixel)
    packer = zlib.compressobj(1)
    body = b"".join([*(packer.compress(row) for _ in range(8000)), packer.flush()])
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 8000, 8000, depth, colour, 0, 0, 0))
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + head + b"".join(extra) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the size of a process is read from /proc")
@pytest.mark.parametrize(
    ("depth", "colour", "wide", "extra"),
    [(8, 2, 3, ()), (8, 6, 4, ()), (8, 4, 2, ()), (16, 0, 2, (chunk(b"tRNS", b"\1\2"),)), (16, 4, 4, ()), (16, 6, 8, ()),
     (8, 3, 1, (chunk(b"PLTE", bytes(768)), chunk(b"tRNS", bytes(100))))],
    ids=["rgb", "rgba", "grey-alpha", "deep-grey-keyed", "deep-grey-alpha", "deep-rgba", "palette-keyed"],
)  # fmt: skip
def test_a_png_at_the_limit_is_decoded_and_fitted_within_two_gigabytes(
    depth: int, colour: int, wide: int, extra: tuple[bytes, ...], tmp_path: Path
) -> None:
    big_png(tmp_path / "big.png", depth, colour, wide, *extra)
    assert held(tmp_path / "big.png") == "8000 8000 480 640 3"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the size of a process is read from /proc")
@pytest.mark.parametrize(
    ("kind", "mode", "settings"),
    [("JPEG", "CMYK", {}), ("TIFF", "RGB", {"compression": "tiff_lzw"}), ("TIFF", "I", {}), ("GIF", "P", {}),
     ("WEBP", "RGB", {"lossless": True, "method": 0}), ("BMP", "RGB", {}), ("PNG", "1", {})],
)  # fmt: skip
def test_other_files_at_the_limit_stay_within_two_gigabytes(
    kind: str, mode: str, settings: dict[str, object], tmp_path: Path
) -> None:
    (tmp_path / "big.img").write_bytes(file(Image.new(mode, (8000, 8000), 1), kind, **settings))
    assert held(tmp_path / "big.img") == "8000 8000 480 640 3"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the size of a process is read from /proc")
@pytest.mark.parametrize("claim", [(100_000, 100_000), (2**31 - 1, 1), (8000, 8001), (8000, 8000)])
def test_hostile_headers_stay_within_two_gigabytes(claim: tuple[int, int], tmp_path: Path) -> None:
    data = bytearray(FILES["png"])
    data[16:24] = struct.pack(">II", *claim)
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    (tmp_path / "claim.png").write_bytes(data)
    # At the limit the claim is believed, and the pixels are found to be missing.
    expected = ("truncated", "undecodable") if claim == (8000, 8000) else ("too_large",)
    assert held(tmp_path / "claim.png") in expected


def plain(data: str, size: tuple[int, int]) -> bytes:
    return f"P3 {size[0]} {size[1]} 255\n{data}".encode()


def packed_bmp(pixels: int) -> bytes:
    """A BMP packed one pixel a run, the slowest there is."""
    body = b"\1\7" * pixels + b"\0\1"
    head = struct.pack("<IiiHHIIiiII", 40, pixels, 1, 1, 8, 1, len(body), 0, 0, 256, 0)
    at = 14 + 40 + 1024
    return b"BM" + struct.pack("<IHHI", at + len(body), 0, 0, at) + head + bytes(range(256)) * 4 + body


@pytest.mark.parametrize(
    "make",
    [lambda n: plain("7 " * (3 * n), (n, 1)), lambda n: f"P6 {n} 1 200\n".encode() + bytes(3 * n), packed_bmp],
    ids=["plain", "odd top value", "packed"],
)
def test_a_form_that_is_read_number_by_number_is_read_while_it_is_small(make: Callable[[int], bytes]) -> None:
    assert decode(make(500)).size == (500, 1)
    start = time.perf_counter()
    with pytest.raises(ImageError) as error:
        decode(make(3_000_000))
    assert error.value.code == "too_large"
    assert time.perf_counter() - start < 2


def test_a_text_that_unpacks_to_gigabytes_is_not_unpacked() -> None:
    bomb = zlib.compress(bytes(50_000_000))
    rows = [row.tobytes() for row in photo(1, (96, 72))]
    for kind in (b"zTXt", b"iCCP"):
        data = raw_png(rows, 96, 8, 2, chunk(kind, b"a\0\0" + bomb))
        start = time.perf_counter()
        assert attempt(data) in ("ok", "undecodable")
        assert time.perf_counter() - start < 5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["png", "jpeg", "webp", "gif", "tiff-lzw", "bmp"])
def test_a_file_cut_at_every_position(name: str) -> None:
    small = Image.open(io.BytesIO(FILES[name])).resize((24, 18))
    kind = {"tiff-lzw": "TIFF"}.get(name, name.upper())
    data = file(small, kind, **({"compression": "tiff_lzw"} if kind == "TIFF" else {}))
    outcomes = [attempt(data[:end]) for end in range(len(data))]
    assert outcomes[0] == "empty"
    assert set(outcomes[1:]) <= {"ok", "truncated", "undecodable", "too_large"}
    assert "ok" not in outcomes[: len(data) // 2]


def test_another_process_gets_the_same_pixels(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom provise.image import decode, digest_of, fit\n"
        "for path in sys.argv[1:]:\n"
        "    picture = decode(path)\n"
        "    print(picture.digest, digest_of(picture.rgb), digest_of(fit(picture, (64, 48))[0]), *picture.notes)\n"
    )
    paths = []
    for name in ("png", "png-alpha", "png-deep", "jpeg", "webp", "gif-animated", "tiff-lzw"):
        paths.append(tmp_path / name)
        paths[-1].write_bytes(FILES[name])
    command = [sys.executable, "-c", code, *map(str, paths)]
    first, second = (subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert first == second
    here = [decode(path) for path in paths]
    assert [line.split()[1] for line in first.splitlines()] == [digest_of(picture.rgb) for picture in here]


def test_a_digest_tells_shape_type_and_values_apart() -> None:
    a = np.arange(12, dtype=np.uint8).reshape(3, 4)
    others = [a.reshape(4, 3), a.astype(np.uint16), a.astype(np.float32), a + np.uint8(1), a[::-1]]
    assert len({digest_of(b) for b in [a, *others]}) == 6
    assert digest_of(np.asfortranarray(a)) == digest_of(a) == decode(a).digest


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (-3, 5), (100_000, 100_000)])
def test_a_grid_without_pixels_or_with_too_many_is_a_wrong_call(size: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="fitted to"):
        fit(decode(np.zeros((8, 9, 3), np.uint8)), size)
    with pytest.raises(InputError, match="fitted to"):
        fit_mask(np.zeros((8, 9), bool), size)


@pytest.mark.parametrize(
    "array",
    [np.zeros((3, 3, 3)), np.zeros((3, 3), np.int64), np.zeros((0, 3), np.uint8), np.zeros(3, np.uint8),
     np.zeros((3, 3, 2), np.uint8), np.zeros((3, 3), np.uint16)],
)  # fmt: skip
def test_what_a_png_would_change_is_not_written(array: np.ndarray) -> None:
    with pytest.raises(InputError, match="cannot be written as PNG"):
        encode_png(array)


def test_alpha_is_written_and_laid_alike_in_bands_and_at_once() -> None:
    rgba = np.random.default_rng(2).integers(0, 256, (700, 31, 4), dtype=np.uint8)
    picture = decode(encode_png(rgba))
    assert np.array_equal(np.dstack([picture.rgb, picture.alpha]), rgba)  # type: ignore[list-item]
    alpha = rgba[..., 3:].astype(float) / 255
    expected = rgba[..., :3] * alpha + 255 * (1 - alpha)
    assert np.abs(fit(picture)[0] - expected).max() <= 0.51
