"""Run a benchmark: ask a system, read its answers while the next ones arrive, score them, keep all of it.

Every answer and every row is committed to the journal as it happens. The same call on the same folder goes on where the last
one stopped: what was committed is not asked again, and not read again unless the protocol, the reader or the sample changed.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from provise.errors import InputError
from provise.protocol.route import Route
from provise.runs.asking import Got, ask_system
from provise.runs.folder import is_ended, is_whole
from provise.runs.handed import COORDINATES, as_response, keep_answer
from provise.runs.journal import Answered, Journal
from provise.runs.pool import Job, read_job, reading_pool
from provise.runs.requests import Asked, ask, reading_key
from provise.sample import Sample
from provise.scoring import Row, stated_truth
from provise.systems.base import System

__all__ = ["Progress", "RunState", "Stopped", "run_samples"]

SAME_BUG = 3
"""Requests that end so, before any was answered, after which the run is ended: the others would end so too."""


class Stopped(Exception):  # noqa: N818 - somebody asked for it
    """The run was stopped between two requests; what was in flight is committed."""


@dataclass
class RunState:
    """How far a run is.

    Attributes
    ----------
    total : int
        Samples.
    rows : dict of str to Row
        Those that are done, by sample.
    asked, kept : int
        Answers got in this call, and those that the journal had.
    cost : float
        US dollars of all answers, as far as the system says.
    waiting : int
        Requests in flight.
    """

    total: int
    rows: dict[str, Row] = field(default_factory=dict)
    asked: int = 0
    kept: int = 0
    cost: float = 0.0
    waiting: int = 0


Progress = Callable[[RunState], None]


@dataclass
class _Work:
    """One call's moving parts."""

    folder: Path
    system: System
    journal: Journal
    state: RunState
    progress: Progress | None
    evidence: bool
    stop: threading.Event
    failed: threading.Event = field(default_factory=threading.Event)

    def tell(self) -> None:
        if self.progress:
            self.progress(self.state)


def run_samples(
    samples: Sequence[Sample],
    route: Route,
    system: System,
    journal: Journal,
    folder: Path,
    *,
    concurrency: int,
    jobs: int,
    readers: dict[str, str],
    how: str,
    evidence: bool = True,
    stop: threading.Event | None = None,
    progress: Progress | None = None,
) -> RunState:
    """Ask, read and score; return when every sample has its row.

    Parameters
    ----------
    samples : sequence of Sample
        With their truth.
    route : Route
        Which protocol asks and reads each task.
    system : System
        Is asked.
    journal : Journal
        Of this folder.
    folder : Path
        Where ``responses/`` and ``evidence/`` are kept.
    concurrency : int
        Requests in flight, at least 1.
    jobs : int
        Processes that read, at least 1.
    readers : dict of str to str
        Full name of the reader, by task.
    how : str
        What else decides a row (see `reading_key`).
    evidence : bool
        Write a picture of every reading.
    stop : Event, optional
        When it is set, nothing more is asked; what is in flight is finished, then `Stopped` is raised.
    progress : callable, optional
        Is told after each step.

    Raises
    ------
    Stopped
        See ``stop``.
    InputError
        If something cannot be written, or a reading process was killed. The journal is intact.
    """
    work = _Work(folder, system, journal, RunState(len(samples)), progress, evidence, stop or threading.Event())
    answers, rows = journal.answers(), journal.readings()
    system.prepare(samples)
    keys = _Keys(readers, how)
    # The readers are started first: a process that has no threads yet is copied cheaply.
    with reading_pool(jobs, len(samples)) as pool:
        asking = ThreadPoolExecutor(concurrency, "ask")
        flow = _Flow(work, keys, rows, pool, asking, concurrency, 4 * jobs)
        try:
            for sample in samples:
                if work.stop.is_set():
                    break
                flow.take(ask(sample, route.protocol(sample.task), system), answers)
            flow.finish()
        except BrokenExecutor as error:
            # Who ends a program by a signal to all of its processes has ended the readers too.
            if not work.stop.is_set():
                raise InputError(flow.broken()) from error
            flow.commit()
        except KeyboardInterrupt:
            # Ctrl-C in a program that set no `stop`: as there, what is in flight is paid for and kept; again ends at once.
            if not work.stop.is_set():
                work.stop.set()
                flow.commit()
            raise
        finally:
            # Whatever went wrong is told at once: a request in flight may take for ever.
            asking.shutdown(wait=False, cancel_futures=True)
    if work.stop.is_set() and len(work.state.rows) < len(samples):
        raise Stopped
    return work.state


@dataclass(frozen=True)
class _Keys:
    readers: dict[str, str]
    how: str

    def of(self, asked: Asked, answer: Answered) -> str:
        response = answer.response or f"error: {answer.error}"
        if COORDINATES in answer.details:
            response += json.dumps(answer.details[COORDINATES], sort_keys=True)
        return reading_key(asked, response, self.readers.get(asked.sample.task, ""), self.how)


class _Flow:
    """Two queues: requests in flight or next in line, and answers being read; both are bounded, so that memory is."""

    def __init__(
        self,
        work: _Work,
        keys: _Keys,
        rows: dict[str, dict[str, Any]],
        pool: Executor,
        asking: Executor,
        in_flight: int,
        in_reading: int,
    ) -> None:
        self.work, self.keys, self.rows = work, keys, rows
        self.held: dict[str, list[str]] = {}
        for key, row in rows.items():
            self.held.setdefault(str(row.get("id")), []).append(key)
        self.pool, self.asking = pool, asking
        self.in_flight, self.in_reading = in_flight, in_reading
        # As many again are made ready while the system works: an answer's place is taken as soon as it is committed.
        self.in_line = 2 * in_flight
        self.asked: dict[Future[Got], Asked] = {}
        self.reading: dict[Future[tuple[Row, float]], tuple[Asked, str]] = {}
        self.ready: deque[tuple[Asked, Answered]] = deque()
        self.bugs = 0

    def take(self, asked: Asked, answers: dict[str, Answered]) -> None:
        """Take a sample in: use what is committed of it, else ask."""
        if asked.fault is not None:
            self._done(asked.fault)
            return
        known = answers.get(asked.digest)
        if known is not None and known.file and not is_whole(self.work.folder / known.file, known.response):
            self.work.journal.drop_answer(asked.digest)
            known = None
        if known is not None:
            self.work.state.kept += 1
            self.work.state.cost += known.cost or 0.0
            self.ready.append((asked, known))
            self._settle(block=len(self.ready) > self.in_reading)
            return
        while len(self.asked) >= self.in_line or len(self.ready) + len(self.reading) > self.in_reading + self.in_flight:
            self._settle(block=True)
        if self.work.stop.is_set():
            return
        self.asked[self.asking.submit(_ask_and_keep, self.work, asked)] = asked
        self.work.state.waiting = min(len(self.asked), self.in_flight)
        self._settle(block=False)

    def broken(self) -> str:
        """Say what was being read when a reading process died."""
        names = [asked.sample.id for asked, _ in self.reading.values()]
        return (
            f"a reading process was ended from outside, as a computer does that is out of memory; being read were "
            f"{', '.join(names[:5])}{', ...' if len(names) > 5 else ''}. What was committed is kept: the same command goes on "
            "from there, and with --jobs 1 needs the least memory"
        )

    def commit(self) -> None:
        """Wait until the answers of the requests in flight are committed; nothing is read."""
        wait(self.asked)

    def finish(self) -> None:
        """Wait for all that is in flight."""
        while self.asked or self.reading or self.ready:
            self._settle(block=True)

    def _settle(self, *, block: bool) -> None:
        """Commit what has arrived, and hand what is ready to the readers."""
        self._feed()
        pending: list[Future[Any]] = [*self.asked, *self.reading]
        if pending:
            done, _ = wait(pending, timeout=None if block else 0, return_when=FIRST_COMPLETED)
            for future in done:
                if future in self.asked:
                    self._answered(self.asked.pop(future), future.result())
                else:
                    row, seconds = future.result()
                    self._read(*self.reading.pop(future), row, seconds)
        self._feed()

    def _feed(self) -> None:
        while self.ready and len(self.reading) < self.in_reading:
            asked, answer = self.ready.popleft()
            key = self.keys.of(asked, answer)
            row = self.rows.get(key)
            if row is not None and self._evidence_is_there(row):
                self._done(Row(**row))
                continue
            pictures = self.work.folder / "evidence" if self.work.evidence else None
            if pictures and (others := self.held.pop(asked.sample.id, None)):
                # The picture of this reading takes the place of theirs.
                self.work.journal.drop_readings(others)
            job = Job(asked.sample, as_response(self.work.folder, answer), asked.protocol, pictures)
            self.reading[self.pool.submit(read_job, job)] = (asked, key)

    def _evidence_is_there(self, row: dict[str, Any]) -> bool:
        parts = (row.get("details"), row.get("prediction"))
        named = [part.get(key) for part in parts if isinstance(part, dict) for key in ("evidence", "png")]
        return not self.work.evidence or all(is_ended(self.work.folder / name) for name in named if name)

    def _answered(self, asked: Asked, got: Got) -> None:
        state = self.work.state
        state.waiting = min(len(self.asked), self.in_flight)
        if got.kept is None:
            if not got.given_up:
                self.work.journal.add_outage(asked.sample.id, asked.digest, got.outage)
                self._done(_outage(asked, got.outage))
                self._same_bug(got)
            return
        state.asked += 1
        state.cost += got.kept.cost or 0.0
        self.ready.append((asked, got.kept))
        self.work.tell()

    def _same_bug(self, got: Got) -> None:
        self.bugs += got.bug
        if self.bugs >= SAME_BUG and not self.work.state.asked and not self.work.state.kept:
            raise InputError(
                f"the system's own code fails: {got.outage}. {self.bugs} requests ended so and none was answered; put it right, "
                "then run the same again"
            )

    def _read(self, asked: Asked, key: str, row: Row, seconds: float) -> None:
        self.work.journal.add_reading(key, row.id, row.to_dict(), seconds)
        self._done(row)

    def _done(self, row: Row) -> None:
        self.work.state.rows[row.id] = row
        self.work.tell()


def _ask_and_keep(work: _Work, asked: Asked) -> Got:
    """Ask, and commit the answer before this thread asks anything else: what a kill can lose are the requests in flight."""
    if work.failed.is_set():
        return Got(None, given_up=True)
    got = ask_system(work.system, asked, work.stop)
    if got.answer is None:
        return got
    try:
        kept = keep_answer(
            work.folder, asked.digest, asked.sample.id, got.answer, seconds=got.seconds, attempts=got.attempts
        )
        work.journal.add_answer(kept)
    except BaseException:
        # What cannot be kept need not be asked.
        work.failed.set()
        raise
    return Got(None, kept=kept)


def _outage(asked: Asked, message: str) -> Row:
    s, protocol = asked.sample, asked.protocol
    row = Row(s.id, s.task, s.capability, error="infrastructure", reason="infrastructure", message=message)
    return replace(row, truth=stated_truth(s, protocol.spec.metric), protocol=protocol.id)
