"""Relationship: statements held to the corners of solids and to where a camera sees them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from provise.synth.actors import Actor
from provise.synth.item import LEVELS, Item, Level, generator
from provise.synth.tasks.relationship import MAKER
from tests.synth.answering import MANY, made, scores

RELATIONS = {
    "is to the left of": "left", "is to the right of": "right", "is in front of": "front", "is behind": "behind",
    "is closer to the camera than": "nearer", "is farther from the camera than": "farther", "is taller than": "taller",
    "is shorter than": "shorter", "is on": "on", "is under": "under",
}  # fmt: skip


def corners(actor: Actor) -> np.ndarray:
    return np.concatenate([part.corners for part in actor.thing.parts])


def holds(item: Item) -> bool:
    """Work out from the statement's words and the solids whether it is true."""
    words_of = "|".join(sorted(RELATIONS, key=len, reverse=True))
    statement = re.fullmatch(rf"(?:Seen from the camera, t|T)he (.+?) ({words_of}) the (.+)\.", item.question)
    assert statement
    subject, words, other = statement.groups()
    assert (subject, other) == (item.metadata["subj"], item.metadata["obj"])
    stage = item.facts["stage"]
    by_name = {actor.name: actor for actor in stage.actors}
    assert [actor.name for actor in stage.actors].count(subject) == 1
    s, o = corners(by_name[subject]), corners(by_name[other])
    camera = stage.room.camera
    column_s, column_o = (camera.project(c)[:, 0].mean() for c in (s, o))
    far_s, far_o = (np.linalg.norm(c.mean(axis=0) - camera.eye) for c in (s, o))
    over = _over(by_name[subject], by_name[other])
    return bool(
        {
            "left": column_s < column_o,
            "right": column_s > column_o,
            "front": far_s < far_o,
            "behind": far_s > far_o,
            "nearer": far_s < far_o,
            "farther": far_s > far_o,
            "taller": np.ptp(s[:, 2]) > np.ptp(o[:, 2]),
            "shorter": np.ptp(s[:, 2]) < np.ptp(o[:, 2]),
            "on": over and abs(s[:, 2].min() - o[:, 2].max()) < 0.03,
            "under": over and s[:, 2].max() < o[:, 2].max(),
        }[RELATIONS[words]]
    )


def _over(small: Actor, table: Actor) -> bool:
    """Tell whether the middle of one thing lies within the outline of a table, seen from above."""
    if table.model != "table":
        return False
    top = next(part for part in table.thing.parts if part.name == "top")
    local = np.linalg.inv(top.turn) @ (np.array([*small.at, 0.0]) - top.centre)
    return bool((np.abs(local[:2]) < np.asarray(top.half[:2])).all())


@pytest.mark.parametrize("level", LEVELS)
def test_a_statement_is_true_where_the_solids_say_so(level: Level) -> None:
    for item in made("relationship", 8, 1, level):
        assert holds(item) == (item.answer == "true"), item.question


def test_subject_and_object_are_large_enough_to_be_overlaid() -> None:
    for item in made("relationship", 8, 1, "hard"):
        fine = item.facts["stage"].fine()
        assert min(fine.mask(item.facts[name]).mean() for name in ("subject", "object")) >= 0.006


def test_half_is_true_and_no_relation_tells() -> None:
    for n in (8, 40):
        wanted = MAKER.answers(n, generator(0, "relationship", 0), "medium")
        assert Counter(truth for truth, _ in wanted) == {True: n // 2, False: n // 2}
    assert set(Counter(wanted).values()) == {2}


def test_right_answers_score_and_wrong_ones_do_not(tmp_path: Path) -> None:
    items = made("relationship", 8, 1)
    assert scores("relationship", items, tmp_path / "right", right=True) == [(1.0, "")] * 8
    assert scores("relationship", items, tmp_path / "wrong", right=False) == [(0.0, "")] * 8


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_many_answers_in_many_styles(tmp_path: Path, level: Level) -> None:
    items = made("relationship", MANY, 5, level)
    for item in items:
        assert holds(item) == (item.answer == "true"), item.question
    assert scores("relationship", items, tmp_path / "right", right=True, styled=True) == [(1.0, "")] * MANY
    assert scores("relationship", items, tmp_path / "wrong", right=False, styled=True) == [(0.0, "")] * MANY
