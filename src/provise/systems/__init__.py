"""What is evaluated: image models and text models, one file an adapter; here the trial systems that need no model."""

from __future__ import annotations

from provise.systems import draughtsman, files, plain
from provise.systems.base import Answer, Request, System, Unavailable
from provise.systems.spec import KINDS, open_system, parse_spec

__all__ = ["KINDS", "Answer", "Request", "System", "Unavailable", "open_system", "parse_spec"]

# Importing a module registers its kinds.
_ADAPTERS = (draughtsman, files, plain)
