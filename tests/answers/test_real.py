"""The answers of real benchmarks, in every spelling they use."""

import json
import os
from pathlib import Path

import pytest

from provise.answers import read_text
from provise.labels import same, split_options, to_label

REAL = Path(os.environ.get("PROVISE_REAL") or Path(__file__).parents[3] / "shared" / "real")
FORMS = (
    "{}",
    "**{}**",
    "The answer is {}.",
    "Answer: {}",
    "\\boxed{{{}}}",
    "<think>A or B?</think>{}",
    '{{"answer": "{}"}}',
)

pytestmark = pytest.mark.real


def real(name):
    if not (REAL / name).exists():
        pytest.skip(f"no real data at {REAL / name}; PROVISE_REAL names its folder")
    return REAL / name


def test_viewspatial():
    rows = json.loads(next(real("viewspatial").glob("*.json")).read_text())
    for row in rows[::7]:
        label = to_label(row["answer"], row["choices"])
        assert label == row["answer"][0]
        text = row["answer"][3:]
        for spelled in (row["answer"], label, f"({label})", text):
            for form in FORMS:
                assert read_text(form.format(spelled), "choice", choices=row["choices"]).prediction == label, form


def test_sphere():
    for file in sorted(real("sphere").glob("*/*.json")):
        for row in json.loads(file.read_text())[::5]:
            truth, choices = row["answer"], row["option"] or ()
            if not choices:
                assert same(read_text(f"There are {truth}.", "integer").prediction, truth, "integer")
                continue
            label = to_label(truth, choices)
            assert label is not None, row
            assert choices["ABCDEF".index(label)] == truth
            for form in FORMS:
                if '"' not in truth:
                    assert read_text(form.format(truth), "choice", choices=choices).prediction == label, (form, row)
            if row["metadata"]["format"] == "bool" and truth in ("yes", "no"):
                assert read_text(label, "boolean", choices=choices).prediction is (truth == "yes")


def test_vsr():
    for line in (real("vsr") / "all_vsr_validated_data.jsonl").read_text().splitlines()[::50]:
        label = json.loads(line)["label"]
        word = "true" if label else "false"
        assert same(read_text(f"The statement is {word}.", "boolean").prediction, label, "boolean")


def test_countbench():
    words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    for row in json.loads((real("countbench") / "CountBench.json").read_text()):
        number = int(row["number"])
        for form in FORMS:
            assert read_text(form.format(number), "integer").prediction == number
            assert read_text(form.format(words[number - 2]), "integer").prediction == number


def test_spatialgeneval():
    file = next(real("spatialgeneval").glob("*.jsonl"))
    for line in file.read_text().splitlines()[::25]:
        row = json.loads(line)
        for question, answer in zip(row["questions"], row["answers"], strict=True):
            found = split_options(question)
            assert [option.label for option in found] in (list("ABCDE"), list("ABCE")), question
            assert found[-1].text.startswith("None")
            choices = [{"label": option.label, "text": option.text} for option in found]
            for spelled in (answer, f"({answer})", f"{answer}: {dict(found)[answer]}"):
                assert read_text(f"Answer: {spelled}", "choice", choices=choices).prediction == answer, spelled


def test_egoorient():
    folder = real("egoorient") / "all_data" / "EgocentricDataset" / "testing_data"
    for row in json.loads((folder / "benchmark_mini.json").read_text()):
        kind = "boolean" if row["type"] == "general_binary" else "direction"
        found = read_text(row["label"], kind).prediction
        assert same(found, row["label"] if kind == "boolean" else row["original_label"], kind), row
    for row in json.loads((folder / "imagenet_QA_7b_clean_test.json").read_text()):
        for turn in row["conversations"]:
            if turn["from"] == "gpt" and turn["value"].lower() not in ("yes", "no") and len(turn["value"]) < 20:
                assert same(read_text(turn["value"], "direction").prediction, row["direction"], "direction"), turn
