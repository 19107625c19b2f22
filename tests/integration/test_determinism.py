"""Same seed, same bits: in another process, and without compilation."""

import os
import subprocess
import sys

import pytest

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.envs import make_problem

REPLAY = {"capacity": 40, "batch_size": 3, "warmup": 10}
MULTI_STEP = {"exploration": "epsilon_greedy", "epsilon_fraction": 0.5, "error_threshold": 0.1}
SMALL = {"population_size": 60, "ga_threshold": 5, "cover_spread": 0.4}
CASES = {
    "single-step": ("rmp3", {}, SMALL, None),
    "single-step-replay": ("rmp3", {}, {**SMALL, "action_set_subsumption": True}, REPLAY),
    "multi-step": ("chain", {"n": 6, "time_limit": 25}, {**SMALL, **MULTI_STEP}, None),
    "linear-replay": (
        "mountaincar",
        {"teletransport": True, "time_limit": 40},
        {**SMALL, **MULTI_STEP, "prediction": "linear", "rls_forgetting": 0.99},
        REPLAY,
    ),
}
cases = pytest.mark.parametrize("case", CASES)


def run_case(case, seed, steps, path):
    """Run a case and save its engine."""
    name, options, settings, replay = CASES[case]
    problem = make_problem(name, **options)
    engine = XCS(
        XCSConfig(**settings),
        None if replay is None else ReplayConfig(**replay),
        n_actions=problem.n_actions,
        low=problem.low,
        high=problem.high,
        seed=seed,
    )
    engine.run(problem, steps)
    engine.check()
    engine.save(path)


def run_elsewhere(cases, seed, steps, folder, **environment):
    """Run cases in a fresh process, this file as its program; return the saved bytes."""
    command = [sys.executable, "-W", "ignore", __file__, str(seed), str(steps), str(folder), *cases]
    subprocess.run(command, check=True, timeout=300, env={**os.environ, **environment})
    return {case: (folder / case).read_bytes() for case in cases}


@pytest.fixture(scope="module")
def bits(tmp_path_factory):
    """Run every case three times: in two processes, one of them without compilation."""
    folder = tmp_path_factory.mktemp("bits")
    for name in ("compiled", "interpreted"):
        (folder / name).mkdir()
    return {
        "compiled": run_elsewhere(CASES, 7, 150, folder / "compiled", PYTHONHASHSEED="1"),
        "interpreted": run_elsewhere(
            CASES, 7, 150, folder / "interpreted", PYTHONHASHSEED="2", NUMBA_DISABLE_JIT="1"
        ),
    }


def bytes_here(case, seed, tmp_path):
    run_case(case, seed, 150, tmp_path / case)
    return (tmp_path / case).read_bytes()


@cases
def test_the_same_seed_gives_the_same_bits_in_another_process(case, bits, tmp_path):
    assert bytes_here(case, 7, tmp_path) == bits["compiled"][case]


@cases
def test_the_same_seed_gives_the_same_bits_without_compilation(case, bits):
    assert bits["interpreted"][case] == bits["compiled"][case]


@cases
def test_another_seed_gives_other_bits(case, bits, tmp_path):
    assert bytes_here(case, 8, tmp_path) != bits["compiled"][case]


@cases
def test_runs_after_one_another_do_not_share_state(case, tmp_path):
    assert bytes_here(case, 9, tmp_path) == bytes_here(case, 9, tmp_path)


if __name__ == "__main__":
    from pathlib import Path

    for chosen in sys.argv[4:]:
        run_case(chosen, int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]) / chosen)
