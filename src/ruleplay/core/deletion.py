"""Population-wide deletion: a roulette over votes.

The wheel is laid out in lanes: lane l holds the rules whose offset within their action's
block is l modulo LANES. All lanes are summed side by side, in vector instructions; the ball
then falls into a lane, and into one of that lane's rules (fidelity note F-21).
"""

import numpy as np

from ruleplay.compiler.jit import ZERO, inline_kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.core.insertion import refresh_vote, remove_rule
from ruleplay.core.state.agent import agent_units

LANES = 32


@inline_kernel
def add_votes(votes, first, groups, limit, mean, lanes):
    """Add the votes of one action's rules, in groups of LANES, to the lanes.

    vote = as * num, times mean / (F / num) for an experienced rule with F / num < delta * mean
    where mean is the mean fitness of a microclassifier       [Butz and Wilson 2002]
    """
    stop = first + groups * LANES
    base, fitness = votes[0, first:stop], votes[1, first:stop]
    numerosity, raised = votes[2, first:stop], votes[3, first:stop]
    for group in range(groups):
        start = LANES * group
        for j in range(LANES):
            unfit = fitness[start + j] < limit * numerosity[start + j]
            lanes[j] += raised[start + j] * mean if unfit else base[start + j]


@inline_kernel
def find_lane(lanes, ball):
    """Return the lane the ball falls into, and how far into it; the last vote catches it."""
    last = 0
    for lane in range(LANES):
        if ball < lanes[lane]:
            return lane, ball
        ball -= lanes[lane]
        if lanes[lane] > 0.0:
            last = lane
    return last, np.inf


@inline_kernel
def find_place(agent, lane, ball, limit, mean):
    """Return the place in a lane the ball falls into; the lane's last vote catches it."""
    votes, counts, stride = agent.population.votes, agent.population.counts, agent.params.stride
    last = ZERO
    for action in range(counts.shape[0]):
        first = action * stride
        for place in range(first + lane, first + counts[action], LANES):
            unfit = votes[1, place] < limit * votes[2, place]
            vote = votes[3, place] * mean if unfit else votes[0, place]
            if ball < vote:
                return place
            ball -= vote
            last = place
    return last


@inline_kernel
def select_for_deletion(agent, rng):
    """Draw a place with probability proportional to its vote."""
    counts, lanes, state = agent.population.counts, agent.scratch.lanes, agent.state
    average = state.fitness_sum / state.micro
    mean, limit = np.float32(average), np.float32(agent.params.delta * average)
    for lane in range(LANES):
        lanes[lane] = 0.0
    for action in range(counts.shape[0]):
        first, groups = action * agent.params.stride, (counts[action] + LANES - 1) // LANES
        add_votes(agent.population.votes, first, groups, limit, mean, lanes)
    total = 0.0
    for lane in range(LANES):
        total += lanes[lane]
    lane, ball = find_lane(lanes, draw_uniform(rng) * total)
    return find_place(agent, lane, ball, limit, mean)


@agent_units.unit()
def delete_one(agent):
    """Take one microclassifier out of the population."""
    place = select_for_deletion(agent, agent.rng)
    rule = agent.population.rules[place]
    if rule.numerosity > 1:
        rule.numerosity -= 1
        agent.state.micro -= 1
        refresh_vote(agent.population, place, agent.params)
    else:
        remove_rule(agent, place)
