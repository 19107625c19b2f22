"""Let a contender learn, and look at its greedy policy at checkpoints and in the end.

What is played at checkpoints and in tests costs a contender neither steps nor time.
"""

from collections.abc import Callable
from functools import cached_property
from time import process_time
from typing import Any, NamedTuple, Protocol

from ruleplay.benchmarks.control.evaluating import Policy, mean_score
from ruleplay.benchmarks.control.problems import (
    CHECKPOINTS,
    Problem,
    seeds_of_checks,
    seeds_of_test,
)

Row = dict[str, Any]


class Learner(Protocol):
    """Who learns in an environment."""

    def learn(self, steps: int, on_step: Callable[[int], None]) -> None:
        """Learn for a number of steps; `on_step` is told how many were made."""

    def policy(self) -> Policy:
        """Return the policy that is the best by now, and stays as it is."""

    def size(self, policy: Policy) -> Row:
        """Return the numbers of rules and conditions of a policy, if there are such things."""


class Checkpoint(NamedTuple):
    """What a policy scored after some steps, and the CPU seconds of learning until then."""

    step: int
    score: float
    seconds: float

    def __str__(self) -> str:
        """Write a checkpoint as a word."""
        return f"{self.step}:{self.score:.6g}:{self.seconds:.4g}"

    @classmethod
    def read(cls, word: str) -> "Checkpoint":
        """Read what `str` has written.

        >>> Checkpoint.read(str(Checkpoint(500, -12.5, 0.25)))
        Checkpoint(step=500, score=-12.5, seconds=0.25)
        """
        step, score, seconds = word.split(":")
        return cls(int(step), float(score), float(seconds))


class Course:
    """A run of a contender: its checkpoints, and the best policy of them."""

    def __init__(self, problem: Problem, seed: int, steps: int, learner: Learner) -> None:
        """Prepare the checkpoints."""
        self.problem, self.seed, self.learner = problem, seed, learner
        self.steps = steps
        self.checkpoints: list[Checkpoint] = []
        self._best: Policy | None = None
        self._last: Policy | None = None
        self._env = problem.make()
        self._ahead = [steps * k // CHECKPOINTS for k in range(1, CHECKPOINTS + 1)]
        self._began = 0.0

    def run(self) -> "Course":
        """Learn to the end."""
        self._began = process_time()
        self.learner.learn(self.steps, self._on_step)
        self.seconds = process_time() - self._began
        return self

    @cached_property
    def last(self) -> Policy:
        """Return the policy of the last checkpoint, which is at the end of learning."""
        return self._last or self.learner.policy()

    @cached_property
    def best(self) -> Policy:
        """Return the best policy of the checkpoints."""
        return self._best or self.last

    def row(self) -> Row:
        """Test the last policy and the best one, and return what is known about the run."""
        last = self.test(self.last)
        return {
            "last": last,
            "best": last if self.best is self.last else self.test(self.best),
            **self.learner.size(self.best),
            "seconds": self.seconds,
            "further_steps": 0,
            "curve": " ".join(map(str, self.checkpoints)),
        }

    def test(self, policy: Policy) -> float:
        """Return the mean score of a policy in the test episodes."""
        return mean_score(self.problem, policy, seeds_of_test(self.seed))

    def _on_step(self, step: int) -> None:
        """Look at the policy if a checkpoint is reached; the newest of equals is the best."""
        if not self._ahead or step < self._ahead[0]:
            return
        paused = process_time()
        while self._ahead and self._ahead[0] <= step:
            del self._ahead[0]
        self._last = self.learner.policy()
        score = mean_score(self.problem, self._last, seeds_of_checks(self.seed), self._env)
        if score >= max((one.score for one in self.checkpoints), default=-float("inf")):
            self._best = self._last
        self.checkpoints.append(Checkpoint(step, score, paused - self._began))
        self._began += process_time() - paused
