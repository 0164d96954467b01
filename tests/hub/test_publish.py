"""The modules on a Hub on loopback: pushed as Spaces, and loaded from there by their names."""

from __future__ import annotations

import json

import pytest

from provise.evaluation import module_names
from tests.hub.conftest import Client

LOAD = """
import json, sys
import evaluate
row = {"id": "c1", "capability": "perception", "task": "counting", "image_path": "c1.png", "answer": "5", "answer_type": "integer"}
found = {}
for name in sys.argv[1:]:
    metric = evaluate.load(f"provise/{name}")
    found[name] = metric.name
    if name in ("counting", "spatialgen_bench"):
        scores = metric.compute(predictions=["five"], references=[row])
        assert (scores.get("overall") or scores)["score"] == 100.0
print(json.dumps(found))
"""


@pytest.mark.slow
def test_every_module_is_pushed_once_and_loads_by_its_name(hub: Client) -> None:
    dry = hub.provise("publish", "metrics", "--to", "provise", "--dry-run", HF_TOKEN="")
    assert dry.returncode == 0, dry.stderr
    assert "provise/depth: new, would push README.md, app.py, depth.py, requirements.txt" in dry.stdout
    assert not any(request.startswith("POST") for request in hub.hub.log)
    pushed = hub.provise("publish", "metrics", "--to", "provise")
    assert pushed.returncode == 0, pushed.stderr
    assert pushed.stdout.count(": pushed ") == len(module_names())
    again = hub.provise("publish", "metrics", "--to", "provise", "--json")
    assert [one["pushed"] for one in json.loads(again.stdout)] == [None] * len(module_names())
    loaded = hub.python(LOAD, *module_names())
    assert loaded.returncode == 0, loaded.stderr[-3000:]
    assert json.loads(loaded.stdout.splitlines()[-1]) == {name: name for name in module_names()}


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
