"""The two systems that do nothing: a blank canvas, and the input handed back. No reader may make an answer of either."""

from __future__ import annotations

import io

from PIL import Image

from provise.systems.base import Answer, Request, System
from provise.systems.spec import kind

__all__ = ["Blank", "Copy"]


@kind("blank", doc="returns a white canvas of the picture's size")
class Blank(System):
    """Returns a white canvas of the primary picture's size."""

    kind = "blank"
    concurrency = 2

    def answer(self, request: Request) -> Answer:
        """Return the canvas as PNG."""
        file = io.BytesIO()
        Image.new("RGB", request.size, (255, 255, 255)).save(file, "PNG")
        return Answer(image=file.getvalue())


@kind("copy", doc="hands the primary picture back, byte for byte")
class Copy(System):
    """Hands the primary picture back, byte for byte."""

    kind = "copy"
    concurrency = 2

    def answer(self, request: Request) -> Answer:
        """Return the primary picture's file."""
        return Answer(image=request.images[0].read_bytes())
