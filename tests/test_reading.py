"""Reading one picture: statuses, determinism, and a truth that is never looked at."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from provise.protocol import names, open_protocol
from provise.reading import read
from provise.sample import Sample
from tests.drawing import GREEN, disc, flat, jpeg, photo, png

DETERMINISTIC = [name for name in names() if not open_protocol(name).spec.auxiliary]
AIDS = {"start": [0.2, 0.3], "coordinates": [[0.3, 0.3], [0.6, 0.6]], "holes": 5}


@pytest.mark.parametrize("name", DETERMINISTIC)
@pytest.mark.parametrize("data", [b"", b"x", b"<html>not found</html>", b"\x89PNG\r\n\x1a\n", png(photo(1))[:400]])
def test_bytes_that_are_no_picture_are_a_generation_failure(name: str, data: bytes) -> None:
    found = read(name, data, source=photo(1), aids=AIDS, choices=list("abcd"), media=[photo(1), photo(2), photo(3)])
    assert (found.status, found.prediction) == ("generation_failure", None)


@pytest.mark.parametrize("name", DETERMINISTIC)
@pytest.mark.parametrize("colour", [(0, 0, 0), (255, 255, 255), (90, 140, 200)])
def test_a_blank_canvas_is_refused(name: str, colour: tuple[int, int, int]) -> None:
    views = [photo(1), photo(2), photo(3), photo(4), photo(5)]
    found = read(name, flat(colour), aids=AIDS, choices=list("abcd"), media=views)
    assert (found.status, found.prediction) == ("noncompliant", None)


@pytest.mark.parametrize("name", DETERMINISTIC)
def test_the_source_handed_back_is_refused(name: str) -> None:
    views = [photo(1), photo(2), photo(3), photo(4), photo(5)]
    for answer in (photo(1), jpeg(photo(1), 75)):
        found = read(name, answer, aids=AIDS, choices=list("abcd"), media=views)
        assert (found.status, found.reason) == ("noncompliant", "source_returned")


def test_a_missing_source_file_is_the_benchmarks_fault(tmp_path: Path) -> None:
    found = read("point_marker", photo(1), source=tmp_path / "none.png")
    assert found.status == "data_error"


def test_a_sample_brings_its_source_and_options(tmp_path: Path) -> None:
    source = photo(1)
    (tmp_path / "a.png").write_bytes(png(source))
    sample = Sample("s", "perception", "counting", "a.png", ("a.png",), answer="2", root=tmp_path)
    answer = source.copy()
    for x in (100, 400):
        disc(answer, x, 200, 15, GREEN)
    assert read("instance_marking", answer, sample).prediction == 2
    poisoned = replace(sample, answer="77", mask_path="nowhere.png", source_id="2")
    assert read("instance_marking", answer, poisoned).to_dict() == read("instance_marking", answer, sample).to_dict()


def test_two_processes_read_the_same(tmp_path: Path) -> None:
    source, answer = photo(1), photo(1)
    for x in (100, 300, 500):
        disc(answer, x, 200, 13, GREEN)
    (tmp_path / "s.png").write_bytes(png(source))
    (tmp_path / "a.jpg").write_bytes(jpeg(answer, 60))
    code = (
        "import json, sys; from provise.reading import read;"
        "print(json.dumps(read('instance_marking', sys.argv[1], source=sys.argv[2]).to_dict()))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "a.jpg"), str(tmp_path / "s.png")]
    first, second = (subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2))
    assert first == second
    assert json.loads(first)["prediction"] == 3


def test_an_array_and_its_file_read_the_same() -> None:
    source, answer = photo(1), photo(1)
    disc(answer, 200, 200, 13, GREEN)
    by_array, by_file = (
        read("instance_marking", answer, source=source),
        read("instance_marking", png(answer), source=png(source)),
    )
    assert by_array.prediction == by_file.prediction == 1
    assert by_array.evidence == by_file.evidence


def test_an_exception_in_a_reader_is_a_parser_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    from provise.ops import points

    def broken(*_: object) -> None:
        raise ValueError("no moments")

    monkeypatch.setattr(points, "_check_compact", broken)
    answer = photo(1)
    disc(answer, 200, 200, 13, (0, 255, 255))
    found = read("point_marker", answer, source=photo(1))
    assert (found.status, found.reason) == ("parser_failure", "reader_error")
    assert "no moments" in found.message


def test_without_a_source_marks_are_read_by_colour_alone() -> None:
    answer = np.full((480, 640, 3), 240, np.uint8)
    disc(answer, 200, 100, 13, GREEN)
    assert read("instance_marking", answer).prediction == 1
