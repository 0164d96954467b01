"""Size: extents measured on the solids' corners, and in the picture."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from provise.synth.actors import Actor
from provise.synth.item import LEVELS, Item, Level, generator
from provise.synth.tasks.size import MAKER
from tests.synth.answering import MANY, made, scores

WORDS = {"taller": "taller", "longer": "longer", "larger": "wider"}


def named(item: Item) -> list[int]:
    """Return the places of the two things among the actors, in the order of the options."""
    actors = item.facts["stage"].actors
    found = [[i for i, actor in enumerate(actors) if f"the {actor.name}" == choice] for choice in item.choices]
    assert all(len(places) == 1 for places in found), "each option fits one thing alone"
    return [places[0] for places in found]


def asked(item: Item) -> str:
    return next(kind for word, kind in WORDS.items() if word in item.question)


def extent(actor: Actor, kind: str) -> float:
    corners = np.concatenate([part.corners for part in actor.thing.parts])
    if kind == "taller":
        return float(np.ptp(corners[:, 2]))
    if kind == "longer":
        return max(float(np.hypot(*(a - b))) for a in corners[:, :2] for b in corners[:, :2])
    return float(2 * actor.thing.parts[0].half[0])


def check(item: Item) -> None:
    stage, kind = item.facts["stage"], asked(item)
    true = [extent(stage.actors[i], kind) for i in named(item)]
    assert item.answer == ("A" if true[0] > true[1] else "B")
    assert max(true) / min(true) >= 1.15
    # Measured in the picture the same one is larger: that is what drawn bars can say.
    fine = stage.fine()
    seen = []
    for i, (start, end) in zip(named(item), item.metadata["bars"], strict=True):
        rows, columns = np.nonzero(fine.mask(i))
        along = np.subtract(end, start) * (640, 480)
        length = float(np.hypot(*along))
        reach = float(np.ptp(columns * along[0] / length + rows * along[1] / length)) + 1
        assert 0.93 <= length / reach <= 1.07, "a bar spans its thing"
        seen.append(length)
    assert item.answer == ("A" if seen[0] > seen[1] else "B")
    assert max(seen) / min(seen) >= 1.15
    assert min(seen) >= 0.03 * 640


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_the_larger_in_truth_and_in_the_picture(level: Level) -> None:
    for item in made("size", 6, 1, level):
        check(item)


def test_the_larger_is_the_nearer_half_of_the_time_whatever_the_answer() -> None:
    wanted = MAKER.answers(40, generator(0, "size", 0), "medium")
    assert set(Counter(letter for letter, _ in wanted).values()) == {20}
    assert set(Counter(nearer for _, nearer in wanted).values()) == {20}
    for item in made("size", 6, 1):
        stage = item.facts["stage"]
        larger, smaller = named(item) if item.answer == "A" else named(item)[::-1]
        eye = np.asarray(stage.room.camera.eye)
        away = [np.linalg.norm(np.asarray(stage.actors[i].middle) - eye) for i in (larger, smaller)]
        assert (away[0] < away[1]) == item.facts["larger_is_nearer"]


def test_right_answers_score_and_wrong_ones_do_not(tmp_path: Path) -> None:
    items = made("size", 6, 1)
    assert scores("size", items, tmp_path / "right", right=True) == [(1.0, "")] * 6
    assert scores("size", items, tmp_path / "wrong", right=False) == [(0.0, "")] * 6


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_many_answers_in_many_styles(tmp_path: Path, level: Level) -> None:
    items = made("size", MANY, 5, level)
    for item in items:
        check(item)
    assert scores("size", items, tmp_path / "right", right=True, styled=True) == [(1.0, "")] * MANY
    assert scores("size", items, tmp_path / "wrong", right=False, styled=True) == [(0.0, "")] * MANY
