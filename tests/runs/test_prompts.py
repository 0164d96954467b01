"""What a model is shown: the current view first, and nothing of the truth among the pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provise.aids import public_media
from provise.protocol.route import open_route
from provise.runs.prompts import prompt_rows
from provise.sample import Sample
from tests.drawing import photo, png

VIEWS = ("now.png", "next_a.png", "next_b.png", "secret.png")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for seed, name in enumerate(VIEWS):
        (tmp_path / name).write_bytes(png(photo(seed, (160, 120))))
    return tmp_path


def shown(root: Path, task: str, **more: object) -> list[str]:
    row: dict[str, object] = {
        "id": "s",
        "task": task,
        "image_path": "now.png",
        "question": "Where?",
        "answer": "A",
        **more,
    }
    metadata = row.pop("metadata", {})
    sample = Sample.from_row({**row, "metadata_json": json.dumps(metadata)}, root=root)
    rows, problems = prompt_rows([sample], open_route("spatialgen-bench"), root)
    assert problems == []
    images = [str(image) for image in rows[0]["images"]]
    inputs = open_route("spatialgen-bench").protocol(task).spec.inputs
    assert [path.name for path in public_media(sample.public(), inputs)] == images
    return images


@pytest.mark.parametrize("key", ["media_paths", "file_names", "images"])
def test_the_current_view_comes_first_where_an_option_was_listed_before_it(root: Path, key: str) -> None:
    listed = ["next_b.png", "now.png", "next_a.png"]
    more = {"media_paths": listed} if key == "media_paths" else {"metadata": {key: listed}}
    assert shown(root, "navigation", choices=["a", "b"], **more) == ["now.png", "next_b.png", "next_a.png"]
    assert shown(root, "counting", **more) == ["now.png"]


@pytest.mark.parametrize("key", ["media_paths", "file_names", "images"])
@pytest.mark.parametrize(
    ("mask", "listed"), [("secret.png", "./secret.png"), ("./secret.png", "secret.png"), ("secret.png", "secret.png")]
)
def test_a_mask_is_never_among_the_pictures_however_its_path_is_written(
    root: Path, key: str, mask: str, listed: str
) -> None:
    names = ["now.png", listed, "next_a.png"]
    more = {"media_paths": names} if key == "media_paths" else {"metadata": {key: names}}
    assert shown(root, "multihop", mask_path=mask, choices=list("wxyz"), **more) == ["now.png", "next_a.png"]


def test_a_picture_that_is_not_there_or_none_is_told_in_words(root: Path) -> None:
    (root / "words.png").write_text("no picture")
    samples = [
        Sample.from_row({"id": name, "task": "counting", "image_path": f"{name}.png", "answer": "1"}, root=root)
        for name in ("gone", "words", "now")
    ]
    rows, problems = prompt_rows(samples, open_route("spatialgen-bench"), root)
    assert [row["id"] for row in rows] == ["now"]
    assert problems[0].startswith("gone: there is no picture 'gone.png'")
    assert problems[1].startswith("words:")
    assert "is no picture that can be opened" in problems[1]
    assert "Errno" not in " ".join(problems)
