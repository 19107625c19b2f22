"""A trial depends on its specification and seed alone, and says what became of it."""

import os
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from ruleplay.engine.run_record import RunRecord
from ruleplay.envs import make_problem
from ruleplay.errors import RuleplayError
from ruleplay.experiments import trial as trial_module
from ruleplay.experiments.metrics import RunCurve, band_of, summarize, trailing_returns
from ruleplay.experiments.spec import RunSpec, specify_run
from ruleplay.experiments.trial import (
    Failure,
    Observer,
    attempt_trial,
    conduct,
    make_engine,
    run_trial,
)
from tiny_study import made_up_trial, tiny_spec


@pytest.fixture(scope="module")
def trial():
    return run_trial(tiny_spec(), seed=3)


def test_the_same_seed_gives_the_same_bits(trial):
    again = run_trial(tiny_spec(), seed=3)
    assert again == trial
    assert again.fingerprint() == trial.fingerprint()


def test_another_seed_or_setting_gives_another_result(trial):
    assert run_trial(tiny_spec(), seed=4) != trial
    assert run_trial(tiny_spec(population_size=61), seed=3) != trial


def test_watching_a_run_does_not_change_it(trial):
    class Counting(Observer):
        def learning(self, done, total, look):
            seen.append((done, total, look.engine.learning_steps))
            look.record()

    seen = []
    watched = conduct(tiny_spec(), 3, Counting(), portrait=True)
    assert watched.trial == trial
    assert len(seen) == 100
    assert seen[-1] == (400, 400, 400)
    assert watched.trial.portrait.steps[-1] == 400
    assert watched.engine.about["preset"] == "stein2020/rmp6"


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_trial_knows_whether_its_kernels_were_compiled(trial):
    assert run_trial(tiny_spec(), seed=3).compiled == 0.0


def test_compiling_is_told_when_it_happens_and_how_long_it_took(monkeypatch):
    class Hearing(Observer):
        def compiling(self):
            heard.append("compiling")

        def compiled(self, seconds):
            heard.append(seconds > 0.0)

    @contextmanager
    def clock_of(on_start):
        on_start()
        yield SimpleNamespace(seconds=2.5)

    heard = []
    monkeypatch.setattr(trial_module, "compile_clock", clock_of)
    assert conduct(tiny_spec(), 3, Hearing()).trial.compiled == 2.5
    assert heard == ["compiling", True]


def test_time_is_no_part_of_a_trials_identity(trial):
    assert replace(trial, seconds=1e6) == trial
    assert replace(trial, seconds=1e6).fingerprint() == trial.fingerprint()


def test_every_bit_of_a_curve_is_part_of_a_trials_identity():
    trial = made_up_trial(tiny_spec(), 0)
    other = made_up_trial(tiny_spec(), 0)
    assert other == trial
    other.course.curve["reward"][2] = np.nextafter(other.course.curve["reward"][2], 1.0)
    assert other != trial


def test_a_trial_is_summarized_and_its_curve_kept(trial):
    assert trial.digest == tiny_spec().digest()
    assert 400 < trial.summary["reward"] <= 1000
    assert trial.summary["never_rewarded"] is False
    assert (trial.summary["otm"], trial.summary["diverged"]) == (None, None)
    assert len(trial.course.curve["step"]) == 20


def test_agents_with_one_seed_share_the_problems_stream():
    problem = make_problem("rmp6")
    engines = [make_engine(tiny_spec(agent), problem, 7) for agent in ("xcs", "xcs-er")]
    first, second = (engine.state.arrays.env_rng for engine in engines)
    assert (first == second).all()


def test_an_error_becomes_a_failure_with_its_traceback():
    broken = replace(tiny_spec(), problem_name="rmp7")
    failure = attempt_trial(broken, 5)
    assert isinstance(failure, Failure)
    assert (failure.digest, failure.seed) == (broken.digest(), 5)
    assert failure.error.startswith("ConfigError: ")
    assert "make_problem" in failure.traceback


def test_dqn_without_its_packages_names_the_extra(monkeypatch):
    monkeypatch.setattr(trial_module, "dqn_is_installed", lambda: False)
    with pytest.raises(RuleplayError, match=r"agent 'dqn' needs an extra: .*ruleplay\[dqn\]"):
        run_trial(specify_run("stein2020/chain16", "dqn"), 0)


def test_a_network_has_no_engine_of_rules():
    with pytest.raises(RuleplayError, match="agent 'dqn' learns no rules"):
        make_engine(specify_run("stein2020/chain16", "dqn"), make_problem("chain"), 0)


@pytest.mark.parametrize("agent", ["xcs", "xcs-er-8", "dqn"])
def test_a_specification_survives_its_dictionary(agent):
    spec = specify_run("stein2020/mountaincar-t", agent)
    assert RunSpec.from_dict(spec.as_dict()) == spec
    assert RunSpec.from_dict(spec.as_dict()).digest() == spec.digest()


def record(returns, lengths, first_reward_step):
    names = ("reward", "system_error", "macroclassifiers", "microclassifiers", "generality_volume")
    curve = {"step": np.array([50.0, 100.0]), **{name: np.full(2, np.nan) for name in names}}
    return RunRecord(1, curve, np.array(returns), np.array(lengths), first_reward_step)


@pytest.mark.parametrize(
    ("returns", "first", "diverged", "never"),
    [
        ([0.0, 0.0], None, True, True),
        ([0.5, 1.0], 60, True, False),
        ([1.0, 1.0], 60, False, False),
        ([], None, None, True),
    ],
    ids=["no-reward", "lost-again", "at-the-threshold", "no-episode"],
)
def test_divergence_is_told_apart_from_never_being_rewarded(returns, first, diverged, never):
    lengths = [50] * len(returns)
    summary = summarize(record(returns, lengths, first), make_problem("chain"))
    assert (summary["diverged"], summary["never_rewarded"]) == (diverged, never)
    assert summary["macroclassifiers"] is None


def test_trailing_returns_take_only_finished_episodes():
    run = RunCurve({"step": np.array([10.0, 20.0, 40.0])}, np.array([1.0, 3.0]), np.array([15, 25]))
    assert np.array_equal(trailing_returns(run), [np.nan, 1.0, 2.0], equal_nan=True)


def test_a_band_is_mean_and_deviation_of_what_there_is():
    rewards = np.array([[1.0, np.nan, np.nan], [2.0, 5.0, np.nan], [6.0, 7.0, 9.0]])
    runs = [
        RunCurve({"step": np.arange(3.0), "reward": row}, np.zeros(0), np.zeros(0, np.int64))
        for row in rewards
    ]
    band = band_of(runs)
    assert band.runs == 3
    assert np.allclose(band.mean["reward"], [3.0, 6.0, 9.0])
    assert np.allclose(band.sd["reward"], [np.sqrt(7), np.sqrt(2), np.nan], equal_nan=True)
    assert "trailing_return" not in band.mean
