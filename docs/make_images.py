"""Make the README's pictures: python docs/make_images.py

``coins.png`` and ``coins_answer.png`` are a photo of scikit-image and an answer drawn on it, which the README's first command
reads. ``reading.jpg`` is four answers of a trial system to the built-in benchmark being read. ``report.jpg`` and
``answer.jpg`` are a report of two such runs, and one answer in it; they need a Chromium.
"""

from __future__ import annotations

import json
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

import provise
from provise.conformance.photos import load
from provise.draw import Style, draw
from provise.evidence import render
from provise.image import decode
from provise.reading import read
from provise.report import write_report

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
TOP_ROW = ((0.116, 0.18), (0.261, 0.187), (0.406, 0.165), (0.5625, 0.165), (0.719, 0.175), (0.875, 0.145))
FIRST, SECOND = "draughtsman?accuracy=.8&seed=1", "draughtsman?accuracy=.6&seed=2"
SHOWN = ("counting-0002", "orientation-0005", "affordance-0005", "trajectory-0001")
LARGE = "trajectory-0004"
TILE, GAP, EDGE, TOP = 360, 10, 34, 84

Bytes = npt.NDArray[np.uint8]


def coins() -> None:
    """Write the photo, and an answer that stars the six coins of its top row."""
    photo = load("coins")
    answer = draw("instance_marking", photo, 6, Style(size=0.06), np.random.default_rng(0), points=TOP_ROW).image
    cv2.imwrite(str(IMAGES / "coins.png"), cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY))
    cv2.imwrite(str(IMAGES / "coins_answer.png"), cv2.cvtColor(answer, cv2.COLOR_RGB2BGR))


def reading(run: Path) -> None:
    """Write four questions side by side: the input, the answer, what its reader saw."""
    opened, route = provise.open_benchmark("synth"), provise.open_route("synth")
    samples = {sample.id: sample for sample in opened.samples}
    columns = [_column(run, samples[name], route.protocol(samples[name].task)) for name in SHOWN]
    height = max(sum(len(tile) + GAP for tile in tiles) for _, tiles in columns)
    sheet = Image.new("RGB", (EDGE + len(columns) * (TILE + GAP), TOP + height), "white")
    pen = ImageDraw.Draw(sheet)
    for i, (question, tiles) in enumerate(columns):
        x, y = EDGE + i * (TILE + GAP), TOP
        pen.multiline_text(
            (x, 6), textwrap.fill(question, 46), fill="black", font=ImageFont.load_default(15), spacing=3
        )
        for tile in tiles:
            sheet.paste(Image.fromarray(tile), (x, y))
            y += len(tile) + GAP
    y = TOP
    for name, tile in zip(("input", "answer", "what its reader saw"), columns[0][1], strict=True):
        _sideways(sheet, name, y, len(tile))
        y += len(tile) + GAP
    sheet.save(IMAGES / "reading.jpg", quality=84, optimize=True)


def _column(run: Path, sample: Any, protocol: Any) -> tuple[str, list[Bytes]]:
    source = decode(sample.root / sample.image_path).rgb
    rows = {row["id"]: row for row in _rows(run)}
    (file,) = (run / "responses").glob(f"{rows[sample.id]['response']}.*")
    answer, found = decode(file).rgb, read(protocol, file, sample)
    assert found.ok, (sample.id, found.message)
    # A mask says little beside a scene: its outline is drawn over the scene that it was read for.
    ground = answer if found.region is None else _outlined(source, found.region)
    # What follows the question itself says how words for directions are meant.
    question = sample.question.replace("? Front means", "?\nFront means").split("\n")[0]
    return question, [_small(source), _small(answer), _small(render(ground, found.to_dict(), longest=480))]


def _rows(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "samples.jsonl").read_text("utf-8").splitlines()]


def _outlined(source: Bytes, region: npt.NDArray[np.bool_]) -> Bytes:
    canvas = np.where(region[..., None], source, source // 2).astype(np.uint8)
    rings, _ = cv2.findContours(region.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(canvas, rings, -1, (255, 255, 255), 4, cv2.LINE_AA)
    cv2.drawContours(canvas, rings, -1, (20, 110, 230), 2, cv2.LINE_AA)
    return canvas


def _small(rgb: npt.NDArray[Any]) -> Bytes:
    size = (TILE, round(rgb.shape[0] * TILE / rgb.shape[1]))
    return np.asarray(cv2.resize(np.asarray(rgb, np.uint8), size, interpolation=cv2.INTER_AREA), np.uint8)


def _sideways(sheet: Image.Image, text: str, top: int, height: int) -> None:
    strip = Image.new("RGB", (height, EDGE), "white")
    ImageDraw.Draw(strip).text(
        (height / 2, EDGE / 2), text, fill="#5a6573", font=ImageFont.load_default(16), anchor="mm"
    )
    sheet.paste(strip.rotate(90, expand=True), (0, top))


def report(runs: list[Path], work: Path) -> None:
    """Write the top of a report of two runs, and one answer as the page shows it."""
    sys.path.insert(0, str(ROOT))
    from tests.report.browser import Browser

    page = write_report(runs, work / "report", labels=["draughtsman .8", "draughtsman .6"]).page
    with Browser(work / "profile", 1180, 1220) as browser:
        browser.open(page)
        browser.until("document.querySelectorAll('.card').length > 0")
        _shot(browser, "report.jpg")
        browser.run(
            f"(s => {{ s.value = '{LARGE}'; s.dispatchEvent(new Event('input')); }})(document.getElementById('f-search'))"
        )
        browser.until("document.querySelectorAll('.card').length === 2")
        browser.run("document.querySelector('.card').click()")
        browser.size(1180, 760)
        _shot(browser, "answer.jpg")
        assert browser.complaints == []


def _shot(browser: Any, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        browser.shot(Path(folder) / "shot.png")
        Image.open(Path(folder) / "shot.png").convert("RGB").save(IMAGES / name, quality=84, optimize=True)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    coins()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for name, system in (("first", FIRST), ("second", SECOND)):
            provise.run("synth", system, work / name)
        reading(work / "first")
        report([work / "first", work / "second"], work)


if __name__ == "__main__":
    main()
