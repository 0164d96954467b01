"""The certificate counts, bounds, says where it fails, and is the same however it is made."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.cli.verify import verify as command
from provise.conformance.certificate import Certificate, verify
from provise.conformance.report import to_json, to_markdown
from provise.conformance.tally import Cell, clopper_pearson, pool
from provise.conformance.trial import Order, run_trial
from provise.errors import InputError


def tail(n: int, p: float, ks: range) -> float:
    """Return a binomial probability, summed term by term."""
    return math.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in ks)


@given(n=st.integers(1, 60), data=st.data())
@settings(deadline=None)  # the first call imports scipy
def test_the_limits_are_where_the_binomial_tails_hold_two_and_a_half_per_cent(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    low, high = clopper_pearson(k, n)
    assert low <= k / n <= high
    assert low == 0 if k == 0 else tail(n, low, range(k, n + 1)) == pytest.approx(0.025, rel=1e-6)
    assert high == 1 if k == n else tail(n, high, range(k + 1)) == pytest.approx(0.025, rel=1e-6)


def test_nothing_drawn_means_nothing_known() -> None:
    assert clopper_pearson(0, 0) == (0.0, 1.0)
    with pytest.raises(InputError):
        clopper_pearson(3, 2)


def made(mild: Cell, copies: Cell | None = None) -> Certificate:
    return Certificate(100, 0, {"p": {"fingerprint": "f" * 64, "reader": "r"}}, (mild, *([copies] if copies else [])))


def test_a_certificate_holds_exactly_where_every_bar_is_met() -> None:
    assert made(Cell("p", "mild", "none", 995, 4, 1)).failures() == []
    assert "99.40% of 1000 [98.7%, 99.8%] read right" in made(Cell("p", "mild", "none", 994, 6, 0)).failures()[0]
    assert "read wrong" in " ".join(made(Cell("p", "mild", "none", 994, 0, 6)).failures())
    assert made(Cell("p", "strong", "jpeg 30", 97, 3, 0)).failures() == []
    assert len(made(Cell("p", "strong", "jpeg 30", 89, 11, 0)).failures()) == 2
    assert made(Cell("p", "mild", "none", 10), Cell("p", "copy", "none", 0, 99, 1)).failures() == []
    assert "copies" in made(Cell("p", "mild", "none", 10), Cell("p", "copy", "none", 0, 98, 2)).failures()[0]


def test_one_weak_cell_is_found_under_a_strong_pool() -> None:
    cells = (Cell("p", "mild", "none", 1000), Cell("p", "mild", "blur 1", 8, 2))
    found = Certificate(1010, 0, {"p": {}}, cells).failures()
    assert len(found) == 1
    assert "blur 1" in found[0]


def test_pooling_adds_up() -> None:
    whole = pool(
        "p",
        "mild",
        [Cell("p", "mild", "a", 3, 2, 1, 0, {"x": 2}), Cell("p", "mild", "b", 4, 1, 0, 0, {"x": 1, "y": 0})],
    )
    assert (whole.n, whole.right, whole.refused, whole.wrong, whole.reasons["x"]) == (11, 7, 3, 1, 3)


def test_a_trial_can_be_repeated_alone() -> None:
    order = Order("point_marker", "mild", 3)
    assert run_trial(order) == run_trial(order)
    assert run_trial(order).cell == "webp 80"


def test_a_small_certificate_is_written_both_ways(tmp_path: Path) -> None:
    page, facts = tmp_path / "docs" / "page.md", tmp_path / "facts.json"
    code = command(["point_marker"], 17, 0, 1, page, facts, tmp_path / "dump")
    document = json.loads(facts.read_text(encoding="utf-8"))
    assert code == (1 if document["failures"] else 0)
    assert not document["holds"], "17 answers show no share of 99.5 %"
    mild = next(c for c in document["pooled"] if c["part"] == "mild")
    assert mild["n"] == 17
    assert mild["right"]["count"] >= 16
    assert {c["name"] for c in document["cells"] if c["part"] == "invalid"} == {"blank", "two_points", "huge", "line"}
    text = page.read_text(encoding="utf-8")
    assert "provise protocol verify --answers 17 --seed 0" in text
    assert "## point_marker" in text
    assert (tmp_path / "dump").is_dir(), "a folder that was asked for is there, also where nothing went wrong"
    dumped = {path.name.split(".")[0] for path in (tmp_path / "dump").glob("*.json")}
    assert len(dumped) == sum(
        c["refused"]["count"] + c["wrong"]["count"] for c in document["cells"] if c["part"] in ("mild", "strong")
    ) + sum(
        c["wrong"]["count"] + c["right"]["count"] + c.get("other_reason", 0)
        for c in document["cells"]
        if c["part"] in ("copy", "invalid")
    )


@pytest.mark.slow
def test_the_number_of_processes_and_the_company_change_nothing() -> None:
    alone = verify(["fixed_slots"], answers=12, seed=5, jobs=1)
    shared = verify(["fixed_slots", "point_marker"], answers=12, seed=5, jobs=2)
    assert alone.of("fixed_slots", "strong") == shared.of("fixed_slots", "strong")
    assert alone.pooled("fixed_slots", "copy") == shared.pooled("fixed_slots", "copy")
    again = verify(["fixed_slots"], answers=12, seed=5, jobs=2)
    assert to_markdown(again) == to_markdown(alone)
    assert to_json(again) == to_json(alone)


def test_what_cannot_be_verified_is_named() -> None:
    with pytest.raises(InputError, match="point_marker"):
        verify(["size_evidence"], answers=1)
    with pytest.raises(InputError, match="jobs"):
        verify(["point_marker"], answers=1, jobs=0)


def shown(n: int, right: int | None = None) -> Certificate:
    """A certificate of one protocol with ``n`` answers a severity in two cells, copies half as many."""
    right = n if right is None else right
    cells = [Cell("p", part, "a", n - n // 2) for part in ("mild", "strong")]
    cells += [Cell("p", part, "b", right - (n - n // 2), n - right) for part in ("mild", "strong")]
    return Certificate(n, 0, {"p": {}}, (*cells, Cell("p", "copy", "a", 0, n // 2)))


@pytest.mark.parametrize("n", [3, 40, 200, 735])
def test_a_few_answers_all_right_do_not_show_that_the_bars_are_met(n: int) -> None:
    found = shown(n)
    assert found.failures() == []
    assert not found.holds
    assert "Every bar is met" not in found.verdict()
    reach = math.exp(math.log(0.025) / n)
    assert f"{n} answers a severity are too few" in found.verdict()
    assert f"no more than {reach:.1%}" in found.verdict()
    assert "takes 736" in found.verdict()


def test_enough_answers_all_right_show_it() -> None:
    assert shown(736).too_few() == []
    assert shown(1000).holds
    assert shown(1000).verdict() == "Every bar is met."
    assert not shown(1000, 960).holds


def test_each_bar_has_its_own_number_of_answers() -> None:
    """With 200 answers, 97 % and cells of 90 % can be shown; 99.5 % and copies of 99 % cannot."""
    few = " ".join(shown(200).too_few())
    assert "under mild" in few
    assert "copies" in few
    assert "99.5% not read wrong under strong" in few
    assert "97.0%" not in few
    assert "single cell" not in few


def test_a_missed_bar_is_told_with_the_limits_of_what_was_counted() -> None:
    (sentence,) = Certificate(
        8, 0, {"p": {}}, (Cell("p", "mild", "blur 1", 7, 1), Cell("p", "mild", "none", 900))
    ).failures()
    assert "87.5% of 8 [47.3%, 99.7%] read right" in sentence


def test_the_page_of_a_quick_look_says_what_it_cannot_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    assert command(["fixed_slots"], 2, 0, 1, page) == 0
    text = page.read_text(encoding="utf-8")
    assert "Every bar is met" not in text
    assert "15.8%" in text, "two of two: the lower limit is sqrt(.025)"
    assert "What so few cannot show:" in text
    assert "provise not installed" not in text
    assert "2 answers a severity are too few" in capsys.readouterr().out


def test_paths_that_cannot_be_written_are_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    for paths in ({"out": tmp_path}, {"json_out": tmp_path}, {"dump": tmp_path / "taken"}):
        with pytest.raises(InputError, match="--"):
            command(["point_marker"], 100000, 0, 1, **paths)
