"""A system that does what a test tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from provise.systems import Answer, Request, System

__all__ = ["Told"]


class Told(System):
    """Returns what it was told to, or raises it, and notes whom it was asked about."""

    kind = "told"

    def __init__(self, act: Any | Callable[[Request], Any], settings: Mapping[str, Any] | None = None) -> None:
        super().__init__("", settings or {})
        self.act = act
        self.asked: list[str] = []

    def answer(self, request: Request) -> Answer:
        self.asked.append(request.sample.id)
        act = self.act(request) if callable(self.act) else self.act
        if isinstance(act, BaseException):
            raise act
        return act
