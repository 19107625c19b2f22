"""Solve finite decision processes: what the best policy gets within a time limit."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Outcome = tuple[float, int, float, bool]  # probability, next state, reward, whether it ends


@dataclass(frozen=True)
class FiniteModel:
    """Outcomes of each action in each state, flat, and where episodes begin."""

    start: Floats  # (states,) probabilities
    n_actions: int
    cell: NDArray[np.int64]  # (outcomes,) state * n_actions + action
    chance: Floats  # (outcomes,)
    goes_to: NDArray[np.int64]  # (outcomes,)
    reward: Floats  # (outcomes,)
    goes_on: NDArray[np.bool_]  # (outcomes,)

    @classmethod
    def of(cls, start: Floats, outcomes: list[list[list[Outcome]]]) -> "FiniteModel":
        """Make a model from lists: of states, of actions, of outcomes."""
        n_actions = len(outcomes[0])
        rows = [
            (state * n_actions + action, *outcome)
            for state, actions in enumerate(outcomes)
            for action, found in enumerate(actions)
            for outcome in found
        ]
        cell, chance, goes_to, reward, ends = (
            np.array(column) for column in zip(*rows, strict=True)
        )
        return cls(
            np.asarray(start, np.float64),
            n_actions,
            cell.astype(np.int64),
            chance.astype(np.float64),
            goes_to.astype(np.int64),
            reward.astype(np.float64),
            ~ends.astype(np.bool_),
        )

    def by_length(self) -> "FiniteModel":
        """Return the same process with a reward of -1 for each step."""
        return replace(self, reward=np.full_like(self.reward, -1.0))

    def action_values(self, values: Floats) -> Floats:
        """Return what each action is worth if the next states are worth `values`."""
        gains = self.chance * (self.reward + np.where(self.goes_on, values[self.goes_to], 0.0))
        sums = np.zeros(len(self.start) * self.n_actions)
        np.add.at(sums, self.cell, gains)
        return sums.reshape(len(self.start), self.n_actions)


def best_of_model(model: FiniteModel, steps: int) -> float:
    """Return the best expected sum of rewards within so many steps."""
    values = np.zeros(len(model.start))
    for _ in range(steps):
        values = model.action_values(values).max(axis=1)
    return float(model.start @ values)


def best_actions(model: FiniteModel, steps: int) -> NDArray[np.int64]:
    """Return the best action of each state when so many steps are left, (steps + 1, states)."""
    values, found = np.zeros(len(model.start)), [np.zeros(len(model.start), np.int64)]
    for _ in range(steps):
        worth = model.action_values(values)
        found.append(worth.argmax(axis=1))
        values = worth.max(axis=1)
    return np.array(found)
