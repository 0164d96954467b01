"""Routes: overrides reach the protocol they name, or stop the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from provise.errors import InputError
from provise.protocol.route import open_route
from provise.resources import data_folder


def test_a_setting_reaches_the_protocol_that_reads_a_task():
    route = open_route("spatialgen-bench", ["relative_depth.kernel=3"])
    assert route.protocol("depth").settings["kernel"] == 3


@pytest.mark.parametrize("override", ["relative_dept.kernel=3", "dual_measure.nothing=1", "depth.kernel=3"])
def test_a_setting_that_no_task_would_read_is_refused_and_not_dropped(override):
    with pytest.raises(InputError, match="no task is read by a protocol"):
        open_route("spatialgen-bench", [override])


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
