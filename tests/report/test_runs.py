"""Which folders are runs, and which runs belong together."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from provise.errors import InputError
from provise.report import load_runs, write_report
from provise.report.results import compute
from provise.scoring import Row
from tests.report.many import write_run_files


def rows(*scores: float, reader: str = "deterministic", ids: str = "abcdefgh") -> list[Row]:
    """Return rows of two tasks in turn."""
    return [
        Row(
            ids[i],
            ("depth", "navigation")[i % 2],
            "perception",
            "correct" if s == 1 else "incorrect",
            score=s,
            reader=reader,
        )
        for i, s in enumerate(scores)
    ]


def make(folder: Path, found: list[Row], **about: Any) -> Path:
    base = {"benchmark": "b", "digest": "d1", "fingerprints": {"depth": "f1", "navigation": "f2"}, "interface": "image"}
    write_run_files(folder, found, {**base, **about})
    return folder


UNLIKE = {
    "digest": ({"digest": "d2"}, {}, "other benchmark"),
    "fingerprint": ({"fingerprints": {"depth": "f1", "navigation": "f3"}}, {}, "other protocol: navigation"),
    "reader": (
        {},
        {"reader": "deterministic:descriptor-1"},
        "other reader: depth (deterministic:descriptor-1), navigation",
    ),
    "samples": ({}, {"ids": "abcx"}, "other samples"),
}


def test_what_runs_have_in_common_is_said_by_the_one_that_was_not_forced_in(tmp_path: Path) -> None:
    one = make(tmp_path / "one", rows(0, 0), benchmark="first benchmark")
    two = make(tmp_path / "two", rows(1, 1, 1), benchmark="second", digest="d2")
    page = write_report([one, two], tmp_path / "out", force=True).page.read_text()
    assert "first benchmark · 2 samples" in page


@pytest.mark.parametrize("kind", UNLIKE)
def test_runs_that_do_not_belong_together_are_refused_or_say_so_in_every_label(kind: str, tmp_path: Path) -> None:
    about, row, said = UNLIKE[kind]
    first = make(tmp_path / "one", rows(1, 0, 1, 1), system={"kind": "x", "name": "first"})
    second = make(tmp_path / "two", rows(1, 1, 1, 1, **row), system={"kind": "x", "name": "second"}, **about)
    with pytest.raises(InputError, match="do not belong together") as error:
        write_report([first, second], tmp_path / "out")
    assert said in str(error.value)
    assert "--force" in str(error.value)
    assert not (tmp_path / "out").exists()
    written = write_report([first, second], tmp_path / "out", force=True)
    assert {run.name: run.unlike for run in written.results.runs} == {"x:first": False, "x:second": True}
    assert not written.results.ranks, "one run alone has no rank"
    word = said.split(":")[0]
    for path in written.files:
        # A table or figure by task or pair names runs by their labels too.
        assert word in path.read_text(), path.name
    page = written.page.read_text()
    assert page.count(f">{word}</span>") >= 4


def test_the_order_of_the_runs_decides_which_is_unlike_but_not_whether(tmp_path: Path) -> None:
    one, two = make(tmp_path / "one", rows(1, 0)), make(tmp_path / "two", rows(1, 1), digest="d2")
    for pair in ([one, two], [two, one]):
        with pytest.raises(InputError, match="other benchmark"):
            load_runs(pair)
        assert [run.unlike for run in load_runs(pair, force=True)] == [False, True]


def test_a_run_that_writes_stands_beside_one_that_draws(tmp_path: Path) -> None:
    drawn = make(tmp_path / "drawn", rows(1, 1, 1, 0))
    written = make(tmp_path / "written", rows(1, 0, 0, 0, reader="text"), interface="text")
    results = compute(load_runs([drawn, written]))
    (pair,) = results.pairs
    assert (pair.first.name, pair.second.name, pair.is_rescue) == ("written", "drawn", True)
    assert (pair.outcomes.both, pair.outcomes.second_only, pair.outcomes.neither) == (1, 2, 1)
    assert pair.outcomes.rescue == pytest.approx(2 / 3)
    assert results.gap["gap"] == {"depth": 50.0, "navigation": 50.0}
    page = write_report([drawn, written], tmp_path / "out").page.read_text()
    assert "visual rescue" in page
    assert "Where showing helps" in page


def test_answers_that_were_read_from_words_alone_are_known_as_text(tmp_path: Path) -> None:
    run = make(tmp_path / "run", rows(1, 0, reader="text"))
    about = json.loads((run / "run.json").read_text())
    del about["interface"]
    (run / "run.json").write_text(json.dumps(about))
    assert load_runs([run])[0].interface == "text"


def test_a_stand_in_for_the_encoder_is_named(tmp_path: Path) -> None:
    read = {"reader": "deterministic:descriptor-1"}
    stand_ins = {"navigation": "clip-vit-b-32"}
    run = make(tmp_path / "run", rows(1, 0, **read), stand_ins=stand_ins)
    said = "stand-in reader: navigation read with the built-in descriptor in the place of clip-vit-b-32"
    assert load_runs([run])[0].notes == (said,)
    # The route's own choice is no stand-in, and words are read by no encoder.
    assert load_runs([make(tmp_path / "chosen", rows(1, 0, **read))])[0].notes == ()
    words = make(tmp_path / "words", rows(1, 0, reader="text"), stand_ins=stand_ins)
    assert load_runs([words])[0].notes == ()


@pytest.mark.parametrize(
    ("name", "value"), [("notes", "one"), ("notes", [1]), ("stand_ins", []), ("stand_ins", {"a": 1})]
)
def test_what_the_run_says_must_be_texts(name: str, value: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"run.json: {name} is "):
        load_runs([make(tmp_path / "run", rows(1, 0), **{name: value})])


def test_trial_systems_and_incomplete_runs_have_no_rank_and_incomplete_ones_no_pair(tmp_path: Path) -> None:
    trial = make(tmp_path / "trial", rows(1, 1, 1, 1), needs_truth=True)
    good, equal = make(tmp_path / "good", rows(1, 1, 0, 0)), make(tmp_path / "equal", rows(0, 0, 1, 1))
    cut = make(tmp_path / "cut", [*rows(1, 1, 1), Row("d", "navigation", "perception", error="infrastructure")])
    results = compute(load_runs([cut, equal, trial, good]))
    assert [run.name for run in results.runs] == ["trial", "equal", "good", "cut"]
    assert results.ranks == {"good": 1, "equal": 1}
    assert {name for pair in results.pairs for name in (pair.first.name, pair.second.name)} == {
        "trial",
        "good",
        "equal",
    }
    assert results.unpaired == ("cut: incomplete: 1 of 4 samples without an outcome; only complete runs are compared",)


def test_runs_of_one_system_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    system = {"kind": "folder", "name": "/home/someone/answers", "settings": {}}
    other = {"kind": "command", "name": "./mine.sh", "settings": {"weights": "/home/someone/w.pt", "ratio": "1/2"}}
    assert (
        load_runs([make(tmp_path / "c", rows(1, 0), system=other)])[0].name == "command:mine.sh?ratio=1/2&weights=w.pt"
    )
    runs = [make(tmp_path / name, rows(1, 0), system=system) for name in ("x/a", "x/b", "y/a")]
    assert [run.name for run in load_runs(runs)] == [
        "folder:answers (a)",
        "folder:answers (b)",
        "folder:answers (a) #2",
    ]
    assert next(run.name for run in load_runs(runs, labels=["mine"])) == "mine"
    with pytest.raises(InputError, match="2 labels for 1 runs"):
        load_runs(runs[:1], labels=["a", "b"])


def test_a_folder_that_is_no_run_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        load_runs([tmp_path / "nothing"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"run\.json is missing"):
        load_runs([tmp_path / "empty"])
    (tmp_path / "empty" / "journal.sqlite").touch()
    with pytest.raises(InputError, match="stopped before its end; the same `provise run` goes on"):
        load_runs([tmp_path / "empty"])
    run = make(tmp_path / "run", rows(1, 0))
    with pytest.raises(InputError, match="more than once"):
        load_runs([run, tmp_path / "empty" / ".." / "run"])
    with pytest.raises(InputError, match="no run is given"):
        load_runs([])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "samples.jsonl:3: no JSON"),
        ("[]", "samples.jsonl:3: holds list"),
        ('{"id": "z", "task": 7}', "task is 7"),
        ('{"id": "z", "task": "depth", "outcome": "splendid", "score": 1}', "outcome is 'splendid'"),
        ('{"id": "z", "task": "depth", "outcome": "correct", "score": 1.5}', "score is 1.5"),
        ('{"id": "z", "task": "depth", "outcome": "correct", "score": NaN}', "score is nan"),
        ('{"id": "z", "task": "depth", "error": "bad luck"}', "error is 'bad luck'"),
        ('{"id": "a", "task": "depth", "outcome": "correct", "score": 1}', "'a' stands there more than once"),
        ('{"id": "z", "task": "depth", "outcome": "correct", "score": 1}', "not the summary of samples.jsonl"),
    ],
)
def test_a_broken_line_or_a_row_that_the_summary_does_not_know_is_refused(line: str, said: str, tmp_path: Path) -> None:
    run = make(tmp_path / "run", rows(1, 0))
    with (run / "samples.jsonl").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(InputError) as error:
        load_runs([run])
    assert said in str(error.value)


def test_a_summary_whose_score_was_changed_by_hand_is_refused(tmp_path: Path) -> None:
    run = make(tmp_path / "run", rows(1, 0))
    summary = json.loads((run / "summary.json").read_text())
    summary["tasks"]["navigation"]["score"] = 99.0
    (run / "summary.json").write_text(json.dumps(summary))
    with pytest.raises(InputError, match="not the summary"):
        load_runs([run])


@pytest.mark.parametrize(
    ("part", "value"),
    [
        (("overall", "score"), 61.0),
        (("overall", "low"), "<b>"),
        (("capabilities", "perception", "score"), None),
        (("tasks", "depth", "null_score"), "x"),
        (("tasks",), []),
        (("incomplete",), None),
        (("incomplete",), ["x"]),
        (("mean_of_tasks",), 7),
    ],
)
def test_a_summary_of_other_numbers_or_of_none_is_refused(part: tuple[str, ...], value: Any, tmp_path: Path) -> None:
    run = make(tmp_path / "run", rows(1, 0))
    summary = json.loads((run / "summary.json").read_text())
    *above, last = part
    inner = summary
    for name in above:
        inner = inner[name]
    inner[last] = value
    (run / "summary.json").write_text(json.dumps(summary))
    with pytest.raises(InputError, match="not the summary"):
        load_runs([run])


def test_rows_that_the_benchmark_lost_leave_a_run_incomplete_and_readable(tmp_path: Path) -> None:
    run = make(tmp_path / "run", rows(1, 0))
    summary = json.loads((run / "summary.json").read_text())
    summary["overall"] = {"n": 2, "score": None, "low": None, "high": None}
    summary["incomplete"] = [{"id": None, "kind": "data_error", "reason": "rows.jsonl:9: no JSON"}]
    (run / "summary.json").write_text(json.dumps(summary))
    assert load_runs([run])[0].notes == ("incomplete: 1 broken row in the benchmark",)
    assert "no overall score" in write_report([run]).page.read_text()


@pytest.mark.parametrize(("name", "value"), [("fingerprints", [1]), ("digest", 7), ("root", {}), ("system", "x")])
def test_a_run_json_of_another_form_is_refused(name: str, value: Any, tmp_path: Path) -> None:
    run = make(tmp_path / "run", rows(1, 0), **{name: value})
    with pytest.raises(InputError, match=f"{name} is"):
        load_runs([run])


def test_a_report_cannot_be_written_over_a_file(tmp_path: Path) -> None:
    run = make(tmp_path / "run", rows(1, 0))
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is a file; expected a folder"):
        write_report([run], tmp_path / "file")
    shutil.rmtree(tmp_path / "run" / "figures", ignore_errors=True)
    (run / "figures").touch()
    with pytest.raises(InputError, match="cannot be written"):
        write_report([run])
