"""What a benchmark folder says of itself in ``benchmark.yaml``, which it may leave out."""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from provise.errors import InputError

__all__ = ["FILE", "About", "read_about"]

FILE = "benchmark.yaml"


class About(BaseModel):
    """The fields of ``benchmark.yaml``.

    Attributes
    ----------
    name : str
        The benchmark's name; the folder's where it is left out.
    route : str
        Name or file of the route that asks and reads its tasks.
    version : str
        For a person; results of two versions should not be compared.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    route: str = "spatialgen-bench"
    version: str = ""


def read_about(root: Path) -> About:
    """Read a folder's ``benchmark.yaml``; the defaults where there is none.

    Raises
    ------
    InputError
        If it is no YAML mapping, or has a field that is not known.
    """
    path = root / FILE
    if not path.is_file():
        return About()
    try:
        parsed = yaml.safe_load(path.read_text(encoding="utf-8"))
        return About.model_validate({} if parsed is None else parsed)
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'the file'}: {e['msg']}" for e in error.errors())
        raise InputError(f"{path}: {found}; allowed are {', '.join(About.model_fields)}, each a text") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # no UTF-8, or a date that is none, is a ValueError
        raise InputError(f"{path}: not valid YAML: {error}") from error
