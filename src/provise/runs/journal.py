"""What a run has done, committed as it happens: a row an answer and a row a reading, in SQLite."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from provise.errors import InputError

__all__ = ["Answered", "Journal"]

VERSION = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answers (
    request TEXT PRIMARY KEY, sample TEXT NOT NULL, response TEXT NOT NULL, file TEXT NOT NULL, text TEXT, error TEXT NOT NULL,
    details TEXT NOT NULL, cost REAL, seconds REAL NOT NULL, attempts INTEGER NOT NULL, at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS outages (sample TEXT NOT NULL, request TEXT NOT NULL, message TEXT NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS readings (
    key TEXT PRIMARY KEY, sample TEXT NOT NULL, row TEXT NOT NULL, seconds REAL NOT NULL, at REAL NOT NULL
);
"""


@dataclass(frozen=True)
class Answered:
    """One committed answer.

    Parameters
    ----------
    request : str
        Digest of what was asked.
    sample : str
        Of which sample.
    response : str
        SHA-256 of the bytes or the text as received; empty for a failure.
    file : str
        The picture's file below the run's folder; empty where there is none.
    text : str or None
        Words.
    error : str
        The system's own failure.
    details : mapping
        What the system said beside it.
    cost : float or None
        US dollars.
    seconds : float
        From asking to having it, the attempts before the last left out.
    attempts : int
        How often it was asked.
    """

    request: str
    sample: str
    response: str = ""
    file: str = ""
    text: str | None = None
    error: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    cost: float | None = None
    seconds: float = 0.0
    attempts: int = 1


_FIELDS = tuple(one.name for one in fields(Answered))


class Journal:
    """The journal of one run folder; any thread may use it, one at a time does.

    Every write is committed before it returns: a process that is killed loses nothing that was written. A journal that
    was torn by a crash of the machine is mended by SQLite when it is opened.

    Parameters
    ----------
    path : Path
        ``journal.sqlite`` in the run's folder; made if it is not there.

    Raises
    ------
    InputError
        If it cannot be opened or written, is no journal, or was written by a later version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        try:
            self.base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            # A write survives the process that made it, also without waiting for the disk.
            self.base.execute("PRAGMA journal_mode=WAL")
            self.base.execute("PRAGMA synchronous=NORMAL")
            self.base.executescript(_TABLES)
        except sqlite3.Error as error:
            raise InputError(f"{path}: {_said(error)}") from error
        version = self.about("version")
        if version is None:
            self.set_about("version", VERSION)
        elif version != VERSION:
            raise InputError(
                f"{path} was written by another provise (journal {version}, this one reads {VERSION}); go on with that one, or "
                "give another --out"
            )

    def about(self, key: str) -> Any:
        """Return what the journal says of its run; None where it says nothing."""
        found = self._read("SELECT value FROM about WHERE key = ?", (key,))
        return self._parsed(found[0][0]) if found else None

    def set_about(self, key: str, value: Any) -> None:
        """Write down something about the run."""
        self._write("INSERT OR REPLACE INTO about VALUES (?, ?)", (key, json.dumps(value)))

    def answers(self) -> dict[str, Answered]:
        """Return the committed answers by request digest."""
        rows = self._read(f"SELECT {', '.join(_FIELDS)} FROM answers")
        found = (dict(zip(_FIELDS, row, strict=True)) for row in rows)
        return {row["request"]: Answered(**{**row, "details": self._parsed(row["details"])}) for row in found}

    def add_answer(self, answer: Answered) -> None:
        """Commit an answer."""
        values = (
            answer.request, answer.sample, answer.response, answer.file, answer.text, answer.error,
            json.dumps(answer.details), answer.cost, answer.seconds, answer.attempts, time.time(),
        )  # fmt: skip
        self._write(f"INSERT OR REPLACE INTO answers VALUES ({', '.join('?' * len(values))})", values)

    def drop_answer(self, request: str) -> None:
        """Forget an answer whose picture is gone."""
        self._write("DELETE FROM answers WHERE request = ?", (request,))

    def add_outage(self, sample: str, request: str, message: str) -> None:
        """Commit that a request got no answer; it will be asked again."""
        self._write("INSERT INTO outages VALUES (?, ?, ?, ?)", (sample, request, message, time.time()))

    def readings(self) -> dict[str, dict[str, Any]]:
        """Return the committed rows by key."""
        return {key: self._parsed(row) for key, row in self._read("SELECT key, row FROM readings")}

    def drop_readings(self, keys: Sequence[str]) -> None:
        """Forget rows."""
        for key in keys:
            self._write("DELETE FROM readings WHERE key = ?", (key,))

    def add_reading(self, key: str, sample: str, row: Mapping[str, Any], seconds: float) -> None:
        """Commit a row of ``samples.jsonl``."""
        text = json.dumps(row, ensure_ascii=False)
        self._write("INSERT OR REPLACE INTO readings VALUES (?, ?, ?, ?, ?)", (key, sample, text, seconds, time.time()))

    def _parsed(self, text: Any) -> Any:
        try:
            return json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"{self.path}: {_said(sqlite3.DatabaseError(f'malformed row: {error}'))}") from error

    def _read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        try:
            with self.lock:
                return self.base.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise InputError(f"{self.path}: {_said(error)}") from error

    def _write(self, statement: str, values: tuple[Any, ...]) -> None:
        try:
            with self.lock:
                self.base.execute(statement, values)
        except sqlite3.Error as error:
            raise InputError(f"{self.path}: {_said(error)}; what was committed before is kept") from error

    def close(self) -> None:
        """Fold the log back into the file and let go of it."""
        # Where the disk is full the log stays beside the file, and is folded in the next time.
        with self.lock:
            with suppress(sqlite3.Error):
                self.base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.base.close()


def _said(error: sqlite3.Error) -> str:
    """Say what SQLite met, and what to do."""
    text = str(error)
    if "not a database" in text or "malformed" in text:
        return f"is no journal of a run ({text}); move it away to begin anew, its responses are still in responses/"
    if "full" in text:
        return "the disk is full; make room, then run the same command again"
    if "no such column" in text or "no such table" in text or "values were supplied" in text:
        return f"is another program's ({text}); give another --out"
    if "locked" in text:
        return f"another program has it open ({text}); close that, then run the same command again"
    if "readonly" in text or "unable to open" in text:
        return f"cannot be written ({text}); is the folder read-only?"
    return text
