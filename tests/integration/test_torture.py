"""The torture chamber: its driver, and a small fixed part of what it does."""

import contextlib
import fcntl
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from torture import other_kinds
from torture.__main__ import main
from torture.driver import PreparationError, run_part
from torture.engine_ordeals import CALLS, Births, Engines
from torture.learner_ordeals import Agents, Classifiers, RuleSets, Streams
from torture.model_kinds import engine_kinds, learner_kinds
from torture.ordeals import suffer
from torture.part import Part, find_part, randomness, scratch
from torture.record import read_rows, stretches
from torture.table import Section, all_fine, make_table

pytestmark = pytest.mark.uncompiled

HEAD = """
import os, signal, time
from pathlib import Path
from torture.part import Result
CASES = {"quick": 6, "full": 6}
LIMIT = 1.0
FINE = {"sound"}
"""


@pytest.fixture
def make_part(tmp_path, monkeypatch, request):
    """Write a part whose body the test gives; the children find it too."""

    def make(body: str) -> Part:
        name = f"sample_{request.node.name}"
        (tmp_path / f"{name}.py").write_text(HEAD + textwrap.dedent(body))
        monkeypatch.syspath_prepend(tmp_path)
        paths = [str(tmp_path), *map(str, _tests_paths())]
        monkeypatch.setenv("PYTHONPATH", ":".join(paths))
        return find_part(name)

    return make


def _tests_paths():
    from conftest import ROOT

    return ROOT / "src", ROOT / "tests"


def outcomes(part, out):
    rows = read_rows(out / f"{part.name}.jsonl")
    return [rows[case]["outcome"] for case in sorted(rows)]


def test_a_crash_and_a_hang_cost_their_own_case_only(make_part, tmp_path):
    part = make_part("""
        def run(cases, folder):
            for case in cases:
                if case == 1:
                    os.kill(os.getpid(), signal.SIGSEGV)
                if case == 3:
                    time.sleep(1000)
                if case == 4:
                    raise ValueError("four")
                yield Result(case, "sound")
    """)
    run_part(part, range(6), tmp_path)
    assert outcomes(part, tmp_path) == ["sound", "crash", "sound", "hang", "traceback", "sound"]
    rows = read_rows(tmp_path / f"{part.name}.jsonl")
    assert rows[1]["detail"].startswith("SIGSEGV")
    assert "in run" in rows[3]["detail"]  # where it hung
    assert "four" in rows[4]["detail"]


def test_a_process_that_outlives_its_case_does_not_hide_a_crash(make_part, tmp_path):
    part = make_part("""
        def run(cases, folder):
            for case in cases:
                if os.fork() == 0:
                    time.sleep(3)
                    os._exit(0)
                os._exit(7)
                yield
    """)
    run_part(part, range(1), tmp_path)
    assert outcomes(part, tmp_path) == ["crash"]


def test_a_crash_at_the_end_of_a_process_is_the_last_cases(make_part, tmp_path):
    part = make_part("""
        import atexit
        def run(cases, folder):
            atexit.register(lambda: os._exit(3))
            for case in cases:
                yield Result(case, "sound")
    """)
    run_part(part, range(3), tmp_path)
    assert outcomes(part, tmp_path) == ["sound", "sound", "crash"]


def test_a_process_that_hangs_at_its_end_is_the_last_cases(make_part, tmp_path):
    part = make_part("""
        import atexit
        def run(cases, folder):
            if cases.start == 0:
                atexit.register(time.sleep, 1000)
            for case in cases:
                yield Result(case, "sound")
    """)
    run_part(part, [0, 1, 4], tmp_path)
    assert outcomes(part, tmp_path) == ["sound", "hang", "sound"]


def test_preparation_is_on_no_cases_clock_and_its_failure_is_told(make_part, tmp_path):
    part = make_part("""
        PARALLEL = True
        def prepare(folder):
            if not (folder / "made").exists():
                time.sleep(1.5)
                (folder / "made").write_text("")
        def run(cases, folder):
            for case in cases:
                yield Result(case, "sound" if (folder / "made").exists() else "wrong")
    """)
    run_part(part, range(6), tmp_path)
    assert outcomes(part, tmp_path) == ["sound"] * 6
    broken = make_part("def prepare(folder): 1 / 0\ndef run(cases, folder): yield")
    with pytest.raises(PreparationError, match="ZeroDivisionError"):
        run_part(find_part_again(broken), range(6), tmp_path)


def find_part_again(part):
    import importlib
    import sys

    del sys.modules[part.module]
    importlib.invalidate_caches()
    return find_part(part.module)


def test_results_behind_a_torn_line_are_read(make_part, tmp_path):
    part = make_part("""
        def run(cases, folder):
            for case in cases:
                yield Result(case, "sound")
    """)
    path = tmp_path / f"{part.name}.jsonl"
    path.write_bytes(b'{"case": 0, "outcome": "sound"}\n{"case": 1, "outc\xc3')
    assert set(read_rows(path)) == {0}
    run_part(part, [1, 2], tmp_path)
    assert outcomes(part, tmp_path) == ["sound"] * 3


def test_a_driver_that_was_killed_goes_on_where_it_was(make_part, tmp_path):
    part = make_part("""
        def run(cases, folder):
            for case in cases:
                time.sleep(0.2)
                yield Result(case, "sound", str(os.getpid()))
    """)
    script = (
        "import sys, pathlib; from torture.driver import run_part; from torture.part import *; "
        "run_part(find_part(sys.argv[1]), range(6), pathlib.Path(sys.argv[2]))"
    )
    path = tmp_path / f"{part.name}.jsonl"
    driver = subprocess.Popen([sys.executable, "-c", script, part.module, str(tmp_path)])
    while len(read_rows(path)) < 2:
        time.sleep(0.05)
    driver.kill()
    driver.wait()
    before = read_rows(path)
    assert 2 <= len(before) < 6
    run_part(part, [case for case in range(6) if case not in before], tmp_path)
    after = read_rows(path)
    assert sorted(after) == list(range(6))
    assert all(after[case] == row for case, row in before.items())


def test_a_second_driver_is_kept_from_a_parts_results(make_part, tmp_path):
    part = make_part("def run(cases, folder): yield Result(0, 'sound')")
    with (tmp_path / f"{part.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(PreparationError, match="another driver"):
            run_part(part, range(1), tmp_path)
    run_part(part, range(1), tmp_path)
    assert outcomes(part, tmp_path) == ["sound"]


def test_a_second_start_does_what_is_missing_and_what_it_is_told(make_part, tmp_path, monkeypatch):
    part = make_part("""
        def run(cases, folder):
            for case in cases:
                yield Result(case, "wrong" if case == 2 else "sound")
    """)
    monkeypatch.setattr("torture.__main__.part_modules", lambda: {part.name: part.module})
    path = tmp_path / f"{part.name}.jsonl"

    def lines_after(*more):
        status = main(["quick", "--part", part.name, "--out", str(tmp_path), *more])
        return status, len(path.read_text().splitlines())

    assert lines_after() == (1, 6)
    assert lines_after() == (1, 6)
    assert lines_after("--again") == (1, 7)
    assert lines_after("--first", "3", "--count", "2") == (0, 9)
    assert "--first 2 --count 1" not in (tmp_path / "table.md").read_text()


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        ([], []),
        ([5, 1, 2], [range(1, 3), range(5, 6)]),
        (range(5), [range(2), range(2, 4), range(4, 5)]),
    ],
    ids=["none", "gap", "longer-than-a-batch"],
)
def test_missing_cases_become_stretches_of_neighbours(cases, expected):
    assert stretches(cases, longest=2) == expected


def test_the_table_names_bad_cases_and_how_to_repeat_them(make_part):
    part = make_part("def run(cases, folder): yield")
    rows = {k: {"case": k, "outcome": "sound", "sources": "s"} for k in range(3)}
    good = Section(part, 3, rows)
    assert all_fine([good])
    bad = Section(part, 4, {**rows, 3: {"case": 3, "outcome": "crash", "detail": "SIGSEGV\nat"}})
    assert not all_fine([good, bad])
    table = make_table([bad], "s")
    assert "4 of 4 | **crash 1**, sound 3" in table
    assert "1 x crash: SIGSEGV" in table
    assert f"--part {part.name} --first 3 --count 1" in table
    assert "1 results are of other sources" in table


# --- a fixed share of the cases ---------------------------------------------------------------


@contextlib.contextmanager
def at_most(seconds):
    """Interrupt what takes longer, which works without compilation only."""

    def interrupt(number, frame):
        raise TimeoutError(f"it takes more than {seconds} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


STEPS = 20  # that a loaded model learns, without compilation
MODELS = {
    kind.name: kind
    for kind in engine_kinds(["uniform", "linear-sequences"], None, STEPS)
    + learner_kinds(None, STEPS)
}
OTHERS = {kind.name: kind for kind in other_kinds.OTHERS}
SHARE = {"uniform": 40, "linear-sequences": 30, "classifier": 40, "agent": 25}
SHARE |= {"rule-list": 50, "preset": 80, "store": 15, "run-log": 80, "table": 4}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SHARE)
def test_a_damaged_file_is_refused_or_what_it_gives_is_sound(name, tmp_path):
    kind = (MODELS | OTHERS)[name]
    kind.make(tmp_path)
    bad = []
    for case in range(SHARE[name]):
        with scratch(tmp_path, in_memory=True) as place, at_most(20):
            outcome, detail = kind.attack(randomness(name, case), tmp_path, place)
        if outcome not in ("refused", "sound"):
            bad.append(f"{case}: {outcome}, {detail}")
    assert not bad, "\n".join(bad)


SUBJECTS = {
    "engine": (Engines(["uniform", "linear-sequences"], CALLS), 40),
    "birth": (Births(), 40),
    "classifier": (Classifiers(), 20),
    "stream": (Streams(), 30),
    "rules": (RuleSets(), 40),
    "agent": (Agents(), 15),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SUBJECTS)
def test_an_odd_input_is_refused_whole_or_leaves_all_sound(name):
    subject, count = SUBJECTS[name]
    bad = []
    for case in range(count):
        with at_most(20):
            outcome, detail = suffer(subject, randomness(name, case))
        if outcome not in ("refused", "sound"):
            bad.append(f"{case}: {outcome}, {detail}")
    assert not bad, "\n".join(bad)
