"""A row that is written down and read again is the same row, whatever stands in it."""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from provise.report.folder import read_folder
from provise.runs.journal import Answered, Journal
from provise.runs.score import Run, write_run
from provise.scoring import Row

WORDS = st.text(
    st.characters(exclude_categories=("Cs",)) | st.sampled_from('\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\0\r\n"\\'),
    max_size=12,
)
NAMES = st.sampled_from(["image", "image_size", "my_image_url", "images", "audio", "bytes"]) | WORDS
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**40), 10**40) | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
ROWS = st.builds(
    Row, st.text(string.ascii_letters + "/ \u2028\x85é", min_size=1), st.sampled_from(["depth", "size"]), st.just("perception"),
    st.just("correct"), message=WORDS, reason=WORDS, prediction=VALUES, truth=WORDS, score=st.floats(0, 1), correct=st.booleans(),
    geometry=st.dictionaries(NAMES, VALUES, max_size=2), details=st.dictionaries(NAMES.filter(lambda n: n != "null_score"), VALUES, max_size=2),
)  # fmt: skip
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@SETTINGS
@given(st.lists(ROWS, min_size=1, max_size=4, unique_by=lambda row: row.id))
def test_the_rows_of_a_run_come_back_from_its_folder(tmp_path: Path, rows: list[Row]) -> None:
    write_run(Run(rows), tmp_path, digest="d")
    assert read_folder(tmp_path)[1] == rows
    # A line a row, by line feeds alone.
    assert (tmp_path / "samples.jsonl").read_bytes().count(b"\n") == len(rows)


@SETTINGS
@given(WORDS, WORDS, st.dictionaries(NAMES, VALUES, max_size=3), ROWS)
def test_an_answer_and_a_row_come_back_from_the_journal(
    tmp_path: Path, text: str, error: str, details: dict[str, Any], row: Row
) -> None:
    path = tmp_path / "journal.sqlite"
    path.unlink(missing_ok=True)
    kept = Answered("request", row.id, text=text, error=error, details=details)
    journal = Journal(path)
    journal.add_answer(kept)
    journal.add_reading("key", row.id, row.to_dict(), 0.1)
    journal.close()
    journal = Journal(path)
    assert journal.answers() == {"request": kept}
    assert Row(**journal.readings()["key"]) == row
    journal.close()


def test_half_a_surrogate_pair_in_a_row_does_not_stop_the_others_from_being_written(tmp_path: Path) -> None:
    rows = [
        Row("a", "depth", "p", "correct", message="cut \ud83d", score=1.0),
        Row("b", "depth", "p", "correct", score=1.0),
    ]
    write_run(Run(rows), tmp_path, root="caf\udce9")
    lines = (tmp_path / "samples.jsonl").read_text("utf-8").split("\n")
    assert [json.loads(line)["message"] for line in lines if line] == ["cut \ud83d", ""]
    assert json.loads((tmp_path / "run.json").read_text("utf-8"))["root"] == "caf\udce9"
