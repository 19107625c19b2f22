"""Run a network on a control problem: Stable-Baselines3's DQN and PPO, sb3-contrib's QR-DQN.

    python -m ruleplay.benchmarks.control.networks --contender dqn --problem CartPole-v1 --derived

Of the best policy of DQN and PPO, a small tree is made, if it is wanted.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from importlib.metadata import version
from io import BytesIO
from typing import Any, cast

import numpy as np
import torch
from sb3_contrib import QRDQN
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from ruleplay.benchmarks.control.course import Course, Row
from ruleplay.benchmarks.control.distilling import Teacher, tree_row
from ruleplay.benchmarks.control.evaluating import Policy
from ruleplay.benchmarks.control.problems import Problem
from ruleplay.benchmarks.control.program import Job, Rows, Run, serve
from ruleplay.benchmarks.control.settings import Settings, settings_of
from ruleplay.benchmarks.control.views import View, ViewedEnv

KINDS = {"dqn": DQN, "qrdqn": QRDQN, "ppo": PPO}
WITH_TREES = ("dqn", "ppo")


class Network:
    """A model of Stable-Baselines3 in its environments."""

    def __init__(self, contender: str, problem: Problem, seed: int) -> None:
        """Make the model with the settings of its problem."""
        settings = dict(settings_of(contender, problem.name))
        copies, normalizes = settings.pop("n_envs", 1), settings.pop("normalize", False)
        self.view = View(problem.make(), numbered=contender != "ppo")

        def make() -> ViewedEnv:
            return ViewedEnv(problem.make(), self.view)

        envs: Any = DummyVecEnv([make] * copies)
        if normalizes:
            envs = VecNormalize(envs, gamma=settings.get("gamma", 0.99))
        self.envs = envs if normalizes else None
        self.model = KINDS[contender](
            "MlpPolicy", envs, seed=seed, device="cpu", **scheduled(settings)
        )

    def learn(self, steps: int, on_step: Callable[[int], None]) -> None:
        """Learn, and stop after exactly so many steps."""
        self.model.learn(steps, callback=Watch(steps, on_step), log_interval=10**9)

    def policy(self) -> "Frozen":
        """Return the policy of a copy of the network, and of the scales of its environments."""
        scales = None
        if self.envs is not None:
            scales = Scales(deepcopy(self.envs.obs_rms), self.envs)
        file = BytesIO()
        self.model.policy.save(file)
        file.seek(0)
        return Frozen(self.view, type(self.model.policy).load(file, device="cpu"), scales)

    def size(self, policy: Policy) -> Row:
        """Return nothing: there are no rules."""
        return {}


@dataclass(frozen=True)
class Frozen:
    """A network that acts and learns no more."""

    view: View
    network: Any
    scales: "Scales | None"

    def __call__(self, observation: Any) -> Any:
        """Return the best action."""
        found = self.network.predict(self.seen(observation), deterministic=True)[0]
        return self.view.action(found)

    def seen(self, observation: Any) -> Any:
        """Return what the network sees."""
        seen = self.view.observation(observation)
        return seen if self.scales is None else self.scales.normalize_obs(seen)


class Scales:
    """The scales of observations at some time."""

    def __init__(self, found: Any, envs: VecNormalize) -> None:
        """Keep the mean and the variance of what was seen."""
        self.found, self.epsilon, self.clip = found, envs.epsilon, envs.clip_obs

    def normalize_obs(self, observation: Any) -> Any:
        """Return an observation in these scales."""
        spread = np.sqrt(self.found.var + self.epsilon)
        scaled = np.clip((observation - self.found.mean) / spread, -self.clip, self.clip)
        return scaled.astype(np.float32)


class Watch(BaseCallback):  # type: ignore[misc, unused-ignore]
    """Tell how many steps were made, and stop when they are enough."""

    def __init__(self, steps: int, on_step: Callable[[int], None]) -> None:
        """Say whom to tell."""
        super().__init__()
        self.steps, self.tell = steps, on_step

    def _on_step(self) -> bool:
        self.tell(self.num_timesteps)
        return bool(self.num_timesteps < self.steps)


def scheduled(settings: Settings) -> Settings:
    """Return settings with `lin_x` as a line from x to 0."""

    def read(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        first = float(value.removeprefix("lin_"))
        return lambda left: left * first

    return {name: read(value) for name, value in settings.items()}


def run_network(job: Job) -> Rows:
    """Let a network learn; distil a tree if it is wanted."""
    torch.set_num_threads(1)
    learner = Network(job.contender, job.problem, job.seed)
    course = Course(job.problem, job.seed, job.steps, learner).run()
    rows = {job.contender: course.row()}
    if job.derived and job.contender in WITH_TREES:
        teacher = teacher_of(job, cast(Frozen, course.best))
        rows[f"{job.contender}-tree"] = tree_row(course, teacher)
    return rows


def teacher_of(job: Job, best: Frozen) -> Teacher:
    """Let the best network answer for many observations, and say how much each matters.

    The weight is that of VIPER: the largest value of an action minus the smallest; PPO has no
    such values, and all of its answers count alike.
    """

    def answer(observations: list[Any]) -> tuple[Any, Any]:
        network, seen = best.network, np.array([best.seen(one) for one in observations])
        actions = network.predict(seen, deterministic=True)[0]
        if job.contender == "ppo":
            return actions, np.ones(len(actions))
        with torch.no_grad():
            values = network.q_net(network.obs_to_tensor(seen)[0]).numpy()
        return actions, values.max(axis=1) - values.min(axis=1)

    return answer


CONTENDERS: dict[str, Run] = dict.fromkeys(KINDS, run_network)

if __name__ == "__main__":
    serve(
        CONTENDERS,
        lambda contender: version("sb3-contrib" if contender == "qrdqn" else "stable-baselines3"),
    )
