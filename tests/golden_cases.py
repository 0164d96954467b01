"""Drawn pictures whose readings are kept: three for each deterministic protocol, with fixed seeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from provise.protocol import names, open_protocol
from provise.reading import read
from tests.drawing import BLUE, CYAN, GREEN, MAGENTA, RED, YELLOW, Bytes, disc, photo, recolour, star

ENCODER = {"state_matching": {"encoder": "descriptor"}}
AIDS: dict[str, Any] = {"start": [0.2, 0.3], "coordinates": [[0.25, 0.5], [0.75, 0.5]], "holes": 5}
SIZE = (320, 240)


def deterministic() -> list[str]:
    """Return the protocols that need no auxiliary model."""
    return [name for name in names() if not open_protocol(name).spec.auxiliary]


def _line(image: Bytes, points: list[tuple[int, int]], colour: tuple[int, int, int], width: int) -> None:
    cv2.polylines(image, [np.array(points, np.int32)], False, colour, width, cv2.LINE_AA)


def _marked(name: str, image: Bytes) -> Bytes:
    """Draw a plain answer over a photo of `SIZE`."""
    if name == "instance_marking":
        for x, y in ((60, 60), (160, 90), (250, 180), (90, 190)):
            star(image, x, y, 11)
    elif name in ("direction_grid", "fixed_slots"):
        cv2.rectangle(image, (222, 8), (311, 71), BLUE if name == "direction_grid" else MAGENTA, -1)
    elif name == "point_marker":
        disc(image, 200, 80, 8, CYAN)
    elif name == "trajectory_drawing":
        _line(image, [(64, 72), (120, 150), (200, 160), (280, 60)], RED, 6)
    elif name == "trajectory_endpoint":
        _board(image)
        _line(image, [(60, 60), (200, 100), (160, 186)], YELLOW, 4)
        cv2.circle(image, (160, 210), 22, BLUE, 4, cv2.LINE_AA)
    elif name == "binary_relation":
        cv2.rectangle(image, (40, 60), (120, 160), GREEN, -1)
        cv2.rectangle(image, (200, 80), (290, 190), BLUE, -1)
    elif name == "dual_measure":
        _line(image, [(40, 60), (240, 60)], MAGENTA, 8)
        _line(image, [(40, 180), (140, 180)], CYAN, 8)
    elif name == "placement_outline":
        cv2.rectangle(image, (100, 90), (190, 170), MAGENTA, -1)
    elif name == "region_mask":
        image[:] = 0
        cv2.ellipse(image, (180, 130), (70, 50), 20, 0, 360, (255, 255, 255), -1)
    elif name == "relative_depth":
        image[:] = np.linspace(40, 220, SIZE[0]).astype(np.uint8)[None, :, None]
    elif name == "state_matching":
        image[:] = recolour(photo(4, SIZE), 1.05, 1.0)
    return image


def _board(image: Bytes) -> None:
    for i in range(5):
        cv2.circle(image, (32 + 64 * i, 210), 18, (20, 20, 20), -1, cv2.LINE_AA)
        cv2.putText(image, str(i + 1), (25 + 64 * i, 218), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 2)


def cases() -> Iterator[tuple[str, str, Bytes, list[Bytes]]]:
    """Yield protocol, case, answer and the pictures the model was given."""
    for name in deterministic():
        views = [photo(seed, SIZE) for seed in (1, 2, 3, 4, 5)] if name == "state_matching" else [photo(1, SIZE)]
        if name == "trajectory_endpoint":
            _board(views[0])
        drawn = _marked(name, views[0].copy())
        yield name, "drawn", drawn, views
        yield name, "recoloured", recolour(drawn), views
        yield name, "source", views[0], views


def readings() -> dict[str, dict[str, Any]]:
    """Read every case: protocol -> fingerprint, and by case the prediction and the reason."""
    found: dict[str, dict[str, Any]] = {}
    for name, case, answer, views in cases():
        protocol = open_protocol(name, **ENCODER.get(name, {}))
        one = read(protocol, answer, media=views, aids=AIDS, choices=list("abcd"))
        entry = found.setdefault(name, {"fingerprint": protocol.fingerprint, "readings": {}})
        entry["readings"][case] = {"status": one.status, "prediction": one.prediction, "reason": one.reason}
    return found
