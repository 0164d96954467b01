"""A run's folder that something happens to, and a journal that is another's: one message, and what was answered is kept."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import provise
from provise.errors import InputError
from provise.systems import Answer, Request, open_system
from tests.mini import make_mini
from tests.runs.scripted import Told

BLANK = open_system("blank").answer


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_mini(tmp_path_factory.mktemp("mini") / "mini", 2)


def remove(name: str) -> Callable[[Path], None]:
    return lambda out: shutil.rmtree(out / name)


def in_the_way(out: Path) -> None:
    shutil.rmtree(out / "responses")
    (out / "responses").write_text("a file")


HARMS: dict[str, Callable[[Path], None]] = {
    "all": remove("."), "responses": remove("responses"), "a file for responses": in_the_way,
}  # fmt: skip


@pytest.mark.parametrize("name", HARMS)
def test_a_folder_that_is_taken_away_ends_the_run_in_one_message(mini: Path, tmp_path: Path, name: str) -> None:
    out, count = tmp_path / "run", iter(range(100))

    def answer(request: Request) -> Answer:
        if next(count) == 4:
            HARMS[name](out)
        time.sleep(0.02)
        return BLANK(request)

    with pytest.raises(InputError, match=str(out)):
        provise.run(mini, Told(answer), out, jobs=1, concurrency=1)
    shutil.rmtree(out, ignore_errors=True)
    assert not provise.run(mini, Told(BLANK), out, jobs=1).incomplete


def test_evidence_that_is_taken_away_is_drawn_again(mini: Path, tmp_path: Path) -> None:
    done = provise.run(mini, Told(BLANK), tmp_path / "run", jobs=1)
    before = {path: path.read_bytes() for path in (tmp_path / "run/evidence").iterdir()}
    assert len(before) >= len(done.rows)
    shutil.rmtree(tmp_path / "run/evidence")
    again = Told(None)
    provise.run(mini, again, tmp_path / "run", jobs=1)
    assert again.asked == []
    assert {path: path.read_bytes() for path in (tmp_path / "run/evidence").iterdir()} == before


def test_a_system_that_changes_the_working_directory_does_not_move_the_run(
    mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def answer(request: Request) -> Answer:
        os.chdir(elsewhere)
        return BLANK(request)

    provise.run(mini, Told(answer), "run", jobs=1)
    assert (tmp_path / "run/samples.jsonl").is_file()
    assert list(elsewhere.iterdir()) == []


def harmed(mini: Path, out: Path, statements: str) -> None:
    provise.run(mini, Told(BLANK), out, jobs=1, tasks="depth")
    base = sqlite3.connect(out / "journal.sqlite")
    base.executescript(statements)
    base.close()


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (
            "UPDATE about SET value = '2' WHERE key = 'version'",
            "written by another provise .journal 2, this one reads 1.",
        ),
        ("UPDATE about SET value = '\"next\"' WHERE key = 'version'", "written by another provise .journal next"),
        ("UPDATE about SET value = '{' WHERE key = 'version'", "is no journal of a run .*move it away"),
        ("UPDATE answers SET details = '{'", "is no journal of a run .*move it away"),
        ("UPDATE readings SET row = 'half a r'", "is no journal of a run .*move it away"),
        ("DROP TABLE answers; CREATE TABLE answers (prompt TEXT)", "another program's .*give another --out"),
        ("DROP TABLE readings; CREATE TABLE readings (text)", "another program's .*give another --out"),
    ],
)
def test_a_journal_of_another_form_is_refused_with_what_to_do(
    mini: Path, tmp_path: Path, statements: str, words: str
) -> None:
    harmed(mini, tmp_path / "run", statements)
    system = Told(BLANK)
    with pytest.raises(InputError, match=rf"journal.sqlite.*{words}"):
        provise.run(mini, system, tmp_path / "run", jobs=1)
    assert system.asked == []
    assert len(list((tmp_path / "run/responses").iterdir())) == 1


def test_a_journal_with_broken_pages_or_a_folder_in_its_place_is_refused(mini: Path, tmp_path: Path) -> None:
    provise.run(mini, Told(BLANK), tmp_path / "run", jobs=1)
    file = tmp_path / "run/journal.sqlite"
    whole = bytearray(file.read_bytes())
    for start in range(4096, len(whole), 4096):
        whole[start : start + 300] = b"\xee" * 300
    file.write_bytes(whole)
    with pytest.raises(InputError, match=r"journal.sqlite: is no journal of a run .*responses are still in"):
        provise.run(mini, Told(BLANK), tmp_path / "run", jobs=1)
    file.unlink()
    file.mkdir()
    with pytest.raises(InputError, match=r"journal.sqlite: cannot be written"):
        provise.run(mini, Told(BLANK), tmp_path / "run", jobs=1)


def test_of_several_threads_on_one_folder_one_works_and_the_others_are_told(mini: Path, tmp_path: Path) -> None:
    said: list[str] = []
    system = Told(lambda request: time.sleep(0.1) or BLANK(request))

    def start() -> None:
        try:
            said.append(provise.run(mini, system, tmp_path / "run", jobs=1).problems[0])
        except InputError as error:
            said.append(str(error))

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum("14 asked" in text for text in said) == 1
    assert sum(f"process {os.getpid()} on" in text for text in said) == 3
    assert len(system.asked) == 14


@pytest.mark.parametrize(
    "name", ["x" * 300, "é" * 130, "..", "a/../b", "nul\0", "line\nend\u2028", " ", "C:\\a", "%2F"]
)
def test_an_id_that_is_no_file_name_is_answered_as_any_other(tmp_path: Path, name: str) -> None:
    root = make_mini(tmp_path / "mini", 2)
    rows = [json.loads(line) for line in (root / "rows.jsonl").read_text().split("\n") if line]
    rows[3]["id"], rows[10]["id"] = name, f"{name}!"
    (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = provise.run(root, "draughtsman", tmp_path / "run", jobs=1)
    assert {row.outcome for row in done.rows} == {"correct"}
    assert len({row.details["evidence"] for row in done.rows}) == 14
    assert {path.parent for path in (tmp_path / "run").rglob("*.jpg")} == {tmp_path / "run/evidence"}


def test_folders_whose_names_are_no_utf8_are_run_and_gone_on_with(tmp_path: Path) -> None:
    try:
        root = make_mini(tmp_path / os.fsdecode(b"caf\xe9"), 1)
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    out = tmp_path / os.fsdecode(b"r\xe9sultats")
    provise.run(root, Told(BLANK), out, jobs=1)
    again = Told(None)
    provise.run(root, again, out, jobs=1)
    assert again.asked == []
    about: dict[str, Any] = json.loads((out / "run.json").read_bytes().decode("utf-8"))
    assert os.fsencode(about["root"]) == os.fsencode(root)
