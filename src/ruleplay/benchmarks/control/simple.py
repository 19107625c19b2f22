"""Run the simplest players on a control problem: chance, and a table of action values.

python -m ruleplay.benchmarks.control.simple --contender q-table --problem Taxi-v4
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ruleplay import __version__
from ruleplay.benchmarks.control.course import Course, Row
from ruleplay.benchmarks.control.evaluating import Policy
from ruleplay.benchmarks.control.program import Job, Rows, Run, serve
from ruleplay.benchmarks.real_data.task import NotApplicableError
from ruleplay.evaluation import Env
from ruleplay.learners.agent.interface import make_interface

LEARNING_RATE, DISCOUNT = 0.1, 0.99
EPSILON_END, EPSILON_FRACTION = 0.05, 0.5


class RandomPlayer:
    """Any action, always."""

    def __init__(self, env: Env, seed: int) -> None:
        """Seed the actions."""
        self.space = env.action_space
        self.space.seed(seed)

    def learn(self, steps: int, on_step: Callable[[int], None]) -> None:
        """Learn nothing."""

    def policy(self) -> Policy:
        """Draw an action, whatever is observed."""
        return lambda observation: self.space.sample()

    def size(self, policy: Policy) -> Row:
        """Return nothing: there are no rules."""
        return {}


class QTable:
    """Q-learning [Watkins1989] with a row of values for each state, by its features."""

    def __init__(self, env: Env, seed: int) -> None:
        """Begin with values of 0; refuse features that are real numbers."""
        self.env, self.seed = env, seed
        self.interface = make_interface(env, None, None, None)
        if not all(self.interface.whole_features) or not isinstance(
            env.action_space, spaces.Discrete
        ):
            raise NotApplicableError("numbered states and actions only")
        self.random = np.random.default_rng(seed)
        n_actions = self.interface.n_actions
        self.values: dict[bytes, NDArray[np.float64]] = defaultdict(lambda: np.zeros(n_actions))

    def learn(self, steps: int, on_step: Callable[[int], None]) -> None:
        """Learn from each step once, with less and less exploration."""
        seen = self.key(self.env.reset(seed=self.seed)[0])
        for step in range(1, steps + 1):
            share = min(1.0, step / (EPSILON_FRACTION * steps))
            epsilon = 1.0 + (EPSILON_END - 1.0) * share
            action = self.choose(seen, epsilon)
            found, reward, ends, cut_short, _ = self.env.step(self.interface.actions.take(action))
            after = self.key(found)
            target = float(reward) + (0.0 if ends else DISCOUNT * self.values[after].max())
            self.values[seen][action] += LEARNING_RATE * (target - self.values[seen][action])
            seen = self.key(self.env.reset()[0]) if ends or cut_short else after
            on_step(step)

    def choose(self, key: bytes, epsilon: float) -> int:
        """Return a random action, or one of the best ones."""
        values = self.values[key]
        if self.random.random() < epsilon:
            return int(self.random.integers(len(values)))
        return int(self.random.choice(np.flatnonzero(values == values.max())))

    def key(self, observation: Any) -> bytes:
        """Return what tells one state from another."""
        return bytes(self.interface.encode([observation])[0].tobytes())

    def policy(self) -> Policy:
        """Take the action with the largest value, the first of equals, by a copy of the table."""
        values = {key: row.copy() for key, row in self.values.items()}

        def act(observation: Any) -> Any:
            row = values.get(self.key(observation))
            return self.interface.actions.take(0 if row is None else int(row.argmax()))

        return act

    def size(self, policy: Policy) -> Row:
        """Return nothing: there are no rules."""
        return {}


def run_player(player: Callable[[Env, int], Any], job: Job) -> Rows:
    """Let a player learn and be tested."""
    learner = player(job.problem.make(), job.seed)
    return {job.contender: Course(job.problem, job.seed, job.steps, learner).run().row()}


CONTENDERS: dict[str, Run] = {
    "random": lambda job: run_player(RandomPlayer, job),
    "q-table": lambda job: run_player(QTable, job),
}

if __name__ == "__main__":
    serve(CONTENDERS, lambda contender: __version__)
