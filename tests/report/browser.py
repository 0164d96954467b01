"""A headless Chromium over its debugging pipe: enough to open a page, press keys, and hear what it complains of."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Browser"]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class Browser:
    """One tab. ``complaints`` gathers errors and warnings of the console, ``requests`` every address that was asked for."""

    def __init__(self, profile: Path, width: int = 1280, height: int = 900) -> None:
        program = next((found for name in NAMES if (found := shutil.which(name))), None)
        if program is None:
            pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.events: list[dict[str, Any]] = []
        self.number, self.rest = 0, b""
        inward, self.send_to = os.pipe()
        self.read_from, outward = os.pipe()
        line = (
            f'exec "{program}" --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-dev-shm-usage '
            f"--remote-debugging-pipe --user-data-dir='{profile}' about:blank 3<&{inward} 4>&{outward}"
        )
        self.process = subprocess.Popen(
            ["bash", "-c", line], pass_fds=(inward, outward), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(inward)
        os.close(outward)
        tabs = self.call("Target.getTargets", within=60)["targetInfos"]
        tab = next(one["targetId"] for one in tabs if one["type"] == "page")
        self.session: str | None = self.call("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.size(width, height)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.send_to)
        os.close(self.read_from)
        self.process.terminate()
        self.process.wait(20)

    def call(self, method: str, within: float = 60, **params: Any) -> Any:
        """Call a method of the debugging protocol and return its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session := getattr(self, "session", None):
            message["sessionId"] = session
        os.write(self.send_to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + within
        while time.monotonic() < end:
            answer = self._next(end - time.monotonic())
            if answer is not None and answer.get("id") == self.number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
        raise TimeoutError(f"{method}: no answer in {within} s")

    def _next(self, within: float) -> dict[str, Any] | None:
        while b"\0" not in self.rest:
            if not select.select([self.read_from], [], [], max(0.0, within))[0]:
                return None
            got = os.read(self.read_from, 1 << 20)
            assert got, "the browser has gone"
            self.rest += got
        one, self.rest = self.rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(one)
        self._hear(message)
        return message

    def _hear(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"])[:500])
        elif message.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(params["args"])[:500])
        elif message.get("method") == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"])
        elif message.get("method") == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"][:200])
        if "method" in message:
            self.events.append(message)

    def open(self, page: Path | str, within: float = 60) -> None:
        """Open a file or an address and wait until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=page if isinstance(page, str) else page.resolve().as_uri(), within=within)
        end = time.monotonic() + within
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            assert time.monotonic() < end, f"{page} is not loaded after {within} s"
            self._next(1)

    def run(self, expression: str, within: float = 30) -> Any:
        """Evaluate JavaScript in the page and return its value."""
        done = self.call(
            "Runtime.evaluate", within=within, expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, expression: str, within: float = 20) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + within
        while not self.run(expression):
            assert time.monotonic() < end, f"not true after {within} s: {expression}"
            time.sleep(0.05)

    def press(self, key: str, code: int = 0, text: str = "") -> None:
        """Press a key as a person does."""
        extra = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, **extra)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)

    def size(self, width: int, height: int, *, phone: bool = False) -> None:
        """Set the window."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def dark(self, on: bool = True) -> None:
        """Prefer a dark scheme, or a light one."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def shot(self, path: Path) -> None:
        """Save what is seen as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
