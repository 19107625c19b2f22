"""Fitness-scaled updates: a rule's prediction learns by its share in the system prediction.

The system prediction of an action is the mean of its rules' predictions, weighted by fitness.
A gradient step on its error moves each rule in proportion to its weight F / sum F (XCSG: Butz,
Goldberg and Lanzi, 2005). With recursive least squares the share is the observation's weight,
in the gain matrix as in the model: else the matrix would shrink as if all of it had been learned.
"""

from typing import Any, NamedTuple

from ruleplay.compiler.jit import inline_kernel
from ruleplay.config.fields import param
from ruleplay.core.components.families import adapt_in_part
from ruleplay.core.components.seams import Update

SETTINGS = {
    "gradient_scaling": param(
        False, later=True, doc="Whether a prediction's step is scaled by the rule's fitness share."
    )
}


@Update.register("by_fitness", settings=SETTINGS)
class FitnessScaled(NamedTuple):
    """Updates scaled by fitness."""

    @staticmethod
    def serves(settings: Any) -> bool:
        """Tell whether the settings ask for it."""
        return bool(settings.gradient_scaling)

    @inline_kernel
    def sum_fitness(self, population, members):
        """Return the sum of fitness over an action set."""
        total = 0.0
        for i in members:
            total += population.rules[i].fitness
        return total

    @inline_kernel
    def teach(self, agent, i, state, target, rate, total, weight):
        """Let a rule's prediction take F / total of its step; nothing where no rule has fitness."""
        share = agent.population.rules[i].fitness / total if total > 0.0 else 0.0
        adapt_in_part(agent.traits.prediction, agent, i, state, target, rate, share, weight)
