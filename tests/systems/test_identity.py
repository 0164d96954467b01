"""What tells one system from another: plain values, the same in every process, or a refusal that says what is not."""

from __future__ import annotations

import enum
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import provise
from provise.errors import InputError
from provise.runs.run import default_folder
from provise.systems import Answer, Request, System
from provise.systems.base import plain_identity
from tests.mini import make_mini
from tests.runs.scripted import Told


class Size(enum.Enum):
    SMALL = 1


class Loose(Told):
    """Names itself as it is told to."""

    def __init__(self, own: Any) -> None:
        super().__init__(Answer(text="A"))
        self.own = own

    def identity(self) -> Any:
        return self.own


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_mini(tmp_path_factory.mktemp("mini") / "mini", 1)


@pytest.mark.parametrize(
    "settings",
    [
        {"size": (640, 480)}, {1: "one", "two": 2}, {"t": float("nan")}, {"t": float("inf")}, {"deep": {"a": ((1, [2]), None)}},
        {"half": "\ud800"}, {"n": 10**60}, {"on": True}, {"path": "x" * 4000},
    ],
    ids=lambda settings: repr(settings)[:30],
)  # fmt: skip
def test_settings_that_a_file_writes_otherwise_are_still_the_same_system(
    mini: Path, tmp_path: Path, settings: Mapping[str, Any]
) -> None:
    provise.run(mini, Told(Answer(text="A"), settings), tmp_path / "run", jobs=1)
    again = Told(None, settings)
    provise.run(mini, again, tmp_path / "run", jobs=1)
    assert again.asked == []


@pytest.mark.parametrize(
    "value",
    [
        lambda x: x,
        make_mini,
        object(),
        {1, 2},
        b"key",
        Path("weights"),
        Size.SMALL,
        1j,
        range(3),
        [[lambda: 0]],
        {"a": Told},
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_another_name_in_every_process_is_refused_before_anything_is_asked(
    mini: Path, tmp_path: Path, value: Any
) -> None:
    system = Told(Answer(text="A"), {"f": value})
    with pytest.raises(InputError, match=r"system 'told': its settings hold a .*keep anything else as an attribute"):
        provise.run(mini, system, tmp_path / "run", jobs=1)
    assert (system.asked, (tmp_path / "run").exists()) == ([], False)


def test_settings_that_hold_themselves_and_a_system_without_a_kind_are_told(mini: Path, tmp_path: Path) -> None:
    own: dict[str, Any] = {}
    own["own"] = own
    with pytest.raises(InputError, match="cannot be written as JSON"):
        provise.run(mini, Told(None, own), tmp_path / "run")

    class Nameless(System):
        def answer(self, request: Request) -> Answer:
            return Answer(text="A")

    with pytest.raises(InputError, match="system Nameless has no kind; give the class a text of that name"):
        provise.run(mini, Nameless("", {}), tmp_path / "run")


@pytest.mark.parametrize("own", ["me", ["me", 1], {"kind": "me"}, 7])
def test_any_plain_identity_will_do(mini: Path, tmp_path: Path, own: Any) -> None:
    provise.run(mini, Loose(own), tmp_path / "run", jobs=1)
    with pytest.raises(InputError, match="another system"):
        provise.run(mini, Loose({"kind": "you"}), tmp_path / "run", jobs=1)


def test_two_processes_name_a_system_of_ones_own_alike() -> None:
    code = (
        "from tests.runs.scripted import Told; from provise.systems.base import plain_identity; import json\n"
        "print(json.dumps(plain_identity(Told(None, {'b': (1, 2), 'a': {'z': .1, 'y': None}}))))"
    )
    root = Path(__file__).parents[2]
    said = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)]), "PYTHONHASHSEED": seed}
        said.add(
            subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
        )
    assert len(said) == 1
    assert " at 0x" not in said.pop()


def test_the_folder_of_a_long_spec_can_be_made_and_is_its_own(tmp_path: Path) -> None:
    folders = {default_folder("synth", Told(None, {"prompt": "x" * 900 + end})).name for end in "abc"}
    assert len(folders) == 3
    for name in folders:
        (tmp_path / name).mkdir()


def test_an_identity_is_the_same_before_and_after_a_file() -> None:
    assert plain_identity(Told(None, {"size": (1, 2), 3: None})) == {
        "kind": "told", "name": "", "settings": {"size": [1, 2], "3": None},
    }  # fmt: skip
