"""From a response to its row: read it, score the prediction with the source metric, name the outcome.

The truth enters here and nowhere before. Attribution follows the paper's C.7: generation failure, then
noncompliance, then parser failure, then correct or incorrect. Outages are not outcomes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from provise.errors import DataError
from provise.image import Picture
from provise.protocol.compile import Protocol
from provise.reading import Reading, read
from provise.sample import Sample

if TYPE_CHECKING:
    from provise.answers import CoordinateSystem, Declared
    from provise.truth import Truth

__all__ = ["ERRORS", "OUTCOMES", "Response", "Row", "score_response", "stated_truth", "text_bytes"]

OUTCOMES = ("correct", "incorrect", "protocol_noncompliance", "parser_failure", "generation_failure")
"""What a response can come to; exactly one each."""

ERRORS = ("missing", "infrastructure", "data_error", "unreadable")
"""Why a sample has no outcome: no answer handed in, no answer received, the benchmark's fault, no reader installed."""

_FAILED = "generation_failure"
_STATUS = {
    "noncompliant": "protocol_noncompliance",
    "parser_failure": "parser_failure",
    _FAILED: _FAILED,
}


def text_bytes(text: str) -> bytes:
    """Return an answer in words as the bytes that its digest is of; half a character is no reason to fail.

    Examples
    --------
    >>> text_bytes("B")
    b'B'
    """
    return text.encode("utf-8", "surrogatepass")


def stated_truth(sample: Sample, metric: str) -> str:
    """Return the truth as a row shows it: the answer as written, or the mask's path where the mask is what counts.

    Examples
    --------
    >>> stated_truth(Sample("g1", "understanding", "grounding", "g1.png", mask_path="masks/g1.png"), "mask_iou")
    'masks/g1.png'
    """
    from provise.metrics import METRICS

    by_mask = metric in METRICS and METRICS[metric].truth == "mask"
    return sample.mask_path if sample.mask_path and by_mask else sample.answer


@dataclass(frozen=True)
class Response:
    """What a system handed in for one sample: a picture (its file, bytes, or decoded), a text, or a failure with its kind.

    ``coordinates`` says how a text writes points; None is 0..1 and x first.
    """

    image: Path | bytes | Picture | None = None
    text: str | None = None
    error: str = ""
    kind: str = ""
    coordinates: Declared | None = None


@dataclass(frozen=True)
class Row:
    """One line of ``samples.jsonl``; scores in [0, 1], unrounded."""

    id: str
    task: str
    capability: str
    outcome: str | None = None
    error: str | None = None
    reason: str = ""
    message: str = ""
    prediction: Any = None
    truth: str = ""
    score: float | None = None
    correct: bool | None = None
    reader: str = ""
    protocol: str = ""
    geometry: Mapping[str, Any] = field(default_factory=dict)
    response: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values, in the order of the fields."""
        return dict(self.__dict__)


def score_response(
    sample: Sample, response: Response | None, protocol: Protocol, *, missing: str = "error"
) -> tuple[Row, Reading | None]:
    """Read and score one response.

    Parameters
    ----------
    sample : Sample
        With its truth.
    response : Response or None
        None where no answer was handed in.
    protocol : Protocol
        The route's protocol for this task.
    missing : {"error", "zero"}
        Whether a missing answer leaves the run incomplete, or counts as a generation failure as in the paper.

    Returns
    -------
    Row
        The line for ``samples.jsonl``.
    Reading or None
        What the reader saw; None for texts and failures.
    """
    base: dict[str, Any] = {
        "id": sample.id, "task": sample.task, "capability": sample.capability, "truth": stated_truth(sample, protocol.spec.metric),
        "protocol": protocol.id,
    }  # fmt: skip
    if response is None and missing == "zero":
        response = Response(error="no answer was handed in", kind="generation")
    if response is None:
        return Row(**base, error="missing", message="no answer was handed in"), None
    if response.error:
        if response.kind == "infrastructure":
            return Row(**base, error="infrastructure", reason="infrastructure", message=response.error), None
        base = {**base, "reason": "no_image", "message": response.error}
        return _checked_truth(sample, protocol, base, _FAILED), None
    if response.text is not None:
        return _text(sample, response.text, response.coordinates, protocol, base), None
    if response.image is None or (isinstance(response.image, Path) and not response.image.is_file()):
        where = f"no picture at {response.image}" if response.image is not None else "neither image nor text"
        if missing == "zero":
            return _checked_truth(sample, protocol, {**base, "reason": "no_image", "message": where}, _FAILED), None
        return Row(**base, error="missing", message=where), None
    reading = read(protocol, response.image, sample)
    return _visual(sample, reading, protocol, base), reading


def _visual(sample: Sample, reading: Reading, protocol: Protocol, base: dict[str, Any]) -> Row:
    base = {
        **base, "reader": reading.reader, "geometry": reading.geometry, "response": reading.digest,
        "reason": reading.reason, "message": reading.message,
    }  # fmt: skip
    if reading.status == "data_error":
        return Row(**base, error="data_error")
    if not reading.ok:
        return _checked_truth(sample, protocol, base, _STATUS[reading.status])
    value = reading.region if reading.region is not None else reading.prediction
    return _score(sample, value, reading.prediction, protocol, base)


def _text(sample: Sample, text: str, declared: Declared | None, protocol: Protocol, base: dict[str, Any]) -> Row:
    from provise.answers import GEOMETRIC, Declared, read_text

    kind = "points" if protocol.spec.prediction == "mask" else protocol.spec.prediction
    more: dict[str, Any] = {"count": sample.metadata.get("holes")} if kind == "endpoint" else {}
    base = {**base, "reader": "text", "response": hashlib.sha256(text_bytes(text)).hexdigest()}
    if kind in GEOMETRIC:
        declared = declared or Declared()
        try:
            more["coordinates"] = system = declared.system(lambda: _source_size(sample))
        except DataError as error:
            return Row(**{**base, "reason": error.code, "message": str(error)}, error="data_error")
        base["geometry"] = {"coordinates": _used(declared, system)}
    answer = read_text(text, kind, choices=sample.choices, **more)
    base |= {"reason": answer.reason, "message": answer.message}
    if answer.prediction is None:
        return _checked_truth(sample, protocol, base, "protocol_noncompliance")
    return _score(sample, answer.prediction, answer.prediction, protocol, base)


def _source_size(sample: Sample) -> tuple[int, int]:
    from provise.aids import public_media
    from provise.target_mask import picture_size

    paths = public_media(sample.public(), "first")
    return picture_size(paths[0] if paths else sample.image_path)


def _used(declared: Declared, system: CoordinateSystem) -> dict[str, Any]:
    """Return what a row says of the coordinates it was read with: pixels with the size they were divided by."""
    size = system.seen_size or system.size
    return {"scale": declared.scale, "order": declared.order, **({"size": list(size)} if size else {})}


def _checked_truth(sample: Sample, protocol: Protocol, base: dict[str, Any], outcome: str) -> Row:
    """Return a zero, unless the sample has no usable truth: then it has no score at all."""
    from provise.truth import load_truth

    try:
        truth = load_truth(sample, protocol.spec.metric)
    except DataError as error:
        return Row(**{**base, "reason": error.code, "message": str(error)}, error="data_error")
    return Row(**base, outcome=outcome, score=0.0, correct=False, details=_null(truth, protocol))


def _null(truth: Truth, protocol: Protocol) -> dict[str, Any]:
    """Return what a blind answer would have scored on this sample, whatever was answered."""
    from provise.metrics.null import null_score

    value = null_score(protocol.spec.metric, truth, protocol.spec.metric_settings)
    return {} if value is None else {"null_score": value}


def _score(
    sample: Sample, value: Any | npt.NDArray[np.bool_], prediction: Any, protocol: Protocol, base: dict[str, Any]
) -> Row:
    from provise.metrics import score_prediction
    from provise.truth import load_truth

    spec = protocol.spec
    try:
        truth = load_truth(sample, spec.metric)
    except DataError as error:
        return Row(**{**base, "reason": error.code, "message": str(error)}, prediction=prediction, error="data_error")
    found = score_prediction(spec.metric, value, truth, spec.metric_settings)
    outcome = "correct" if found.correct else "incorrect"
    return Row(
        **base, prediction=prediction, outcome=outcome, score=found.value, correct=found.correct,
        details={**found.details, **_null(truth, protocol)},
    )  # fmt: skip
