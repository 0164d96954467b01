"""Image encoders for state matching: a picture in, a vector of length one out.

``clip-vit-b-32`` is the paper's (table 8); ``descriptor`` is built in and needs core packages only. ``local-dir:PATH``
is any model that open_clip saved in a folder. Results of different encoders are never ranked together, so the name of
the encoder goes with every reading; weights that are not the paper's carry their digest in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from provise.errors import InputError

__all__ = ["ENCODERS", "Encoder", "encoder_name", "get_encoder"]

ENCODERS: tuple[str, ...] = ("clip-vit-b-32", "descriptor")
"""Encoders by name; beside them every ``local-dir:PATH``."""


class Encoder(Protocol):
    """What state matching asks of an encoder."""

    @property
    def name(self) -> str:
        """The name that results carry: the same for the same vectors, another for others."""

    @property
    def details(self) -> dict[str, Any]:
        """What else there is to know of it (weights, digest); JSON values."""

    def encode(self, pictures: Sequence[npt.NDArray[np.uint8]]) -> npt.NDArray[np.float64]:
        """Return one vector of length one a picture.

        Parameters
        ----------
        pictures : sequence of ndarray of uint8, shape (h, w, 3)
            RGB, each of its own size.

        Returns
        -------
        ndarray of float64, shape (n, d)
            Rows of Euclidean length one: the cosine of two pictures is the dot product of their rows.
        """

    def lost(self, size: tuple[int, int]) -> tuple[float, float]:
        """Return the shares of width and height that the encoder does not see of a picture of (width, height)."""


def encoder_name(name: str) -> str:
    """Return the name that readings by an encoder carry.

    Parameters
    ----------
    name : str
        As for `get_encoder`.

    Returns
    -------
    str
        The same, except for local CLIP weights, which go by ``local-clip@DIGEST`` unless they are the paper's own.

    Raises
    ------
    InputError, MissingDependencyError
        As `get_encoder`, where local weights are named.

    Examples
    --------
    >>> encoder_name("descriptor")
    'descriptor'
    """
    if name == "descriptor":
        return name
    from provise.encoders.clip import clip_name

    return clip_name(name)


def get_encoder(name: str) -> Encoder:
    """Return an encoder by name, loading its package and weights on the first call.

    Parameters
    ----------
    name : str
        One of `ENCODERS`, or ``local-dir:PATH``.

    Raises
    ------
    InputError
        If there is no such encoder, or its weights cannot be had.
    MissingDependencyError
        If open_clip is not installed.

    Examples
    --------
    >>> get_encoder("descriptor").name
    'descriptor'
    """
    if name == "descriptor":
        from provise.encoders.descriptor import Descriptor

        return Descriptor()
    if name == "clip-vit-b-32" or name.startswith("local-dir:"):
        from provise.encoders.clip import load_clip

        return load_clip(name)
    raise InputError(f"no encoder {name!r}; there are {', '.join(ENCODERS)} and local-dir:PATH")
