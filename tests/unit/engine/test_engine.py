"""The engine object does what its methods say."""

import numpy as np
import pytest

from property.samples import bytes_of, make_engine, plant, train
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.envs import make_problem

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

REPLAY = ReplayConfig(capacity=200, batch_size=2, warmup=5)
CHAIN = {"population_size": 60, "exploration": "epsilon_greedy", "ga_threshold": 10}


def chain():
    return make_problem("chain", n=5, time_limit=20)


def stripes(**settings):
    """Make an engine whose two actions each have two rules, side by side."""
    engine = make_engine(1, 2, **settings)
    plant(
        engine,
        [[0.0], [0.5], [0.0], [0.5]],
        [[0.4], [1.0], [0.4], [1.0]],
        [0, 0, 1, 1],
        prediction=[1.0, 4.0, 2.0, 3.0],
        fitness=0.5,
    )
    return engine


# --- acting and predicting ------------------------------------------------------------------


def test_predictions_are_those_of_the_matching_rules():
    system = stripes().predict([[0.2], [0.45], [0.7]])
    np.testing.assert_array_equal(system, [[1.0, 2.0], [np.nan, np.nan], [4.0, 3.0]])


def test_an_untrained_engine_predicts_nothing():
    engine = make_engine(2, 3)
    assert np.isnan(engine.predict(np.random.default_rng(0).random((4, 2)))).all()
    assert engine.predict(np.zeros((0, 2))).shape == (0, 3)
    assert engine.macroclassifiers == 0


def test_predicting_many_rows_equals_predicting_each():
    engine = train(make_engine(3, 2, population_size=200), 400)
    rows = np.random.default_rng(5).random((700, 3))
    one_by_one = np.concatenate([engine.predict(row[None]) for row in rows])
    np.testing.assert_array_equal(engine.predict(rows), one_by_one)
    np.testing.assert_array_equal(engine.predict(np.asfortranarray(rows)), one_by_one)


def test_predicting_changes_nothing():
    engine = train(make_engine(), 100)
    before = bytes_of(engine)
    engine.predict(np.random.default_rng(0).random((20, 3)))
    assert bytes_of(engine) == before


def test_the_greedy_action_has_the_largest_prediction():
    engine = stripes()
    assert [engine.act([x]) for x in (0.2, 0.7)] == [1, 0]
    assert engine.macroclassifiers == 4


def test_a_random_action_ignores_the_predictions():
    engine = stripes()
    assert {engine.act([0.2], explore=True) for _ in range(30)} == {0, 1}


def test_acting_covers_what_no_rule_covers():
    engine = stripes()
    engine.act([0.45])
    assert engine.macroclassifiers == 6
    assert not np.isnan(engine.predict([[0.45]])).any()


def test_observations_are_scaled_from_their_bounds():
    engine = XCS(XCSConfig(population_size=60), n_actions=1, low=[-10.0, 0.0], high=[10.0, 4.0])
    engine.act([5.0, 1.0])
    rule = engine.export()
    assert (rule["lower"][0] <= [0.75, 0.25]).all()
    assert (rule["upper"][0] >= [0.75, 0.25]).all()


# --- learning -------------------------------------------------------------------------------


def test_learning_moves_the_matching_rules_of_the_action():
    engine = stripes(learning_rate=0.5, early_averaging=False)
    engine.learn([0.2], 1, 10.0)
    rules = engine.export()
    assert rules["prediction"].tolist() == [1.0, 4.0, 6.0, 3.0]
    assert rules["experience"].tolist() == [0, 0, 1, 0]
    assert engine.learning_steps == 1


def test_a_transition_is_worth_its_reward_and_the_discounted_best_prediction():
    engine = stripes(learning_rate=1.0, discount=0.5)
    engine.learn([0.2], 1, 10.0, next_observation=[0.7])
    assert engine.export()["prediction"].tolist() == [1.0, 4.0, 10.0 + 0.5 * 4.0, 3.0]


def test_the_next_state_is_looked_at_without_covering():
    engine = stripes(learning_rate=1.0, discount=0.5, initial_prediction=8.0)
    engine.learn([0.2], 1, 10.0, next_observation=[0.45])
    assert engine.export()["prediction"].tolist() == [1.0, 4.0, 10.0 + 0.5 * 8.0, 3.0]


def test_learning_covers_first():
    engine = make_engine(1, 2, learning_rate=1.0)
    engine.learn([0.5], 1, 7.0)
    assert engine.export()["prediction"].tolist() == [10.0, 7.0]


@pytest.mark.parametrize("replay", [None, REPLAY], ids=["online", "replay"])
@pytest.mark.parametrize("terminal", [None, "some"], ids=["transitions", "with-endings"])
def test_a_batch_of_transitions_is_learned_like_its_rows(replay, terminal):
    rng = np.random.default_rng(2)
    x, y = rng.random((2, 60, 3))
    actions, rewards = rng.integers(0, 2, 60), rng.random(60)
    ended = None if terminal is None else rng.random(60) < 0.3
    whole, single = (make_engine(3, 2, replay=replay) for _ in range(2))
    whole.learn_batch(x, actions, rewards, y, ended)
    for t in range(60):
        following = y[t] if ended is None or not ended[t] else None
        single.learn(x[t], actions[t], rewards[t], following)
    assert bytes_of(whole) == bytes_of(single)


# --- stepping -------------------------------------------------------------------------------


def test_an_episode_begins_with_an_action_and_ends_without_one():
    engine = make_engine(1, 2)
    assert engine.step([0.1], reward=99.0) in (0, 1)  # there is nothing to reward yet
    assert engine.learning_steps == 0
    assert engine.step([0.2], 1.0) in (0, 1)
    assert engine.learning_steps == 1
    assert engine.step([0.3], 1.0, terminated=True) == -1
    assert engine.learning_steps == 2
    assert engine.step([0.3], 1.0, truncated=True) == -1  # no episode is under way
    assert engine.learning_steps == 2


@pytest.mark.parametrize(
    ("ending", "bootstrap", "target"),
    [
        ({"terminated": True}, True, 1.0),
        ({"truncated": True}, True, 1.0 + 0.5 * 4.0),
        ({"truncated": True}, False, 1.0),
        ({"terminated": True, "truncated": True}, True, 1.0),
    ],
    ids=["terminated", "truncated", "truncated-as-terminated", "both"],
)
def test_only_a_time_limit_bootstraps_at_the_end(ending, bootstrap, target):
    engine = stripes(learning_rate=1.0, discount=0.5, bootstrap_on_truncation=bootstrap)
    action = engine.step([0.2])
    engine.step([0.7], 1.0, **ending)
    assert engine.export()["prediction"][2 * action] == target


def test_epsilon_decides_how_often_a_step_is_random():
    for epsilon, greedy_share in ((0.0, 1.0), (1.0, 0.5)):
        engine = stripes(epsilon_start=epsilon, epsilon_end=epsilon, ga_threshold=10**6)
        actions = []
        for _ in range(200):
            actions.append(engine.step([0.7]))
            engine.step([0.7], 0.0, truncated=True)
            engine.state.arrays.population.rules["prediction"][engine.places()] = [
                1.0,
                4.0,
                2.0,
                3.0,
            ]
        assert np.mean(np.array(actions) == 0) == pytest.approx(greedy_share, abs=0.1)


def test_act_and_learn_do_not_disturb_an_episode():
    quiet, disturbed = make_engine(1, 2, seed=3), make_engine(1, 2, seed=3)
    for engine in (quiet, disturbed):
        engine.step([0.2])
    previous = disturbed.state.arrays.scratch.previous.copy()
    disturbed.act([0.9])
    disturbed.learn([0.8], 0, 5.0)
    disturbed.predict([[0.7]])
    assert disturbed.state.arrays.scratch.previous.tolist() == previous.tolist()
    state, other = disturbed.state.arrays.state, quiet.state.arrays.state
    for name in ("has_previous", "previous_action", "previous_value"):
        assert state[name] == other[name]


# --- running --------------------------------------------------------------------------------


def test_a_run_without_a_horizon_takes_its_own_length():
    problem = chain()
    engine = XCS(XCSConfig(**CHAIN), n_actions=2, low=problem.low, high=problem.high)
    engine.run(problem, 100)
    assert engine.horizon == 100
    engine.run(problem, 50)
    assert engine.horizon == 100
    assert engine.learning_steps == 150


def test_a_run_begins_with_a_fresh_episode_whatever_went_before():
    def engine():
        problem = chain()
        space = {"n_actions": 2, "low": problem.low, "high": problem.high}
        return XCS(XCSConfig(**CHAIN), REPLAY, seed=1, horizon=60, **space)

    left_open = engine()
    left_open.step([0.77])
    left_open.run(chain(), 40)
    states, _, _, next_states, *_ = left_open.state.memory
    assert int(left_open.state.arrays.state["stored"][0]) == 40
    assert states[0].tolist() == [0.0]  # the chain's first state, not the one left open
    assert 0.77 not in states[:40]
    assert set(np.unique(next_states[:40])) <= {0.0, 0.25, 0.5, 0.75, 1.0}


def test_an_epsilon_greedy_run_learns_from_what_it_records():
    problem = make_problem("rmp3")
    config = XCSConfig(population_size=50, exploration="epsilon_greedy", epsilon_fraction=0.5)
    engine = XCS(config, n_actions=2, low=problem.low, high=problem.high)
    record = engine.run(problem, 40, curve_points=40)
    assert engine.learning_steps == 40
    assert set(record.curve["reward"]) == {0.0, 1000.0}
    engine.check()


def test_an_interrupted_run_leaves_a_sound_engine():
    problem = chain()
    engine = XCS(XCSConfig(**CHAIN), REPLAY, n_actions=2, low=problem.low, high=problem.high)

    def interrupt(done, total):
        if done > 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.run(chain(), 3000, on_progress=interrupt)
    engine.check()
    assert 30 < engine.learning_steps < 100
    stored = engine.learning_steps
    engine.run(chain(), 20)
    assert engine.state.memory[0][stored % 200].tolist() == [
        0.0
    ]  # a fresh problem, a fresh episode
    engine.check()


def test_two_variants_with_one_seed_meet_the_same_problem():
    problem = make_problem("rmp3")
    space = {"n_actions": 2, "low": problem.low, "high": problem.high, "seed": 6}
    one = XCS(XCSConfig(population_size=50), REPLAY, **space)
    other = XCS(XCSConfig(population_size=90, learning_rate=0.1), REPLAY, **space)
    one.run(make_problem("rmp3"), 60)
    other.run(make_problem("rmp3"), 60)
    assert one.state.memory[0].tobytes() == other.state.memory[0].tobytes()
    assert one.state.arrays.env_rng.tolist() == other.state.arrays.env_rng.tolist()


# --- looking at it --------------------------------------------------------------------------


def test_rules_are_exported_in_population_order():
    rules = stripes().export()
    assert rules["action"].tolist() == [0, 0, 1, 1]
    assert rules["lower"].ravel().tolist() == [0.0, 0.5, 0.0, 0.5]
    assert rules["upper"].ravel() == pytest.approx([0.4, 1.0, 0.4, 1.0])
    assert rules["volume"] == pytest.approx([0.4, 0.5, 0.4, 0.5])
    assert "weights" not in rules


def test_exported_rules_are_copies():
    engine = stripes()
    for values in engine.export().values():
        values.fill(0)
    assert engine.export()["prediction"].tolist() == [1.0, 4.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda arrays: arrays.state.__setitem__("micro", 3),
        lambda arrays: arrays.state.__setitem__("fitness_sum", 7.0),
        lambda arrays: arrays.population.bounds.__setitem__((0, 0), 0.1),
        lambda arrays: arrays.population.votes.__setitem__((0, 1), 0.0),
        lambda arrays: arrays.population.hashes.__setitem__(0, 1),
        lambda arrays: arrays.population.cells.__setitem__((0, 1), 0),
        lambda arrays: arrays.population.counts.__setitem__(0, 1),
        lambda arrays: arrays.population.alleles.__setitem__((0, 1), 1.5),
    ],
    ids=["micro", "fitness", "bounds", "votes", "hashes", "cells", "counts", "alleles"],
)
def test_a_broken_invariant_is_noticed(spoil):
    engine = stripes()
    engine.check()
    spoil(engine.state.arrays)
    with pytest.raises(AssertionError):
        engine.check()


def test_a_large_engine_takes_a_hundred_megabytes_at_most():
    engine = XCS(
        XCSConfig(population_size=7000, prediction="linear"),
        ReplayConfig(capacity=50_000),
        n_actions=3,
        low=[0.0] * 6,
        high=[1.0] * 6,
    )
    states = 2 * 50_000 * 6 * 4
    assert states < engine.nbytes < 100e6
