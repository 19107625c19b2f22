"""What goes beyond the paper: off by default, checked, saved, and doing what it says."""

import numpy as np
import pytest

from property.samples import bytes_of, live, make_engine, reload
from ruleplay.config import ReplayConfig, XCSConfig, describe, digest_of, typed_value
from ruleplay.contrib.count_bonus import count_index
from ruleplay.contrib.grid import LARGEST_TABLE, count_table_size
from ruleplay.core.components.seams import Bootstrap, Discovery, Exploration, Update
from ruleplay.core.exploration import REPEATED
from ruleplay.engine import XCS
from ruleplay.engine.widening import widened
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.experiments.spec import specify_run
from ruleplay.replay.component_state import component_states
from ruleplay.replay.memory import Pure
from ruleplay.replay.returns import OneStep

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

GREEDY = {"exploration": "epsilon_greedy", "epsilon_start": 0.0, "epsilon_end": 0.0}
EVERYTHING = {
    "exploration": "epsilon_greedy",
    "epsilon_end": 0.3,
    "exploration_persistence": 3.0,
    "count_bonus": 1.0,
    "initial_prediction": "optimistic",
    "target_low": 0.0,
    "target_high": 50.0,
}
REPLAY = ReplayConfig(capacity=40, batch_size=2, warmup=5, return_steps=4, cut_at_exploration=True)
OPTIONS = {
    "replay_return_steps": 1,
    "replay_cut_at_exploration": False,
    "replay_return_choice": "longest",
    "replay_action_gap": 0.0,
    "condensation_fraction": 0.0,
    "exploration_fades": False,
    "replay_priority_exponent": 0.6,
    "replay_priority_beta_start": 0.4,
    "replay_importance": "prediction",
    "replay_strata_grid": 8,
    "replay_protected_share": 0.2,
    "replay_usual_reward": 0.0,
    "replay_interpolation": 0.0,
    "replay_interpolation_distance": 0.1,
    "target_low": None,
    "target_high": None,
    "exploration_persistence": 1.0,
    "count_bonus": 0.0,
    "count_bonus_in": "payoff",
    "count_grid": 16,
    "ga_niches_per_step": None,
    "gradient_scaling": False,
    "target_interval": 0,
    "double_estimation": False,
    "specify": False,
    "specify_threshold": 20.0,
    "specify_probability": 0.5,
    "split_refuted": 0,
    "verify_subsumption": 0,
}


# --- off ------------------------------------------------------------------------------------


def test_every_option_is_off_by_default():
    defaults = {record.name: record.default for record in describe(XCSConfig)}
    defaults |= {record.name: record.default for record in describe(ReplayConfig)}
    assert {name: defaults[name] for name in OPTIONS} == OPTIONS


def test_an_engine_without_options_has_the_plain_kernels_and_no_memory_for_them():
    engine = make_engine(replay=ReplayConfig(capacity=10))
    traits, memory = engine.state.agent.traits, engine.state.memory
    usual = {Exploration: "plain", Update: "full", Bootstrap: "own", Discovery: "genetic"}
    chosen = (traits.exploration, traits.update, traits.bootstrap, traits.discovery)
    assert [type(one) for one in chosen] == [seam.find(name) for seam, name in usual.items()]
    assert not any(chosen)  # none of them remembers anything
    assert [type(memory.backup), type(memory.mixing)] == [OneStep, Pure]
    assert component_states(memory) == []


# Other readings of the paper, which came later too.
READINGS = {
    "detailed_curve",
    "fitness_averaging",
    "initial_experience",
    "inherited_fitness",
    "inherited_model",
    "ga_subsumers",
    "exploit_learning",
    "exploit_clock",
    "replay_covering",
    "replay_kept_steps",
    "replay_first_ends",
    "replay_keep_last",
}


@pytest.mark.parametrize("replay", [None, ReplayConfig(capacity=50, warmup=5)], ids=["xcs", "er"])
def test_naming_the_options_and_leaving_them_off_changes_no_bit(replay):
    named = {name: value for name, value in OPTIONS.items() if not name.startswith("replay_")}
    space = {"replay": replay, "exploration": "epsilon_greedy"}
    plain, same = make_engine(1, **space), make_engine(1, **space, **named)
    for engine in (plain, same):
        engine.run(make_problem("chain", n=5), 300)
    assert bytes_of(plain) == bytes_of(same)


def test_digests_are_those_from_before_the_options_while_they_are_off():
    later = {*OPTIONS, *READINGS, "missing_values", "replay_storage"}
    for config in (XCSConfig(), ReplayConfig()):
        prefix = config.setting_prefix
        old = {k: v for k, v in config.as_dict().items() if prefix + k not in later}
        assert config.digest() == digest_of({"class": type(config).__name__, "settings": old})
    assert XCSConfig(target_high=1.0).digest() != XCSConfig().digest()
    assert ReplayConfig(return_steps=2).digest() != ReplayConfig().digest()
    runs = [
        specify_run("stein2020/chain16", "xcs-er", overrides)
        for overrides in ({}, {"replay_return_steps": 1}, {"replay_return_steps": 2})
    ]
    assert runs[0].digest() == runs[1].digest() != runs[2].digest()


# --- hope -----------------------------------------------------------------------------------


@pytest.mark.parametrize("prediction", ["scalar", "linear"])
def test_hope_ends_at_the_first_reward_for_all_rules_that_have_not_learned(prediction):
    settings = {"initial_prediction": "hopeful", "prediction": prediction}
    config = XCSConfig(population_size=60, exploration="epsilon_greedy", **settings)
    replay = ReplayConfig(capacity=40, batch_size=1, warmup=10)
    for warm, hope, left in ((4, 7.0, False), (30, 5.0, True)):  # learning erodes hope
        engine = XCS(config, replay, n_actions=2, low=[0], high=[1], largest_return=7.0)
        for t in range(warm):
            engine.step([t % 5 / 5], 0.0)
        assert np.nanmax(engine.predict([[0.2]])) >= hope - 1e-9
        engine.step([0.9], -1.0)
        assert engine.state.arrays.params["p_ini"][0] == 0.0
        assert (np.nanmax(engine.predict([[0.2]])) > 0.0) == left
        assert reload(engine).state.arrays.params["p_ini"][0] == 0.0


# --- checked --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ReplayConfig(return_steps=0),
            "replay_return_steps (n) must be an integer in [1, 10000], got 0",
        ),
        (
            lambda: ReplayConfig(return_steps=5, storage="reservoir"),
            "replay_return_steps (n) must be 1 for replay_storage = 'reservoir', "
            "which keeps no sequences, got 5",
        ),
        (
            lambda: ReplayConfig(cut_at_exploration=True),
            "replay_cut_at_exploration needs replay_return_steps (n) above 1",
        ),
        (
            lambda: XCSConfig(target_low=3.0, target_high=3.0),
            "target_low must lie below target_high = 3, got 3",
        ),
        (
            lambda: XCSConfig(exploration_persistence=0.5),
            "exploration_persistence (L) must lie in [1, 1e+100], got 0.5",
        ),
        (
            lambda: XCSConfig(count_bonus=1.0),
            "exploration must be 'epsilon_greedy' for a count_bonus, got 'alternate'",
        ),
        (
            lambda: XCSConfig(initial_prediction="pessimistic"),
            "initial_prediction (p_ini) must be a number in [-1e+100, 1e+100], or 'optimistic', "
            "or 'hopeful', got 'pessimistic'",
        ),
    ],
)
def test_settings_that_make_no_sense_are_refused(make, message):
    with pytest.raises(ConfigError) as error:
        make()
    assert str(error.value) == message


def test_optimism_can_be_typed():
    assert typed_value("initial_prediction", "optimistic") == "optimistic"
    assert typed_value("initial_prediction", "7") == 7.0


def test_a_single_step_problem_has_no_use_for_guided_exploration():
    engine = make_engine(3, 2, **{**GREEDY, "count_bonus": 1.0})
    with pytest.raises(
        ConfigError, match="count_bonus must be 0 for the single-step problem 'rmp3'"
    ):
        engine.run(make_problem("rmp3"), 10)


# --- optimism -------------------------------------------------------------------------------


def optimist(**changes):
    settings = {"population_size": 60, "initial_prediction": "optimistic", **GREEDY}
    space = {"n_actions": 2, "low": [0.0], "high": [1.0], **changes}
    return XCS(XCSConfig(**settings, prediction_limit=500.0), **space)


@pytest.mark.parametrize(
    "use",
    [
        lambda engine: engine.step([0.5]),
        lambda engine: engine.act([0.5]),
        lambda engine: engine.learn([0.5], 0, 1.0),
        lambda engine: engine.learn_batch([[0.5]], [0], [1.0]),
    ],
    ids=["step", "act", "learn", "learn_batch"],
)
def test_an_optimist_that_knows_no_return_says_what_to_do(use):
    with pytest.raises(ConfigError, match=r"tell it by XCS\(\.\.\., largest_return=\.\.\.\)"):
        use(optimist())
    use(optimist(largest_return=7.0))


def test_covered_rules_of_an_optimist_predict_the_largest_return():
    engine = optimist(largest_return=7)
    engine.act([0.5])
    assert engine.export()["prediction"].tolist() == [7.0, 7.0]
    again = reload(engine)
    assert again.largest_return == 7.0
    again.act([0.99])


def test_a_problem_tells_an_optimist_what_to_expect():
    problem = make_problem("chain", n=5)
    engine = optimist()
    engine.run(problem, 10)
    expected = problem.largest_value(engine.config.discount)
    assert engine.largest_return == expected == engine.state.arrays.params["p_ini"][0]
    engine.step([0.5])
    told = optimist(largest_return=3.0)
    told.run(problem, 10)
    assert told.largest_return == told.state.arrays.params["p_ini"][0] == 3.0


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e101, "7", [1.0]])
def test_a_largest_return_must_be_finite(value):
    with pytest.raises(ConfigError, match="largest_return must be a number in"):
        optimist(largest_return=value)


def test_an_optimist_may_not_hope_for_more_than_the_prediction_limit():
    with pytest.raises(ConfigError, match=r"prediction_limit must lie in \[900, inf\)"):
        optimist(largest_return=900.0)


# --- targets --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "learned"),
    [({}, 90.0), ({"target_high": 20.0}, 20.0), ({"target_low": 95.0}, 95.0)],
    ids=["off", "above", "below"],
)
def test_rules_learn_from_payoffs_within_the_limits(limits, learned):
    engine = make_engine(1, 1, learning_rate=1.0, **limits)
    engine.learn([0.5], 0, 90.0)
    assert engine.export()["prediction"].tolist() == [learned]


# --- exploration ----------------------------------------------------------------------------


@pytest.mark.slow
def test_lasting_random_actions_keep_their_share_of_steps():
    """Of 5000 steps a share of 0.2 is random, sd 0.018; runs last 5 steps, sd 0.32."""
    settings = {"epsilon_start": 0.2, "epsilon_end": 0.2, "exploration_persistence": 5.0}
    engine = make_engine(1, 3, exploration="epsilon_greedy", **settings)
    engine.step([0.5])
    notes, repeated = engine.state.traits.exploration.notes, []
    for _ in range(5000):
        engine.step([0.5], 1.0)
        repeated.append(int(notes[REPEATED]))
    random = np.array(repeated) >= 0
    begun = random & (np.diff(repeated, prepend=-1) != 0)
    assert random.mean() == pytest.approx(0.2, abs=0.06)
    # Two runs of the same action in turn look like one: 20 % begin at once, a third alike.
    assert random.sum() / begun.sum() == pytest.approx(5.0, abs=1.2)


def test_a_repetition_ends_with_its_episode():
    settings = {"epsilon_start": 1.0, "epsilon_end": 1.0, "exploration_persistence": 1e9}
    engine = make_engine(1, 3, exploration="epsilon_greedy", **settings)
    first = set()
    for _ in range(20):
        action = engine.step([0.5])
        first.add(action)
        assert all(engine.step([0.5], 0.0) == action for _ in range(10))
        engine.step([0.5], 0.0, terminated=True)
    assert first == {0, 1, 2}


def test_a_bonus_makes_an_agent_try_everything_equally_often():
    settings = {**GREEDY, "count_bonus": 1000.0, "count_grid": 4, "initial_prediction": 0.0}
    engine = make_engine(1, 3, count_bonus_in="choice", **settings)
    tried = np.zeros((4, 3), int)
    cell, action = 0, engine.step([0.125])
    for t in range(1, 240):
        tried[cell, action] += 1
        cell = t % 4
        action = engine.step([cell / 4 + 0.125], 0.0)
    assert (tried >= 19).all()
    tried[cell, action] += 1
    assert engine.state.traits.exploration.counts.reshape(4, 3).tolist() == tried.tolist()


def test_a_bonus_in_payoffs_fades_with_the_visits():
    settings = {**GREEDY, "count_bonus": 8.0, "discount": 0.0, "learning_rate": 1.0}
    engine = make_engine(1, 1, ga_threshold=10**6, **settings)
    engine.step([0.5])
    predictions = []
    for _ in range(4):  # the action that follows has been counted when a reward comes in
        engine.step([0.5], reward=1.0)
        predictions.append(float(engine.predict([[0.5]])[0, 0]))
    expected = [1.0 + 8.0 / np.sqrt(n) for n in (2, 3, 4, 5)]
    assert predictions == pytest.approx(expected)


@pytest.mark.parametrize(
    ("grid", "n_features", "n_actions", "expected"),
    [
        (16, 2, 3, (768, True)),
        (2, 19, 2, (LARGEST_TABLE, True)),
        (2, 20, 2, (LARGEST_TABLE, False)),
        (10**9, 500, 2, (LARGEST_TABLE, False)),
    ],
    ids=["small", "just-fits", "just-does-not", "enormous"],
)
def test_counters_take_bounded_memory(grid, n_features, n_actions, expected):
    assert count_table_size(grid, n_features, n_actions) == expected


def test_hashed_cells_seldom_share_a_counter():
    """Of 2000 keys among 2^20 counters about 1.9 pairs collide."""
    settings = {**GREEDY, "count_bonus": 1.0, "count_grid": 1000}
    engine = make_engine(3, 2, **settings)
    rng = np.random.default_rng(3)
    states = rng.random((1000, 3)).astype(np.float32)
    explorer = engine.state.traits.exploration
    assert len(explorer.counts) == LARGEST_TABLE
    keys = {count_index(explorer, s, a, 2) for s in states for a in range(2)}
    assert len(keys) > 1990
    assert all(0 <= key < LARGEST_TABLE for key in keys)
    halves = np.bincount([key // (LARGEST_TABLE // 8) for key in keys], minlength=8)
    assert halves.min() > 180


# --- saved ----------------------------------------------------------------------------------


def everything():
    return XCS(
        XCSConfig(population_size=60, ga_threshold=8, **EVERYTHING),
        REPLAY,
        n_actions=2,
        low=[0.0],
        high=[1.0],
        horizon=300,
        largest_return=40.0,
    )


def test_a_loaded_engine_goes_on_with_the_same_bits():
    engine = live(everything(), 150, seed=1)
    twin = reload(engine)
    assert bytes_of(live(engine, 150, seed=2)) == bytes_of(live(twin, 150, seed=2))
    engine.check()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda e: e.state.memory[4].__setitem__(3, 3), "flags of experiences must be among"),
        (lambda e: e.state.memory[4].__setitem__(3, 8), "flags of experiences must be among"),
        (
            lambda e: e.state.traits.exploration.notes.__setitem__(0, 2),
            "the repeated action must be",
        ),
        (
            lambda e: e.state.traits.exploration.notes.__setitem__(2, 2),
            "marks of actions must be 0 or 1",
        ),
    ],
)
def test_a_model_with_impossible_notes_is_refused(spoil, message, tmp_path):
    engine = live(everything(), 60, seed=1)
    spoil(engine)
    engine.save(tmp_path / "model")
    with pytest.raises(ModelFileError, match=message):
        XCS.load(tmp_path / "model")


def test_a_widened_engine_keeps_its_notes_and_counts_anew():
    engine = live(everything(), 100, seed=1)
    engine.state.traits.exploration.notes[:] = (1, 1, 0)
    wide = widened(engine, 3, [-1.0], [1.0])
    assert wide.state.traits.exploration.notes.tolist() == [1, 1, 0]
    assert wide.state.traits.exploration.counts.shape == (48,)
    assert not wide.state.traits.exploration.counts.any()
    assert wide.largest_return == 40.0
    live(wide, 100, seed=2).check()
