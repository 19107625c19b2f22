"""How an agent explores in the course of an episode.

Plain: epsilon-greedy, each step by itself. Guided: random actions may last for several
steps, and it is known which actions were not greedy.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.core.choice import choose_randomly, is_greedy
from ruleplay.core.components.families import prefer
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Exploration
from ruleplay.core.covering import form_covered_match_set
from ruleplay.core.prediction_array import build_prediction_array
from ruleplay.core.state.agent import Agent
from ruleplay.core.state.arrays import Array
from ruleplay.core.xcs import act, exploration_rate

NOTES = 3  # what `Guided.notes` holds, in this order
REPEATED = 0  # the random action that goes on, or -1
NEXT_MARK = 1  # whether the action decided on was not greedy
LAST_MARK = 2  # whether the last action was not greedy

UNKNOWN_MARK = np.int64(1)  # of an action that another one chose: perhaps not greedy


@inline_kernel
def decide_plainly(tag, agent, state):
    """Choose epsilon-greedily."""
    return act(agent, state, exploration_rate(agent))


@inline_kernel
def persistence(agent):
    """Return L at the current time: constant, or on a straight line to 1 as epsilon falls."""
    params = agent.params
    if params.persistence_fades == 0:
        return params.persistence
    if agent.state.time >= params.epsilon_steps:
        return 1.0
    left = 1.0 - agent.state.time / params.epsilon_steps
    return 1.0 + (params.persistence - 1.0) * left


@inline_kernel
def starting_rate(epsilon, persistence):
    """Return the chance to begin a random action so that a share epsilon of steps is random.

    q L / (q L + 1 - q) = epsilon   =>   q = epsilon / (epsilon + L (1 - epsilon))
    """
    return epsilon / (epsilon + persistence * (1.0 - epsilon))


@inline_kernel
def goes_on(notes, agent):
    """Tell, by a draw, whether the random action of the step before is repeated."""
    action = notes[REPEATED]
    if agent.state.has_previous == 0 or action < 0:
        return False
    if np.isnan(agent.scratch.values[action]):
        return False
    return draw_uniform(agent.rng) * persistence(agent) >= 1.0


@inline_kernel
def choose_guided(explorer, agent, state):
    """Repeat a random action, begin one, or choose the preferred one."""
    notes = explorer.notes
    if goes_on(notes, agent):
        return notes[REPEATED]
    notes[REPEATED] = -1
    rate = starting_rate(exploration_rate(agent), persistence(agent))
    if draw_uniform(agent.rng) < rate:
        action = choose_randomly(agent.scratch.values, agent.rng)
        if agent.params.persistence > 1.0:
            notes[REPEATED] = action
        return action
    return prefer(explorer, agent, state)


@kernel
def decide_guided(explorer, agent, state):
    """Choose an action and note whether it was greedy."""
    form_covered_match_set(agent, state)
    build_prediction_array(agent, state)
    action = choose_guided(explorer, agent, state)
    explorer.notes[NEXT_MARK] = not is_greedy(agent.scratch.values, action)
    return action


@inline_kernel
def settle_mark(explorer, agent):
    """Let the mark of the action decided on be that of the last action."""
    explorer.notes[LAST_MARK] = explorer.notes[NEXT_MARK]


@inline_kernel
def read_last_mark(explorer, agent):
    """Return the mark of the last action."""
    return explorer.notes[LAST_MARK]


@inline_kernel
def write_last_mark(explorer, agent, mark):
    """Replace the mark of the last action."""
    explorer.notes[LAST_MARK] = mark


def new_notes() -> NDArray[np.int64]:
    """Return the notes of an explorer that has done nothing."""
    notes = np.zeros(NOTES, np.int64)
    notes[REPEATED] = -1
    return notes


def faults_of_notes(notes: NDArray[np.int64], agent: Agent) -> list[str]:
    """Return a sentence for each thing that does not hold of an explorer's notes."""
    found = []
    if not -1 <= notes[REPEATED] < int(agent.params["n_actions"]):
        found.append("the repeated action must be an action or -1")
    if not np.isin(notes[[NEXT_MARK, LAST_MARK]], (0, 1)).all():
        found.append("marks of actions must be 0 or 1")
    return found


@Exploration.register("plain", decide=decide_plainly)
class Undirected(NamedTuple):
    """Epsilon-greedy exploration, each step by itself."""


MARKS = {
    "settle": settle_mark,
    "last_mark": read_last_mark,
    "set_last_mark": write_last_mark,
}


@Exploration.register("guided", decide=decide_guided, **MARKS)
class Guided(NamedTuple):
    """Exploration that remembers."""

    notes: Annotated[NDArray[np.int64], Array("i8", (NOTES,), "of actions", saved=True)]

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> "Guided":
        """Return an explorer that has done nothing."""
        return cls(new_notes())

    def adopt(self, other: "Guided") -> None:
        """Take over what another has noted."""
        self.notes[:] = other.notes

    def faults(self, agent: Agent) -> list[str]:
        """Return a sentence for each thing that does not hold of the notes."""
        return faults_of_notes(self.notes, agent)
