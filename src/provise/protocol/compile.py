"""Check a protocol's graph against the registry, and turn it into something that runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from provise.errors import ProtocolError
from provise.ops.registry import PREDICTIONS, Kind, Operator, Params, operators
from provise.protocol.prompt import check_template
from provise.protocol.schema import MAX_STEPS, ProtocolSpec, StepSpec
from provise.sample import AIDS

__all__ = ["BUILT_IN", "Protocol", "Step", "compile_protocol", "load_protocol"]

BUILT_IN: dict[str, Kind] = {
    "answer": Kind.PICTURE,
    "sources": Kind.PICTURES,
    "candidates": Kind.PICTURES,
}
"""Values that every graph is given."""


@dataclass(frozen=True)
class Step:
    """One step, checked."""

    id: str
    operator: Operator
    inputs: Mapping[str, str]
    params: Params


@dataclass(frozen=True)
class Protocol:
    """A checked protocol with its settings.

    Attributes
    ----------
    spec : ProtocolSpec
        As written.
    settings : dict
        The defaults, with what a route or a caller set.
    steps : tuple of Step
        In order.
    output : str
        The step whose value is the prediction.
    fingerprint : str
        SHA-256 of all that can change a prediction or a score.
    """

    spec: ProtocolSpec
    settings: Mapping[str, Any]
    steps: tuple[Step, ...]
    output: str
    fingerprint: str

    @property
    def id(self) -> str:
        """The protocol's name."""
        return self.spec.id

    @property
    def reader(self) -> str:
        """What reads the answer, by the settings; a reading's own `reader` also tells which weights an encoder had."""
        if self.spec.auxiliary:
            return f"auxiliary:{self.spec.auxiliary}"
        helper = self.settings.get("encoder")
        if self.settings.get("numbers") == "rapidocr":
            helper = "rapidocr"
        return f"deterministic:{helper}" if helper else "deterministic"


def load_protocol(path: Path, settings: Mapping[str, Any] | None = None) -> Protocol:
    """Read and check a protocol file.

    Parameters
    ----------
    path : Path
        A YAML file.
    settings : mapping, optional
        Values that replace the protocol's defaults.

    Raises
    ------
    ProtocolError
        With every problem that was found: file, step, what was got and what is allowed.
    """
    if not path.is_file():
        raise ProtocolError(f"{path}: no such file; expected a protocol in YAML")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProtocolError(f"{path}: cannot be read as text ({error})") from error
    try:
        raw = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ProtocolError(f"{path}: not valid YAML: {error}") from error
    return compile_protocol(raw, str(path), settings)


def compile_protocol(raw: Any, where: str = "protocol", settings: Mapping[str, Any] | None = None) -> Protocol:
    """Check a parsed protocol; see `load_protocol`."""
    if not isinstance(raw, dict):
        raise ProtocolError(f"{where}: expected a mapping of fields, got {type(raw).__name__}")
    try:
        spec = ProtocolSpec.model_validate(raw)
    except ValidationError as error:
        raise ProtocolError(_pydantic(error, where)) from error
    unknown = sorted(set(settings or {}) - set(spec.defaults))
    if unknown:
        allowed = ", ".join(spec.defaults) or "none"
        raise ProtocolError(f"{where}: unknown setting {', '.join(unknown)}; {spec.id} has: {allowed}")
    merged = {**spec.defaults, **(settings or {})}
    problems = _head(spec, merged, where)
    steps = _steps(spec, merged, where, problems)
    output = spec.output or (spec.graph[-1].id if spec.graph else "")
    problems += _output(spec, steps, output, where)
    if problems:
        raise ProtocolError("\n".join(problems))
    return Protocol(spec, merged, tuple(steps), output, _fingerprint(spec, merged, steps))


def _pydantic(error: ValidationError, where: str) -> str:
    lines = []
    for item in error.errors():
        place = ".".join(str(part) for part in item["loc"])
        lines.append(f"{where}: {place}: {item['msg']} (got {item['input']!r:.80})")
    return "\n".join(lines)


def _head(spec: ProtocolSpec, settings: Mapping[str, Any], where: str) -> list[str]:
    from provise.metrics import METRICS

    problems = check_template(spec.prompt, settings, where)
    problems += [
        f"{where}: reading aid {aid!r} is unknown; there are {', '.join(AIDS)}" for aid in spec.aids if aid not in AIDS
    ]
    if spec.metric not in METRICS:
        problems.append(f"{where}: metric {spec.metric!r} is unknown; there are {', '.join(sorted(METRICS))}")
    if not spec.graph and not spec.auxiliary:
        problems.append(f"{where}: there is no graph and no auxiliary reader, so nothing could read an answer")
    if len(spec.graph) > MAX_STEPS:
        problems.append(f"{where}: the graph has {len(spec.graph)} steps; at most {MAX_STEPS} are allowed")
    used = {str(v)[1:] for step in spec.graph for v in step.params.values() if str(v).startswith("$")}
    problems += [f"{where}: setting ${name} is used but has no default" for name in sorted(used - set(settings))]
    return problems


def _steps(spec: ProtocolSpec, settings: Mapping[str, Any], where: str, problems: list[str]) -> list[Step]:
    known: dict[str, Kind] = dict(BUILT_IN)
    registry = operators()
    steps: list[Step] = []
    for entry in spec.graph[:MAX_STEPS]:
        place = f"{where}: step {entry.id!r}"
        if entry.id in known:
            problems.append(f"{place}: the name is taken already")
        operator = registry.get(entry.op)
        if operator is None:
            problems.append(f"{place}: operator {entry.op!r} is unknown; there are {', '.join(registry)}")
            continue
        problems += _inputs(entry, operator, known, place)
        problems += [
            f"{place}: {entry.op} reads the aid {aid!r}, which the protocol does not declare"
            for aid in operator.aids
            if aid not in spec.aids
        ]
        params = _params(entry, operator, settings, place, problems)
        known[entry.id] = operator.output
        if params is not None:
            steps.append(Step(entry.id, operator, dict(entry.inputs), params))
    return steps


def _inputs(entry: StepSpec, operator: Operator, known: Mapping[str, Kind], place: str) -> list[str]:
    problems = []
    for name, kind in operator.inputs.items():
        given = entry.inputs.get(name)
        if given is None:
            problems.append(f"{place}: input {name!r} of {operator.name} is missing; it takes a {kind}")
        elif given not in known:
            problems.append(
                f"{place}: input {name!r} comes from {given!r}, which no earlier step makes; "
                f"there are {', '.join(known)}"
            )
        elif known[given] != kind:
            problems.append(f"{place}: input {name!r} must be a {kind}; {given!r} is a {known[given]}")
    extra = sorted(set(entry.inputs) - set(operator.inputs))
    if extra:
        problems.append(
            f"{place}: {operator.name} has no input {', '.join(extra)}; it takes {', '.join(operator.inputs)}"
        )
    return problems


def _params(
    entry: StepSpec, operator: Operator, settings: Mapping[str, Any], place: str, problems: list[str]
) -> Params | None:
    values = {}
    for name, value in entry.params.items():
        if isinstance(value, str) and value.startswith("$"):
            if value[1:] not in settings:
                continue
            value = settings[value[1:]]
        values[name] = value
    try:
        return operator.params.model_validate(values)
    except ValidationError as error:
        allowed = ", ".join(operator.params.model_fields) or "none"
        for item in error.errors():
            name = ".".join(str(part) for part in item["loc"])
            problems.append(
                f"{place}: parameter {name!r} of {operator.name}: {item['msg']} "
                f"(got {item['input']!r:.60}; parameters: {allowed})"
            )
        return None


def _output(spec: ProtocolSpec, steps: list[Step], output: str, where: str) -> list[str]:
    made = {step.id: step.operator.output for step in steps}
    if not spec.graph or output not in made:
        known = {entry.id for entry in spec.graph}
        return [] if output in known or not spec.graph else [f"{where}: output {output!r} is no step of the graph"]
    kind = PREDICTIONS.get(made[output])
    if kind != spec.prediction:
        return [
            f"{where}: the graph ends in a {made[output]}, but the protocol declares the prediction {spec.prediction!r}"
        ]
    return []


def _fingerprint(spec: ProtocolSpec, settings: Mapping[str, Any], steps: list[Step]) -> str:
    """Hash what can change a prediction or a score, and nothing else: titles and comments may change freely."""
    content = {
        "id": spec.id,
        "version": spec.version,
        "prompt": spec.prompt,
        "inputs": spec.inputs,
        "aids": sorted(spec.aids),
        "settings": dict(settings),
        "graph": [
            {
                "id": s.id,
                "op": s.operator.name,
                "version": s.operator.version,
                "in": dict(s.inputs),
                "with": s.params.model_dump(mode="json"),
            }
            for s in steps
        ],
        "output": spec.output,
        "prediction": spec.prediction,
        "invalid": dict(spec.invalid),
        "metric": spec.metric,
        "metric_settings": dict(spec.metric_settings),
        "auxiliary": spec.auxiliary,
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
