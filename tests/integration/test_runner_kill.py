"""A killed or interrupted study goes on where it was, as if nothing had happened."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import tiny_study
from ruleplay.errors import StoreError
from ruleplay.experiments.executors import LocalExecutor
from ruleplay.experiments.runner import run_study
from ruleplay.experiments.storage.store import Store

SCRIPT = Path(tiny_study.__file__)
RUNS = 200
pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills by signal")


def hear_interrupts():
    """Let a child hear Ctrl-C even if the tests run where it is ignored (in the background)."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments, **options):
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        text=True,
        start_new_session=True,
        **options,
        preexec_fn=hear_interrupts,
    )


def readable(folder):
    """Check that a reader finds a whole store; there is none before its first moment."""
    with suppress(StoreError), Store.open(folder) as store:
        for digest, seed in store.completed(cell.digest for cell in store.cells()):
            store.load_curve(digest, seed)
        return True
    return not (folder / "index.sqlite").exists()


def test_ten_kills_leave_the_store_of_an_undisturbed_study(tmp_path):
    study = tiny_study.tiny_study(RUNS, steps=3000)
    with Store.open(tmp_path / "calm", create=True) as store:
        run_study(study, store, LocalExecutor(1))
        expected = store.canonical_digest()
    folder, chance = tmp_path / "killed", random.Random(20)
    for kill in range(10):
        process = start(SCRIPT, folder, 1 + kill % 2, RUNS, stdout=subprocess.PIPE)
        for _ in range(chance.randrange(15)):
            process.stdout.readline()
        time.sleep(chance.random() * 0.05 if kill else 0.6)
        process.kill()
        process.communicate()
        assert readable(folder)
    with Store.open(folder, create=True) as store:
        outcome = run_study(study, store, LocalExecutor(1))
        assert 0 < outcome.finished_before < RUNS
        assert store.canonical_digest() == expected
    files = [
        {path.name for path in (tmp_path / name / "curves").rglob("*.*")}
        for name in ("calm", "killed")
    ]
    assert files[0] == files[1]


def workers_of(session):
    """List the processes of a session that still run."""
    alive = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, number = stat.read_text().rpartition(")")[2].split()[:4]
            if int(number) == session and state != "Z":
                alive.append(stat.parent.name)
    return alive


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_workers_end_with_a_killed_study(tmp_path):
    process = start(SCRIPT, tmp_path / "store", 2, 2000, stdout=subprocess.PIPE)
    for _ in range(4):
        process.stdout.readline()
    assert len(workers_of(process.pid)) >= 3
    process.kill()
    process.wait()
    patience = time.monotonic() + 20
    while workers_of(process.pid) and time.monotonic() < patience:
        time.sleep(0.2)
    assert workers_of(process.pid) == []
    process.stdout.close()


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(tmp_path):
    command = ["reproduce", "--problem", "rmp6", "--agent", "xcs-er"]
    folder = tmp_path / "results"
    process = start(
        "-m",
        "ruleplay.cli",
        *command,
        "--reps",
        2000,
        "--jobs",
        2,
        "--out",
        folder,
        stderr=subprocess.PIPE,
    )
    lines = [process.stderr.readline() for _ in range(6)]
    assert lines[0].startswith("2000 runs, 2000 to do")
    assert lines[1].startswith("1 of 2000: rmp6 xcs-er, seed ")
    os.killpg(process.pid, signal.SIGINT)
    rest = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    last = rest.splitlines()[-1]
    assert "runs are kept in" in last
    assert "the same command goes on" in last
    assert "Traceback" not in rest
    with Store.open(folder, write=True) as store:
        assert f"interrupted: {len(store.summaries())} of 2000" in last
