"""Counting: what is counted is counted again from the things themselves, and by rays."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from provise.synth.item import LEVELS, Item, Level, generator
from provise.synth.tasks.counting import COUNTS, MAKER
from tests.synth.answering import MANY, made, scores
from tests.synth.marching import first_met

ONE = {"shelves": "shelf", "objects": ""}


def counted(item: Item) -> list[int]:
    """Return the things that the question asks for, from its words alone."""
    asked = re.search(r"(?:How many|Count the) (.+?) (?:are there|can be seen|in this room)", item.question)
    assert asked
    words = asked[1].split()
    noun = " ".join(words)
    actors = item.facts["stage"].actors
    colours = {actor.colour for actor in actors} | {"red", "orange", "white", "black"}
    colour = words.pop(0) if words[0] in colours else ""
    noun = ONE.get(" ".join(words), " ".join(words).removesuffix("s"))
    return [i for i, a in enumerate(actors) if (not colour or a.colour == colour) and (not noun or a.noun == noun)]


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_the_number_of_things_that_the_words_fit(level: Level) -> None:
    for item in made("counting", 5, 3, level):
        assert len(counted(item)) == int(item.answer)
        assert len(item.facts["stage"].actors) > int(item.answer)


def test_every_counted_thing_is_seen_where_a_ray_meets_it() -> None:
    """Of rays through a thing's own solids, about the share that the mask says meets it first."""
    rng = np.random.default_rng(0)
    for item in made("counting", 3, 3):
        stage = item.facts["stage"]
        camera, shell = stage.room.camera, len(stage.room.shell)
        things = [*stage.room.shell, *(actor.thing for actor in stage.actors)]
        for i in counted(item):
            seen = stage.fine().mask(i)
            rows, columns = np.nonzero(seen)
            for k in rng.integers(len(rows), size=4):
                row, column = rows[k], columns[k]
                # A pixel at a rim may see past what its middle sees by a hair.
                if seen[row - 2 : row + 3, column - 2 : column + 3].all():
                    assert first_met(camera, things, column + 0.5, row + 0.5)[0] == shell + i


def test_what_is_counted_can_be_seen_and_holds_a_star_of_its_own() -> None:
    for item in made("counting", 5, 3, "hard"):
        stage = item.facts["stage"]
        assert min(stage.share(i) for i in counted(item)) >= 0.45
        points = np.array(item.metadata["points"]) * (640, 480)
        gaps = [np.hypot(*(a - b)) for i, a in enumerate(points) for b in points[:i]]
        assert min(gaps) >= 0.05 * 640
        assert ((points > 10) & (points < np.array([630, 470]))).all()


@pytest.mark.parametrize("level", LEVELS)
def test_counts_are_even(level: Level) -> None:
    wanted = MAKER.answers(48, generator(0, "counting", 0), level)
    answers = Counter(count for count, _ in wanted)
    assert set(answers.values()) == {6}
    assert sorted(answers) == list(COUNTS)
    # Who counts everything and takes off a fixed number is right as often as any other number of others is there.
    assert set(Counter(others for _, others in wanted).values()) == {8}


def test_there_are_as_many_other_things_as_wanted() -> None:
    wanted = MAKER.answers(5, generator(3, "counting", 0), "medium")
    for item, (count, others) in zip(made("counting", 5, 3), wanted, strict=True):
        assert len(item.facts["stage"].actors) == count + others


def test_right_answers_score_and_wrong_ones_do_not(tmp_path: Path) -> None:
    items = made("counting", 5, 3)
    assert scores("counting", items, tmp_path / "right", right=True) == [(1.0, "")] * 5
    assert scores("counting", items, tmp_path / "wrong", right=False) == [(0.0, "")] * 5


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_many_answers_in_many_styles(tmp_path: Path, level: Level) -> None:
    items = made("counting", MANY, 5, level)
    for item in items:
        assert len(counted(item)) == int(item.answer)
    assert scores("counting", items, tmp_path / "right", right=True, styled=True) == [(1.0, "")] * MANY
    assert scores("counting", items, tmp_path / "wrong", right=False, styled=True) == [(0.0, "")] * MANY
