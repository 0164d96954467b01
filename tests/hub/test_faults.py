"""What goes wrong between here and the Hub is told in a sentence, and leaves nothing half done."""

from __future__ import annotations

from pathlib import Path

import pytest

from provise.benchmark import open_benchmark
from provise.hub.tree import build_tree
from tests.hub.conftest import Client
from tests.hub.server import READER
from tests.hub.test_open import BENCH, publish, shown
from tests.mini import make_mini

LISTING = "GET /api/datasets"
FILE = r"resolve/.*counting"
COMMIT = "POST .*/commit/"


@pytest.fixture
def tree(hub: Client, tmp_path: Path) -> Path:
    """A tree beside a Hub that does not have it yet."""
    build_tree(make_mini(tmp_path / "mini", 1), tmp_path / "tree")
    return tmp_path / "tree"


@pytest.mark.parametrize(
    ("where", "kind", "told"),
    [
        (LISTING, 401, "no such repository|401, the token"),
        (LISTING, 404, "404, there is no such repository"),
        (LISTING, 429, "429, too many requests; try again in 1 seconds"),
        (LISTING, 500, "the Hub failed with 500; try again later"),
        (LISTING, "cut", "the connection failed"),
        (FILE, 401, "401, the token"),
        (FILE, 403, "403, the token may not"),
        (FILE, 404, "404"),
        pytest.param(FILE, 429, "429, too many requests", marks=pytest.mark.slow),
        pytest.param(FILE, 500, "the Hub failed with 500", marks=pytest.mark.slow),
        pytest.param(FILE, "cut", "the connection failed", marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_opening_fails_in_one_sentence_and_works_when_the_hub_does(
    hub: Client, tree: Path, where: str, kind: int | str, told: str
) -> None:
    import re

    publish(hub, tree)
    hub.hub.fail(where, kind)
    done = hub.provise("benchmark", "show", BENCH, "--json")
    assert done.returncode == 2
    (last,) = [line for line in done.stderr.splitlines() if line.startswith("error:")]
    assert re.search(told, last), last
    assert "hf:somebody/Mini" in last
    assert "Traceback" not in done.stderr
    hub.hub.heal()
    assert (
        shown(hub.provise("benchmark", "show", BENCH, "--json"))["digest"]
        == open_benchmark(tree.parent / "mini").digest
    )


@pytest.mark.slow
def test_faults_that_pass_are_not_even_seen(hub: Client, tree: Path) -> None:
    publish(hub, tree)
    hub.hub.fail(f"GET .*{FILE}", "cut", times=1)
    hub.hub.fail(r"HEAD .*resolve/.*depth", 500, times=1)
    hub.hub.fail(r"HEAD .*resolve/.*grounding", 429, times=1)
    assert shown(hub.provise("benchmark", "show", BENCH, "--json"))["rows"] == 7


@pytest.mark.slow
def test_a_repository_or_revision_that_is_not_there(hub: Client, tree: Path) -> None:
    publish(hub, tree)
    none = hub.provise("benchmark", "show", "hf:somebody/Other")
    assert "there is no such repository, or it is private" in none.stderr
    revision = hub.provise("benchmark", "show", f"{BENCH}@v9")
    assert "no such revision" in revision.stderr
    (hub.hub.root / "datasets" / "somebody" / "Empty").mkdir()
    (hub.hub.root / "datasets" / "somebody" / "Empty" / "README.md").write_text("nothing")
    empty = hub.provise("benchmark", "show", "hf:somebody/Empty")
    assert "no benchmark: it has neither" in empty.stderr
    assert {none.returncode, revision.returncode, empty.returncode} == {2}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "kind", "told"),
    [
        (COMMIT, 401, "401, the token"),
        (COMMIT, 403, "403, the token may not"),
        (COMMIT, 404, "404"),
        (COMMIT, 429, "429, too many requests"),
        (COMMIT, 500, "the Hub failed with 500"),
        (COMMIT, "cut", "the connection failed"),
        ("PUT /large", 403, "403"),
        ("POST /api/repos/create", 403, "403, the token may not"),
    ],
)
def test_a_push_that_fails_leaves_the_repository_as_it_was(
    hub: Client, tree: Path, where: str, kind: int | str, told: str
) -> None:
    hub.hub.fail(where, kind)
    done = hub.provise("benchmark", "push", str(tree), "--to", "somebody/Mini")
    assert done.returncode == 2, done.stdout
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    folder = hub.hub.root / "datasets" / "somebody" / "Mini"
    if kind != "cut":  # the commit was made there before the answer was lost
        assert not (folder / "data").exists()
    hub.hub.heal()
    again = hub.provise("benchmark", "push", str(tree), "--to", "somebody/Mini")
    assert again.returncode == 0, again.stderr
    assert (folder / "data" / "depth").is_dir()


@pytest.mark.slow
def test_a_push_needs_a_token_that_may_write(hub: Client, tree: Path) -> None:
    push = ("benchmark", "push", str(tree), "--to", "somebody/Mini")
    assert "no token; log in with `hf auth login`" in hub.provise(*push, HF_TOKEN="").stderr
    assert "403, the token may not" in hub.provise(*push, HF_TOKEN=READER).stderr
    assert "401, the token is missing or not valid" in hub.provise(*push, HF_TOKEN="hf_old").stderr
    assert "HF_HUB_OFFLINE is set" in hub.provise(*push, HF_HUB_OFFLINE="1").stderr
    assert not (hub.hub.root / "datasets").exists()
