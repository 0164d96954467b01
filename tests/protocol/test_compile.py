"""A protocol is checked when it is loaded, and its fingerprint covers what can change a score."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from provise.errors import ProtocolError
from provise.protocol import compile_protocol, load_protocol, names, open_protocol
from provise.resources import data_folder

RAW: dict[str, Any] = yaml.safe_load((data_folder("protocols") / "catalogue" / "fixed_slots.yaml").read_text())


def changed(path: str, value: Any) -> dict[str, Any]:
    raw = copy.deepcopy(RAW)
    *parents, last = path.split("/")
    node: Any = raw
    for key in parents:
        node = node[int(key) if key.isdigit() else key]
    node[int(last) if last.isdigit() else last] = value
    return raw


@pytest.mark.parametrize("name", names())
def test_the_catalogue_compiles(name: str) -> None:
    assert open_protocol(name).id == name


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("graph/1/op", "novel_color", ["step 'marks'", "novel_color", "novel_colour"]),
        ("graph/1/in", {"sheet": "nowhere"}, ["step 'marks'", "nowhere", "sheet"]),
        ("graph/1/in", {"sheet": "answer"}, ["must be a sheet", "picture"]),
        ("graph/1/in", {}, ["input 'sheet'", "missing"]),
        ("graph/1/with/change", 400, ["change", "at most 255", "400"]),
        ("graph/1/with/colour", "purple", ["purple", "green"]),
        ("graph/1/with/hue", [100, 260], ["hue", "parameters"]),
        ("graph/2/with/corner", "$corner_share", ["$corner_share"]),
        ("metric", "accuracy", ["accuracy", "exact"]),
        ("prediction", "integer", ["declares the prediction 'integer'"]),
        ("aids", ["answer"], ["aid 'answer' is unknown"]),
        ("graph", [], ["no graph"]),
        ("prompt", "Answer {answer}", ["{answer}", "unknown"]),
        ("prompt", "Answer {question.__class__}", ["not a plain name"]),
        ("prompt", "Answer {question!s}", ["not a plain name"]),
        ("prompt", "A lone { brace", ["single '{'"]),
        ("version", 0, ["version"]),
        ("surprise", 1, ["surprise"]),
    ],
)
def test_what_is_wrong_is_named(path: str, value: Any, words: list[str]) -> None:
    with pytest.raises(ProtocolError) as caught:
        compile_protocol(changed(path, value), "mine.yaml")
    for word in ("mine.yaml", *words):
        assert word in str(caught.value)


def test_all_problems_are_told_at_once() -> None:
    raw = changed("graph/1/op", "nothing")
    raw["metric"] = "none"
    with pytest.raises(ProtocolError) as caught:
        compile_protocol(raw)
    assert "nothing" in str(caught.value)
    assert "metric" in str(caught.value)


SLIPS = """
id: Red Dot
version: zero
titel: Red dot
defalts: {colour: red}
prompt: "{question} Put one {colour} disc ({colour_rgb}) on it."
graph:
  - {id: sheet, op: compair, in: {answer: answer, sources: sources}}
  - {id: marks, op: novel_colour, in: {sheet: sheet}, wth: {colour: $colour}}
  - only a text
  - {id: point, op: compact_point, in: {mask: marks}, with: {least: -3, mst: 1}}
prediction: pint
invalid: [blank]
metric: point_in_musk
"""


def test_a_file_of_many_slips_is_told_all_of_them_at_once_and_nothing_that_only_follows() -> None:
    with pytest.raises(ProtocolError) as caught:
        compile_protocol(yaml.safe_load(SLIPS), "mine.yaml")
    lines = str(caught.value).splitlines()
    said = [
        ("id:", "small letters", "'Red Dot'"),
        ("version:", "a whole number", "'zero'"),
        ("title:", "missing", "a text"),
        ("titel:", "did you mean title?"),
        ("defalts:", "did you mean defaults?"),
        ("step 'sheet':", "'compair'", "did you mean compare?"),
        ("step 'marks':", "wth:", "did you mean with?"),
        ("step 3 of the graph:", "a mapping of fields", "'only a text'"),
        ("step 'point':", "least:", "at least 1", "-3"),
        ("step 'point':", "mst:", "no such parameter", "did you mean most?"),
        ("prediction:", "'point'", "got 'pint'"),
        ("invalid:", "a mapping", "['blank']"),
        ("metric", "'point_in_musk'", "point_in_mask"),
    ]
    for words in said:
        assert sum(all(word in line for word in words) for line in lines) == 1, (words, lines)
    # No colour that is "unknown" for want of defaults, no step "which no earlier step makes" for want of the step.
    assert len(lines) == len(said), lines
    assert all(line.startswith("mine.yaml: ") for line in lines)


@pytest.mark.parametrize(
    "words", ["Extra inputs", "Field required", "Input should", "Value error", "validation error", "NoneType"]
)
def test_no_message_is_in_the_words_of_a_library(words: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        compile_protocol(yaml.safe_load(SLIPS), "mine.yaml")
    assert words not in str(caught.value)
    with pytest.raises(ProtocolError) as caught:
        compile_protocol(None, "empty.yaml")
    assert words not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("metric_settings", {"reach": 4}, ["unknown setting 'reach'", "correct_at"]),
        ("metric_settings", {"correct_at": 7}, ["correct_at is 7", "to 1"]),
        ("metric", "mask_iou", ["scores mask", "'choice'", "exact"]),
    ],
)
def test_a_metric_that_could_not_score_the_prediction_is_told_before_a_run(
    path: str, value: Any, words: list[str]
) -> None:
    with pytest.raises(ProtocolError) as caught:
        compile_protocol(changed(path, value))
    for word in words:
        assert word in str(caught.value)


def test_a_folder_is_called_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="is a folder"):
        load_protocol(tmp_path)


def test_at_most_32_steps() -> None:
    raw = copy.deepcopy(RAW)
    step = raw["graph"][1]
    raw["graph"] = raw["graph"][:1] + [{**step, "id": f"m{i}"} for i in range(33)] + raw["graph"][1:]
    with pytest.raises(ProtocolError, match="at most 32"):
        compile_protocol(raw)


def test_an_undeclared_aid_is_refused() -> None:
    from provise.ops.registry import operators

    users = [op for op in operators().values() if op.aids]
    for op in users:
        raw = copy.deepcopy(RAW)
        raw["aids"] = []
        raw["graph"].append({"id": "extra", "op": op.name, "in": {}, "with": {}})
        with pytest.raises(ProtocolError, match="does not declare"):
            compile_protocol(raw)


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(ProtocolError, match="corners"):
        open_protocol("fixed_slots", corners=0.2)
    assert open_protocol("fixed_slots", corner=0.2).settings["corner"] == 0.2


def test_a_misspelt_name_is_told_the_nearest() -> None:
    with pytest.raises(ProtocolError, match="did you mean fixed_slots"):
        open_protocol("fixed_slot")


@pytest.mark.parametrize(
    ("path", "value", "same"),
    [
        ("title", "Other words", True),
        ("summary", "Other words", True),
        ("unchecked", ["x"], True),
        ("prompt", "Other {question}", False),
        ("defaults/corner", 0.25, False),
        ("inputs", "first", False),
        ("version", 2, False),
        ("metric_settings", {"correct_at": 0.5}, False),
        ("graph/2/with/rival", 0.3, False),
    ],
)
def test_the_fingerprint_covers_what_changes_a_score(path: str, value: Any, same: bool) -> None:
    before = compile_protocol(RAW).fingerprint
    assert (compile_protocol(changed(path, value)).fingerprint == before) is same


@pytest.mark.parametrize("text", ["", "- a", "a: [", "!!python/object/apply:os.system ['true']", "id: x"])
def test_files_that_are_no_protocol(tmp_path: Path, text: str) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text(text)
    with pytest.raises(ProtocolError, match=r"broken\.yaml"):
        load_protocol(file)
