"""Learning from chunks takes as much memory for many chunks as for few."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc"),
]

CHUNK_ROWS, FEATURES = 20_000, 20
LEARN = f"""
import re, sys
from pathlib import Path

import numpy as np
from ruleplay import XCSClassifier

def chunks():
    for number in range(int(sys.argv[1])):
        X = np.random.default_rng(number).random(({CHUNK_ROWS}, {FEATURES}))
        yield X, X[:, 0] > 0.5

model = XCSClassifier(population_size=50, replay=None, epochs=1, random_state=0)
model.fit_chunks(chunks)
assert model.n_steps_ == int(sys.argv[1]) * {CHUNK_ROWS}
print(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def peak_mib(chunks):
    """Learn from so many chunks in a process of its own; return the peak of its memory."""
    command = [sys.executable, "-c", LEARN, str(chunks)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


def test_peak_memory_does_not_grow_with_the_number_of_chunks():
    peak_mib(1)  # compiles, which takes memory, too
    few, many = peak_mib(10), peak_mib(50)  # five chunks fill the sample, which takes memory
    rows = 40 * CHUNK_ROWS * FEATURES * 8 / 2**20  # MiB of the further rows: 122
    assert many < few + rows / 4  # 376 to 377 MiB in three runs, 373 to 390 in four
