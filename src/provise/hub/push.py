"""Push a tree to the Hub: check it, show what would change, upload it as one commit."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provise.errors import InputError
from provise.hub.address import parse_repository
from provise.hub.card import SCRIPT
from provise.hub.fetch import unpacked
from provise.hub.imagefolder import METADATA
from provise.hub.tree import card_of
from provise.hub.trouble import HubError, explained
from provise.hub.unpack import layout_of

if TYPE_CHECKING:
    from provise.benchmark.finding import Report

__all__ = ["Change", "Changes", "Pushed", "changes_of", "check_tree", "push_tree"]

OURS = "data/"
"""Files of the repository below here go away where the tree has none of their name; others are left alone."""


@dataclass(frozen=True)
class Change:
    """One file: its path, its size in bytes, and what happens to it.

    Attributes
    ----------
    path : str
        In the repository.
    size : int
        New size; the old one where the file goes.
    kind : {"added", "changed", "unchanged", "removed", "left alone"}
        What a push does.
    """

    path: str
    size: int
    kind: str


@dataclass(frozen=True)
class Changes:
    """What a push does to a repository.

    Attributes
    ----------
    repository : str
        ``NAMESPACE/NAME``.
    exists : bool
        False where the repository is not there, or not to be seen with this token.
    revision : str
        The commit it was compared with.
    files : tuple of Change
        By path.
    """

    repository: str
    exists: bool
    revision: str
    files: tuple[Change, ...] = field(default=())

    def of(self, *kinds: str) -> list[Change]:
        """Return the files of some kinds."""
        return [change for change in self.files if change.kind in kinds]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**asdict(self), "files": [asdict(change) for change in self.files]}


@dataclass(frozen=True)
class Pushed:
    """Where a tree is now.

    Attributes
    ----------
    address : str
        The page of the repository, or of the pull request.
    revision : str
        The commit.
    benchmark : str
        How to open it: ``hf:NAMESPACE/NAME@COMMIT``.
    """

    address: str
    revision: str
    benchmark: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


def check_tree(tree: str | Path, repository: str = "") -> Report:
    """Check a tree as it would be opened, and return the report.

    Raises
    ------
    InputError
        If it is no tree, its benchmark fails its check, or the repository's name is that of its script.
    """
    from provise.benchmark.check import check_benchmark

    folder = Path(tree)
    if not folder.is_dir():
        raise InputError(
            f"{folder}: no such folder; make it with `provise benchmark build hub --from BENCHMARK --out {folder}`"
        )
    head = card_of(folder)
    if layout_of(_names(folder)) not in ("parquet", "imagefolder"):
        raise InputError(
            f"{folder}: not the tree of a repository (no data/TASK/*.parquet in it); make one with "
            f"`provise benchmark build hub --from {folder} --out DIR`"
        )
    if repository.rpartition("/")[2].casefold() == SCRIPT.removesuffix(".py"):
        raise InputError(
            f"--to {repository}: with {SCRIPT} in it, a repository of this name is refused by every new version of datasets; "
            "give it another name"
        )
    _check_configs(folder, head)
    report = check_benchmark(unpacked(folder))
    if not report.ok:
        errors = [finding for finding in report.findings if finding.level == "error"]
        first = "; ".join(f"{item.id or item.place}: {item.message}" for item in errors[:3])
        raise InputError(
            f"{folder}: the benchmark fails its check with {len(errors)} error{'s' if len(errors) != 1 else ''}, so it is not "
            f"pushed: {first}. `provise benchmark check {folder}` lists all"
        )
    return report


def _check_configs(folder: Path, head: Mapping[str, Any]) -> None:
    """Refuse a card whose configs and the tree's tables do not go together."""
    tables = [name for name in _names(folder) if name.startswith(OURS) and name.endswith((".parquet", METADATA))]
    covered: set[str] = set()
    for config in head.get("configs") or []:
        for files in config.get("data_files") or []:
            paths = files["path"] if isinstance(files["path"], list) else [files["path"]]
            for pattern in paths:
                found = fnmatch.filter(tables, pattern)
                if not found:
                    raise InputError(
                        f"{folder / 'README.md'}: config {config.get('config_name')!r} names {pattern}, and there is no such file; "
                        "build the tree again"
                    )
                covered.update(found)
    lost = [name for name in tables if name not in covered]
    if lost:
        raise InputError(f"{folder / 'README.md'}: {lost[0]} is in no config; build the tree again")


def changes_of(tree: str | Path, repository: str) -> Changes:
    """Compare a tree with what the repository's ``main`` holds.

    Raises
    ------
    HubError
        If the Hub cannot be asked.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import RepositoryNotFoundError

    folder, name = Path(tree), parse_repository(repository)
    there: dict[str, Any] = {}
    revision, exists = "", True
    with explained(f"{name}: reading what it holds"):
        try:
            revision = HfApi().dataset_info(name, timeout=20).sha or ""
            entries = HfApi().list_repo_tree(name, repo_type="dataset", recursive=True, revision=revision or None)
            there = {item.path: item for item in entries if hasattr(item, "blob_id")}
        except RepositoryNotFoundError:
            exists = False
    files = [_change(folder, path, there.get(path)) for path in _names(folder)]
    here = {change.path for change in files}
    for path, item in there.items():
        if path not in here:
            files.append(Change(path, item.size, "removed" if path.startswith(OURS) else "left alone"))
    return Changes(name, exists, revision, tuple(sorted(files, key=lambda change: change.path)))


def push_tree(
    tree: str | Path,
    repository: str,
    changes: Changes,
    *,
    private: bool = False,
    pull_request: bool = False,
    message: str = "",
) -> Pushed:
    """Upload a checked tree as one commit; the repository is made where it is not there.

    Parameters
    ----------
    tree : path
        See `check_tree`.
    repository : str
        ``NAMESPACE/NAME``.
    changes : Changes
        See `changes_of`; what was shown is what is done.
    private : bool
        Make a new repository private.
    pull_request : bool
        Propose the change instead of making it.
    message : str
        Of the commit.

    Raises
    ------
    HubError
        If there is no token, it may not write here, or the Hub fails. Nothing has changed then, but that an empty
        repository may have been made.
    """
    from huggingface_hub import HfApi

    name, api = parse_repository(repository), HfApi()
    _prepare(api, name, changes.exists, private, pull_request)
    operations = _operations(Path(tree), changes)
    with explained(f"{name}: uploading"):
        done = _commit(
            api,
            name,
            operations,
            repo_type="dataset",
            commit_message=message or "Upload the benchmark with provise",
            create_pr=pull_request,
            parent_commit=changes.revision or None,
        )
    address = done.pr_url if pull_request and done.pr_url else f"{api.endpoint}/datasets/{name}"
    return Pushed(address, done.oid, f"hf:{name}@{done.oid}")


def _prepare(api: Any, name: str, exists: bool, private: bool, pull_request: bool) -> None:
    """Look for a token, and make the repository where it is not there."""
    from huggingface_hub import get_token

    if not get_token():
        owner = name.split("/")[0]
        raise HubError(
            f"{name}: no token; log in with `hf auth login`, or set HF_TOKEN to one that may write to {owner}"
        )
    if exists:
        return
    if pull_request:
        raise HubError(
            f"{name}: there is no such repository to propose a change to; push without --create-pr to make it"
        )
    with explained(f"{name}: making the repository"):
        api.create_repo(name, repo_type="dataset", private=private, exist_ok=True)


def _operations(tree: Path, changes: Changes) -> list[Any]:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    added: list[Any] = [CommitOperationAdd(one.path, tree / one.path) for one in changes.of("added", "changed")]
    return added + [CommitOperationDelete(one.path) for one in changes.of("removed")]


def _commit(api: Any, *args: Any, **options: Any) -> Any:
    """Make the commit; the Hub looks at the card's head first."""
    try:
        return api.create_commit(*args, **options)
    except ValueError as error:
        lines = " ".join(str(error).split())
        raise HubError(f"{args[0]}: the Hub refuses the card README.md ({lines[:300]}); put its head right") from error


def _names(folder: Path) -> list[str]:
    """Return the files of a tree; hidden ones and what an editor or Python left are none of it."""
    found = []
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts):
            found.append("/".join(parts))
    return sorted(found)


def _change(folder: Path, path: str, there: Any) -> Change:
    data = (folder / path).read_bytes()
    if there is None:
        return Change(path, len(data), "added")
    return Change(path, len(data), "unchanged" if _same(data, there) else "changed")


def _same(data: bytes, there: Any) -> bool:
    """Tell whether the Hub has these bytes: it knows large files by SHA-256, others by what git calls them."""
    lfs: Mapping[str, Any] | None = getattr(there, "lfs", None)
    if lfs is not None:
        return bool(hashlib.sha256(data).hexdigest() == lfs["sha256"])
    return bool(hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() == there.blob_id)
