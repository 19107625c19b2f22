"""A whole compiled run follows the oracle, which meets the same problem step by step."""

from dataclasses import dataclass, field

import gymnasium
import numpy as np
import pytest

import ruleplay.envs  # noqa: F401  registers the Gymnasium environments
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.core.basics.rng import spawn_states
from ruleplay.engine import XCS
from ruleplay.envs import make_problem
from ruleplay.envs.dynamics import reset_problem, step_problem

from .oracle import Oracle, largest
from .test_engine_equals_oracle import assert_same_rules

SEED = 21
REPLAY = ReplayConfig(capacity=300, batch_size=4, warmup=50)
NEWEST = ReplayConfig(capacity=64, batch_size=3, warmup=10, include_newest=True, ga_clock="replay")
REPLAYS = {"online": None, "replay": REPLAY}
# Three replay settings run on the same two compiled loops.
ALL_REPLAYS = {**REPLAYS, "newest-clock-per-replay": NEWEST}


@dataclass
class Diary:
    """What the test itself sees of a run."""

    reward: list = field(default_factory=list)
    system_error: list = field(default_factory=list)
    macroclassifiers: list = field(default_factory=list)
    microclassifiers: list = field(default_factory=list)
    generality_volume: list = field(default_factory=list)
    returns: list = field(default_factory=list)
    lengths: list = field(default_factory=list)

    def note(self, oracle, reward, error):
        rules = oracle.rules
        self.reward.append(reward)
        self.system_error.append(error)
        self.macroclassifiers.append(len(rules))
        self.microclassifiers.append(oracle.population.micro)
        self.generality_volume.append(sum(r.condition.volume() for r in rules) / len(rules))


class World:
    """A compiled problem, called from Python with the run's random stream."""

    def __init__(self, problem, seed):
        self.dynamics = problem.dynamics
        self.observation = np.zeros(problem.n_features)
        self.rng = spawn_states(seed, 3)[0]

    def reset(self):
        reset_problem(self.dynamics, self.observation, self.rng)
        return self.observation.copy()

    def step(self, action):
        reward, terminated = step_problem(self.dynamics, action, self.observation, self.rng)
        return self.observation.copy(), reward, terminated


def make_pair(problem, config, replay, steps):
    space = {"n_actions": problem.n_actions, "low": problem.low, "high": problem.high}
    engine = XCS(config, replay, seed=SEED, **space)
    return engine, Oracle(config, replay, seed=SEED, horizon=steps, **space)


def assert_same_curve(record, diary, points):
    """Compare the recorded means with sums made here, in the same order."""
    size = -(-len(diary.reward) // points)
    starts = range(0, len(diary.reward), size)
    for name in ("reward", "system_error", "macroclassifiers", "microclassifiers"):
        windows = [getattr(diary, name)[start : start + size] for start in starts]
        means = [add_up(window) / len(window) for window in windows]
        assert record.curve[name].tolist() == means, name
    windows = [diary.generality_volume[start : start + size] for start in starts]
    means = [float(np.mean(window)) for window in windows]
    # The engine keeps a running sum of volumes, which rounds differently.
    assert record.curve["generality_volume"] == pytest.approx(means, rel=1e-9)
    ends = [min(start + size, len(diary.reward)) for start in starts]
    assert record.curve["step"].tolist() == ends
    assert record.episode_returns.tolist() == diary.returns
    assert record.episode_lengths.tolist() == diary.lengths
    paid = [t for t, reward in enumerate(diary.reward, start=1) if reward > 0.0]
    assert record.first_reward_step == (paid[0] if paid else None)


def add_up(numbers):
    """Add from left to right; `sum` rounds more cleverly since Python 3.12."""
    total = 0.0
    for number in numbers:
        total += number
    return total


# --- single-step problems -------------------------------------------------------------------


def answer(oracle, world, explore):
    x = world.reset()
    action = oracle.act(x, explore)
    _, reward, _ = world.step(action)
    return x, action, reward, abs(oracle.prediction_array[action] - reward)


def follow_alternating(oracle, world, steps):
    diary = Diary()
    for _ in range(steps):
        x, action, reward, _ = answer(oracle, world, explore=True)
        oracle.learn_single(x, action, reward)
        x, action, reward, error = answer(oracle, world, explore=False)
        oracle.follow_exploit(x, action, reward)
        diary.note(oracle, reward, error)
    return diary


def follow_epsilon_greedy(oracle, world, steps):
    diary = Diary()
    for _ in range(steps):
        x = world.reset()
        action = oracle._act_epsilon_greedily(oracle._scale(x))
        _, reward, _ = world.step(action)
        diary.note(oracle, reward, abs(oracle.prediction_array[action] - reward))
        oracle.learn_single(x, action, reward)
    return diary


SMALL = {"population_size": 120, "ga_threshold": 8, "cover_spread": 0.6}


@pytest.mark.parametrize("replay", ALL_REPLAYS.values(), ids=ALL_REPLAYS)
def test_an_alternating_run_equals_the_oracle(replay):
    config = XCSConfig(**SMALL)
    engine, oracle = make_pair(make_problem("rmp3"), config, replay, 600)
    record = engine.run(make_problem("rmp3"), 600, curve_points=7)
    diary = follow_alternating(oracle, World(make_problem("rmp3"), SEED), 600)
    assert_same_rules(engine, oracle)
    assert_same_curve(record, diary, points=7)
    assert_same_memory(engine, oracle)
    engine.check()
    assert engine.microclassifiers == 120  # deletion has been at work


def test_an_epsilon_greedy_run_equals_the_oracle():
    config = XCSConfig(**SMALL, exploration="epsilon_greedy", epsilon_fraction=0.5)
    engine, oracle = make_pair(make_problem("rmp3"), config, None, 600)
    record = engine.run(make_problem("rmp3"), 600, curve_points=600)
    diary = follow_epsilon_greedy(oracle, World(make_problem("rmp3"), SEED), 600)
    assert_same_rules(engine, oracle)
    assert_same_curve(record, diary, points=600)
    engine.check()


def assert_same_memory(engine, oracle):
    if oracle.memory is None:
        return
    slots = oracle.memory.slots
    size = len(slots)
    states, actions, rewards, next_states, terminal, rng = engine.state.memory[:6]
    assert engine.state.arrays.state["stored"][0] == oracle.memory.stored
    assert states[:size].tolist() == [slot.state for slot in slots]
    assert actions[:size].tolist() == [slot.action for slot in slots]
    assert rewards[:size].tolist() == [slot.reward for slot in slots]
    assert terminal[:size].tolist() == [int(slot.terminal) for slot in slots]
    for slot, written in zip(slots, next_states[:size].tolist(), strict=True):
        assert slot.terminal or slot.next_state == written
    assert rng.tolist() == [int(word) for word in oracle.replay_random.words]


# --- multi-step problems --------------------------------------------------------------------


def expected_value(oracle, observation, ends, terminal):
    """Return what the next state is worth: nothing, a look without covering, or max PA."""
    if terminal:
        return 0.0
    if ends:
        return oracle._value(oracle._scale(observation))
    return largest(oracle.prediction_array)


def follow_episodes(oracle, world, steps, limit):
    diary, gamma = Diary(), oracle.config.discount
    episode, action = [], None
    for _ in range(steps):
        if oracle.previous is None:
            action = oracle.step(world.reset())
        believed = oracle.prediction_array[action]
        observation, reward, terminated = world.step(action)
        episode.append(reward)
        truncated = len(episode) >= limit and not terminated
        ends = terminated or truncated
        terminal = terminated or (truncated and not oracle.config.bootstrap_on_truncation)
        if ends:  # looked at before learning changes the rules
            value = expected_value(oracle, observation, ends, terminal)
        action = oracle.step(observation, reward, terminated, truncated)
        if not ends:
            value = expected_value(oracle, observation, ends, terminal)
        diary.note(oracle, reward, abs(reward + gamma * value - believed))
        if ends:
            diary.returns.append(add_up(episode))
            diary.lengths.append(len(episode))
            episode = []
    return diary


CHAIN = {
    "population_size": 100,
    "exploration": "epsilon_greedy",
    "epsilon_fraction": 0.5,
    "ga_threshold": 10,
    "error_threshold": 0.1,
    "cover_spread": 0.3,
    "early_averaging": False,
    "update_order": "error_first",
}
CAR = {
    **CHAIN,
    "population_size": 200,
    "initial_prediction": 5.0,
    "prediction": "linear",
    "rls_initial_gain": 50.0,
}


def chain():
    return make_problem("chain", n=5, slip=0.1, time_limit=30)


def car():
    return make_problem("mountaincar", time_limit=150, teletransport=True)


@pytest.mark.parametrize("replay", ALL_REPLAYS.values(), ids=ALL_REPLAYS)
@pytest.mark.parametrize("bootstrap", [True, False], ids=["bootstrap", "literal"])
def test_a_run_over_the_chain_equals_the_oracle(bootstrap, replay):
    config = XCSConfig(**CHAIN, bootstrap_on_truncation=bootstrap)
    engine, oracle = make_pair(chain(), config, replay, 600)
    record = engine.run(chain(), 600, curve_points=11)
    diary = follow_episodes(oracle, World(chain(), SEED), 600, limit=30)
    assert_same_rules(engine, oracle)
    assert_same_curve(record, diary, points=11)
    assert_same_memory(engine, oracle)
    assert len(diary.returns) == 20
    engine.check()


@pytest.mark.parametrize("replay", REPLAYS.values(), ids=REPLAYS)
def test_a_run_over_mountaincar_with_linear_predictions_equals_the_oracle(replay):
    engine, oracle = make_pair(car(), XCSConfig(**CAR), replay, 600)
    record = engine.run(car(), 600, curve_points=11)
    diary = follow_episodes(oracle, World(car(), SEED), 600, limit=150)
    assert_same_rules(engine, oracle)
    assert_same_curve(record, diary, points=11)
    assert_same_memory(engine, oracle)
    assert engine.microclassifiers == 200
    assert max(diary.reward) == 1000.0  # the goal has been reached, and an episode terminated
    engine.check()


# --- the same step over Gymnasium -----------------------------------------------------------


@pytest.mark.parametrize("replay", REPLAYS.values(), ids=REPLAYS)
def test_stepping_through_gymnasium_equals_the_compiled_run(replay):
    config, steps = XCSConfig(**CHAIN), 500
    problem = make_problem("chain", n=5, time_limit=40)
    space = {"n_actions": problem.n_actions, "low": problem.low, "high": problem.high}
    compiled = XCS(config, replay, seed=SEED, horizon=steps, **space)
    record = compiled.run(problem, steps)

    stepped = XCS(config, replay, seed=SEED, horizon=steps, **space)
    env = gymnasium.make("ruleplay/Chain-v0", n=5, max_episode_steps=40)
    observation, _ = env.reset(seed=SEED)
    action, total, returns = stepped.step(observation), 0.0, []
    for t in range(steps):
        observation, reward, terminated, truncated, _ = env.step(action)
        total += reward
        action = stepped.step(observation, reward, terminated, truncated)
        if terminated or truncated:
            returns.append(total)
            total = 0.0
            if t + 1 < steps:  # a run does not begin an episode that it will not play
                action = stepped.step(env.reset()[0])
    assert record.episode_returns.tolist() == returns
    ours, theirs = stepped.export(), compiled.export()
    for name in theirs:
        assert ours[name].tobytes() == theirs[name].tobytes(), name
    assert stepped.state.arrays.rng.tolist() == compiled.state.arrays.rng.tolist()
    assert stepped.learning_steps == compiled.learning_steps == steps
