"""Which reader reads each task here, and what is missing for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provise.errors import ProviseError
from provise.protocol.route import Route
from provise.sample import Sample
from provise.scoring import Row, stated_truth

if TYPE_CHECKING:
    from provise.protocol.compile import Protocol

__all__ = ["Readers", "missing_reader", "refused", "stand_in", "unreadable_row", "with_readers"]


@dataclass(frozen=True)
class Readers:
    """What reads each task here.

    Attributes
    ----------
    route : Route
        As it is used.
    stand_ins : dict of str to str
        Task -> the encoder that its protocol asked for, where the built-in descriptor reads in its place.
    notes : list of str
        The same for a person.
    """

    route: Route
    stand_ins: dict[str, str]
    notes: list[str]


def with_readers(samples: Iterable[Sample], route: Route) -> Readers:
    """Let the built-in descriptor stand in for an encoder that is not here and that nobody chose; say so."""
    notes, stand_ins = [], {}
    for task in dict.fromkeys(sample.task for sample in samples):
        protocol = route.protocol(task)
        reason = missing_reader(protocol)
        if reason and protocol.settings.get("encoder") and protocol.id not in route.chosen:
            route = route.with_descriptor(task)
            stand_ins[task] = str(protocol.settings["encoder"])
            notes.append(f"{task} {stand_in(protocol, reason)}")
    return Readers(route, stand_ins, notes)


def refused(unreadable: Mapping[str, str]) -> str:
    """Say which tasks cannot be read, why, and what to do."""
    lines = "\n".join(f"  {task}: {reason}" for task, reason in unreadable.items())
    return (
        f"these tasks cannot be read here:\n{lines}\n"
        "Install what is named, choose another reader (--set TASK=PROTOCOL), or leave them out: --skip-unreadable"
    )


def missing_reader(protocol: Protocol) -> str:
    """Return why a protocol cannot be read in this installation; empty if it can."""
    if protocol.spec.auxiliary:
        return f"{protocol.id} needs an auxiliary vision-language model, and none is configured"
    try:
        if protocol.settings.get("encoder") not in (None, "descriptor"):
            from provise.encoders import get_encoder

            get_encoder(str(protocol.settings["encoder"]))
        if protocol.settings.get("numbers") == "rapidocr":
            from provise.ops.ocr import ocr_name

            ocr_name()
    except ProviseError as error:
        return str(error)
    return ""


def stand_in(protocol: Protocol, reason: str) -> str:
    """Say that the descriptor reads in the place of a protocol's encoder, and why."""
    # The last piece of advice, to choose the descriptor, has been followed.
    cause = reason.partition(", or choose")[0]
    return f"is read with the built-in descriptor, and never ranked with {protocol.settings['encoder']}: {cause}"


def unreadable_row(sample: Sample, protocol: Protocol, reason: str) -> Row:
    """Return the row of a sample whose reader is not installed: it has no outcome."""
    truth = stated_truth(sample, protocol.spec.metric)
    return Row(
        sample.id, sample.task, sample.capability, error="unreadable", message=reason, truth=truth, protocol=protocol.id
    )
