"""A push checks, shows what would change, and changes that in one commit."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from provise.errors import InputError
from provise.hub.push import check_tree
from provise.hub.tree import build_tree
from tests.hub.conftest import Client
from tests.mini import make_mini


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of a sound benchmark."""
    monkeypatch.setenv("PROVISE_CACHE", str(tmp_path / "cache"))
    folder = make_mini(tmp_path / "mini", 2)
    rows = sorted((folder / "rows.jsonl").read_text().splitlines(), key=lambda line: json.loads(line)["task"])
    (folder / "rows.jsonl").write_text("\n".join(rows))
    build_tree(folder, tmp_path / "tree")
    return tmp_path / "tree"


@pytest.mark.slow
def test_a_push_shows_and_does_what_changed_alone(hub: Client, tree: Path) -> None:
    push = ("benchmark", "push", str(tree), "--to", "somebody/Mini")
    dry = hub.provise(*push, "--dry-run", HF_TOKEN="")
    assert dry.returncode == 0, dry.stderr
    assert "a new repository" in dry.stdout
    assert "+ data/depth/test-00000-of-00001.parquet" in dry.stdout
    assert "dry run: nothing was changed" in dry.stdout
    assert not any(request.startswith("POST") for request in hub.hub.log)
    first = hub.provise(*push)
    assert first.returncode == 0, first.stderr
    folder = hub.hub.root / "datasets" / "somebody" / "Mini"
    assert f"pushed: {hub.hub.url}/datasets/somebody/Mini" in first.stdout
    assert {path.name for path in folder.iterdir()} == {
        ".gitattributes",
        "README.md",
        "benchmark.yaml",
        "data",
        "spatialgen_bench.py",
    }
    assert "nothing to change" in hub.provise(*push).stdout

    (folder / "LICENSE").write_text("mine")
    rows = [
        line for line in (tree.parent / "mini" / "rows.jsonl").read_text().splitlines() if '"task": "depth"' not in line
    ]
    (tree.parent / "mini" / "rows.jsonl").write_text("\n".join(rows))
    build_tree(tree.parent / "mini", tree, replaced=True)
    hub.hub.heal()
    third = json.loads(hub.provise(*push, "--json").stdout)
    kinds = {change["path"]: change["kind"] for change in third["changes"]["files"]}
    assert kinds["data/depth/test-00000-of-00001.parquet"] == "removed"
    assert kinds["LICENSE"] == kinds[".gitattributes"] == "left alone"
    changed = sorted(path for path, kind in kinds.items() if kind == "changed")
    assert changed == ["README.md", "spatialgen_bench.py"]
    assert not (folder / "data" / "depth").exists()
    assert (folder / "data" / "counting").is_dir()
    assert (folder / "LICENSE").read_text() == "mine"
    assert not any(request.startswith("PUT") for request in hub.hub.log)
    assert third["pushed"]["benchmark"] == f"hf:somebody/Mini@{third['pushed']['revision']}"


@pytest.mark.slow
def test_a_pull_request_leaves_main_alone(hub: Client, tree: Path) -> None:
    push = ("benchmark", "push", str(tree), "--to", "somebody/Mini", "--create-pr")
    none = hub.provise(*push)
    assert none.returncode == 2
    assert "no such repository to propose a change to" in none.stderr
    folder = hub.hub.root / "datasets" / "somebody" / "Mini"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("---\n{}\n---\n")
    done = hub.provise(*push)
    assert f"pushed: {hub.hub.url}/datasets/somebody/Mini/discussions/1" in done.stdout, done.stderr
    assert [path.name for path in folder.iterdir()] == ["README.md"]
    shown = hub.provise("benchmark", "show", "hf:somebody/Mini@refs/pr/1", "--json")
    assert json.loads(shown.stdout)["rows"] == 14


@pytest.mark.slow
def test_a_card_that_the_hub_refuses_is_named(hub: Client, tree: Path) -> None:
    text = (tree / "README.md").read_text()
    (tree / "README.md").write_text(text.replace("license_name: not stated\n", ""))
    done = hub.provise("benchmark", "push", str(tree), "--to", "somebody/Mini")
    assert done.returncode == 2
    assert "the Hub refuses the card README.md" in done.stderr
    assert "license_name" in done.stderr


def test_a_benchmark_that_fails_its_check_is_not_pushed(tmp_path: Path, tree: Path) -> None:
    folder = make_mini(tmp_path / "bad", 1)
    lines = (folder / "rows.jsonl").read_text().replace('"answer": "A"', '"answer": "Q"')
    (folder / "rows.jsonl").write_text(lines)
    build_tree(folder, tmp_path / "bad-tree")
    with pytest.raises(InputError, match=r"fails its check with \d+ errors?, so it is not pushed: \S+.*Q"):
        check_tree(tmp_path / "bad-tree", "somebody/Mini")
    assert check_tree(tree, "somebody/Mini").ok


def test_what_is_no_tree_is_told_how_to_become_one(tmp_path: Path, tree: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        check_tree(tmp_path / "none")
    with pytest.raises(InputError, match=r"no README\.md in it; make the tree with"):
        check_tree(tmp_path / "mini")
    (tmp_path / "mini" / "README.md").write_text("---\nlicense: mit\n---\n")
    with pytest.raises(InputError, match="build hub --from"):
        check_tree(tmp_path / "mini")
    shutil.rmtree(tree / "data" / "depth")
    with pytest.raises(InputError, match=r"config 'all'.*data/depth/test-\*\.parquet.*no such file"):
        check_tree(tree)
    (tree / "data" / "new").mkdir()
    (tree / "data" / "new" / "test-00000-of-00001.parquet").write_bytes(b"")
    (tree / "README.md").write_text("---\nconfigs: []\n---\n")
    with pytest.raises(InputError, match=r"data/affordance.* is in no config"):
        check_tree(tree)
    (tree / "README.md").write_text("no head")
    with pytest.raises(InputError, match="has no head"):
        check_tree(tree)


@pytest.mark.parametrize(
    "files",
    ["data/*/*.parquet", ["data/*/*.parquet"], {"test": "data/*/*.parquet"}, [{"split": "test", "path": "data/**"}]],
)
def test_configs_may_be_written_in_any_form_that_a_card_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: Any
) -> None:
    monkeypatch.setenv("PROVISE_CACHE", str(tmp_path / "cache"))
    build_tree(make_mini(tmp_path / "mini", 1), tmp_path / "tree")
    page = tmp_path / "tree" / "README.md"
    for written in (files, 5, [{"split": "test"}], [5]):
        page.write_text(f"---\n{yaml.safe_dump({'configs': [{'config_name': 'all', 'data_files': written}]})}---\n")
        if written is files:
            assert check_tree(tmp_path / "tree").ok
        else:
            with pytest.raises(InputError, match=r"is in no config|there is no such file"):
                check_tree(tmp_path / "tree")


def test_a_link_that_leaves_the_tree_is_not_pushed(hub: Client, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "private.txt").write_text("mine")
    (tree / "notes.txt").symlink_to(tmp_path / "private.txt")
    for more in (["--dry-run"], []):
        done = hub.provise("benchmark", "push", str(tree), "--to", "somebody/Mini", *more)
        assert (done.returncode, "notes.txt: it is a link to" in done.stderr) == (2, True), done.stderr
    assert not [request for request in hub.hub.log if request.startswith("POST")]
    (tree / "notes.txt").unlink()
    (tree / "inside.md").symlink_to("README.md")
    assert hub.provise("benchmark", "push", str(tree), "--to", "somebody/Mini", "--dry-run").returncode == 0
