"""A process that reads keeps a picture's memory for the next one."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
import numpy as np
from provise.runs.memory import keep_memory
if sys.argv[1] == "kept" and not keep_memory():
    sys.exit("this C library has no such setting")
pictures = [np.ones(1_000_000, np.uint8) for _ in range(12)]
del pictures
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(50):
    pictures = [np.ones(1_000_000, np.uint8) for _ in range(12)]
    del pictures
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the setting is glibc's")
def test_arrays_of_a_picture_are_not_asked_of_the_system_again() -> None:
    faults = {}
    for how in ("plain", "kept"):
        done = subprocess.run([sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(done.stderr.strip())
        faults[how] = int(done.stdout)
    assert faults["kept"] < faults["plain"] / 10
