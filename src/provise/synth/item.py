"""A made question, before it becomes a row and its pictures become files."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["LEVELS", "Item", "Level", "Maker", "evenly", "generator"]

Bytes = npt.NDArray[np.uint8]
T = TypeVar("T")
Level = Literal["easy", "medium", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")


@dataclass(frozen=True, eq=False)
class Item:
    """A question about pictures, with its one right answer.

    Parameters
    ----------
    question : str
        What is asked; for ``relationship`` the statement.
    answer, answer_type : str
        As in a row of a benchmark folder.
    pictures : tuple of ndarray of uint8, shape (h, w, 3)
        RGB; the first is the primary one, the others follow in the order in which a model is given them.
    choices : tuple of str
        Options in order.
    mask : ndarray of bool, shape (h, w), optional
        The target's pixels in the primary picture.
    metadata : mapping
        Reading aids; an aid that names pictures does so by their place, as in ``{"file_names": [0, 1, 2]}``.
    facts : mapping
        What the answer follows from, in the scene's own terms, so that a test can work it out by another way. It is not
        written to the folder.
    """

    question: str
    answer: str
    answer_type: str
    pictures: tuple[Bytes, ...]
    choices: tuple[str, ...] = ()
    mask: npt.NDArray[np.bool_] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Maker:
    """How the questions of one task are made.

    Parameters
    ----------
    task : str
        One of the fourteen.
    answers : callable
        ``answers(n, rng, level)`` returns what n questions shall have as their answers, as evenly spread as it goes, in a
        random order. Each may be anything that ``make`` understands.
    make : callable
        ``make(wanted, rng, level)`` returns a question with that answer, or None where this draw came to nothing (a thing
        hidden, two answers possible): then it is called again with another generator.
    """

    task: str
    answers: Callable[[int, np.random.Generator, Level], Sequence[Any]]
    make: Callable[[Any, np.random.Generator, Level], Item | None]


def generator(seed: int, task: str, *more: int) -> np.random.Generator:
    """Return the random generator of one task's question: the same for the same numbers, whatever else is made.

    Examples
    --------
    >>> a, b = (generator(0, "depth", 3).integers(1000) for _ in range(2))
    >>> bool(a == b)
    True
    """
    return np.random.default_rng([seed, zlib.crc32(task.encode()), *more])


def evenly(values: Sequence[T], n: int, rng: np.random.Generator) -> list[T]:
    """Return n of some values in a random order, each as often as any other, or once more.

    Which ones are taken once more is random too.

    Examples
    --------
    >>> drawn = evenly("ABCD", 10, np.random.default_rng(0))
    >>> sorted(drawn.count(letter) for letter in "ABCD")
    [2, 2, 3, 3]
    """
    rounds = [rng.permutation(len(values)) for _ in range(-(-n // len(values)))]
    picked = np.concatenate(rounds)[:n] if rounds else np.zeros(0, int)
    return [values[int(i)] for i in rng.permutation(picked)]
