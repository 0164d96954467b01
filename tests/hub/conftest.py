"""A Hub on loopback, and programs that see no other."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.hub.server import WRITER, Hub

ROOT = Path(__file__).parents[2]
OWN = ("HF_", "HUGGING", "PROVISE_CACHE", "XDG_")


@dataclass
class Client:
    """Runs programs against a Hub, each with the same caches, which were empty at first.

    Attributes
    ----------
    hub : Hub
        The server.
    home : Path
        Caches and working folder.
    environment : dict
        What the programs see; change it for one test.
    """

    hub: Hub
    home: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(OWN)}
        self.home.mkdir(parents=True, exist_ok=True)
        self.environment = {
            **kept,
            "HF_ENDPOINT": self.hub.url,
            "HF_HOME": str(self.home / "hf"),
            "HF_TOKEN": WRITER,
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "PROVISE_CACHE": str(self.home / "provise"),
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
            "OMP_NUM_THREADS": "1",
            "NO_PROXY": "127.0.0.1",
        }

    def python(self, code: str, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run Python; ``more`` are variables of its environment."""
        return self._run([sys.executable, "-c", code, *args], more)

    def provise(self, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run the command line."""
        return self._run([sys.executable, "-m", "provise", *args], more)

    def _run(self, command: list[str], more: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment, **more}
        return subprocess.run(
            command, env=environment, cwd=self.home, capture_output=True, text=True, check=False, timeout=200
        )


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Client]:
    """A Hub without repositories, and a client whose caches are empty."""
    with Hub(tmp_path / "hub") as running:
        yield Client(running, tmp_path / "client")
