"""Make the README's pictures: python docs/make_images.py

``reading.jpg`` is four answers being read; ``coins.png`` and ``coins_answer.png`` are a photo of scikit-image and an
answer drawn on it, which the README's first command reads.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from provise.conformance.photos import load
from provise.demo import drawings
from provise.draw import Style, draw
from provise.evidence import render
from provise.image import Picture
from provise.reading import read

WIDTH, HEIGHT = 480, 400
IMAGES = Path(__file__).parent / "images"
TOP_ROW = ((0.116, 0.18), (0.261, 0.187), (0.406, 0.165), (0.5625, 0.165), (0.719, 0.175), (0.875, 0.145))


def coins() -> None:
    """Write the photo, and an answer that stars the six coins of its top row."""
    photo = load("coins")
    answer = draw("instance_marking", photo, 6, Style(size=0.06), np.random.default_rng(0), points=TOP_ROW).image
    cv2.imwrite(str(IMAGES / "coins.png"), cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY))
    cv2.imwrite(str(IMAGES / "coins_answer.png"), cv2.cvtColor(answer, cv2.COLOR_RGB2BGR))


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    coins()
    tiles = []
    made = drawings()
    for protocol, source, drawing in (made[0], made[1], made[3], made[6]):
        found = read(protocol, Picture(drawing.image), source=Picture(source), aids=drawing.aids)
        tile = render(drawing.image, found.to_dict(), longest=WIDTH)
        scale = min(WIDTH / tile.shape[1], HEIGHT / tile.shape[0])
        size = (round(tile.shape[1] * scale), round(tile.shape[0] * scale))
        canvas = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
        canvas[: size[1], : size[0]] = cv2.resize(tile, size, interpolation=cv2.INTER_AREA)
        tiles.append(canvas)
    sheet = np.vstack([np.hstack(tiles[:2]), np.hstack(tiles[2:])])
    target = IMAGES / "reading.jpg"
    target.write_bytes(
        cv2.imencode(".jpg", cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 86])[1].tobytes()
    )


if __name__ == "__main__":
    main()
