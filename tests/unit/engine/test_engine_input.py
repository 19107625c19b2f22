"""Bad input is refused at the door, with a clear sentence, and changes nothing."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import bytes_of, make_engine, quick
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.engine.invariants import broken_invariants
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

REPLAY = ReplayConfig(capacity=20, batch_size=2, warmup=5)
GOOD = (0.25, 0.5)


def started_engine(replay=None, **settings):
    """Make an engine with rules, in the middle of an episode."""
    engine = make_engine(2, 2, seed=4, replay=replay, **settings)
    for x in np.random.default_rng(0).random((20, 2)):
        engine.step(x, 1.0)
    return engine


@pytest.fixture(scope="module")
def engines():
    return {
        "clip": started_engine(),
        "clip-replay": started_engine(REPLAY),
        "error": started_engine(out_of_range="error"),
    }


def refuse(engine, call, *parts):
    """Make a call that must be refused; check the sentence and that nothing has changed."""
    before = bytes_of(engine)
    with pytest.raises(ConfigError) as caught:
        call(engine)
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message, message
    assert bytes_of(engine) == before
    return message


# Every way an observation comes in. The rows of a batch before the bad one are sound.
DOORS = {
    "step": lambda engine, x: engine.step(x, 1.0),
    "step-end": lambda engine, x: engine.step(x, 1.0, terminated=True),
    "act": lambda engine, x: engine.act(x),
    "act-explore": lambda engine, x: engine.act(x, explore=True),
    "learn": lambda engine, x: engine.learn(x, 0, 1.0),
    "learn-transition": lambda engine, x: engine.learn(x, 0, 1.0, GOOD),
    "learn-next": lambda engine, x: engine.learn(GOOD, 0, 1.0, x),
    "learn-batch": lambda engine, x: engine.learn_batch([GOOD, GOOD, x], [0, 1, 0], [1.0, 2.0, 3]),
    "predict": lambda engine, x: engine.predict([GOOD, x]),
}
doors = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
NOT_FINITE = {"nan": np.nan, "inf": np.inf, "minus-inf": -np.inf}


@doors
@pytest.mark.parametrize("name", ["clip", "clip-replay", "error"])
@pytest.mark.parametrize("value", NOT_FINITE.values(), ids=NOT_FINITE)
def test_an_observation_that_is_not_finite_is_refused(engines, door, name, value):
    for x in ((value, 0.5), (0.5, value)):
        refuse(engines[name], lambda engine, x=x: door(engine, x), "observation", str(value))


@doors
@pytest.mark.parametrize("value", [-1e-9, 1.0000001, -5.0, 1e300])
def test_an_observation_outside_its_bounds_is_refused_if_so_configured(engines, door, value):
    refuse(
        engines["error"],
        lambda engine: door(engine, (0.5, value)),
        "observation[1]",
        "[0, 1]",
        f"{value:g}",
    )


@doors
@pytest.mark.parametrize("value", [-1e-9, 1.5, -1e9, 1e290])
def test_an_observation_outside_its_bounds_is_clipped_by_default(door, value):
    one, other = started_engine(REPLAY), started_engine(REPLAY)
    door(one, (0.5, value))
    door(other, (0.5, 0.0 if value < 0 else 1.0))
    assert bytes_of(one) == bytes_of(other)


@doors
def test_the_bounds_themselves_are_inside(door):
    low, high = [-1.2, 0.1, -3.0], [0.6, 0.7, 49.0]
    for corner in itertools.product(*zip(low, high, strict=True)):
        engine = XCS(
            XCSConfig(population_size=60, out_of_range="error"), n_actions=2, low=low, high=high
        )
        good = np.array([0.0, 0.5, 1.0])
        if door in (DOORS["step"], DOORS["step-end"], DOORS["act"], DOORS["act-explore"]):
            door(engine, corner)
        else:
            engine.learn(corner, 0, 1.0, good)
            engine.predict([corner])


SHAPES = {
    "number": 0.5,
    "too-short": [0.5],
    "too-long": [0.1, 0.2, 0.3],
    "empty": [],
    "rows": [[0.1, 0.2]],
    "ragged": [[0.1], [0.2, 0.3]],
    "cube": np.zeros((2, 2, 2)),
}


@doors
@pytest.mark.parametrize("x", SHAPES.values(), ids=SHAPES)
def test_an_observation_of_another_shape_is_refused(engines, door, x):
    refuse(engines["clip"], lambda engine: door(engine, x))


def test_a_refused_shape_is_named(engines):
    refuse(engines["clip"], lambda e: e.act([0.1, 0.2, 0.3]), "observation", "(2,)", "(3,)")
    refuse(engines["clip"], lambda e: e.predict([[0.1]]), "observations", "2", "(1, 1)")
    refuse(engines["clip"], lambda e: e.predict([0.1, 0.2]), "observations", "(2,)")


DTYPES = {
    "strings": ["a", "b"],
    "numeric-strings": ["0.5", "0.5"],
    "bytes": [b"0.5", b"0.5"],
    "complex": [0.5 + 0.0j, 0.5],
    "complex-array": np.array([0.5, 0.5 + 1j]),
    "none": None,
    "nones": [None, None],
    "object": [object(), 0.5],
    "dictionary": {"x": 0.5, "y": 0.5},
    "dates": np.array(["2020-01-01", "2020-01-02"], "M8[D]"),
}


@doors
@pytest.mark.parametrize("x", DTYPES.values(), ids=DTYPES)
def test_an_observation_that_is_no_vector_of_numbers_is_refused(engines, door, x):
    if x is None and door is DOORS["learn-next"]:
        pytest.skip("no next observation means the end")
    refuse(engines["clip"], lambda engine: door(engine, x))


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.uint8, np.bool_])
def test_other_kinds_of_numbers_are_welcome(dtype):
    for x in (np.array([1, 0], dtype), np.array([1, 7, 0, 7], dtype)[::2]):
        one, other = started_engine(), started_engine()
        for engine, seen in ((one, x), (other, [1.0, 0.0])):
            engine.act(seen)
            engine.learn(seen, 1, 2.0)
            engine.step(seen, 3.0)
        assert bytes_of(one) == bytes_of(other)


# --- actions, rewards, batches --------------------------------------------------------------


@pytest.mark.parametrize("action", [-1, 2, 10**12, 2**70, 0.0, 1.5, "0", None, True, np.float64(1)])
def test_an_unknown_action_is_refused(engines, action):
    for engine in (engines["clip"], engines["clip-replay"]):
        refuse(engine, lambda e: e.learn(GOOD, action, 1.0), "action", "[0, 1]", repr(action))


@pytest.mark.parametrize(
    "actions",
    [[0, -1], [0, 2], [0.0, 1.0], ["0", "1"], [True, False], [None, 0], [0, 10**12], [0, 2**70]],
    ids=str,
)
def test_unknown_actions_in_a_batch_are_refused(engines, actions):
    refuse(
        engines["clip"], lambda e: e.learn_batch([GOOD, GOOD], actions, [1, 2]), "actions", "[0, 1]"
    )


def test_the_unknown_action_of_a_batch_is_shown(engines):
    refuse(engines["clip"], lambda e: e.learn_batch([GOOD, GOOD], [0, 7], [1.0, 2.0]), "7")


@pytest.mark.parametrize(
    "reward",
    [np.nan, np.inf, -np.inf, 1e308, -1.01e100, "much", "1.5", None, [1, 2], 1j, b"2", 10**400],
)
def test_a_reward_that_is_no_finite_number_is_refused(engines, reward):
    shown = str(reward) if isinstance(reward, float) else repr(reward)[:40]
    for call in (
        lambda e: e.step(GOOD, reward),
        lambda e: e.learn(GOOD, 0, reward),
        lambda e: e.learn(GOOD, 0, reward, GOOD),
    ):
        refuse(engines["clip"], call, "reward", shown)
    refuse(engines["clip"], lambda e: e.learn_batch([GOOD, GOOD], [0, 1], [1.0, reward]), "reward")


def test_the_bad_reward_of_a_batch_is_shown(engines):
    refuse(engines["clip"], lambda e: e.learn_batch([GOOD] * 2, [0, 1], [1.0, np.inf]), "inf")


@pytest.mark.parametrize(
    ("rows", "actions", "rewards"),
    [
        ([GOOD, GOOD], [0], [1.0, 2.0]),
        ([GOOD, GOOD], [0, 1], [1.0]),
        ([GOOD, GOOD], [[0, 1]], [1.0, 2.0]),
        ([GOOD, GOOD], 0, 1.0),
        (GOOD, [0, 1], [1.0, 2.0]),
        ([], [], []),
    ],
    ids=["few-actions", "few-rewards", "matrix", "scalars", "one-row-flat", "empty-lists"],
)
def test_a_batch_of_unequal_lengths_is_refused(engines, rows, actions, rewards):
    refuse(engines["clip"], lambda e: e.learn_batch(rows, actions, rewards), "shape")


# --- construction ---------------------------------------------------------------------------

SPACE = {"n_actions": 2, "low": [0.0, 0.0], "high": [1.0, 1.0]}


def refuse_engine(*parts, settings=None, replay=None, **changes):
    with pytest.raises(ConfigError) as caught:
        XCS(
            XCSConfig(**(settings or {})),
            None if replay is None else ReplayConfig(**replay),
            **{**SPACE, **changes},
        )
    for part in parts:
        assert part in str(caught.value), str(caught.value)


@pytest.mark.parametrize("n_actions", [0, -1, 2.0, "2", None, True, 2**40])
def test_a_bad_number_of_actions_is_refused(n_actions):
    refuse_engine("n_actions", "[1, ", repr(n_actions), n_actions=n_actions)


@pytest.mark.parametrize("name", ["seed", "horizon"])
@pytest.mark.parametrize("value", [-1, 0.5, "1", None, 2**64])
def test_a_bad_seed_or_horizon_is_refused(name, value):
    refuse_engine(name, "[0, ", repr(value), **{name: value})


BOUNDS = {
    "nan": ([0, np.nan], [1, 1]),
    "infinite": ([0, -np.inf], [1, 1]),
    "equal": ([0, 1], [1, 1]),
    "reversed": ([0, 2], [1, 1]),
    "lengths": ([0, 0], [1, 1, 1]),
    "numbers": (0, 1),
    "empty": ([], []),
    "matrix": ([[0, 0]], [[1, 1]]),
    "strings": (["a", "b"], [1, 1]),
    "complex": ([0j, 0j], [1, 1]),
    "none": (None, [1, 1]),
    "range-overflows": ([0, -1e308], [1, 1e308]),
    "range-vanishes": ([0, 0], [1, 5e-324]),
    "range-inverts-to-infinity": ([0, 0], [1, 1e-310]),
}


@pytest.mark.parametrize(("low", "high"), BOUNDS.values(), ids=BOUNDS)
def test_bad_bounds_are_refused(low, high):
    refuse_engine("low", low=low, high=high)


def test_more_demanded_actions_than_there_are_is_a_contradiction():
    refuse_engine("min_actions (theta_mna)", "[1, 2]", "3", settings={"min_actions": 3})


def test_a_population_that_cannot_hold_a_match_set_is_a_contradiction():
    refuse_engine("population_size (N_max)", "2", settings={"population_size": 2})
    refuse_engine("population_size (N_max)", settings={"population_size": 5}, n_actions=5)
    XCS(XCSConfig(population_size=2, min_actions=1), **SPACE)


def test_action_mutation_needs_a_second_action():
    refuse_engine("action_mutation_rate", settings={"action_mutation_rate": 0.1}, n_actions=1)


@pytest.mark.parametrize("size", [2**40, 2**62])
def test_a_size_beyond_all_memory_is_refused(size):
    refuse_engine("population_size", settings={"population_size": size})
    refuse_engine("capacity", replay={"capacity": size})


@pytest.mark.parametrize("about", [{"f": np.nan}, {"f": object()}, [1, 2], "text", {1, 2}, 7])
def test_notes_that_a_file_cannot_hold_are_refused(about):
    refuse_engine("about", about=about)


def test_notes_that_are_too_long_are_refused():
    refuse_engine("about", "8388608", about={"names": "x" * 8_400_000})


# --- runs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [0, -5, 1.5, "10", None, 2**31])
def test_a_bad_number_of_steps_is_refused(steps):
    engine = make_engine(3, 2)
    refuse(engine, lambda e: e.run(make_problem("rmp3"), steps), "steps", "[1, ", repr(steps))
    refuse(
        engine,
        lambda e: e.run(make_problem("rmp3"), 10, steps),
        "curve_points",
        "[1, ",
        repr(steps),
    )


def test_a_problem_of_another_shape_is_refused():
    engine = make_engine(3, 2)
    message = refuse(engine, lambda e: e.run(make_problem("rmp6"), 10), "rmp6", "6", "3")
    assert re.search("6 features", message)
    refuse(make_engine(2, 2), lambda e: e.run(make_problem("mountaincar"), 10), "3 actions")


def test_alternating_exploration_of_episodes_is_a_contradiction():
    engine = make_engine(1, 2, exploration="alternate")
    refuse(
        engine, lambda e: e.run(make_problem("chain"), 10), "exploration", "epsilon_greedy", "chain"
    )
    assert engine.horizon == 0


def test_a_run_does_not_ignore_observations_that_it_must_refuse():
    """CartPole's velocities leave their bounds; `out_of_range` says that this is an error."""
    problem = make_problem("cartpole", velocity_bound=0.05)
    engine = XCS(
        XCSConfig(exploration="epsilon_greedy", out_of_range="error"),
        n_actions=2,
        low=problem.low,
        high=problem.high,
    )
    with pytest.raises(ConfigError, match=r"out_of_range|observation"):
        engine.run(problem, 500)


# --- configuration --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({"population_size": -5}, ("population_size (N_max)", "[2, ", "-5")),
        ({"population_size": 0}, ("population_size (N_max)", "[2, ", "0")),
        ({"learning_rate": 1.5}, ("learning_rate (beta)", "(0, 1]", "1.5")),
        ({"learning_rate": float("nan")}, ("learning_rate (beta)", "(0, 1]", "nan")),
        ({"discount": -0.1}, ("discount (gamma)", "[0, 1]", "-0.1")),
        ({"error_threshold": 0.0}, ("error_threshold (eps_0)", "(0, 1e+100]", "0")),
        ({"initial_prediction": float("inf")}, ("initial_prediction (p_ini)", "inf")),
        ({"ga_threshold": "often"}, ("ga_threshold (theta_GA)", "'often'")),
        ({"tournament_fraction": 0.0}, ("tournament_fraction (tau)", "(0, 1]", "0")),
        ({"condition": "round"}, ("condition", "unordered", "'round'")),
        ({"min_actions": 0}, ("min_actions (theta_mna)", "[1, ", "0")),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_a_setting_outside_its_range_is_refused(settings, parts):
    with pytest.raises(ConfigError) as caught:
        XCSConfig(**settings)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({"capacity": 0}, ("replay_capacity (N)", "[1, ", "0")),
        ({"capacity": -3}, ("replay_capacity (N)", "[1, ", "-3")),
        ({"batch_size": 0}, ("replay_batch_size (m)", "[1, ", "0")),
        ({"warmup": -1}, ("replay_warmup", "[0, ", "-1")),
        ({"capacity": 3, "batch_size": 4}, ("replay_batch_size (m)", "[1, 3]", "4")),
    ],
    ids=["capacity-0", "capacity-negative", "batch-0", "warmup-negative", "batch-above-capacity"],
)
def test_a_replay_setting_outside_its_range_is_refused(settings, parts):
    with pytest.raises(ConfigError) as caught:
        ReplayConfig(**settings)
    for part in parts:
        assert part in str(caught.value)


# --- anything at all ------------------------------------------------------------------------

ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(max_size=3)
    | st.binary(max_size=3)
    | st.lists(st.floats() | st.none() | st.text(max_size=2) | st.integers(), max_size=3)
)


@given(x=ANYTHING, action=ANYTHING, reward=ANYTHING)
@quick(150)
def test_whatever_comes_in_is_learned_from_or_refused_whole(x, action, reward):
    engine = started_engine()
    before = bytes_of(engine)
    for call in (
        lambda: engine.step(x, reward),
        lambda: engine.act(x),
        lambda: engine.learn(x, action, 1.0),
        lambda: engine.learn(GOOD, 0, reward, x),
        lambda: engine.learn(GOOD, action, reward),
        lambda: engine.learn_batch([GOOD, GOOD], [0, action], [1.0, reward]),
    ):
        try:
            call()
        except ConfigError:
            assert bytes_of(engine) == before
        else:
            engine.check()
            before = bytes_of(engine)


NO_CONFIGS = {"none": None, "text": "default", "dictionary": {}, "class": XCSConfig}


@pytest.mark.parametrize("config", NO_CONFIGS.values(), ids=NO_CONFIGS)
def test_what_is_no_configuration_is_refused_as_such(config):
    with pytest.raises(ConfigError, match="config must be an XCSConfig, got"):
        XCS(config, n_actions=2, low=[0], high=[1])


@pytest.mark.parametrize("replay", ["uniform", {}, ReplayConfig, 3])
def test_what_is_no_replay_configuration_is_refused_as_such(replay):
    with pytest.raises(ConfigError, match="replay must be a ReplayConfig or None, got"):
        XCS(XCSConfig(), replay, n_actions=2, low=[0], high=[1])


@pytest.mark.parametrize("problem", [None, "rmp6", {}, make_problem])
def test_what_is_no_problem_is_refused_as_such(problem):
    engine = XCS(XCSConfig(), n_actions=2, low=[0], high=[1])
    for call in (lambda: engine.run(problem, 10), lambda: engine.evaluate(problem)):
        with pytest.raises(ConfigError, match="problem must be a Problem"):
            call()


def test_more_features_than_any_population_holds_are_called_that():
    wide = np.zeros(100_000), np.ones(100_000)
    with pytest.raises(ConfigError, match=r"number of features must be smaller.*100000"):
        XCS(XCSConfig(prediction="linear"), n_actions=2, low=wide[0], high=wide[1])


def test_rewards_of_the_largest_size_leave_all_numbers_finite():
    for prediction in ("scalar", "linear"):
        engine = XCS(
            XCSConfig(population_size=50, prediction=prediction, rls_forgetting=0.9),
            n_actions=2,
            low=[0],
            high=[1],
        )
        rng = np.random.default_rng(0)
        rows, signs = rng.random((300, 1)), rng.choice([-1e100, 1e100, 0.0], 300)
        engine.learn_batch(rows, rng.integers(0, 2, 300), signs, rng.random((300, 1)))
        assert not broken_invariants(engine)
        assert np.isfinite(engine.predict(rows)).all()
