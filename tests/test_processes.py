"""Workers: they do their work, and do not outlive who started them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from provise.processes import process_pool


def test_work_is_done_in_other_processes() -> None:
    with process_pool(2) as pool:
        assert list(pool.map(abs, range(-5, 0))) == [5, 4, 3, 2, 1]
        assert pool.submit(os.getpid).result() != os.getpid()


def test_what_was_not_begun_is_dropped_after_a_fault() -> None:
    begun = time.monotonic()
    with pytest.raises(KeyError, match="ours"), process_pool(1) as pool:  # noqa: PT012
        for _ in range(40):
            pool.submit(time.sleep, 0.2)
        raise KeyError("ours")
    assert time.monotonic() - begun < 6


@pytest.mark.skipif(sys.platform == "win32", reason="a process there keeps its parent's number when the parent is gone")
def test_workers_end_when_their_parent_was_killed() -> None:
    code = (
        "import os, time\nfrom provise.processes import process_pool\n"
        "with process_pool(1) as pool:\n    print(pool.submit(os.getpid).result(), flush=True)\n    time.sleep(60)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    with subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    end = time.monotonic() + 20
    while time.monotonic() < end and _runs(worker):
        time.sleep(0.1)
    assert not _runs(worker)


def _runs(process: int) -> bool:
    """Tell whether a process is there and has not ended; an ended one may still be listed until somebody asks for it."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat")
        return not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
