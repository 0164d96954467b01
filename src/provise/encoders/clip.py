"""CLIP ViT-B/32 through open_clip: the encoder of the paper's state matching (table 8).

The weights are OpenAI's, by their open_clip tag, fetched once into the Hub cache. Where there is no network, the
environment variable ``PROVISE_CLIP`` names a checkpoint file of ViT-B/32 or ``local-dir:FOLDER``, a folder that
open_clip saved. Weights given so are other weights until they prove to be the paper's: they go by
``local-clip@DIGEST`` in every result, whatever their path, and only OpenAI's own file, told by its SHA-256, goes by the
paper's name. The digest of the image tower itself is in the evidence.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.encoders.preprocess import lost_shares, preprocess
from provise.errors import InputError, MissingDependencyError

__all__ = ["CLIP_VARIABLE", "Clip", "clip_name", "load_clip"]

CLIP_VARIABLE = "PROVISE_CLIP"
"""Environment variable that names local weights for ``clip-vit-b-32``."""

# OpenAI's weights were trained with the quick GELU; open_clip's plain ViT-B-32 would run them with the exact one.
MODEL, TAG = "ViT-B-32-quickgelu", "openai"
PAPER = "clip-vit-b-32"
PAPER_FILE = "40d365715913c9da98579312b702a82c18be219cc2a73407c4526f58eba950af"
"""SHA-256 of ``ViT-B-32.pt`` as OpenAI published it; it stands in the address they gave out."""


class Clip:
    """A CLIP image tower as an `Encoder`.

    Parameters
    ----------
    name : str
        Name under which it was asked for; OpenAI's weights keep it, others get ``local-clip@DIGEST``.
    model : torch.nn.Module
        An open_clip model in evaluation mode.
    weights : str
        Where they are from: the tag, or ``local``.
    digest : str
        SHA-256 over the image tower's parameters.
    architecture : mapping, optional
        The model's configuration, for the name of local weights: one tower under another activation is another encoder.
    """

    def __init__(
        self, name: str, model: Any, weights: str, digest: str, architecture: Mapping[str, Any] | None = None
    ) -> None:
        self.model = model
        self.details: dict[str, Any] = {"weights": weights, "weights_sha256": digest}
        self.settings = _preprocessing(name, model)
        self.name = name if weights == TAG else f"local-clip@{self._identity(architecture)}"

    def _identity(self, architecture: Mapping[str, Any] | None) -> str:
        """Return twelve hexadecimal digits over all that decides a vector: parameters, architecture, preprocessing."""
        parts = [self.details["weights_sha256"], architecture, self.settings]
        return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:12]

    def encode(self, pictures: Sequence[npt.NDArray[np.uint8]]) -> npt.NDArray[np.float64]:
        """Return one row of length one a picture; see `Encoder.encode`."""
        import torch

        batch = np.stack([preprocess(picture, **self.settings) for picture in pictures])
        with torch.inference_mode():
            # One picture a pass: in a batch, a picture's last bits would depend on its neighbours.
            rows = [self.model.encode_image(torch.from_numpy(one[None]))[0].double().numpy() for one in batch]
        found = np.stack(rows)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float64)

    def lost(self, size: tuple[int, int]) -> tuple[float, float]:
        """Return the shares of width and height outside the centre crop."""
        return lost_shares(size, side=self.settings["side"])


def clip_name(name: str) -> str:
    """Return the name that readings by an encoder carry, before anything is read.

    Parameters
    ----------
    name : str
        ``clip-vit-b-32`` or ``local-dir:FOLDER``, as a protocol sets it.

    Returns
    -------
    str
        ``clip-vit-b-32`` for the paper's weights. Local weights have to be loaded to be told.

    Raises
    ------
    MissingDependencyError, InputError
        As `load_clip`, where local weights are named.
    """
    return load_clip(name).name if _place(name) else name


def load_clip(name: str = PAPER) -> Clip:
    """Load an image tower, once a process for each name and place of weights.

    Parameters
    ----------
    name : str
        ``clip-vit-b-32`` (weights from ``PROVISE_CLIP`` where that is set), or ``local-dir:FOLDER``.

    Raises
    ------
    MissingDependencyError
        If open_clip is not installed.
    InputError
        If the weights can be had neither from the cache nor from the Hub, or a local file is not fit.
    """
    return _loaded(name, _place(name))


def _place(name: str) -> str:
    return name if name.startswith("local-dir:") else os.environ.get(CLIP_VARIABLE, "").strip()


@lru_cache(maxsize=2)
def _loaded(name: str, place: str) -> Clip:
    try:
        import open_clip
    except ImportError as error:
        raise MissingDependencyError(
            f'the encoder {name} needs open_clip ({error}); install it with: pip install "provise[clip]", '
            "or choose the built-in one: --set encoder=descriptor (provise read), --set PROTOCOL.encoder=descriptor (score)"
        ) from error
    _check_place(place)
    local = place.startswith("local-dir:")
    model_name, pretrained = (place, None) if local else (MODEL, place or TAG)
    paper = not place or (not local and _file_digest(place) == PAPER_FILE)
    # OpenAI's file is a TorchScript archive, which does not load as mere weights; any other file must.
    more = {"weights_only": False} if place and paper else {}
    try:
        with _quiet():
            model = open_clip.create_model(model_name, pretrained=pretrained, require_pretrained=True, **more)
        architecture = open_clip.get_model_config(model_name)
    except Exception as error:
        raise InputError(_cannot_load(name, place, error)) from error
    model.eval()
    return Clip(name, model, TAG if paper else "local", _digest(model), architecture)


def _file_digest(place: str) -> str:
    with open(place, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_place(place: str) -> None:
    """Refuse a place that is not there before open_clip takes its name for a tag to download."""
    folder = place.removeprefix("local-dir:")
    if place.startswith("local-dir:") and not Path(folder).is_dir():
        raise InputError(f"{place}: no such folder; expected one with open_clip_config.json and the weights")
    if place and not place.startswith("local-dir:") and not Path(place).is_file():
        raise InputError(
            f"{CLIP_VARIABLE} is {place!r}; expected a checkpoint file of ViT-B/32, or local-dir:FOLDER as open_clip saves it"
        )


def _cannot_load(name: str, place: str, error: Exception) -> str:
    why = f"{type(error).__name__}: {str(error).strip()[:200]}"
    if place:
        return f"the weights of {name} at {place!r} cannot be loaded ({why}); expected a model that open_clip saved"
    return (
        f"the weights of {name} ({MODEL}, {TAG!r}) are neither in the cache nor to be had from the Hub ({why}). "
        f"Load them once where there is a network, python -c \"import open_clip; open_clip.create_model('{MODEL}', "
        f"pretrained='{TAG}')\", and copy the cache (HF_HOME); or name a checkpoint file in {CLIP_VARIABLE}; "
        "or choose the built-in one: --set encoder=descriptor (provise read), --set PROTOCOL.encoder=descriptor (score)"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep open_clip's notes off the root logger; what goes wrong is raised anyway."""
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        yield
    finally:
        logging.disable(before)


def _preprocessing(name: str, model: Any) -> dict[str, Any]:
    """Read side, mean and deviation off the model; refuse a preprocessing that is not CLIP's."""
    given: dict[str, Any] = model.visual.preprocess_cfg
    size = given["size"]
    sides = (size, size) if isinstance(size, int) else tuple(size)
    if sides[0] != sides[1] or given["interpolation"] != "bicubic" or given["resize_mode"] != "shortest":
        raise InputError(f"{name} prepares its pictures as {given}; only a square, bicubic, shortest-side one is known")
    return {"side": int(sides[0]), "mean": tuple(given["mean"]), "std": tuple(given["std"])}


def _digest(model: Any) -> str:
    found = hashlib.sha256()
    for key, value in sorted(model.visual.state_dict().items()):
        found.update(key.encode())
        found.update(np.ascontiguousarray(value.float().numpy()).tobytes())
    return found.hexdigest()
