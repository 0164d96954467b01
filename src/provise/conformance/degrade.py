"""What happens to a picture between the model's canvas and the reader: codecs, scale, blur, noise, colour.

Every degradation has a name, belongs to a severity and is deterministic: what is random comes from the generator that
is handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from provise.errors import InputError

__all__ = ["COPIES", "MILD", "STRONG", "Degradation", "degrade", "encode", "get", "recolour"]

Bytes = npt.NDArray[np.uint8]
Change = Callable[[Bytes, np.random.Generator], Bytes]


@dataclass(frozen=True)
class Degradation:
    """One way a picture suffers.

    Attributes
    ----------
    name : str
        As it stands in the certificate, e.g. ``jpeg 75``.
    change : callable
        Array and generator in, array out.
    codec : str
        ``png``, ``jpeg`` or ``webp``: the file the result is written to.
    quality : int
        Of the codec, 1 to 100; unused for ``png``.
    """

    name: str
    change: Change
    codec: str = "png"
    quality: int = 95


def encode(picture: Bytes, codec: str = "png", quality: int = 95) -> bytes:
    """Return a picture as the bytes of a file.

    Parameters
    ----------
    picture : ndarray of uint8, shape (h, w, 3)
        RGB.
    codec : {"png", "jpeg", "webp"}
        JPEG halves the colours' resolution, as most programs do.
    quality : int
        1 to 100, for ``jpeg`` and ``webp``.
    """
    options = {
        "png": (".png", [cv2.IMWRITE_PNG_COMPRESSION, 1]),
        "jpeg": (".jpg", [cv2.IMWRITE_JPEG_QUALITY, quality]),
        "webp": (".webp", [cv2.IMWRITE_WEBP_QUALITY, quality]),
    }
    if codec not in options:
        raise InputError(f"codec {codec!r} is unknown; there are {', '.join(options)}")
    ok, data = cv2.imencode(options[codec][0], cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), options[codec][1])
    if not ok:
        raise InputError(f"a picture of {picture.shape} could not be written as {codec}")
    return bytes(data)


def recolour(
    picture: Bytes,
    *,
    hue: float = 0.0,
    brightness: float = 1.0,
    contrast: float = 1.0,
    gamma: float = 1.0,
    saturation: float = 1.0,
) -> Bytes:
    """Change a whole picture's colours.

    Parameters
    ----------
    picture : ndarray of uint8, shape (h, w, 3)
        RGB.
    hue : float
        Turn in OpenCV's half degrees, -90 to 90.
    brightness : float
        Factor on every channel.
    contrast : float
        Factor on the distance to the middle, 127.5.
    gamma : float
        Exponent on the share of full scale: above 1 darkens.
    saturation : float
        Factor on HSV saturation.

    Examples
    --------
    >>> recolour(np.full((1, 1, 3), 100, np.uint8), brightness=1.1)[0, 0].tolist()
    [110, 110, 110]
    """
    out = picture.astype(np.float32)
    if hue or saturation != 1.0:
        hsv = cv2.cvtColor(out / 255, cv2.COLOR_RGB2HSV)
        hsv[..., 0] = (hsv[..., 0] + 2 * hue) % 360
        hsv[..., 1] = np.clip(hsv[..., 1] * saturation, 0, 1)
        out = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB) * 255
    if gamma != 1.0:
        out = 255 * np.power(np.clip(out, 0, 255) / 255, gamma)
    out = (out * brightness - 127.5) * contrast + 127.5
    return np.asarray(np.clip(np.rint(out), 0, 255), dtype=np.uint8)


def scaled(picture: Bytes, factor: float) -> Bytes:
    """Resize by a factor: by area when shrinking, cubic when growing."""
    h, w = picture.shape[:2]
    size = (max(1, round(w * factor)), max(1, round(h * factor)))
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=method), dtype=np.uint8)


def squared(picture: Bytes) -> Bytes:
    """Stretch to a square as wide as the longer side."""
    side = max(picture.shape[:2])
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def noisy(picture: Bytes, sigma: float, rng: np.random.Generator) -> Bytes:
    """Add normal noise to every channel."""
    grain = rng.normal(0, sigma, picture.shape)
    return np.asarray(np.clip(np.rint(picture + grain), 0, 255), dtype=np.uint8)


def blurred(picture: Bytes, sigma: float) -> Bytes:
    """Blur by a Gaussian of ``sigma`` pixels."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.uint8)


def _same(picture: Bytes, _: np.random.Generator) -> Bytes:
    return picture


def _coded(name: str, codec: str, quality: int) -> Degradation:
    return Degradation(name, _same, codec, quality)


def _colour(name: str, **change: float) -> Degradation:
    return Degradation(name, lambda picture, _: recolour(picture, **change))


def _scale(factor: float) -> Degradation:
    return Degradation(f"scale {factor:g}", lambda picture, _: scaled(picture, factor))


def _blur(sigma: float) -> Degradation:
    return Degradation(f"blur {sigma:g}", lambda picture, _: blurred(picture, sigma))


def _noise(sigma: float) -> Degradation:
    return Degradation(f"noise {sigma:g}", lambda picture, rng: noisy(picture, sigma, rng))


_SLIGHT = (
    _colour("hue +4", hue=4),
    _colour("hue -4", hue=-4),
    _colour("brightness 1.1", brightness=1.1),
    _colour("brightness .9", brightness=0.9),
    _colour("contrast 1.1", contrast=1.1),
    _colour("contrast .9", contrast=0.9),
    _colour("gamma .9", gamma=0.9),
    _colour("gamma 1.1", gamma=1.1),
)

MILD: tuple[Degradation, ...] = (
    Degradation("none", _same),
    _coded("jpeg 95", "jpeg", 95),
    _coded("jpeg 75", "jpeg", 75),
    _coded("webp 80", "webp", 80),
    _scale(0.75),
    _scale(1.5),
    Degradation("square", lambda picture, _: squared(picture)),
    _blur(1),
    _noise(4),
    *_SLIGHT,
)
"""What any pipeline may do to a picture."""

STRONG: tuple[Degradation, ...] = (
    _coded("jpeg 30", "jpeg", 30),
    _blur(2.5),
    _noise(12),
    _colour("brightness .7", brightness=0.7),
    _colour("brightness 1.3", brightness=1.3),
    _colour("contrast .6", contrast=0.6),
    _colour("contrast 1.4", contrast=1.4),
    _colour("gamma .7", gamma=0.7),
    _colour("gamma 1.4", gamma=1.4),
    _colour("saturation .7", saturation=0.7),
    _scale(0.5),
    _scale(2),
)
"""What a careless pipeline does."""

COPIES: tuple[Degradation, ...] = (
    Degradation("none", _same),
    _coded("jpeg 75", "jpeg", 75),
    _coded("webp 80", "webp", 80),
    *_SLIGHT,
)
"""Ways a source is handed back."""


def get(name: str) -> Degradation:
    """Return a degradation by its name.

    Examples
    --------
    >>> get("jpeg 30").codec
    'jpeg'
    """
    for item in (*MILD, *STRONG):
        if item.name == name:
            return item
    raise InputError(f"no degradation {name!r}; there are {', '.join(d.name for d in (*MILD, *STRONG))}")


def degrade(picture: Bytes, degradation: Degradation | str, rng: np.random.Generator) -> bytes:
    """Return the bytes of a degraded picture.

    Parameters
    ----------
    picture : ndarray of uint8, shape (h, w, 3)
        RGB.
    degradation : Degradation or str
        One of `MILD` and `STRONG`, or its name.
    rng : Generator
        For noise.

    Examples
    --------
    >>> degrade(np.zeros((16, 16, 3), np.uint8), "none", np.random.default_rng(0))[1:4]
    b'PNG'
    """
    chosen = get(degradation) if isinstance(degradation, str) else degradation
    return encode(chosen.change(picture, rng), chosen.codec, chosen.quality)
