"""Entry points into compiled code that look at observations of which all payoffs are known.

Each takes the addresses of an agent and of its memory, observations (rows, features), and arrays to
add to. The answer is the number of rows before the first invalid one.
"""

from functools import cache
from typing import Any

from ruleplay.compiler.bundles import view
from ruleplay.compiler.jit import entry, inline_kernel
from ruleplay.core.components.families import predict, write_inputs
from ruleplay.core.matching import match_all
from ruleplay.core.predictions.least_squares import multiply_by_inputs
from ruleplay.engine.entry_points import Known
from ruleplay.engine.loop import scale_observation

MOST_LEVERAGE = 0.95  # of an observation on its own prediction; with more, it stands alone


@inline_kernel
def add_products(normal, products, inputs, payoff, weight):
    """Add w x x' to a flat square matrix, and w x P to a vector, in place."""
    size = inputs.shape[0]
    for r in range(size):
        scaled = weight * inputs[r]
        products[r] += scaled * payoff
        row = normal[r * size : (r + 1) * size]
        for c in range(size):
            row[c] += scaled * inputs[c]


@cache
def gather_entry(agent_layout: Known, memory_layout: Known) -> Any:
    """Return `(agent, memory, observations, payoffs, weights, products, totals) -> rows`.

    Each rule adds up, over the observations that it matches, its normal equations: w x x' in its
    gain matrix, w x P in its row of `products`, and the weights w in `totals`.
    """

    @entry
    def enter_gather(agent_at, memory_at, observations, payoffs, weights, products, totals):
        agent = view(agent_layout, agent_at)
        scratch, tag = agent.scratch, agent.traits.prediction
        inputs = scratch.gains[2]
        for row in range(len(observations)):
            if not scale_observation(agent, observations[row], scratch.state):
                return row
            match_all(agent, scratch.state)
            write_inputs(tag, scratch.state, inputs)
            for action in range(payoffs.shape[1]):
                payoff, weight = payoffs[row, action], weights[row]
                for place in scratch.members[scratch.starts[action] : scratch.starts[action + 1]]:
                    add_products(
                        agent.population.gain[place], products[place], inputs, payoff, weight
                    )
                    totals[place] += weight
        return len(observations)

    return enter_gather


@cache
def leave_out_entry(agent_layout: Known, memory_layout: Known) -> Any:
    """Return `(agent, memory, observations, payoffs, weights, leverages, centres, sums) -> rows`.

    Each rule adds up, over the observations that it matches, the weighted squares of its errors
    had it not seen the observation: e / (1 - h) with h = x' V x, or with what `leverages` says of
    rules that have no gain matrix. Of an observation that stands alone a rule knows nothing
    without it, and its error is the distance from the centre of its action's payoffs. A row of
    weight 2 is two rows, of which one is left out.
    """

    @entry
    def enter_leave_out(
        agent_at, memory_at, observations, payoffs, weights, leverages, centres, sums
    ):
        agent = view(agent_layout, agent_at)
        scratch, tag, population = agent.scratch, agent.traits.prediction, agent.population
        inputs, product = scratch.gains[2], scratch.gains[0]
        has_gains = population.gain.shape[1] > 0 and population.gain.shape[1] == len(inputs) ** 2
        for row in range(len(observations)):
            if not scale_observation(agent, observations[row], scratch.state):
                return row
            match_all(agent, scratch.state)
            write_inputs(tag, scratch.state, inputs)
            once = min(1.0, weights[row])
            for action in range(payoffs.shape[1]):
                for place in scratch.members[scratch.starts[action] : scratch.starts[action + 1]]:
                    leverage = leverages[place]
                    if has_gains:
                        leverage += multiply_by_inputs(population.gain[place], inputs, product)
                    if once * leverage <= MOST_LEVERAGE:
                        value = predict(tag, population, place, scratch.state, agent.params)
                        error = (payoffs[row, action] - value) / (1.0 - once * leverage)
                    else:
                        error = payoffs[row, action] - centres[action]
                    sums[place] += weights[row] * error * error
        return len(observations)

    return enter_leave_out


@cache
def moments_entry(agent_layout: Known, memory_layout: Known) -> Any:
    """Return `(agent, memory, observations, centres, sums) -> rows`.

    Add up for each row and action, over the rules that match, in `sums`, (rows, actions, 3): their
    votes v, v (p - c), and v ((p - c)^2 + e^2), for predictions p, errors e, and the centre c.
    """

    @entry
    def enter_moments(agent_at, memory_at, observations, centres, sums):
        agent = view(agent_layout, agent_at)
        scratch, tag, population = agent.scratch, agent.traits.prediction, agent.population
        for row in range(len(observations)):
            if not scale_observation(agent, observations[row], scratch.state):
                return row
            match_all(agent, scratch.state)
            for action in range(sums.shape[1]):
                for place in scratch.members[scratch.starts[action] : scratch.starts[action + 1]]:
                    rule = population.rules[place]
                    value = predict(tag, population, place, scratch.state, agent.params)
                    value -= centres[action]
                    sums[row, action, 0] += rule.fitness
                    sums[row, action, 1] += rule.fitness * value
                    sums[row, action, 2] += rule.fitness * (value * value + rule.error * rule.error)
        return len(observations)

    return enter_moments
