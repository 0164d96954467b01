"""The modules on a Hub on loopback: pushed as Spaces, and loaded from there by their names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provise.evaluation import module_names
from tests.hub.conftest import Client
from tests.mini import make_mini

METRICS = Path(__file__).parents[2] / "metrics"

LOAD = """
import contextlib, io, json, re, sys
from pathlib import Path
import evaluate
import provise
metrics, mini = Path(sys.argv[1]), sys.argv[2]
found = {}
for name in sys.argv[3:]:
    metric = evaluate.load(f"provise/{name}")
    assert metric.name == name
    rows = [sample.to_row() for sample in provise.open_benchmark(mini).samples if sample.task == name]
    if rows and rows[0]["mask_path"]:
        # The target is a rectangle round this point.
        found[name] = metric.compute(predictions=["(0.34, 0.33)"] * len(rows), references=rows, benchmark=mini)["score"]
        continue
    example = re.findall(r"```python\\n(.*?)```", (metrics / name / "README.md").read_text(), re.S)[1]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(example, {"metric": metric})
    found[name] = float(said.getvalue())
print(json.dumps(found))
"""


@pytest.mark.slow
def test_every_module_is_pushed_once_and_computes_by_its_name(hub: Client, tmp_path: Path) -> None:
    dry = hub.provise("publish", "metrics", "--to", "provise", "--dry-run", HF_TOKEN="")
    assert dry.returncode == 0, dry.stderr
    assert "provise/depth: new, would push README.md, app.py, depth.py, requirements.txt" in dry.stdout
    assert not any(request.startswith("POST") for request in hub.hub.log)
    pushed = hub.provise("publish", "metrics", "--to", "provise")
    assert pushed.returncode == 0, pushed.stderr
    assert pushed.stdout.count(": pushed ") == len(module_names())
    again = hub.provise("publish", "metrics", "--to", "provise", "--json")
    assert [one["pushed"] for one in json.loads(again.stdout)] == [None] * len(module_names())
    loaded = hub.python(LOAD, str(METRICS), str(make_mini(tmp_path / "mini", 2)), *module_names())
    assert loaded.returncode == 0, loaded.stderr[-3000:]
    assert json.loads(loaded.stdout.splitlines()[-1]) == dict.fromkeys(module_names(), 100.0)


@pytest.mark.slow
def test_a_push_that_failed_goes_on_where_it_was(hub: Client) -> None:
    hub.hub.fail("/commit/", 500, 8)
    line = ("publish", "metrics", "--to", "provise", "--only", "depth,counting")
    failed = hub.provise(*line)
    assert failed.returncode == 2
    assert "Traceback" not in failed.stderr
    assert "500" in failed.stderr
    hub.hub.heal()
    assert hub.provise(*line).returncode == 0


def test_a_module_that_is_not_there_is_told(hub: Client) -> None:
    said = hub.provise("publish", "metrics", "--to", "provise", "--only", "dept")
    assert said.returncode == 2
    assert "--only names 'dept'" in said.stderr
    no_token = hub.provise("publish", "metrics", "--to", "provise", "--only", "depth", HF_TOKEN="")
    assert no_token.returncode == 2
    assert "no token" in no_token.stderr
