"""What each sample's system is asked: prompt and pictures from the public view, and the digest of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from provise.aids import public_media
from provise.errors import DataError, ProtocolError
from provise.protocol.compile import Protocol
from provise.protocol.prompt import render
from provise.sample import Sample
from provise.scoring import Row, stated_truth
from provise.systems.base import Request, System
from provise.target_mask import picture_size

__all__ = ["Asked", "ask", "reading_key"]


@dataclass(frozen=True)
class Asked:
    """A sample, what its system is asked, and the digest of that.

    Parameters
    ----------
    sample : Sample
        With its truth, for the scoring.
    protocol : Protocol
        Asks and reads.
    request : Request or None
        None where nothing can be asked.
    digest : str
        Of the request, with the system.
    fault : Row or None
        Why nothing can be asked: the benchmark's fault.
    """

    sample: Sample
    protocol: Protocol
    request: Request | None = None
    digest: str = ""
    fault: Row | None = None


def ask(sample: Sample, protocol: Protocol, system: System) -> Asked:
    """Make the request of a sample; a picture or an aid that is missing is told as the row's fault."""
    public = sample.public()
    try:
        images = public_media(public, protocol.spec.inputs)
        size = picture_size(images[0])
        words = system.interface == "text"
        prompt = _in_words(sample) if words else render(protocol.spec.prompt, public, protocol.settings)
        truth = sample if system.needs_truth else None
        request = Request(public, prompt, tuple(images), protocol.id, size, protocol.settings, truth)
        return Asked(sample, protocol, request, request.digest(system))
    except (DataError, ProtocolError, OSError, IndexError) as error:
        code = getattr(error, "code", "bad_source")
        row = Row(
            sample.id, sample.task, sample.capability, error="data_error", reason=code, message=str(error),
            truth=stated_truth(sample, protocol.spec.metric), protocol=protocol.id,
        )  # fmt: skip
        return Asked(sample, protocol, fault=row)


def _in_words(sample: Sample) -> str:
    """Return the question as a system gets it that answers in words."""
    lines = [sample.question, *(f"{chr(65 + i)}. {choice}" for i, choice in enumerate(sample.choices))]
    return "\n".join(lines)


def reading_key(asked: Asked, response: str, reader: str, how: str) -> str:
    """Return the digest of all that decides a row: the answer, the reading protocol and reader, the sample with its truth.

    Parameters
    ----------
    asked : Asked
        Sample and protocol.
    response : str
        Digest of the answer, or what stands for a failure.
    reader : str
        The protocol's reader by its full name.
    how : str
        The way a row is made: evidence pictures or none, the package's version.
    """
    sample = asked.sample
    mask = ""
    if sample.mask_path and sample.root is not None:
        try:
            mask = hashlib.sha256((sample.root / sample.mask_path).read_bytes()).hexdigest()
        except OSError:
            mask = "missing"
    whole = [asked.digest, response, asked.protocol.fingerprint, reader, how, sample.to_row(), mask]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
