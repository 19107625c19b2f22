"""Observations become features within bounds, and spaces without sense are refused."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from ruleplay import XCSAgent
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.interface import choose_bounds, make_interface
from ruleplay.learners.agent.spaces import (
    Encoder,
    choose_encoder,
    declared_bounds,
    grain_of,
    grain_of_few,
    observed_bounds,
)

# space, encode_discrete, an observation, its features, lower bounds, upper bounds, states
SPACES = {
    "box": (spaces.Box(-1, 2, (2,)), "ordinal", [0.5, 2], [0.5, 2], [-1, -1], [2, 2], np.inf),
    "picture": (
        spaces.Box(0, 9, (1, 3), np.int64),
        "ordinal",
        [[1, 2, 3]],
        [1, 2, 3],
        [0] * 3,
        [9] * 3,
        np.inf,
    ),
    "constant": (spaces.Box(3, 3, (1,)), "ordinal", [3], [3], [3], [4], np.inf),
    "discrete": (spaces.Discrete(5), "ordinal", 4, [4], [0], [4], 5),
    "discrete-from-7": (spaces.Discrete(5, start=7), "ordinal", 8, [8], [7], [11], 5),
    "one-hot": (
        spaces.Discrete(3, start=7),
        "one_hot",
        8,
        [0, 1, 0],
        [0, 0, 0],
        [1, 1, 1],
        3,
    ),
    "digits": (spaces.Discrete(12), (3, 4), 7, [1, 3], [0, 0], [2, 3], 12),
    "multi-discrete": (
        spaces.MultiDiscrete([2, 5], start=[0, 1]),
        "ordinal",
        [1, 5],
        [1, 5],
        [0, 1],
        [1, 5],
        10,
    ),
    "multi-binary": (spaces.MultiBinary(3), "ordinal", [1, 0, 1], [1, 0, 1], [0] * 3, [1] * 3, 8),
}
all_spaces = pytest.mark.parametrize("case", SPACES.values(), ids=SPACES)


class Still(gymnasium.Env):
    """An environment with any spaces in which nothing happens."""

    def __init__(self, observation_space, action_space=None):
        self.observation_space = observation_space
        self.action_space = action_space or spaces.Discrete(2)


def test_pictures_are_refused_with_the_way_to_go():
    picture = spaces.Box(0, 255, (84, 84, 3), np.uint8)
    with pytest.raises(ConfigError, match=r"pictures of 84 x 84 x 3 numbers.*MinAtar"):
        XCSAgent(Still(picture))


@all_spaces
def test_an_observation_becomes_its_features(case):
    space, how, observation, features, *_ = case
    encoder = choose_encoder(space, how)
    assert encoder.n_features == len(features)
    np.testing.assert_array_equal(encoder.vector(observation), features)
    np.testing.assert_array_equal(encoder.rows(np.array([observation] * 2)), [features] * 2)


@all_spaces
def test_bounds_and_states_are_those_of_the_space(case):
    space, how, _, _, low, high, states = case
    encoder = choose_encoder(space, how)
    np.testing.assert_array_equal(declared_bounds(space, encoder), [low, high])
    assert grain_of(space, encoder).states == pytest.approx(states)


def test_whole_numbers_of_which_few_combinations_occur_are_like_numbered_states():
    declared = (np.zeros(3), np.array([3.0, 10.0, 1.0]))
    few = np.repeat(np.arange(5.0), 5)[:, None] * np.ones(3)
    assert grain_of_few(few, declared) == (100, 11)
    assert grain_of_few(few[::2], declared) is None  # five of thirteen differ
    assert grain_of_few(few, (declared[0], np.array([3.0, np.inf, 1.0]))) is None


@all_spaces
def test_an_encoder_survives_as_plain_values(case):
    encoder = choose_encoder(case[0], case[1])
    assert Encoder.from_dict(encoder.as_dict()) == encoder


@pytest.mark.parametrize("odd", [[10**400, 0], ["wide", 0], [[1], [1, 2]], [object(), 0]])
def test_what_is_no_number_is_refused(odd):
    with pytest.raises(ConfigError, match="observation must hold numbers"):
        Encoder((2,)).vector(odd)


@pytest.mark.parametrize("encoder", [Encoder((2,)), Encoder((), sizes=(3,))])
def test_numbers_beyond_all_floats_are_refused(encoder):
    with pytest.raises(ConfigError, match="observation must hold numbers"):
        encoder.rows(np.array([[10**400, 10**400]], object))


def test_no_observations_are_no_rows():
    assert Encoder((2, 2)).rows(np.zeros((0, 2, 2))).shape == (0, 4)


def test_a_number_outside_its_space_is_refused():
    with pytest.raises(ConfigError, match=r"observation must lie in \[7, 9\]"):
        Encoder((), 7, (3,), one_hot=True).vector(10)


@pytest.mark.parametrize(
    "space",
    [spaces.Text(3), spaces.Sequence(spaces.Discrete(2))],
    ids=["text", "sequence"],
)
def test_other_observations_are_refused_with_advice(space):
    with pytest.raises(ConfigError, match=f"got {type(space).__name__}.*TransformObservation"):
        make_interface(Still(space), None, None, None)


@pytest.mark.parametrize("how", ["binary", (3, 5), (), (-3, -4), (2.4, 5), 12], ids=str)
def test_an_encoding_that_does_not_fit_is_refused(how):
    with pytest.raises(ConfigError, match=r"encode_discrete must be .* product is 12"):
        choose_encoder(spaces.Discrete(12), how)


# --- bounds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("high", [np.inf, 1e7, np.finfo(np.float32).max], ids=str)
def test_bounds_that_are_none_are_observed_unless_given(high):
    env = Still(spaces.Box(np.array([0, -1]), np.array([1, high]), dtype=np.float64))
    encoder = Encoder((2,))
    np.testing.assert_array_equal(choose_bounds(env, encoder, None), [[0, np.nan], [1, np.nan]])
    assert np.isnan(choose_bounds(env, encoder, "observe")).all()
    low, high = choose_bounds(env, encoder, (-2, [3, 4]))
    assert (low.tolist(), high.tolist()) == ([-2, -2], [3, 4])


@pytest.mark.parametrize("bounds", ["guess", 3, (1, 2, 3), ([1, 2, 3], 4)], ids=str)
def test_bounds_of_another_shape_are_refused(bounds):
    with pytest.raises(ConfigError, match="bounds must be None, 'observe' or a pair"):
        choose_bounds(Still(spaces.Box(0, 1, (2,))), Encoder((2,)), bounds)


def test_numbered_states_have_no_other_bounds_than_their_own():
    with pytest.raises(ConfigError, match=r"bounds must be None for Discrete\(3\)"):
        choose_bounds(Still(spaces.Discrete(3)), Encoder(()), "observe")


def test_observed_bounds_leave_a_quarter_more_within_what_is_declared():
    rows = np.array([[0.0, 5.0, 0.0], [4.0, 5.0, 4.0]])
    declared = np.array([-np.inf, -np.inf, 0.0]), np.array([np.inf, np.inf, 4.5])
    unknown = np.full((2, 3), np.nan)
    low, high = observed_bounds(rows, declared, tuple(unknown))
    assert (low.tolist(), high.tolist()) == ([-1, 4.5, 0], [5, 5.5, 4.5])


def test_bounds_that_are_known_are_not_observed():
    rows, declared = np.array([[0.0, 5.0], [4.0, 6.0]]), (np.full(2, -np.inf), np.full(2, np.inf))
    low, high = observed_bounds(rows, declared, (np.array([-9.0, np.nan]), np.array([9.0, np.nan])))
    assert (low.tolist(), high.tolist()) == ([-9, 4.75], [9, 6.25])


# --- environments that we know ----------------------------------------------------------------


TAXI = "Taxi-v4" if "Taxi-v4" in gymnasium.registry else "Taxi-v3"


@pytest.mark.parametrize(
    ("name", "feature", "action", "n_features"),
    [
        ("CartPole-v1", "angle", "push left", 4),
        ("MountainCar-v0", "velocity", "wait", 2),
        ("MountainCarContinuous-v0", "velocity", "force = -0.5", 2),
        ("Pendulum-v1", "cos", "torque = 2.0", 3),
        ("Acrobot-v1", "cos_1", "no torque", 6),
        ("Blackjack-v1", "dealer_card", "hit", 3),
        ("FrozenLake-v1", "row", "down", 2),
        ("FrozenLake8x8-v1", "column", "up", 2),
        ("CliffWalking-v1", "row", "left", 2),
        (TAXI, "passenger", "pick up", 4),
        ("ruleplay/Chain-v0", "state", "forward", 1),
    ],
)
def test_known_environments_have_names(name, feature, action, n_features):
    env = gymnasium.make(name)
    interface = make_interface(env, None, None, None)
    assert feature in interface.feature_names
    assert action in interface.action_names
    low, high = choose_bounds(env, interface.encoder, None)
    assert len(low) == n_features
    assert (high - low < 100).all()


def test_a_wrapper_that_changes_observations_ends_our_knowledge():
    env = gymnasium.make("CartPole-v1")
    seen = gymnasium.wrappers.NormalizeObservation(env)
    assert make_interface(seen, None, None, None).feature_names == ("x0", "x1", "x2", "x3")
    assert np.isnan(choose_bounds(seen, Encoder((4,)), None)).all()


def test_a_wrapper_that_changes_actions_ends_our_knowledge_of_them():
    env = gymnasium.make("MountainCar-v0")
    pushed = gymnasium.wrappers.TransformAction(env, lambda action: 2 * action, spaces.Discrete(2))
    interface = make_interface(pushed, None, None, None)
    assert interface.feature_names == ("position", "velocity")
    assert interface.action_names == ("0", "1")


def test_users_name_features_and_actions():
    env = Still(spaces.Box(0, 1, (2,)), spaces.Discrete(2, start=5))
    assert make_interface(env, None, None, None).action_names == ("5", "6")
    interface = make_interface(env, None, ["heat", "noise"], ["go", "stay"])
    assert interface.feature_names == ("heat", "noise")
    for wrong in (["heat"], ["heat", "heat"], "ab", ["", "b"]):
        with pytest.raises(ConfigError, match="feature_names must be"):
            make_interface(env, None, wrong, None)


class Cells(gymnasium.Env):
    """Show one of a few views of cells; each is left at once."""

    observation_space = spaces.Box(0, 255, (2, 2), np.uint8)
    action_space = spaces.Discrete(2)

    def __init__(self, views):
        self.views = views

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.full((2, 2), self.np_random.integers(self.views), np.uint8), {}

    def step(self, action):
        return self.reset()[0], float(action), False, True, {}


@pytest.mark.parametrize(("views", "rests"), [(5, True), (250, False)])
def test_the_genetic_algorithm_rests_where_views_come_again(views, rests):
    agent = XCSAgent(Cells(views), replay_capacity=100).learn(300, keep="last")
    assert (agent.engine.config.ga_threshold > 10**6) == rests
    assert (agent.engine.config.cover_spread < 0.01) == rests
