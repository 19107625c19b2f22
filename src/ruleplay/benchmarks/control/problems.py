"""Say which control problems there are, and how long they are learned.

The problems come from the package registry; each is made by `gymnasium.make`. Steps are those that
published settings have, or fewer; nobody gets more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import gymnasium

from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError
from ruleplay.evaluation import Env, Episode

EPISODES = 100  # of a test
CHECK_EPISODES = 10  # of a checkpoint
CHECKPOINTS = 20
FIRST_TEST, FIRST_CHECK, SEEDS_OF_RUN = 1_000_000, 5_000_000, 1000

ZOO = "RL Baselines3 Zoo, benchmark.md"


@dataclass(frozen=True, kw_only=True)
class Problem:
    """An environment, how long it is learned, and how an episode is scored."""

    name: str
    env: str = ""  # Gymnasium's name, if it is another one
    package: str = "gymnasium"  # that registers it
    options: Mapping[str, Any] = field(default_factory=dict)
    steps: int  # to learn from
    time_limit: int | None = None  # of an episode; None: the environment's own
    by_length: bool = False  # whether an episode scores minus its length, not its return
    exact: str = ""  # how the optimum is computed, if it can be
    best: float | None = None  # published, if the optimum is unknown
    source: str = ""  # of the best score
    threshold: float | None = None  # at which the problem counts as solved

    def make(self) -> Env:
        """Make the environment, with its time limit."""
        register(self.package)
        env: Env = gymnasium.make(
            self.env or self.name,
            max_episode_steps=self.time_limit,
            disable_env_checker=True,
            **self.options,
        )
        return env

    def score(self, episode: Episode) -> float:
        """Return what an episode counts."""
        return -float(episode.length) if self.by_length else episode.total


def register(package: str) -> None:
    """Let a package register its environments, if they are not there yet."""
    if package == "gymnasium":
        return
    module = import_module(package)
    if package == "gym_classics" and "DynaMaze-v0" not in gymnasium.registry:
        module.register("gymnasium")
    if package == "minatar" and "MinAtar/Breakout-v1" not in gymnasium.registry:
        import_module("minatar.gym").register_envs()


PROBLEMS = (
    Problem(
        name="CartPole-v1",
        steps=50_000,
        best=500.0,
        source="bound: one for each step of the time limit",
        threshold=475.0,
    ),
    Problem(
        name="MountainCar-v0",
        steps=120_000,
        best=-100.8,
        source=f"{ZOO}: DQN",
        threshold=-110.0,
    ),
    Problem(
        name="Acrobot-v1", steps=100_000, best=-69.1, source=f"{ZOO}: QR-DQN", threshold=-100.0
    ),
    Problem(name="Pendulum-v1", steps=100_000, best=-151.9, source=f"{ZOO}: TD3", threshold=-200.0),
    Problem(
        name="MountainCarContinuous-v0",
        steps=50_000,
        best=96.7,
        source=f"{ZOO}: ARS",
        threshold=90.0,
    ),
    Problem(
        name="LunarLander-v3",
        package="Box2D",
        steps=500_000,
        best=242.1,
        source=f"{ZOO}: PPO on LunarLander-v2",
        threshold=200.0,
    ),
    Problem(name="FrozenLake-4x4", env="FrozenLake-v1", steps=50_000, exact="table"),
    Problem(name="FrozenLake-8x8", env="FrozenLake8x8-v1", steps=100_000, exact="table"),
    Problem(name="Taxi-v4", steps=100_000, exact="table"),
    Problem(name="CliffWalking-v1", steps=30_000, time_limit=200, exact="table"),
    Problem(name="Blackjack-v1", steps=50_000, exact="blackjack"),
    Problem(
        name="DynaMaze-v0",
        package="gym_classics",
        steps=50_000,
        time_limit=200,
        by_length=True,
        exact="model",
    ),
    Problem(
        name="WindyGridworldKingsStochastic-v0",
        package="gym_classics",
        steps=50_000,
        time_limit=200,
        exact="model",
    ),
    Problem(
        name="Maze4",
        env="ruleplay/Maze4-v0",
        package="ruleplay",
        steps=50_000,
        by_length=True,
        exact="maze",
    ),
    Problem(
        name="Maze5",
        env="ruleplay/Maze5-v0",
        package="ruleplay",
        steps=50_000,
        by_length=True,
        exact="maze",
    ),
    Problem(name="Chain", env="ruleplay/Chain-v0", package="ruleplay", steps=30_000, exact="chain"),
    Problem(name="MiniGrid-Empty-5x5-v0", package="minigrid", steps=50_000, exact="search"),
    Problem(name="MiniGrid-DoorKey-5x5-v0", package="minigrid", steps=100_000, exact="search"),
    Problem(name="MinAtar/Breakout-v1", package="minatar", steps=200_000, time_limit=1000),
    Problem(name="MinAtar/Freeway-v1", package="minatar", steps=200_000, time_limit=2500),
    Problem(
        name="FlappyBird-v0",
        package="flappy_bird_gymnasium",
        options={"use_lidar": False},
        steps=200_000,
        time_limit=1000,
    ),
)
NAMES = tuple(problem.name for problem in PROBLEMS)


def problem_of(name: str) -> Problem:
    """Return the problem of a name."""
    return PROBLEMS[NAMES.index(name)]


def chosen(only: Sequence[str]) -> tuple[str, ...]:
    """Return the names of problems that are asked for, all if none is."""
    for name in only:
        if name not in NAMES:
            raise ConfigError(unknown_name("control problem", name, NAMES))
    return tuple(name for name in NAMES if not only or name in only)


def seeds_of_test(seed: int) -> list[int | None]:
    """Return the seeds of the episodes by which a run is tested, the same for all contenders."""
    first = FIRST_TEST + SEEDS_OF_RUN * seed
    return [*range(first, first + EPISODES)]


def seeds_of_checks(seed: int) -> list[int | None]:
    """Return the seeds of the episodes that are played at each checkpoint of a run."""
    first = FIRST_CHECK + SEEDS_OF_RUN * seed
    return [*range(first, first + CHECK_EPISODES)]
