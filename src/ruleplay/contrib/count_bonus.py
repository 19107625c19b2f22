"""A bonus for what was rarely tried: actions are counted in the cells of a grid over the states.

The bonus b / sqrt(n) is part of payoffs, or of the predictions that a greedy choice compares.
"""

import math
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.config.fields import param
from ruleplay.contrib.grid import cell_number, count_table_size
from ruleplay.core.choice import choose_greedily
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Exploration
from ruleplay.core.exploration import MARKS, NOTES, decide_guided, faults_of_notes, new_notes
from ruleplay.core.state.agent import Agent
from ruleplay.core.state.arrays import Array, allocate
from ruleplay.errors import ConfigError

SETTINGS = {
    "count_bonus": param(
        0.0, at_least=0, later=True, doc="What is added for an action that was not yet tried."
    ),
    "count_bonus_in": param(
        "payoff",
        choices=("payoff", "choice"),
        later=True,
        doc="What the count bonus is added to: payoffs, or predictions in a greedy choice.",
    ),
    "count_grid": param(
        16, at_least=1, later=True, doc="Cells per feature in which tried actions are counted."
    ),
}
LARGEST_COUNT = np.uint32(2**32 - 1)


@inline_kernel
def count_index(explorer, state, action, n_actions):
    """Return the counter of an action in the grid cell of a state."""
    size = explorer.counts.shape[0]
    return cell_number(state, action, explorer.grid, explorer.is_direct, n_actions, size)


@inline_kernel
def count_of(explorer, agent, state, action):
    """Return how often an action was decided on in the cell of a state, as a float."""
    return float(explorer.counts[count_index(explorer, state, action, agent.params.n_actions)])


@inline_kernel
def choose_appealing(explorer, agent, state):
    """Choose the action of largest prediction plus bonus: PA(a) + b / sqrt(n(s, a) + 1)."""
    values, appeal = agent.scratch.values, explorer.appeal
    if explorer.in_payoff != 0:
        return choose_greedily(values, agent.rng)
    for action in range(values.shape[0]):
        bonus = explorer.bonus / math.sqrt(count_of(explorer, agent, state, action) + 1.0)
        appeal[action] = values[action] + bonus
    return choose_greedily(appeal, agent.rng)


@kernel
def decide_and_count(explorer, agent, state):
    """Choose an action and count it."""
    action = decide_guided(explorer, agent, state)
    index = count_index(explorer, state, action, agent.params.n_actions)
    if explorer.counts[index] < LARGEST_COUNT:
        explorer.counts[index] += np.uint32(1)
    return action


@inline_kernel
def add_count_bonus(explorer, agent, state, action, reward):
    """Return r + b / sqrt(n(s, a)) if the bonus is part of payoffs, else r."""
    if explorer.in_payoff == 0:
        return reward
    visits = max(count_of(explorer, agent, state, action), 1.0)
    return reward + explorer.bonus / math.sqrt(visits)


@Exploration.register(
    "curious",
    settings=SETTINGS,
    decide=decide_and_count,
    prefer=choose_appealing,
    add_bonus=add_count_bonus,
    **MARKS,
)
class Curious(NamedTuple):
    """Exploration that is drawn to what was rarely tried."""

    notes: Annotated[NDArray[np.int64], Array("i8", (NOTES,), "of actions", saved=True)]
    counts: Annotated[
        NDArray[np.uint32],
        Array("u4", ("counters",), "how often an action was decided on in a cell", saved=True),
    ]
    appeal: Annotated[NDArray[np.float64], Array("f8", ("actions",), "predictions with bonus")]
    bonus: float
    in_payoff: int  # whether payoffs have the bonus, or greedy choices (0)
    grid: int  # cells per feature
    is_direct: int  # whether every cell and action has a counter, or they are hashed (0)

    @staticmethod
    def serves(settings: Any) -> bool:
        """Tell whether the settings ask for it."""
        return bool(settings.count_bonus > 0.0)

    @staticmethod
    def check_settings(settings: Any) -> None:
        """Refuse a bonus where there are no episodes."""
        if settings.count_bonus > 0.0 and settings.exploration != "epsilon_greedy":
            raise ConfigError(
                "exploration must be 'epsilon_greedy' for a count_bonus, "
                f"got {settings.exploration!r}"
            )

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> "Curious":
        """Return an explorer that has tried nothing."""
        grid = settings.count_grid
        size, is_direct = count_table_size(grid, sizes.n_features, sizes.n_actions)
        return allocate(
            cls,
            {"counters": size, "actions": sizes.n_actions},
            notes=new_notes(),
            bonus=settings.count_bonus,
            in_payoff=int(settings.count_bonus_in == "payoff"),
            grid=grid,
            is_direct=int(is_direct),
        )

    def adopt(self, other: "Curious") -> None:
        """Take over what another has noted; counts of another grid would mean nothing."""
        self.notes[:] = other.notes

    def faults(self, agent: Agent) -> list[str]:
        """Return a sentence for each thing that does not hold of the notes."""
        return faults_of_notes(self.notes, agent)

    def largest_bonus(self) -> float:
        """Return how much is added to a reward, at most."""
        return self.bonus if self.in_payoff else 0.0
