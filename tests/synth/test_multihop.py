"""Rearranged rows: the text is read and acted out on the row as the picture shows it."""

from __future__ import annotations

import contextlib
import re

import numpy as np
import pytest

from provise.synth.item import Item, Level
from provise.synth.render import look
from tests.synth.answering import MANY
from tests.synth.rounds import made

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def row_as_seen(item: Item) -> list[str]:
    """The things from left to right, by the middle of their pixels."""
    things = item.facts["things"]
    seen = look(item.facts["camera"], things)
    named = [i for i, thing in enumerate(things) if thing.name in item.facts["row"]]
    middles = {things[i].name: float(np.nonzero(seen.mask(i))[1].mean()) for i in named}
    return sorted(middles, key=lambda name: middles[name])


def acted_out(item: Item) -> str:
    """Do what the question says, sentence by sentence, and answer it."""
    row = row_as_seen(item)
    for step in re.split(r"(?:First|Then|After that|At last) ", item.question)[1:]:
        step = step.split(".")[0]
        if found := re.fullmatch(r"the (.+) and the (.+) change places", step):
            i, j = row.index(found[1]), row.index(found[2])
            row[i], row[j] = row[j], row[i]
        elif found := re.fullmatch(r"the (.+) is moved to the (left|right) end of the row", step):
            row.remove(found[1])
            row.insert(0 if found[2] == "left" else len(row), found[1])
        elif found := re.fullmatch(r"the (.+) is put directly to the (left|right) of the (.+)", step):
            row.remove(found[1])
            row.insert(row.index(found[3]) + (found[2] == "right"), found[1])
        else:
            assert step == "the whole row is put in reverse order", step
            row.reverse()
    asked = item.question.rsplit(". ", 1)[1]
    if found := re.fullmatch(r"Which is then the (\w+) from the (left|right)\?", asked):
        at = ORDINALS.index(found[1])
        return row[at] if found[2] == "left" else row[-1 - at]
    found = re.fullmatch(r"What then stands directly to the (left|right) of the (.+)\?", asked)
    return row[row.index(found[2]) + (1 if found[1] == "right" else -1)]


def check(item: Item) -> None:
    assert row_as_seen(item) == item.facts["row"]
    assert len(set(item.choices)) == 4
    assert item.choices["ABCD".index(item.answer)] == f"the {acted_out(item)}", item.question


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_acting_the_text_out_gives_the_answer(level: Level) -> None:
    for item in made("multihop", 4, level=level):
        check(item)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_acting_many_texts_out_gives_their_answers(level: Level) -> None:
    for item in made("multihop", MANY, seed=5, level=level):
        check(item)


def test_whoever_does_not_move_anything_is_wrong() -> None:
    """The row as it stands answers none of the questions."""
    for item in made("multihop", 6):
        still = Item("From left to right. " + item.question.rsplit(". ", 1)[1], "", "", (), facts=item.facts)
        with contextlib.suppress(IndexError):  # nothing stands there yet
            assert item.choices["ABCD".index(item.answer)] != f"the {acted_out(still)}"
