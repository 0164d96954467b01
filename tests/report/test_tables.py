"""Tables hold the numbers of the summaries in three languages; figures say them too."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from provise.report import write_report
from provise.report.results import LEVEL_TASKS, compute
from provise.report.runs import load_runs
from provise.report.tables import Table, to_csv, to_latex, to_markdown
from provise.report.texts import points
from provise.scoring import OUTCOMES
from tests.report.many import make_benchmark, make_run


def summary(folder: Path) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = json.loads((folder / "summary.json").read_text())
    return found


def test_the_csv_holds_the_summaries_unrounded(done: dict[str, Path], tmp_path: Path) -> None:
    write_report(list(done.values()), tmp_path)
    scores = list(csv.DictReader((tmp_path / "tables/scores.csv").open()))
    assert [row["system"] for row in scores][-1] == "blank"
    right = summary(done["right"])
    assert float(scores[0]["overall"]) == right["overall"]["score"]
    assert float(scores[0]["low"]) == right["overall"]["low"]
    assert float(scores[0]["perception"]) == right["capabilities"]["perception"]["score"]
    tasks = {row["task"]: row for row in csv.DictReader((tmp_path / "tables/tasks.csv").open())}
    for name, task in right["tasks"].items():
        assert float(tasks[name][scores[0]["system"]]) == task["score"]
        assert tasks[name]["blind"] == ("" if task["null_score"] is None else str(task["null_score"]))
    outcomes = [row for row in csv.DictReader((tmp_path / "tables/outcomes.csv").open()) if row["system"] == "blank"]
    assert sum(int(row["refused"]) for row in outcomes) == 14
    pairs = list(csv.DictReader((tmp_path / "tables/pairs.csv").open()))
    assert len(pairs) == 3
    assert all(int(p["both"]) + int(p["first only"]) + int(p["second only"]) + int(p["neither"]) == 14 for p in pairs)
    assert {path.suffix for path in (tmp_path / "tables").iterdir()} == {".csv", ".md", ".tex"}


def test_one_run_has_no_pairs(done: dict[str, Path], tmp_path: Path) -> None:
    written = write_report([done["right"]], tmp_path)
    assert {path.name for path in written.files} == {
        "report.html", "overall.svg", "capabilities.svg", "tasks.svg", "outcomes.svg",
        *(f"{name}.{kind}" for name in ("scores", "tasks", "outcomes", "floors") for kind in ("md", "csv", "tex")),
    }  # fmt: skip


def test_many_pairs_have_the_same_overall_difference_as_few(tmp_path: Path) -> None:
    benchmark = make_benchmark(tmp_path / "b", 28, size=(32, 24))
    runs = load_runs([make_run(tmp_path / f"r{seed}", benchmark, seed, size=(32, 24)) for seed in range(5)])
    many = {(p.first.name, p.second.name): p for p in compute(runs).pairs}
    assert len(many) > LEVEL_TASKS
    for pair in compute(runs[:2]).pairs:
        other = many[pair.first.name, pair.second.name]
        assert other.overall.points == pytest.approx(pair.overall.points)
        assert (other.overall.low, other.overall.high) == pytest.approx((pair.overall.low, pair.overall.high))
        assert other.outcomes == pair.outcomes
        assert "tasks.depth" in pair.levels
        assert pair.overall.points >= 0, "the better one is the second"


def test_a_cell_cannot_break_its_table() -> None:
    table = Table("t", "100 % of | it", ("a|b", "p"), (("x\n|y_1 & z\\", 0.5), ("[k] *", None), ("=1+1", -3.04)))
    markdown = to_markdown(table).splitlines()
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in markdown[2:]] == [3, 3, 3, 3, 3]
    latex = to_latex(table)
    assert r"x |y\_1 \& z\textbackslash{} & 50" not in latex
    assert latex.count(r" \\" + "\n") == 4
    assert "\n{}[k] *" in latex
    assert "$-$3.0" in latex
    assert list(csv.reader(to_csv(table).splitlines()[-1:])) == [["'=1+1", "-3.04"]]


def test_figures_are_drawings_that_say_the_numbers_and_load_nothing(done: dict[str, Path], tmp_path: Path) -> None:
    written = write_report(list(done.values()), tmp_path)
    right = summary(done["right"])
    figures = {path.stem: path for path in written.files if path.suffix == ".svg"}
    assert set(figures) == {"overall", "capabilities", "tasks", "outcomes", "pairs"}
    words = {}
    for name, path in figures.items():
        root = ElementTree.parse(path).getroot()
        words[name] = [node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text")]
        assert not list(root.iter("{http://www.w3.org/2000/svg}image"))
        links = [v for node in root.iter() for k, v in node.attrib.items() if k.endswith("href")]
        assert all(link.startswith("#") for link in links)
        assert "<dc:date>" not in path.read_text()
    assert points(right["overall"]["score"]) in words["overall"]
    for task in right["tasks"].values():
        assert points(task["score"]) in words["tasks"]
    assert any("given the truth" in word for word in words["capabilities"])
    assert len(OUTCOMES) < len(words["outcomes"])
