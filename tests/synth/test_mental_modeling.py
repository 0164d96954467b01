"""Four views of a room: what is told from quarter turns is held to what rays from the middle meet."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from provise.synth.camera import Camera
from provise.synth.item import Item, Level
from provise.synth.render import look
from tests.synth.answering import MANY
from tests.synth.rounds import made

LEFT = np.array([[0.0, -1.0], [1.0, 0.0]])
WORDS = {"a quarter turn to your left": LEFT, "a quarter turn to your right": -LEFT, "half a turn": LEFT @ LEFT}
ASKED = {"behind you": LEFT @ LEFT, "on your left": LEFT, "on your right": -LEFT, "straight in front of you": np.eye(2)}


def seen_from_the_middle(item: Item, ahead: np.ndarray) -> Counter[str]:
    """How many rays of a view from the middle meet each thing."""
    things = item.facts["things"]
    camera = Camera((0, 0, 1.45), (float(ahead[0]), float(ahead[1]), 1.29), (160, 120), 80.0)
    return Counter(things[i].name for i in look(camera, things).thing.ravel() if i >= 0)


def answered_by_rays(item: Item) -> str:
    """Turn about as the question says, look where it asks, and name the option that most rays meet."""
    faced, number = re.search(r"face the ([a-z ]+) \(picture (\d)\)", item.question).groups()
    ahead = [np.array(v, float) for v in ((0, 1), (1, 0), (0, -1), (-1, 0))][int(number) - 1]
    assert seen_from_the_middle(item, ahead)[faced] > 100
    for turn in re.findall(r"you make ([a-z ]+)\.", item.question):
        ahead = WORDS[turn] @ ahead
    asked = re.search(r"What is (?:now )?([a-z ]+)\?", item.question)[1]
    found = seen_from_the_middle(item, ASKED[asked] @ ahead)
    rays = [found[choice.removeprefix("the ")] for choice in item.choices]
    assert sorted(rays)[-2] < 0.2 * max(rays)
    return "ABCD"[int(np.argmax(rays))]


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_the_answer_is_what_rays_meet_after_the_turns(level: Level) -> None:
    for item in made("mental_modeling", 3, level=level):
        assert answered_by_rays(item) == item.answer, item.question


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_many_answers_are_what_rays_meet(level: Level) -> None:
    for item in made("mental_modeling", MANY, seed=3, level=level):
        assert answered_by_rays(item) == item.answer, item.question


def test_every_option_is_another_thing_and_all_can_be_seen() -> None:
    for item in made("mental_modeling", 4):
        assert len(set(item.choices)) == 4
        for choice in item.choices:
            views = [look(camera, item.facts["things"]) for camera in item.facts["cameras"]]
            index = [thing.name for thing in item.facts["things"]].index(choice.removeprefix("the "))
            assert max(int(view.mask(index).sum()) for view in views) > 500
