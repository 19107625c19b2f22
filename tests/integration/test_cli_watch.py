"""`ruleplay watch` follows what other processes write, and leaves it alone."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tiny_study
from ruleplay.cli import app
from ruleplay.cli.running.log import RunFollower
from ruleplay.experiments.runner import run_study
from ruleplay.experiments.storage.store import Store

RUNS = 60
pytestmark = pytest.mark.skipif(os.name != "posix", reason="ends by signal")


def hear_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_interrupts,
    )


def state_at(url):
    with urllib.request.urlopen(f"{url}state.json", timeout=30) as answer:
        return json.load(answer)


def test_a_study_is_followed_while_another_process_does_it(tmp_path):
    folder = tmp_path / "store"
    writer = start(Path(tiny_study.__file__), folder, 1, RUNS)
    writer.stdout.readline()  # the plan is there
    watcher = start("-m", "ruleplay.cli", "watch", folder, "--no-browser")
    try:
        url = re.search(r"http://127\.0\.0\.1:\d+/", watcher.stdout.readline())[0]
        seen = [state_at(url)]
        while seen[-1]["done"] < RUNS and len(seen) < 400:
            time.sleep(0.3)
            seen.append(state_at(url))
        assert writer.wait(60) == 0, writer.stderr.read()
    finally:
        watcher.send_signal(signal.SIGINT)
        writer.kill()
        _, told = watcher.communicate(timeout=60)
    assert {state["total"] for state in seen} == {RUNS}
    assert [state["done"] for state in seen] == sorted(state["done"] for state in seen)
    assert seen[-1]["done"] == RUNS
    assert [cell["done"] for cell in seen[-1]["cells"]] == [RUNS // 2] * 2
    assert watcher.returncode == 0
    assert told == "no longer watching; what runs goes on\n"


def test_a_plan_is_written_by_a_study_and_changes_no_result(tmp_path):
    digests = []
    for name in ("a", "b"):
        with Store.open(tmp_path / name, create=True) as store:
            run_study(tiny_study.tiny_study(2), store, OneAtATime())
            digests.append(store.canonical_digest())
    assert digests[0] == digests[1]
    plan = json.loads((tmp_path / "a" / "plan.json").read_text())
    assert plan["workers"] == 1
    assert sorted(plan["seeds"].values()) == [[0], [0]]


class OneAtATime:
    workers = 1

    def outcomes(self, runs):
        for task in runs:
            yield tiny_study.made_up_trial(task.spec, task.seed)


def test_run_writes_a_progress_file(tmp_path):
    path = tmp_path / "run.jsonl"
    arguments = ["run", "stein2020/rmp6", "--agent", "xcs-er", "--steps", "2000"]
    result = CliRunner().invoke(app, [*arguments, "--progress-file", str(path), "--json"])
    assert result.exit_code == 0, result.output
    state = RunFollower(path).state()
    assert state["done"] == state["total"] == 2000
    figures = json.loads(result.stdout)
    assert state["cells"][0]["figures"]["reward"]["mean"] == figures["reward"]
    assert state["cells"][0]["curve"]["step"][-1] == 2000
