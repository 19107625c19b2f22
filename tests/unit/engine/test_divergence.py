"""Predictions that grow beyond all that rewards can add up to are noticed, and held finite."""

import warnings

import numpy as np
import pytest

from property.samples import make_engine
from ruleplay.cli.terminal.outcome import plain_warnings
from ruleplay.config import ReplayConfig
from ruleplay.engine.divergence import largest_sensible_payoff
from ruleplay.engine.invariants import broken_invariants
from ruleplay.envs import make_problem
from ruleplay.errors import DivergenceWarning

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]


def overestimate(engine, payoff):
    """Let an engine believe that what comes next is worth a payoff, and learn from that."""
    population = engine.state.arrays.population
    population.rules["prediction"][engine.places()] = payoff
    rows = np.full((1, engine.n_features), 0.5)
    engine.learn_batch(rows, [0], [1.0], rows)


def expectant():
    """Return an engine that has learned from a reward of 1; no return exceeds 10."""
    engine = make_engine(discount=0.9, initial_prediction=0.0, population_size=20)
    engine.learn_batch(np.full((5, 3), 0.5), [0] * 5, [1.0] * 5)
    return engine


def test_sensible_payoffs_are_let_be():
    engine = expectant()
    with warnings.catch_warnings():
        warnings.simplefilter("error", DivergenceWarning)
        overestimate(engine, 90.0)
    engine.check()


def test_payoffs_beyond_sense_are_warned_of_once_and_seen_by_check():
    engine = expectant()
    with pytest.warns(DivergenceWarning, match=r"at most 100 in size.*of at most 1 .*got 18"):
        overestimate(engine, 200.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DivergenceWarning)
        overestimate(engine, 200.0)
    assert not broken_invariants(engine)
    with pytest.raises(AssertionError, match="have diverged"):
        engine.check()


def test_a_saved_engine_that_has_diverged_can_still_be_read(tmp_path):
    engine = expectant()
    with pytest.warns(DivergenceWarning):
        overestimate(engine, 200.0)
    engine.save(tmp_path / "odd.ruleplay")
    with pytest.raises(AssertionError, match="have diverged"):
        type(engine).load(tmp_path / "odd.ruleplay").check()


def test_an_episode_that_ends_is_enough_to_be_warned():
    engine = expectant()
    engine.state.arrays.population.rules["prediction"][engine.places()] = 1e6
    row = [0.5, 0.5, 0.5]
    engine.step(row)
    engine.step(row, 1.0)
    with pytest.warns(DivergenceWarning):
        assert engine.step(row, 1.0, terminated=True) == -1


def test_nothing_is_known_without_rewards_or_with_no_discount():
    config = make_engine().config
    assert largest_sensible_payoff(config, None, 0.0) == np.inf
    undiscounted = make_engine(discount=1.0).config
    assert largest_sensible_payoff(undiscounted, None, 5.0) == np.inf


@pytest.mark.parametrize("forgetting", [0.5, 0.985])
def test_models_that_forget_what_is_never_seen_again_stay_finite(forgetting):
    engine = make_engine(
        2,
        prediction="linear",
        rls_forgetting=forgetting,
        population_size=20,
        ga_threshold=10_000,
        replay=ReplayConfig(capacity=50, warmup=0, batch_size=4),
    )
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.random(600), np.full(600, 0.3)])  # the second never varies
    engine.learn_batch(rows, rng.integers(0, 2, 600), rng.normal(size=600))
    engine.check()
    gain = engine.state.arrays.population.gain[engine.places()]
    assert np.abs(gain).max() < 1e9


def test_a_run_over_a_problem_that_pays_no_number_ends_with_a_sentence(monkeypatch):
    problem = make_problem("chain", n=5, time_limit=20)
    engine = make_engine(1, exploration="epsilon_greedy")
    engine.run(problem, 30)
    before = engine.learning_steps
    monkeypatch.setattr("ruleplay.engine.loop.answer_action", lambda *arguments: (np.nan, False))
    with pytest.raises(ValueError, match="rewards of problem 'chain' must lie in"):
        engine.run(problem, 30)
    assert engine.learning_steps == before
    engine.check()


def test_the_command_line_warns_in_one_line(capsys):
    with plain_warnings():
        warnings.simplefilter("always")
        warnings.warn("values \x1b[2J grow", DivergenceWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: values \\x1b[2J grow\n"
