"""Make the README's picture: four answers being read. Run from the checkout: python docs/make_images.py"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from provise.demo import drawings
from provise.evidence import render
from provise.image import Picture
from provise.reading import read

WIDTH, HEIGHT = 480, 400


def main() -> None:
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
    target = Path(__file__).parent / "images" / "reading.jpg"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(
        cv2.imencode(".jpg", cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 86])[1].tobytes()
    )


if __name__ == "__main__":
    main()
