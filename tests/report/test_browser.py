"""The page in a real browser: how soon it is there, what it asks for, and how it works by keyboard, on a phone, in the dark."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from provise.report import load_runs, write_report
from provise.report.audit import read_labels
from provise.report.audit_sheet import write_audit
from tests.report.browser import Browser
from tests.report.many import make_benchmark, make_run

pytestmark = pytest.mark.slow

TAB, ENTER, ESCAPE, RIGHT = ("Tab", 9), ("Enter", 13), ("Escape", 27), ("ArrowRight", 39)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of 20 systems x 470 samples, no two pictures alike."""
    root = tmp_path_factory.mktemp("large")
    benchmark = make_benchmark(root / "benchmark", 470)
    runs = [make_run(root / f"run-{seed:02d}", benchmark, seed, size=(128, 96)) for seed in range(20)]
    page = write_report(runs, root / "report").page
    for run in runs:
        shutil.rmtree(run)
    return page


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "profile") as opened:
        yield opened
    assert opened.complaints == []


def cards(browser: Browser) -> int:
    return int(browser.run("document.querySelectorAll('.card').length"))


def choose(browser: Browser, name: str, value: str) -> None:
    """Choose in a filter as a person does: the value, then the event that tells of it."""
    browser.run(
        f"(s => {{ s.value = {value!r}; s.dispatchEvent(new Event('change')); }})(document.getElementById('f-{name}'))"
    )


def test_twenty_systems_open_at_once_ask_for_nothing_and_can_be_filtered(browser: Browser, large: Path) -> None:
    assert large.stat().st_size < 40_000_000
    browser.open(large)
    paint = browser.run("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < 2000, f"first paint after {paint:.0f} ms"
    browser.until("document.querySelectorAll('.card').length === 48")
    assert browser.run("document.getElementById('found').textContent") == "9400 answers"
    # Pictures are there, and were parsed no further than they are shown.
    assert browser.run("Promise.all([...document.querySelectorAll('.card img')].map(i => i.decode())).then(() => true)")
    choose(browser, "system", "3")
    assert browser.run("document.getElementById('found').textContent") == "470 of 9400 answers"
    choose(browser, "task", "1")
    choose(browser, "outcome", "2")
    left = browser.run("document.getElementById('found').textContent")
    assert 0 < int(left.split()[0]) < 34
    assert cards(browser) == int(left.split()[0])
    assert browser.run("[...document.querySelectorAll('.badge')].every(b => b.textContent === '⊘ refused')")
    choose(browser, "reason", "no_image")
    assert cards(browser) == 0
    browser.run("document.getElementById('f-clear').click()")
    browser.run(
        "(s => { s.value = 'TRAJECTORY-0469'; s.dispatchEvent(new Event('input')); })(document.getElementById('f-search'))"
    )
    browser.until("document.getElementById('found').textContent === '20 of 9400 answers'")
    choose(browser, "agree", "0")
    assert browser.run("document.getElementById('found').textContent").startswith("0 of")
    browser.run("document.getElementById('f-clear').click()")
    browser.run('document.querySelector(\'a[data-system="2"][data-task="5"]\').click()')
    assert browser.run("[document.getElementById('f-system').value, document.getElementById('f-task').value]") == [
        "2",
        "5",
    ]
    assert cards(browser) in (33, 34)
    outside = [url for url in browser.requests if not url.startswith(("file:", "data:", "about:"))]
    assert outside == []


def test_pages_turn(browser: Browser, large: Path) -> None:
    browser.open(large)
    browser.until("document.querySelectorAll('.card').length === 48")
    first = browser.run("document.querySelector('.card .id').textContent")
    assert browser.run("document.getElementById('back').disabled")
    browser.run("document.getElementById('on').click()")
    assert browser.run("document.getElementById('where').textContent") == "page 2 of 196"
    assert browser.run("document.querySelector('.card .id').textContent") != first
    for _ in range(3):
        browser.run("document.getElementById('on').click()")
    browser.run("document.getElementById('back').click()")
    assert browser.run("document.getElementById('where').textContent") == "page 4 of 196"


def test_the_keyboard_does_all_of_it(browser: Browser, done: dict[str, Path], tmp_path: Path) -> None:
    browser.open(write_report([done["right"], done["blank"]], tmp_path / "out").page)
    browser.until("document.querySelectorAll('.card').length === 28")
    browser.press(*TAB)
    assert browser.run("document.activeElement.className") == "skip"
    browser.press(*ENTER, text="\r")
    browser.press(*TAB)
    assert browser.run("document.activeElement.id") == "f-system"
    order = []
    for _ in range(6):
        browser.press(*TAB)
        order.append(browser.run("document.activeElement.id"))
    assert order == ["f-task", "f-outcome", "f-reason", "f-agree", "f-search", "f-clear"]
    browser.press(*TAB)
    assert browser.run("document.activeElement.className") == "card"
    browser.press(*ENTER, text="\r")
    assert browser.run("document.getElementById('detail').open")
    title = browser.run("document.getElementById('d-title').textContent")
    browser.press(*RIGHT)
    assert browser.run("document.getElementById('d-title').textContent") != title
    assert browser.run("document.getElementById('detail').contains(document.activeElement)")
    browser.press(*ESCAPE)
    assert not browser.run("document.getElementById('detail').open")
    assert browser.run("document.activeElement.className") == "card", "focus goes back to where it was"


def test_one_answer_is_shown_large_with_the_other_systems_beside_it(
    browser: Browser, done: dict[str, Path], tmp_path: Path
) -> None:
    browser.open(write_report([done["right"], done["blank"]], tmp_path / "out").page)
    browser.until("document.querySelectorAll('.card').length === 28")
    browser.run(
        "[...document.querySelectorAll('.card')].find(c => c.textContent.startsWith('inputanswerreadingtrajectory')).click()"
    )
    assert browser.run("document.querySelectorAll('#d-body polyline').length") == 2
    assert browser.run("document.querySelectorAll('#d-body img').length") == 3
    browser.run("document.querySelectorAll('.others button')[1].click()")
    assert "⊘ refused" in browser.run("document.getElementById('d-body').textContent")
    assert browser.run("document.activeElement.getAttribute('aria-current')") == "true"


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_wider_than_the_screen(
    width: int, browser: Browser, done: dict[str, Path], large: Path, tmp_path: Path
) -> None:
    pages = [
        write_report([done["right"]], tmp_path / "one").page,
        write_report(
            list(done.values()), tmp_path / "three", labels=["x" * 120, "a long name of many words " * 5]
        ).page,
        large,
    ]
    browser.size(width, 844)
    for page in pages:
        browser.open(page)
        browser.until("document.querySelectorAll('.card').length > 0")
        browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert browser.run("document.documentElement.scrollWidth") <= width, page
        browser.run("document.querySelector('.card').click()")
        assert browser.run(
            "document.getElementById('d-body').scrollWidth <= document.getElementById('d-body').clientWidth"
        )


CONTRAST = """
(() => {
  const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map((v) => { v /= 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$|transparent|color\\(/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
  const poor = [];
  document.querySelectorAll('p, th, td, a, h1, h2, h3, label, button, .tag, .small, .cap, .badge, dd, dt, summary, code').forEach((e) => {
    if (!e.textContent.trim() || !e.getClientRects().length) return;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5 && !e.disabled) poor.push(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2) + ' ' + e.textContent.trim().slice(0, 20));
  });
  return [...new Set(poor)].slice(0, 8);
})()
"""


@pytest.mark.parametrize("dark", [False, True])
def test_words_stand_out_from_their_ground(dark: bool, browser: Browser, large: Path) -> None:
    browser.dark(dark)
    browser.open(large)
    browser.until("document.querySelectorAll('.card').length > 0")
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert browser.run(CONTRAST) == []


def test_an_audit_is_judged_on_its_page(browser: Browser, done: dict[str, Path], tmp_path: Path) -> None:
    page, table = write_audit([done["right"]], 4, tmp_path / "out", labels=['A "name", with, marks'])
    browser.open(page)
    assert browser.run("document.getElementById('left').textContent") == "4 not judged"
    browser.press(*TAB)
    browser.press(" ", 32, text=" ")
    browser.run("document.querySelector('input[name=\"j-2\"][value=wrong]').click()")
    browser.run(
        "(i => { i.value = 'a, b'; i.dispatchEvent(new Event('input', {bubbles: true})); })(document.querySelector('input[name=\"n-2\"]'))"
    )
    assert browser.run("document.getElementById('left').textContent") == "2 not judged"
    link = browser.run("document.getElementById('save').href")
    table.write_text(unquote(link.split(",", 1)[1]))
    runs = load_runs([done["right"]], labels=['A "name", with, marks'])
    assert [judgement for _, judgement in read_labels(table, runs)] == ["right", "wrong", "", ""]


def test_hostile_texts_run_nothing(browser: Browser, tmp_path: Path) -> None:
    from tests.report.many import write_run_files
    from tests.report.test_page import HOSTILE, one

    row = {
        "id": HOSTILE,
        "message": HOSTILE,
        "reason": HOSTILE,
        "prediction": HOSTILE,
        "truth": HOSTILE,
        "outcome": "incorrect",
        "score": 0.0,
    }
    rows, about = one(row, benchmark=HOSTILE)
    write_run_files(tmp_path / "run", rows, about)
    browser.open(write_report([tmp_path / "run"], labels=[HOSTILE]).page)
    browser.until("document.querySelectorAll('.card').length === 1")
    browser.run("document.querySelector('.card').click()")
    assert browser.run("document.querySelectorAll('img').length") == 0
    assert "<script>alert(1)</script>" in browser.run("document.getElementById('d-title').textContent")
