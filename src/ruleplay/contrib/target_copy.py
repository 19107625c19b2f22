"""A slow-moving copy of the rules, on which payoffs bootstrap.

A payoff contains a prediction, which the payoff changes: errors feed themselves. Predictions
of a copy that is renewed every `target_interval` learning steps stand still in between (after
the target network of Mnih et al., 2015). With double estimation the rules choose the action and
the copy says what it is worth, so that the largest of several noisy values is not believed
(van Hasselt, 2010). The copy is renewed when it is first asked in a new interval.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.config.fields import param
from ruleplay.core.basics.copying import copy_values
from ruleplay.core.choice import best_action, best_value
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Bootstrap
from ruleplay.core.matching import match_all
from ruleplay.core.prediction_array import state_value, write_prediction_array
from ruleplay.core.state.agent import Agent, Scratch, limits_of_rules, words_of
from ruleplay.core.state.arrays import PLACE, Array, allocate
from ruleplay.core.state.described import LARGEST_MODEL, faults
from ruleplay.core.state.population import (
    CHUNK,
    ESTIMATES,
    RULE,
    Population,
    allocate_models,
    places_of,
)
from ruleplay.errors import ConfigError

SETTINGS = {
    "target_interval": param(
        0, at_least=0, later=True, doc="Learning steps that payoffs bootstrap on a copy; 0: none."
    ),
    "double_estimation": param(
        False, later=True, doc="Whether the rules choose the action that the copy evaluates."
    ),
}
COPIED_ESTIMATES = tuple(one for one in ESTIMATES if one.name in ("prediction", "fitness"))


class Voters(NamedTuple):
    """What a prediction array is made of, with other rules than the agent's own."""

    population: Population
    scratch: Scratch
    params: Any
    traits: Any


@kernel
def copy_block(population, copy, first, before, count):
    """Copy the rules of one action; places that are no longer taken match nothing."""
    stop = first + (max(before, count) + CHUNK - 1) // CHUNK * CHUNK
    for k in range(population.cells.shape[0]):
        copy_values(population.cells[k, first:stop], copy.cells[k, first:stop])
    for place in range(first, first + count):
        copy.rules[place] = population.rules[place]
        copy_values(population.bounds[place], copy.bounds[place])
        if copy.weights.shape[0] > 0:
            copy_values(population.weights[place], copy.weights[place])


@kernel
def renew(copy, agent):
    """Copy the rules, unless that was done in the current interval."""
    population = agent.population
    interval = agent.state.time // copy.length
    if interval == copy.interval[0]:
        return
    copy.interval[0] = interval
    for action in range(population.counts.shape[0]):
        before, count = copy.counts[action], population.counts[action]
        copy_block(population, copy, action * agent.params.stride, before, count)
        copy.counts[action] = count


@kernel
def ask_copy(copy, agent, state):
    """Write the prediction array of the copy into `scratch.values`."""
    renew(copy, agent)
    own = agent.population
    rules = Population(
        copy.rules,
        own.alleles,
        copy.bounds,
        copy.cells,
        own.votes,
        own.hashes,
        copy.weights,
        own.gain,
        copy.counts,
    )
    voters = Voters(rules, agent.scratch, agent.params, agent.traits)
    match_all(voters, state)
    write_prediction_array(voters, state)


@kernel
def take_copied_value(copy, agent, state):
    """Return max PA of the copy; that of the rules where the copy has none.

    With double estimation V(s) = PA_copy(s, argmax PA(s)); max PA_copy(s) where the copy has no
    rule for that action; max PA(s) where it has no rule at all.
    """
    values = agent.scratch.values
    own, action = state_value(values, agent.params), best_action(values)
    ask_copy(copy, agent, state)
    if copy.is_double != 0 and action >= 0 and not np.isnan(values[action]):
        return values[action]
    return best_value(values, own)


@Bootstrap.register("copy", settings=SETTINGS, bootstrap=take_copied_value)
class TargetCopy(NamedTuple):
    """Payoffs that bootstrap on a copy: what predictions need of a population."""

    rules: Annotated[NDArray[np.void], Array(RULE, (PLACE,), "what was known of each", True)]
    bounds: Annotated[NDArray[np.float32], Array("f4", (PLACE, "bounds"), "as there", True)]
    cells: Annotated[NDArray[np.uint8], Array("u1", ("bounds", PLACE), "as there")]
    weights: Annotated[NDArray[np.float64], Array("f8", (PLACE, "weights"), "as there", True)]
    counts: Annotated[NDArray[np.int64], Array("i8", ("actions",), "rules per action")]
    interval: Annotated[
        NDArray[np.int64], Array("i8", (1,), "number of the interval of the copy", True, fill=-1)
    ]
    length: int  # learning steps of an interval
    is_double: int

    @staticmethod
    def serves(settings: Any) -> bool:
        """Tell whether the settings ask for it."""
        return bool(settings.target_interval > 0)

    @staticmethod
    def check_settings(settings: Any) -> None:
        """Refuse double estimation without a copy, and values that are numbers of actions."""
        interval = settings.target_interval
        if settings.double_estimation and interval == 0:
            raise ConfigError("double_estimation needs target_interval above 0, got 0")
        if interval > 0 and settings.bootstrap_value != "max":
            raise ConfigError(
                f"bootstrap_value must be 'max' for target_interval = {interval}, "
                f"got {settings.bootstrap_value!r}"
            )

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> "TargetCopy":
        """Reserve an empty copy of a population."""
        words = words_of(sizes)
        copy = allocate(
            cls,
            words,
            weights=allocate_models(words)["weights"],
            length=settings.target_interval,
            is_double=int(settings.double_estimation),
        )
        copy.cells[0] = 255  # an empty place matches nothing
        return copy

    def derive(self, agent: Agent) -> None:
        """Derive what matching compares from the bounds (after loading)."""
        places = self._places(agent)
        self.cells[:, places] = self._cells_of(places)

    def faults(self, agent: Agent) -> list[str]:
        """Return a sentence for each thing that does not hold of the copy."""
        places, n_features = self._places(agent), self.bounds.shape[1] // 2
        lower, upper = self.bounds[places, :n_features], self.bounds[places, n_features:]
        copied = places if len(self.weights) else slice(0)
        latest = int(agent.state["time"]) // self.length
        found = faults("copied ", COPIED_ESTIMATES, self.rules[places], limits_of_rules(agent))
        if not ((lower >= 0) & (lower <= upper) & (upper <= 1)).all():
            found.append("bounds of copied rules must be intervals in [0, 1]")
        if not np.array_equal(self.cells[:, places], self._cells_of(places)):
            found.append("cells of copied rules must follow from their bounds")
        if not (np.abs(self.weights[copied]) <= LARGEST_MODEL).all():
            found.append(f"copied weights must be at most {LARGEST_MODEL:g} in size")
        if not -1 <= int(self.interval[0]) <= latest:
            found.append(
                f"the copy must be from an interval in [-1, {latest}], got {self.interval[0]}"
            )
        return found

    def _places(self, agent: Agent) -> NDArray[np.int64]:
        return places_of(self.counts, int(agent.params["stride"]))

    def _cells_of(self, places: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return what matching compares of the rules at some places, (2 * features, places)."""
        with np.errstate(invalid="ignore"):  # bounds from a file may be anything
            return (self.bounds[places].T * np.float32(255.0)).astype(np.uint8)
