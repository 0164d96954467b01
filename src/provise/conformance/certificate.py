"""The certificate: how often each deterministic reader reads right, refuses, and reads wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from provise.conformance.tally import Cell, clopper_pearson, pool
from provise.conformance.trial import PARTS, Order, Result, cells, opened, run_trial
from provise.draw import protocols
from provise.errors import InputError
from provise.processes import process_pool
from provise.protocol.catalogue import names

__all__ = ["Bars", "Certificate", "answers_needed", "orders", "verify"]


@dataclass(frozen=True)
class Bars:
    """What the certificate must show.

    Attributes
    ----------
    mild, strong : float
        Least share read right, pooled over a severity.
    wrong : float
        Largest share read wrong, pooled over a severity.
    cell : float
        Least share read right in a single cell.
    copy : float
        Least share of sources handed back that are refused.
    """

    mild: float = 0.995
    strong: float = 0.97
    wrong: float = 0.005
    cell: float = 0.90
    copy: float = 0.99


@dataclass(frozen=True)
class Certificate:
    """All cells of a verification.

    Attributes
    ----------
    answers, seed : int
        Answers a severity and protocol; what everything was seeded with.
    protocols : dict
        Protocol id -> fingerprint and reader.
    cells : tuple of Cell
        Every protocol, part and degradation.
    bars : Bars
        What is asked for.
    """

    answers: int
    seed: int
    protocols: dict[str, dict[str, str]]
    cells: tuple[Cell, ...]
    bars: Bars = field(default_factory=Bars)

    def pooled(self, protocol: str, part: str) -> Cell:
        """Return a protocol's counts over all cells of a part."""
        return pool(protocol, part, self.of(protocol, part))

    def of(self, protocol: str, part: str) -> list[Cell]:
        """Return a protocol's cells of a part, in the order they are drawn in."""
        return [c for c in self.cells if c.protocol == protocol and c.part == part]

    def failures(self) -> list[str]:
        """Return one sentence for each bar that is missed, with the limits of what was counted."""
        found = []
        for protocol in self.protocols:
            for part, least in (("mild", self.bars.mild), ("strong", self.bars.strong)):
                whole = self.pooled(protocol, part)
                if whole.n and whole.share("right") < least:
                    found.append(f"{protocol}, {part}: {_counted(whole, 'right', 2)} read right, asked for {least:.1%}")
                if whole.share("wrong") > self.bars.wrong:
                    wrong = _counted(whole, "wrong", 2)
                    found.append(f"{protocol}, {part}: {wrong} read wrong, allowed {self.bars.wrong:.1%}")
                for cell in self.of(protocol, part):
                    if cell.n and cell.share("right") < self.bars.cell:
                        share = f"{_counted(cell, 'right', 1)} read right"
                        found.append(f"{protocol}, {cell.name}: {share}, asked for {self.bars.cell:.0%}")
            copies = self.pooled(protocol, "copy")
            if copies.n and copies.share("refused") < self.bars.copy:
                refused = _counted(copies, "refused", 2)
                found.append(f"{protocol}: {refused} copies refused, asked for {self.bars.copy:.0%}")
        return found

    def too_few(self) -> list[str]:
        """Return one sentence for each bar that so few answers cannot show, were every one of them read right.

        A bar is shown where the 95 % limits of what was counted can lie on its right side: 736 answers, all right, for
        a share of 99.5 %.
        """
        asked = (
            ("read right under mild degradations", "mild", self.bars.mild),
            ("read right under strong degradations", "strong", self.bars.strong),
            ("not read wrong under strong degradations", "strong", 1 - self.bars.wrong),
            ("copies refused", "copy", self.bars.copy),
        )
        found = []
        for what, part, least in asked:
            n = min((whole.n for name in self.protocols if (whole := self.pooled(name, part)).n), default=0)
            found += _short_of(what, n, least)
        cells = [c.n for name in self.protocols for part in ("mild", "strong") for c in self.of(name, part)]
        return found + _short_of("read right in every single cell", min(cells, default=0), self.bars.cell)

    @property
    def holds(self) -> bool:
        """Whether no bar is missed, and enough was drawn to say so."""
        return not self.failures() and not self.too_few()

    def verdict(self) -> str:
        """Say in a sentence or two whether the bars are met, and what so many answers can show of it."""
        missed, few = self.failures(), self.too_few()
        count = f"{len(missed)} bar{'s are' if len(missed) > 1 else ' is'} not met"
        if not few:
            return f"{count}." if missed else "Every bar is met."
        needed = max(answers_needed(self.bars.mild), answers_needed(1 - self.bars.wrong))
        reach = clopper_pearson(self.answers, self.answers)[0]
        return (
            f"{count if missed else 'No bar is missed'}, but {self.answers} answers a severity are too few to tell: all "
            f"of them right show no more than {reach:.1%}, and {self.bars.mild:.1%} takes {needed} or more."
        )


def answers_needed(share: float) -> int:
    """Return how many answers, all of them right, have a 95 % Clopper-Pearson limit at or above a share.

    Examples
    --------
    >>> answers_needed(0.995), answers_needed(0.9)
    (736, 36)
    """
    return math.ceil(math.log(0.025) / math.log(share)) if 0 < share < 1 else 1


def _short_of(what: str, n: int, share: float) -> list[str]:
    needed = answers_needed(share)
    if n >= needed:
        return []
    reach = clopper_pearson(n, n)[0]
    return [f"{share:.1%} {what}: {n} drawn, all right, show {reach:.1%}; it takes {needed}"]


def _counted(cell: Cell, verdict: str, places: int) -> str:
    low, high = cell.limits(verdict)
    return f"{cell.share(verdict):.{places}%} of {cell.n} [{low:.1%}, {high:.1%}]"


def orders(chosen: Iterable[str], answers: int, seed: int, dump: str = "") -> list[Order]:
    """Return the trials: ``answers`` a severity, half as many copies, a tenth as many of each invalid rule."""
    found = []
    for protocol in chosen:
        counts = {
            "mild": answers,
            "strong": answers,
            "copy": max(answers // 2, 1),
            "invalid": max(answers // 10, 1) * len(cells(protocol, "invalid")),
        }
        found += [Order(protocol, part, index, seed, dump) for part in PARTS for index in range(counts[part])]
    return found


def verify(
    protocols: Sequence[str] | None = None,
    answers: int = 1000,
    seed: int = 0,
    jobs: int = 2,
    progress: Callable[[int, int], None] | None = None,
    dump: str = "",
) -> Certificate:
    """Draw answers, degrade them, read them and count.

    Parameters
    ----------
    protocols : sequence of str, optional
        Ids of the catalogue; all that the draughtsman can draw where it is None.
    answers : int
        Answers a protocol and severity, spread evenly over the degradations.
    seed : int
        Every answer has a generator of its own, seeded by this, its protocol and its number, so the result does not
        depend on ``jobs``.
    jobs : int
        Processes.
    progress : callable, optional
        Called with the trials done and their number.
    dump : str
        Folder for the pictures of what was not read right; empty for none.

    Raises
    ------
    InputError
        If a protocol cannot be drawn or a number is out of range.
    """
    chosen = _chosen(protocols)
    if answers < 1 or jobs < 1 or seed < 0:
        raise InputError(f"answers {answers}, jobs {jobs}, seed {seed}: expected answers and jobs >= 1, seed >= 0")
    todo = orders(chosen, answers, seed, dump)
    results: list[Result] = []
    for result in _results(todo, jobs):
        results.append(result)
        if progress is not None:
            progress(len(results), len(todo))
    found = {name: {"fingerprint": opened(name).fingerprint, "reader": opened(name).reader} for name in chosen}
    return Certificate(answers, seed, found, _count(results, chosen))


def _chosen(asked: Sequence[str] | None) -> list[str]:
    known = [name for name in protocols() if name in names()]
    if not asked:
        return known
    for name in asked:
        if name not in known:
            why = ": it is read by an auxiliary model, which is not part of this package" if name in names() else ""
            raise InputError(f"{name!r} cannot be verified{why}; there are {', '.join(known)}")
    return list(dict.fromkeys(asked))


def _results(todo: list[Order], jobs: int) -> Iterator[Result]:
    if jobs == 1:
        yield from map(run_trial, todo)
        return
    with process_pool(jobs, _one_thread) as workers:
        yield from workers.map(run_trial, todo, chunksize=max(1, min(16, len(todo) // (4 * jobs) or 1)))


def _one_thread() -> None:
    import cv2

    cv2.setNumThreads(1)


def _count(results: list[Result], chosen: Iterable[str]) -> tuple[Cell, ...]:
    grouped: dict[tuple[str, str, str], list[Result]] = {}
    for result in results:
        grouped.setdefault((result.protocol, result.part, result.cell), []).append(result)
    found = []
    for protocol in chosen:
        for part in PARTS:
            for name in cells(protocol, part):
                group = grouped.get((protocol, part, name), [])
                verdicts = Counter(r.verdict for r in group)
                reasons = Counter(r.reason or r.status for r in group if r.verdict == "refused")
                found.append(
                    Cell(
                        protocol,
                        part,
                        name,
                        verdicts["right"],
                        verdicts["refused"],
                        verdicts["wrong"],
                        sum(not r.expected_reason for r in group),
                        dict(sorted(reasons.items())),
                    )
                )
    return tuple(found)
