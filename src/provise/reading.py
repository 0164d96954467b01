"""Read one picture: run a protocol's graph over it and say what was found, or why nothing can be."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.errors import DataError, ImageError, InputError, MissingDependencyError, ProviseError, Refusal
from provise.image import Geometry, Picture, decode
from provise.ops.registry import View
from provise.protocol.catalogue import open_protocol, sibling
from provise.protocol.compile import Protocol
from provise.sample import PublicSample, Sample

__all__ = ["Reading", "read", "reader_name"]

ImageLike = Picture | bytes | str | Path | npt.NDArray[Any]


@dataclass(frozen=True)
class Reading:
    """What a reader found.

    Attributes
    ----------
    status : str
        ``ok``; ``noncompliant`` (the picture holds no prediction under the protocol); ``parser_failure`` (the reader
        itself failed); ``generation_failure`` (the answer is no picture); ``data_error`` (an aid or a source of the
        benchmark is missing or impossible).
    prediction : JSON value
        In the form of the protocol's prediction kind; None unless ``ok``.
    reason, message : str
        The reason code and a sentence for a person; empty where ``ok``.
    evidence : dict
        ``numbers`` by step, and the ``shapes`` to lay over the answer.
    geometry : dict
        How the answer was brought to the source's grid.
    protocol, fingerprint, reader : str
        What read it. The reader names the encoder where there is one, and other weights than the paper's by their digest.
    digest : str
        SHA-256 of the answer's bytes.
    region : ndarray of bool, shape (h, w), or None
        The mask itself, on the source's grid, where the prediction is one.
    """

    status: str
    prediction: Any = None
    reason: str = ""
    message: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    geometry: Mapping[str, Any] = field(default_factory=dict)
    protocol: str = ""
    fingerprint: str = ""
    reader: str = ""
    digest: str = ""
    region: npt.NDArray[np.bool_] | None = field(default=None, compare=False, repr=False)

    @property
    def ok(self) -> bool:
        """Whether there is a prediction."""
        return self.status == "ok"

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values, without the mask's pixels."""
        names = (
            "status",
            "prediction",
            "reason",
            "message",
            "evidence",
            "geometry",
            "protocol",
            "fingerprint",
            "reader",
            "digest",
        )
        return {name: getattr(self, name) for name in names}


def read(
    protocol: Protocol | str,
    image: ImageLike,
    sample: Sample | PublicSample | Mapping[str, Any] | None = None,
    *,
    source: ImageLike | None = None,
    aids: Mapping[str, Any] | None = None,
    choices: Sequence[str] = (),
    media: Sequence[ImageLike] = (),
) -> Reading:
    """Read a visual answer.

    Parameters
    ----------
    protocol : Protocol or str
        A protocol, or its name in the catalogue.
    image : path, bytes, array or Picture
        The answer.
    sample : Sample, PublicSample or row, optional
        Gives source, media, aids and choices where they are not given; its truth is never looked at.
    source : image, optional
        The picture the model was given. Without any, what the scene already showed cannot be told from what was drawn;
        the geometry's notes then hold ``no_source``.
    aids : mapping, optional
        Reading aids (``coordinates``, ``start``, ``holes``, ...).
    choices : sequence of str
        The options.
    media : sequence of images
        All pictures the model was given, in order, where there are several: candidates for state matching, views.

    Returns
    -------
    Reading
        Never an exception for what the answer holds.

    Raises
    ------
    ProviseError
        If the call is wrong, or a package that this reader needs is missing.

    Examples
    --------
    >>> import numpy as np
    >>> photo = np.tile(np.arange(0, 240, 3, dtype=np.uint8)[:, None, None], (1, 80, 3))
    >>> answer = photo.copy(); answer[2:16, 2:16] = (255, 0, 255)
    >>> read("fixed_slots", answer, source=photo, choices=["a", "b", "c", "d"]).prediction
    'A'
    """
    opened = open_protocol(protocol) if isinstance(protocol, str) else protocol
    _deterministic(opened)
    base = Reading("ok", protocol=opened.id, fingerprint=opened.fingerprint, reader=reader_name(opened))
    try:
        answer = image if isinstance(image, Picture) else decode(image)
    except ImageError as error:
        return replace(base, status="generation_failure", reason=error.code, message=str(error))
    base = replace(base, digest=answer.digest)
    try:
        pictures, known, options = _inputs(opened, sample, source, aids, choices, media)
    except DataError as error:
        return replace(base, status="data_error", reason=error.code, message=str(error))
    frame = pictures[0].size if pictures else answer.size
    geometry = Geometry.of(answer, frame).to_dict()
    if not pictures and any("sources" in step.inputs.values() for step in opened.steps):
        geometry["notes"].append("no_source")
    base = replace(base, geometry=geometry)
    view = View(aids=known, n_choices=len(options), frame=frame)
    return _run(opened, base, view, answer, pictures)


def _deterministic(protocol: Protocol) -> None:
    if protocol.spec.auxiliary:
        raise MissingDependencyError(
            f"{protocol.id} is read by an auxiliary vision-language model ({protocol.spec.auxiliary}) from the answer "
            f"alone, and none is configured; its deterministic sibling is {sibling(protocol.id)}"
        )


def reader_name(protocol: Protocol) -> str:
    """Name what reads, refusals included: the setting names an encoder, which weights stand behind it is asked here."""
    encoder = protocol.settings.get("encoder")
    if not encoder:
        return protocol.reader
    from provise.encoders import encoder_name

    return f"deterministic:{encoder_name(str(encoder))}"


def _inputs(
    protocol: Protocol,
    sample: Sample | PublicSample | Mapping[str, Any] | None,
    source: ImageLike | None,
    aids: Mapping[str, Any] | None,
    choices: Sequence[str],
    media: Sequence[ImageLike],
) -> tuple[tuple[Picture, ...], dict[str, Any], tuple[str, ...]]:
    """Gather source pictures, checked aids and options from the call and from the sample's public view."""
    from provise.aids import check_aids, public_media

    public = _public(sample)
    given: list[ImageLike] = list(media)
    if source is not None and not given:
        given = [source]
    elif source is not None:
        given = [source, *given]
    metadata: dict[str, Any] = dict(public.metadata) if public else {}
    metadata.update(aids or {})
    if not given and public is not None and public.root is not None:
        given = list(public_media(public, protocol.spec.inputs))
    pictures = tuple(_source(item) for item in given)
    options = tuple(choices) or (public.choices if public else ())
    return pictures, check_aids(protocol.spec.aids, metadata, n_pictures=len(pictures)), options


def _public(sample: Sample | PublicSample | Mapping[str, Any] | None) -> PublicSample | None:
    if sample is None or isinstance(sample, PublicSample):
        return sample
    if isinstance(sample, Sample):
        return sample.public()
    return Sample.from_row(sample).public()


def _source(item: ImageLike) -> Picture:
    if isinstance(item, Picture):
        return item
    try:
        return decode(item)
    except ImageError as error:
        name = item if isinstance(item, str | Path) else "the source picture"
        raise DataError("bad_source", f"{name!s} cannot be read ({error.code}): {error}") from error
    except InputError as error:
        raise DataError("missing_source", str(error)) from error


def _run(protocol: Protocol, base: Reading, view: View, answer: Picture, pictures: tuple[Picture, ...]) -> Reading:
    first_only = protocol.spec.inputs == "first"
    values: dict[str, Any] = {
        "answer": answer,
        "sources": pictures[:1] if first_only else pictures,
        "candidates": pictures[1:],
    }
    numbers: dict[str, Any] = {}

    def found(**more: Any) -> Reading:
        return replace(base, evidence={"numbers": numbers, "shapes": list(view.shapes)}, **more)

    for step in protocol.steps:
        view.numbers = {}
        try:
            inputs = {name: values[origin] for name, origin in step.inputs.items()}
            values[step.id] = step.operator.function(view, step.params, **inputs)
        except Refusal as refusal:
            numbers[step.id] = {**view.numbers, **refusal.evidence}
            return found(status="noncompliant", reason=refusal.code, message=refusal.message)
        except DataError as error:
            return found(status="data_error", reason=error.code, message=str(error))
        except ProviseError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a reader trips over is a failure of the reader, by name
            message = f"{protocol.id}, step {step.id} ({step.operator.name}): {type(error).__name__}: {error}"
            return found(status="parser_failure", reason="reader_error", message=message)
        numbers[step.id] = dict(view.numbers)
    prediction, region = _json(protocol.spec.prediction, values[protocol.output])
    return found(prediction=prediction, region=region)


def _json(kind: str, value: Any) -> tuple[Any, npt.NDArray[np.bool_] | None]:
    """Return a graph's value in the JSON form of its prediction kind, and the mask itself where it is one."""
    if kind == "point":
        return [float(v) for v in value], None
    if kind == "path":
        return [[float(x), float(y)] for x, y in value], None
    if kind == "mask":
        region = np.asarray(value, dtype=bool)
        digest = hashlib.sha256(
            f"{region.shape[1]}x{region.shape[0]}:".encode() + np.packbits(region).tobytes()
        ).hexdigest()
        return {"png": None, "area": float(region.mean()), "sha256": digest}, region
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"a reader returned {value}")
    return value, None
