"""The page says what the run's files say, shows what strangers wrote as text, and asks for nothing outside."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import threading
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provise.image import decode
from provise.report import write_report
from provise.report.texts import interval, points
from provise.runs.journal import Answered, Journal
from provise.runs.run import Stopped, run
from provise.scoring import Row
from tests.report.many import write_run_files


class Page(HTMLParser):
    """A page taken apart: its elements with their attributes, the text people see, its scripts and styles."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.seen: list[str] = []
        self.blocks: dict[str, str] = {}
        self.name = ""
        self.feed(path.read_text("utf-8"))
        self.text = re.sub(r"\s+", " ", " ".join(self.seen)).replace("\xa0", " ")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.name = dict(attrs).get("id") or tag
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.blocks[self.name] = self.blocks.get(self.name, "") + data
        else:
            self.seen.append(data)

    @property
    def data(self) -> Any:
        return json.loads(self.blocks["data"])

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def one(row: dict[str, Any] | None = None, **about: Any) -> tuple[list[Row], dict[str, Any]]:
    """Return the rows and the run.json of a run of one sample."""
    base = {
        "id": "s",
        "task": "size",
        "capability": "perception",
        "outcome": "correct",
        "score": 1.0,
        "reader": "deterministic",
    }
    return [Row(**{**base, **(row or {})})], {"benchmark": "b", "digest": "d", **about}


def test_the_numbers_of_the_page_are_those_of_the_summary(done: dict[str, Path], tmp_path: Path) -> None:
    page = Page(write_report([done["right"]], tmp_path).page)
    summary = json.loads((done["right"] / "summary.json").read_text())
    assert f"{points(summary['overall']['score'])} of 100" in page.text
    assert f"95 % interval {interval(summary['overall'])}" in page.text
    for part in [*summary["capabilities"].values(), *summary["tasks"].values()]:
        assert points(part["score"]) in page.text
        assert interval(part) in page.text
    cells = {a["title"] for a in page.all("a") if "data-task" in a}
    assert cells == {
        f"{name.replace('_', ' ')}: {points(task['score'])}, 95 % interval {interval(task)}"
        for name, task in summary["tasks"].items()
    }


def test_the_gallery_holds_every_answer_as_the_rows_have_it(done: dict[str, Path], tmp_path: Path) -> None:
    page = Page(write_report([done["right"], done["blank"]], tmp_path).page)
    data, texts = page.data, page.data["texts"]
    shown = {(data["systems"][r[1]][0], data["samples"][r[0]][0]): r for r in data["rows"]}
    for name, folder in (("draughtsman?accuracy=0.7&seed=1", done["right"]), ("blank", done["blank"])):
        rows = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
        assert len(rows) == 14
        for row in rows:
            at = shown[name, row["id"]]
            assert data["outcomes"][at[2]][0] == row["outcome"]
            assert (texts[at[3]], at[6]) == (row["reason"], row["score"])
            assert data["tasks"][data["samples"][at[0]][1]] == row["task"]
            assert (texts[at[5]] == "") == (row["prediction"] is None)
    assert len(shown) == len(data["rows"]) == 28
    assert all(sample[2].startswith("Question") for sample in data["samples"])


def test_pictures_are_the_inputs_the_answers_and_the_readings(
    done: dict[str, Path], tmp_path: Path, mini: Path
) -> None:
    page = Page(write_report([done["right"]], tmp_path).page)
    data = page.data
    coded = [picture for i in range(9) for picture in json.loads(page.blocks.get(f"pictures-{i}", "[]"))]
    row = next(r for r in data["rows"] if data["samples"][r[0]][0].startswith("affordance"))
    given = decode(base64.b64decode(coded[data["samples"][row[0]][5][0]])).rgb.astype(float)
    answer = decode(base64.b64decode(coded[row[7]])).rgb
    source = decode(mini / f"{data['samples'][row[0]][0]}.png").rgb.astype(float)
    assert given.shape == source.shape
    assert np.abs(given - source).mean() < 12
    assert set(np.unique(np.round(answer / 255.0))) == {0.0, 1.0}
    # The caption below a reading is said in words; the picture shows the frame alone.
    seen = decode(base64.b64decode(coded[row[8]]))
    assert abs(seen.size[0] / seen.size[1] - 4 / 3) < 0.02


def test_a_truth_that_has_a_place_is_drawn_over_its_input(done: dict[str, Path], tmp_path: Path) -> None:
    samples = {s[0].split("-")[0]: s for s in Page(write_report([done["right"]], tmp_path).page).data["samples"]}
    kind, path = samples["trajectory"][6][0]
    assert (kind, path[0], len(path)) == ("line", [0.2, 0.3], 16)
    ((kind, ring),) = samples["grounding"][6]
    assert kind == "area"
    assert np.allclose(
        [np.min(ring, axis=0), np.max(ring, axis=0)], [[30.5 / 160, 20.5 / 120], [79.5 / 160, 59.5 / 120]], atol=1e-4
    )
    assert samples["counting"][6] == []


def test_the_same_runs_give_the_same_bytes(done: dict[str, Path], tmp_path: Path) -> None:
    runs = [done["right"], done["wrong"], done["blank"]]
    first, second = (write_report(runs, tmp_path / name) for name in ("a", "b"))
    assert [path.relative_to(tmp_path / "a") for path in first.files] == [
        p.relative_to(tmp_path / "b") for p in second.files
    ]
    for a, b in zip(first.files, second.files, strict=True):
        assert a.read_bytes() == b.read_bytes(), a.name


def test_a_run_that_was_moved_gives_the_same_bytes_without_the_folders_of_this_machine(
    done: dict[str, Path], tmp_path: Path
) -> None:
    write_report([done["right"]], tmp_path / "a")
    moved = shutil.copytree(done["right"], tmp_path / "elsewhere" / "under another name")
    for path in write_report([moved], tmp_path / "b").files:
        data = path.read_bytes()
        assert data == (tmp_path / "a" / path.relative_to(tmp_path / "b")).read_bytes()
        assert str(done["right"].parent).encode() not in data
        assert str(tmp_path).encode() not in data
        assert not re.search(rb"20\d\d-\d\d-\d\d", data)


def test_a_run_that_was_stopped_and_went_on_gives_the_same_bytes(
    done: dict[str, Path], mini: Path, tmp_path: Path
) -> None:
    stop = threading.Event()
    system = "draughtsman?accuracy=.7&seed=1"
    with pytest.raises(Stopped):
        run(
            mini,
            system,
            tmp_path / "run",
            jobs=1,
            concurrency=1,
            stop=stop,
            progress=lambda s: stop.set() if len(s.rows) > 4 else None,
        )
    run(mini, system, tmp_path / "run", jobs=1)
    whole, resumed = (
        write_report([folder], tmp_path / name) for folder, name in ((done["right"], "a"), (tmp_path / "run", "b"))
    )
    for a, b in zip(whole.files, resumed.files, strict=True):
        assert a.read_bytes() == b.read_bytes(), a.name


def test_one_run_is_reported_in_its_own_folder_and_leaves_its_other_files_alone(
    done: dict[str, Path], tmp_path: Path
) -> None:
    own = shutil.copytree(done["wrong"], tmp_path / "own")
    before = {path: path.read_bytes() for path in own.rglob("*") if path.is_file()}
    written = write_report([own])
    assert written.page == own / "report.html"
    assert {path: path.read_bytes() for path in before} == before
    assert {p for p in own.rglob("*") if p.is_file()} - set(before) == set(written.files)
    # From there the readings can be opened in full size.
    links = {row[10] for row in Page(written.page).data["rows"]}
    assert all((own / link).is_file() for link in links)
    assert "evidence/counting-000.jpg" in links
    # A second report is the same, though it finds the first one there.
    first = written.page.read_bytes()
    assert write_report([own]).page.read_bytes() == first


def test_nothing_outside_is_asked_for(done: dict[str, Path], tmp_path: Path) -> None:
    written = write_report([done["right"], done["wrong"]], tmp_path)
    page = Page(written.page)
    for tag, attributes in page.elements:
        for name in ("src", "href", "action", "data", "poster", "srcset", "xlink:href", "background"):
            assert (attributes.get(name) or "#").startswith(("#", "data:,")), (tag, attributes)
        assert "style" not in attributes, f"a style that the policy forbids: {attributes}"
        assert not any(name.startswith("on") for name in attributes)
    assert set(re.findall(r"url\(\s*['\"]?(.)", written.page.read_text())) <= {"#"}
    assert "@import" not in page.blocks["style"]
    assert not re.search(r"fetch\(|XMLHttp|WebSocket|import\(", page.blocks["script"])


def test_the_policy_lets_run_this_script_and_this_style_alone(done: dict[str, Path], tmp_path: Path) -> None:
    page = Page(write_report([done["right"]], tmp_path).page)
    (policy,) = (m["content"] or "" for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"
    for block in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(page.blocks[block].encode()).digest()).decode()
        assert rules[f"{block}-src"] == f"'sha256-{digest}'"


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028 & \"quoted\" 'it' {{ 7 * 7 }} $x_1$ | `a` \x00 \ud800"


def test_what_strangers_write_is_text_wherever_it_stands(tmp_path: Path) -> None:
    row = {"id": HOSTILE, "task": HOSTILE, "capability": HOSTILE, "message": HOSTILE, "reason": HOSTILE, "prediction": HOSTILE,
           "truth": HOSTILE, "reader": HOSTILE, "protocol": HOSTILE, "details": {"evidence": "../" + HOSTILE}}  # fmt: skip
    rows, about = one(
        row, benchmark=HOSTILE, digest=HOSTILE, route=HOSTILE, system={"kind": "x", "name": HOSTILE, "settings": {}}
    )
    for name in ("a", "b"):
        write_run_files(tmp_path / name, rows, about)
    written = write_report([tmp_path / "a", tmp_path / "b"], tmp_path / "out", labels=[HOSTILE, "=cmd|' /C calc'!A0"])
    page = Page(written.page)
    plain = Page(_plain(tmp_path))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements], "a text became an element"
    assert "{{ 7 * 7 }}" in page.text
    assert page.data["samples"][0][0] == HOSTILE.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    for path in written.files:
        data = path.read_bytes()
        data.decode("utf-8")
        assert b"\x00" not in data
        if path.suffix == ".csv":
            assert not re.search(r"(^|,)\"?[=+@]", data.decode(), re.MULTILINE)
        if path.suffix == ".svg":
            import xml.etree.ElementTree as ElementTree

            ElementTree.fromstring(data)
            assert b"<script" not in data
    tex = (tmp_path / "out/tables/scores.tex").read_text()
    assert r"\$x\_1\$" in tex
    assert "<script>" not in (tmp_path / "out/tables/scores.md").read_text().replace(r"\<", "")


def _plain(tmp_path: Path) -> Path:
    """Report the same runs with harmless texts."""
    texts = dict.fromkeys(("reason", "message", "prediction", "truth", "reader", "protocol"), "x")
    rows, about = one(
        {"id": "x", "task": "x", "capability": "x", **texts}, system={"kind": "x", "name": "x", "settings": {}}
    )
    for name in ("c", "d"):
        write_run_files(tmp_path / name, rows, about)
    return write_report([tmp_path / "c", tmp_path / "d"], tmp_path / "plain").page


def test_evidence_outside_the_run_is_not_shown(tmp_path: Path, done: dict[str, Path]) -> None:
    secret = done["right"] / "evidence" / "counting-000.jpg"
    for i, named in enumerate(("evidence/../../secret.jpg", str(secret), "responses/../secret.jpg", 7, None)):
        rows, about = one({"details": {"evidence": named}})
        write_run_files(tmp_path / str(i), rows, about)
        (tmp_path / "secret.jpg").write_bytes(secret.read_bytes())
        (tmp_path / str(i) / "evidence").mkdir()
        page = Page(write_report([tmp_path / str(i)]).page)
        assert page.data["rows"][0][8] == -1, named
        assert page.data["rows"][0][10] == ""


def test_answers_in_words_are_shown_as_they_came(tmp_path: Path) -> None:
    rows, about = one({"reader": "text", "prediction": "B"}, interface="text")
    write_run_files(tmp_path / "run", rows, about)
    journal = Journal(tmp_path / "run" / "journal.sqlite")
    journal.add_answer(Answered("q1", "s", text="first thought"))
    journal.add_answer(Answered("q2", "s", text="<b>It is B.</b>"))
    journal.close()
    before = sorted(path.name for path in (tmp_path / "run").iterdir())
    data = Page(write_report([tmp_path / "run"], tmp_path / "out").page).data
    assert data["texts"][data["rows"][0][9]] == "<b>It is B.</b>"
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == before


@pytest.mark.parametrize("change", ["gone", "changed", "unnamed"])
def test_a_benchmark_that_is_no_longer_there_is_missed_in_words(
    change: str, done: dict[str, Path], mini: Path, tmp_path: Path
) -> None:
    run = shutil.copytree(done["right"], tmp_path / "run")
    about = json.loads((run / "run.json").read_text())
    moved = shutil.copytree(mini, tmp_path / "moved")
    about["root"] = {"gone": str(tmp_path / "nowhere"), "changed": str(moved), "unnamed": ""}[change]
    (run / "run.json").write_text(json.dumps(about))
    if change == "changed":
        (moved / "counting-000.png").write_bytes((moved / "depth-002.png").read_bytes())
    written = write_report([run])
    assert len(written.notes) == 1
    assert "questions and input pictures are not shown" in written.notes[0]
    page = Page(written.page)
    assert written.notes[0] in page.text
    assert all(sample[2:4] == ["", []] and sample[5:7] == [[], []] for sample in page.data["samples"])
    assert all(row[7] >= 0 for row in page.data["rows"])
    # Told where it lies now, the report shows it.
    if change != "changed":
        assert write_report([run], benchmark=moved).notes == ()


def test_answers_that_are_not_kept_are_missed_in_words(done: dict[str, Path], tmp_path: Path) -> None:
    run = shutil.copytree(done["right"], tmp_path / "run")
    shutil.rmtree(run / "responses")
    written = write_report([run])
    assert written.notes == ("the answers as received are not kept in the run's folder",)
    data = Page(written.page).data
    assert all(row[7] == -1 and row[8] >= 0 for row in data["rows"])


def test_an_answer_that_is_no_longer_what_was_read_is_not_shown(done: dict[str, Path], tmp_path: Path) -> None:
    run = shutil.copytree(done["right"], tmp_path / "run")
    first, second, *_ = sorted((run / "responses").iterdir())
    first.write_bytes(second.read_bytes())
    written = write_report([run])
    assert written.notes == ("1 answers have changed in the run's folder since they were read, and are not shown",)
    data = Page(written.page).data
    (hidden,) = (row for row in data["rows"] if row[7] == -1)
    rows = [json.loads(line) for line in (run / "samples.jsonl").read_text().splitlines()]
    assert data["samples"][hidden[0]][0] == next(row["id"] for row in rows if row["response"] == first.stem)


def test_the_notes_of_a_run_are_shown_without_the_folders_of_this_machine(tmp_path: Path) -> None:
    rows, about = one(root="/data/mine/bench", responses="/home/someone/answers.jsonl")
    notes = ["/home/someone/answers.jsonl:3: not JSON", "a run in a folder", "no weights at /opt/w/clip.pt <b>",
             "error: /data/mine/bench/rows.jsonl:2 q1: broken"]  # fmt: skip
    write_run_files(tmp_path / "run", rows, {**about, "notes": notes})
    write_run_files(tmp_path / "many", rows, {**about, "notes": [f"note {i}" for i in range(50)]})
    page = Page(write_report([tmp_path / "run"]).page)
    assert [tag for tag, _ in page.elements].count("li") >= 4
    for said in (
        "answers.jsonl:3: not JSON",
        "a run in a folder",
        "no weights at clip.pt <b>",
        "error: rows.jsonl:2 q1: broken",
    ):
        assert said in page.text
    assert not re.search("someone|/data|/opt", page.text)
    both = Page(write_report([tmp_path / "run", tmp_path / "many"], tmp_path / "out").page).text
    assert "note 19 and 30 more like these" in both
    assert "note 20" not in both


def test_a_run_is_named_the_same_from_wherever_it_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, about = one({"message": "run it: the run in run/x was no run"})
    write_run_files(tmp_path / "run", rows, {**about, "notes": ["run run"]})
    monkeypatch.chdir(tmp_path)
    assert b"run it: the run in x was no run" in write_report(["run"], "b").page.read_bytes()
    write_run_files(tmp_path / "run", one({"message": "the run was no run"})[0], about)
    assert write_report([tmp_path / "run"], "c").page.read_bytes() == write_report(["run"], "d").page.read_bytes()


def test_a_report_with_fewer_runs_leaves_nothing_of_the_former_one(done: dict[str, Path], tmp_path: Path) -> None:
    write_report([done["right"], done["blank"]], tmp_path / "out")
    (tmp_path / "out/tables/mine.md").write_text("my own")
    (tmp_path / "out/figures/pairs.svg.part").write_text("<svg")
    written = write_report([done["right"]], tmp_path / "out")
    found = {path for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert found == {*written.files, tmp_path / "out/tables/mine.md"}


def test_an_incomplete_run_has_no_overall_score_and_says_so_everywhere(tmp_path: Path) -> None:
    rows = [
        Row("a", "size", "perception", "correct", score=1.0),
        Row("b", "depth", "perception", error="infrastructure", message=f"no answer from {tmp_path}/run/x"),
    ]
    write_run_files(tmp_path / "run", rows, {"digest": "d", "benchmark": "b", "root": ""})
    written = write_report([tmp_path / "run"])
    page = Page(written.page)
    assert "no overall score" in page.text
    assert "mean of its 1 complete tasks is 100.0" in page.text
    assert "incomplete: 1 of 2 samples without an outcome" in page.text
    assert written.results.ranks == {}
    for name in (
        "figures/overall.svg",
        "tables/scores.md",
        "tables/scores.csv",
        "tables/scores.tex",
        "tables/outcomes.md",
    ):
        assert "incomplete" in (tmp_path / "run" / name).read_text(), name
    data = page.data
    assert [data["outcomes"][row[2]][1] for row in data["rows"]] == ["correct", "no outcome"]
    assert "no answer from x" in data["texts"]
