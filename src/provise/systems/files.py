"""Answers that were made elsewhere, run as if a system gave them: ``folder:DIR``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from provise.errors import InputError
from provise.runs.responses import Responses, open_responses
from provise.sample import Sample
from provise.scoring import Response
from provise.systems.base import Answer, Request, System, Unavailable
from provise.systems.spec import kind

__all__ = ["Folder"]


@kind("folder", named="a folder of <sample id>.png or a .jsonl file", doc="answers made elsewhere")
class Folder(System):
    """Answers from a folder of ``<sample id>.<ext>``, or from a JSONL file (see ``provise score``)."""

    kind = "folder"
    concurrency = 4

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name, settings)
        self.path = Path(name).expanduser()
        if not self.path.exists():
            raise InputError(
                f"system folder:{name}: nothing is there; expected a folder of <sample id>.png or a .jsonl file"
            )
        self.found = Responses()

    def prepare(self, samples: Sequence[Sample]) -> None:
        """Look once for all answers."""
        self.found = open_responses(self.path, [sample.id for sample in samples])

    def identity(self) -> dict[str, Any]:
        """Return the kind alone: where the folder lies does not matter, what it holds is stamped on each request."""
        return {"kind": self.kind}

    def stamp(self, request: Request) -> str:
        """Return the digest of the sample's answer; empty where there is none."""
        response = self.found.by_id.get(request.sample.id)
        if response is None:
            return ""
        if isinstance(response.image, Path):
            return hashlib.sha256(response.image.read_bytes()).hexdigest() if response.image.is_file() else ""
        words = [response.text, response.error, response.kind]
        declared = [response.coordinates.to_dict()] if response.coordinates else []
        return hashlib.sha256(json.dumps([*words, *declared]).encode()).hexdigest()

    def answer(self, request: Request) -> Answer:
        """Return the sample's answer; one that is not there is an outage, so that it can be handed in later."""
        response = self.found.by_id.get(request.sample.id)
        if response is None:
            raise Unavailable(f"no answer in {self.path}", retry_after=float("inf"))
        return _answer(response)


def _answer(response: Response) -> Answer:
    if response.error and response.kind == "infrastructure":
        raise Unavailable(response.error, retry_after=float("inf"))
    if response.error:
        return Answer(error=response.error)
    if response.text is not None:
        return Answer(text=response.text, coordinates=response.coordinates)
    path = Path(str(response.image))
    if not path.is_file():
        raise Unavailable(f"no picture at {path}", retry_after=float("inf"))
    return Answer(image=path.read_bytes())
