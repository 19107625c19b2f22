"""Prioritized sampling: what surprised most is replayed most (Schaul et al., 2016).

    P(i) = p_i / sum of p,   p_i = (|payoff - system prediction| + eps_0)^alpha

with the payoff and the prediction of the stored action when the experience was last replayed,
before the rules moved. eps_0 is the error below which a rule counts as accurate: no experience
is ever out of the running. A new experience has the largest priority there was so far. A drawn
one counts with the importance weight

    (N P(i))^-b / largest such weight = (smallest p / p_i)^b

where b rises linearly from its start to 1 over the horizon.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel
from ruleplay.config.fields import param
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.core.basics.weight import FULL, Weight
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Sampler
from ruleplay.replay.memory import UNDRAWN
from ruleplay.replay.sum_tree import (
    allocate_tree,
    fill_tree,
    find_value,
    leaf_values,
    set_value,
    smallest_of,
    total_of,
    value_at,
)

SETTINGS = {
    "priority_exponent": param(
        0.6, at_least=0.0, later=True, doc="How much more surprises are drawn; 0: even."
    ),
    "priority_beta_start": param(
        0.4,
        at_least=0.0,
        at_most=1.0,
        later=True,
        doc="Exponent of importance weights at first; it rises to 1 over the horizon.",
    ),
    "importance": param(
        "prediction",
        choices=("prediction", "all", "none"),
        later=True,
        doc="What importance weights scale: the step of predictions, of all estimates, or none.",
    ),
}
LARGEST = 1e100  # of all priorities; what is not even a number counts as such

NO_WEIGHTS, PREDICTION_ONLY, ALL_RATES = 0, 1, 2  # what an importance weight scales
IMPORTANCE = {"none": NO_WEIGHTS, "prediction": PREDICTION_ONLY, "all": ALL_RATES}


@inline_kernel
def sample_by_priority(sampler, memory, size, rng):
    """Draw a slot in proportion to its priority."""
    return find_value(sampler.tree, draw_uniform(rng) * total_of(sampler.tree))


@inline_kernel
def prefer_new(sampler, memory, slot, params):
    """Give a new experience the largest priority so far."""
    set_value(sampler.tree, slot, sampler.top[0])


@inline_kernel
def correction(start, agent):
    """Return the exponent b of importance weights at the current time."""
    horizon = agent.params.horizon
    if agent.state.time >= horizon:
        return 1.0
    return start + (1.0 - start) * (agent.state.time / horizon)


@inline_kernel
def weigh_by_priority(sampler, agent, slot):
    """Return the importance weight of a drawn experience, for what it is to scale."""
    importance = sampler.importance
    if importance == NO_WEIGHTS or slot == UNDRAWN:
        return FULL
    ratio = smallest_of(sampler.tree) / value_at(sampler.tree, slot)
    weight = ratio ** correction(sampler.beta_start, agent)
    return Weight(weight, weight if importance == ALL_RATES else 1.0)


@inline_kernel
def note_priority(sampler, slot, surprise, params):
    """Note how surprising an experience was."""
    priority = (surprise + params.eps_0) ** sampler.exponent
    if not priority < LARGEST:
        priority = LARGEST
    sampler.top[0] = max(sampler.top[0], priority)
    set_value(sampler.tree, slot, priority)


@inline_kernel
def always(sampler):
    """Return True: priorities are surprises."""
    return True


@Sampler.register(
    "prioritized",
    settings=SETTINGS,
    sample=sample_by_priority,
    note_stored=prefer_new,
    weigh=weigh_by_priority,
    wants_surprise=always,
    note_surprise=note_priority,
)
class Prioritized(NamedTuple):
    """Prioritized sampling, and its accounts."""

    tree: Any = ()  # priorities, see `ruleplay.replay.sum_tree`
    top: Any = ()  # (1,): the largest priority so far
    exponent: float = 0.0  # alpha
    beta_start: float = 1.0  # exponent of importance weights at the start
    importance: int = NO_WEIGHTS

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> "Prioritized":
        """Reserve accounts of an empty memory."""
        return cls(
            allocate_tree(sizes.capacity),
            np.ones(1),
            settings.priority_exponent,
            settings.priority_beta_start,
            IMPORTANCE[settings.importance],
        )

    def slots(self) -> tuple[NDArray[Any], ...]:
        """Return the accounts per slot from which, with the memory, the others follow."""
        return (leaf_values(self.tree),)

    def whole(self) -> tuple[NDArray[Any], ...]:
        """Return the accounts that belong to no slot."""
        return (self.top,)

    def adopt(
        self, other: "Prioritized", slots: NDArray[np.int64], memory: Any, params: Any
    ) -> None:
        """Take over the priorities of the experiences that now are in the first slots."""
        self.top[:] = other.top
        fill_tree(self.tree, leaf_values(other.tree)[slots])

    def restore(self, memory: Any, size: int, params: Any) -> None:
        """Derive all accounts from those per slot."""
        fill_tree(self.tree, leaf_values(self.tree)[:size].copy())

    def faults(self, memory: Any, stored: int, params: Any) -> list[str]:
        """Return a sentence for each thing that does not hold of the accounts."""
        used = leaf_values(self.tree)[: min(stored, len(memory.actions))]
        top = float(self.top[0])
        if not (1.0 <= top <= LARGEST and bool(((used > 0.0) & (used <= top)).all())):
            return [f"priorities must lie in (0, top], and their top in [1, {LARGEST:g}]"]
        fresh = np.empty_like(self.tree)
        fill_tree(fresh, used)
        right = np.array_equal(fresh, self.tree)
        return [] if right else ["sums of priorities must be those of the experiences"]
