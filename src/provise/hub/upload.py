"""Bring a folder to a repository on the Hub: what would change, and one commit that changes it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from provise.errors import InputError
from provise.hub.address import parse_repository
from provise.hub.trouble import HubError, explained

__all__ = ["OURS", "Change", "Changes", "Pushed", "changes_of", "files_of", "upload"]

OURS = "data/"
"""Files of a dataset repository below here go away where the tree has none of their name; others are left alone."""

SDK = "gradio"
"""What the pages of Spaces are made with."""


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
    kind : {"dataset", "space"}
        What kind of repository it is.
    """

    repository: str
    exists: bool
    revision: str
    files: tuple[Change, ...] = field(default=())
    kind: str = "dataset"

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
        How to open a dataset: ``hf:NAMESPACE/NAME@COMMIT``; empty for a Space.
    """

    address: str
    revision: str
    benchmark: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


def changes_of(tree: str | Path, repository: str, kind: str = "dataset") -> Changes:
    """Compare a folder with what the repository's ``main`` holds.

    Parameters
    ----------
    tree : path
        The folder.
    repository : str
        ``NAMESPACE/NAME``.
    kind : {"dataset", "space"}
        What kind of repository it is.

    Raises
    ------
    HubError
        If the Hub cannot be asked.
    InputError
        If a file of the folder is a link that leaves it.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import RepositoryNotFoundError

    folder, name = Path(tree), parse_repository(repository)
    there: dict[str, Any] = {}
    revision, exists = "", True
    with explained(f"{name}: reading what it holds"):
        try:
            revision = HfApi().repo_info(name, repo_type=kind, timeout=20).sha or ""
            entries = HfApi().list_repo_tree(name, repo_type=kind, recursive=True, revision=revision or None)
            there = {item.path: item for item in entries if hasattr(item, "blob_id")}
        except RepositoryNotFoundError:
            exists = False
    files = [_change(folder, path, there.get(path)) for path in files_of(folder)]
    here = {change.path for change in files}
    for path, item in there.items():
        if path not in here:
            files.append(Change(path, item.size, "removed" if path.startswith(OURS) else "left alone"))
    return Changes(name, exists, revision, tuple(sorted(files, key=lambda change: change.path)), kind)


def upload(
    tree: str | Path, changes: Changes, *, private: bool = False, pull_request: bool = False, message: str = ""
) -> Pushed:
    """Upload a folder as one commit; the repository is made where it is not there.

    Parameters
    ----------
    tree : path
        The folder; of a dataset it is checked before (`provise.hub.push.check_tree`).
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

    name, api = changes.repository, HfApi()
    _prepare(api, changes, private, pull_request)
    operations = _operations(Path(tree), changes)
    with explained(f"{name}: uploading"):
        done = _commit(
            api,
            name,
            operations,
            repo_type=changes.kind,
            commit_message=message
            or f"Upload the {'benchmark' if changes.kind == 'dataset' else 'module'} with provise",
            create_pr=pull_request,
            parent_commit=changes.revision or None,
        )
    address = done.pr_url if pull_request and done.pr_url else f"{api.endpoint}/{changes.kind}s/{name}"
    return Pushed(address, done.oid, f"hf:{name}@{done.oid}" if changes.kind == "dataset" else "")


def _prepare(api: Any, changes: Changes, private: bool, pull_request: bool) -> None:
    """Look for a token, and make the repository where it is not there."""
    from huggingface_hub import get_token

    name = changes.repository
    if not get_token():
        owner = name.split("/")[0]
        raise HubError(
            f"{name}: no token; log in with `hf auth login`, or set HF_TOKEN to one that may write to {owner}"
        )
    if changes.exists:
        return
    if pull_request:
        raise HubError(
            f"{name}: there is no such repository to propose a change to; push without --create-pr to make it"
        )
    with explained(f"{name}: making the repository"):
        api.create_repo(
            name,
            repo_type=changes.kind,
            private=private,
            exist_ok=True,
            space_sdk=SDK if changes.kind == "space" else None,
        )


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


def files_of(folder: Path) -> list[str]:
    """Return the files of a tree; hidden ones and what an editor or Python left are none of it."""
    found = []
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts):
            found.append("/".join(parts))
    return sorted(found)


def _change(folder: Path, path: str, there: Any) -> Change:
    if not (folder / path).resolve().is_relative_to(folder.resolve()):
        raise InputError(
            f"{folder / path}: it is a link to {(folder / path).resolve()}, outside the folder, and would be pushed; put the file "
            "itself there, or take the link away"
        )
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
