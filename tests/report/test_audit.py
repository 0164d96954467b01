"""An audit draws fairly, shows no truth, and counts what people said with exact limits."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import binomtest
from typer.testing import CliRunner

from provise.cli import app
from provise.errors import InputError
from provise.report.audit import Agreement, agreement, choose, read_labels
from provise.report.audit_sheet import write_audit
from provise.report.runs import load_runs
from provise.scoring import Row
from tests.report.many import write_run_files
from tests.report.test_page import HOSTILE, Page


def run(folder: Path, sizes: dict[str, tuple[int, int]], **extra: str) -> Path:
    """Write a run: of each task so many answers that were read, and so many that were refused."""
    rows = []
    for task, (read, refused) in sizes.items():
        base = {
            "task": task,
            "capability": "perception",
            "truth": "secret",
            "protocol": "point_marker",
            "reader": "deterministic",
            **extra,
        }
        rows += [Row(f"{task}-{i}", outcome="correct", score=1.0, prediction="A", **base) for i in range(read)]
        rows += [
            Row(f"{task}-r{i}", outcome="protocol_noncompliance", score=0.0, reason="blank", message="m", **base)
            for i in range(refused)
        ]
        rows.append(Row(f"{task}-none", outcome="generation_failure", score=0.0, **{**base, "reader": ""}))
    write_run_files(folder, rows, {"benchmark": "b", "digest": "d"})
    return folder


def test_tasks_come_alike_and_outcomes_by_their_share(tmp_path: Path) -> None:
    runs = load_runs([run(tmp_path / "a", {"size": (60, 20), "depth": (30, 30), "tiny": (2, 0)})])
    for seed in range(8):
        items = choose(runs, 42, seed=seed)
        assert Counter(item.row.task for item in items) == {"size": 20, "depth": 20, "tiny": 2}
        refused = Counter(item.row.task for item in items if item.row.outcome == "protocol_noncompliance")
        assert refused == {"size": 5, "depth": 10}
        assert len({item.row.id for item in items}) == 42
        assert not any(item.row.id.endswith("none") for item in items)
    assert choose(runs, 42) == choose(runs, 42)
    assert choose(runs, 42) != choose(runs, 42, seed=1)
    assert len(choose(runs, 10_000)) == 142


def test_every_reading_of_a_task_comes_in_as_often_as_any_other(tmp_path: Path) -> None:
    runs = load_runs([run(tmp_path / "a", {"size": (8, 4)})])
    times = Counter(item.row.id for seed in range(600) for item in choose(runs, 3, seed=seed))
    assert len(times) == 12
    # Each has a chance of 1/4: 150 times, give or take four standard deviations.
    assert all(108 < n < 192 for n in times.values()), times


def test_the_sheet_shows_the_pictures_and_the_reading_but_not_the_truth(done: dict[str, Path], tmp_path: Path) -> None:
    page, table = write_audit([done["right"], done["blank"]], 10, tmp_path / "out")
    lines = list(csv.DictReader(table.open()))
    assert [line["item"] for line in lines] == [str(i) for i in range(1, 11)]
    assert {line["judgement"] for line in lines} == {""}
    assert len({line["task"] for line in lines}) == 7
    parsed = Page(page)
    assert len(parsed.all("img")) == 30
    assert all((image["src"] or "").startswith("data:image/jpeg;base64,") for image in parsed.all("img"))
    assert "truth" not in json.dumps(parsed.data)
    again = write_audit([done["right"], done["blank"]], 10, tmp_path / "again")
    assert [a.read_bytes() for a in again] == [page.read_bytes(), table.read_bytes()]
    with pytest.raises(InputError, match="perhaps filled in"):
        write_audit([done["right"], done["blank"]], 10, tmp_path / "out")


def test_the_truth_is_on_no_sheet(tmp_path: Path) -> None:
    folder = run(tmp_path / "a", {"size": (3, 2)})
    for path in write_audit([folder], 5):
        assert "secret" not in path.read_text()


def test_hostile_texts_stay_texts_on_the_sheet(tmp_path: Path) -> None:
    rows = [
        Row(HOSTILE, "size", "p", "correct", score=1.0, prediction=HOSTILE, reader="deterministic", protocol=HOSTILE)
    ]
    write_run_files(tmp_path / "a", rows, {"benchmark": "b", "digest": "d"})
    page, table = write_audit([tmp_path / "a"], 5, labels=["=1+1"])
    assert "onerror" not in {name for _, attributes in Page(page).elements for name in attributes}
    assert next(csv.DictReader(table.open()))["system"] == "'=1+1"
    assert len(read_labels(table, load_runs([tmp_path / "a"], labels=["=1+1"]))) == 1


def fill(table: Path, judged: list[str]) -> Path:
    lines = list(csv.DictReader(table.open()))
    out = table.with_name("filled.csv")
    with out.open("w", newline="") as file:
        writer = csv.DictWriter(file, lines[0].keys())
        writer.writeheader()
        writer.writerows({**line, "judgement": judgement} for line, judgement in zip(lines, judged, strict=True))
    return out


def test_agreement_is_counted_by_task_with_exact_limits(tmp_path: Path) -> None:
    folder = run(tmp_path / "a", {"size": (6, 4), "depth": (5, 5)})
    table = write_audit([folder], 20)[1]
    judged = ["right"] * 8 + ["Wrong ", "unclear"] + ["right"] * 7 + ["", "wrong", "wrong"]
    found = agreement(read_labels(fill(table, judged), load_runs([folder])))
    assert found == {"size": Agreement(8, 1, 1, 0), "depth": Agreement(7, 2, 0, 1)}
    for one in found.values():
        due = binomtest(one.right, one.right + one.wrong).proportion_ci(0.95, "exact")
        assert one.limits == pytest.approx((100 * due.low, 100 * due.high))
    assert found["size"].share == pytest.approx(800 / 9)
    assert (Agreement(unclear=3).share, Agreement(unclear=3).limits) == (None, (0.0, 100.0))


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("judgement", "maybe", "judgement is 'maybe'; allowed are right, wrong, unclear"),
        ("id", "size-99", "'size-99' of 'a' is in none of these runs"),
        ("system", "other", "of 'other' is in none of these runs"),
        ("reading", "B", "'B' was judged, now it reads"),
    ],
)
def test_a_line_that_does_not_fit_is_refused_with_its_number(
    column: str, value: str, said: str, tmp_path: Path
) -> None:
    folder = run(tmp_path / "a", {"size": (3, 2)})
    table = fill(write_audit([folder], 5)[1], ["right"] * 5)
    lines = list(csv.reader(table.open()))
    lines[2][lines[0].index(column)] = value
    with table.open("w", newline="") as file:
        csv.writer(file).writerows(lines)
    with pytest.raises(InputError) as error:
        read_labels(table, load_runs([folder]))
    assert said in str(error.value)
    assert "filled.csv:3: " in str(error.value)


def test_other_files_are_no_sheets(tmp_path: Path) -> None:
    runs = load_runs([run(tmp_path / "a", {"size": (3, 2)})])
    for content, said in (
        ("", "no line"),
        ("a,b\n1,2\n", "no system; expected the columns"),
        ("item,system,id,task,reading,judgement,note\n", "no line"),
    ):
        (tmp_path / "x.csv").write_text(content)
        with pytest.raises(InputError, match=said):
            read_labels(tmp_path / "x.csv", runs)
    with pytest.raises(InputError, match="cannot be read"):
        read_labels(tmp_path / "absent.csv", runs)


def test_answers_in_words_are_not_audited(tmp_path: Path) -> None:
    folder = run(tmp_path / "a", {"size": (3, 2)}, reader="text")
    with pytest.raises(InputError, match="no reading of a picture"):
        write_audit([folder], 5)


def test_it_is_called_from_the_command_line(tmp_path: Path) -> None:
    folder = run(tmp_path / "a", {"size": (3, 2), "depth": (4, 0)})
    done = CliRunner().invoke(app, ["report", str(folder), "--audit", "6"])
    assert done.exit_code == 0
    assert not (folder / "report.html").exists()
    table = fill(folder / "audit.csv", ["right"] * 5 + ["wrong"])
    shown = CliRunner().invoke(app, ["report", str(folder), "--audit-labels", str(table)])
    assert "83.3 %" in shown.stdout
    found = json.loads(CliRunner().invoke(app, ["report", str(folder), "--audit-labels", str(table), "--json"]).stdout)
    assert found["all"]["right"] == 5
    table.write_text(table.read_text().replace(",", ";"))
    shown = CliRunner().invoke(app, ["report", str(folder), "--audit-labels", str(table)])
    assert "83.3 %" in shown.stdout, "spreadsheets of many countries save with semicolons"
    both = CliRunner().invoke(app, ["report", str(folder), "--audit", "6", "--audit-labels", str(table)])
    assert isinstance(both.exception, InputError)
