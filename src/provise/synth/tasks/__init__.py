"""The makers of the fourteen tasks, by task."""

from __future__ import annotations

from provise.synth.item import Maker
from provise.synth.tasks import (
    counting,
    depth,
    grounding,
    orientation,
    perspective,
    relationship,
    size,
)

__all__ = ["MAKERS"]

_ALL: tuple[Maker, ...] = (
    counting.MAKER,
    depth.MAKER,
    orientation.MAKER,
    size.MAKER,
    relationship.MAKER,
    perspective.MAKER,
    grounding.MAKER,
)
MAKERS: dict[str, Maker] = {maker.task: maker for maker in _ALL}
"""In the order of the tasks in the tables."""
