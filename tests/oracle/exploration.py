"""Explore beyond epsilon-greedy: random actions that last, and a bonus for what is rarely tried."""

import math
from collections import Counter
from collections.abc import Sequence

from .random_source import RandomSource

PredictionArray = Sequence[float | None]


class Explorer:
    """Remember the random action that goes on, and how often each action was tried where."""

    def __init__(self, config) -> None:
        """Start with nothing tried."""
        self.config = config
        self.first_persistence = getattr(config, "exploration_persistence", 1.0)
        self.persistence = self.first_persistence
        self.bonus = getattr(config, "count_bonus", 0.0)
        self.in_payoff = getattr(config, "count_bonus_in", "payoff") == "payoff"
        self.grid = getattr(config, "count_grid", 1)
        self.repeated: int | None = None
        self.counts: Counter[tuple[tuple[int, ...], int]] = Counter()

    def age(self, time: int, horizon: int) -> None:
        """Let L fall to 1 while epsilon goes to its end, if it fades."""
        steps = self.config.epsilon_fraction * horizon
        if getattr(self.config, "exploration_fades", False):
            left = 1.0 - time / steps if time < steps else 0.0
            self.persistence = 1.0 + (self.first_persistence - 1.0) * left

    def start_episode(self) -> None:
        """End the repetition."""
        self.repeated = None

    def repeat(self, predictions: PredictionArray, rng: RandomSource) -> int | None:
        """Go on with a random action with probability 1 - 1/L, if it has a prediction here."""
        action, self.repeated = self.repeated, None
        if action is None or predictions[action] is None:
            return None
        if rng.uniform() * self.persistence >= 1.0:
            self.repeated = action
        return self.repeated

    def rate(self, epsilon: float) -> float:
        """Return how often to begin a random action so that a share epsilon of steps is random."""
        return epsilon / (epsilon + self.persistence * (1.0 - epsilon))

    def begin(self, action: int) -> int:
        """Begin a random action."""
        if self.first_persistence > 1.0:
            self.repeated = action
        return action

    def tempt(self, state: Sequence[float], predictions: PredictionArray) -> list[float | None]:
        """Add the bonus to each prediction."""
        if self.bonus == 0.0 or self.in_payoff:
            return list(predictions)
        tried = [self.counts[self._cell(state), action] for action in range(len(predictions))]
        return [
            None if value is None else value + self.bonus / math.sqrt(n + 1.0)
            for value, n in zip(predictions, tried, strict=True)
        ]

    def pay(self, state: Sequence[float], action: int, reward: float) -> float:
        """Add the bonus to a reward, if it belongs there."""
        if self.bonus == 0.0 or not self.in_payoff:
            return reward
        tried = max(self.counts[self._cell(state), action], 1)
        return reward + self.bonus / math.sqrt(float(tried))

    def count(self, state: Sequence[float], action: int) -> None:
        """Note that an action is tried in a state."""
        self.counts[self._cell(state), action] += 1

    def _cell(self, state: Sequence[float]) -> tuple[int, ...]:
        return tuple(min(int(x * self.grid), self.grid - 1) for x in state)
