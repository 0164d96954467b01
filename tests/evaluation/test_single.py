"""One answer from loose files, as a page gets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from provise.errors import InputError
from provise.evaluation import module_names
from provise.evaluation.single import example, read_one


def _read(name: str, given: Any, **changes: Any) -> Any:
    values = {"answer": given.answer, "words": "", "pictures": given.pictures, "mask": given.mask, **changes}
    return read_one(name, changes.pop("row", given.row), **{k: v for k, v in values.items() if k != "row"})


@pytest.mark.slow
@pytest.mark.parametrize("name", module_names())
def test_the_examples_are_read_as_what_they_are(name: str, tmp_path: Path) -> None:
    right = _read(name, example(name, tmp_path / "right"))
    assert right.line["outcome"] == "correct", right.verdict
    assert right.line["score"] == 1
    assert right.evidence[:3] == b"\xff\xd8\xff"
    assert right.verdict.startswith("correct: read ")
    wrong = _read(name, example(name, tmp_path / "wrong", right=False))
    assert wrong.line["score"] == 0, wrong.verdict


def test_words_need_no_picture(tmp_path: Path) -> None:
    row = {
        "id": "c",
        "capability": "perception",
        "task": "counting",
        "image_path": "c.png",
        "answer": "5",
        "answer_type": "integer",
    }
    found = read_one("counting", json.dumps(row), answer=None, words="five", pictures=[], mask=None)
    assert found.verdict == "correct: read 5, true is 5, score 1"
    assert found.evidence is None


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    given = example("grounding", tmp_path)
    for changes, said in (
        ({"answer": None}, "there is no answer"),
        ({"pictures": []}, "the row names 1 picture"),
        ({"mask": None}, "drop it too"),
        ({"row": "{"}, "the row is no JSON"),
        ({"row": "[1]"}, "no JSON object"),
        ({"row": json.dumps({**json.loads(given.row), "task": "depth"})}, "expected grounding"),
        ({"row": json.dumps({**json.loads(given.row), "mask_path": "../mask.png"})}, "'..'"),
        ({"row": json.dumps({**json.loads(given.row), "media_paths": ["/etc/passwd"]})}, "absolute"),
    ):
        with pytest.raises(InputError) as caught:
            _read("grounding", given, **changes)
        assert said in str(caught.value)


def test_a_refused_picture_says_why(tmp_path: Path) -> None:
    given = example("counting", tmp_path)
    found = _read("counting", given, answer=given.pictures[0])
    assert found.verdict.startswith("protocol noncompliance: ")
    assert found.line["reason"] == "source_returned"
