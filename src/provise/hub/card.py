"""What a tree says of itself: the card with its configs, and the builder class for those who want it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from provise.benchmark.open import Benchmark
from provise.benchmark.tasks import METRIC_OF_TYPE
from provise.hub.pictures import picture_names
from provise.sample import FIELDS, LISTS, Sample

__all__ = ["SCRIPT", "Plan", "card", "script"]

SCRIPT = "spatialgen_bench.py"
"""The builder class; no folder and no repository may have this name without its ending."""

MEANINGS: Mapping[str, str] = {
    "id": "unique in the benchmark",
    "capability": "perception, understanding, reasoning or interaction",
    "task": "the task's name, and its config's",
    "image_path": "the primary picture's path in the benchmark folder",
    "media_paths": "paths of all pictures the model sees, in order",
    "mask_path": "path of the target mask; empty where there is none",
    "question": "the instruction",
    "answer": "the truth, always as text",
    "answer_type": f"how `answer` is written: {', '.join(METRIC_OF_TYPE)}",
    "choices": "the options in order; empty where there are none",
    "source": "the benchmark the row comes from",
    "source_id": "its identifier there",
    "metadata_json": "a JSON object as text: provenance, and what a reader may know beside the picture",
    "media": "the pictures of `media_paths`, decoded, in order; after them pictures that other fields name alone",
    "mask": "the target mask, decoded; null where there is none",
}

LICENCE_OF_NONE = {"licence": "other", "licence_name": "not stated"}


@dataclass(frozen=True)
class Plan:
    """What goes into a tree.

    Attributes
    ----------
    benchmark : Benchmark
        Rows and media.
    tasks : mapping of str to list of (int, Sample)
        By task, each row with its place.
    files : mapping of str to list of str
        The tables of each task, relative to the tree.
    layout : {"parquet", "imagefolder"}
        How rows and media lie in it.
    shrunk : bool
        Whether pictures were repacked.
    digest : str
        The benchmark's, as it will be when the tree is opened.
    repository : str
        What the card calls the repository.
    """

    benchmark: Benchmark
    tasks: Mapping[str, list[tuple[int, Sample]]]
    files: Mapping[str, list[str]]
    layout: str
    shrunk: bool
    digest: str
    repository: str


@cache
def _tables() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(_source("provenance.yaml"))
    return found


def _source(name: str) -> str:
    return files("provise.hub").joinpath("card", name).read_text("utf-8")


def _render(template: str, **values: Any) -> str:
    from jinja2 import Environment, StrictUndefined

    # The page is Markdown and Python, for which nothing is to be escaped as HTML.
    environment = Environment(
        autoescape=False, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )  # nosec
    return environment.from_string(_source(template)).render(**values)


def script(plan: Plan) -> str:
    """Return the builder class of a tree of tables."""
    return _render(
        SCRIPT + ".jinja",
        title=_quotable(_about(plan)["title"]),
        tasks=list(plan.tasks),
        files=plan.files,
        fields=FIELDS,
    )


def card(plan: Plan) -> str:
    """Return the README of a tree: its configs as YAML, then what a person needs to know."""
    about, whole = _about(plan), plan.layout == "parquet"
    kinds = {name: "list of strings" if name in LISTS else "string" for name in FIELDS}
    kinds |= {"media": "list of images", "mask": "image or null"}
    made = "The tables were written by `provise benchmark build hub`." if whole else (
        "The folders were written by `provise benchmark build hub --layout imagefolder`: `choices` that are empty in every row of "
        "a task come as a list of nulls, and there is no config `all`; the parquet layout has neither limit."
    )  # fmt: skip
    return _render(
        "README.md.jinja",
        front=yaml.safe_dump(_front(plan, about), sort_keys=False, allow_unicode=True, width=1000),
        title=about["title"],
        about=about["about"],
        how=about["how"],
        limits=about["limits"],
        columns=about["columns"],
        rows=sum(len(rows) for rows in plan.tasks.values()),
        tasks=[_task(name, [sample for _, sample in rows]) for name, rows in plan.tasks.items()],
        whole=whole,
        repository=plan.repository,
        script=SCRIPT if whole else "",
        fields=[(name, kinds[name], text) for name, text in MEANINGS.items()],
        sources=_sources(plan, about["tasks"]),
        made=made,
        shrunk=plan.shrunk,
        digest=plan.digest,
    )


def _about(plan: Plan) -> dict[str, Any]:
    """Return what is known of the collection that most rows belong to."""
    name = _cell(plan.benchmark.name)
    samples = [sample for rows in plan.tasks.values() for _, sample in rows]
    for about in _tables().values():
        known = sum(_known(sample, about["tasks"]) for sample in samples)
        if known == len(samples):
            return dict(about)
    return {
        **LICENCE_OF_NONE,
        "title": name,
        "about": f"The benchmark {name}: questions about pictures, to be answered in pictures or in words.",
        "how": f"It was made from the benchmark folder {name}, whose rows say where they come from.",
        "limits": ["Terms of use are those of each row's source; where the table says 'not stated', ask there."],
        "columns": ["source", "kind of task there", "terms", "published"],
        "tasks": {},
    }


def _quotable(text: str) -> str:
    """Return a name that stays text inside the builder class: whoever wrote it may not have meant well."""
    return re.sub(r"[^\w .,:;()&+-]", "", text) or "A benchmark"


def _known(sample: Sample, table: Mapping[str, Mapping[str, str]]) -> bool:
    line = table.get(sample.task)
    return line is not None and _plain(line["source"]) == _plain(sample.source)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _sources(plan: Plan, table: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    """Return a line a task and source; what is not known of a source is said to be so."""
    tables = [table] if table else [about["tasks"] for about in _tables().values()]
    lines = []
    for task, rows in plan.tasks.items():
        for source, count in Counter(sample.source for _, sample in rows).items():
            found = [one[task] for one in tables if task in one and _plain(one[task]["source"]) == _plain(source)]
            line = found[0] if found else {"source": _cell(source), "kind": "", "terms": "not stated", "where": ""}
            lines.append({**line, "task": task, "rows": count})
    return lines


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("<", "&lt;").strip() or "not stated"


def _task(name: str, samples: Sequence[Sample]) -> dict[str, Any]:
    counts = sorted({len(picture_names(sample)) for sample in samples})
    types = sorted({sample.answer_type for sample in samples if sample.answer_type})
    return {
        "name": name,
        "rows": len(samples),
        "capability": _cell(samples[0].capability),
        "types": _cell(", ".join(types)),
        "pictures": str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}",
    }


SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def _front(plan: Plan, about: Mapping[str, Any]) -> dict[str, Any]:
    rows = sum(len(rows) for rows in plan.tasks.values())
    front: dict[str, Any] = {"pretty_name": about["title"], "license": about["licence"]}
    if about["licence"] == "other":
        front["license_name"] = about["licence_name"]
    front |= {
        "language": ["en"],
        "task_categories": ["visual-question-answering", "image-to-image"],
        "tags": ["spatial-reasoning", "evaluation", "image-generation", "provise"],
        "size_categories": [next((name for limit, name in SIZES if rows < limit), "n>1M")],
        "configs": _configs(plan),
    }
    if plan.layout == "parquet":
        front["dataset_info"] = [
            {"config_name": config["config_name"], "features": _columns()} for config in front["configs"]
        ]
    return front


def _configs(plan: Plan) -> list[dict[str, Any]]:
    def config(name: str, path: str | list[str], **more: Any) -> dict[str, Any]:
        return {"config_name": name, "data_files": [{"split": "test", "path": path}], **more}

    if plan.layout == "imagefolder":
        return [config(task, f"data/{task}/**") for task in plan.tasks]
    everything = [f"data/{task}/test-*.parquet" for task in plan.tasks]
    return [config("all", everything, default=True), *map(config, plan.tasks, everything)]


def _columns() -> list[dict[str, str]]:
    """Return the columns with their types, in the words that old and new versions of `datasets` read."""
    columns = [{"name": name, ("sequence" if name in LISTS else "dtype"): "string"} for name in FIELDS]
    return [*columns, {"name": "media", "sequence": "image"}, {"name": "mask", "dtype": "image"}]
