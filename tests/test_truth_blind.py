"""No truth reaches a prompt or a reader: poisoning every truth after opening changes nothing that either makes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provise.benchmark import Benchmark, open_benchmark
from provise.protocol.route import Route, open_route
from provise.reading import read
from provise.runs.prompts import prompt_rows
from provise.sample import Sample
from tests.drawing import photo, png
from tests.golden_cases import AIDS, SIZE, cases

# task, capability, protocol of its route, answer type, and a truth that no question or option says
TASKS = {
    "counting": ("perception", "instance_marking", "integer", "7391"),
    "depth": ("perception", "relative_depth", "choice", "B-truthword"),
    "orientation": ("perception", "direction_grid", "direction", "back-right-truthword"),
    "size": ("perception", "dual_measure", "choice", "A-truthword"),
    "relationship": ("understanding", "binary_relation", "boolean", "true-truthword"),
    "multihop": ("reasoning", "fixed_slots", "choice", "C-truthword"),
    "grounding": ("understanding", "point_marker", "point", "[0.7391, 0.1937]"),
    "prediction": ("reasoning", "trajectory_endpoint", "integer", "truthword 3"),
    "feasibility": ("reasoning", "placement_outline", "boolean", "yes-truthword"),
    "affordance": ("interaction", "region_mask", "mask", "truthword"),
    "navigation": ("interaction", "state_matching", "choice", "D-truthword"),
    "trajectory": ("interaction", "trajectory_drawing", "path", "[[0.2, 0.3], [0.7391, 0.1937], [0.9, 0.8]]"),
}
SECRETS = ("truthword", "7391", "1937", "secret-mask", "hidden-id", "whispered")
ROUTE = ("size=dual_measure", "feasibility=placement_outline", "state_matching.encoder=descriptor")


def _row(task: str, folder: Path, views: list[Any]) -> dict[str, Any]:
    capability, _, kind, answer = TASKS[task]
    files = []
    for i, view in enumerate(views):
        files.append(f"{task}_{i}.png")
        (folder / files[-1]).write_bytes(png(view))
    mask = f"{task}_secret-mask.png"
    (folder / mask).write_bytes(png(photo(30, SIZE)[..., 0]))
    told = {"depth": "coordinates", "prediction": "holes", "trajectory": "start"}.get(task)
    metadata: dict[str, Any] = {"note": "truthword", "question": "whispered", "answer": answer, "truth": [answer]}
    if told:
        metadata[told] = AIDS[told]
    return {
        "id": f"{task}/1", "capability": capability, "task": task, "image_path": files[0],
        "media_paths": [*files, mask], "mask_path": mask, "question": f"The {task} of {{this}}?", "answer": answer,
        "answer_type": kind, "choices": ["north", "south", "east", "west"] if kind == "choice" else [],
        "source": "drawn", "source_id": "hidden-id", "metadata_json": json.dumps(metadata),
    }  # fmt: skip


@pytest.fixture(scope="module")
def drawn() -> dict[str, tuple[list[bytes], list[Any]]]:
    """Return the answers of each protocol and the pictures its model was given."""
    found: dict[str, tuple[list[bytes], list[Any]]] = {}
    for name, _, answer, views in cases():
        found.setdefault(name, ([], views))[0].append(png(answer))
    return found


@pytest.fixture
def bench(tmp_path: Path, drawn: dict[str, tuple[list[bytes], list[Any]]]) -> Benchmark:
    rows = [_row(task, tmp_path, drawn[entry[1]][1]) for task, entry in TASKS.items()]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return open_benchmark(tmp_path)


def poisoned(sample: Sample) -> Sample:
    """Return the sample with every truth turned into another one."""
    metadata = {
        **sample.metadata, "answer": "poison", "truth": "poison", "label": "A", "mask": "poison.png", "target": [0.1, 0.1]
    }  # fmt: skip
    metadata.pop("note", None)
    return replace(
        sample, answer="poison", mask_path=sample.mask_path, source_id="poison", source="poison",
        metadata_json=json.dumps(metadata),
    )  # fmt: skip


def all_readings(samples: list[Sample], route: Route, drawn: dict[str, tuple[list[bytes], list[Any]]]) -> bytes:
    found = []
    for sample in samples:
        protocol = route.protocol(sample.task)
        for answer in drawn[protocol.id][0]:
            one = read(protocol, answer, sample)
            region = None if one.region is None else one.region.tobytes().hex()
            found.append([sample.id, one.to_dict(), region])
    return json.dumps(found).encode()


def test_the_folder_holds_a_sample_of_every_deterministic_task(bench: Benchmark, drawn: dict[str, Any]) -> None:
    route = open_route("spatialgen-bench", ROUTE)
    assert [sample.task for sample in bench.samples] == list(TASKS)
    assert {route.protocol(sample.task).id for sample in bench.samples} == set(drawn)


def test_poisoned_truths_change_no_reading(bench: Benchmark, drawn: dict[str, Any]) -> None:
    route, samples = open_route("spatialgen-bench", ROUTE), list(bench.samples)
    before = all_readings(samples, route, drawn)
    ok = [entry for entry in json.loads(before) if entry[1]["status"] == "ok"]
    assert len(ok) == 2 * len(TASKS)  # the drawn answer and its recoloured copy are read, the source is refused
    for sample in samples:
        (bench.root / sample.mask_path).write_bytes(png(np.zeros((5, 5), np.uint8)))
    assert all_readings([poisoned(sample) for sample in samples], route, drawn) == before
    for sample in samples:
        (bench.root / sample.mask_path).unlink()
    elsewhere = [
        replace(poisoned(sample), mask_path="", media_paths=tuple(p for p in sample.media_paths if "mask" not in p))
        for sample in samples
    ]
    assert all_readings(elsewhere, route, drawn) == before


def test_poisoned_truths_change_no_prompt_and_no_prompt_holds_a_truth(bench: Benchmark) -> None:
    route, samples = open_route("spatialgen-bench", ROUTE), list(bench.samples)
    rows, problems = prompt_rows(samples, route, bench.root)
    assert (len(rows), problems) == (len(TASKS), [])
    assert prompt_rows([poisoned(sample) for sample in samples], route, bench.root) == (rows, [])
    for row in rows:
        assert f"The {row['id'].split('/')[0]} of {{this}}?" in row["prompt"]
        text = json.dumps(row)
        assert [secret for secret in SECRETS if secret in text] == []


def test_a_row_of_the_files_shows_nothing_of_its_truth_in_the_public_view(bench: Benchmark) -> None:
    for sample in bench.samples:
        text = repr(sample.public())
        assert [secret for secret in SECRETS if secret in text] == []


def test_a_truth_written_into_the_row_itself_changes_nothing(bench: Benchmark, drawn: dict[str, Any]) -> None:
    """The same folder, its truths poisoned in the file before it is opened: only a path's start may come from one."""
    route = open_route("spatialgen-bench", ROUTE)
    before = all_readings(list(bench.samples), route, drawn)
    rows = [json.loads(line) for line in (bench.root / "rows.jsonl").read_text().splitlines()]
    for row in rows:
        row["answer"], row["source_id"] = "[[0.2, 0.3], [0.1, 0.9]]", "x"
    (bench.root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert all_readings(list(open_benchmark(bench.root).samples), route, drawn) == before
