"""Check a protocol's graph against the registry, and turn it into something that runs."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from provise.errors import InputError, ProtocolError
from provise.ops.registry import PREDICTIONS, Kind, Operator, Params, operators
from provise.protocol.aside import Aside, set_aside
from provise.protocol.prompt import check_template
from provise.protocol.schema import MAX_STEPS, ProtocolSpec, StepSpec
from provise.sample import AIDS
from provise.schema_words import describe

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

    def with_settings(self, **settings: Any) -> Protocol:
        """Return the same protocol, of the catalogue or of a file, with other settings.

        Raises
        ------
        ProtocolError
            If it has no such setting, or a value does not fit.
        """
        written = self.spec.model_dump(by_alias=True)
        return compile_protocol(written, f"protocol {self.id}", {**self.settings, **settings})


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
        what = "is a folder" if path.is_dir() else "no such file"
        raise ProtocolError(f"{path}: {what}; expected a protocol in YAML")
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
        got = "an empty file" if raw is None else f"a {'list' if isinstance(raw, list) else type(raw).__name__}"
        raise ProtocolError(f"{where}: expected a mapping of fields, got {got}")
    problems: list[str] = []
    try:
        aside = Aside(ProtocolSpec.model_validate(raw))
    except ValidationError as error:
        problems = [f"{where}: {sentence}" for sentence in _by_step(describe(error, ProtocolSpec), raw)]
        aside = set_aside(raw, error)
    spec = aside.spec
    if spec is None:
        raise ProtocolError("\n".join(problems))
    unknown = [] if "defaults" in aside.fields else sorted(set(settings or {}) - set(spec.defaults))
    if unknown:
        allowed = ", ".join(spec.defaults) or "none"
        problems.append(f"{where}: unknown setting {', '.join(unknown)}; {spec.id} has: {allowed}")
        raise ProtocolError("\n".join(problems))
    merged = {**spec.defaults, **(settings or {})}
    problems += _head(spec, merged, where, aside)
    steps = _steps(spec, merged, where, problems, aside)
    output = spec.output or (spec.graph[-1].id if spec.graph else "")
    if not aside.fields & {"prediction", "graph", "output"} and output not in aside.steps:
        problems += _output(spec, steps, output, where)
    if problems:
        raise ProtocolError("\n".join(problems))
    return Protocol(spec, merged, tuple(steps), output, _fingerprint(spec, merged, steps))


def _by_step(sentences: Iterable[str], raw: Mapping[str, Any]) -> list[str]:
    """Name steps by their id, as every other message does, and not by their number from 0."""
    graph = raw.get("graph")

    def named(match: re.Match[str]) -> str:
        entry = graph[int(match[1])] if isinstance(graph, list) else None
        name = entry.get("id") if isinstance(entry, dict) else None
        step = f"step {name!r}" if isinstance(name, str) else f"step {int(match[1]) + 1} of the graph"
        return f"{step}: " if match[2] == "." else f"{step}:"

    return [re.sub(r"^graph\.(\d+)([.:])", named, sentence) for sentence in sentences]


def _head(spec: ProtocolSpec, settings: Mapping[str, Any], where: str, aside: Aside) -> list[str]:
    own_settings = "defaults" not in aside.fields
    problems = check_template(spec.prompt, settings, where) if own_settings else []
    problems += [
        f"{where}: reading aid {aid!r} is unknown; there are {', '.join(AIDS)}" for aid in spec.aids if aid not in AIDS
    ]
    problems += [f"{where}: {sentence}" for sentence in _metric(spec, aside)]
    if "graph" not in aside.fields and not spec.graph and not spec.auxiliary:
        problems.append(f"{where}: there is no graph and no auxiliary reader, so nothing could read an answer")
    if len(spec.graph) > MAX_STEPS:
        problems.append(f"{where}: the graph has {len(spec.graph)} steps; at most {MAX_STEPS} are allowed")
    if not own_settings:
        return problems
    used = {str(v)[1:] for step in spec.graph for v in step.params.values() if str(v).startswith("$")}
    problems += [f"{where}: setting ${name} is used but has no default" for name in sorted(used - set(settings))]
    return problems


def _metric(spec: ProtocolSpec, aside: Aside) -> list[str]:
    """Return what is wrong with the metric: its name, its settings, or that it scores no such prediction."""
    from provise.metrics import METRICS

    if "metric" in aside.fields:
        return []
    if spec.metric not in METRICS:
        return [f"metric {spec.metric!r} is unknown; there are {', '.join(sorted(METRICS))}"]
    metric, found = METRICS[spec.metric], []
    try:
        metric.resolve(spec.metric_settings)
    except InputError as error:
        found.append(str(error))
    if "prediction" not in aside.fields and spec.prediction not in metric.kinds:
        fitting = [name for name, other in METRICS.items() if spec.prediction in other.kinds]
        found.append(
            f"metric {spec.metric} scores {', '.join(metric.kinds)}, but the prediction is {spec.prediction!r}; "
            f"for that there are {', '.join(fitting)}"
        )
    return found


def _steps(
    spec: ProtocolSpec, settings: Mapping[str, Any], where: str, problems: list[str], aside: Aside
) -> list[Step]:
    known: dict[str, Kind] = dict(BUILT_IN)
    registry = operators()
    steps: list[Step] = []
    lost: set[str] = set()
    for entry in spec.graph[:MAX_STEPS]:
        place = f"{where}: step {entry.id!r}"
        if entry.id in known:
            problems.append(f"{place}: the name is taken already")
        operator = registry.get(entry.op)
        if operator is None:
            # What it would have made is unknown, so a later step that takes it is not blamed.
            lost.add(entry.id)
            if entry.id not in aside.steps or entry.op:
                problems.append(f"{place}: operator {entry.op!r} is unknown{_named_like(entry.op, registry)}")
            continue
        if entry.id in aside.steps:
            known[entry.id] = operator.output
            continue
        problems += _inputs(entry, operator, known, place, lost)
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


def _named_like(name: str, known: Iterable[str]) -> str:
    known = list(known)
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"


def _inputs(
    entry: StepSpec, operator: Operator, known: Mapping[str, Kind], place: str, lost: Container[str]
) -> list[str]:
    problems = []
    for name, kind in operator.inputs.items():
        given = entry.inputs.get(name)
        if given is None:
            problems.append(f"{place}: input {name!r} of {operator.name} is missing; it takes a {kind}")
        elif given in lost:
            continue
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
        problems += [f"{place}: {operator.name}: {said}" for said in describe(error, operator.params, noun="parameter")]
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
