"""What the documents show is what happens."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from provise.cli import app
from tests.mini import make_mini

ROOT = Path(__file__).parents[1]


def blocks(file: str, language: str) -> list[str]:
    """Return a page's fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / file).read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_first_commands_of_the_readme_print_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    parts = blocks("README.md", "")[0].split("$ provise ")[1:]
    assert len(parts) == 2
    for part in parts:
        command, _, printed = part.partition("\n")
        result = CliRunner().invoke(app, shlex.split(command))
        assert result.output.strip() == printed.strip()


def test_the_python_of_the_readme_gives_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code = next(block for block in blocks("README.md", "python") if "provise.read(" in block)
    shown: dict[str, Any] = {}
    exec(code, shown)
    found = shown["found"]
    assert (found.status, found.prediction, found.reason) == ast.literal_eval(code.partition("  # ")[2].strip())


def test_scoring_in_python_goes_as_the_readme_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import provise

    monkeypatch.chdir(tmp_path)
    Path("FOLDER").mkdir()
    Path("ANSWERS").mkdir()
    row = blocks("docs/BENCHMARK.md", "json")[0].splitlines()[0]
    Path("FOLDER/rows.jsonl").write_text(row.replace("pictures/", ""), encoding="utf-8")
    for name, target in (("coins.png", "FOLDER/coins.png"), ("coins_answer.png", "ANSWERS/coins-1.png")):
        Path(target).write_bytes((ROOT / "docs" / "images" / name).read_bytes())
    shown: dict[str, Any] = {"provise": provise}
    exec(next(block for block in blocks("README.md", "python") if "provise.score(" in block), shown)
    assert shown["benchmark"].problems == ()
    assert (shown["run"].rows[0].outcome, shown["run"].summary["overall"]["score"]) == ("correct", 100.0)
    assert {"open_route", "open_responses", "read"} <= set(dir(provise))


def test_a_system_of_ones_own_runs_as_the_readme_says(tmp_path: Path) -> None:
    code = next(block for block in blocks("README.md", "python") if "provise.run(" in block)
    assert '"synth"' in code
    assert '"runs/mine"' in code
    mini = make_mini(tmp_path / "mini", 1)
    shown: dict[str, Any] = {}
    exec(code.replace('"synth"', repr(str(mini))).replace('"runs/mine"', repr(str(tmp_path / "run"))), shown)
    assert shown["run"].summary["overall"]["score"] == 0.0
    assert {row.reason for row in shown["run"].rows} == {"source_returned"}


def test_the_rows_to_copy_make_a_sound_benchmark(tmp_path: Path) -> None:
    from provise.benchmark import check_benchmark

    (tmp_path / "rows.jsonl").write_text(blocks("docs/BENCHMARK.md", "json")[0], encoding="utf-8")
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "coins.png").write_bytes((ROOT / "docs" / "images" / "coins.png").read_bytes())
    report = check_benchmark(tmp_path)
    assert report.ok
    assert not report.findings


def test_the_page_of_benchmarks_names_every_field_and_task() -> None:
    from provise.benchmark.tasks import TASKS
    from provise.sample import FIELDS

    page = (ROOT / "docs" / "BENCHMARK.md").read_text("utf-8")
    assert set(FIELDS) <= set(re.findall(r"`(\w+)`", page))
    told = dict(re.findall(r"^\| `(\w+)` \| (perception|understanding|reasoning|interaction) \|", page, re.MULTILINE))
    assert told == {name: task.capability for name, task in TASKS.items()}


@pytest.mark.parametrize(
    "page",
    ["README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/BENCHMARK.md", "docs/DATASET.md", "docs/REPORT.md"],
)
def test_links_lead_to_files(page: str) -> None:
    # The certificate is written by `make verify` and lands by itself.
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (ROOT / page).read_text("utf-8")):
        if not target.endswith("CONFORMANCE.md"):
            assert ((ROOT / page).parent / target).exists(), target


def test_the_page_of_reasons_is_the_catalogues() -> None:
    path = ROOT / "docs" / "make_reasons.py"
    spec = importlib.util.spec_from_file_location("make_reasons", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (ROOT / "docs" / "REASONS.md").read_text("utf-8") == module.page(), "run python docs/make_reasons.py"


def test_the_protocol_to_copy_compiles() -> None:
    from provise.protocol.compile import compile_protocol

    assert compile_protocol(yaml.safe_load(blocks("CONTRIBUTING.md", "yaml")[0])).spec.prediction == "point"


def test_the_operator_to_copy_runs_in_a_protocol(tmp_path: Path) -> None:
    # In a process of its own: the registry is for a whole process, and others count what is in it.
    operator = next(block for block in blocks("CONTRIBUTING.md", "python") if "@operator" in block)
    (step,) = re.findall(r"a step `(\{.*?\})`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    raw = yaml.safe_load(blocks("CONTRIBUTING.md", "yaml")[0])
    raw |= {"graph": [*raw["graph"][:2], yaml.safe_load(step)], "prediction": "boolean", "metric": "exact"}
    program = f"""
import json, numpy as np
from provise.protocol.compile import compile_protocol
from provise.reading import read
protocol = compile_protocol(json.loads({json.dumps(raw)!r}))
photo = np.random.default_rng(0).integers(90, 160, (120, 160, 3)).astype(np.uint8)
for rows in (100, 20):
    answer = photo.copy()
    answer[:rows] = (255, 0, 0)
    print(read(protocol, answer, source=photo).prediction)
"""
    (tmp_path / "covers.py").write_text(operator + program, encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "covers.py"], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "False"], done.stderr


def test_the_loader_to_copy_builds_a_sound_benchmark(tmp_path: Path) -> None:
    from provise.benchmark import check_benchmark
    from provise.loader import build_benchmark

    (tmp_path / "piles.yaml").write_text(blocks("CONTRIBUTING.md", "yaml")[1], encoding="utf-8")
    (rows,) = re.findall(r"`(\[\{.*?\}\])`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    source = tmp_path / "source"
    (source / "photos").mkdir(parents=True)
    (source / "questions.json").write_text(rows, encoding="utf-8")
    (source / "photos" / "a.png").write_bytes((ROOT / "docs" / "images" / "coins.png").read_bytes())
    assert build_benchmark(str(tmp_path / "piles.yaml"), source, tmp_path / "out").written == 1
    assert check_benchmark(tmp_path / "out").ok


def test_the_metric_to_copy_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from provise.errors import InputError
    from provise.metrics import adapters, registry, score_prediction
    from provise.protocol.compile import compile_protocol
    from provise.truth import Truth

    python = blocks("CONTRIBUTING.md", "python")
    function, adapter, row = (
        next(block for block in python if start in block)
        for start in ("def near_count(", "def score_near_count(", "    Metric(\n")
    )
    # Each block stands where the page puts it: among the names of that file, and none of the package's own is changed.
    names = dict(vars(adapters))
    exec(function, names)
    exec(adapter, names)
    table = vars(registry) | {"adapters": SimpleNamespace(score_near_count=names["score_near_count"])}
    exec(f"rows = {row}", table)
    (metric,) = table["rows"]
    monkeypatch.setitem(registry.METRICS, metric.name, metric)

    truth = Truth("number", 10.0)
    assert [score_prediction("near_count", n, truth).value for n in (10, 9, 11, 12, 3)] == [1, 0.5, 0.5, 0, 0]
    assert [score_prediction("near_count", n, truth).correct for n in (10, 9)] == [True, False]
    assert score_prediction("near_count", 6, truth, {"reach": 8}).value == 0.5
    with pytest.raises(InputError, match="an integer"):
        score_prediction("near_count", "ten", truth)
    with pytest.raises(InputError, match="reach"):
        metric.resolve({"reach": 0.1})
    raw = yaml.safe_load((ROOT / "protocols" / "catalogue" / "instance_marking.yaml").read_text("utf-8"))
    assert compile_protocol(raw | {"metric": "near_count"}).spec.metric == "near_count"


def test_the_pictures_of_the_readme_are_light() -> None:
    sizes = {path.name: path.stat().st_size for path in (ROOT / "docs" / "images").iterdir()}
    assert {"reading.jpg", "report.jpg", "answer.jpg"} <= set(sizes)
    assert max(sizes.values()) < 400_000
    assert sum(sizes.values()) < 1_000_000
