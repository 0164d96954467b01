"""Prompts show the public view and the reader's own settings, and never a truth."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provise.protocol import names, open_protocol
from provise.protocol.prompt import check_template, render
from provise.sample import Sample


def sample(**more: object) -> Sample:
    row: dict[str, object] = {
        "id": "s1", "capability": "perception", "task": "t", "image_path": "a.png", "media_paths": ["a.png"],
        "question": "Which is nearer?", "answer": "TRUTH-9173", "answer_type": "choice", "choices": ["left", "right"],
        "source": "TRUTH-9173", "source_id": "TRUTH-9173",
    }  # fmt: skip
    return Sample.from_row({**row, **more})


@pytest.mark.parametrize("name", names())
def test_no_prompt_of_the_catalogue_shows_a_truth(name: str) -> None:
    hidden = json.dumps({"answer": "TRUTH-9173", "question": "TRUTH-9173", "holes": 7, "start": [0.2, 0.3]})
    protocol = open_protocol(name)
    text = render(
        protocol.spec.prompt, sample(metadata_json=hidden, mask_path="TRUTH-9173.png").public(), protocol.settings
    )
    assert "TRUTH-9173" not in text
    assert "{" not in text


@pytest.mark.parametrize("name", [n for n in names() if "colour" in open_protocol(n).settings])
def test_a_prompt_names_the_readers_own_colour(name: str) -> None:
    from provise.ops.colour import COLOURS

    protocol = open_protocol(name, colour="yellow")
    aids = json.dumps({"holes": 7, "start": [0.2, 0.3]})
    text = render(protocol.spec.prompt, sample(metadata_json=aids).public(), protocol.settings)
    assert "yellow" in text
    assert "RGB 255, 255, 0" in text
    assert COLOURS["yellow"].rgb == (255, 255, 0)


@given(st.text())
def test_a_question_goes_in_as_it_is(question: str) -> None:
    text = render("Q: {question} {{end}}", sample(question=question).public(), {})
    assert text == f"Q: {question.strip()} {{end}}".strip() + "\n"


def test_braces_in_a_question_are_not_slots() -> None:
    text = render("{question}", sample(question="{answer} {0} {question.__class__} {{").public(), {})
    assert text == "{answer} {0} {question.__class__} {{\n"


def test_a_metadata_key_cannot_replace_a_field() -> None:
    public = sample(metadata_json=json.dumps({"question": "other", "choices": "other", "subj": "the bed"})).public()
    assert render("{question} {subj|it}", public, {}) == "Which is nearer? the bed\n"


def test_a_fallback_stands_where_a_sample_has_nothing() -> None:
    assert render("{category_name|the object}", sample().public(), {}) == "the object\n"


def test_options_are_lettered_once() -> None:
    text = render("{choices}", sample(choices=["(A) A is closer", "B. back", "cup"]).public(), {})
    assert text == "A. A is closer\nB. back\nC. cup\n"


def test_a_mask_among_the_inputs_is_taken_out() -> None:
    public = sample(media_paths=["a.png", "m.png"], mask_path="m.png").public()
    assert public.media_paths == ("a.png",)
    assert not hasattr(public, "answer")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"colour": "orange"}, ["'{colour_rgb}'", "setting 'colour'", "green", "it is 'orange'"]),
        ({"colour": None}, ["'{colour_rgb}'", "it is None"]),
        ({"colour": "red", "width": 3}, ["{width_percent", "a share", "it is 3"]),
    ],
)
def test_a_setting_that_cannot_fill_its_slot_is_named_and_the_slot_not_called_unknown(settings, words) -> None:
    (problem,) = check_template("{colour|x} ({colour_rgb}) {width_percent|y}", {"width": 0.2, **settings}, "mine.yaml")
    assert all(word in problem for word in words)
    assert "unknown" not in problem
