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
        ("graph/1/with/change", 400, ["change", "less than or equal to 255", "400"]),
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
        ("metric_settings", {"a": 1}, False),
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
