"""The form of a protocol's YAML, before its graph is checked."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["MAX_STEPS", "ProtocolSpec", "StepSpec"]

MAX_STEPS = 32

PredictionKind = Literal["choice", "integer", "boolean", "direction", "point", "path", "endpoint", "mask"]


class StepSpec(BaseModel):
    """One step of the graph: an operator, where its inputs come from, its parameters."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    op: str
    inputs: dict[str, str] = Field(default_factory=dict, alias="in")
    params: dict[str, Any] = Field(default_factory=dict, alias="with")


class ProtocolSpec(BaseModel):
    """A protocol as written.

    Attributes
    ----------
    id : str
        Its name in routes, results and on the command line.
    version : int
        Raised with every change that can alter a prediction or a score.
    title, summary : str
        For people.
    inputs : {"first", "all"}
        Which of the sample's pictures the model is given.
    aids : list of str
        Reading aids without which the answer cannot be read.
    defaults : dict
        Settings; ``$name`` in a step and ``{name}`` in the prompt refer to them, so that both say the same.
    prompt : str
        Template with ``{slot}`` and ``{slot|fallback}``; ``{{`` and ``}}`` are literal braces.
    graph : list of StepSpec
        At most 32 steps. ``answer``, ``source``, ``sources`` and ``candidates`` are given.
    output : str
        The step whose value is the prediction; the last one by default.
    prediction : str
        The kind that comes out.
    invalid : dict of str to str
        Reason codes the reader may give, with what each means.
    unchecked : list of str
        Conditions that nobody can see without the truth; documented, never checked.
    metric : str
        The source metric, and its settings.
    auxiliary : str
        Name of the auxiliary reader it needs; empty for deterministic protocols.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: int = Field(ge=1)
    title: str
    summary: str = ""
    inputs: Literal["first", "all"] = "first"
    aids: list[str] = Field(default_factory=list)
    defaults: dict[str, Any] = Field(default_factory=dict)
    prompt: str
    graph: list[StepSpec] = Field(default_factory=list)
    output: str = ""
    prediction: PredictionKind
    invalid: dict[str, str] = Field(default_factory=dict)
    unchecked: list[str] = Field(default_factory=list)
    metric: str
    metric_settings: dict[str, Any] = Field(default_factory=dict)
    auxiliary: str = ""
