"""A first look: draw answers on bundled photos, read them, and show what the readers saw."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.draw import Drawing, Style, draw, draw_invalid
from provise.evidence import save
from provise.image import Picture
from provise.reading import Reading, read

__all__ = ["main"]

Bytes = npt.NDArray[np.uint8]

RIGHT: tuple[tuple[str, str, Any, dict[str, Any]], ...] = (
    ("instance_marking", "coffee", 5, {}),
    ("direction_grid", "astronaut", "back-right", {}),
    ("point_marker", "chelsea", [0.42, 0.55], {}),
    ("trajectory_drawing", "rocket", [[0.2, 0.8], [0.4, 0.6], [0.6, 0.55], [0.8, 0.25]], {}),
    ("fixed_slots", "coffee", "C", {"choices": 4}),
    ("binary_relation", "astronaut", True, {}),
)
REFUSED: tuple[tuple[str, str, str], ...] = (
    ("instance_marking", "coffee", "merged"),
    ("direction_grid", "astronaut", "two_cells"),
    ("point_marker", "chelsea", "two_points"),
)


def photos() -> dict[str, Bytes]:
    """Return the photos that scikit-image brings along, by name, RGB uint8."""
    from skimage import data

    return {name: np.asarray(getattr(data, name)()) for name in ("coffee", "astronaut", "chelsea", "rocket")}


def drawings() -> list[tuple[str, Bytes, Drawing]]:
    """Draw the demo's answers: protocol, source and drawing, the same every time."""
    shots = photos()
    made = []
    for index, (protocol, name, truth, aids) in enumerate(RIGHT):
        made.append(
            (protocol, shots[name], draw(protocol, shots[name], truth, Style(), np.random.default_rng(index), **aids))
        )
    for index, (protocol, name, rule) in enumerate(REFUSED):
        rng = np.random.default_rng(100 + index)
        made.append((protocol, shots[name], draw_invalid(protocol, rule, shots[name], Style(), rng)))
    return made


def page(rows: list[tuple[str, Reading, str]]) -> str:
    """Return the gallery as one HTML page that needs nothing from elsewhere."""
    cards = []
    for protocol, reading, picture in rows:
        found = _short(reading.prediction) if reading.ok else f"refused: {reading.reason}"
        cards.append(
            f'<figure><img src="{html.escape(picture)}" alt="{html.escape(protocol)}: {html.escape(found)}">'
            f"<figcaption><b>{html.escape(protocol)}</b> {html.escape(found)}<br>"
            f"{html.escape(reading.message)}</figcaption></figure>"
        )
    style = (
        "body{font:16px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}"
        "main{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1rem}"
        "figure{margin:0;border:1px solid #ccc;border-radius:6px;overflow:hidden}"
        "img{width:100%;display:block}figcaption{padding:.6rem}"
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>provise: answers being read</title><style>{style}</style><h1>Answers being read</h1>"
        "<p>Each picture is an answer, with what its reader saw drawn over it.</p>"
        f"<main>{''.join(cards)}</main></html>\n"
    )


def _short(prediction: Any) -> str:
    if isinstance(prediction, list) and prediction and isinstance(prediction[0], list):
        first, last = ([round(v, 3) for v in point] for point in (prediction[0], prediction[-1]))
        return f"{len(prediction)} points, {first} to {last}"
    return json.dumps([round(v, 3) for v in prediction] if isinstance(prediction, list) else prediction)


def main(out: Path = Path("demo")) -> Path:
    """Draw, read and show; return the page's path."""
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for index, (protocol, source, drawing) in enumerate(drawings(), 1):
        choices = ["first", "second", "third", "fourth"] if protocol == "fixed_slots" else []
        found = read(protocol, Picture(drawing.image), source=Picture(source), aids=drawing.aids, choices=choices)
        name = f"{index:02d}-{protocol}.jpg"
        save(out / name, drawing.image, found.to_dict())
        rows.append((protocol, found, name))
        print(f"{protocol:<20} {_short(found.prediction) if found.ok else 'refused, ' + found.reason}")
    target = out / "index.html"
    target.write_text(page(rows), encoding="utf-8")
    print(f"\nwhat the readers saw: {target}")
    return target


if __name__ == "__main__":
    main()
