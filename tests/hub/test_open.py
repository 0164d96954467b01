"""``hf:NAMESPACE/NAME`` is a benchmark like any other: same rows, same pictures, same scores, with or without a network."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from provise.benchmark import open_benchmark
from provise.hub.tree import build_tree
from tests.hub.conftest import Client
from tests.mini import make_mini

BENCH = "hf:somebody/Mini"


def publish(client: Client, tree: Path, name: str = "somebody/Mini") -> Path:
    """Put a folder on the Hub."""
    return Path(shutil.copytree(tree, client.hub.root / "datasets" / name, dirs_exist_ok=True))


def shown(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    """Return what ``benchmark show --json`` printed."""
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture
def mini(hub: Client, tmp_path: Path) -> Path:
    """A benchmark folder whose tree is on the Hub."""
    folder = make_mini(tmp_path / "mini", 1)
    build_tree(folder, tmp_path / "tree")
    publish(hub, tmp_path / "tree")
    return folder


def test_it_is_the_same_benchmark_and_is_fetched_once(hub: Client, mini: Path) -> None:
    digest = open_benchmark(mini).digest
    first = hub.provise("benchmark", "show", BENCH, "--json")
    assert shown(first)["digest"] == digest
    assert "fetching hf:somebody/Mini" in first.stderr
    hub.hub.heal()
    again = hub.provise("benchmark", "show", BENCH, "--json")
    assert shown(again) == shown(first)
    assert again.stderr == ""
    assert hub.hub.log == ["GET /api/datasets/somebody/Mini/revision/main"]
    assert not [path for path in (hub.home / "provise").rglob("*") if path.is_symlink() or "download" in path.name]


@pytest.mark.slow
def test_scores_are_those_of_the_folder_and_the_run_tells_the_commit(hub: Client, mini: Path, tmp_path: Path) -> None:
    system = ("--system", "draughtsman?accuracy=.6&seed=3", "--json")
    for name, named in (("folder", str(mini)), ("hub", BENCH)):
        done = hub.provise("run", "--benchmark", named, *system, "--out", str(tmp_path / name))
        assert done.returncode == 0, done.stderr
        scored = hub.provise(
            "score",
            "--benchmark",
            named,
            "--responses",
            str(tmp_path / name / "responses"),
            "--out",
            str(tmp_path / f"{name}-s"),
        )
        assert scored.returncode == 1, scored.stderr  # answers are named by digest there: every one is missing
    for file in ("samples.jsonl", "summary.json"):
        assert (tmp_path / "folder" / file).read_bytes() == (tmp_path / "hub" / file).read_bytes()
        assert (tmp_path / "folder-s" / file).read_bytes() == (tmp_path / "hub-s" / file).read_bytes()
    one, two, three = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("folder", "hub", "hub-s"))
    assert one["digest"] == two["digest"] == three["digest"]
    assert (one["origin"], one["revision"]) == (None, None)
    assert (two["origin"], two["revision"]) == (three["origin"], three["revision"]) == (BENCH, two["revision"])
    assert len(two["revision"]) == 40


@pytest.mark.slow
def test_a_revision_is_what_it_was(hub: Client, mini: Path, tmp_path: Path) -> None:
    before = shown(hub.provise("benchmark", "show", BENCH, "--json"))
    build_tree(make_mini(tmp_path / "more", 2), tmp_path / "tree2")
    publish(hub, tmp_path / "tree2")
    after = shown(hub.provise("benchmark", "show", BENCH, "--json"))
    assert (before["rows"], after["rows"]) == (7, 14)
    assert before["revision"] != after["revision"]
    assert shown(hub.provise("benchmark", "show", f"{BENCH}@{before['revision']}", "--json")) == before
    hub.hub.heal()
    assert shown(hub.provise("benchmark", "show", f"{BENCH}@{before['revision']}", "--json")) == before
    assert hub.hub.log == []  # a commit cannot change: nothing is asked
    # `main` moved on, and a tool that is offline still knows the last commit of it.
    assert shown(hub.provise("benchmark", "show", BENCH, "--json", HF_HUB_OFFLINE="1")) == after


def test_without_a_network_the_last_copy_serves_and_says_so(hub: Client, mini: Path) -> None:
    before = shown(hub.provise("benchmark", "show", BENCH, "--json"))
    offline = hub.provise("benchmark", "show", BENCH, "--json", HF_HUB_OFFLINE="1")
    assert shown(offline) == before
    assert "HF_HUB_OFFLINE is set" in offline.stderr
    assert "fetched before" in offline.stderr
    gone = hub.provise("benchmark", "show", BENCH, "--json", HF_ENDPOINT="http://127.0.0.1:9")
    assert shown(gone) == before
    assert "the connection failed" in gone.stderr


@pytest.mark.slow
def test_without_a_network_and_a_copy_it_is_refused(hub: Client) -> None:
    done = hub.provise("benchmark", "check", BENCH, HF_HUB_OFFLINE="1")
    assert done.returncode == 2
    assert "HF_HUB_OFFLINE is set" in done.stderr
    assert "was not fetched before" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["imagefolder", "flat"])
def test_other_layouts_open_too(hub: Client, tmp_path: Path, layout: str) -> None:
    folder = make_mini(tmp_path / "mini", 1)
    if layout == "flat":
        (folder / "setup.py").write_text("raise SystemExit('never run')")
        (folder / "README.md").write_text("# Mini\n")
        publish(hub, folder, "somebody/Flat.Bench")
    else:
        build_tree(folder, tmp_path / "tree", layout=layout)
        publish(hub, tmp_path / "tree", "somebody/Flat.Bench")
    found = shown(hub.provise("benchmark", "show", "hf:somebody/Flat.Bench", "--json"))
    assert found["rows"] == 7
    assert found["name"] == ("Flat.Bench" if layout == "flat" else "mini")
    if layout == "flat":
        assert found["digest"] == open_benchmark(folder).digest
        assert not any("setup.py" in request for request in hub.hub.log if "resolve" in request)
    checked = hub.provise("benchmark", "check", "hf:somebody/Flat.Bench")
    assert checked.returncode == 0, checked.stdout


@pytest.mark.slow
def test_several_jobs_at_once_fetch_it_once(hub: Client, mini: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: hub.provise("benchmark", "show", BENCH, "--json"), range(4)))
    assert len({json.dumps(shown(done)) for done in found}) == 1
    fetched = [request for request in hub.hub.log if request.startswith("GET") and "resolve" in request]
    assert len(fetched) == len(set(fetched))


def test_opening_costs_no_heavy_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys, provise.cli\nassert 'huggingface_hub' not in sys.modules and 'pyarrow' not in sys.modules\n"
        f"import provise; provise.open_benchmark({str(make_mini(tmp_path / 'mini', 1))!r})\n"
        "assert not {'huggingface_hub', 'pyarrow', 'datasets'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**__import__("os").environ}
    )
    assert done.returncode == 0, done.stderr
