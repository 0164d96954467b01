"""Each module's page opens in a browser, reads its example and shows what the reader saw."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from provise.evaluation import module_names
from tests.report.browser import Browser

pytest.importorskip("gradio", reason="the pages need provise[space]")
pytestmark = pytest.mark.slow

METRICS = Path(__file__).parents[2] / "metrics"


@contextmanager
def _served(name: str, folder: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ, "GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(port), "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
    }  # fmt: skip
    with (folder / "page.log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, str(METRICS / name / "app.py")], env=environment, stdout=log, stderr=log
        )
        try:
            end = time.monotonic() + 90
            while True:
                assert server.poll() is None, (folder / "page.log").read_text()
                assert time.monotonic() < end, "the page is not served after 90 s"
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.2)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.wait(20)


VERDICT = "document.querySelector('#verdict textarea')?.value || ''"


@pytest.mark.parametrize("name", module_names())
def test_the_page_reads_its_example_and_shows_the_overlay(name: str, tmp_path: Path) -> None:
    with _served(name, tmp_path) as address, Browser(tmp_path / "profile", 1280, 1300) as browser:
        browser.open(address)
        browser.until("document.querySelector('#right') !== null", 60)
        browser.run("document.querySelector('#right').click()")
        browser.until(f"({VERDICT}).startsWith('correct: read ')", 60)
        browser.until("(document.querySelector('#seen img')?.naturalWidth || 0) > 100", 30)
        assert browser.run("document.querySelector('#line').innerText.includes('correct')")
        if shots := os.environ.get("PROVISE_SHOTS"):
            browser.shot(Path(shots) / f"{name}.png")
        assert [url for url in browser.requests if not url.startswith((address, "data:", "blob:", "about:"))] == []
        assert browser.complaints == []
