"""Learn by playing in environments: the only loops over Gymnasium's interface that teach.

Whoever plays is an actor: a function with the arguments of `XCS.step` that takes in what the
last action led to and returns the next action (-1 at an episode's end). The engine's own
`step` is one, so there is no second implementation of learning.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_payoff
from ruleplay.errors import ConfigError
from ruleplay.evaluation import Env, Envs

Vector = NDArray[np.float64]
Actor = Callable[[Vector, float, bool, bool], int]  # observation, reward, terminated, truncated


class Score:
    """Count steps and add up episodes, for each of the environments that run side by side."""

    def __init__(self) -> None:
        self.steps = 0
        self.returns: list[float] = []
        self.lengths: list[int] = []
        self.begin(1)

    def begin(self, environments: int) -> None:
        """Begin episodes in so many environments; unfinished ones are left out of account."""
        self._return = [0.0] * environments
        self._length = [0] * environments

    def note(self, reward: float, ended: bool, environment: int = 0) -> None:
        """Take in the outcome of one step."""
        self.steps += 1
        self._return[environment] += reward
        self._length[environment] += 1
        if ended:
            self.returns.append(self._return[environment])
            self.lengths.append(self._length[environment])
            self._return[environment], self._length[environment] = 0.0, 0


class World(NamedTuple):
    """An environment, or several side by side, and how to speak with it."""

    env: Env | Envs
    encode: Callable[[Any], Vector]
    first_action: int

    @property
    def size(self) -> int:
        """Return how many environments run side by side."""
        return int(self.env.num_envs) if isinstance(self.env, VectorEnv) else 1


def play(
    world: World,
    actors: Sequence[Actor],
    score: Score,
    go_on: Callable[[], bool],
    seed: int | None = None,
) -> None:
    """Play new episodes, an actor in each environment, as long as `go_on` says so."""
    score.begin(world.size)
    if isinstance(world.env, VectorEnv):
        _play_several(world, actors, score, go_on, seed)
    else:
        _play_one(world, actors[0], score, go_on, seed)


def _play_one(
    world: World, actor: Actor, score: Score, go_on: Callable[[], bool], seed: int | None
) -> None:
    env, encode, first_action = world
    action = actor(encode(env.reset(seed=seed)[0]), 0.0, False, False)
    while True:
        observation, given, terminated, truncated, _ = env.step(first_action + action)
        reward = checked_payoff("reward of the environment", given)
        action = actor(encode(observation), reward, terminated, truncated)
        ended = bool(terminated or truncated)
        score.note(reward, ended)
        if not go_on():
            return
        if ended:
            action = actor(encode(env.reset()[0]), 0.0, False, False)


def _play_several(
    world: World,
    actors: Sequence[Actor],
    score: Score,
    go_on: Callable[[], bool],
    seed: int | None,
) -> None:
    """Let all environments make a step at a time; they reset themselves (see `_is_same_step`)."""
    encode, first_action = world.encode, world.first_action
    envs: Any = world.env
    same_step = _is_same_step(envs)
    seen = envs.reset(seed=seed)[0]
    actions = np.array([act(encode(seen[i]), 0.0, False, False) for i, act in enumerate(actors)])
    while True:
        resetting = actions < 0
        chosen = first_action + np.maximum(actions, 0)
        seen, rewards, terminated, truncated, infos = envs.step(chosen)
        for i, actor in enumerate(actors):
            if not resetting[i]:
                ended = bool(terminated[i] or truncated[i])
                last = infos["final_obs"][i] if ended and same_step else seen[i]
                reward = checked_payoff("reward of the environment", rewards[i])
                actions[i] = actor(encode(last), reward, bool(terminated[i]), bool(truncated[i]))
                score.note(reward, ended, i)
            if resetting[i] or (same_step and actions[i] < 0):
                actions[i] = actor(encode(seen[i]), 0.0, False, False)
        if not go_on():
            return


def _is_same_step(envs: Any) -> bool:
    """Tell whether environments reset themselves in an episode's last step or in the next.

    In the last, the observation is the next episode's first and the final one lies in the
    infos; in the next, that step's action and reward mean nothing.
    """
    mode = envs.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
    if mode not in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        raise ConfigError(f"autoreset_mode must be NEXT_STEP or SAME_STEP, got {mode}")
    return bool(mode == AutoresetMode.SAME_STEP)


class Experience(NamedTuple):
    """What happened in one step."""

    observation: Vector
    action: int
    reward: float
    next_observation: Vector
    terminated: bool
    truncated: bool

    def is_final(self, bootstraps: bool) -> bool:
        """Tell whether nothing comes after; a time limit may count as an end or not."""
        return self.terminated or (self.truncated and not bootstraps)


def teach(engine: XCS, experience: Experience) -> None:
    """Let an engine learn from an experience that need not be its own."""
    final = experience.is_final(engine.config.bootstrap_on_truncation)
    following = None if final else experience.next_observation
    engine.learn(experience.observation, experience.action, experience.reward, following)


class Witness:
    """An actor that lets `choose` choose, and hands on each experience when it is complete."""

    def __init__(
        self, choose: Callable[[Vector], int], hand_on: Callable[[Experience], None]
    ) -> None:
        self._choose = choose
        self._hand_on = hand_on
        self._before: tuple[Vector, int] | None = None

    def __call__(
        self, observation: Vector, reward: float, terminated: bool, truncated: bool
    ) -> int:
        """Complete the last experience and choose an action."""
        seen = observation.copy()  # environments may reuse their arrays
        if self._before is not None:
            self._hand_on(Experience(*self._before, reward, seen, terminated, truncated))
        if terminated or truncated:
            self._before = None
            return -1
        action = self._choose(seen)
        self._before = seen, action
        return action


def check_sharing(config: XCSConfig, replay: ReplayConfig | None) -> None:
    """Refuse what needs the steps of one environment, one after another."""
    off = {
        "exploration_persistence (L)": (config.exploration_persistence, 1.0),
        "count_bonus": (config.count_bonus, 0.0),
        "replay_return_steps (n)": (replay.return_steps if replay else 1, 1),
    }
    for name, (value, usual) in off.items():
        if value != usual:
            raise ConfigError(
                f"{name} must be {usual:g} for several environments at once, got {value:g}"
            )


def sharing_actors(
    engine: XCS, world: World, epsilon: Callable[[], float], random: Any
) -> list[Actor]:
    """Return an actor for each environment; all learn and choose by one engine."""
    check_sharing(engine.config, engine.replay)

    def choose(seen: Vector) -> int:
        return engine.act(seen, explore=bool(random.random() < epsilon()))

    return [Witness(choose, lambda one: teach(engine, one)) for _ in range(world.size)]


def counting(actor: Actor, tally: NDArray[np.int64]) -> Actor:
    """Return the same actor, whose actions are counted."""

    def act(observation: Vector, reward: float, terminated: bool, truncated: bool) -> int:
        action = actor(observation, reward, terminated, truncated)
        if action >= 0:
            tally[action] += 1
        return action

    return act
