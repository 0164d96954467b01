"""A whole run: what it asks, what it keeps, what it does a second time, how it fails."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

import provise
from provise.errors import InputError
from provise.protocol.route import open_route
from provise.runs import asking
from provise.runs.journal import Journal
from provise.runs.run import Stopped
from provise.systems import Answer, Request, System, Unavailable, open_system
from provise.systems.draughtsman import Draughtsman
from tests.mini import make_mini


class Counted(Draughtsman):
    """Draws right answers and counts who was asked."""

    kind = "counted"

    def __init__(self, accuracy: float = 1.0) -> None:
        super().__init__("", {"accuracy": accuracy, "seed": 0})
        self.calls: Counter[str] = Counter()
        self.closed = 0

    def answer(self, request: Request) -> Answer:
        self.calls[request.sample.id] += 1
        return super().answer(request)

    def close(self) -> None:
        self.closed += 1


class Scripted(System):
    """Does for each sample what it was told."""

    kind = "scripted"

    def __init__(self, does, default=None) -> None:
        super().__init__("", {})
        self.does, self.default, self.calls = does, default, Counter()

    def answer(self, request: Request) -> Answer:
        self.calls[request.sample.id] += 1
        act = self.does.get(request.sample.id, self.default)
        if isinstance(act, BaseException):
            raise act
        return act(request) if callable(act) else act


@pytest.fixture(scope="module")
def mini(tmp_path_factory):
    return make_mini(tmp_path_factory.mktemp("mini") / "mini", 2)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 0.01)


def run(mini, system, out, **more):
    return provise.run(mini, system, out, jobs=more.pop("jobs", 1), **more)


def test_the_right_answers_score_all_and_the_folder_holds_everything(mini, tmp_path):
    done = run(mini, "draughtsman", tmp_path / "run")
    assert done.summary["mean_of_tasks"] == {**done.summary["mean_of_tasks"], "score": 100.0, "n_tasks": 7}
    rows = [json.loads(line) for line in (tmp_path / "run/samples.jsonl").read_text().splitlines()]
    assert [row["outcome"] for row in rows] == ["correct"] * 14
    for row in rows:
        assert (tmp_path / "run" / row["details"]["evidence"]).is_file()
        assert list((tmp_path / "run/responses").glob(row["response"] + ".png"))
    about = json.loads((tmp_path / "run/run.json").read_text())
    assert about["system"] == {"kind": "draughtsman", "name": "", "settings": {"accuracy": 1.0, "seed": 0}}
    assert about["needs_truth"] is True
    assert any("given the truth" in note for note in done.problems)


@pytest.mark.parametrize("system", ["blank", "copy", "draughtsman?accuracy=0&seed=3"])
def test_what_is_no_right_answer_scores_nothing(mini, tmp_path, system):
    assert run(mini, system, tmp_path / "run").summary["mean_of_tasks"]["score"] == 0.0


def test_a_part_of_the_answers_is_right_whatever_the_order(mini, tmp_path):
    whole = run(mini, "draughtsman?accuracy=.5&seed=2", tmp_path / "a", concurrency=1)
    part = run(mini, "draughtsman?accuracy=.5&seed=2", tmp_path / "b", concurrency=4, tasks="depth,counting")
    by_id = {row.id: row for row in whole.rows}
    assert [row.to_dict() for row in part.rows] == [by_id[row.id].to_dict() for row in part.rows]
    assert {row.score for row in whole.rows} == {0.0, 1.0}


def test_the_same_call_again_asks_nothing_and_writes_the_same(mini, tmp_path):
    first, second = Counted(), Counted()
    done = run(mini, first, tmp_path / "run")
    assert done.problems[0] == "0 answers reused, 14 asked"
    before = {name: (tmp_path / "run" / name).read_bytes() for name in ("samples.jsonl", "summary.json")}
    assert run(mini, second, tmp_path / "run").problems[0] == "14 answers reused, 0 asked"
    assert (len(first.calls), second.calls.total()) == (14, 0)
    assert first.closed == second.closed == 1
    assert {name: (tmp_path / "run" / name).read_bytes() for name in before} == before


def test_two_processes_ask_the_same_by_the_same_name(mini, tmp_path):
    code = (
        "import sys; from provise.benchmark import open_benchmark; from provise.protocol.route import open_route\n"
        "from provise.runs.requests import ask; from provise.systems import open_system\n"
        "route, system = open_route('spatialgen-bench'), open_system(sys.argv[2])\n"
        "for sample in open_benchmark(sys.argv[1]).samples: print(ask(sample, route.protocol(sample.task), system).digest)\n"
    )

    def names(system, seed):
        env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src"), "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code, str(mini), system]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.split()

    first = names("draughtsman?accuracy=.7&seed=1", "1")
    assert first == names("draughtsman?seed=1&accuracy=0.70", "2")
    assert len(set(first)) == 14
    assert not set(first) & set(names("draughtsman?accuracy=.7&seed=2", "1"))


def test_words_with_odd_line_ends_come_back_whole(mini, tmp_path):
    words = "B\u2028\u0085\x0b\x1cthe end"
    for _ in range(2):
        done = run(mini, Scripted({}, Answer(text=words)), tmp_path / "run", tasks="depth")
        assert [row.prediction for row in done.rows] == ["B", "B"]
    journal = Journal(tmp_path / "run/journal.sqlite")
    assert {answer.text for answer in journal.answers().values()} == {words}
    journal.close()


def test_a_protocol_that_reads_otherwise_reads_again_and_asks_nothing(mini, tmp_path):
    run(mini, Counted(), tmp_path / "run", tasks="depth")
    again = Counted()
    done = run(
        mini, again, tmp_path / "run", tasks="depth", route=open_route("spatialgen-bench", ["relative_depth.kernel=7"])
    )
    assert again.calls.total() == 0
    assert {row.outcome for row in done.rows} == {"correct"}
    # A row goes with its picture, and the picture is of the last reading.
    held = sqlite3.connect(tmp_path / "run/journal.sqlite").execute("SELECT count(*) FROM readings").fetchone()
    assert held == (2,)


def test_another_prompt_asks_again(mini, tmp_path):
    run(mini, Counted(), tmp_path / "run", tasks="orientation")
    again = Counted()
    run(
        mini,
        again,
        tmp_path / "run",
        tasks="orientation",
        route=open_route("spatialgen-bench", ["direction_grid.colour=cyan"]),
    )
    assert again.calls.total() == 2


def test_another_truth_scores_again_and_asks_nothing(tmp_path):
    folder = make_mini(tmp_path / "mini", 1)
    drawn = run(folder, Counted(), tmp_path / "made")
    answers = {row.id: (tmp_path / "made/responses" / f"{row.response}.png").read_bytes() for row in drawn.rows}
    system = Scripted({}, lambda request: Answer(image=answers[request.sample.id]))
    run(folder, system, tmp_path / "run")
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    rows[0]["answer"] = "9"
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = Scripted({}, None)
    done = run(folder, again, tmp_path / "run")
    assert again.calls.total() == 0
    assert [row.outcome for row in done.rows] == ["incorrect"] + ["correct"] * 6


@pytest.mark.parametrize("harm", ["gone", "short", "other"])
def test_a_picture_that_was_lost_is_asked_for_again(mini, tmp_path, harm):
    done = run(mini, Counted(), tmp_path / "run")
    file = tmp_path / "run/responses" / f"{done.rows[3].response}.png"
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*.*") if "journal" not in path.name}
    file.unlink() if harm == "gone" else file.write_bytes(before[file][:40] if harm == "short" else b"GIF89a")
    again = Counted()
    run(mini, again, tmp_path / "run")
    assert again.calls == {done.rows[3].id: 1}
    assert {path: path.read_bytes() for path in before} == before


def test_parts_of_a_killed_process_are_swept(mini, tmp_path):
    run(mini, Counted(), tmp_path / "run")
    parts = [tmp_path / "run" / name for name in ("samples.jsonl.part", "responses/ab.png.part", "evidence/x.part.jpg")]
    for part in parts:
        part.write_bytes(b"half")
    run(mini, Counted(), tmp_path / "run")
    assert not any(part.exists() for part in parts)


def test_a_journal_with_a_torn_tail_loses_only_the_torn_rows(mini, tmp_path):
    """The write-ahead log of a process that died, cut in the middle of its last record."""
    run(mini, Counted(), tmp_path / "whole")
    code = (
        "import sys, os; from pathlib import Path; from provise.runs.journal import Answered, Journal\n"
        "journal = Journal(Path(sys.argv[1]))\n"
        "for i in range(20): journal.add_answer(Answered(str(i), f's{i}', text='x' * 500))\n"
        "os._exit(9)"
    )
    path = tmp_path / "journal.sqlite"
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
    log = path.with_name("journal.sqlite-wal")
    log.write_bytes(log.read_bytes()[:-1500])
    journal = Journal(path)
    kept = journal.answers()
    journal.add_answer(kept["0"])
    journal.close()
    assert 15 <= len(kept) < 20
    assert list(kept) == [str(i) for i in range(len(kept))]


def test_what_is_no_journal_is_refused_with_what_to_do(mini, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run/journal.sqlite").write_bytes(b"no database, but as long as one" * 100)
    with pytest.raises(InputError, match=r"journal.sqlite: is no journal .* responses are still in"):
        run(mini, "blank", tmp_path / "run")


def test_a_folder_of_another_system_is_refused(mini, tmp_path):
    run(mini, "blank", tmp_path / "run", tasks="depth")
    with pytest.raises(
        InputError, match=r"another system \(blank, now draughtsman\?accuracy=0.5&seed=0\); give another --out"
    ):
        run(mini, "draughtsman?accuracy=.5", tmp_path / "run")


def test_a_second_run_in_the_folder_is_refused_with_the_first_ones_process(mini, tmp_path):
    entered, leave = threading.Event(), threading.Event()

    def wait(request):
        entered.set()
        leave.wait(20)
        return Answer(error="tired")

    first = threading.Thread(target=run, args=(mini, Scripted({}, wait), tmp_path / "run"), kwargs={"tasks": "depth"})
    first.start()
    try:
        assert entered.wait(20)
        with pytest.raises(InputError, match=rf"process {os.getpid()} on .*, started 20\d\d-.* is working in it"):
            run(mini, "blank", tmp_path / "run")
    finally:
        leave.set()
        first.join()
    assert not (tmp_path / "run/.lock.json").exists()


def test_an_outage_is_no_outcome_and_is_asked_again(mini, tmp_path):
    bad = {"depth-002": Unavailable("queue is full", 0.0), "depth-009": RuntimeError("adapter's fault")}
    system = Scripted(bad, Answer(error="I cannot draw"))
    done = run(mini, system, tmp_path / "run", tasks="depth,counting")
    errors = {row.id: (row.error, row.message) for row in done.incomplete}
    assert errors == {
        "depth-002": ("infrastructure", "queue is full"),
        "depth-009": ("infrastructure", "RuntimeError: adapter's fault"),
    }
    assert system.calls == {
        "counting-000": 1,
        "counting-007": 1,
        "depth-002": asking.ATTEMPTS,
        "depth-009": asking.ATTEMPTS,
    }
    assert {row.outcome for row in done.rows if not row.error} == {"generation_failure"}
    assert done.summary["overall"]["score"] is None
    again = Scripted({}, Answer(error="I cannot draw"))
    assert not run(mini, again, tmp_path / "run", tasks="depth,counting").incomplete
    assert again.calls == {"depth-002": 1, "depth-009": 1}


def test_an_outage_that_passes_is_asked_again_at_once(mini, tmp_path):
    tries = Counter()

    def flaky(request):
        tries[request.sample.id] += 1
        if tries[request.sample.id] < 3:
            raise Unavailable("busy")
        return Answer(error="no")

    assert not run(mini, Scripted({}, flaky), tmp_path / "run", tasks="depth").incomplete
    assert set(tries.values()) == {3}


@pytest.mark.parametrize("answer", [Answer(), Answer(image=b"x", text="y"), Answer(image=b"x", error="y")])
def test_a_system_that_hands_over_none_or_two_things_has_failed(mini, tmp_path, answer):
    done = run(mini, Scripted({}, answer), tmp_path / "run", tasks="depth")
    assert {(row.outcome, row.score) for row in done.rows} == {("generation_failure", 0.0)}


def test_bytes_that_are_no_picture_are_kept_as_received(mini, tmp_path):
    done = run(mini, Scripted({}, Answer(image=b"<html>502</html>")), tmp_path / "run", tasks="depth")
    assert {row.outcome for row in done.rows} == {"generation_failure"}
    assert [file.read_bytes() for file in (tmp_path / "run/responses").iterdir()] == [b"<html>502</html>"]


def test_words_are_scored_by_the_same_metric(mini, tmp_path):
    truths = {"depth-002": "The answer is A.", "depth-009": "A"}
    done = run(
        mini, Scripted({}, lambda request: Answer(text=truths[request.sample.id])), tmp_path / "run", tasks="depth"
    )
    assert [(row.prediction, row.outcome) for row in done.rows] == [("A", "correct"), ("A", "incorrect")]


def test_a_picture_of_the_benchmark_that_vanished_stops_only_its_row(tmp_path):
    folder = make_mini(tmp_path / "mini", 2)
    (folder / "depth-002.png").unlink()
    done = run(folder, "draughtsman", tmp_path / "run", tasks="depth")
    assert [(row.id, row.error, row.outcome) for row in done.rows] == [
        ("depth-002", "data_error", None),
        ("depth-009", None, "correct"),
    ]


def test_stopped_between_two_requests_it_goes_on_later(mini, tmp_path):
    stop, system = threading.Event(), Counted()

    def after_five(state):
        if state.asked >= 5:
            stop.set()

    with pytest.raises(Stopped):
        run(mini, system, tmp_path / "run", stop=stop, progress=after_five, concurrency=1)
    assert 5 <= system.calls.total() <= 7
    again = Counted()
    done = run(mini, again, tmp_path / "run")
    assert {row.outcome for row in done.rows} == {"correct"}
    assert not set(again.calls) & set(system.calls)


@pytest.mark.parametrize(
    "bad", ["x", "draughtsman?accuracy=2", "draughtsman?speed=1", "draughtsman?accuracy=nan", "blank:me", "folder"]
)
def test_a_spec_that_is_wrong_is_refused_with_what_is_allowed(bad):
    with pytest.raises(InputError, match=r"system '.*(allowed|lacks its name|has no name)"):
        open_system(bad)


def test_a_folder_of_answers_runs_as_a_system(mini, tmp_path):
    made = run(mini, "draughtsman", tmp_path / "made")
    answers = tmp_path / "answers"
    answers.mkdir()
    for row in made.rows[:-1]:
        (answers / f"{row.id}.png").write_bytes((tmp_path / "made/responses" / f"{row.response}.png").read_bytes())
    done = run(mini, f"folder:{answers}", tmp_path / "run")
    assert [row.id for row in done.incomplete] == [made.rows[-1].id]
    last = made.rows[-1]
    (answers / f"{last.id}.png").write_bytes((tmp_path / "made/responses" / f"{last.response}.png").read_bytes())
    again = run(mini, f"folder:{answers}", tmp_path / "run")
    assert [row.score for row in again.rows] == [1.0] * 14


WORKER = Path(__file__).with_name("worker.py")


def worker(*arguments, before="pass"):
    code = f"import runpy, sys; {before}; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    root = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)])}
    return subprocess.run(
        [sys.executable, "-c", code, str(WORKER), *map(str, arguments)], env=env, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip


def test_a_full_disk_ends_in_one_message_and_loses_nothing(mini, tmp_path):
    """No file may grow beyond 120 kB, which the journal does after some answers."""
    full = worker(
        mini,
        tmp_path / "run",
        tmp_path / "log",
        before="import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (120000, 120000))",
    )
    assert full.returncode == 1
    assert "InputError" in full.stderr
    assert "what was committed before is kept" in full.stderr or "disk" in full.stderr
    asked = len((tmp_path / "log").read_text().splitlines())
    assert worker(mini, tmp_path / "run", tmp_path / "log").returncode == 0
    assert len((tmp_path / "log").read_text().splitlines()) <= 14 + min(asked, 4)


def test_ctrl_c_finishes_what_is_in_flight_and_says_how_to_go_on(mini, tmp_path):
    log = tmp_path / "log"
    code = (
        "import time, provise.cli\n"
        "from provise.systems.draughtsman import Draughtsman\n"
        "kept = Draughtsman.answer\n"
        "def slow(self, request):\n"
        f"    open({str(log)!r}, 'a').write('asked\\n')\n"
        "    time.sleep(.15)\n"
        "    return kept(self, request)\n"
        "Draughtsman.answer = slow\n"
        "provise.cli.main()\n"
    )
    root = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)])}
    out = str(tmp_path / "run")
    command = [sys.executable, "-c", code, "run", "-b", str(mini), "-s", "draughtsman", "-o", out, "-j", "1"]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not log.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "what is in flight is finished first" in said
    assert "The same command goes on from there" in said
    assert "Traceback" not in said
    rest = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert rest.returncode == 0, rest.stderr
    assert log.read_text().count("asked") == 14
