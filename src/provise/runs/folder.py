"""A run's folder: one run at a time works in it, and its files appear whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from provise.errors import InputError
from provise.scoring import Response, text_bytes

__all__ = ["claimed", "clean", "is_ended", "is_whole", "keep_response", "store_response", "write_whole"]

SUFFIXES = {
    b"\x89PNG": ".png",
    b"\xff\xd8\xff": ".jpg",
    b"GIF8": ".gif",
    b"BM": ".bmp",
    b"RIFF": ".webp",
    b"II*\x00": ".tif",
    b"MM\x00*": ".tif",
}


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold a run's folder while the block runs; the claim ends with the process, however that ends.

    Raises
    ------
    InputError
        If another process holds it (its number and start are named), or the folder cannot be written.
    """
    told = folder / ".lock.json"
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(f"{folder}: {_holder(told)} is working in it; wait for it or give another --out") from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror or error})") from error
    try:
        now = datetime.now(UTC).astimezone()
        write_whole(
            told, json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "since": now.isoformat("T", "seconds")})
        )
        yield
    finally:
        told.unlink(missing_ok=True)
        lock.release()


def _holder(told: Path) -> str:
    # Who has just taken the folder writes its name down a moment later.
    for pause in (0.05, 0.2, 0.0):
        try:
            found = json.loads(told.read_text())
            return f"process {found['pid']} on {found['host']}, started {found['since']},"
        except (OSError, ValueError, KeyError, TypeError):
            time.sleep(pause)
    return "another process"


def write_whole(path: Path, data: bytes | str, *, mark: str = "") -> None:
    """Write a file so that it is there whole or not at all.

    Parameters
    ----------
    path : Path
        The file; what it held before is replaced.
    data : bytes or str
        All of it.
    mark : str
        Tells the unfinished part from those of other processes that may write the same file now.

    Raises
    ------
    InputError
        If the disk is full or the folder cannot be written.
    """
    # Two threads may be handed the very same picture at once.
    part = path.with_name(f"{path.name}{mark}.{threading.get_ident()}.part")
    try:
        # A path of this machine may hold bytes that are no UTF-8; in JSON they are written as escapes.
        part.write_bytes(data if isinstance(data, bytes) else data.encode(errors="backslashreplace"))
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise InputError(f"{path}: {error.strerror or error}; what was committed before is kept") from error


def store_response(folder: Path, data: bytes, *, suffix: str = "") -> tuple[str, str]:
    """Keep an answer's bytes as received and return their SHA-256 and the file, relative to the run's folder.

    The file's ending is ``suffix``, else what the bytes begin with says.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "responses").mkdir()
    >>> store_response(folder, b"GIF89a")[1][-11:]
    '6bf29e8.gif'
    """
    digest = hashlib.sha256(data).hexdigest()
    ending = suffix or next((suffix for magic, suffix in SUFFIXES.items() if data.startswith(magic)), ".bin")
    name = f"responses/{digest}{ending}"
    if not is_whole(folder / name, digest):
        write_whole(folder / name, data, mark=f".{os.getpid()}-{threading.get_ident()}")
    return digest, name


def keep_response(folder: Path, response: Response, digest: str) -> None:
    """Keep a copy of an answer that was read, if its file still holds what was read.

    A copy, not a link: the next answers are often written over the last ones.

    Parameters
    ----------
    folder : Path
        The run's folder.
    response : Response
        A picture or words.
    digest : str
        SHA-256 of the bytes that were read.
    """
    if response.text is not None:
        store_response(folder, text_bytes(response.text), suffix=".txt")
        return
    try:
        data = response.image.read_bytes() if isinstance(response.image, Path) else response.image
    except OSError:
        return
    if isinstance(data, bytes) and hashlib.sha256(data).hexdigest() == digest:
        store_response(folder, data)


def is_whole(path: Path, digest: str) -> bool:
    """Tell whether a file is there with the SHA-256 it should have; a crash of the machine may have cut it short."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == digest
    except OSError:
        return False


def is_ended(path: Path) -> bool:
    """Tell whether a JPEG or PNG file has its end; one that was cut short has not."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 12))
            return file.read().endswith((b"\xff\xd9", b"IEND\xaeB`\x82"))
    except OSError:
        return False


def clean(folder: Path) -> None:
    """Remove the parts that a process left when it was killed."""
    for pattern in ("*.part", "responses/*.part", "evidence/*.part", "evidence/*.part.jpg"):
        for part in folder.glob(pattern):
            part.unlink(missing_ok=True)
