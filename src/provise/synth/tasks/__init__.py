"""The makers of the fourteen tasks, by task."""

from __future__ import annotations

from provise.synth.item import Maker

__all__ = ["MAKERS"]

_ALL: tuple[Maker, ...] = ()
MAKERS: dict[str, Maker] = {maker.task: maker for maker in _ALL}
"""In the order of the tasks in the tables."""
