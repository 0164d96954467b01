"""Answers made elsewhere: found by name or by row, strangers named, doubles refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import provise
from provise.errors import InputError
from provise.runs.responses import file_name, open_responses
from tests.mini import make_mini

IDS = ["scene/1", "scene 1", "scene:1", "Zürich", "plain"]


def test_names_are_distinct_and_stay_in_their_folder() -> None:
    names = [file_name(i) for i in [*IDS, "..", ".", "a/../b", "x\\y", "%2F"]]
    assert len(set(names)) == len(names)
    assert not any("/" in name or "\\" in name or name in (".", "..") for name in names)


def test_a_folder_of_pictures_and_texts(tmp_path: Path) -> None:
    for sample_id in IDS[:4]:
        (tmp_path / f"{file_name(sample_id)}.png").write_bytes(b"x")
    (tmp_path / "plain.txt").write_text("B")
    (tmp_path / "stranger.jpg").write_bytes(b"x")
    found = open_responses(tmp_path, IDS)
    assert set(found.by_id) == set(IDS)
    assert found.by_id["plain"].text == "B"
    assert len(found.problems) == 1
    assert "stranger.jpg" in found.problems[0]


def test_two_files_for_one_sample(tmp_path: Path) -> None:
    (tmp_path / "plain.png").write_bytes(b"x")
    (tmp_path / "plain.jpg").write_bytes(b"x")
    with pytest.raises(InputError, match="2 answers"):
        open_responses(tmp_path, IDS)


def test_rows(tmp_path: Path) -> None:
    rows = [
        {"id": "plain", "image": "p.png", "system": "kept and ignored"},
        {"id": "scene/1", "text": "a\u2028b"},
        {"id": "Zürich", "error": "timeout", "kind": "infrastructure"},
    ]
    file = tmp_path / "r.jsonl"
    file.write_text("\ufeff" + "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    found = open_responses(file, IDS)
    assert found.problems == []
    assert found.by_id["plain"].image == tmp_path / "p.png"
    assert found.by_id["scene/1"].text == "a\u2028b"
    assert found.by_id["Zürich"].kind == "infrastructure"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("3", "expected an object"),
        ('{"id": "plain"}', "exactly one of"),
        ('{"id": "plain", "image": "a", "text": "b"}', "exactly one of"),
        ('{"id": "nobody", "text": "b"}', "no sample"),
        ('{"id": "plain", "text": 3}', "text of 'plain' is 3; expected a string"),
        ('{"id": "plain", "image": ["a.png"]}', "image of 'plain' is ['a.png']; expected a string"),
        ('{"id": "plain", "error": "x", "kind": "bad"}', "allowed are"),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_kept(tmp_path: Path, line: str, words: str) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text(line + '\n{"id": "scene 1", "text": "A"}\n')
    found = open_responses(file, IDS)
    assert set(found.by_id) == {"scene 1"}
    assert len(found.problems) == 1
    assert words in found.problems[0]
    assert "r.jsonl:1" in found.problems[0]


def test_a_double_row_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text('{"id": "plain", "text": "A"}\n' * 2)
    with pytest.raises(InputError, match="two answers"):
        open_responses(file, IDS)


def test_a_double_row_is_told_with_both_lines(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text(
        '{"id": "scene 1", "text": "A"}\n\n{"id": "plain", "text": "A"}\n{"id": "scene 1", "image": "b.png"}\n'
    )
    with pytest.raises(InputError, match=r"r\.jsonl:4: sample 'scene 1' has two answers, the other in line 1"):
        open_responses(file, IDS)


@pytest.mark.parametrize(
    "content", [b"", b"\r\n \n", b"\x89PNG\r\n\x1a\n" * 40, b"id,text\nplain,B\n", b'{"name": "plain"}\n']
)
def test_a_file_without_one_row_is_refused_as_a_folder_without_one_answer_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "r.jsonl"
    file.write_bytes(content)
    with pytest.raises(InputError, match="holds no answers: expected a row a sample") as caught:
        open_responses(file, IDS)
    assert str(caught.value).count("not JSON") <= 1


def test_a_stranger_is_told_the_name_it_is_near_to(tmp_path: Path) -> None:
    for name in ("scene%2f1.png", "Zurich.png", "other.png"):
        (tmp_path / name).write_bytes(b"x")
    told = open_responses(tmp_path, IDS).problems
    assert any("scene%2f1.png" in line and "is it scene%2F1.png?" in line for line in told)
    assert any("other.png: belongs to no sample of the benchmark" in line and "is it" not in line for line in told)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected"):
        open_responses(tmp_path / "none", IDS)
    with pytest.raises(InputError, match="no answers"):
        open_responses(tmp_path, IDS)


def test_words_run_as_a_system_are_read_as_their_rows_declare(tmp_path: Path) -> None:
    """As `provise score` reads them; a declaration that changes is another answer."""
    root = make_mini(tmp_path / "mini", 1)
    path = [[0.2 + 0.03 * k, 0.3 + 0.02 * k] for k in range(16)]
    said = json.dumps([[round(1000 * y), round(1000 * x)] for x, y in path])
    answers = tmp_path / "answers.jsonl"
    for declared, outcome in (
        (None, "protocol_noncompliance"),
        ({"scale": 1000, "order": "yx"}, "correct"),
        (100, "protocol_noncompliance"),
    ):
        answers.write_text(json.dumps({"id": "trajectory-005", "text": said, "coordinates": declared}))
        for _ in range(2):
            row = provise.run(root, f"folder:{answers}", tmp_path / "run", jobs=1, tasks="trajectory").rows[0]
            assert (row.outcome, row.geometry["coordinates"]["order"]) == (
                outcome,
                "yx" if outcome == "correct" else "xy",
            )
