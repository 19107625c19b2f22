"""Train a deep Q-network on the problems of XCS: Stable-Baselines3's DQN, unchanged.

It is vanilla DQN [Mnih2015]: uniform replay and a target network, neither double nor
dueling, with the Huber loss and Adam. The problem's random stream is the one that a
compiled run of XCS with the same seed has, so that runs can be compared in pairs. One seed
gives one result on one machine; the network's arithmetic may round differently on another.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from ruleplay.config.dqn import DQNConfig
from ruleplay.engine.inputs import checked_integer
from ruleplay.engine.recorder import MEASURES, allocate_recorder
from ruleplay.engine.run_record import Episodes, RunRecord
from ruleplay.engine.xcs import Progress
from ruleplay.envs import CompiledEnv, Problem, make_problem
from ruleplay.errors import ConfigError
from ruleplay.evaluation import Episode, play_episodes, seed_first

try:
    import torch
    from stable_baselines3 import DQN
    from stable_baselines3.common.vec_env import DummyVecEnv
    from stable_baselines3.dqn.policies import DQNPolicy
except ImportError as error:
    raise ImportError("DQN needs further packages: pip install 'ruleplay[dqn]'") from error

Vector = NDArray[np.float64]
State = NDArray[np.float32]
Info = dict[str, Any]


def train_dqn(
    problem_name: str,
    problem_options: Mapping[str, Any],
    config: DQNConfig,
    steps: int,
    seed: int,
    on_progress: Progress | None = None,
    *,
    curve_points: int = 200,
    test: tuple[int, int] | None = None,
) -> tuple[RunRecord, Episodes | None]:
    """Learn on a multi-step problem for a number of steps; return the record of the run.

    `test` asks for a number of greedy episodes at the end, with a seed. What only a population
    of rules has is NaN in the record. Stable-Baselines3 draws from the global generators, which
    are restored afterwards: train in processes, not in threads.
    """
    steps = checked_integer("steps", steps, 1)
    seed = checked_integer("seed", seed, 0, 2**63 - 1)
    curve_points = checked_integer("curve_points", curve_points, 1)
    problem = make_problem(problem_name, **problem_options)
    if problem.single_step:
        raise ConfigError(f"DQN needs a multi-step problem, {problem_name!r} is single-step")
    game = RecordedGame(problem, steps, scale=config.scale_observations)
    with _own_random_numbers(), one_thread():
        model = build_model(game, config, seed)
        never = steps + 1  # episodes
        model.learn(steps, callback=_watch(game, steps, on_progress), log_interval=never)
        fresh = make_problem(problem_name, **problem_options)
        tested = None if test is None else play_greedily(model, fresh, config, *test)
    return game.record(curve_points), tested


def play_greedily(
    model: DQN, problem: Problem, config: DQNConfig, episodes: int, seed: int
) -> Episodes:
    """Play whole episodes by a trained model's best actions."""
    game = RecordedGame(problem, episodes * problem.time_limit, scale=config.scale_observations)

    def choose(episode: Episode) -> np.int64:
        return np.int64(model.predict(episode.observation, deterministic=True)[0])

    list(play_episodes(game, choose, seed_first(seed, episodes), problem.time_limit))
    record = game.record(1)
    return Episodes(record.episode_returns, record.episode_lengths)


class RecordedGame(gymnasium.Env[State, np.int64]):
    """A problem with its time limit, seen through the scaling of XCS, and what happened in it."""

    def __init__(self, problem: Problem, steps: int, *, scale: bool) -> None:
        self.problem = problem
        self.played = 0
        self._env = CompiledEnv(problem)
        self._rewards = np.zeros(steps)
        self._ends = [0]  # steps played when each episode was over, after a leading 0
        self._scale = scale
        self._inverse_range = 1.0 / (problem.high - problem.low)
        self.action_space = self._env.action_space
        low, high = (0.0, 1.0) if scale else (-np.inf, np.inf)
        self.observation_space = Box(low, high, (problem.n_features,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[State, Info]:
        """Begin an episode."""
        observation, info = self._env.reset(seed=seed, options=options)
        return self._view(observation), info

    def step(self, action: np.int64) -> tuple[State, float, bool, bool, Info]:
        """Answer an action, note its reward, and end the episode at the time limit."""
        observation, reward, terminated, _, info = self._env.step(action)
        self._rewards[self.played] = reward
        self.played += 1
        truncated = not terminated and self.played - self._ends[-1] == self.problem.time_limit
        if terminated or truncated:
            self._ends.append(self.played)
        return self._view(observation), float(reward), terminated, truncated, info

    def record(self, curve_points: int) -> RunRecord:
        """Sum up what was played, as compiled runs do."""
        recorder = allocate_recorder(self.played, curve_points, episodic=True)
        counters, rewards = recorder.counters, self._rewards[: self.played]
        starts = np.arange(0, self.played, counters["window"])
        recorder.curve[:] = np.nan
        recorder.curve[:, MEASURES.index("reward")] = np.add.reduceat(rewards, starts)
        recorder.curve[:, MEASURES.index("steps")] = np.diff(starts, append=self.played)
        lengths = np.diff(self._ends)
        for episode, (first, end) in enumerate(zip(self._ends, self._ends[1:], strict=False)):
            recorder.returns[episode] = rewards[first:end].sum()
        recorder.lengths[: len(lengths)] = lengths
        counters["episodes"] = len(lengths)
        paid = np.flatnonzero(rewards > 0.0)
        counters["first_reward_step"] = paid[0] + 1 if len(paid) else 0
        return RunRecord.of(recorder, self.problem.n_features)

    def _view(self, observation: Vector) -> State:
        if self._scale:
            observation = (observation - self.problem.low) * self._inverse_range
            observation = np.minimum(np.maximum(observation, 0.0), 1.0)
        return observation.astype(np.float32)


class ModelessPolicy(DQNPolicy):  # type: ignore[misc, unused-ignore]
    """DQN's policy without modes of training and evaluation.

    Linear and rectified linear layers are the same in both, and telling each of them at
    every step which mode it is in takes a tenth of the time.
    """

    def set_training_mode(self, mode: bool) -> None:
        """Do nothing."""


def build_model(game: gymnasium.Env[Any, Any], config: DQNConfig, seed: int) -> DQN:
    """Return an untrained model in its game, each with random numbers of its own."""
    agent_seed = np.random.SeedSequence(seed).spawn(2)[1].generate_state(1)[0]
    environment = DummyVecEnv([lambda: game])
    model = DQN(
        ModelessPolicy,
        environment,
        learning_rate=config.learning_rate,
        buffer_size=config.capacity,
        learning_starts=config.warmup,
        batch_size=config.batch_size,
        gamma=config.discount,
        train_freq=config.train_interval,
        gradient_steps=config.gradient_steps,
        replay_buffer_kwargs={"handle_timeout_termination": config.bootstrap_on_truncation},
        target_update_interval=config.target_interval,
        exploration_fraction=config.epsilon_fraction,
        exploration_initial_eps=config.epsilon_start,
        exploration_final_eps=config.epsilon_end,
        max_grad_norm=config.max_gradient_norm,
        policy_kwargs={
            "net_arch": [config.hidden_units] * config.hidden_layers,
            "optimizer_kwargs": {"fused": True},  # the same update in one call
        },
        seed=int(agent_seed),
        device="cpu",
    )
    environment.seed(seed)  # the model has handed down its own
    return model


def _watch(
    game: RecordedGame, steps: int, on_progress: Progress | None
) -> Callable[[Info, Info], bool]:
    """Return the callback that reports progress and ends the run after exactly its steps.

    Left alone, a run ends with a round of training, which may be some steps later.
    """
    chunk = max(1, steps // 100)

    def go_on(local: Info, world: Info) -> bool:
        if on_progress and (game.played % chunk == 0 or game.played == steps):
            on_progress(game.played, steps)
        return game.played < steps

    return go_on


@contextmanager
def _own_random_numbers() -> Iterator[None]:
    """Give the global generators back as they were."""
    python, numpy = random.getstate(), np.random.get_state()
    try:
        with torch.random.fork_rng(devices=[]):
            yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch use one thread: small networks gain nothing from more, and repeat exactly."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
