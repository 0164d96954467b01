"""Group means by interface and task, held to what the paper says of its figure 6."""

from __future__ import annotations

import pytest

from provise.analysis.aggregate import macro_average
from provise.analysis.interfaces import group_means, interface_gap
from provise.analysis.published import published_results
from provise.errors import InputError

PAPER = published_results()


def test_the_gaps_between_the_interfaces_are_those_of_section_4_3() -> None:
    means = group_means({s.label: s.tasks for s in PAPER.systems}, {s.label: s.interface for s in PAPER.systems})
    gap = interface_gap(means)
    assert (round(gap["depth"], 2), round(gap["relationship"], 2)) == (18.85, 6.74)
    assert gap["navigation"] > 0
    assert all(gap[task] < 0 for task in ("size", "feasibility", "prediction", "counting"))
    assert round(macro_average(gap, PAPER.capabilities).capabilities["reasoning"] or 0, 2) == -17.63


def test_one_system_of_each_kind_is_its_own_mean() -> None:
    pair = {s.label: s.tasks for s in PAPER.systems if s.name.startswith("SenseNova")}
    gap = interface_gap(group_means(pair, {s.label: s.interface for s in PAPER.systems}))
    assert (round(gap["depth"], 2), round(gap["relationship"], 2)) == (50, 5.71)
    assert gap["navigation"] < 0


def test_every_system_counts_once() -> None:
    means = group_means({"a": {"t": 90.0}, "b": {"t": 30.0}, "c": {"t": 30.0}}, dict.fromkeys("abc", "text"))
    assert means == {"text": {"t": 50.0}}
    assert group_means({}, {}) == {}


def test_what_has_no_kind_or_other_tasks_is_named() -> None:
    with pytest.raises(InputError, match="no kind is given for 'b'"):
        group_means({"a": {"t": 1.0}, "b": {"t": 1.0}}, {"a": "text"})
    with pytest.raises(InputError, match="differ in t, u"):
        group_means({"a": {"t": 1.0}, "b": {"u": 1.0}}, {"a": "text", "b": "text"})
    with pytest.raises(InputError, match="no visual system: there are text"):
        interface_gap({"text": {"t": 1.0}})
