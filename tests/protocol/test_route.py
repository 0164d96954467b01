"""Routes: overrides reach the protocol they name, or stop the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from provise.errors import InputError, ProtocolError
from provise.protocol.catalogue import open_protocol
from provise.protocol.route import open_route
from provise.resources import data_folder


def test_a_setting_reaches_the_protocol_that_reads_a_task():
    route = open_route("spatialgen-bench", ["relative_depth.kernel=3"])
    assert route.protocol("depth").settings["kernel"] == 3


@pytest.mark.parametrize("override", ["relative_dept.kernel=3", "dual_measure.nothing=1", "depth.kernel=3"])
def test_a_setting_that_no_task_would_read_is_refused_and_not_dropped(override):
    with pytest.raises(InputError, match="no task is read by a protocol"):
        open_route("spatialgen-bench", [override])


def test_a_task_in_place_of_its_protocol_is_told_the_protocol():
    with pytest.raises(InputError, match=r"--set relative_depth\.kernel=VALUE"):
        open_route("spatialgen-bench", ["depth.kernel=3"])
    with pytest.raises(ProtocolError, match="depth is a task, and relative_depth reads it"):
        open_protocol("depth")


def test_a_misspelt_protocol_is_told_its_likely_name():
    with pytest.raises(InputError, match=r"did you mean relative_depth\?"):
        open_route("spatialgen-bench", ["relative_dept.kernel=3"])


def test_a_swapped_in_protocol_takes_settings_by_its_id_also_from_a_file(tmp_path: Path):
    text = (data_folder("protocols") / "catalogue" / "relative_depth.yaml").read_text(encoding="utf-8")
    mine = tmp_path / "mine.yaml"
    mine.write_text(text.replace("id: relative_depth", "id: my_depth"), encoding="utf-8")
    route = open_route("spatialgen-bench", [f"depth={mine}", "my_depth.kernel=7"])
    assert route.protocol("depth").settings["kernel"] == 7


def test_a_task_that_the_route_lacks_is_told_both_ways_out():
    with pytest.raises(InputError, match=r"Leave it out with --tasks, or give a --route FILE\.yaml"):
        open_route("spatialgen-bench").protocol("juggling")


def own_matching(tmp_path: Path) -> Path:
    text = (data_folder("protocols") / "catalogue" / "state_matching.yaml").read_text(encoding="utf-8")
    mine = tmp_path / "walk.yaml"
    mine.write_text(
        text.replace("id: state_matching", "id: my_walk").replace("Draw only", "Paint only"), encoding="utf-8"
    )
    return mine


def test_the_descriptor_stands_in_also_in_a_protocol_of_ones_own(tmp_path: Path):
    route = open_route("spatialgen-bench", [f"navigation={own_matching(tmp_path)}"])
    before, after = route.protocol("navigation"), route.with_descriptor("navigation").protocol("navigation")
    assert (after.id, after.settings["encoder"]) == ("my_walk", "descriptor")
    assert after.spec == before.spec
    assert after.fingerprint != before.fingerprint
    # The very protocol that who chose the descriptor by hand would have had.
    by_hand = open_route("spatialgen-bench", [f"navigation={own_matching(tmp_path)}", "my_walk.encoder=descriptor"])
    assert after.fingerprint == by_hand.protocol("navigation").fingerprint


def test_other_settings_survive_the_stand_in():
    route = open_route("spatialgen-bench", ["state_matching.encoder=clip-vit-b-32"])
    kept = route.protocol("navigation").settings
    assert {**kept, "encoder": "descriptor"} == route.with_descriptor("navigation").protocol("navigation").settings


def test_an_encoder_that_a_route_chose_for_a_file_is_remembered_as_chosen(tmp_path: Path):
    own_matching(tmp_path)
    route = tmp_path / "route.yaml"
    walk = tmp_path / "walk.yaml"
    route.write_text(f"id: r\ntasks: {{navigation: {{protocol: {walk}, settings: {{encoder: clip-vit-b-32}}}}}}\n")
    assert open_route(str(route)).chosen == {"my_walk"}
    assert open_route(str(route), ["navigation=state_matching"]).chosen == frozenset()


def test_a_setting_that_there_is_not_is_refused():
    from provise.errors import ProtocolError
    from provise.protocol import open_protocol

    with pytest.raises(ProtocolError, match="unknown setting encoder"):
        open_protocol("point_marker").with_settings(encoder="descriptor")
