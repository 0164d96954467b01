"""How a benchmark on the Hub is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.benchmark import open_benchmark
from provise.benchmark.place import is_folder, locate
from provise.errors import InputError
from provise.hub.address import Address, is_address, parse_address

WORD = st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9_.]{0,8}[A-Za-z0-9])?", fullmatch=True).filter(
    lambda text: ".." not in text
)


@given(WORD, WORD, WORD)
def test_every_part_is_found_again(namespace: str, name: str, revision: str) -> None:
    assert parse_address(f"hf:{namespace}/{name}") == Address(f"{namespace}/{name}", "main")
    found = parse_address(f"hf:{namespace}/{name}@{revision}")
    assert (found.repository, found.revision, found.name) == (f"{namespace}/{name}", revision, name)
    assert parse_address(f"{found.origin}@{revision}") == found


@pytest.mark.parametrize(
    "text",
    [
        "hf:",
        "hf:name",
        "hf:a/b/c",
        "hf:../x",
        "hf:a/..",
        "hf:a/b@",
        "hf:a/b@../x",
        "hf:a/b@-x",
        "hf:a b/c",
        "hf:a/b--c",
        "hf:/b",
        "hf:a/.b",
    ],
)
def test_another_form_is_refused_before_anything_is_asked(text: str) -> None:
    with pytest.raises(InputError, match=r"expected NAMESPACE/NAME|no revision"):
        parse_address(text)


def test_the_published_release_has_a_short_name() -> None:
    assert parse_address("spatialgen-bench").repository == "wx91726/SpatialGen-Bench"
    assert parse_address("hf:a/b@refs/pr/3").revision == "refs/pr/3"


def test_folders_are_folders(tmp_path: Path) -> None:
    for named in ("./spatialgen-bench", "./synth", tmp_path, tmp_path / "hf", Path("spatialgen-bench")):
        assert not is_address(named)
        assert is_folder(named)
        assert locate(named).folder == Path(named)
    assert is_address(Path("hf:a/b"))
    assert not is_folder("synth")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://huggingface.co/datasets/some/Bench", "hf:some/Bench"),
        ("huggingface.co/datasets/some/Bench/tree/refs/pr/4?x=1", "hf:some/Bench@refs/pr/4"),
        ("HF:some/Bench@v2", "hf:some/Bench@v2"),
        ("hf://datasets/some/Bench", "hf:some/Bench"),
        ("hf: some/Bench ", "hf:some/Bench"),
        ("SpatialGen-BENCH", "spatialgen-bench"),
    ],
)
def test_another_spelling_is_told_the_right_one(text: str, address: str) -> None:
    with pytest.raises(InputError, match=rf"a benchmark on the Hub is named {re.escape(address)}$"):
        open_benchmark(text)


@pytest.mark.parametrize("text", ["some/where", "hf:../x", "hf:a/b@-x", "hf:", "https://example.org/datasets/a/b"])
def test_nothing_is_guessed_where_nothing_looks_like_an_address(text: str) -> None:
    with pytest.raises(InputError) as raised:
        open_benchmark(text)
    assert "a benchmark on the Hub" not in str(raised.value)
