"""The protocols that come with the package, and those in a file of one's own."""

from __future__ import annotations

import difflib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from provise.errors import ProtocolError
from provise.protocol.compile import Protocol, load_protocol
from provise.resources import data_folder

__all__ = ["names", "open_protocol", "sibling"]


def names() -> list[str]:
    """Return the ids of the catalogue in alphabetical order."""
    return sorted(path.stem for path in (data_folder("protocols") / "catalogue").glob("*.yaml"))


def sibling(name: str) -> str:
    """Return the deterministic protocol that asks for the same as one read by an auxiliary model.

    Examples
    --------
    >>> sibling("size_evidence")
    'dual_measure'
    """
    return "dual_measure" if name.startswith("size") else "placement_outline"


def open_protocol(name: str | Path, **settings: Any) -> Protocol:
    """Open a protocol of the catalogue, or a YAML file.

    Parameters
    ----------
    name : str or Path
        An id (``provise protocol list``), or a path that ends in ``.yaml`` or ``.yml``.
    **settings
        Values that replace its defaults.

    Raises
    ------
    ProtocolError
        If there is no such protocol, or its file does not pass the check.

    Examples
    --------
    >>> open_protocol("fixed_slots").spec.prediction
    'choice'
    """
    if str(name).endswith((".yaml", ".yml")):
        # A file of one's own may change between two calls, so only the catalogue is remembered.
        return load_protocol(Path(name), settings)
    return _opened(str(name), json.dumps(settings, sort_keys=True, default=str))


@lru_cache(maxsize=64)
def _opened(name: str, settings: str) -> Protocol:
    if name not in names():
        from provise.protocol.route import open_route

        read = open_route("spatialgen-bench").protocols.get(name)
        if read is not None:
            raise ProtocolError(f"no protocol {name!r} in the catalogue: {name} is a task, and {read.id} reads it")
        near = difflib.get_close_matches(name, names(), n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(names())}"
        raise ProtocolError(f"no protocol {name!r} in the catalogue{hint}")
    return load_protocol(data_folder("protocols") / "catalogue" / f"{name}.yaml", json.loads(settings))
