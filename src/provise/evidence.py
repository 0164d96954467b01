"""Evidence pictures: an answer with what its reader saw drawn over it, and a caption that says what came of it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from provise.errors import ImageError, InputError
from provise.image import Picture, decode, fit

__all__ = ["render", "save", "save_answer", "say_prediction"]

Bytes = npt.NDArray[np.uint8]
Spot = tuple[float, float]

LONGEST = 1024
SHORTEST = 480
INK, HALO = (20, 20, 20), (255, 255, 255)
COLOURS = ((20, 110, 230), (230, 60, 20), (160, 30, 200), (0, 140, 90), (200, 130, 0))
GOOD, BAD, BAR = (20, 120, 60), (180, 40, 30), (248, 248, 246)


def render(answer_rgb: npt.NDArray[Any], reading: Mapping[str, Any], *, longest: int = LONGEST) -> Bytes:
    """Draw what a reader saw over the answer it read.

    Parameters
    ----------
    answer_rgb : ndarray, shape (h, w, 3)
        The answer, RGB in 0..255; it is brought to the shape of the source's grid, on which the shapes lie.
    reading : mapping
        A reading's ``to_dict()``: ``protocol``, ``status``, ``prediction``, ``reason``, ``message``, ``geometry`` and
        ``evidence`` with its ``shapes`` (see `provise.ops.registry.View.draw`) are used where they are there.
    longest : int
        Longest side of the picture part, in pixels.

    Returns
    -------
    ndarray of uint8, shape (h + caption, w, 3)
        RGB; the same input gives the same bytes.

    Examples
    --------
    >>> reading = {"protocol": "point_marker", "status": "ok", "prediction": [0.5, 0.5],
    ...            "evidence": {"shapes": [{"shape": "point", "at": [0.5, 0.5], "label": "point"}]}}
    >>> render(np.full((480, 640, 3), 128, np.uint8), reading).shape[1]
    640
    """
    canvas = _canvas(answer_rgb, reading.get("geometry") or {}, longest)
    shapes = (reading.get("evidence") or {}).get("shapes") or []
    known = [shape for shape in shapes if isinstance(shape, Mapping) and shape.get("shape") in _DRAW]
    # Halos and strokes first, words last, so that no stroke crosses a label.
    for index, shape in enumerate(known):
        _DRAW[shape["shape"]](canvas, shape, COLOURS[index % len(COLOURS)])
    picture = Image.fromarray(canvas)
    _labels(picture, known)
    bar = _caption(reading, canvas.shape[1])
    return np.asarray(np.vstack([np.asarray(picture, np.uint8), bar]), dtype=np.uint8)


def save_answer(path: str | Path, answer: bytes | str | Path | Picture, reading: Mapping[str, Any]) -> Path | None:
    """Write the evidence picture of an answer as it was received.

    Parameters
    ----------
    path : str or Path
        As for `save`.
    answer : bytes, path or Picture
        The answer.
    reading : mapping
        As for `render`.

    Returns
    -------
    Path or None
        None where the answer is no picture: there is nothing to draw over.
    """
    try:
        picture = answer if isinstance(answer, Picture) else decode(answer)
    except ImageError:
        return None
    return save(path, fit(picture)[0], reading)


def save(path: str | Path, answer_rgb: npt.NDArray[Any], reading: Mapping[str, Any], *, longest: int = LONGEST) -> Path:
    """Write the evidence picture of a reading to a file.

    Parameters
    ----------
    path : str or Path
        Ends in ``.jpg``, ``.jpeg`` (small) or ``.png`` (exact); folders are made.
    answer_rgb, reading, longest
        As for `render`.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        If the file's name ends otherwise.
    """
    target = Path(path)
    picture = cv2.cvtColor(render(answer_rgb, reading, longest=longest), cv2.COLOR_RGB2BGR)
    ending = target.suffix.lower()
    if ending not in (".jpg", ".jpeg", ".png"):
        raise InputError(f"evidence goes to .jpg or .png; got {target.name!r}")
    done, data = cv2.imencode(ending, picture, [] if ending == ".png" else [cv2.IMWRITE_JPEG_QUALITY, 88])
    if not done:
        raise OSError(f"{target}: the picture cannot be encoded")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data.tobytes())
    return target


def _canvas(answer: npt.NDArray[Any], geometry: Mapping[str, Any], longest: int) -> Bytes:
    """Return the answer in the shape of the source's grid, at a size people can look at."""
    rgb = np.asarray(np.clip(np.rint(np.asarray(answer, np.float32)), 0, 255), dtype=np.uint8)
    w, h = geometry.get("source_size") or (rgb.shape[1], rgb.shape[0])
    factor = longest / max(w, h) if max(w, h) > longest else max(1.0, SHORTEST / max(w, h))
    size = (max(1, round(w * factor)), max(1, round(h * factor)))
    fitted = np.asarray(fit(Picture(np.ascontiguousarray(rgb)), size)[0], dtype=np.uint8)
    return np.ascontiguousarray(fitted)


# -- shapes ------------------------------------------------------------------------------------------------------------


def _pixel(canvas: Bytes, at: Sequence[float]) -> tuple[int, int]:
    h, w = canvas.shape[:2]
    return round(float(at[0]) * w), round(float(at[1]) * h)


def _weight(canvas: Bytes) -> int:
    return max(2, round(int(max(canvas.shape[:2])) / 400))


def _stroke(canvas: Bytes, points: Sequence[Sequence[float]], colour: tuple[int, int, int], closed: bool) -> None:
    line = np.array([_pixel(canvas, p) for p in points], np.int32).reshape(-1, 1, 2)
    weight = _weight(canvas)
    for width, ink in ((weight + 4, HALO), (weight + 2, INK), (weight, colour)):
        cv2.polylines(canvas, [line], closed, ink, width, cv2.LINE_AA)


def _point(canvas: Bytes, shape: Mapping[str, Any], colour: tuple[int, int, int]) -> None:
    centre, reach = _pixel(canvas, shape["at"]), _weight(canvas) * 5
    for width, ink in ((_weight(canvas) + 4, HALO), (_weight(canvas), INK)):
        cv2.drawMarker(canvas, centre, ink, cv2.MARKER_CROSS, 2 * reach, width, cv2.LINE_AA)
    cv2.circle(canvas, centre, _weight(canvas) + 1, HALO, -1, cv2.LINE_AA)
    cv2.circle(canvas, centre, _weight(canvas), colour, -1, cv2.LINE_AA)


def _box(canvas: Bytes, shape: Mapping[str, Any], colour: tuple[int, int, int]) -> None:
    # Round the thing and not over its edge: a small mark would vanish under the stroke.
    h, w = canvas.shape[:2]
    reach = _weight(canvas) / 2 + 4
    x0, y0 = max(0.0, shape["at"][0] - reach / w), max(0.0, shape["at"][1] - reach / h)
    x1, y1 = min(1.0, shape["at"][2] + reach / w), min(1.0, shape["at"][3] + reach / h)
    _stroke(canvas, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], colour, True)


def _polyline(canvas: Bytes, shape: Mapping[str, Any], colour: tuple[int, int, int]) -> None:
    points = shape["at"]
    _stroke(canvas, points, colour, False)
    for index in _numbered(points, (canvas.shape[1], canvas.shape[0])):
        cv2.circle(canvas, _pixel(canvas, points[index]), _weight(canvas) + 2, INK, -1, cv2.LINE_AA)
        cv2.circle(canvas, _pixel(canvas, points[index]), _weight(canvas) + 1, HALO, -1, cv2.LINE_AA)


def _letter(size: tuple[int, int]) -> int:
    """Return the height of a label's letters in pixels."""
    return max(13, round(max(size) / 56))


def _numbered(points: Sequence[Sequence[float]], size: tuple[int, int]) -> list[int]:
    """Return the vertices that carry a number: both ends, and between them as many as a stroke of that length can bear."""
    if len(points) < 3:
        return list(range(len(points)))
    at = np.asarray(points, np.float64).reshape(-1, 2) * size
    length = float(np.hypot(*np.diff(at, axis=0).T).sum())
    parts = int(np.clip(length // (3 * _letter(size)), 1, 20))
    last = len(points) - 1
    step = -(-last // parts)
    # The last but one is left out where the end follows it closely.
    return [*(index for index in range(0, last, step) if not index or last - index >= step / 2), last]


def _polygon(canvas: Bytes, shape: Mapping[str, Any], colour: tuple[int, int, int]) -> None:
    _stroke(canvas, shape["at"], colour, True)


def _circle(canvas: Bytes, shape: Mapping[str, Any], colour: tuple[int, int, int]) -> None:
    radius = max(3, round(float(shape.get("radius", 0.02)) * canvas.shape[1]))
    weight = _weight(canvas)
    for width, ink in ((weight + 4, HALO), (weight + 2, INK), (weight, colour)):
        cv2.circle(canvas, _pixel(canvas, shape["at"]), radius, ink, width, cv2.LINE_AA)


_DRAW: dict[str, Any] = {"point": _point, "box": _box, "polyline": _polyline, "polygon": _polygon, "circle": _circle}


# -- words -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the font that matplotlib ships (Latin, Greek, Cyrillic, arrows), else Pillow's own."""
    import matplotlib

    path = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    if not path.is_file():
        return ImageFont.load_default(size)
    # The basic layout is the same on every machine, whether or not a shaping library is installed.
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


def _clean(text: str) -> str:
    """Turn what has no glyph (line ends, controls, half characters) into spaces."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


def _labels(picture: Image.Image, shapes: Sequence[Mapping[str, Any]]) -> None:
    """Set each label beside its shape, inside the frame and off the labels already set."""
    draw = ImageDraw.Draw(picture)
    font = _font(_letter(picture.size))
    taken = _strokes(shapes, picture.size)
    for text, at in _texts(shapes, picture.size):
        _set(draw, picture.size, text, at, font, taken)


def _strokes(shapes: Sequence[Mapping[str, Any]], size: tuple[int, int]) -> list[tuple[float, float, float, float]]:
    """Return small frames along every stroke, and one round a short stroke: words beside them leave the stroke seen."""
    found = []
    reach = 0.3 * _letter(size)
    for shape in shapes:
        if shape["shape"] != "polyline" or not len(shape["at"]):
            continue
        at = np.asarray(shape["at"], np.float64).reshape(-1, 2) * size
        spots = [at[:1]]
        for start, end in itertools.pairwise(at):
            parts = 1 + int(np.hypot(*(end - start)) // (2 * reach))
            spots.append(start + (end - start) * (np.arange(1, parts + 1) / parts)[:, None])
        found += [(x - reach, y - reach, x + reach, y + reach) for x, y in np.concatenate(spots).tolist()]
        (x0, y0), (x1, y1) = at.min(axis=0).tolist(), at.max(axis=0).tolist()
        if max(x1 - x0, y1 - y0) < 8 * _letter(size):
            found.append((x0, y0, x1, y1))
    return found


def _texts(shapes: Sequence[Mapping[str, Any]], size: tuple[int, int]) -> list[tuple[str, Spot]]:
    """Return the labels with the places they belong to; a path's vertices carry their order."""
    found: list[tuple[str, Spot]] = []
    for shape in shapes:
        at, label = shape["at"], _clean(str(shape.get("label", "")))
        if shape["shape"] == "polyline":
            found += [(str(i + 1), (float(at[i][0]), float(at[i][1]))) for i in _numbered(at, size)]
            if label and len(at):
                middle = at[len(at) // 2]
                found.append((label, (float(middle[0]), float(middle[1]))))
        elif label:
            spot = at[0] if shape["shape"] == "polygon" else at
            found.append((label, (float(spot[0]), float(spot[1]))))
    return found


def _set(
    draw: ImageDraw.ImageDraw,
    size: tuple[int, int],
    text: str,
    at: Spot,
    font: Any,
    taken: list[tuple[float, float, float, float]],
) -> None:
    words = text if len(text) <= 28 else text[:27] + "…"
    left, top, right, bottom = draw.textbbox((0, 0), words, font=font, stroke_width=2)
    w, h = right - left, bottom - top
    x, y = at[0] * size[0], at[1] * size[1]
    # Beside its place where that is free, else further out.
    spots = [
        spot
        for gap in (0.4 * h, 1.5 * h, 3 * h, 5 * h)
        for spot in ((x + gap, y - h - gap), (x + gap, y + gap), (x - w - gap, y - h - gap), (x - w - gap, y + gap))
    ]
    boxes = [_inside(spot, (w, h), size) for spot in spots]
    free = next((box for box in boxes if not any(_meet(box, other) for other in taken)), boxes[0])
    taken.append(free)
    draw.text((free[0] - left, free[1] - top), words, font=font, fill=INK, stroke_width=2, stroke_fill=HALO)


def _inside(spot: Spot, extent: Spot, size: tuple[int, int]) -> tuple[float, float, float, float]:
    x = min(max(spot[0], 1), max(1, size[0] - extent[0] - 1))
    y = min(max(spot[1], 1), max(1, size[1] - extent[1] - 1))
    return x, y, x + extent[0], y + extent[1]


def _meet(a: Sequence[float], b: Sequence[float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _caption(reading: Mapping[str, Any], width: int) -> Bytes:
    """Return the bar under the picture: the protocol, the prediction or the reason, a line or two of words."""
    ok = reading.get("status", "ok") == "ok"
    head = _clean(str(reading.get("protocol", "")))[:40] or "reading"
    verdict = say_prediction(reading.get("prediction")) if ok else str(reading.get("reason") or reading.get("status"))
    size = max(13, round(width / 52))
    large, small = _font(size + 3), _font(size)
    words = _wrap(str(reading.get("message", "")) if not ok else _matches(reading), small, width - 3 * size)
    lines = words if len(words) <= 2 else [words[0], words[1] + "…"]
    pad = round(size * 0.7)
    height = 2 * pad + round(size * 1.6) + len(lines) * round(size * 1.35)
    bar = Image.new("RGB", (width, height), BAR)
    draw = ImageDraw.Draw(bar)
    draw.rectangle((0, 0, max(4, size // 3), height), fill=GOOD if ok else BAD)
    left = size
    draw.text((left, pad), head, font=small, fill=(90, 90, 90))
    left += round(draw.textlength(head, font=small)) + size
    room = _wrap(verdict, large, max(size * 4, width - left - size)) or [""]
    first = room[0] if len(room) == 1 else room[0][:-1] + "…"
    draw.text((left, pad - 3), first, font=large, fill=GOOD if ok else BAD)
    for index, line in enumerate(lines):
        draw.text((size, pad + round(size * 1.6) + index * round(size * 1.35)), line, font=small, fill=INK)
    return np.asarray(bar, np.uint8)


def say_prediction(value: Any) -> str:
    """Say a prediction, in any of its JSON forms, in a few characters.

    Examples
    --------
    >>> say_prediction([[0.2, 0.3], [0.5, 0.25]])
    '2 points, (0.2, 0.3) to (0.5, 0.25)'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        if "area" in value:
            return f"mask, {float(value['area']):.1%} of the frame"
        return ", ".join(f"{key} {say_prediction(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and value and isinstance(value[0], Sequence):
        return f"{len(value)} points, {say_prediction(value[0])} to {say_prediction(value[-1])}"
    if isinstance(value, Sequence):
        return "(" + ", ".join(say_prediction(item) for item in value) + ")"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else json.dumps(value)


def _matches(reading: Mapping[str, Any]) -> str:
    """Say how near each candidate was, and to which encoder, where candidates were compared."""
    numbers = (reading.get("evidence") or {}).get("numbers") or {}
    for step in numbers.values():
        if isinstance(step, Mapping) and isinstance(step.get("similarities"), Mapping):
            pairs = ", ".join(f"{letter} {value:.3f}" for letter, value in step["similarities"].items())
            return f"{step.get('encoder', 'encoder')}: {pairs}"
    return ""


def _wrap(text: str, font: Any, width: float) -> list[str]:
    """Break text into lines of at most ``width`` pixels, within a word where it must be."""
    clean = _clean(text[:600]).split(" ")
    if clean == [""]:
        return []
    lines = [""]
    for word in clean:
        joined = f"{lines[-1]} {word}".strip()
        if font.getlength(joined) <= width:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for character in word:
            if lines[-1] and font.getlength(lines[-1] + character) > width:
                lines.append("")
            lines[-1] += character
    return lines
