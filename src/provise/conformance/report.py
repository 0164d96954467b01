"""The certificate as a page and as JSON: the same certificate gives the same bytes."""

from __future__ import annotations

import json
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from provise import __version__
from provise.conformance.certificate import Certificate
from provise.conformance.tally import Cell

__all__ = ["to_json", "to_markdown", "versions"]

_DRAWN = """\
Every answer is drawn by `provise.draw` over a part of a photo that scikit-image ships (eight in colour, nine grey),
its longer side 480 to 1024 pixels, in one of six aspect ratios; degraded by `provise.conformance.degrade`; written to a
file; and read by `provise.read` from those bytes with the source, the options and the declared aids, never the truth.

* **Marks** 1.5 to 8 % of the frame's longer side across, strokes .5 to 3 %, opacity .7 to 1 (relation .35 to 1), edges
  0 to 2 pixels soft, hue up to 4 off (yellow only towards orange), 92 to 100 % of the pure saturation. Counts run from 1
  to 50, log-uniform, the marks 1 % of the side apart (smaller where that many would not fit); depths at A and B differ by
  16 levels or more; the longer bar is 1.25 to 2.5 times the shorter; circles stay inside their hole; paths neither cross
  nor touch themselves and turn by at most 100 degrees at a corner.
* **A third of the scenes hold the mark's colour already**: one to three irregular, textured patches a colour, painted into
  the source, in hues the mark's range accepts and at least 80 levels from the pure colour. The endpoint's boards have
  tinted paper and blue, yellow or green balls. Depth maps, masks and views have no mark's colour.
* **Right** means the exact label or count, a point within 1 % of the longer side, a path within discrete Fréchet .03 of
  what was drawn (sampled by arc length in pixels at as many points as were read, in normalised coordinates), a mask of IoU .85 or
  more with what was drawn. **Refused** is any reading without a prediction. State matching is read with the built-in
  descriptor.
* **Copies** are sources handed back, as they are, re-encoded or slightly recoloured; for state matching as they are and
  re-encoded only. **Invalid drawings** are those of `provise.draw.invalid`, not degraded.
"""

_PARTS = {"mild": "Mild", "strong": "Strong"}


def versions() -> dict[str, str]:
    """Return the versions of what a verification depends on."""
    found = {"python": platform.python_version(), "provise": __version__}
    for name in ("numpy", "opencv-python-headless", "scikit-image", "pillow", "scipy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def to_json(certificate: Certificate) -> str:
    """Return the certificate as JSON, with every cell and the pooled ones."""
    pooled = [
        certificate.pooled(protocol, part).to_dict()
        for protocol in certificate.protocols
        for part in ("mild", "strong", "copy", "invalid")
    ]
    document: dict[str, Any] = {
        "answers": certificate.answers,
        "seed": certificate.seed,
        "versions": versions(),
        "protocols": certificate.protocols,
        "bars": vars(certificate.bars),
        "holds": certificate.holds,
        "verdict": certificate.verdict(),
        "failures": certificate.failures(),
        "too_few": certificate.too_few(),
        "pooled": pooled,
        "cells": [cell.to_dict() for cell in certificate.cells],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def to_markdown(certificate: Certificate) -> str:
    """Return the certificate as a page."""
    failures = certificate.failures()
    bars = certificate.bars
    lines = [
        "# Conformance of the readers",
        "",
        "How often each deterministic reader reads a drawn answer right, refuses it, and reads it wrong.",
        "",
        f"Asked for: {bars.mild:.1%} right under mild degradations, {bars.strong:.0%} under strong ones, at most "
        f"{bars.wrong:.1%} wrong, no single cell under {bars.cell:.0%} right, {bars.copy:.0%} of the copies refused.",
        "",
        f"**{certificate.verdict()}**",
        "",
        *[f"* {failure}" for failure in failures],
        *([""] if failures else []),
        *_unshown(certificate.too_few()),
        "Limits in brackets are 95 % Clopper-Pearson.",
        "",
        *_summary(certificate),
        *_copies(certificate),
        "## What was drawn",
        "",
        _DRAWN,
        *_repeat(certificate),
        *[line for protocol in certificate.protocols for line in _protocol(certificate, protocol)],
    ]
    return "\n".join(lines).rstrip() + "\n"


def _unshown(few: list[str]) -> list[str]:
    """Return the bars that so few answers cannot show."""
    return ["What so few cannot show:", "", *[f"* {sentence}" for sentence in few], ""] if few else []


def _summary(certificate: Certificate) -> list[str]:
    lines = ["## Pooled", "", *_header("protocol", "severity", "n", "right", "refused", "wrong", "weakest cell")]
    for protocol in certificate.protocols:
        for part, title in _PARTS.items():
            whole = certificate.pooled(protocol, part)
            weakest = min(certificate.of(protocol, part), key=lambda cell: cell.share("right") if cell.n else 2.0)
            worst = f"{weakest.name}: {weakest.share('right'):.1%}" if weakest.n else ""
            lines.append(_row(protocol, title.lower(), str(whole.n), *_shares(whole), worst))
    return [*lines, ""]


def _copies(certificate: Certificate) -> list[str]:
    lines = ["## The source handed back", "", *_header("protocol", "n", "refused", "read as an answer")]
    for protocol in certificate.protocols:
        whole = certificate.pooled(protocol, "copy")
        lines.append(_row(protocol, str(whole.n), _share(whole, "refused"), str(whole.right + whole.wrong)))
    return [*lines, ""]


def _repeat(certificate: Certificate) -> list[str]:
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    return [
        "## How to repeat it",
        "",
        "```",
        f"provise protocol verify --answers {certificate.answers} --seed {certificate.seed}",
        "provise protocol verify point_marker --answers 200 --dump failures/   # with pictures of what was not read right",
        "```",
        "",
        "Each answer has a generator of its own, seeded by the seed, its protocol and its number: the result depends neither",
        f"on the number of processes nor on which protocols are verified together. Made with {used}.",
        "",
    ]


def _protocol(certificate: Certificate, protocol: str) -> list[str]:
    facts = certificate.protocols[protocol]
    lines = [f"## {protocol}", "", f"Reader {facts['reader']}, fingerprint `{facts['fingerprint'][:16]}`.", ""]
    for part, title in _PARTS.items():
        lines += _header(f"{title.lower()} degradation", "n", "right", "refused", "wrong", "reasons of refusal")
        for cell in [*certificate.of(protocol, part), certificate.pooled(protocol, part)]:
            lines.append(_row(cell.name, str(cell.n), *_shares(cell), _reasons(cell)))
        lines.append("")
    lines += _header("handed back", "n", "refused", "reasons of refusal")
    for cell in certificate.of(protocol, "copy"):
        lines.append(_row(cell.name, str(cell.n), _share(cell, "refused"), _reasons(cell)))
    lines += ["", *_header("invalid drawing", "n", "refused", "of these for another reason", "reasons of refusal")]
    for cell in certificate.of(protocol, "invalid"):
        lines.append(_row(cell.name, str(cell.n), _share(cell, "refused"), str(cell.other_reason), _reasons(cell)))
    return [*lines, ""]


def _shares(cell: Cell) -> list[str]:
    return [_share(cell, verdict) for verdict in ("right", "refused", "wrong")]


def _share(cell: Cell, verdict: str) -> str:
    if not cell.n:
        return "-"
    low, high = cell.limits(verdict)
    return f"{cell.share(verdict):.1%} [{100 * low:.1f}, {100 * high:.1f}]"


def _reasons(cell: Cell) -> str:
    return ", ".join(
        f"{reason} {count}" for reason, count in sorted(cell.reasons.items(), key=lambda item: (-item[1], item[0]))
    )


def _header(*names: str) -> list[str]:
    return [_row(*names), "|" + "---|" * len(names)]


def _row(*values: str) -> str:
    return "| " + " | ".join(values) + " |"
