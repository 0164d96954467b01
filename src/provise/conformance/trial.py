"""One trial of the certificate: draw, degrade, read, judge; the same whichever process does it."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from provise.conformance.degrade import COPIES, MILD, STRONG, Degradation, degrade, encode
from provise.conformance.judge import judge
from provise.conformance.scenes import Scene, draw_answer, draw_refused, make_scene
from provise.draw import Drawing, invalid_rules
from provise.protocol.catalogue import open_protocol
from provise.protocol.compile import Protocol
from provise.reading import Reading, read

__all__ = ["PARTS", "Order", "Result", "opened", "run_trial"]

PARTS = ("mild", "strong", "copy", "invalid")
"""Answers of both severities, the source handed back, and drawings that hold no answer."""


@dataclass(frozen=True)
class Order:
    """Which trial: enough to repeat it alone.

    Attributes
    ----------
    protocol, part : str
        A protocol, one of `PARTS`.
    index, seed : int
        Together they seed the trial's own generator.
    dump : str
        Folder for the pictures of what was not read right; empty for none.
    """

    protocol: str
    part: str
    index: int
    seed: int = 0
    dump: str = ""


@dataclass(frozen=True)
class Result:
    """What came of a trial.

    Attributes
    ----------
    protocol, part, cell : str
        ``cell`` is the degradation, or the invalid rule.
    verdict : str
        ``right``, ``refused`` or ``wrong``; for a drawing without an answer ``refused`` is what is hoped for.
    status, reason : str
        Of the reading.
    expected_reason : bool
        Whether a refusal of an invalid drawing carries a reason that was expected.
    """

    protocol: str
    part: str
    cell: str
    verdict: str
    status: str
    reason: str = ""
    expected_reason: bool = True


@lru_cache(maxsize=32)
def opened(name: str) -> Protocol:
    """Open a protocol as the certificate reads it: state matching with the built-in descriptor."""
    return open_protocol(name, encoder="descriptor") if name == "state_matching" else open_protocol(name)


def cells(protocol: str, part: str) -> list[str]:
    """Return what a part of the certificate goes round over: degradations, or rules."""
    if part == "invalid":
        return [rule for rule in invalid_rules(protocol) if rule != "source"]
    return [d.name for d in _degradations(protocol, part)]


def _degradations(protocol: str, part: str) -> tuple[Degradation, ...]:
    if part == "copy":
        # A true next view is close to its source, so only exact and re-encoded copies are told from an answer there.
        return COPIES[:3] if protocol == "state_matching" else COPIES
    return MILD if part == "mild" else STRONG


def run_trial(order: Order) -> Result:
    """Draw an answer, degrade it, read it and judge the reading."""
    rng = np.random.default_rng(
        np.random.SeedSequence([order.seed, zlib.crc32(order.protocol.encode()), PARTS.index(order.part), order.index])
    )
    around = cells(order.protocol, order.part)
    cell = around[order.index % len(around)]
    # Counted in rounds over the cells, so that every cell has its third of coloured scenes.
    scene = make_scene(
        order.protocol, rng, holds_colour=(order.index // len(around) + order.index % len(around)) % 3 == 0
    )
    drawing, answer = _answer(order, scene, cell, rng)
    reading = _read(scene, drawing, answer)
    verdict = judge(reading, drawing)[0]
    result = Result(
        order.protocol,
        order.part,
        cell,
        verdict,
        reading.status,
        reading.reason,
        order.part != "invalid" or verdict != "refused" or reading.reason in drawing.reasons,
    )
    good = verdict == ("refused" if drawing.expected is None else "right") and result.expected_reason
    if order.dump and not good:
        _dump(order, result, scene, drawing, answer, reading)
    return result


def _answer(order: Order, scene: Scene, cell: str, rng: np.random.Generator) -> tuple[Drawing, bytes]:
    if order.part == "invalid":
        drawing = draw_refused(scene, cell, rng)
        return drawing, encode(drawing.image)
    drawing = draw_refused(scene, "source", rng) if order.part == "copy" else draw_answer(scene, rng)
    chosen = next(d for d in _degradations(order.protocol, order.part) if d.name == cell)
    return drawing, degrade(drawing.image, chosen, rng)


def _read(scene: Scene, drawing: Drawing, answer: bytes) -> Reading:
    return read(
        opened(scene.protocol),
        answer,
        source=scene.source,
        aids=drawing.aids,
        choices=scene.choices,
        media=scene.candidates,
    )


def _dump(order: Order, result: Result, scene: Scene, drawing: Drawing, answer: bytes, reading: Reading) -> None:
    """Write the answer, the source, the candidates and what was read, for a person to look at."""
    name = f"{order.protocol}-{order.part}-{order.index:05d}-{result.cell.replace(' ', '_')}-{result.verdict}"
    folder = Path(order.dump)
    folder.mkdir(parents=True, exist_ok=True)
    kind = "jpg" if answer[:2] == b"\xff\xd8" else "webp" if answer[:4] == b"RIFF" else "png"
    (folder / f"{name}.answer.{kind}").write_bytes(answer)
    (folder / f"{name}.source.png").write_bytes(encode(scene.source))
    for i, candidate in enumerate(scene.candidates):
        (folder / f"{name}.candidate{i + 1}.png").write_bytes(encode(candidate))
    expected: Any = drawing.expected
    facts = {
        "expected": expected,
        "expected_reasons": list(drawing.reasons),
        "verdict": result.verdict,
        "distance": judge(reading, drawing)[1],
        "aids": dict(drawing.aids),
        "choices": list(scene.choices),
        "photo": scene.photo,
        "holds_colour": scene.holds_colour,
        "style": vars(scene.style),
        "reading": reading.to_dict(),
    }
    (folder / f"{name}.json").write_text(json.dumps(facts, indent=1, default=str) + "\n", encoding="utf-8")
