"""The makers of the fourteen tasks, by task."""

from __future__ import annotations

from provise.synth.item import Maker
from provise.synth.tasks import (
    affordance,
    counting,
    depth,
    feasibility,
    grounding,
    mental_modeling,
    multihop,
    navigation,
    orientation,
    perspective,
    prediction,
    relationship,
    size,
    trajectory,
)

__all__ = ["MAKERS"]

_ALL: tuple[Maker, ...] = (
    counting.MAKER,
    depth.MAKER,
    orientation.MAKER,
    size.MAKER,
    relationship.MAKER,
    perspective.MAKER,
    mental_modeling.MAKER,
    grounding.MAKER,
    multihop.MAKER,
    prediction.MAKER,
    feasibility.MAKER,
    affordance.MAKER,
    navigation.MAKER,
    trajectory.MAKER,
)
MAKERS: dict[str, Maker] = {maker.task: maker for maker in _ALL}
"""In the order of the tasks in the tables."""
