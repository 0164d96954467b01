"""Repositories of a Hub on this machine: plain folders, their commits, and large files by digest."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["KINDS", "Repository", "Store"]

KINDS = ("datasets", "spaces", "models")
LARGE = (".parquet", ".png", ".jpg", ".zip", ".safetensors")


@dataclass(frozen=True)
class Repository:
    """One repository: its kind, its name, its folder (what ``main`` holds)."""

    kind: str
    name: str
    folder: Path


def blob(data: bytes) -> str:
    """Return what git calls these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Store:
    """A folder root/{datasets,spaces,models}/NAMESPACE/NAME; commits are kept beside it, so that every one can be read."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lock = threading.RLock()

    def find(self, kind: str, name: str) -> Repository | None:
        """Return a repository, if it is there."""
        folder = self.root / kind / name
        return Repository(kind, name, folder) if folder.is_dir() and name.count("/") == 1 else None

    def create(self, kind: str, name: str) -> bool:
        """Make an empty repository; False where there is one."""
        folder = self.root / kind / name
        if folder.is_dir():
            return False
        folder.mkdir(parents=True)
        (folder / ".gitattributes").write_text("*.parquet filter=lfs diff=lfs merge=lfs -text\n")
        return True

    def revision(self, repository: Repository, named: str) -> tuple[str, Path] | None:
        """Return a revision's commit and a folder with its files; None where there is none of that name."""
        with self.lock:
            folder = repository.folder
            if named.startswith("refs/pr/"):
                folder = self._beside(repository, named.replace("/", "-"))
            elif named != "main":
                kept = self._beside(repository, named)
                return (named, kept) if kept.is_dir() else None
            if not folder.is_dir():
                return None
            commit = self._commit_of(folder)
            kept = self._beside(repository, commit)
            if not kept.is_dir():
                shutil.copytree(folder, kept)
            return commit, kept

    def _beside(self, repository: Repository, name: str) -> Path:
        return self.root / ".kept" / repository.kind / repository.name / name

    def _commit_of(self, folder: Path) -> str:
        lines = [f"{name} {blob((folder / name).read_bytes())}" for name in self.names(folder)]
        return hashlib.sha1("\n".join(lines).encode()).hexdigest()

    @staticmethod
    def names(folder: Path) -> list[str]:
        """Return the files of a folder, relative to it."""
        return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())

    @staticmethod
    def entry(folder: Path, name: str) -> dict[str, Any]:
        """Return what the Hub's tree tells of a file or folder."""
        path = folder / name
        if path.is_dir():
            return {"type": "directory", "path": name, "size": 0, "oid": hashlib.sha1(name.encode()).hexdigest()}
        data = path.read_bytes()
        found: dict[str, Any] = {"type": "file", "path": name, "size": len(data), "oid": blob(data)}
        if name.endswith(LARGE):
            found["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 134}
        return found

    def tree(self, folder: Path, below: str, recursive: bool) -> list[dict[str, Any]] | None:
        """Return the entries below a path; None where there is no such path."""
        base = folder / below if below else folder
        if not base.is_dir():
            return None
        paths: Iterable[Path] = base.rglob("*") if recursive else base.iterdir()
        return [self.entry(folder, path.relative_to(folder).as_posix()) for path in sorted(paths)]

    def large(self, digest: str) -> Path:
        """Return where a large file is kept."""
        return self.root / ".large" / digest

    def mode(self, name: str) -> str:
        """Return how a file is to be uploaded."""
        return "lfs" if name.endswith(LARGE) else "regular"

    def commit(self, repository: Repository, lines: Iterable[bytes], *, pull_request: bool) -> dict[str, Any]:
        """Do what the lines of a commit say, on ``main`` or as a pull request, and return what the Hub answers."""
        with self.lock:
            folder, number = repository.folder, 0
            if pull_request:
                number = 1 + len(list(self._beside(repository, "x").parent.glob("refs-pr-*")))
                folder = self._beside(repository, f"refs-pr-{number}")
                shutil.copytree(repository.folder, folder)
            for line in lines:
                if line.strip():
                    self._apply(folder, json.loads(line))
            found = self.revision(repository, f"refs/pr/{number}" if pull_request else "main")
            assert found is not None
            return {"commitOid": found[0], "number": number}

    def _apply(self, folder: Path, line: dict[str, Any]) -> None:
        key, value = line["key"], line["value"]
        if key == "file":
            data = (
                base64.b64decode(value["content"]) if value.get("encoding") == "base64" else value["content"].encode()
            )
            self._put(folder / value["path"], data)
        elif key == "lfsFile":
            self._put(folder / value["path"], self.large(value["oid"]).read_bytes())
        elif key == "deletedFile":
            path = folder / value["path"]
            path.unlink()
            while path.parent != folder and not any(path.parent.iterdir()):  # git keeps no empty folders
                path = path.parent
                path.rmdir()
        elif key == "deletedFolder":
            shutil.rmtree(folder / value["path"])

    @staticmethod
    def _put(path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
