"""The `evaluate` modules: loaded from their folders, they add up, stand side by side and say what is wrong."""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from provise.evaluation import module_info, module_names
from tests.evaluation.conftest import Scored

evaluate = pytest.importorskip("evaluate")

ROOT = Path(__file__).parents[2]
DRAWN = {"counting", "orientation", "depth", "grounding", "affordance", "trajectory", "multihop"}
ROW = {
    "id": "c1", "capability": "perception", "task": "counting", "image_path": "c1.png", "answer": "5", "answer_type": "integer",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", str(tmp_path / "metrics-cache"))


def load(name: str, **options: Any) -> Any:
    return evaluate.load(str(ROOT / "metrics" / name), **options)


@pytest.mark.parametrize("name", module_names()[:-1])
def test_each_module_scores_what_the_command_line_does(name: str, scored: Scored) -> None:
    task = module_info(name).tasks[0]
    if task not in DRAWN:
        pytest.skip("the small benchmark has no such task; the built-in one is scored in the slow tests")
    found = load(name).compute(
        predictions=scored.pictures(task), references=scored.rows(task), benchmark=scored.benchmark.root
    )
    assert {key: found[key] for key in scored.summary["tasks"][task]} == scored.summary["tasks"][task]


def test_the_module_of_all_tasks_gives_every_level(scored: Scored) -> None:
    found = load("spatialgen_bench").compute(
        predictions=[str(path) for path in scored.pictures()],
        references=scored.rows(),
        benchmark=str(scored.benchmark.root),
    )
    for part in ("overall", "capabilities", "tasks"):
        assert found[part] == scored.summary[part]


def test_adding_one_by_one_or_in_batches_is_the_same(scored: Scored) -> None:
    rows, pictures = scored.rows("grounding"), [np.asarray(Image.open(path)) for path in scored.pictures("grounding")]
    metric = load("grounding")
    for picture, row in zip(pictures[:2], rows[:2], strict=True):
        metric.add(prediction=picture, reference=row)
    metric.add_batch(predictions=pictures[2:], references=rows[2:])
    found = metric.compute(benchmark=scored.benchmark)
    assert found["score"] == scored.summary["tasks"]["grounding"]["score"]
    assert found["n"] == len(rows)
    # The same metric begins anew.
    assert metric.compute(predictions=pictures[:1], references=rows[:1], benchmark=scored.benchmark)["n"] == 1


def test_columns_of_a_dataset_are_taken(scored: Scored) -> None:
    datasets = pytest.importorskip("datasets")
    rows = scored.rows("counting")
    table = datasets.Dataset.from_dict({"answer": ["2"] * len(rows), "row": [json.dumps(row) for row in rows]})
    found = load("counting").compute(predictions=table["answer"], references=table["row"])
    assert found["n"] == len(rows)


def test_combined_metrics_keep_their_names() -> None:
    both = evaluate.combine([load("counting"), load("counting")])
    found = both.compute(predictions=["5"], references=[ROW])
    assert any(value == 100 for key, value in found.items() if key.endswith("score"))


def test_two_instances_at_once_do_not_meet() -> None:
    first, second = load("counting"), load("counting")
    first.add(prediction="5", reference=ROW)
    second.add(prediction="4", reference=ROW)
    assert (first.compute()["score"], second.compute()["score"]) == (100, 0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"predictions": [], "references": []}, "empty"),
        ({"predictions": ["5"]}, "references is missing"),
        ({}, "nothing to score"),
        ({"predictions": ["5", 7], "references": [ROW, {**ROW, "id": "c2"}]}, "prediction 1 is int"),
        ({"predictions": ["5"], "references": [{**ROW, "task": "depth"}]}, "reference 0 (c1) is of the task 'depth'"),
        ({"predictions": ["5"], "references": [{"id": "c1"}]}, "reference 0: field 'task' is missing"),
    ],
)
def test_a_wrong_call_is_a_value_error_that_says_where(given: Any, said: str) -> None:
    with pytest.raises(ValueError) as caught:
        load("counting").compute(**given)
    assert said in str(caught.value)


def test_a_wrong_call_does_not_spoil_the_next_one() -> None:
    metric = load("counting")
    with pytest.raises(ValueError, match="no such file"):
        metric.compute(predictions=["nowhere/a.png"], references=[ROW])
    assert metric.compute(predictions=["5"], references=[ROW])["score"] == 100


def test_the_number_of_an_added_sample_counts_on() -> None:
    metric = load("counting")
    metric.add(prediction="5", reference=ROW)
    with pytest.raises(ValueError, match="prediction 1 is int"):
        metric.add(prediction=5, reference=ROW)


WORKER = """
import json, sys
import evaluate
name, benchmark, process, processes, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
rows = [json.loads(line) for line in open(sys.argv[6])]
options = dict(num_process=processes, process_id=process, experiment_id="shared") if processes > 1 else {}
metric = evaluate.load(name, **options)
part = rows[process::processes]
found = metric.compute(predictions=[r["picture"] for r in part], references=[r["row"] for r in part], benchmark=benchmark)
if found is not None:
    open(out, "w").write(json.dumps(found))
"""


def _together(scored: Scored, folder: Path, workers: int, processes: int) -> list[dict[str, Any]]:
    pairs = zip(scored.pictures("depth"), scored.rows("depth"), strict=True)
    lines = [json.dumps({"picture": str(picture), "row": row}) for picture, row in pairs]
    (folder / "pairs.jsonl").write_text("\n".join(lines) + "\n")
    environment = {**os.environ, "HF_HOME": str(folder / "hf"), "HF_EVALUATE_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}
    running = [
        subprocess.Popen(
            [
                sys.executable, "-c", WORKER, str(ROOT / "metrics/depth"), str(scored.benchmark.root),
                str(i if processes > 1 else 0), str(processes), str(folder / f"out-{i}.json"), str(folder / "pairs.jsonl"),
            ],
            env=environment, stderr=subprocess.PIPE, text=True,
        )
        for i in range(workers)
    ]  # fmt: skip
    for one in running:
        _, said = one.communicate(timeout=240)
        assert one.returncode == 0, said
    return [json.loads(path.read_text()) for path in sorted(folder.glob("out-*.json"))]


@pytest.mark.slow
def test_eight_processes_at_once_give_equal_results(scored: Scored, tmp_path: Path) -> None:
    found = _together(scored, tmp_path, workers=8, processes=1)
    assert len(found) == 8
    assert all(one == found[0] for one in found)
    assert found[0]["score"] == scored.summary["tasks"]["depth"]["score"]


@pytest.mark.slow
def test_two_processes_add_to_one_score(scored: Scored, tmp_path: Path) -> None:
    found = _together(scored, tmp_path, workers=2, processes=2)
    assert len(found) == 1
    assert found[0]["n"] == len(scored.rows("depth"))
    assert found[0]["score"] == scored.summary["tasks"]["depth"]["score"]


def test_importing_a_module_costs_no_torch() -> None:
    program = (
        "import sys, provise.evaluation; assert not {'torch', 'transformers', 'datasets', 'evaluate'} & set(sys.modules); "
        "import provise.evaluation.module"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_the_committed_folders_are_what_the_table_says() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs/make_modules.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", module_names())
def test_a_module_tells_what_it_takes(name: str) -> None:
    metric = load(name)
    assert metric.name == name
    assert "predictions" in metric.inputs_description
    assert "2607.21072" in metric.citation
    assert module_info(name).metric in metric.description


def _left() -> list[Path]:
    return [path for path in Path(evaluate.config.HF_METRICS_CACHE).rglob("*") if path.is_file()]


def _drawn(scored: Scored) -> dict[str, Any]:
    pictures = [np.asarray(Image.open(path)) for path in scored.pictures("counting")]
    return {"predictions": pictures, "references": scored.rows("counting")}


def test_what_is_added_makes_no_table_on_disk() -> None:
    # `evaluate.load` hands keep_in_memory=False on, as if it were asked for.
    metric = load("counting")
    metric.add(prediction="5", reference=ROW)
    assert _left() == []


@pytest.mark.parametrize(
    "options",
    [{}, {"benchmark": "no/such/folder"}, {"no_such_option": 1}, {"predictions": [np.zeros((9, 9)), 5]}],
    ids=["done", "no benchmark", "no option", "a wrong prediction"],
)
def test_no_pixels_are_left_behind(scored: Scored, options: Any) -> None:
    metric = load("counting")
    given = {**_drawn(scored), "benchmark": scored.benchmark, **options}
    given["references"] = given["references"][: len(given["predictions"])]
    try:
        metric.compute(**given)
    except (ValueError, TypeError):
        assert options
    assert _left() == []
    metric.add_batch(**_drawn(scored))
    assert _left()
    del metric
    gc.collect()
    assert _left() == []


def test_what_was_added_goes_with_a_call_that_failed() -> None:
    metric = load("counting")
    metric.add(prediction="5", reference=ROW)
    with pytest.raises(ValueError, match="prediction 1 is int"):
        metric.compute(predictions=[5], references=[{**ROW, "id": "c2"}])
    assert metric.compute(predictions=["5"], references=[ROW])["n"] == 1


@pytest.mark.parametrize("form", [copy.copy, copy.deepcopy, lambda metric: pickle.loads(pickle.dumps(metric))])  # noqa: S301
def test_a_copy_of_a_metric_outlives_it(scored: Scored, form: Any) -> None:
    metric = load("counting")
    metric.compute(**_drawn(scored), benchmark=scored.benchmark)
    other = form(metric)
    del metric
    gc.collect()
    other.add_batch(**_drawn(scored))
    assert other.compute(benchmark=scored.benchmark)["score"] == scored.summary["tasks"]["counting"]["score"]
    assert _left() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_takes_nothing_from_its_parent(scored: Scored) -> None:
    program = (
        "import json, os, sys, evaluate, numpy as np\n"
        "from PIL import Image\n"
        "name, benchmark, picture, row = sys.argv[1:]\n"
        "metric = evaluate.load(name)\n"
        "metric.add(prediction=np.asarray(Image.open(picture)), reference=json.loads(row))\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    sys.exit(metric.compute(benchmark=benchmark)['n'] - 1)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert not metric.compute(benchmark=benchmark)['incomplete']\n"
    )
    given = [str(scored.benchmark.root), str(scored.pictures("counting")[0]), json.dumps(scored.rows("counting")[0])]
    environment = {**os.environ, "HF_HOME": evaluate.config.HF_METRICS_CACHE, "HF_EVALUATE_OFFLINE": "1"}
    command = [sys.executable, "-W", "ignore", "-c", program, str(ROOT / "metrics/counting"), *given]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_combined_metrics_are_added_to_one_by_one() -> None:
    both = evaluate.combine({"a": load("counting"), "b": load("spatialgen_bench")}, force_prefix=True)
    both.add(prediction="5", reference=ROW)
    both.add(prediction="4", reference={**ROW, "id": "c2"})
    found = both.compute(per_sample=True)
    assert found["a_score"] == found["b_overall"]["score"] == 50
    json.dumps(found, allow_nan=False)
