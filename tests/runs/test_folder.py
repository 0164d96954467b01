"""A run's folder: what is kept in it is whole, and is what was read."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from provise.runs.folder import is_ended, keep_response, store_response
from provise.runs.run import run
from provise.scoring import Response
from tests.drawing import photo, png
from tests.mini import make_mini


def test_the_same_answer_of_many_threads_at_once_is_kept_once_and_whole(tmp_path: Path) -> None:
    data = png(photo(3, (640, 480)))
    (tmp_path / "responses").mkdir()
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: store_response(tmp_path, data), range(64)))
    assert found == {(hashlib.sha256(data).hexdigest(), f"responses/{hashlib.sha256(data).hexdigest()}.png")}
    assert [path.read_bytes() for path in (tmp_path / "responses").iterdir()] == [data]


def test_a_file_that_changed_after_it_was_read_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "responses").mkdir()
    answer = tmp_path / "q1.png"
    answer.write_bytes(png(photo(1, (160, 120))))
    read = hashlib.sha256(answer.read_bytes()).hexdigest()
    answer.write_bytes(png(photo(2, (160, 120))))
    keep_response(tmp_path, Response(image=answer), read)
    keep_response(tmp_path, Response(image=tmp_path / "gone.png"), read)
    assert not list((tmp_path / "responses").iterdir())
    keep_response(tmp_path, Response(text="half a character: \ud800"), "")
    (kept,) = (tmp_path / "responses").iterdir()
    assert kept.suffix == ".txt"


@pytest.mark.parametrize("name", ["a.png", "a.jpg"])
def test_a_picture_that_was_cut_short_is_told_from_a_whole_one(name: str, tmp_path: Path) -> None:
    import cv2

    data = cv2.imencode(Path(name).suffix, photo(4, (160, 120)))[1].tobytes()
    for length in (0, 3, len(data) // 2, len(data) - 1):
        (tmp_path / name).write_bytes(data[:length])
        assert not is_ended(tmp_path / name)
    (tmp_path / name).write_bytes(data)
    assert is_ended(tmp_path / name)
    assert not is_ended(tmp_path / "gone.png")


@pytest.mark.parametrize("harm", ["gone", "short"])
def test_what_a_crash_left_of_a_reading_is_made_again(harm: str, tmp_path: Path) -> None:
    mini = make_mini(tmp_path / "mini", 1)
    run(mini, "draughtsman?accuracy=1", tmp_path / "run", jobs=1)
    pictures = {path: path.read_bytes() for path in (tmp_path / "run" / "evidence").iterdir()}
    assert {path.suffix for path in pictures} == {".jpg", ".png"}
    for path, data in pictures.items():
        path.unlink() if harm == "gone" else path.write_bytes(data[: len(data) // 2])
    run(mini, "draughtsman?accuracy=1", tmp_path / "run", jobs=1)
    assert {path: path.read_bytes() for path in pictures} == pictures
