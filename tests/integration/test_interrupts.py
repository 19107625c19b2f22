"""Ctrl-C ends what runs in compiled code, within a second."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="interrupts by signal")

# Endless work, one kind a line; each says when compiled code is running.
SCRIPT = """
import signal, sys
import numpy as np
signal.signal(signal.SIGINT, signal.default_int_handler)
from ruleplay import XCS
from ruleplay.config import XCSConfig
from ruleplay.envs import make_problem
problem = make_problem("rmp3")
engine = XCS(XCSConfig(population_size=60), n_actions=2, low=problem.low, high=problem.high)
rows = np.random.default_rng(0).random((300, 3))
engine.run(problem, 300)
engine.learn_batch(rows, np.zeros(300, int), np.ones(300))
engine.predict(rows)
many = np.tile(rows, (10_000, 1))
work = {
    "run": lambda: engine.run(problem, 2_000_000_000),
    "learn_batch": lambda: [
        engine.learn_batch(many, np.zeros(len(many), int), np.ones(len(many)))
        for _ in range(1000)
    ],
    "predict": lambda: [engine.predict(many) for _ in range(1000)],
}
for name, begin in work.items():
    print(name, flush=True)
    try:
        begin()
    except KeyboardInterrupt:
        engine.check()
        print("interrupted", flush=True)
"""


def test_compiled_code_can_be_interrupted():
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
    too_long = threading.Timer(300, process.kill)  # what cannot be interrupted fails, not hangs
    too_long.start()
    try:
        for name in ("run", "learn_batch", "predict"):
            assert process.stdout.readline().strip() == name
            time.sleep(1.5)  # until it is well inside
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline().strip() == "interrupted"
        assert process.wait(60) == 0
    finally:
        too_long.cancel()
        process.kill()
