"""The holes' numbers by OCR: only where it was asked for, named, the same each time, and nobody's fault where absent."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from provise.errors import MissingDependencyError, ProtocolError
from provise.ops import ocr
from provise.ops.numbers import find_row
from provise.protocol import open_protocol
from provise.reading import read
from tests.drawing import png
from tests.ops.test_holes import box, draw

BY_OCR = {"numbers": "rapidocr"}


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the package look as if it were not installed."""
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    ocr._engine.cache_clear()


def test_the_built_in_reader_is_the_default_and_says_so() -> None:
    source = box(6)
    found = read("trajectory_endpoint", draw(source, 3, 6), source=source, aids={"holes": 6})
    assert found.reader == "deterministic"
    assert found.evidence["numbers"]["endpoint"]["number_reader"] == "built-in"


def test_another_reader_is_another_protocol_in_every_record() -> None:
    plain, by_ocr = open_protocol("trajectory_endpoint"), open_protocol("trajectory_endpoint", **BY_OCR)
    assert (plain.reader, by_ocr.reader) == ("deterministic", "deterministic:rapidocr")
    assert plain.fingerprint != by_ocr.fingerprint
    with pytest.raises(ProtocolError, match="built-in"):
        open_protocol("trajectory_endpoint", numbers="tesseract")


def test_without_the_package_the_call_is_refused_and_not_the_answer(absent: None) -> None:
    source = box(6)
    with pytest.raises(MissingDependencyError, match=r"provise\[ocr\]"):
        read(open_protocol("trajectory_endpoint", **BY_OCR), draw(source, 3, 6), source=source, aids={"holes": 6})


def test_a_run_without_the_package_is_refused_before_it_starts(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png(box(6)))
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "p1.png").write_bytes(png(draw(box(6), 3, 6)))
    row = {
        "id": "p1", "capability": "reasoning", "task": "prediction", "image_path": "a.png", "media_paths": ["a.png"],
        "question": "Which hole?", "answer": "3", "answer_type": "integer", "choices": [], "mask_path": "",
        "source": "x", "source_id": "p1", "metadata_json": '{"holes": 6}',
    }  # fmt: skip
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n")
    # As an import that fails: the test means the same where the package is installed.
    program = "import sys; sys.modules['rapidocr'] = None; from provise.cli import main; main()"
    call = ["score", "-b", str(tmp_path), "-r", str(tmp_path / "answers")]
    asked = [*call, "--set", "trajectory_endpoint.numbers=rapidocr"]
    done = subprocess.run([sys.executable, "-c", program, *asked], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "prediction" in done.stderr
    assert "provise[ocr]" in done.stderr
    # Who asked for nothing gets the built-in reader, whatever is installed.
    plain = subprocess.run([sys.executable, "-c", program, *call], capture_output=True, text=True, check=False)
    assert plain.returncode == 0, plain.stderr
    assert "100.00" in plain.stdout


def test_each_number_of_the_row_is_given_to_the_reader_with_its_margin_and_without_marks() -> None:
    picture, seen = box(5), []

    def reader(crop: np.ndarray) -> int | None:
        seen.append(crop)
        return None

    hidden = np.zeros(picture.shape[:2], np.uint8)
    hidden[:, :330] = 255  # the first numbers are covered whole, and are not seen as numbers
    row = find_row(picture, hidden, read=reader)
    assert row is not None
    assert {n.value for n in row.numbers} == {None}
    assert len(seen) >= len(row.numbers)
    for number in row.numbers:
        assert any(abs(crop.shape[0] - 1.7 * number.height) <= 3 for crop in seen)


class TestInstalled:
    """What the real package does; skipped where it is not installed."""

    @pytest.fixture(autouse=True)
    def installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import socket

        pytest.importorskip("rapidocr", reason="needs provise[ocr]")

        def refused(*_: object, **__: object) -> None:
            raise AssertionError("the network was asked")

        monkeypatch.setattr(socket.socket, "connect", refused)
        monkeypatch.setattr(socket, "getaddrinfo", refused)
        ocr._engine.cache_clear()

    @pytest.mark.parametrize("number", [1, 4, 7, 9, 10, 12])
    def test_a_printed_number_is_read_without_a_network(self, number: int) -> None:
        image = Image.new("RGB", (80, 60), (210, 200, 180))
        ImageDraw.Draw(image).text((25, 15), str(number), fill=(20, 20, 30), font=ImageFont.load_default(28))
        assert ocr.read_number(np.asarray(image)) == number

    @pytest.mark.parametrize("text", ["", "A", "1a", "x3", "-2"])
    def test_what_is_no_number_is_none(self, text: str) -> None:
        image = Image.new("RGB", (100, 60), "white")
        ImageDraw.Draw(image).text((25, 15), text, fill="black", font=ImageFont.load_default(28))
        assert ocr.read_number(np.asarray(image)) is None

    @pytest.mark.parametrize("holes", [3, 7, 12])
    def test_the_circled_hole_by_ocr(self, holes: int) -> None:
        source, protocol = box(holes), open_protocol("trajectory_endpoint", **BY_OCR)
        for index in (1, holes // 2 + 1, holes):
            found = read(protocol, draw(source, index, holes), source=source, aids={"holes": holes})
            assert found.prediction == {"index": index, "count": holes}, found
            assert found.reader == "deterministic:rapidocr"
            assert found.evidence["numbers"]["endpoint"]["number_reader"].startswith("rapidocr ")

    def test_two_processes_read_the_same(self, tmp_path: Path) -> None:
        (tmp_path / "s.png").write_bytes(png(box(7)))
        (tmp_path / "a.png").write_bytes(png(draw(box(7), 4, 7)))
        args = ["read", str(tmp_path / "a.png"), "-p", "trajectory_endpoint", "-s", str(tmp_path / "s.png")]
        args += ["--aid", "holes=7", "--set", "numbers=rapidocr", "--json"]
        runs = [
            subprocess.run([sys.executable, "-m", "provise", *args], capture_output=True, check=True) for _ in range(2)
        ]
        assert runs[0].stdout == runs[1].stdout
        assert json.loads(runs[0].stdout)["prediction"] == {"index": 4, "count": 7}
