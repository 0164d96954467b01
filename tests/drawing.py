"""Pictures for tests, drawn by hand: marks, photos without a file, and the ways an answer comes back damaged."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]

GREEN, BLUE, MAGENTA, CYAN, RED, YELLOW = (
    (0, 255, 0), (0, 0, 255), (255, 0, 255), (0, 255, 255), (255, 0, 0), (255, 255, 0),
)  # fmt: skip


def flat(colour: tuple[int, int, int] = (128, 128, 128), size: tuple[int, int] = (640, 480)) -> Bytes:
    return np.full((size[1], size[0], 3), colour, np.uint8)


def photo(seed: int = 0, size: tuple[int, int] = (640, 480)) -> Bytes:
    """A picture with the statistics of a photo: soft colour fields, edges, grain."""
    rng = np.random.default_rng(seed)
    w, h = size
    fields = cv2.resize(rng.integers(40, 215, (6, 8, 3), dtype=np.uint8), (w, h), interpolation=cv2.INTER_CUBIC)
    for _ in range(12):
        x, y = int(rng.integers(0, w)), int(rng.integers(0, h))
        colour = tuple(int(c) for c in rng.integers(60, 190, 3))
        grey = tuple(int(0.6 * np.mean(colour) + 0.4 * c) for c in colour)
        cv2.rectangle(fields, (x, y), (x + int(rng.integers(20, w // 3)), y + int(rng.integers(20, h // 3))), grey, -1)
    grain = rng.normal(0, 5, (h, w, 1))
    muted = 0.55 * fields + 0.45 * fields.mean(axis=2, keepdims=True)
    return np.clip(muted + grain, 0, 255).astype(np.uint8)


def star(image: Bytes, x: float, y: float, r: float, colour: tuple[int, int, int] = GREEN) -> None:
    turn = np.arange(10) * np.pi / 5 - np.pi / 2
    radius = np.where(np.arange(10) % 2 == 0, r, r * 0.382)
    points = np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)
    cv2.fillPoly(image, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def disc(image: Bytes, x: float, y: float, r: float, colour: tuple[int, int, int]) -> None:
    cv2.circle(image, (round(x * 16), round(y * 16)), round(r * 16), colour, -1, cv2.LINE_AA, 4)


def jpeg(image: Bytes, quality: int = 75) -> bytes:
    return bytes(cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())


def png(image: npt.NDArray[np.generic]) -> bytes:
    return bytes(cv2.imencode(".png", image[..., ::-1] if image.ndim == 3 else image)[1].tobytes())


def recolour(image: Bytes, gain: float = 1.1, gamma: float = 1.1) -> Bytes:
    bright = np.clip(image.astype(np.float32) * gain, 0, 255) / 255
    return np.rint(255 * bright**gamma).astype(np.uint8)
