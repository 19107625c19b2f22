"""The system prediction for each action, and what it says about a state's value."""

from typing import NamedTuple

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.choice import best_value
from ruleplay.core.components.families import predict
from ruleplay.core.components.seams import Bootstrap
from ruleplay.core.state.agent import STATE_VECTOR, agent_units


@inline_kernel
def predict_jointly(agent, start, stop, state):
    """Return sum of p F / sum of F over a part of `scratch.members`; NaN without rules."""
    population, scratch, tag = agent.population, agent.scratch, agent.traits.prediction
    weighted, plain, total = 0.0, 0.0, 0.0
    for j in range(start, stop):
        i = scratch.members[j]
        value = predict(tag, population, i, state, agent.params)
        fitness = population.rules[i].fitness
        weighted += value * fitness
        plain += value
        total += fitness
    return weighted / total if total > 0.0 else plain / (stop - start)


@inline_kernel
def write_prediction_array(agent, state):
    """Write PA(a) = sum of p F / sum of F over [M] into `scratch.values`; NaN without rules.

    [Stein2020, Alg. 1 line 3]
    """
    scratch = agent.scratch
    for action in range(scratch.values.shape[0]):
        start, stop = scratch.starts[action], scratch.starts[action + 1]
        scratch.values[action] = predict_jointly(agent, start, stop, state)


@agent_units.unit(STATE_VECTOR)
def build_prediction_array(agent, state):
    """Do as `write_prediction_array` does."""
    write_prediction_array(agent, state)


@inline_kernel
def state_value(values, params):
    """Return what a payoff takes from the next prediction array: its maximum.

    The option `bootstrap_argmax` takes the number of the best action instead, as printed in
    the paper (fidelity note F-23). Without any matching rule it is p_ini (note F-27).
    """
    best = best_value(values, params.p_ini)
    if params.bootstrap_argmax != 0:
        for action in range(values.shape[0]):
            if values[action] == best:
                return float(action)
    return best


@Bootstrap.register("own")
class OwnValue(NamedTuple):
    """Payoffs that bootstrap on the rules as they are."""

    @inline_kernel
    def bootstrap(self, agent, state):
        """Return the value by the prediction array."""
        return state_value(agent.scratch.values, agent.params)
