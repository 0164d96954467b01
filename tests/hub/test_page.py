"""What docs/DATASET.md shows is what happens."""

from __future__ import annotations

import re
import shlex

import pytest
from typer.main import get_command

from provise.cli import app
from provise.hub.address import PUBLISHED
from provise.sample import FIELDS
from tests.hub.conftest import ROOT, Client

PAGE = (ROOT / "docs" / "DATASET.md").read_text("utf-8")


@pytest.mark.slow
def test_the_python_of_the_page_runs(hub: Client) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    code = code.replace('"dataset_script"', repr(str(ROOT / "dataset_script")))
    done = hub.python(f"{code}\nprint(len(depth), len(every), first['mask'].size, depth[0]['media'][0].size)")
    assert done.stdout.split("\n")[-2] == "4 56 (640, 480) (640, 480)", done.stderr[-2000:]


def test_the_commands_of_the_page_are_there() -> None:
    lines = [
        line.partition("  #")[0]
        for block in re.findall(r"^```bash\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]
    assert len(lines) == 6
    for line in lines:
        words = shlex.split(line)[1:]
        command = get_command(app)
        while words and not words[0].startswith("-") and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line


def test_the_numbers_of_the_page() -> None:
    assert f"The {len(FIELDS)} released fields" in PAGE
    assert PUBLISHED["spatialgen-bench"] in PAGE
