"""What is wrong with a file's fields, said to the person who wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from provise.errors import InputError, ProtocolError
from provise.schema_words import describe, fields_at


class Leg(BaseModel):
    model_config = ConfigDict(extra="forbid")

    length: float = Field(gt=0)
    wood: Literal["oak", "ash"] = "oak"


class Table(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    name: str
    legs: list[Leg] = []
    parts: dict[str, Leg] = {}
    from_: str = Field("", alias="from")


def said(raw: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        Table.model_validate(raw)
    return describe(caught.value, Table)


def test_a_slip_in_a_list_or_a_mapping_is_told_its_own_fields() -> None:
    lines = said({"name": "t", "legs": [{"length": 1}, {"lenght": 2}], "parts": {"a": {"length": 1, "colour": 3}}})
    assert lines == [
        "legs.1.length: the field is missing; expected a number",
        "legs.1.lenght: there is no such field; did you mean length?",
        "parts.a.colour: there is no such field; the fields are length, wood",
    ]


def test_bounds_choices_and_types_say_what_was_got() -> None:
    lines = said({"name": 5, "legs": [{"length": 0, "wood": "fir"}]})
    assert lines == [
        "name: expected a text, got 5",
        "legs.0.length: expected more than 0.0, got 0",
        "legs.0.wood: expected one of 'oak' or 'ash', got 'fir'",
    ]


def test_fields_are_named_as_the_file_writes_them() -> None:
    assert fields_at(Table, ()) == ["name", "legs", "parts", "from"]
    assert "did you mean from?" in said({"name": "t", "frm": "x"})[0]


def test_patterns_are_said_in_words() -> None:
    class Form(BaseModel):
        id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
        eye: str = Field(pattern=r"^(left|right|file:.+)$")
        code: str = Field("x1", pattern=r"^x[0-9]$")

    with pytest.raises(ValidationError) as caught:
        Form.model_validate({"id": "My Form", "eye": "rigth", "code": "y"})
    assert describe(caught.value, Form) == [
        "id: expected a name of small letters, digits and _, a letter first, got 'My Form'",
        "eye: expected one of left, right, file:..., got 'rigth'",
        "code: expected a text of the form ^x[0-9]$, got 'y'",
    ]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)))  # fmt: skip
def test_whatever_stands_there_is_one_short_line_a_mistake(raw: object) -> None:
    try:
        Table.model_validate(raw)
    except ValidationError as error:
        caught = error
    else:
        return
    lines = describe(caught, Table)
    assert len(lines) == caught.error_count()
    assert not any("Input should" in line for line in lines)


def test_routes_and_loaders_speak_the_same_words(tmp_path: Path) -> None:
    from provise.loader import open_loader
    from provise.protocol.route import open_route

    file = tmp_path / "r.yaml"
    file.write_text("id: mine\ntasks: {counting: {protocol: instance_marking, seting: {colour: red}}}\n")
    with pytest.raises(ProtocolError, match=r"tasks\.counting\.seting: there is no such field; did you mean settings"):
        open_route(str(file))
    file.write_text("id: piles\ntitel: Piles\n")
    with pytest.raises(InputError, match=r"titel: there is no such field; did you mean title") as caught:
        open_loader(file)
    assert all(line.startswith(str(file)) for line in str(caught.value).splitlines())
