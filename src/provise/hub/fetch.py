"""Fetch a benchmark from the Hub once, by commit, into the user's cache; afterwards it is there without a network."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from provise.errors import InputError
from provise.hub.address import Address
from provise.hub.trouble import HubError, UnreachableError, explained
from provise.hub.unpack import layout_of, unpack

if TYPE_CHECKING:
    from huggingface_hub.hf_api import RepoFile

__all__ = ["fetch", "unpacked"]

FORM = 1
"""Raised when the folders in the cache are written in another way."""

MAKING = ".making-"
"""How the name of a folder begins that is not whole yet."""

WORKERS = 4
PATIENCE = 20.0
"""Seconds for the Hub to say which commit a revision is."""


def fetch(address: Address) -> tuple[Path, str]:
    """Return the folder of a benchmark from the Hub, and its commit.

    A commit is fetched once. Where the Hub cannot be reached, the commit that the revision was last time is used, with a
    note on standard error. The folder holds plain files, no links.

    Raises
    ------
    HubError
        If there is no such repository, revision or access, it holds no benchmark, or it cannot be reached and was never fetched.
    InputError
        If its tables are not sound, or the cache cannot be written.
    """
    home = _home(address.repository.replace("/", "--"))
    folder = home / address.revision
    if len(address.revision) == 40 and folder.is_dir():
        return folder, address.revision
    try:
        commit = _commit(address)
    except UnreachableError as error:
        commit = _remembered(home, address.revision)
        if not commit:
            raise UnreachableError(
                f"{error}; it was not fetched before, so there is no copy in {home.parent}"
            ) from error
        _note(f"{error}; going on with commit {commit[:12]}, fetched before")
        return home / commit, commit
    folder = home / commit
    if not folder.is_dir():
        with _claimed(home):
            if not folder.is_dir():
                _note(f"fetching {address.origin} at {commit[:12]} into {home}; this happens once")
                _fetched(address, commit, home)
    _remember(home, address.revision, commit)
    return folder, commit


def unpacked(tree: Path) -> Path:
    """Return the benchmark folder of a Hub tree on this machine; it is written into the cache once.

    Raises
    ------
    InputError
        If its tables are not sound, or the cache cannot be written.
    """
    total = hashlib.sha256()
    for path in sorted(
        path for path in tree.rglob("*") if path.is_file() and not {".cache", "__pycache__"} & set(path.parts)
    ):
        with path.open("rb") as file:
            total.update(
                f"{path.relative_to(tree).as_posix()} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode()
            )
    home = _home("trees")
    folder = home / total.hexdigest()[:40]
    if not folder.is_dir():
        with _claimed(home):
            if not folder.is_dir():
                _whole(folder, str(tree), lambda out: unpack(tree, out, name=tree.resolve().name))
    return folder


def _home(name: str) -> Path:
    from provise.synth.builtin import cache_folder

    return cache_folder() / f"hub-{FORM}" / name


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)


def _commit(address: Address) -> str:
    from huggingface_hub import HfApi

    with explained(f"{address.origin}@{address.revision}"):
        info = HfApi().dataset_info(address.repository, revision=address.revision, timeout=PATIENCE)
    if not info.sha:
        raise HubError(f"{address.origin}: the Hub does not say which commit {address.revision} is")
    return info.sha


@contextmanager
def _claimed(home: Path) -> Iterator[None]:
    """Let one process at a time write below a folder; the others wait, and then find it written."""
    from filelock import FileLock

    try:
        home.mkdir(parents=True, exist_ok=True)
        lock = FileLock(home / ".lock")
        lock.acquire()
    except OSError as error:
        raise InputError(
            f"{home}: cannot be written ({error.strerror or error}); name another place in PROVISE_CACHE"
        ) from error
    try:
        yield
    finally:
        lock.release()


def _whole(folder: Path, where: str, write: Callable[[Path], None]) -> None:
    """Write a folder so that it is there whole or not at all; ``where`` is what a fault of it is told of.

    Only who holds the claim comes here, so what an earlier process left half made is nobody's any more.
    """
    for left in folder.parent.glob(f"{MAKING}*"):
        shutil.rmtree(left, ignore_errors=True)
    made = Path(tempfile.mkdtemp(prefix=MAKING, dir=folder.parent))
    try:
        write(made / "benchmark")
        (made / "benchmark").rename(folder)
    except InputError as error:
        raise InputError(f"{where}: {str(error).replace(f'{made}/benchmark/', '')}") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _fetched(address: Address, commit: str, home: Path) -> None:
    """Download what belongs to the benchmark, check it, and write its folder; what was downloaded is kept until it is whole."""
    from huggingface_hub import HfApi, hf_hub_download
    from huggingface_hub.hf_api import RepoFile

    where = f"{address.origin}@{commit[:12]}"
    with explained(where):
        tree = HfApi().list_repo_tree(address.repository, repo_type="dataset", revision=commit, recursive=True)
        files = {item.path: item for item in tree if isinstance(item, RepoFile)}
    wanted = _wanted(files)
    if not wanted:
        raise HubError(
            f"{where}: no benchmark: it has neither data/TASK/*.parquet, nor data/TASK/metadata.jsonl, nor a JSONL file"
        )
    download = home / f".{commit}.download"

    def get(name: str) -> None:
        hf_hub_download(address.repository, name, repo_type="dataset", revision=commit, local_dir=download)

    with explained(where), ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(get, wanted))
    for name in wanted:
        _check(download / name, files[name], where)
    shutil.rmtree(download / ".cache", ignore_errors=True)
    _whole(home / commit, where, lambda out: unpack(download, out, name=address.name))
    shutil.rmtree(download, ignore_errors=True)


def _wanted(files: dict[str, RepoFile]) -> list[str]:
    """Return the files that belong to the benchmark: those under ``data/``; of a flat one all but programs."""
    layout = layout_of(files)
    if layout == "flat":
        return sorted(
            name
            for name in files
            if not name.startswith(".") and not name.endswith((".py", ".ipynb", ".gitattributes"))
        )
    ending = ".parquet" if layout == "parquet" else ""
    top = [name for name in files if name.endswith((".yaml", ".yml", "README.md")) and "/" not in name]
    return (
        sorted([*top, *(name for name in files if name.startswith("data/") and name.endswith(ending))])
        if layout
        else []
    )


def _check(path: Path, told: RepoFile, where: str) -> None:
    """Hold a downloaded file to what the Hub says of it; one that differs is taken away, to be fetched anew."""
    data = path.stat().st_size
    lfs = getattr(told, "lfs", None)
    with path.open("rb") as file:
        sound = data == told.size and (lfs is None or hashlib.file_digest(file, "sha256").hexdigest() == lfs.sha256)
    if not sound:
        path.unlink()
        raise UnreachableError(f"{where}: {told.path} came damaged ({data} bytes of {told.size}); try again")


def _ref(home: Path, revision: str) -> Path:
    return home / "refs" / quote(revision, safe="")


def _remember(home: Path, revision: str, commit: str) -> None:
    from provise.runs.folder import write_whole

    path = _ref(home, revision)
    if _remembered(home, revision) == commit:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, commit)
    except OSError as error:  # the benchmark is there; only a later call without a network would miss this
        _note(f"{path}: cannot be written ({error.strerror or error}), so {revision} opens only while the Hub answers")


def _remembered(home: Path, revision: str) -> str:
    """Return the commit that a revision was when it was last fetched, if its folder is still there; else an empty text."""
    try:
        commit = _ref(home, revision).read_text().strip()
    except OSError:
        return ""
    return commit if commit and (home / commit).is_dir() else ""
