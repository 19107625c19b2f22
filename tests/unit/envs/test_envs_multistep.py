"""Chain, CartPole and MountainCar: dynamics, rewards, and where episodes begin."""

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest

from ruleplay.core.basics.rng import spawn_states
from ruleplay.envs import make_problem, reset_problem, step_problem
from ruleplay.envs.cartpole import ANGLE_LIMIT
from ruleplay.envs.chain import BACK, FORWARD

pytestmark = pytest.mark.interpreted


class Play:
    """A problem together with its observation and its stream of random numbers."""

    def __init__(self, name, seed=0, **options):
        self.problem = make_problem(name, **options)
        self.rng = spawn_states(seed, 3)[0]
        self.observation = np.zeros(self.problem.n_features)

    def reset(self, state=None):
        reset_problem(self.problem.dynamics, self.observation, self.rng)
        if state is not None:
            self.problem.dynamics.state[:] = state
        return self.observation.copy()

    def step(self, action):
        return step_problem(self.problem.dynamics, action, self.observation, self.rng)

    def starts(self, count):
        return np.array([self.reset() for _ in range(count)])


# --- chain ---------------------------------------------------------------------------------


def test_fifteen_forwards_reach_the_end_of_the_chain():
    chain = Play("chain")
    assert chain.reset() == 0.0
    for k in range(15):
        assert chain.observation[0] == k / 15
        assert chain.step(FORWARD) == (0.0, False)
    assert chain.observation[0] == 1.0
    assert chain.step(FORWARD) == (1.0, False)
    assert chain.observation[0] == 1.0


def test_going_back_returns_to_the_start_and_pays_little():
    chain = Play("chain", small=0.004)
    chain.reset(state=14)
    assert chain.step(BACK) == (0.004, False)
    assert chain.observation[0] == 0.0


@pytest.mark.parametrize("n", [2, 16, 100])
def test_the_greedy_return_is_the_largest(n):
    chain = Play("chain", n=n)
    chain.reset()
    returned = sum(chain.step(FORWARD)[0] for _ in range(chain.problem.time_limit))
    assert returned == chain.problem.largest_return == 200 - (n - 1)


def test_sixteen_chain_returns_185_of_200():
    assert make_problem("chain").largest_return == 185.0
    assert make_problem("chain", teletransport=True).largest_return == 200.0
    assert make_problem("chain", n=300).largest_return == 0.0
    assert make_problem("chain", n=300, small=0.5).largest_return == 100.0


@settings(max_examples=30, deadline=None)
@given(
    st.integers(2, 5),
    st.integers(1, 7),
    st.sampled_from([0.0, 0.25, 1.0, 2.0]),
    st.booleans(),
)
def test_no_policy_beats_the_largest_return(n, steps, small, teletransport):
    problem = make_problem("chain", n=n, small=small, time_limit=steps, teletransport=teletransport)
    value = [0.0] * n
    for _ in range(steps):
        ahead = [*value[1:], 1.0 + value[-1]]
        value = [max(go, small + value[0]) for go in ahead]
    assert problem.largest_return == (max(value) if teletransport else value[0])


@pytest.mark.parametrize("action", [FORWARD, BACK])
@pytest.mark.parametrize("slip", [0.0, 0.2, 1.0])
def test_actions_slip_as_often_as_asked(slip, action):
    chain = Play("chain", n=1000, slip=slip)
    slipped = 0
    chain.reset()
    for _ in range(10_000):
        chain.problem.dynamics.state[0] = 500
        chain.step(action)
        went_on = chain.problem.dynamics.state[0] == 501
        slipped += went_on != (action == FORWARD)
    # binomial with 10 000 draws: standard deviation 40 at slip 0.2
    assert slipped == pytest.approx(10_000 * slip, abs=160 if slip == 0.2 else 0)


# --- the classic control problems against Gymnasium's ---------------------------------------


def assert_same_trajectories(play, env, n_actions, steps=5000):
    """Drive both with random actions from the same starts, comparing state and end.

    The last bit may differ where NumPy computes sine and cosine in another way than the C
    library; over an episode that stays far below the tolerance.
    """
    random = np.random.default_rng(1)
    done, rewards = True, []
    for _ in range(steps):
        if done:
            play.reset()
            env.reset()
            env.unwrapped.state = play.observation.copy()
        action = int(random.integers(n_actions))
        *_, done, truncated, _ = env.step(action)
        reward, terminated = play.step(action)
        rewards.append((reward, done))
        np.testing.assert_allclose(play.observation, env.unwrapped.state, rtol=0, atol=1e-9)
        assert terminated == done
        done = done or truncated
    return rewards


@pytest.mark.parametrize("teletransport", [False, True])
def test_cartpole_moves_as_in_gymnasium(teletransport):
    play = Play("cartpole", teletransport=teletransport)
    rewards = assert_same_trajectories(play, gymnasium.make("CartPole-v1"), 2)
    assert set(rewards) == {(1.0, False), (0.0, True)}


@pytest.mark.parametrize("teletransport", [False, True])
def test_mountaincar_moves_as_in_gymnasium(teletransport):
    play = Play("mountaincar", teletransport=teletransport)
    rewards = assert_same_trajectories(play, gymnasium.make("MountainCar-v0"), 3)
    assert set(rewards) == ({(0.0, False), (1000.0, True)} if teletransport else {(0.0, False)})


def test_acrobot_moves_as_in_gymnasium():
    play, env = Play("acrobot"), gymnasium.make("Acrobot-v1").unwrapped
    random, ends = np.random.default_rng(3), 0
    for _ in range(20):
        play.reset()
        env.reset()
        env.state = play.problem.dynamics.state.copy()
        terminated, length, energetic = False, 0, bool(random.integers(2))
        while not terminated and length < 300:
            spin = play.problem.dynamics.state[3]
            action = 2 * int(spin > 0) if energetic else int(random.integers(3))
            seen, reward, done, _, _ = env.step(action)
            assert (reward, done) == play.step(action)
            terminated, length = done, length + 1
            np.testing.assert_allclose(play.observation, seen, rtol=0, atol=1e-6)
            env.state = play.problem.dynamics.state.copy()  # errors must not add up in chaos
        ends += terminated
    assert ends > 3


@pytest.mark.parametrize(
    ("name", "options", "discount", "value"),
    [
        ("chain", {}, 0.9, 10.0),
        ("chain", {}, 0.999, 185.0),
        ("chain", {}, 1.0, 185.0),
        ("cartpole", {}, 0.99, 100.0),
        ("mountaincar", {}, 0.99, 1000.0),
        ("mountaincar", {"reward": "standard"}, 0.99, -1.0),
        ("acrobot", {}, 0.99, 0.0),
    ],
)
def test_no_state_is_worth_more_than_the_largest_value(name, options, discount, value):
    assert make_problem(name, **options).largest_value(discount) == pytest.approx(value)


def test_a_balancing_rule_earns_the_largest_return():
    play = Play("cartpole")
    _, _, angle, spin = play.reset()
    total = 0.0
    for _ in range(200):
        reward, fallen = play.step(int(spin > 0.2 or (abs(spin) <= 0.2 and angle > 0)))
        assert not fallen
        total += reward
        _, _, angle, spin = play.observation
    assert total == play.problem.largest_return == 200.0


def test_pushing_along_the_velocity_reaches_the_goal():
    play = Play("mountaincar", reward="standard")
    play.reset()
    rewards, arrived = [], False
    while not arrived and len(rewards) < 200:
        reward, arrived = play.step(2 if play.observation[1] >= 0 else 0)
        rewards.append(reward)
    assert 100 < len(rewards) < 150
    assert set(rewards) == {-1.0}


def test_standard_cartpole_pays_for_the_falling_step():
    for reward, expected in (("paper", 0.0), ("standard", 1.0)):
        play = Play("cartpole", reward=reward)
        play.reset(state=[2.39, 3.0, 0.0, 0.0])
        assert play.step(1) == (expected, True)


@pytest.mark.parametrize(
    ("name", "options", "threshold"),
    [
        ("chain", {}, 1.0),
        ("cartpole", {}, 70.0),
        ("mountaincar", {}, 200.0),
        ("mountaincar", {"reward": "standard"}, None),
    ],
)
def test_divergence_thresholds_are_the_papers(name, options, threshold):
    assert make_problem(name, **options).divergence_threshold == threshold


def test_time_limits_are_the_papers():
    limits = {name: make_problem(name).time_limit for name in ("chain", "cartpole", "mountaincar")}
    assert limits == {"chain": 200, "cartpole": 200, "mountaincar": 500}


def test_cartpole_is_scaled_by_the_bounds_asked_for():
    problem = make_problem("cartpole", velocity_bound=2, angular_velocity_bound=2.5)
    np.testing.assert_array_equal(problem.high, [2.4, 2.0, ANGLE_LIMIT, 2.5])
    np.testing.assert_array_equal(problem.low, -problem.high)


# --- where episodes begin -------------------------------------------------------------------


def uniformity(values, low, high):
    assert values.min() >= low
    assert values.max() < high
    return kstest(values, "uniform", args=(low, high - low)).pvalue


def test_cartpole_begins_upright_or_anywhere():
    starts = Play("cartpole").starts(1000)
    assert all(uniformity(column, -0.05, 0.05) > 0.01 for column in starts.T)
    anywhere = Play("cartpole", teletransport=True)
    for column, high in zip(anywhere.starts(3000).T, anywhere.problem.high, strict=True):
        assert uniformity(column, -high, high) > 0.01


def test_mountaincar_begins_in_the_valley_or_anywhere():
    starts = Play("mountaincar").starts(1000)
    assert uniformity(starts[:, 0], -0.6, -0.4) > 0.01
    assert not starts[:, 1].any()
    starts = Play("mountaincar", teletransport=True).starts(3000)
    assert uniformity(starts[:, 0], -1.2, 0.5) > 0.01
    assert uniformity(starts[:, 1], -0.07, 0.07) > 0.01
    assert abs(np.corrcoef(starts.T)[0, 1]) < 0.06


def test_the_chain_begins_at_its_start_or_anywhere():
    assert not Play("chain").starts(1000).any()
    states = np.rint(Play("chain", teletransport=True).starts(3200) * 15).astype(int)
    counts = np.bincount(states.ravel(), minlength=16)
    assert len(counts) == 16
    assert chisquare(counts).pvalue > 0.01


@pytest.mark.parametrize("name", ["chain", "cartpole", "mountaincar"])
def test_teletransportation_draws_as_many_numbers_as_the_usual_start(name):
    usual, anywhere = Play(name), Play(name, teletransport=True)
    usual.starts(5)
    anywhere.starts(5)
    np.testing.assert_array_equal(usual.rng, anywhere.rng)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(0, 2**32),
    st.floats(0.01, 100.0),
    st.floats(0.01, 100.0),
    st.lists(st.integers(0, 1), min_size=1, max_size=100),
)
def test_cartpole_never_leaves_its_margin(seed, fastest, spin, actions):
    play = Play(
        "cartpole",
        seed,
        velocity_bound=fastest,
        angular_velocity_bound=spin,
        teletransport=True,
    )
    play.reset()
    for action in actions:
        _, fallen = play.step(action)
        assert (abs(play.observation) <= play.problem.high + play.problem.margin).all()
        if fallen:
            break
