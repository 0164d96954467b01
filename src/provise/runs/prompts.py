"""Prompts of a whole benchmark: what each sample's protocol tells a model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from provise.aids import public_media
from provise.errors import DataError, ProtocolError
from provise.protocol.prompt import render
from provise.protocol.route import Route
from provise.runs.responses import file_name
from provise.sample import Sample
from provise.target_mask import picture_size

__all__ = ["prompt_rows"]


def prompt_rows(samples: Iterable[Sample], route: Route, root: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Render every prompt from the public view of its sample.

    Parameters
    ----------
    samples : iterable of Sample
        With or without truth: it is not looked at.
    route : Route
        Which protocol asks each task.
    root : Path
        The benchmark's folder; image paths are given relative to it.

    Returns
    -------
    list of dict
        ``id``, ``file`` (the stem an answer is to be saved under), ``prompt``, ``images``, ``size``, ``protocol``,
        ``fingerprint``.
    list of str
        Samples that could not be rendered, each with the reason.
    """
    rows, problems = [], []
    for sample in samples:
        protocol = route.protocol(sample.task)
        public = sample.public()
        try:
            images = public_media(public, protocol.spec.inputs)
            size = list(picture_size(images[0]))
            prompt = render(protocol.spec.prompt, public, protocol.settings)
        except (DataError, ProtocolError, IndexError) as error:
            problems.append(f"{sample.id}: {error}")
            continue
        rows.append(
            {
                "id": sample.id,
                "file": file_name(sample.id),
                "prompt": prompt,
                "images": [image.relative_to(root.resolve()).as_posix() for image in images],
                "size": size,
                "protocol": protocol.id,
                "fingerprint": protocol.fingerprint,
            }
        )
    return rows, problems
